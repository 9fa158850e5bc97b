"""Labels that no control bears: a likely control is tried, else the label is reported missing."""

import re
from typing import NamedTuple

from appliance.core.page import Element, Observation, TextKind
from appliance.core.procedure import WAY, Inline
from appliance.core.verdict import Basis, DivergenceKind, Severity, StepStatus
from appliance.language import nouns, verbs
from appliance.language.names import compare, same
from appliance.policy.literal.act.guessing import rank_candidates, search_navigation, try_candidates
from appliance.policy.literal.act.icons import is_menu_icon_of_row
from appliance.policy.literal.act.notes import report_possible_rename
from appliance.policy.literal.match.grounding import (
    NAV_NOUNS,
    TAB_NOUNS,
    is_field,
    is_search,
    names_of,
    text_shown,
)
from appliance.policy.literal.read.intents import Intent, IntentKind
from appliance.policy.literal.read.masking import is_guessed
from appliance.policy.literal.session import Script, Session

PLACEHOLDER = re.compile(r"[<{\[]+(?P<open>[^<>{}\[\]]+)[>}\]]+|['‘](?P<quoted>[a-z][a-z ]+)['’]")


class SearchedPlace(NamedTuple):
    """The page that was searched, and its name for the report."""

    view: Observation
    name: str


def try_other_name(
    s: Session, intent: Intent, label: Inline, row: str, place: SearchedPlace
) -> Script:
    """Try the likeliest control where nothing bears the label; if none fits, report it missing."""
    if (yield from is_menu_icon_of_row(s, intent, label, row)):
        return
    if is_guessed(label, intent.sentence) and label.text[:1].islower():
        s.report_stuck(
            f'nothing is called "{label.text}": the text describes it, and marks no name'
        )
        return
    may_be_skipped = intent.is_optional or intent.is_conditional
    if not may_be_skipped and s.depends_on_left_out(label):
        s.lose("could not be carried out")
        return
    may_not_guess = s.may_be_elsewhere or may_be_skipped or _is_of_missing_part(s, intent)
    likely_elements = [] if may_not_guess else rank_candidates(s, intent, label, row)
    chosen = (yield from try_candidates(s, intent, likely_elements)) if likely_elements else None
    if chosen is None and not may_be_skipped and _may_be_any_entry(s, intent):
        chosen = yield from search_navigation(s, intent, label)
        if chosen is not None and text_shown(s.view, label.text, frozenset({TextKind.HEADING})):
            s.report(StepStatus.AS_WRITTEN, f"found under {chosen.name.strip()}")
            s.confirm_place()
            return
    if chosen is not None:
        s.confirm_place()
        if chosen.region == "navigation":
            s.nav_entry, s.row = chosen, ""
        report_possible_rename(s, label, chosen)
        return
    _report_missing(s, intent, label, place, likely_elements)


def _is_of_missing_part(s: Session, intent: Intent) -> bool:
    """Whether the text places the control in a part of the page that does not exist."""
    part = intent.place.section
    if part is None:
        return False
    page_elements = [e for e in s.view.elements if e.region not in ("navigation", "menu", "banner")]
    names = [
        n
        for e in page_elements
        for n in (e.name, e.section, e.group, e.dialog, e.row, e.column)
        if n
    ]
    names += [t.text for t in s.view.texts]
    return not any(compare(part.text, n) is not None for n in names)


def _may_be_any_entry(s: Session, intent: Intent) -> bool:
    """Whether the text asks for a page, which any navigation entry may lead to."""
    is_page = intent.noun in nouns.PLACES.both | nouns.NAVIGATION.both and intent.noun != "section"
    is_first = all(i.kind is IntentKind.INFORM for i in s.past)
    is_placed = is_first or not s.may_be_elsewhere
    return is_page and intent.noun not in TAB_NOUNS and s.lost is None and is_placed


def _report_missing(
    s: Session, intent: Intent, label: Inline, place: SearchedPlace, likely_elements: list[Element]
) -> None:
    """Report that the page has nothing like the label, with what it offers instead."""
    if _explain_absence(s, intent, label):
        return
    message = f'nothing called "{label.text}" in {place.name}'
    if likely_elements:
        message += f'; did you mean "{likely_elements[0].name.strip()}"?'
    if names := names_of(_alternatives(place.view, intent)):
        message += f"; it offers {names}"
    is_part = intent.noun == "section"  # its contents may be found without it
    if not s.has_failed_action:
        s.diverge(
            DivergenceKind.MISSING_CONTROL, label, message,
            severity=Severity.MISLEADS if is_part else Severity.BREAKS,
            basis=Basis.ABSENT, box=likely_elements[0].box if likely_elements else None,
        )  # fmt: skip
    if not is_part:
        s.report_stuck(message)


def _explain_absence(s: Session, intent: Intent, label: Inline) -> bool:
    """Whether the absence says nothing against the text; reports why."""
    placeholder = PLACEHOLDER.search(label.text)
    if any(same(label.text, w) for w in verbs.LOGS_IN.both):
        s.report(StepStatus.AS_WRITTEN, "done by the appliance before the attempt", is_seen=False)
    elif intent.is_optional or intent.is_conditional:
        s.report(StepStatus.SKIPPED, f'"{label.text}" is not there; the text leaves it open')
    elif s.may_be_elsewhere:
        s.report_stuck("")
    elif placeholder is not None:
        s.report_left_open(placeholder["open"] or placeholder["quoted"])
    elif _sends_no_form(s, label):
        s.report_stuck(
            f'"{label.text}" sends a form, and there is none here: what opens it was not done'
        )
    elif intent.step == WAY and intent.sentence.text == s.task.procedure.title:
        s.report_stuck(
            f'nothing on the way is called "{label.text}", which only the heading names:'
            " the checks can say where it is, as `start:`"
        )
    elif intent.noun in nouns.ICONS.both:
        s.report_stuck(
            f'no icon is called "{label.text}"; which one is meant cannot be told by its name'
        )
    else:
        return False
    return True


def _sends_no_form(s: Session, label: Inline) -> bool:
    """Whether the label sends a form, and no form is open or was filled in."""
    is_sender = s.dialog is None and any(same(label.text, w) for w in _SENDERS)
    form = (e for e in s.view.elements if is_field(e) and e.region not in _NO_FORM)
    is_filled = s.last_typed is not None or s.touched_forms or s.set_by_hand or s.chosen_lists
    return is_sender and not is_filled and all(map(is_search, form))


_SENDERS = ("save", "save changes", "apply", "submit", "保存", "提交", "应用")


_NO_FORM = frozenset({"navigation", "banner", "search"})


def _alternatives(view: Observation, intent: Intent) -> list[Element]:
    """Controls of the same kind: the entries of the open menu, else those of the page."""
    entries = [e for e in view.elements if e.region == "menu" and e.role != "option"]
    return entries or [
        e
        for e in view.elements
        if e.role in ("button", "link", "tab", "menuitem")
        and e.row is None
        and (e.region == "navigation") == (intent.noun in NAV_NOUNS and not view.dialogs)
    ]

"""Carrying out what the text says about buttons, links, tabs and menus."""

import re
from dataclasses import replace
from urllib.parse import urljoin

from appliance.core import actions
from appliance.core.page import Element, TextKind
from appliance.core.procedure import Inline
from appliance.core.verdict import Basis, DivergenceKind, StepStatus
from appliance.language import nouns
from appliance.language.names import How, compare, plain, same, verb_of
from appliance.policy.literal.act import choices
from appliance.policy.literal.act.absence import PLACEHOLDER, SearchedPlace, try_other_name
from appliance.policy.literal.act.activation import activate
from appliance.policy.literal.act.choices import choose_anywhere
from appliance.policy.literal.act.fields import enter_value
from appliance.policy.literal.act.icons import (
    beside_spotted,
    is_menu_icon_of_row,
    is_row_in_front,
    only_icon_for,
    press_icon,
    row_of,
)
from appliance.policy.literal.act.rows import pick
from appliance.policy.literal.act.searching import (
    is_current_region,
    prefer_own_of_row,
    search,
)
from appliance.policy.literal.act.tooltips import read_tooltips
from appliance.policy.literal.act.unfolding import reveal_row
from appliance.policy.literal.match.grounding import (
    CLICKABLE,
    FIELDS,
    NAV_NOUNS,
    TAB_NOUNS,
    TOGGLES,
    Match,
    in_row,
    is_in_several_rows,
    match_clickable,
    match_field,
    prefer_in_part,
    text_shown,
    unfolds,
)
from appliance.policy.literal.match.pages import column_shown
from appliance.policy.literal.match.standing import check_place, menu_named
from appliance.policy.literal.read.intents import Intent, IntentKind
from appliance.policy.literal.session import Script, ScriptOf, Session


def visit(s: Session, intent: Intent) -> Script:
    """Open a page of the console by its address."""
    address = urljoin(s.view.url, intent.thing)
    result = yield from s.act(actions.OpenUrl(address), f"open {intent.thing}")
    s.report(StepStatus.AS_WRITTEN if result.ok else StepStatus.STUCK, result.error)
    if result.ok:
        s.confirm_place()


def choose(s: Session, intent: Intent) -> Script:
    """Choose in the field that the text names; if there is none, pick a row or a control.

    "Under **X**, select **Y**" and "select the volume from the **X** list" name fields as often as
    headings and lists.
    """
    label = intent.place.field
    assert label is not None  # noqa: S101 - a CHOOSE has a field
    if match_field(s.view, label.text) is None:
        yield from s.look_again(label.text)
    is_field = match_field(s.view, label.text) is not None
    if not is_field and intent.value and column_shown(s.view, label.text) is not None:
        place = replace(intent.place, field=None, column=label)  # "From the **Actions** list"
        opening = replace(intent, kind=IntentKind.OPEN, label=intent.value, noun="choice")
        yield from open_label(s, replace(opening, place=place))
        return
    if not is_field and not intent.place.in_menu:
        if intent.value is not None and _has_bearer_in_front(s, intent.value):
            place = replace(intent.place, field=None, section=label)
            yield from open_label(
                s,
                replace(
                    intent, kind=IntentKind.OPEN, label=intent.value, noun="choice", place=place
                ),
            )
            return
        key = None if intent.value or s.view.dialogs else s.values.row_key(intent.thing)
        if key:
            yield from reveal_row(s, key)
        if key and any(in_row(e, key) for e in s.view.elements):
            yield from pick(s, intent)
            return
    yield from choices.choose(s, intent)


def _has_bearer_in_front(s: Session, label: Inline) -> bool:
    match = match_clickable(s.view, label.text)
    return match is not None and (match.element.dialog is not None or not s.view.dialogs)


def _field_to_fill(s: Session, intent: Intent, label: Inline) -> Element | None:
    """The field that "Select **Network**" means: one of that name for which a value is known.

    Or a list of a form in which nothing is chosen yet: then any of it will do.
    """
    match = match_field(s.view, label.text) if intent.noun == "choice" else None
    if match is None or not match.how.is_strict:
        return None
    e = match.element
    is_own = e.role in TOGGLES and compare(label.text, e.name) is not None
    if is_own or e.role not in FIELDS:
        return None
    return e if s.values.bound_to(label.text) is not None or _is_to_be_chosen(s, e) else None


def _is_to_be_chosen(s: Session, e: Element) -> bool:
    """Whether it is an empty list of a form, and the text does not go on to name an option."""
    next_intent = s.next_intent
    is_option = (
        next_intent is not None
        and next_intent.kind is IntentKind.OPEN
        and next_intent.noun in ("choice", "option")
    )
    is_in_form = e.region in ("form", "dialog") and e.row is None
    return (
        e.role == "combobox" and is_in_form and not (e.value or is_option or "multiple" in e.states)
    )


def open_label(s: Session, intent: Intent) -> Script:
    """Activate what bears the label: a button, link, tab, menu entry, option."""
    label = intent.label
    assert label is not None  # noqa: S101 - an OPEN has a label
    if (yield from _is_done_without_click(s, intent, label)):
        return
    row = yield from row_of(s, intent)
    match = beside_spotted(s, label) or _in_own_column(s, intent, label)
    match = match or _find_bearer(s, intent, label, row)
    if match is None:
        match = yield from _late_bearer(s, intent, label, row)
    if match is None and (yield from _is_done_already(s, intent, label)):
        return
    match = prefer_own_of_row(s, intent, match, row)
    is_of_page = match is not None and _is_page_menu(match.element)
    if is_of_page and (yield from is_menu_icon_of_row(s, intent, label, row)):
        return
    if match is None:
        match = yield from _find_icon(s, intent, label, row)
    opened, menu, place = s.opened, menu_named(s, intent), SearchedPlace(s.view, s.describe_place())
    if match is None:
        match = yield from search(s, intent, label, row)
    if match is None:
        yield from try_other_name(s, intent, label, row, place)
        return
    match = match if row else _in_bound_row(s, intent, match)
    if match is not None:
        check_place(s, intent, label, match, menu=menu, is_inside=s.opened != opened)
    if match is None or (row and match.element.row and not in_row(match.element, row)):
        s.report_left_open(f'row\'s "{label.text}"')
        return
    yield from activate(s, intent, label, match)


def _find_bearer(s: Session, intent: Intent, label: Inline, row: str) -> Match | None:
    """The control that bears the label.

    A tab of the thing just opened is not looked for in the navigation.
    """
    match = match_clickable(s.view, label.text, noun=intent.noun, row=row, after=s.nav_entry_now())
    match = match or _partly_named(s, label)
    match = match and Match(prefer_in_part(s.view, match.element, s.open_part), match.how)
    is_part = intent.noun in TAB_NOUNS or intent.noun == "section"
    if match is None or match.element.region != "navigation" or not is_part:
        return match
    next_intent = s.next_intent
    if unfolds(match.element) and next_intent and next_intent.kind is IntentKind.FIELD:
        return None  # what unfolds a part of the navigation is a tab of pages, and has no fields
    last_intent = next((i for i in reversed(s.past) if i.kind is not IntentKind.INFORM), None)
    is_of_thing = last_intent is not None and last_intent.kind in (
        IntentKind.FOLLOW,
        IntentKind.PICK,
    )
    has_tabs = any(e.role == "tab" for e in s.view.elements)
    was_there = s.before.element(match.element.id) is not None
    return None if is_of_thing and (was_there or has_tabs) else match


def _partly_named(s: Session, label: Inline) -> Match | None:
    """The control whose name fits a label with a placeholder: "Edit <environment name>"."""
    placeholders = [m["open"] or m["quoted"] for m in PLACEHOLDER.finditer(label.text)]
    fixed_parts = [re.escape(plain(part)) for part in PLACEHOLDER.split(label.text)[::3]]
    if not placeholders or not any(fixed_parts):
        return None
    pattern = re.compile(r"\W*(.+?)\W*".join(fixed_parts), re.IGNORECASE)
    values = [
        value for placeholder in placeholders if (value := s.values.row_key(placeholder) or s.row)
    ]
    candidates = [
        e
        for e in s.view.elements
        if e.role in CLICKABLE and (m := pattern.fullmatch(plain(e.name)))
        and all(any(same(value, filled) for filled in m.groups()) for value in values)
    ]  # fmt: skip
    own_elements = [
        e for e in candidates if prefer_in_part(s.view, e, s.open_part, candidates) is e
    ]
    return Match(own_elements[0], How.HINTED) if len(own_elements) == 1 else None


def _in_bound_row(s: Session, intent: Intent, match: Match) -> Match | None:
    """The match in the bound row, where several rows have such a control; never in just any."""
    if not is_in_several_rows(s.view, match):
        return match
    s.row = s.values.bound_to("row") or ""
    return (
        match_clickable(s.view, match.element.name, noun=intent.noun, row=s.row) if s.row else None
    )


def _is_of_missed_form(s: Session, label: Inline) -> bool:
    """Whether it is the title of a form that did not open: the button of that name opens it."""
    forms = (i.label for i in s.past if i.kind is IntentKind.EXPECT_OPEN and i.label is not None)
    return s.lost is not None and s.dialog is None and any(same(label.text, f.text) for f in forms)


def _late_bearer(s: Session, intent: Intent, label: Inline, row: str) -> ScriptOf[Match | None]:
    """The control that bears the label once the page has finished drawing."""
    if intent.noun == "region":
        return None
    yield from s.look_again(label.text)
    return _find_bearer(s, intent, label, row)


def _in_own_column(s: Session, intent: Intent, label: Inline) -> Match | None:
    """The bound thing's own link, where the text names its column: "Click the **Username**".

    A click on the column's head would only sort the list.
    """
    key = s.values.bound_to(label.text)
    if not key or intent.noun or column_shown(s.view, label.text) is None:
        return None
    links = [
        e for e in s.view.elements if e.role == "link" and e.row is not None and same(key, e.name)
    ]
    return Match(links[0], How.HINTED) if len(links) == 1 else None


def _find_icon(s: Session, intent: Intent, label: Inline, row: str) -> ScriptOf[Match | None]:
    """The icon that the label means, by its look or by its tooltip."""
    match = only_icon_for(s, intent, label)
    if match is None and not s.is_menu_open:
        yield from read_tooltips(
            s, (e for e in s.front_elements if (in_row(e, row) if row else not e.row))
        )
        match = _find_bearer(s, intent, label, row)
    return match


def _is_page_menu(e: Element) -> bool:
    """Whether it opens a menu of the whole page, not of a row."""
    return e.row is None and "haspopup" in e.states


def _is_done_without_click(s: Session, intent: Intent, label: Inline) -> ScriptOf[bool]:
    """Whether something other than a click on the label is meant, and was done."""
    if intent.noun == "icon" and intent.label not in intent.sentence.inlines:
        yield from press_icon(s, intent, label)
        return True
    if _is_of_missed_form(s, label) or (intent.noun == "choice" and s.is_form_away):
        s.report_unreached()  # a navigation entry of that name is no choice of the form
        return True
    if intent.noun == "choice" and match_field(s.view, label.text) is None:
        yield from s.look_again(label.text) if match_clickable(s.view, label.text) is None else ()
    if intent in s.put_off:  # a control of that name elsewhere leads away from the form
        shown = f'no page of the wizard has a field "{label.text}"'
        s.diverge(DivergenceKind.MISSING_CONTROL, label, shown, basis=Basis.ABSENT)
        return True
    if element := _field_to_fill(s, intent, label):
        s.note_match(label.text, element)
        bound_value = s.values.bound_to(label.text)
        if bound_value is not None:
            yield from enter_value(s, element, bound_value, None, label_text=label.text)
        else:
            place = replace(intent.place, field=label)
            yield from choices.choose(s, replace(intent, kind=IntentKind.CHOOSE, place=place))
        return True
    if intent.noun == "region" and is_current_region(s, label):
        s.report(StepStatus.AS_WRITTEN, f'the region is "{label.text}" already')
        return True
    return False


def _is_done_already(s: Session, intent: Intent, label: Inline) -> ScriptOf[bool]:
    """Whether the label is an option of a field, a card with buttons, or the page that is open."""
    if intent.noun == "choice" and (yield from choose_anywhere(s, label)):
        return True
    if intent.noun == "choice" and s.lost is None and is_row_in_front(s, label.text):
        s.row = label.text  # the next click is on one of its buttons
        s.report(StepStatus.AS_WRITTEN, f'"{label.text}" has buttons of its own')
        return True
    if _was_just_done(s, intent, label):
        s.report(StepStatus.AS_WRITTEN, f'"{label.text}" has just been clicked', is_seen=False)
        return True
    if intent.noun in NAV_NOUNS and _is_shown_page(s, intent, label):
        s.heading = label.text if intent.noun == "path" else ""
        s.report(StepStatus.AS_WRITTEN, f'"{label.text}" is already open')
        s.confirm_place()
        return True
    return False


def _was_just_done(s: Session, intent: Intent, label: Inline) -> bool:
    """Whether the text repeats itself: "Choose **X** in the menu … Select **X**"."""
    last_intent = next((i for i in reversed(s.past) if i.kind is not IntentKind.INFORM), None)
    if last_intent is None or last_intent.kind is not IntentKind.OPEN or last_intent.label is None:
        return False
    is_choice = intent.noun == last_intent.noun == "choice"
    if not is_choice and (verb_of(label.text) or intent.noun in nouns.BUTTONS.both):
        return False  # buttons such as "Next" may be clicked twice
    is_same = last_intent.label.text.casefold() == label.text.casefold()
    return is_same and last_intent.sentence != intent.sentence and s.lost is None


_GROUP_TITLES = frozenset(TextKind) - {TextKind.COLUMN_HEADER}
"""Kinds of text that may be a heading of entries; the head of a column is none."""


def _is_shown_page(s: Session, intent: Intent, label: Inline) -> bool:
    """Whether the tab or page of that title is open (its entry may be plain text then)."""
    if intent.noun == "path":
        # an entry of a menu path may be a heading that only groups what is below it
        grouped = any(
            same(label.text, e.group) or same(label.text, e.section) for e in s.view.elements
        )
        return s.lost is None and (
            grouped or text_shown(s.view, label.text, _GROUP_TITLES) is not None
        )
    title = text_shown(s.view, label.text, frozenset({TextKind.HEADING}))
    return title is not None and title.level == 1 and s.lost is None

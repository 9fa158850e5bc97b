"""Wizards whose steps come in another order than the text gives them."""

from dataclasses import replace

from appliance.core.page import TextKind
from appliance.core.procedure import Inline
from appliance.core.verdict import Basis, DivergenceKind, Severity
from appliance.language import nouns, verbs
from appliance.language.names import same
from appliance.policy.literal.act.fields import is_uncertain
from appliance.policy.literal.match.grounding import (
    is_field,
    match_clickable,
    match_field,
    text_shown,
)
from appliance.policy.literal.read.intents import Intent, IntentKind
from appliance.policy.literal.session import Session

_TITLES = frozenset({TextKind.HEADING, TextKind.DIALOG_TITLE})
_FIELD_KINDS = frozenset({IntentKind.FIELD, IntentKind.FILL, IntentKind.CHOOSE})
_BOX_KINDS = frozenset({IntentKind.TICK, IntentKind.UNTICK})


def follow_wizard(s: Session, plan: list[Intent], n: int) -> None:
    """Move the part of the text that the wizard asks for now to the front; report the wrong order.

    The text's next part begins at `plan[n]`, with "In the step X" or with its first field; the
    console does not show X and none of its fields, but those of a later part.
    """
    intent = plan[n]
    label = _first_label(plan, n)
    if intent in s.put_off:  # an earlier page lacked it, and the text has gone on
        return
    if label is None or s.lost is not None or _fits(s, _part_from(plan, n)):
        return
    if not _begins_part(intent) and not (_is_first_field(plan, n) and _is_not_shown(s, plan, n)):
        return
    start = n + len(_part_from(plan, n))
    while start < len(plan):
        shown_part = _part_from(plan, start)
        if _fits(s, shown_part):
            break
        start += len(shown_part)
    else:
        return
    s.step = intent.step
    s.diverge(
        DivergenceKind.WRONG_ORDER,
        label,
        f"the console first asks for what step {plan[start].step} describes",
        severity=Severity.MISLEADS,
        basis=Basis.ELSEWHERE,
    )
    plan[n:] = [*shown_part, *plan[n:start], *plan[start + len(shown_part) :]]


def follow_fields(s: Session, plan: list[Intent], n: int) -> None:
    """Put off the fields that the wizard's page lacks: another page may ask for them.

    What a later page shows, or an earlier one has shown, has moved; what none shows is missing,
    which is said when the text comes to it for the last time.
    """
    names_shown = [
        name for e in s.view.elements if is_field(e) for name in (e.name, e.group) if name
    ]
    is_wizard = _is_wizard(s)
    for _ in range(len(plan) - n):
        intent = plan[n]
        label = _field_of(s, plan, n)
        if label is None:
            break
        is_here = any(same(label.text, name) for name in names_shown)
        was_asked = is_wizard and any(same(label.text, name) for name in s.wizard_fields_seen)
        if is_uncertain(intent) and (is_here or not was_asked):
            break  # it need not be there
        if is_here and intent in s.put_off:
            _report_moved(s, intent, label)
        if is_here or s.lost is not None or not is_wizard:
            break
        if was_asked:
            _report_moved(s, intent, label)
            plan[n] = replace(intent, kind=IntentKind.INFORM)
            break
        next_page = next((i for i in range(n + 1, len(plan)) if _leads_on(plan[i])), None)
        if next_page is None or match_field(s.view, label.text) or text_shown(s.view, label.text):
            break
        s.put_off.add(intent)
        plan[n : next_page + 1] = [*plan[n + 1 : next_page + 1], intent]
    if is_wizard:
        s.wizard_fields_seen.update(names_shown)
    else:
        s.wizard_fields_seen.clear()


def _field_of(s: Session, plan: list[Intent], n: int) -> Inline | None:
    """The label of the field or group of boxes that the text asks for at `n`; None for neither."""
    intent = plan[n]
    if intent.kind in _BOX_KINDS:
        return intent.place.field
    is_field = intent.kind in _FIELD_KINDS or intent in s.put_off
    if not is_field and not _is_choice_of_step(s, plan, n):
        return None
    return intent.label or intent.place.field


def _is_choice_of_step(s: Session, plan: list[Intent], n: int) -> bool:
    """Whether a choice of the wizard's current step is not on its page.

    A navigation entry of that name does not count: it leads away from the wizard.
    """
    intent = plan[n]
    if intent.kind is not IntentKind.OPEN or intent.noun != "choice" or intent.label is None:
        return False
    has_part_begun = any(
        _begins_part(earlier) for earlier in plan[:n] if earlier.step == intent.step
    )
    match = match_clickable(s.view, intent.label.text)
    return has_part_begun and (match is None or match.element.region == "navigation")


def _report_moved(s: Session, intent: Intent, label: Inline) -> None:
    s.step = intent.step
    s.put_off.discard(intent)
    s.diverge(
        DivergenceKind.MOVED_CONTROL,
        label,
        f'the wizard asks for "{label.text}" on another page than the text says',
        severity=Severity.MISLEADS,
        basis=Basis.ELSEWHERE,
    )


def _is_not_shown(s: Session, plan: list[Intent], n: int) -> bool:
    """Whether this part has fields, and the wizard's page shows none of them."""
    if not _is_wizard(s):
        return False
    labels = [i.label or i.place.field for i in _part_from(plan, n) if i.kind in _FIELD_KINDS]
    return bool(labels) and not any(i and match_field(s.view, i.text) for i in labels)


def _is_first_field(plan: list[Intent], n: int) -> bool:
    """Whether the text turns to fields here, from something else."""
    previous = next((i for i in reversed(plan[:n]) if i.kind is not IntentKind.INFORM), None)
    is_field = plan[n].kind in _FIELD_KINDS
    return is_field and previous is not None and previous.kind not in _FIELD_KINDS


def _first_label(plan: list[Intent], n: int) -> Inline | None:
    """The first label of this part: its title, else its first field."""
    lead = plan[n - 1] if n else plan[n]
    if lead.kind is IntentKind.INFORM and lead.step == plan[n].step and lead.sentence.labels():
        return lead.sentence.labels()[0]
    return plan[n].label or plan[n].place.field


def _begins_part(intent: Intent) -> bool:
    return intent.kind is IntentKind.EXPECT_OPEN and intent.noun in nouns.STEPS.both


def _part_from(plan: list[Intent], start: int) -> list[Intent]:
    """The instructions from `start` to the click that leads on ("Next"), or to the next part."""
    part: list[Intent] = []
    for n in range(start, len(plan)):
        if part and _begins_part(plan[n]):
            break
        part.append(plan[n])
        if _leads_on(plan[n]):
            break
    return part


def _leads_on(intent: Intent) -> bool:
    label = intent.label
    return intent.kind is IntentKind.OPEN and label is not None and _says_next(label.text)


def _is_wizard(s: Session) -> bool:
    """Whether the page has a button that leads on to another."""
    return any(_says_next(e.name) for e in s.view.elements)


def _says_next(text: str) -> bool:
    return any(same(text, word) for word in verbs.GO_ON.both)


def _fits(s: Session, part: list[Intent]) -> bool:
    """Whether the page bears the title of this part, or shows the first field that it names."""
    title = part[0].label if part and _begins_part(part[0]) else None
    if title is not None and text_shown(s.view, title.text, _TITLES):
        return True
    for intent in part:
        label = intent.label or intent.place.field
        if intent.kind in _FIELD_KINDS and label is not None:
            match = match_field(s.view, label.text)
            return match is not None and match.how.is_strict
        if intent.kind is IntentKind.OPEN and label is not None and not _leads_on(intent):
            match = match_clickable(s.view, label.text)
            return match is not None and match.element.region != "navigation"
    return False

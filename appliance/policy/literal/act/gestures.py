"""What hands do besides clicking: keys, dragging, forms that the text does not spell out."""

from appliance.core import actions
from appliance.core.page import Element
from appliance.core.verdict import StepStatus
from appliance.language.names import singular_words
from appliance.policy.literal.act.fields import enter_value
from appliance.policy.literal.match.grounding import (
    in_row,
    is_enabled,
    is_field,
    is_search,
    match_clickable,
    match_field,
)
from appliance.policy.literal.read.intents import EDIT, Intent
from appliance.policy.literal.session import Script, Session


def press(s: Session, intent: Intent) -> Script:
    """Press a key in the last field, or on the page; not where the way is lost."""
    if s.lost is not None:
        s.report_unreached()
        return
    focused = s.view.element(s.last_typed.id) if s.last_typed is not None else None
    # "Press R" names the key by what is printed on it: without Shift it gives a small letter
    key = intent.thing.lower() if len(intent.thing) == 1 else intent.thing
    result = yield from s.press(key, thought=f"press {intent.thing}", element=focused)
    s.report(StepStatus.AS_WRITTEN if result.ok else StepStatus.STUCK, result.error)


def drag(s: Session, intent: Intent) -> Script:
    """Drag a thing onto another one; both are known by name or bound."""
    source = _find_thing(s, intent.label.text if intent.label else "", intent.thing)
    target_label = intent.place.field
    target = _find_thing(
        s, target_label.text if target_label else "", target_label.text if target_label else ""
    )
    if s.lost is not None:
        s.report_unreached()
    elif source is None or target is None:
        s.report_left_open(intent.thing)
    else:
        thought = f'drag "{source.name}" onto "{target.name}"'
        result = yield from s.act(actions.Drag(source.id, target.id), thought, source)
        s.report(StepStatus.AS_WRITTEN if result.ok else StepStatus.STUCK, result.error)


def _find_thing(s: Session, name: str, phrase: str) -> Element | None:
    """The control of that name, or the one that shows the value bound to the phrase."""
    key = s.values.row_key(phrase) if phrase else None
    match = match_clickable(s.view, name) if name else None
    if match is not None:
        return match.element
    if not key:
        return None
    rows = (e for e in s.view.elements if in_row(e, key) or key == e.name)
    return next(rows, None)


def fill_form(s: Session, intent: Intent) -> Script:
    """Fill in the bound values; other required fields are filled in when the form is sent."""
    if s.lost is not None:
        s.report_unreached()
        return
    s.form_keys[intent] = s.form_key
    if intent.noun == EDIT and not any(s.values.bound_to(e.name) for e in _fields(s)):
        yield from _change_one(s)
        return
    for name, value in _bound_values(s).items():
        match = match_field(s.view, name)
        if match is not None:
            yield from enter_value(s, match.element, value, None)
    s.report(StepStatus.AS_WRITTEN, "filled in as far as values are bound", is_seen=False)


def _bound_values(s: Session) -> dict[str, str]:
    """Values by field name: those bound to it, and those that fit no other field."""
    names = [e.name for e in _fields(s)]
    values_by_name = {
        name: value for name in names if (value := s.values.bound_to(name)) is not None
    }
    for key, value in s.task.bindings.items():
        matching = [
            n for n in names if n not in values_by_name and singular_words(key) <= singular_words(n)
        ]
        if value not in values_by_name.values() and len(set(matching)) == 1:
            values_by_name[matching[0]] = value
    return values_by_name


def _change_one(s: Session) -> Script:
    """Change the first text field, to see that the form can be changed.

    The name of the thing stays as it is, where there is another text field.
    """
    texts = [e for e in _fields(s) if e.role == "textbox" and not is_search(e)]
    bound_values = set(s.task.bindings.values())
    first = min(texts, key=lambda e: (e.value in bound_values, not e.value), default=None)
    if first is None:
        s.report_stuck(f"no form is open in {s.describe_place()}")
        return
    s.note_match("", first)
    yield from enter_value(s, first, s.values.make_up(first, first.name), None)


def _fields(s: Session) -> list[Element]:
    return [
        e for e in s.front_elements if is_field(e) and is_enabled(e) and e.name and e.row is None
    ]


def repeat(s: Session, intent: Intent) -> Script:
    """Skip a repetition: doing it once is enough to see whether the text is true."""
    s.report(StepStatus.SKIPPED, "done once: the text asks for more of the same")
    yield from ()

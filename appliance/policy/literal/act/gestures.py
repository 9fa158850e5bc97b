"""What hands do besides clicking: keys, dragging, forms that the text does not spell out."""

from appliance.core import actions
from appliance.core.page import Element
from appliance.core.verdict import StepStatus
from appliance.language.names import singular_words
from appliance.policy.literal.act.fields import put
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
    """Press a key where the last field is, or on the page; not where the way is lost."""
    if s.lost is not None:
        s.unreached()
        return
    used = s.view.element(s.typed.id) if s.typed is not None else None
    # "Press R" names the key by what is printed on it: without Shift it gives a small letter
    key = intent.thing.lower() if len(intent.thing) == 1 else intent.thing
    done = yield from s.press(key, thought=f"press {intent.thing}", element=used)
    s.report(StepStatus.AS_WRITTEN if done.ok else StepStatus.STUCK, done.error)


def drag(s: Session, intent: Intent) -> Script:
    """Drag a thing onto another one; both are known by their names or bound."""
    source = _thing(s, intent.label.text if intent.label else "", intent.thing)
    onto = intent.place.field
    target = _thing(s, onto.text if onto else "", onto.text if onto else "")
    if s.lost is not None:
        s.unreached()
    elif source is None or target is None:
        s.left_open(intent.thing)
    else:
        thought = f'drag "{source.name}" onto "{target.name}"'
        done = yield from s.act(actions.Drag(source.id, target.id), thought, source)
        s.report(StepStatus.AS_WRITTEN if done.ok else StepStatus.STUCK, done.error)


def _thing(s: Session, name: str, thing: str) -> Element | None:
    """What bears the name, or shows what is bound to the words for it."""
    key = s.values.row(thing) if thing else None
    named = match_clickable(s.view, name) if name else None
    if named is not None:
        return named.element
    if not key:
        return None
    rows = (e for e in s.view.elements if in_row(e, key) or key == e.name)
    return next(rows, None)


def form(s: Session, intent: Intent) -> Script:
    """Fill in what is bound; what the form requires besides is supplied when it is sent."""
    if s.lost is not None:
        s.unreached()
        return
    s.forms[intent] = s.form
    if intent.noun == EDIT and not any(s.values.bound(e.name) for e in _fields(s)):
        yield from _change_one(s)
        return
    for name, value in _given(s).items():
        match = match_field(s.view, name)
        if match is not None:
            yield from put(s, match.element, value, None)
    s.report(StepStatus.AS_WRITTEN, "filled in as far as values are bound", is_seen=False)


def _given(s: Session) -> dict[str, str]:
    """Values for fields by name: those bound to it, and those that only one field can be for."""
    names = [e.name for e in _fields(s)]
    given = {name: value for name in names if (value := s.values.bound(name)) is not None}
    for key, value in s.task.bindings.items():
        fitting = [n for n in names if n not in given and singular_words(key) <= singular_words(n)]
        if value not in given.values() and len(set(fitting)) == 1:
            given[fitting[0]] = value
    return given


def _change_one(s: Session) -> Script:
    """Change the first text: that shows that what is in the form can be changed.

    What the thing is known by stays, where there is another text.
    """
    texts = [e for e in _fields(s) if e.role == "textbox" and not is_search(e)]
    given = set(s.task.bindings.values())
    first = min(texts, key=lambda e: (e.value in given, not e.value), default=None)
    if first is None:
        s.stuck(f"no form is open in {s.describe_place()}")
        return
    s.met("", first)
    yield from put(s, first, s.values.made_up(first, first.name), None)


def _fields(s: Session) -> list[Element]:
    return [e for e in s.front if is_field(e) and is_enabled(e) and e.name and e.row is None]


def repeat(s: Session, intent: Intent) -> Script:
    """Once is enough to see whether the text is true."""
    s.report(StepStatus.SKIPPED, "done once: the text asks for more of the same")
    yield from ()

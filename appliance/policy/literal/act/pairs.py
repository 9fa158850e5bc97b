"""Keys and values: metadata, tags and labels that are added one by one."""

import re

from appliance.core.page import Element
from appliance.core.verdict import StepStatus
from appliance.language.names import same
from appliance.policy.literal.match.grounding import TEXTUAL, is_enabled, is_search
from appliance.policy.literal.read.intents import Intent
from appliance.policy.literal.session import Script, Session

_KEY = re.compile(r"\b(?:key|custom|tag|name)\b|键", re.IGNORECASE)
_VALUE = re.compile(r"\bvalue\b|值", re.IGNORECASE)
_ADDERS = frozenset({"+", "add", "添加"})


def set_pair(s: Session, intent: Intent) -> Script:
    """Add the bound key and set the bound value; skipped without bindings."""
    key, value = s.values.bound_to("key"), s.values.bound_to("value")
    if s.lost is not None:
        s.report_unreached()
        return
    if key is None or value is None:
        s.report(StepStatus.SKIPPED, "the text leaves the key and value to the reader")
        return
    box = _empty_box(s, _KEY)
    if box is None:
        s.report(StepStatus.STUCK, f"no field takes a key in {s.describe_place()}")
        return
    yield from s.type(box, key, f'enter the key "{key}"')
    if adder := _adder(s, box):
        yield from s.click(adder, "add it")
    target = next((e for e in _boxes(s) if same(e.name, key)), None) or _empty_box(s, _VALUE)
    if target is None:
        s.report(StepStatus.STUCK, f'no field takes the value of "{key}"')
        return
    result = yield from s.type(target, value, f'enter "{value}"')
    s.touch()
    s.report(StepStatus.AS_WRITTEN if result.ok else StepStatus.STUCK, result.error)


def _boxes(s: Session) -> list[Element]:
    return [e for e in s.front_elements if e.role in TEXTUAL and is_enabled(e) and not is_search(e)]


def _empty_box(s: Session, name_pattern: re.Pattern[str]) -> Element | None:
    return next((e for e in _boxes(s) if name_pattern.search(e.name) and not e.value), None)


def _adder(s: Session, box: Element) -> Element | None:
    """The enabled "+" or "Add" nearest to the box, by vertical distance."""
    buttons = [
        e
        for e in s.view.elements
        if e.role == "button" and is_enabled(e) and e.name.strip().casefold() in _ADDERS
    ]
    return min(buttons, key=lambda e: abs(e.box.y - box.box.y), default=None)

"""Reads a page as a whole: columns of its lists, steps of its wizard, whether it has changed."""

import re

from appliance.core.page import Observation, TextKind
from appliance.language.names import same

_NUMBERED = re.compile(
    r"(?:step |第)?(?P<number>\d{1,2})(?:\s*步)?(?:[.:)、：]|\s)\s*(?P<name>\S.*)", re.I
)
_MIN_STEPS = 2


def is_unchanged(before: Observation, now: Observation) -> bool:
    """Whether nothing visible differs, the URL included."""
    return _visible_state(before) == _visible_state(now)


def _visible_state(view: Observation) -> tuple[object, ...]:
    elements = [(e.role, e.name, e.value, e.states) for e in view.elements]
    return view.url.rstrip("#"), view.title, view.dialogs, elements, [t.text for t in view.texts]


def columns(view: Observation) -> tuple[str, ...]:
    """The headers of all columns, without duplicates."""
    names = [t.text for t in view.texts if t.kind is TextKind.COLUMN_HEADER]
    names += [e.name for e in view.elements if e.role == "columnheader"]
    names += [t.column for t in view.texts if t.column]
    names += [e.column for e in view.elements if e.column]
    names += [c for fold in view.folds for c in fold.columns]
    return tuple(dict.fromkeys(name for name in names if name))


def column_shown(view: Observation, name: str) -> str | None:
    """The column of that name, as the page writes it."""
    return next((c for c in columns(view) if same(name, c)), None)


def wizard_steps(view: Observation) -> tuple[str, ...]:
    """The names of the numbered steps of a wizard, in order; empty if the page has none."""
    texts = [t.text.strip() for t in view.texts if t.row is None]
    names: list[str] = []
    for text, next_text in zip(texts, [*texts[1:], ""], strict=True):
        numbered = _NUMBERED.fullmatch(text)
        number, name = (numbered["number"], numbered["name"]) if numbered else (text, next_text)
        if number == str(len(names) + 1) and name and not name.isdecimal():
            names.append(name)
    return tuple(names) if len(names) >= _MIN_STEPS else ()


def current_step(view: Observation) -> str | None:
    """The step that is open, as the page has its name as a heading; None if unclear."""
    headings = [t.text for t in view.texts if t.kind is TextKind.HEADING]
    open_ones = [name for name in wizard_steps(view) if any(same(name, h) for h in headings)]
    return open_ones[0] if len(open_ones) == 1 else None

"""What of a page has to be as it was: every name, state, option, default and text, in order.

One line of JSON for each. Rows of data are left out but for those of the attempt's own things; what
only says where the page is scrolled to, or what floats over it for a moment, is left out as well.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from appliance.core.page import Element, Observation, TextBlock, TextKind
from appliance.policy.replay.wording import Wording

_PASSING = frozenset({"offscreen", "covered"})
"""States that follow from the window, not from the page."""
_SETTLING = _PASSING | {"disabled"}
"""What a row's controls may be until its thing is ready."""
_FLOATING = frozenset({"alert", "status", "log"})
"""Regions of messages that come and go."""
_LASTING = frozenset({"native_dialog", "popup", "download", "crash", "http_error"})
"""Events that a reader would speak of."""


@dataclass(frozen=True, slots=True)
class Skeleton:
    """What is compared of one look at a page."""

    lines: tuple[str, ...]
    notices: frozenset[str]
    events: frozenset[str]
    seen: frozenset[str]
    """The procedure's own phrases, wherever on the page they stand."""


def skeleton(view: Observation, wording: Wording) -> Skeleton:
    """The skeleton of a page as it is in this attempt."""
    rows = _Rows(view, wording)
    lines = [_line("page", wording.text(view.title), *map(wording.text, view.dialogs))]
    lines += [element_line(e, wording) for e in view.elements if _stays(e) and not rows.has(e)]
    lines += [_text_line(t, wording) for t in view.texts if _is_told(t) and not rows.has(t)]
    lines += rows.lines()
    return Skeleton(
        tuple(lines),
        frozenset(_line(n.tone, wording.text(n.text)) for n in view.notices()),
        frozenset(_line(e.kind, wording.text(e.text)) for e in view.events if e.kind in _LASTING),
        wording.said.within(list(_words(view, wording))),
    )


def told(line: str) -> str:
    """A line for a sentence."""
    parts = [str(part) for part in json.loads(line) if part]
    return " ".join(f'"{part}"' if n == 1 else part for n, part in enumerate(parts[:2]))


def element_line(e: Element, wording: Wording, passing: frozenset[str] = _PASSING) -> str:
    """An element with all that a reader could see of it."""
    value = None if e.value is None else wording.value(_shown_value(e, wording))
    return _line(
        e.role,
        wording.text(e.name),
        wording.text(e.text),
        e.type,
        sorted(e.states - passing),
        value,
        [wording.value(option) for option in e.options],
        wording.text(e.placeholder),
        wording.text(e.description),
        wording.text(e.error),
        None if e.dialog is None else wording.text(e.dialog),
        e.region,
        wording.text(e.section),
        wording.text(e.group),
        e.column,
        e.is_submit,
    )


def row_of(row: str | None, wording: Wording) -> tuple[str, ...]:
    """Which of the attempt's own things a row is about."""
    return () if row is None else tuple(sorted(set(wording.things(wording.text(row)))))


def _shown_value(e: Element, wording: Wording) -> str:
    """What a field holds; of what only the page can have put there, what the text speaks of.

    It may be a new key, which nobody keeps.
    """
    if e.type == "password" or not e.value:
        return ""
    return " ".join(sorted(wording.said.within([e.value]))) if "readonly" in e.states else e.value


def _stays(e: Element) -> bool:
    return e.region not in _FLOATING


def _is_told(t: TextBlock) -> bool:
    return t.kind is not TextKind.NOTICE


def _text_line(t: TextBlock, wording: Wording) -> str:
    dialog = None if t.dialog is None else wording.text(t.dialog)
    return _line(t.kind.value, wording.text(t.text), t.level, t.tone, dialog)


def _line(*parts: object) -> str:
    return json.dumps(parts, ensure_ascii=False, separators=(",", ":"))


def _words(view: Observation, wording: Wording) -> Iterator[str]:
    """Every text of a page."""
    yield from view.dialogs
    yield from (t.text for t in view.texts)
    for e in view.elements:
        yield from (e.name, e.text, _shown_value(e, wording), *e.options)


class _Rows:
    """The rows of data on a page: rows of forms are no data, for they are filled in."""

    def __init__(self, view: Observation, wording: Wording) -> None:
        self._view, self._wording = view, wording
        fields = {e.row for e in view.elements if e.row and e.region == "form"}
        rows = {e.row for e in view.elements} | {t.row for t in view.texts}
        self._data = {row for row in rows - fields if row is not None}

    def has(self, part: Element | TextBlock) -> bool:
        """Whether it is in a row of data."""
        return part.row in self._data

    def lines(self) -> list[str]:
        """One line for each different row about things of the attempt."""
        about = {row: things for row in self._data if (things := row_of(row, self._wording))}
        return sorted({_line("row", *things, *self._of(row)) for row, things in about.items()})

    def _of(self, row: str) -> Iterable[object]:
        wording = self._wording
        cells = [t for t in self._view.texts if t.row == row and t.kind is not TextKind.NOTICE]
        yield [[t.column or "", wording.text(t.text)] for t in cells]
        yield [element_line(e, wording, _SETTLING) for e in self._view.elements if e.row == row]

"""The parts of a page that must be unchanged: names, states, options, defaults and texts, in order.

One line of JSON for each. Rows of data count only if they are about the attempt's own things, and
then only the procedure's phrases and the controls in them. What depends on the scroll position, or
floats over the page for a moment, is left out.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest

from appliance.core.page import Element, Observation, TextBlock, TextKind
from appliance.policy.replay.wording import Wording, is_time

_WINDOW_STATES = frozenset({"offscreen", "covered"})
"""States that follow from the window, not from the page."""
_TRANSIENT_STATES = _WINDOW_STATES | {"disabled"}
"""What a row's controls may be until its thing is ready."""
_FLOATING = frozenset({"alert", "status", "log"})
"""Regions of messages that come and go."""
_LASTING = frozenset({"native_dialog", "popup", "download", "crash", "http_error"})
"""Events that a reader would speak of."""


@dataclass(frozen=True, slots=True)
class Skeleton:
    """The parts of one observation that are compared."""

    lines: tuple[str, ...]
    rows: tuple["Row", ...]
    notices: frozenset[str]
    events: frozenset[str]
    seen: frozenset[str]
    """The procedure's own phrases, wherever on the page they stand."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of data about things of the attempt."""

    things: tuple[str, ...]
    """The names of the values that it shows."""
    shows: tuple[str, ...]
    """The procedure's phrases in it, and its controls."""
    is_log: bool = False
    """Whether it is an entry of a log, which begins with a time."""

    def describe_missing(self, rows: "Iterable[Row]") -> str:
        """The first part that none of these rows about the same things shows, for a sentence."""
        shown_parts = {
            shown_part for row in rows if row.things == self.things for shown_part in row.shows
        }
        missing = next(
            (shown_part for shown_part in self.shows if shown_part not in shown_parts), ""
        )
        return describe_line(missing) if missing.startswith("[") else f'"{missing}"'

    def is_in(self, rows: "Iterable[Row]") -> bool:
        """Whether one of these rows shows all of this, whatever it shows besides.

        More may be shown of a thing that is ready than of one that was not yet.
        """
        required = set(self.shows)
        return any(row.things == self.things and required <= set(row.shows) for row in rows)


def skeleton(view: Observation, wording: Wording) -> Skeleton:
    """The skeleton of a page as it is in this attempt."""
    rows = _Rows(view, wording)
    lines = [_line("page", wording.text(view.title), *map(wording.text, view.dialogs))]
    lines += [element_line(e, wording) for e in view.elements if _stays(e) and not rows.has(e)]
    lines += [_text_line(t, wording) for t in view.texts if _is_compared(t) and not rows.has(t)]
    return Skeleton(
        tuple(lines),
        rows.about_things(),
        frozenset(_line(n.tone, wording.text(n.text)) for n in view.notices()),
        frozenset(_line(e.kind, wording.text(e.text)) for e in view.events if e.kind in _LASTING),
        wording.phrases(_words(view, wording, rows)),
    )


def describe_line(line: str, than: str = "") -> str:
    """A line for a sentence: its subject, and how it differs from the other line."""
    parts, others = json.loads(line), json.loads(than or "[]")
    subject = " ".join(
        f'"{part}"' if index else str(part) for index, part in enumerate(parts[:2]) if part
    )
    if parts[:2] != others[:2]:
        return subject
    differences = [part for part, other in zip_longest(parts, others) if part != other]
    return f"{subject} ({', '.join(json.dumps(part, ensure_ascii=False) for part in differences)})"


def element_line(
    e: Element, wording: Wording, ignored_states: frozenset[str] = _WINDOW_STATES
) -> str:
    """Everything about an element that a reader could see."""
    value = None if e.value is None else wording.value(_shown_value(e, wording))
    return _line(
        e.role,
        wording.text(e.name),
        wording.text(e.text),
        e.type,
        sorted(e.states - ignored_states),
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
    """The names of the attempt's own things that a row is about."""
    return () if row is None else tuple(sorted(set(wording.things(wording.text(row)))))


def _shown_value(e: Element, wording: Wording) -> str:
    """What a field holds; of what only the page can have put there, what the text speaks of.

    It may be a new key, which nobody keeps.
    """
    if e.type == "password" or not e.value:
        return ""
    return " ".join(sorted(wording.phrases([e.value]))) if "readonly" in e.states else e.value


def _stays(e: Element) -> bool:
    return e.region not in _FLOATING


def _is_compared(t: TextBlock) -> bool:
    return t.kind is not TextKind.NOTICE


def _text_line(t: TextBlock, wording: Wording) -> str:
    dialog = None if t.dialog is None else wording.text(t.dialog)
    return _line(t.kind.value, wording.text(t.text), t.level, t.tone, dialog)


def _line(*parts: object) -> str:
    return json.dumps(parts, ensure_ascii=False, separators=(",", ":"))


def _words(view: Observation, wording: Wording, rows: "_Rows") -> Iterator[str]:
    """Every text on the page except log entries about others."""
    yield from view.dialogs
    yield from (t.text for t in view.texts if not rows.is_log_of_others(t))
    for e in view.elements:
        if not rows.is_log_of_others(e):
            yield from (e.name, e.text, _shown_value(e, wording), *e.options)


class _Rows:
    """The rows of data on a page; rows of forms are filled in and do not count."""

    def __init__(self, view: Observation, wording: Wording) -> None:
        self._view, self._wording = view, wording
        fields = {e.row for e in view.elements if e.row and e.region == "form"}
        rows = {e.row for e in view.elements} | {t.row for t in view.texts}
        self._data = {row for row in rows - fields if row is not None}

    def has(self, part: Element | TextBlock) -> bool:
        """Whether it is in a row of data."""
        return part.row in self._data

    def about_things(self) -> tuple[Row, ...]:
        """Each distinct row about things of the attempt."""
        phrases = self._wording.phrases
        rows = [row for row in self._data if not self._is_dated(row) or phrases([row])]
        things_by_row = {row: things for row in rows if (things := row_of(row, self._wording))}
        rows_about = {
            Row(things, tuple(sorted(set(self._row_content(row)))), is_log=self._is_dated(row))
            for row, things in things_by_row.items()
        }
        return tuple(sorted(rows_about, key=lambda row: (row.things, row.shows, row.is_log)))

    def is_log_of_others(self, part: Element | TextBlock) -> bool:
        """Whether it is in a log entry that is about nothing of the attempt."""
        row = part.row
        return row in self._data and self._is_dated(row) and not row_of(row, self._wording)

    def _is_dated(self, row: str) -> bool:
        """Whether the row begins with a time: such a list is a log and grows all the time."""
        return is_time(row.split(" | ")[0])

    def _row_content(self, row: str) -> Iterator[str]:
        yield from self._wording.phrases([row])
        for e in self._view.elements:
            if e.row == row:
                yield element_line(e, self._wording, _TRANSIENT_STATES)

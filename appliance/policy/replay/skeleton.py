"""What of a page has to be as it was: every name, state, option, default and text, in order.

One line of JSON for each. Of rows of data only those count that are about things of the attempt,
and of these what the procedure speaks of and what can be used. What only says where the page is
scrolled to, or what floats over it for a moment, is left out.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest

from appliance.core.page import Element, Observation, TextBlock, TextKind
from appliance.policy.replay.wording import Wording, is_time

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

    def more_than(self, rows: "Iterable[Row]") -> str:
        """The first that none of these rows shows of the same things, for a sentence."""
        shown = {what for row in rows if row.things == self.things for what in row.shows}
        missing = next((what for what in self.shows if what not in shown), "")
        return describe_line(missing) if missing.startswith("[") else f'"{missing}"'

    def is_in(self, rows: "Iterable[Row]") -> bool:
        """Whether one of these rows shows all of this, whatever it shows besides.

        More may be shown of a thing that is ready than of one that was not yet.
        """
        wanted = set(self.shows)
        return any(row.things == self.things and wanted <= set(row.shows) for row in rows)


def skeleton(view: Observation, wording: Wording) -> Skeleton:
    """The skeleton of a page as it is in this attempt."""
    rows = _Rows(view, wording)
    lines = [_line("page", wording.text(view.title), *map(wording.text, view.dialogs))]
    lines += [element_line(e, wording) for e in view.elements if _stays(e) and not rows.has(e)]
    lines += [_text_line(t, wording) for t in view.texts if _is_told(t) and not rows.has(t)]
    return Skeleton(
        tuple(lines),
        rows.about_things(),
        frozenset(_line(n.tone, wording.text(n.text)) for n in view.notices()),
        frozenset(_line(e.kind, wording.text(e.text)) for e in view.events if e.kind in _LASTING),
        wording.phrases(_words(view, wording, rows)),
    )


def describe_line(line: str, than: str = "") -> str:
    """A line for a sentence: what it is about, and what is otherwise than in another line."""
    parts, others = json.loads(line), json.loads(than or "[]")
    about = " ".join(f'"{p}"' if n else str(p) for n, p in enumerate(parts[:2]) if p)
    if parts[:2] != others[:2]:
        return about
    more = [p for p, other in zip_longest(parts, others) if p != other]
    return f"{about} ({', '.join(json.dumps(p, ensure_ascii=False) for p in more)})"


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
    return " ".join(sorted(wording.phrases([e.value]))) if "readonly" in e.states else e.value


def _stays(e: Element) -> bool:
    return e.region not in _FLOATING


def _is_told(t: TextBlock) -> bool:
    return t.kind is not TextKind.NOTICE


def _text_line(t: TextBlock, wording: Wording) -> str:
    dialog = None if t.dialog is None else wording.text(t.dialog)
    return _line(t.kind.value, wording.text(t.text), t.level, t.tone, dialog)


def _line(*parts: object) -> str:
    return json.dumps(parts, ensure_ascii=False, separators=(",", ":"))


def _words(view: Observation, wording: Wording, rows: "_Rows") -> Iterator[str]:
    """Every text of a page, but for what a log says of others."""
    yield from view.dialogs
    yield from (t.text for t in view.texts if not rows.is_of_others(t))
    for e in view.elements:
        if not rows.is_of_others(e):
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

    def about_things(self) -> tuple[Row, ...]:
        """Each different row about things of the attempt."""
        phrases = self._wording.phrases
        rows = [row for row in self._data if not self._is_dated(row) or phrases([row])]
        about = {row: things for row in rows if (things := row_of(row, self._wording))}
        made = {Row(things, tuple(sorted(set(self._of(row))))) for row, things in about.items()}
        return tuple(sorted(made, key=lambda row: (row.things, row.shows)))

    def is_of_others(self, part: Element | TextBlock) -> bool:
        """Whether it is in a row of a log that is about nothing of the attempt."""
        row = part.row
        return row in self._data and self._is_dated(row) and not row_of(row, self._wording)

    def _is_dated(self, row: str) -> bool:
        """Whether it begins with a time: such a list grows with all that happens."""
        return is_time(row.split(" | ")[0])

    def _of(self, row: str) -> Iterator[str]:
        yield from self._wording.phrases([row])
        for e in self._view.elements:
            if e.row == row:
                yield element_line(e, self._wording, _SETTLING)

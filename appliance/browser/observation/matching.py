"""By what a person recognises a control again: what it says, where it stands, and in which row."""

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache

from appliance.core.page import Element, Fold
from appliance.language.values import UNITS_OF_TIME
from appliance.language.words import one_of

Key = tuple[object, ...]
Cells = tuple[str, ...]

# What ticks while nobody does anything: it tells nothing apart.
_TICKING = re.compile(
    r"\(\d+\)|\d+\s*(?:s|sec|seconds?|m|min|minutes?|h|hours?|days?)\s+ago|just now"
    rf"|\d+\s*(?:{one_of(UNITS_OF_TIME.zh)})前|刚刚"
    r"|\b\d{1,2}:\d{2}:\d{2}\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=8192)
def steady(text: str) -> str:
    """A text without its counts in brackets, its ages and its clocks."""
    return " ".join(_TICKING.sub("", text).split())


@lru_cache(maxsize=8192)
def cells_of(row: str) -> Cells:
    """The cells of a row's text that say something."""
    return tuple(filter(None, (steady(cell) for cell in row.split(" | "))))


def row_keys(elements: Iterable[Element], *, is_strict: bool = False) -> dict[int, Cells]:
    """The cells that tell an element's row from the others beside it, by index in `elements`.

    The first column mostly does; where several rows share it, the next ones are needed too. Of a
    row that stands alone nobody knows which cell is its name: `is_strict` takes all of them then.
    """
    tables: dict[Key, dict[int, str]] = defaultdict(dict)
    for index, element in enumerate(elements):
        if element.row is not None:
            table = (element.frame, element.dialog, element.section, element.group)
            tables[table][index] = element.row
    keys = {}
    for rows in tables.values():
        distinct = {cells_of(row) for row in rows.values()}
        width = None if is_strict and len(distinct) == 1 else _telling(distinct)
        keys.update({index: cells_of(row)[:width] for index, row in rows.items()})
    return keys


def _telling(rows: set[Cells]) -> int:
    """How many leading cells tell all of the rows apart."""
    longest = max((len(row) for row in rows), default=1)
    for width in range(1, longest):
        if len({row[:width] for row in rows}) == len(rows):
            return width
    return max(longest, 1)


def begins_row(key: Cells | None, row: str | None) -> bool:
    """Whether a row is the one that a key names."""
    if key is None or row is None:
        return key is None and row is None
    return cells_of(row)[: len(key)] == key


def is_same_row(one: Cells | None, other: Cells | None) -> bool:
    """Whether two row keys name one row, also when one of them needed more cells."""
    if one is None or other is None:
        return one is other
    shared = min(len(one), len(other))
    return one[:shared] == other[:shared]


def place_key(element: Element) -> Key:
    """Where a control stands, its row left out."""
    return (element.frame, element.dialog, element.column, element.group, steady(element.section))


def keys_of(elements: Iterable[Element]) -> list[Key]:
    """What each control would be recognised by, were it rendered anew."""
    listed = list(elements)
    rows = row_keys(listed)
    return [
        (e.role, steady(e.name), e.tag, rows.get(index), *place_key(e))
        for index, e in enumerate(listed)
    ]


def fold_key(fold: Fold) -> Key:
    """What a long table or list would be recognised by."""
    return (fold.kind, steady(fold.name), fold.columns, fold.dialog, fold.frame)

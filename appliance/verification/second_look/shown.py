"""Where a page shows something by its name: in a row, as a control, as a heading, in a field."""

import re
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urldefrag, urljoin

from appliance.core.page import Element, Observation, TextKind
from appliance.language.names import plain
from appliance.verification.guard.things import cells, rows_of, thing_of_row

ENTRIES = frozenset(("textbox", "combobox", "spinbutton"))
"""Roles of fields that hold what was typed."""
_LOWEST = 7
"""Level of a heading that has none."""
_PLACED = frozenset((TextKind.CELL, TextKind.HEADING, TextKind.TEXT))


class How(StrEnum):
    """What a page shows of a name, the surest first."""

    ROW = "row"  # a row is about it
    CONTROL = "control"  # a link or card is called so
    HEADING = "heading"  # the page is about it
    VALUE = "value"  # a cell, a text or a field has it


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A name on a page."""

    name: str
    how: How
    url: str
    """Of the page."""
    place: str
    """What the page is called."""
    target: str = ""
    """Where its link leads; empty: it has none."""
    row: str = ""


def shown_on(view: Observation, name: str) -> Shown | None:
    """Where the page shows exactly this name, in the surest way; None: it does not."""
    wanted = plain(name)
    rows = [row for row in sorted(rows_of(view)) if thing_of_row(view, row).is_called({wanted})]
    named = [
        e for e in view.elements if e.dialog is None and e.role not in ENTRIES and _bears(e, wanted)
    ]
    texts = {
        t.kind for t in view.texts if t.dialog is None and plain(t.text) == wanted
    } & _PLACED  # a notice only says so
    held = any(e.role in ENTRIES and plain(e.value or "") == wanted for e in view.elements)
    if rows:
        how = How.ROW
    elif named:
        how = How.CONTROL
    elif TextKind.HEADING in texts:
        how = How.HEADING
    elif texts or held or any(wanted in cells(row) for row in rows_of(view)):
        how = How.VALUE
    else:
        return None
    target = next((e.href for e in named if e.href), "")
    return Shown(
        name=name,
        how=how,
        url=view.url,
        place=place_of(view),
        target=urljoin(view.url, target) if target else "",
        row=rows[0] if rows else "",
    )


def _bears(e: Element, wanted: str) -> bool:
    """Whether it is called so; the link of a card goes on with what else the card says."""
    is_card = e.role == "link" and bool(_MADE_UP.search(wanted))
    begins = is_card and plain(e.name).startswith(f"{wanted} ")
    return begins or wanted in (plain(e.name), plain(e.text))


_MADE_UP = re.compile(r"\bdocs-?check-?\w*\d")
"""As attempts call what they make: no other name begins so."""


def place_of(view: Observation) -> str:
    """What a page is called, for a person who is to find it."""
    heads = [t for t in view.texts if t.kind is TextKind.HEADING and t.dialog is None and t.text]
    highest = min(heads, key=lambda t: t.level or _LOWEST, default=None)
    return highest.text if highest else view.title or view.url


def is_same_page(a: str, b: str) -> bool:
    """Whether two addresses are of one page, but for what their queries ask for."""
    return _page(a) == _page(b)


def _page(url: str) -> str:
    bare, part = urldefrag(url)
    route = part.partition("?")[0] if part.startswith(("/", "!")) else ""
    return f"{bare.partition('?')[0].rstrip('/')}#{route}"

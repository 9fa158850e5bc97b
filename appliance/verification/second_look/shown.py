"""Finds where a page shows a name: in a row, as a control, as a heading, in a field."""

import re
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urldefrag, urljoin

from appliance.core.page import Element, Observation, TextKind
from appliance.language.names import plain
from appliance.verification.guard.things import row_cells, rows_outside_dialogs, thing_of_row

ENTRIES = frozenset(("textbox", "combobox", "spinbutton"))
"""Roles of fields that hold what was typed."""
_NO_LEVEL = 7
"""Level of a heading that has none."""
_LASTING_TEXTS = frozenset((TextKind.CELL, TextKind.HEADING, TextKind.TEXT))


class How(StrEnum):
    """How a page shows a name, the most certain first."""

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
    """The most certain place where the page shows exactly this name; None if it does not."""
    plain_name = plain(name)
    rows = [
        row
        for row in sorted(rows_outside_dialogs(view))
        if thing_of_row(view, row).is_called({plain_name})
    ]
    controls = [
        e
        for e in view.elements
        if e.dialog is None and e.role not in ENTRIES and _is_named(e, plain_name)
    ]
    text_kinds = {
        t.kind for t in view.texts if t.dialog is None and plain(t.text) == plain_name
    } & _LASTING_TEXTS  # a notice only says so
    is_in_field = any(
        e.role in ENTRIES and plain(e.value or "") == plain_name for e in view.elements
    )
    if rows:
        how = How.ROW
    elif controls:
        how = How.CONTROL
    elif TextKind.HEADING in text_kinds:
        how = How.HEADING
    elif text_kinds or is_in_field or _is_mentioned(view, plain_name):
        how = How.VALUE
    else:
        return None
    target = next((e.href for e in controls if e.href), "") or _link_of(view, rows[:1])
    return Shown(
        name=name,
        how=how,
        url=view.url,
        place=page_name(view),
        target=urljoin(view.url, target) if target else "",
        row=rows[0] if rows else "",
    )


def _link_of(view: Observation, rows: list[str]) -> str:
    """Where the first cell of a row leads, as in lists whose numbers are the links."""
    links = (e for e in view.elements if e.role == "link" and e.href and e.row in rows)
    return next((e.href for e in links if plain(e.name) in row_cells(e.row or "")[:1]), "")


def _is_mentioned(view: Observation, name: str) -> bool:
    """Whether a cell is this name, or a text holds it, where no other thing can be called so.

    As in "Title: docs check c3f1 Author: …", where a cell describes a thing with a generated name.
    """
    rows = rows_outside_dialogs(view)
    if any(name in row_cells(row) for row in rows):
        return True
    lasting = (t.text for t in view.texts if t.dialog is None and t.kind in _LASTING_TEXTS)
    return bool(_GENERATED_NAME.search(name)) and any(
        name in plain(text) for text in (*rows, *lasting)
    )


def _is_named(e: Element, name: str) -> bool:
    """Whether the element has this name; a card's link may continue with the card's text."""
    is_card = e.role == "link" and bool(_GENERATED_NAME.search(name))
    is_card_title = is_card and plain(e.name).startswith(f"{name} ")
    return is_card_title or name in (plain(e.name), plain(e.text))


_GENERATED_NAME = re.compile(r"\bdocs-?check-?\w*\d")
"""Names that attempts generate for what they create."""


def page_name(view: Observation) -> str:
    """A name by which a person can find the page."""
    headings = [t for t in view.texts if t.kind is TextKind.HEADING and t.dialog is None and t.text]
    highest = min(headings, key=lambda t: t.level or _NO_LEVEL, default=None)
    return highest.text if highest else view.title or view.url


def is_same_page(a: str, b: str) -> bool:
    """Whether two addresses are of the same page, ignoring their queries."""
    return _page_key(a) == _page_key(b)


def _page_key(url: str) -> str:
    address, fragment = urldefrag(url)
    route = fragment.partition("?")[0] if fragment.startswith(("/", "!")) else ""
    return f"{address.partition('?')[0].rstrip('/')}#{route}"

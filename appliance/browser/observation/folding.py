"""Hints of what is not told: what lies out of the view, and rows that a long table keeps back."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from appliance.browser.observation.notation import Detail, clean, control
from appliance.core.page import Box, Element, Fold, FoldKind, TextBlock, TextKind

ABOVE, BELOW, INNER = "above", "below", "scrolled out"
NAME = 30  # characters of a name
SECTIONS = 8  # told of what is out of the view; the rest is counted


def is_seen(block: TextBlock, viewport: Box) -> bool:
    """Whether a text is in the view; all are where the view's size is not known."""
    if viewport.width <= 0 or viewport.height <= 0:
        return True
    box = block.box
    inset = min(box.height / 2, 20)  # as the observer decides it for controls
    return (
        box.y + inset < viewport.height and box.y + box.height - inset > 0
        and box.x < viewport.width and box.x + box.width > 0
    )  # fmt: skip


def fold_line(fold: Fold) -> str:
    """How much of a long table is in view, and by which number the rest is asked for."""
    about = " (the page shows a few at a time)" if fold.kind is FoldKind.VIRTUAL else ""
    return f".. rows {fold.first}-{fold.last} of {fold.total}; unfold {fold.id}{about}"


def fold_lines(folds: Iterable[Fold]) -> list[str]:
    """Long tables whose rows are not told."""
    descriptions = [
        f"{clean(fold.name, 40)}{': ' if fold.name else ''}{fold.total} rows, unfold {fold.id}"
        for fold in folds
    ]
    if not descriptions:
        return []
    more = [f"{len(descriptions) - SECTIONS} more"] if len(descriptions) > SECTIONS else []
    return [".. lists: " + "; ".join([*descriptions[:SECTIONS], *more])]


def beyond(
    elements: Iterable[Element], texts: Iterable[TextBlock], viewport: Box, detail: Detail
) -> list[str]:
    """A line for what is above, and one for what is below or hidden in scrolled parts."""
    sides: dict[str, dict[str, list[Element]]] = {}
    for text in texts:
        if text.kind is TextKind.HEADING:
            sides.setdefault(_side(text.box, viewport), {}).setdefault(text.text, [])
    for element in elements:
        parts = sides.setdefault(_side(element.box, viewport), {})
        parts.setdefault(element.section, []).append(element)
    return [_hint(side, sides[side], detail) for side in (ABOVE, BELOW, INNER) if side in sides]


def _side(box: Box, viewport: Box) -> str:
    if box.y + box.height <= 0:
        return ABOVE
    # The middle decides, as it does for the observer.
    return BELOW if box.y + min(box.height / 2, 20) >= viewport.height else INNER


def _hint(side: str, sections: dict[str, list[Element]], detail: Detail) -> str:
    descriptions = [
        _section(title, inside, detail) for title, inside in list(sections.items())[:SECTIONS]
    ]
    left = list(sections.values())[SECTIONS:]
    if left:
        count = sum(len(inside) for inside in left)
        descriptions.append(f"{len(left)} more sections, {count} controls")
    return f".. {side}: " + "; ".join(descriptions)


def _section(title: str, inside: Sequence[Element], detail: Detail) -> str:
    rows = list(dict.fromkeys(e.row for e in inside if e.row is not None))
    single = [e for e in inside if e.row is None]
    parts = []
    if rows:
        parts.append(f"{len(rows)} rows")
    first = list({e.name or e.role: e for e in reversed(single)}.values())[::-1][: detail.hints]
    parts += [_brief(element, detail) for element in first]
    if len(single) > len(first):
        parts.append(f"+{len(single) - len(first)}")
    contents = ", ".join(parts)
    if not title:
        return contents
    head = f"# {clean(title, 60)}"
    return f"{head}: {contents}" if contents else head


def _brief(element: Element, detail: Detail) -> str:
    """Its name, and by which number it can be acted upon, unless something is in the way."""
    if not detail.reach:
        return clean(element.name or element.role, NAME)
    bare = replace(element, text="", options=(), placeholder="", description="", error="")
    return control(bare, replace(detail, name=NAME))

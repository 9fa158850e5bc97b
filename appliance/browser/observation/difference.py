"""Describes how a page differs from an earlier observation of it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from appliance.browser.observation.folding import fold_line, is_seen
from appliance.browser.observation.notation import Detail, clean, control
from appliance.browser.observation.writing import body_lines, head_lines
from appliance.core.page import Element, Observation, TextBlock, TextKind

MAX_CHANGED_SHARE = 0.5  # share of what is in view from which on all of it is said again
NOTHING = "nothing changed since the last step"
MAX_REMOVED_TEXTS = 6  # of those that are told; the rest is counted
TextKey = tuple[TextKind, str, str | None, str | None, int]


@dataclass(frozen=True, slots=True)
class VisibleParts:
    """The elements and texts of a page that are in view."""

    elements: dict[int, Element]
    texts: tuple[TextBlock, ...]

    @property
    def size(self) -> int:
        """Number of elements and texts."""
        return len(self.elements) + len(self.texts)


def _visible_parts(observation: Observation, detail: Detail) -> VisibleParts:
    elements = {e.id: e for e in observation.elements if detail.whole or e.in_viewport}
    texts = (t for t in observation.texts if detail.whole or is_seen(t, observation.viewport))
    return VisibleParts(elements, tuple(texts))


def difference(current: Observation, earlier: Observation, detail: Detail) -> str | None:
    """The changes as lines; None if the page is another one or most of it changed."""
    if urlsplit(current.url).path != urlsplit(earlier.url).path:
        return None
    detail = replace(detail, sections=False)
    view, earlier_view = _visible_parts(current, detail), _visible_parts(earlier, detail)
    appeared, vanished = (
        _missing_from(view.texts, earlier_view.texts),
        _missing_from(earlier_view.texts, view.texts),
    )
    added = {number for number in view.elements if number not in earlier_view.elements}
    changed = _changed_controls(view, earlier_view, appeared, detail)
    hidden = {n for n in changed if _is_only_covered(view.elements[n], earlier_view.elements[n])}
    changed -= hidden
    removed = [e for number, e in earlier_view.elements.items() if number not in view.elements]
    difference_count = len(added) + len(changed) + len(removed) + len(appeared) + len(vanished)
    if difference_count > MAX_CHANGED_SHARE * max(view.size, earlier_view.size, 1):
        return None
    changed_rows = {_row(view.elements[number]) for number in changed} - {None}
    lines = [
        *_page_lines(current, earlier),
        *_removed_lines(
            removed, [t for t in vanished if not _is_replaced(t, changed, earlier_view)]
        ),
        *_coverage_lines([view.elements[number] for number in sorted(hidden)]),
        *_section(
            "~ changed:", current, view, changed, [t for t in view.texts if _row(t) in changed_rows]
        ),
        *_section(
            "+ new:", current, view, added, [t for t in appeared if _row(t) not in changed_rows]
        ),
    ]
    lines += [fold_line(f) for f in current.folds if f.first and f not in earlier.folds]
    news_lines = head_lines(replace(current, texts=tuple(appeared)))
    if not lines and not any(text.kind is TextKind.NOTICE for text in appeared):
        lines = [NOTHING]
    return "\n".join([*news_lines, *lines]) + "\n"


def _row(item: Element | TextBlock) -> tuple[int, str | None, str] | None:
    return None if item.row is None else (item.frame, item.dialog, item.row)


def _changed_controls(
    view: VisibleParts, earlier_view: VisibleParts, appeared: Sequence[TextBlock], detail: Detail
) -> set[int]:
    """Controls that are written differently, and all controls of rows with changed cells."""
    rows = {_row(text) for text in appeared} - {None}
    changed = set()
    for number, element in view.elements.items():
        earlier = earlier_view.elements.get(number)
        if earlier is None:
            continue
        is_rewritten = control(element, detail) != control(earlier, detail)
        if is_rewritten or _row(element) in rows or element.row != earlier.row:
            changed.add(number)
    return changed


def _is_only_covered(element: Element, earlier: Element) -> bool:
    """Whether the only difference is that something now covers the element, or no longer does."""
    return {"covered"} == element.states ^ earlier.states and element.row == earlier.row


def _coverage_lines(elements: Sequence[Element]) -> list[str]:
    lines = []
    for is_covered, word in ((True, "covered now"), (False, "no longer covered")):
        ids = [str(e.id) for e in elements if ("covered" in e.states) is is_covered]
        if ids:
            lines.append(f"~ {word}: {', '.join(ids)}")
    return lines


def _is_replaced(text: TextBlock, changed: set[int], earlier_view: VisibleParts) -> bool:
    """Whether the text was in a row that is written again."""
    row = _row(text)
    return row is not None and any(
        _row(earlier_view.elements[number]) == row
        for number in changed
        if number in earlier_view.elements
    )


def _text_key(text: TextBlock) -> TextKey:
    return text.kind, text.text, text.dialog, text.row, text.frame


def _missing_from(texts: Sequence[TextBlock], others: Sequence[TextBlock]) -> list[TextBlock]:
    """Texts that the others lack, or have less often."""
    remaining = Counter(_text_key(text) for text in others)
    missing = []
    for text in texts:
        if remaining[_text_key(text)] > 0:
            remaining[_text_key(text)] -= 1
        else:
            missing.append(text)
    return missing


def _page_lines(current: Observation, earlier: Observation) -> list[str]:
    lines = []
    if current.url != earlier.url:
        lines.append("~ the address is another")
    if current.title != earlier.title:
        lines.append("~ the title is another")
    opened = Counter(current.dialogs) - Counter(earlier.dialogs)
    closed = Counter(earlier.dialogs) - Counter(current.dialogs)
    lines += [f"+ dialog {clean(title)} opened" for title in opened]
    lines += [f"- dialog {clean(title)} closed" for title in closed]
    if earlier.is_busy and not current.is_busy:
        lines.append("~ no longer loading or changing")
    return lines


def _removed_lines(removed: Sequence[Element], vanished: Sequence[TextBlock]) -> list[str]:
    lines = []
    if removed:
        listed = "; ".join(f"{e.id} {clean(e.name or e.role, 40)}" for e in removed)
        lines.append(f"- gone: {listed}")
    names = {element.name for element in removed}
    texts = [clean(t.text, 60) for t in vanished if t.text not in names]
    if texts:
        omitted = len(texts) - MAX_REMOVED_TEXTS
        listed = " | ".join(texts[:MAX_REMOVED_TEXTS]) + (
            f" | {omitted} more" if omitted > 0 else ""
        )
        lines.append(f"- gone texts: {listed}")
    return lines


def _section(
    title: str,
    current: Observation,
    view: VisibleParts,
    numbers: set[int],
    texts: Sequence[TextBlock],
) -> list[str]:
    elements = tuple(e for number, e in view.elements.items() if number in numbers)
    part = replace(current, elements=elements, texts=tuple(texts), folds=())
    lines = body_lines(part, Detail(whole=True, sections=False))
    return [title, *lines] if lines else []

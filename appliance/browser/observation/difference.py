"""What is different from an earlier look at a page."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from appliance.browser.observation.folding import fold_line, is_seen
from appliance.browser.observation.notation import Detail, clean, control
from appliance.browser.observation.writing import body, head
from appliance.core.page import Element, Observation, TextBlock, TextKind

MOST = 0.5  # share of what is in view from which on all of it is said again
NOTHING = "nothing changed since the last step"
GONE_TEXTS = 6  # of those that are told; the rest is counted
TextKey = tuple[TextKind, str, str | None, str | None, int]


@dataclass(frozen=True, slots=True)
class View:
    """What of a page is in view."""

    elements: dict[int, Element]
    texts: tuple[TextBlock, ...]

    @property
    def size(self) -> int:
        """The number of its elements and texts."""
        return len(self.elements) + len(self.texts)


def _view(observation: Observation, detail: Detail) -> View:
    elements = {e.id: e for e in observation.elements if detail.whole or e.in_viewport}
    texts = (t for t in observation.texts if detail.whole or is_seen(t, observation.viewport))
    return View(elements, tuple(texts))


def difference(now: Observation, since: Observation, detail: Detail) -> str | None:
    """The changes as lines; None when the page is another one or most of it is different."""
    if urlsplit(now.url).path != urlsplit(since.url).path:
        return None
    detail = replace(detail, sections=False)
    view, before = _view(now, detail), _view(since, detail)
    appeared, vanished = _more(view.texts, before.texts), _more(before.texts, view.texts)
    new = {number for number in view.elements if number not in before.elements}
    changed = _changed_controls(view, before, appeared, detail)
    hidden = {n for n in changed if _is_only_covered(view.elements[n], before.elements[n])}
    changed -= hidden
    gone = [e for number, e in before.elements.items() if number not in view.elements]
    count = len(new) + len(changed) + len(gone) + len(appeared) + len(vanished)
    if count > MOST * max(view.size, before.size, 1):
        return None
    in_changed = {_row(view.elements[number]) for number in changed} - {None}
    lines = [
        *_around(now, since),
        *_gone_lines(gone, [t for t in vanished if not _is_replaced(t, changed, before)]),
        *_coverage_lines([view.elements[number] for number in sorted(hidden)]),
        *_part("~ changed:", now, view, changed, [t for t in view.texts if _row(t) in in_changed]),
        *_part("+ new:", now, view, new, [t for t in appeared if _row(t) not in in_changed]),
    ]
    lines += [fold_line(f) for f in now.folds if f.first and f not in since.folds]
    news = head(replace(now, texts=tuple(appeared)))
    if not lines and not any(text.kind is TextKind.NOTICE for text in appeared):
        lines = [NOTHING]
    return "\n".join([*news, *lines]) + "\n"


def _row(item: Element | TextBlock) -> tuple[int, str | None, str] | None:
    return None if item.row is None else (item.frame, item.dialog, item.row)


def _changed_controls(
    view: View, before: View, appeared: Sequence[TextBlock], detail: Detail
) -> set[int]:
    """Controls that are written otherwise, and all of a row whose cells are."""
    rows = {_row(text) for text in appeared} - {None}
    changed = set()
    for number, element in view.elements.items():
        earlier = before.elements.get(number)
        if earlier is None:
            continue
        is_other = control(element, detail) != control(earlier, detail)
        if is_other or _row(element) in rows or element.row != earlier.row:
            changed.add(number)
    return changed


def _is_only_covered(element: Element, earlier: Element) -> bool:
    """Whether something came over it, or went from over it, and nothing else is different."""
    return {"covered"} == element.states ^ earlier.states and element.row == earlier.row


def _coverage_lines(elements: Sequence[Element]) -> list[str]:
    lines = []
    for is_covered, word in ((True, "covered now"), (False, "no longer covered")):
        ids = [str(e.id) for e in elements if ("covered" in e.states) is is_covered]
        if ids:
            lines.append(f"~ {word}: {', '.join(ids)}")
    return lines


def _is_replaced(text: TextBlock, changed: set[int], before: View) -> bool:
    """Whether it stood in a row that is told anew."""
    row = _row(text)
    return row is not None and any(
        _row(before.elements[number]) == row for number in changed if number in before.elements
    )


def _text_key(text: TextBlock) -> TextKey:
    return text.kind, text.text, text.dialog, text.row, text.frame


def _more(texts: Sequence[TextBlock], than: Sequence[TextBlock]) -> list[TextBlock]:
    """Texts that the others do not have, or have less often."""
    left = Counter(_text_key(text) for text in than)
    more = []
    for text in texts:
        if left[_text_key(text)] > 0:
            left[_text_key(text)] -= 1
        else:
            more.append(text)
    return more


def _around(now: Observation, since: Observation) -> list[str]:
    lines = []
    if now.url != since.url:
        lines.append("~ the address is another")
    if now.title != since.title:
        lines.append("~ the title is another")
    opened = Counter(now.dialogs) - Counter(since.dialogs)
    closed = Counter(since.dialogs) - Counter(now.dialogs)
    lines += [f"+ dialog {clean(title)} opened" for title in opened]
    lines += [f"- dialog {clean(title)} closed" for title in closed]
    if since.is_busy and not now.is_busy:
        lines.append("~ no longer loading or changing")
    return lines


def _gone_lines(gone: Sequence[Element], vanished: Sequence[TextBlock]) -> list[str]:
    lines = []
    if gone:
        names_of_gone = "; ".join(f"{e.id} {clean(e.name or e.role, 40)}" for e in gone)
        lines.append(f"- gone: {names_of_gone}")
    names = {element.name for element in gone}
    texts = [clean(t.text, 60) for t in vanished if t.text not in names]
    if texts:
        more = len(texts) - GONE_TEXTS
        names_of_gone = " | ".join(texts[:GONE_TEXTS]) + (f" | {more} more" if more > 0 else "")
        lines.append(f"- gone texts: {names_of_gone}")
    return lines


def _part(
    title: str, now: Observation, view: View, numbers: set[int], texts: Sequence[TextBlock]
) -> list[str]:
    elements = tuple(e for number, e in view.elements.items() if number in numbers)
    part = replace(now, elements=elements, texts=tuple(texts), folds=())
    lines = body(part, Detail(whole=True, sections=False))
    return [title, *lines] if lines else []

"""Writes a page as lines: dialogs and frames, headings, texts, controls, tables, hints."""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace

from appliance.browser.observation.arranging import arrange
from appliance.browser.observation.folding import beyond, is_seen
from appliance.browser.observation.notation import (
    Detail,
    address,
    clean,
    is_usable,
    line_of,
)
from appliance.browser.observation.writer import Writer
from appliance.core.page import Element, Fold, Observation, TextBlock, TextKind

MAX_IDLE = 60  # controls that cannot be used, and texts, told of one dialog or frame
MAX_TEXTS = 500


def page_text(observation: Observation, detail: Detail) -> str:
    """The observation as text, line by line."""
    return "\n".join([*head_lines(observation), *body_lines(observation, detail)]) + "\n"


def body_lines(observation: Observation, detail: Detail) -> list[str]:
    """The lines for everything on the page, its dialogs and frames."""
    page = _page(observation)
    for cached_page, cached_detail, lines in _recent_pages:
        # What an observation shares with the one before it is the very same: this is quick.
        if cached_detail == detail and cached_page == page:
            return list(lines)
    lines = [
        line
        for frame, dialog in _places(observation)
        for line in _block_lines(observation, frame, dialog, detail)
    ]
    _recent_pages.append((page, detail, lines))
    return list(lines)


def _page(observation: Observation) -> tuple[object, ...]:
    """Everything that the lines are made of, to recognise an unchanged page."""
    return (
        observation.elements, observation.texts, observation.folds, observation.dialogs,
        observation.viewport,
    )  # fmt: skip


# What was written last: pages are told again and again, to models and in differences.
_recent_pages: deque[tuple[tuple[object, ...], Detail, list[str]]] = deque(maxlen=4)


def head_lines(observation: Observation) -> list[str]:
    """Title and address, events, and notices of the page."""
    title = line_of(clean(observation.title, 80)) or "(untitled)"
    lines = [f"{title} {address(observation.url)}"]
    if observation.is_busy:
        lines.append("* still loading or changing")
    url = observation.url
    events = dict.fromkeys((e.kind, e.text_on(url)) for e in observation.events if e.text != url)
    lines += [f"* {clean(kind)}: {clean(text)}" for kind, text in events]
    notices = observation.notices()
    if not notices:
        return lines
    shown_errors = {element.error for element in observation.elements if element.in_viewport}
    tones = dict.fromkeys((n.tone, n.text) for n in notices if n.text not in shown_errors)
    return lines + [f"! {clean(tone)}{': ' if tone else ''}{clean(text)}" for tone, text in tones]


def _places(observation: Observation) -> list[tuple[int, str | None]]:
    items: Iterable[Element | TextBlock | Fold] = (
        *observation.elements,
        *observation.texts,
        *observation.folds,
    )
    places = dict.fromkeys((item.frame, item.dialog) for item in items)
    # The page itself first; dialogs in the order in which they opened.
    order = [None, *observation.dialogs]
    order_of = {dialog: position for position, dialog in enumerate(order)}
    return sorted(places, key=lambda p: (order_of.get(p[1], len(order)), p[0]))


def _block_lines(
    observation: Observation, frame: int, dialog: str | None, detail: Detail
) -> list[str]:
    """The lines of one dialog or frame."""
    elements = [e for e in observation.elements if (e.frame, e.dialog) == (frame, dialog)]
    texts = [
        t for t in observation.texts
        if (t.frame, t.dialog) == (frame, dialog) and t.kind not in SHOWN_ELSEWHERE
    ]  # fmt: skip
    viewport = observation.viewport
    elements_in_view = [e for e in elements if detail.whole or e.in_viewport]
    texts_in_view = [
        t
        for t in texts
        if detail.whole or is_seen(t, viewport) or _heads_column(t, elements_in_view)
    ]
    crowd_lines: list[str] = []
    if not detail.whole:
        elements_in_view, texts_in_view, crowd_lines = _limit_crowds(
            elements_in_view, texts_in_view
        )
    headings = {t.text for t in texts_in_view if t.kind is TextKind.HEADING}
    folds = [f for f in observation.folds if (f.frame, f.dialog) == (frame, dialog)]
    if observation.dialogs and not elements_in_view and not texts_in_view:
        folds = []  # behind a dialog
    writer = Writer(detail, headings, {fold.id: fold for fold in folds})
    writer.write(arrange(elements_in_view, texts_in_view))
    lines = writer.lines + crowd_lines
    if not detail.whole:
        hidden = [e for e in elements if not e.in_viewport]
        unread = [t for t in texts if not is_seen(t, viewport)]
        folded = {fold.id for fold in folds}
        is_behind = bool(observation.dialogs) and dialog != observation.dialogs[-1]
        reach_detail = replace(detail, reach=not is_behind)
        lines += beyond([e for e in hidden if e.fold not in folded], unread, viewport, reach_detail)
    return _with_title(lines, frame, dialog)


def _limit_crowds(
    elements: list[Element], texts: list[TextBlock]
) -> tuple[list[Element], list[TextBlock], list[str]]:
    """Drop the excess of unusable controls and of texts, and say how many were dropped."""
    excess_idle = [e for e in elements if not is_usable(e)][MAX_IDLE:]
    excess_texts = [t for t in texts if t.kind is not TextKind.HEADING][MAX_TEXTS:]
    if not excess_idle and not excess_texts:
        return elements, texts, []
    dropped_ids = {id(item) for item in (*excess_idle, *excess_texts)}
    counts = [f"{len(excess_idle)} controls that cannot be used now"] if excess_idle else []
    counts += [f"{len(excess_texts)} texts"] if excess_texts else []
    kept_elements = [e for e in elements if id(e) not in dropped_ids]
    return (
        kept_elements,
        [t for t in texts if id(t) not in dropped_ids],
        [".. more: " + ", ".join(counts)],
    )


SHOWN_ELSEWHERE = frozenset({TextKind.NOTICE, TextKind.DIALOG_TITLE})


def _heads_column(text: TextBlock, elements: Sequence[Element]) -> bool:
    """Whether the text is the header of a column with cells in view."""
    return text.kind is TextKind.COLUMN_HEADER and any(e.column == text.text for e in elements)


def _with_title(lines: list[str], frame: int, dialog: str | None) -> list[str]:
    title = "" if dialog is None else f"dialog {clean(dialog)}".strip()
    if frame:
        title = f"{title} frame {frame}".strip()
    return [f"== {title}", *lines] if title and lines else lines

"""Describes a page within a number of tokens, and says what was left out."""

from collections.abc import Sequence
from dataclasses import replace

from appliance.browser.observation.folding import is_seen
from appliance.browser.observation.notation import Detail, is_usable
from appliance.browser.observation.writing import page_text
from appliance.core.page import Element, Observation, TextBlock, TextKind
from appliance.core.tokens import estimate_tokens

ASIDE = frozenset({"navigation", "banner", "contentinfo", "complementary"})
LEVELS = (
    Detail(),
    Detail(text=80, hints=1),
    Detail(text=0, cell=40, hints=1),
    Detail(text=0, cell=0, hints=1),
    Detail(text=0, cell=0, description=0, hints=0),
    Detail(text=0, cell=0, description=0, options=0, hints=0, name=40),
)


def fit_to_budget(observation: Observation, budget: int, *, whole: bool = False) -> str:
    """The most detailed description of the page that fits into the budget."""
    for level in LEVELS:
        detail = replace(level, whole=whole)
        text = page_text(observation, detail) + _omission_note(observation, detail, 0)
        if estimate_tokens(text) <= budget:
            return text
    return _without_distant_controls(observation, budget, detail)


def _without_distant_controls(observation: Observation, budget: int, detail: Detail) -> str:
    """Leave out the controls that are farthest from where things happen."""
    by_nearness = _by_nearness(observation, detail)
    low, high, best = 0, len(by_nearness), ""
    min_step = len(by_nearness) // 32  # to come closer would cost more than it tells
    while low <= high and (not best or high - low >= min_step):
        count = (low + high) // 2
        left_out = {element.id for element in by_nearness[count:]}
        kept_elements = tuple(e for e in observation.elements if e.id not in left_out)
        note = _omission_note(observation, detail, len(left_out))
        text = page_text(replace(observation, elements=kept_elements), detail) + note
        if estimate_tokens(text) <= budget:
            low, best = count + 1, text
        else:
            high = count - 1
    return best or _first_lines(observation, budget, detail, by_nearness)


def _first_lines(
    observation: Observation, budget: int, detail: Detail, controls: Sequence[Element]
) -> str:
    """The first lines, and how much is missing, if not even the texts fit."""
    texts_only = replace(observation, elements=(), folds=())
    lines = page_text(texts_only, detail).splitlines(keepends=True)
    note = _omission_note(observation, detail, len(controls))
    while lines and estimate_tokens("".join(lines) + note) > budget:
        lines.pop()
    text = "".join(lines) + note
    return text if estimate_tokens(text) <= budget else ""


def _by_nearness(observation: Observation, detail: Detail) -> list[Element]:
    """The listed controls: the innermost dialog's first, then the main part's, from the top."""
    inner = observation.dialogs[-1] if observation.dialogs else None

    def rank(element: Element) -> tuple[bool, bool, bool, float]:
        in_focus = element.dialog == inner
        return (
            not in_focus, element.region in ASIDE, not is_usable(element), abs(element.box.y)
        )  # fmt: skip

    elements = (e for e in observation.elements if detail.whole or e.in_viewport)
    return sorted(elements, key=rank)


def _omission_note(observation: Observation, detail: Detail, controls: int) -> str:
    """A line that counts what the text leaves out."""
    full_detail = LEVELS[0]
    view = observation.viewport
    visible_texts = [t for t in observation.texts if detail.whole or is_seen(t, view)]
    parts = [
        _omitted_count(
            visible_texts, {TextKind.TEXT, TextKind.LABEL}, "texts", is_left_out=not detail.text
        ),
        _omitted_count(visible_texts, {TextKind.CELL}, "cells", is_left_out=not detail.cell),
        "" if detail.description else "descriptions",
        "" if detail.options else "options",
        f"{controls} controls" if controls else "",
        "ends of long texts" if 0 < detail.text < full_detail.text else "",
    ]
    counts = ", ".join(part for part in parts if part)
    return f".. left out to save space: {counts}\n" if counts else ""


def _omitted_count(
    visible_texts: Sequence[TextBlock], kinds: set[TextKind], word: str, *, is_left_out: bool
) -> str:
    count = sum(text.kind in kinds for text in visible_texts) if is_left_out else 0
    return f"{count} {word}" if count else ""

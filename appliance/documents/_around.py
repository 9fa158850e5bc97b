"""The prose around the steps of a procedure: introductions, notes, captions."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from appliance.core.procedure import Sentence, Step
from appliance.core.source import Span
from appliance.documents._blocks import Block, FigureBlock, Heading, paragraphs
from appliance.documents._limits import TooMuch
from appliance.documents._sentences import sentences
from appliance.documents._source import Source
from appliance.documents._text import RichText

Prose: TypeAlias = RichText | FigureBlock
"""A paragraph, or a figure with its caption."""


class Surroundings(NamedTuple):
    """Sentences before and after the first step of a procedure."""

    before: tuple[Sentence, ...]
    behind: tuple[Sentence, ...]


def prose_in(blocks: Iterable[Block]) -> Iterator[tuple[int, Prose]]:
    """All prose in blocks except headings, with the offset at which each block starts."""
    for block in blocks:
        if isinstance(block, FigureBlock):
            yield block.start, block
        elif not isinstance(block, Heading):
            for text in paragraphs((block,)):
                yield block.start, text


def surroundings(
    prose: Iterable[Prose], steps: Sequence[Step], already_read: Iterable[Sentence], source: Source
) -> Surroundings:
    """The sentences outside the steps.

    Args:
        prose: The prose of a section, inside and around the steps.
        steps: Its steps.
        already_read: Its prerequisites and results.
        source: The document.
    """
    spans_already_read = {sentence.span for sentence in already_read}
    step_spans = _StepSpans(steps)
    outside_steps = [
        sentence
        for part in prose
        if not step_spans.has(source.span(part.start, part.end))  # else a step has read it
        for sentence in _sentences(part, source)
        if sentence.span not in spans_already_read and not step_spans.has(sentence.span)
    ]
    outside_steps.sort(key=lambda sentence: _place(sentence.span))
    behind = next(
        (n for n, s in enumerate(outside_steps) if _place(s.span) >= step_spans.first),
        len(outside_steps),
    )
    return Surroundings(tuple(outside_steps[:behind]), tuple(outside_steps[behind:]))


def _sentences(part: Prose, source: Source) -> tuple[Sentence, ...]:
    if isinstance(part, FigureBlock):
        span = source.span(part.start, part.end)
        return (Sentence(text=part.caption, span=span),) if part.caption else ()
    try:
        return sentences(part, source)
    except TooMuch:
        return ()  # nobody has to read it to follow a procedure


class _StepSpans:
    """The spans of steps, which do not overlap."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._spans = sorted((step.span for step in steps), key=_place)
        self._starts = [_place(span) for span in self._spans]
        self.first = self._starts[0] if self._starts else (0, 0)

    def has(self, span: Span) -> bool:
        """Whether a span lies within a step."""
        before = bisect_right(self._starts, _place(span))
        return before > 0 and _end(span) <= _end(self._spans[before - 1])


def _place(span: Span) -> tuple[int, int]:
    return span.line, span.column


def _end(span: Span) -> tuple[int, int]:
    return span.end_line, span.end_column

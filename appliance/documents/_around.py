"""What a document says around the steps of a procedure: introductions, notes, captions."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from appliance.core.procedure import Sentence, Step
from appliance.documents._blocks import Block, FigureBlock, Heading, paragraphs
from appliance.documents._limits import TooMuch
from appliance.documents._sentences import sentences
from appliance.documents._source import Source


class ProseAt(NamedTuple):
    """The sentences of a paragraph or caption."""

    start: int
    sentences: tuple[Sentence, ...]


class Surroundings(NamedTuple):
    """What is said around the steps."""

    before: tuple[Sentence, ...]
    behind: tuple[Sentence, ...]


def prose_in(blocks: Iterable[Block], source: Source) -> Iterator[ProseAt]:
    """All that blocks say, headings left out."""
    for block in blocks:
        if isinstance(block, FigureBlock):
            span = source.span(block.start, block.end)
            caption = (Sentence(text=block.caption, span=span),) if block.caption else ()
            yield ProseAt(block.start, caption)
        elif not isinstance(block, Heading):
            for text in paragraphs((block,)):
                with suppress(TooMuch):  # nobody has to read it to follow a procedure
                    yield ProseAt(block.start, sentences(text, source))


def surroundings(
    prose: Iterable[Sentence], steps: Sequence[Step], known: Iterable[Sentence]
) -> Surroundings:
    """What is said outside of the steps.

    Args:
        prose: All sentences around a procedure, and in it, in the order of the text.
        steps: Its steps.
        known: Its prerequisites and results.
    """
    known_spans = {sentence.span for sentence in known}
    rest = [
        sentence
        for sentence in sorted(prose, key=_place)
        if sentence.span not in known_spans and not any(_holds(step, sentence) for step in steps)
    ]
    first = min(map(_place, steps), default=(0, 0))
    before = [sentence for sentence in rest if _place(sentence) < first]
    return Surroundings(tuple(before), tuple(rest[len(before) :]))


def _place(part: Sentence | Step) -> tuple[int, int]:
    return part.span.line, part.span.column


def _holds(step: Step, sentence: Sentence) -> bool:
    """Whether the step has it, in whatever part."""
    ends = (sentence.span.end_line, sentence.span.end_column)
    return _place(step) <= _place(sentence) and ends <= (step.span.end_line, step.span.end_column)

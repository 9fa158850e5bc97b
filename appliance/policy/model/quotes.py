"""Where the words that a model quotes stand in the procedure's source."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from appliance.core.procedure import Field, Inline, Note, Procedure, Sentence, Step
from appliance.core.source import Span
from appliance.language.names import plain
from appliance.policy.literal import span_of

_MARKUP = re.compile(r"\*\*|[`“”\"「」]|(?<!\w)\*|\*(?!\w)")


class QuoteLocation(NamedTuple):
    """Words of the text, and where they stand."""

    span: Span
    quote: str
    is_found: bool
    """Whether the text has them at all; else it is the step's own place."""


def locate_quote(procedure: Procedure, step: Step, quote: str) -> QuoteLocation:
    """The marked stretch that is these words, else the sentence that has them; the step's first."""
    said = _MARKUP.sub("", quote).strip()
    if not said:
        first = next(iter(_sentences(step)), None)
        return QuoteLocation(
            first.span if first else step.span, first.text if first else step.text, True
        )
    others = [s for s in procedure.walk() if s is not step]
    around = (
        *procedure.introduction, *procedure.prerequisites, *procedure.results, *procedure.remarks,
    )  # fmt: skip
    for sentences, inlines in (
        (list(_sentences(step)), list(inlines_of(step))),
        ([s for o in others for s in _sentences(o)], [i for o in others for i in inlines_of(o)]),
        (list(around), [i for s in around for i in s.inlines]),
    ):
        if place := _marked(inlines, said) or _within(sentences, said):
            return place
    return QuoteLocation(step.span, said, False)


def _marked(inlines: Iterable[Inline], said: str) -> QuoteLocation | None:
    wanted = plain(said)
    for inline in inlines:
        if plain(inline.text) == wanted:
            return QuoteLocation(inline.span, inline.text, True)
        for part in inline.parts:
            if plain(part) == wanted:
                return QuoteLocation(inline.span, part, True)
    return None


def _within(sentences: Iterable[Sentence], said: str) -> QuoteLocation | None:
    words = " ".join(said.split())
    for sentence in sentences:
        at = sentence.text.casefold().find(words.casefold())
        if at >= 0 and len(sentence.text.casefold()) == len(sentence.text):
            end = at + len(words)
            return QuoteLocation(span_of(sentence, at, end), sentence.text[at:end], True)
    return None


def _sentences(step: Step) -> Iterator[Sentence]:
    for part in step.body:
        if isinstance(part, Sentence):
            yield part
        elif isinstance(part, Field):
            yield from _described(part)
        elif isinstance(part, Note):
            yield from part.sentences


def _described(field: Field) -> Iterator[Sentence]:
    yield from field.description
    for option in field.options:
        yield from _described(option)


def inlines_of(step: Step) -> Iterator[Inline]:
    """Everything that is marked in a step itself, its fields included."""
    for part in step.body:
        if isinstance(part, Field):
            yield from _labels(part)
    for sentence in _sentences(step):
        yield from sentence.inlines


def _labels(field: Field) -> Iterator[Inline]:
    yield from field.labels
    for option in field.options:
        yield from _labels(option)

"""Locates the words that a model quotes in the procedure's source."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from appliance.core.procedure import Field, Inline, Note, Procedure, Sentence, Step
from appliance.core.source import Span
from appliance.language.names import plain
from appliance.policy.literal import span_of

_MARKUP = re.compile(r"\*\*|[`“”\"「」]|(?<!\w)\*|\*(?!\w)")


class QuoteLocation(NamedTuple):
    """A quote and its location in the source."""

    span: Span
    quote: str
    is_found: bool
    """Whether the text has them at all; else it is the step's own place."""


def locate_quote(procedure: Procedure, step: Step, quote: str) -> QuoteLocation:
    """The marked text that equals the quote, else a sentence containing it, else the step."""
    words = _MARKUP.sub("", quote).strip()
    if not words:
        first_sentence = next(iter(_sentences(step)), None)
        return QuoteLocation(
            first_sentence.span if first_sentence else step.span,
            first_sentence.text if first_sentence else step.text,
            True,
        )
    other_steps = [s for s in procedure.walk() if s is not step]
    surrounding = (
        *procedure.introduction, *procedure.prerequisites, *procedure.results, *procedure.remarks,
    )  # fmt: skip
    for sentences, inlines in (
        (list(_sentences(step)), list(inlines_of(step))),
        (
            [s for o in other_steps for s in _sentences(o)],
            [i for o in other_steps for i in inlines_of(o)],
        ),
        (list(surrounding), [i for s in surrounding for i in s.inlines]),
    ):
        if location := _locate_marked(inlines, words) or _locate_in_sentences(sentences, words):
            return location
    return QuoteLocation(step.span, words, False)


def _locate_marked(inlines: Iterable[Inline], words: str) -> QuoteLocation | None:
    normalised = plain(words)
    for inline in inlines:
        if plain(inline.text) == normalised:
            return QuoteLocation(inline.span, inline.text, True)
        for part in inline.parts:
            if plain(part) == normalised:
                return QuoteLocation(inline.span, part, True)
    return None


def _locate_in_sentences(sentences: Iterable[Sentence], quote: str) -> QuoteLocation | None:
    words = " ".join(quote.split())
    for sentence in sentences:
        start = sentence.text.casefold().find(words.casefold())
        if start >= 0 and len(sentence.text.casefold()) == len(sentence.text):
            end = start + len(words)
            return QuoteLocation(span_of(sentence, start, end), sentence.text[start:end], True)
    return None


def _sentences(step: Step) -> Iterator[Sentence]:
    for part in step.body:
        if isinstance(part, Sentence):
            yield part
        elif isinstance(part, Field):
            yield from _field_sentences(part)
        elif isinstance(part, Note):
            yield from part.sentences


def _field_sentences(field: Field) -> Iterator[Sentence]:
    yield from field.description
    for option in field.options:
        yield from _field_sentences(option)


def inlines_of(step: Step) -> Iterator[Inline]:
    """Everything that is marked in a step itself, its fields included."""
    for part in step.body:
        if isinstance(part, Field):
            yield from _field_labels(part)
    for sentence in _sentences(step):
        yield from sentence.inlines


def _field_labels(field: Field) -> Iterator[Inline]:
    yield from field.labels
    for option in field.options:
        yield from _field_labels(option)

"""What of a document is looked at: labels, paths and options, and what nobody will understand."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from pydantic import TypeAdapter

from appliance.core.claims import ClaimKind, StatedClaim
from appliance.core.procedure import Document, Field, LeftOutReason, Procedure, Sentence, Step
from appliance.core.source import Span
from appliance.documents import CacheFile
from appliance.language.names import is_own_name
from appliance.policy.literal import IntentKind, read_procedure, stated_claims

_NAMES = frozenset(
    {
        *(ClaimKind.CONTROL, ClaimKind.MENU_PATH, ClaimKind.FIELD, ClaimKind.OPTION),
        *(ClaimKind.PLACE, ClaimKind.TITLE, ClaimKind.VALUE),
    }
)


@dataclass(frozen=True, slots=True)
class Unclear:
    """An instruction that a reader without a model does not understand."""

    text: str
    span: Span
    step: str


@dataclass(frozen=True, slots=True)
class LintedProcedure:
    """A procedure, as far as it is looked at."""

    id: str
    language: str
    named: tuple[StatedClaim, ...]
    """Labels that the console is said to have."""
    unclear: tuple[Unclear, ...]


@dataclass(frozen=True, slots=True)
class LintedPage:
    """A document, as far as it is looked at."""

    procedures: tuple[LintedProcedure, ...]
    problems: tuple[str, ...]
    left_out: tuple[LeftOutReason, ...] = ()
    """Why sections with instructions are no procedures in a console, one for each."""


PAGES = CacheFile("lint-cache.sqlite", TypeAdapter(LintedPage), ("policy", "lint"))


def page_of(document: Document) -> LintedPage:
    """Of a document that was read."""
    return LintedPage(
        tuple(map(_procedure, document.procedures)),
        document.problems,
        tuple(section.reason for section in document.left_out),
    )


def _procedure(procedure: Procedure) -> LintedProcedure:
    claims = stated_claims(procedure)
    labels = set(_labels(procedure))
    return LintedProcedure(
        procedure.id,
        procedure.language,
        tuple(
            claim
            for claim in claims
            if claim.kind in _NAMES and claim.span in labels and not is_own_name(claim.text)
        ),
        _unclear(procedure, claims),
    )


def _unclear(procedure: Procedure, claims: Collection[StatedClaim]) -> tuple[Unclear, ...]:
    if all(c.is_read or c.kind is not ClaimKind.INSTRUCTION for c in claims):
        return ()  # most are understood, and reading takes its time
    return tuple(
        Unclear(intent.sentence.text, intent.sentence.span, intent.step)
        for intent in read_procedure(procedure)
        if intent.kind is IntentKind.UNCLEAR
    )


def _labels(procedure: Procedure) -> Iterator[Span]:
    """Where marked words stand: a claim without any has its whole sentence as its text."""
    for step in procedure.steps:
        yield from _in_step(step)
    for sentence in procedure.results:
        yield from (label.span for label in sentence.labels())


def _in_step(step: Step) -> Iterator[Span]:
    for part in step.body:
        match part:
            case Sentence():
                yield from (label.span for label in part.labels())
            case Field():
                yield from _in_field(part)
            case Step():
                yield from _in_step(part)
            case _:
                pass


def _in_field(field: Field) -> Iterator[Span]:
    yield from (label.span for label in field.labels)
    for sentence in field.description:
        yield from (label.span for label in sentence.labels())
    for option in field.options:
        yield from _in_field(option)

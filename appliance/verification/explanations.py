"""What a choice is for, by the text, and by the console's own help beside it.

Texts and consoles explain the same thing in different words, so that other words contradict
nothing. What the console says of another choice, in its very words, is not said of this one; nor is
another figure in the same unit.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from appliance.core.page import Element
from appliance.core.procedure import Document, Field, Procedure, Sentence, Step, prose_of
from appliance.core.result import Evidence, Finding
from appliance.core.verdict import Basis, DivergenceKind, EvidenceKind, Severity
from appliance.language.names import key, plain, words
from appliance.policy.base import Divergence
from appliance.verification.case import JudgedAttempt
from appliance.verification.findings import make_finding
from appliance.verification.quantities import differ

_TELLING = 4
"""Words, or pairs of Chinese characters: fewer may be said of anything."""
_ROLES = frozenset({"radio", "checkbox", "option", "switch", "menuitemradio"})


class _Said(NamedTuple):
    """A sentence that explains something."""

    of: str
    """What the console calls it."""
    sentence: Sentence


class _Help(NamedTuple):
    """What the console says of a choice."""

    name: str
    text: str


_Siblings = tuple[str | None, str, str, str]
"""What the choices of one field have in common."""
Choices = Mapping[_Siblings, Mapping[str, _Help]]


def explanation_findings(
    document: Document, procedure: Procedure, attempts: Sequence[JudgedAttempt]
) -> Iterator[Finding]:
    """Where the text says of one choice what the console says of another, in every attempt.

    Args:
        document: For the words in the source.
        procedure: Whose sentences are meant.
        attempts: All that ended by themselves.
    """
    seen = [_choices(attempt) for attempt in attempts]
    if not all(seen):
        return
    for said in _explanations(procedure):
        told = [_contrary(said, choices) for choices in seen]
        if told[-1] is not None and all(told):
            yield _finding(document, procedure, attempts, said, told[-1])


def _choices(attempt: JudgedAttempt) -> Choices:
    """The choices with help beside them, field by field."""
    found: dict[_Siblings, dict[str, _Help]] = {}
    for turn in attempt.trajectory.turns:
        for e in turn.view.elements:
            if e.role in _ROLES and e.description and e.name:
                found.setdefault(_siblings(e), {})[key(e.name)] = _Help(e.name, e.description)
    return found


def _siblings(e: Element) -> _Siblings:
    return e.dialog, e.role, e.section, e.group


def _contrary(said: _Said, choices: Choices) -> _Help | None:
    """What the console says of the thing, where the text says something else of it."""
    for siblings in choices.values():
        own = siblings.get(key(said.of))
        if own is None or _repeats(said.sentence.text, own.text):
            continue
        if differ(said.sentence.text, own.text):
            return own
        others = (one for one in siblings.values() if plain(one.text) != plain(own.text))
        if any(_repeats(said.sentence.text, other.text) for other in others):
            return own
    return None


def _repeats(sentence: str, text: str) -> bool:
    """Whether the sentence has all words of the text."""
    wanted = words(text)
    return len(wanted) >= _TELLING and wanted <= words(sentence)


def _explanations(procedure: Procedure) -> Iterator[_Said]:
    """Sentences that speak of one thing: by its name, or right behind one that does."""
    yield from _named(prose_of(procedure))
    for step in procedure.walk():
        yield from _in_fields(step)


def _named(sentences: Iterable[Sentence]) -> Iterator[_Said]:
    last = ""
    for sentence in sentences:
        labels = sentence.labels()
        if labels:
            last = labels[-1].text
        if last and len(labels) <= 1:
            yield _Said(last, sentence)


def _in_fields(step: Step) -> Iterator[_Said]:
    todo = list(step.fields)
    while todo:
        field: Field = todo.pop()
        todo += field.options
        yield from _named(field.description)
        for sentence in field.description:
            yield from (_Said(label.text, sentence) for label in field.labels)


def _finding(
    document: Document,
    procedure: Procedure,
    attempts: Sequence[JudgedAttempt],
    said: _Said,
    own: _Help,
) -> Finding:
    divergence = Divergence(
        kind=DivergenceKind.WRONG_RESULT,
        severity=Severity.MISLEADS,
        basis=Basis.READ,
        span=said.sentence.span,
        quote=said.sentence.text,
        shown=f'the page says "{own.text}" of "{own.name}"',
    )
    evidence = Evidence(kind=EvidenceKind.TRAJECTORY, caption=own.name, text=own.text)
    unique = [attempt.task.unique for attempt in attempts]
    return make_finding(document, procedure, divergence, (evidence,), unique)

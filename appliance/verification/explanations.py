"""Compares what the text says a choice is for with the console's own help on it.

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

_MIN_WORDS = 4
"""Words, or pairs of Chinese characters; a shorter help text may apply to anything."""
_ROLES = frozenset({"radio", "checkbox", "option", "switch", "menuitemradio"})


class _Explanation(NamedTuple):
    """A sentence that explains something."""

    label: str
    """The label of what it explains."""
    sentence: Sentence


class _Help(NamedTuple):
    """The console's help on a choice."""

    name: str
    text: str


_FieldKey = tuple[str | None, str, str, str]
"""Identifies a field: dialog, role, section and group."""
Choices = Mapping[_FieldKey, Mapping[str, _Help]]


def explanation_findings(
    document: Document, procedure: Procedure, attempts: Sequence[JudgedAttempt]
) -> Iterator[Finding]:
    """Findings where the text explains a choice as the console explains another one.

    Args:
        document: For the words in the source.
        procedure: Whose sentences are meant.
        attempts: All that ended by themselves.
    """
    choices_by_attempt = [_choices(attempt) for attempt in attempts]
    if not all(choices_by_attempt):
        return
    for explanation in _explanations(procedure):
        contradicted = [_contradicted_help(explanation, choices) for choices in choices_by_attempt]
        if contradicted[-1] is not None and all(contradicted):
            yield _finding(document, procedure, attempts, explanation, contradicted[-1])


def _choices(attempt: JudgedAttempt) -> Choices:
    """The choices that have help, by field."""
    choices: dict[_FieldKey, dict[str, _Help]] = {}
    for turn in attempt.trajectory.turns:
        for e in turn.view.elements:
            if e.role in _ROLES and e.description and e.name:
                choices.setdefault(_field_key(e), {})[key(e.name)] = _Help(e.name, e.description)
    return choices


def _field_key(e: Element) -> _FieldKey:
    return e.dialog, e.role, e.section, e.group


def _contradicted_help(explanation: _Explanation, choices: Choices) -> _Help | None:
    """The console's help on the choice, if the text contradicts it."""
    for siblings in choices.values():
        own_help = siblings.get(key(explanation.label))
        if own_help is None or _repeats(explanation.sentence.text, own_help.text):
            continue
        if differ(explanation.sentence.text, own_help.text):
            return own_help
        other_help = (
            help for help in siblings.values() if plain(help.text) != plain(own_help.text)
        )
        if any(_repeats(explanation.sentence.text, other.text) for other in other_help):
            return own_help
    return None


def _repeats(sentence: str, text: str) -> bool:
    """Whether the sentence contains all words of a help text that is long enough."""
    help_words = words(text)
    return len(help_words) >= _MIN_WORDS and help_words <= words(sentence)


def _explanations(procedure: Procedure) -> Iterator[_Explanation]:
    """Sentences about one label: they mention it, or follow one that does."""
    yield from _about_one_label(prose_of(procedure))
    for step in procedure.walk():
        yield from _field_explanations(step)


def _about_one_label(sentences: Iterable[Sentence]) -> Iterator[_Explanation]:
    last_label = ""
    for sentence in sentences:
        labels = sentence.labels()
        if labels:
            last_label = labels[-1].text
        if last_label and len(labels) <= 1:
            yield _Explanation(last_label, sentence)


def _field_explanations(step: Step) -> Iterator[_Explanation]:
    todo = list(step.fields)
    while todo:
        field: Field = todo.pop()
        todo += field.options
        yield from _about_one_label(field.description)
        for sentence in field.description:
            yield from (_Explanation(label.text, sentence) for label in field.labels)


def _finding(
    document: Document,
    procedure: Procedure,
    attempts: Sequence[JudgedAttempt],
    explanation: _Explanation,
    own_help: _Help,
) -> Finding:
    divergence = Divergence(
        kind=DivergenceKind.WRONG_RESULT,
        severity=Severity.MISLEADS,
        basis=Basis.READ,
        span=explanation.sentence.span,
        quote=explanation.sentence.text,
        shown=f'the page says "{own_help.text}" of "{own_help.name}"',
    )
    evidence = Evidence(kind=EvidenceKind.TRAJECTORY, caption=own_help.name, text=own_help.text)
    unique = [attempt.task.unique for attempt in attempts]
    return make_finding(document, procedure, divergence, (evidence,), unique)

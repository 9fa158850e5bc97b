"""Tasks made by rule of the procedures that failed: harder ones and easier ones.

No reader takes part, and no model: what a task asks for is what its audit rules want, which are
made of those of the procedures in the same step as its text.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from appliance.benchmark.drafts import Draft, as_written, chain, retell, vary
from appliance.benchmark.suite import Task
from appliance.core.checks import Comparison, Constraint, EventRule, Need
from appliance.core.procedure import Document, Field, Procedure, Step
from appliance.practice.catalogue import Option
from appliance.practice.releases import catalogue
from appliance.training.phases.candidates import Candidate

_CHINESE = "-zh"
"""What an id has behind the name of a document that is a translation."""
_PARAMETER = "parameters."
_SPARED_NAME = "spared-${unique}"
"""What the thing is called that must be left alone."""
_SPARING_SENTENCE = {
    "en": "Leave {name} alone: only the other one is meant.",
    "zh": "不要改动 {name}：只操作另一个。",
}


@dataclass(frozen=True)
class Library:
    """The documents that may be learnt from, by their procedures."""

    documents: Sequence[Document]

    @cached_property
    def read(self) -> Mapping[str, tuple[Document, Procedure]]:
        """By id without the folder."""
        return {p.id.partition("/")[2]: (d, p) for d in self.documents for p in d.procedures}

    def of(self, task: Task) -> list[str]:
        """The procedures that a task is made of, where they are here."""
        first, *later = task.id.partition("@")[0].partition("=")[0].partition(":")[0].split("+")
        head = first.rpartition("/")[0]
        return [ref for ref in (first, *(f"{head}/{one}" for one in later)) if ref in self.read]


def from_documents(task: Task, library: Library) -> Iterator[Candidate]:
    """All that the rules make of a task."""
    refs = library.of(task)
    if len(refs) > 1:
        yield from _split_apart(task, refs, library)
    elif refs:
        document, procedure = library.read[refs[0]]
        yield from _join_neighbours(task, document, procedure)
        yield from _vary_values(task, document, procedure)
        yield from _add_spared_twin(task, document, procedure)
        yield from _rewrite_as_prose(task, document, procedure)
        yield from _translate(task, procedure, library)


def _candidate(how: str, task: Task, draft: Draft, note: str = "") -> Candidate:
    release = task.release.partition("+")[0]
    return Candidate(
        how=how, made_from=(task.id,), release=release, product=task.product, draft=draft, note=note
    )


def _split_apart(task: Task, refs: Sequence[str], library: Library) -> Iterator[Candidate]:
    """Easier: each procedure of several by itself."""
    for ref in refs:
        yield _candidate("apart", task, as_written(*library.read[ref]), ref)


def _join_neighbours(task: Task, document: Document, procedure: Procedure) -> Iterator[Candidate]:
    """Harder: with the one that stands before it, and with the one that follows."""
    with_rules = [
        neighbour
        for neighbour in document.procedures
        if neighbour.checks.expect and neighbour.steps
    ]
    for first, second in pairwise(with_rules):
        if procedure in (first, second):
            draft = chain([(document, first), (document, second)], {})
            if isinstance(draft, Draft):
                yield _candidate("joined", task, draft, f"{first.title} + {second.title}")


def _vary_values(task: Task, document: Document, procedure: Procedure) -> Iterator[Candidate]:
    """As hard: another option of a choice that the audit rule goes by."""
    language = procedure.language
    for path, value in values_of(procedure):
        for current, other in options_of(path, value):
            replacements = {current.label.in_language(language): other.label.in_language(language)}
            draft = vary(document, procedure, replacements, {path: other.value})
            if isinstance(draft, Draft):
                yield _candidate("values", task, draft, f"{current.value} → {other.value}")


def values_of(procedure: Procedure) -> Iterator[tuple[str, str]]:
    """Paths and values that its first audit rule wants."""
    rule = procedure.checks.expect[0] if procedure.checks.expect else None
    for condition in rule.where if isinstance(rule, EventRule) else ():
        if condition.comparison is Comparison.EQUALS and condition.path.startswith(_PARAMETER):
            yield condition.path, condition.expected[0]


def options_of(path: str, value: str) -> Iterator[tuple[Option, Option]]:
    """The option of a choice that a value is, with each other one."""
    for located in catalogue().resources():
        spec = located.resource.fields.get(path.removeprefix(_PARAMETER))
        options = {option.value: option for option in spec.options} if spec else {}
        if value in options:
            yield from (
                (options[value], other) for other in options.values() if other.value != value
            )
            return


def _add_spared_twin(task: Task, document: Document, procedure: Procedure) -> Iterator[Candidate]:
    """Harder: a second thing of the same kind is there, and must be left as it is."""
    checks = procedure.checks
    rule = checks.expect[0] if checks.expect else None
    target = next((need for need in checks.needs if "name" in need.values), None)
    if not isinstance(rule, EventRule) or target is None or not procedure.steps:
        return
    if not any(_is_about_name(condition, target, checks.bindings) for condition in rule.where):
        return
    spared = replace(target, values={**target.values, "name": _SPARED_NAME})
    is_spared = Constraint(
        path="target_name", comparison=Comparison.EQUALS, expected=(_SPARED_NAME,)
    )
    forbidden = EventRule(event=rule.event, where=(is_spared,))
    harder_checks = replace(
        checks,
        needs=(*checks.needs, spared),
        forbid=(*checks.forbid, forbidden),
        bindings={**checks.bindings, "spared": _SPARED_NAME},
    )
    sentence = _SPARING_SENTENCE[procedure.language].format(name="spared")
    steps = [*_sentences(procedure), sentence]
    draft = retell(document, replace(procedure, checks=harder_checks), procedure.title, steps, {})
    if isinstance(draft, Draft):
        yield _candidate("condition", task, draft)


def _is_about_name(condition: Constraint, need: Need, bindings: Mapping[str, str]) -> bool:
    """Whether a condition is on the name of what is needed."""
    if condition.path != "target_name" or condition.comparison is not Comparison.EQUALS:
        return False
    expected, name = condition.expected[0], need.values["name"]
    return expected == name or any(
        expected == f"${{{key}}}" and value == name for key, value in bindings.items()
    )


def _rewrite_as_prose(task: Task, document: Document, procedure: Procedure) -> Iterator[Candidate]:
    """Harder: no label is marked, and all stands in one sentence after the other."""
    prose = " ".join(_without_markup(sentence) for sentence in _sentences(procedure))
    draft = retell(document, procedure, procedure.title, [prose], {})
    if isinstance(draft, Draft) and prose:
        yield _candidate("prose", task, draft)


def _sentences(procedure: Procedure) -> list[str]:
    """What its steps say, with the rows of their tables."""
    return [text for step in procedure.walk() if (text := _step_text(step))]


def _step_text(step: Step) -> str:
    return " ".join(filter(None, (step.text, *map(_field_text, step.fields))))


def _field_text(field: Field) -> str:
    label = " / ".join(label_part.text for label_part in field.labels)
    return f"{label}: {' '.join(one.text for one in field.description)}"


def _without_markup(text: str) -> str:
    """Without what marks a label or a path."""
    return re.sub(r"\s+", " ", re.sub(r"[*`「」“”\"]|-->|(?<=\s)>(?=\s)", " ", text)).strip()


def _translate(task: Task, procedure: Procedure, library: Library) -> Iterator[Candidate]:
    """As hard: the same in the other language, where the documentation has it."""
    stem = procedure.id.split("/")[1]
    for ref, (document, other) in library.read.items():
        head = ref.split("/")[0]
        is_twin = head == f"{stem}{_CHINESE}" or stem == f"{head}{_CHINESE}"
        if is_twin and other.checks.expect and _goal_and_needs(other) == _goal_and_needs(procedure):
            yield _candidate("translated", task, as_written(document, other), ref)


def _goal_and_needs(procedure: Procedure) -> tuple[tuple[str, ...], tuple[str, ...]]:
    checks = procedure.checks
    events = tuple(rule.event for rule in checks.expected())
    return events, tuple(sorted(need.kind for need in checks.needs))

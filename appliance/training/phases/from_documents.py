"""Tasks made by rule of the procedures that failed: harder ones and easier ones.

No reader takes part, and no model: what a task asks for is what its audit rules want, which are
made of those of the procedures in the same step as its text.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from appliance.benchmark.drafts import Draft, as_written, chained, retold, varied
from appliance.benchmark.suite import Task
from appliance.core.checks import Comparison, Constraint, EventRule, Need
from appliance.core.procedure import Document, Field, Procedure, Step
from appliance.practice.catalogue import Option
from appliance.practice.releases import catalogue
from appliance.training.phases.candidates import Candidate

_CHINESE = "-zh"
"""What an id has behind the name of a document that is a translation."""
_PARAMETER = "parameters."
_SPARED = "spared-${unique}"
"""What the thing is called that must be left alone."""
_SPARING = {
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
        yield from _apart(task, refs, library)
    elif refs:
        document, procedure = library.read[refs[0]]
        yield from _joined(task, document, procedure)
        yield from _other_values(task, document, procedure)
        yield from _with_condition(task, document, procedure)
        yield from _in_prose(task, document, procedure)
        yield from _translated(task, procedure, library)


def _made(how: str, task: Task, draft: Draft, note: str = "") -> Candidate:
    release = task.release.partition("+")[0]
    return Candidate(
        how=how, made_from=(task.id,), release=release, product=task.product, draft=draft, note=note
    )


def _apart(task: Task, refs: Sequence[str], library: Library) -> Iterator[Candidate]:
    """Easier: each procedure of several by itself."""
    for ref in refs:
        yield _made("apart", task, as_written(*library.read[ref]), ref)


def _joined(task: Task, document: Document, procedure: Procedure) -> Iterator[Candidate]:
    """Harder: with the one that stands before it, and with the one that follows."""
    with_rules = [one for one in document.procedures if one.checks.expect and one.steps]
    for first, second in pairwise(with_rules):
        if procedure in (first, second):
            draft = chained([(document, first), (document, second)], {})
            if isinstance(draft, Draft):
                yield _made("joined", task, draft, f"{first.title} + {second.title}")


def _other_values(task: Task, document: Document, procedure: Procedure) -> Iterator[Candidate]:
    """As hard: another option of a choice that the audit rule goes by."""
    language = procedure.language
    for path, value in values_of(procedure):
        for now, other in options_of(path, value):
            words = {now.label.in_language(language): other.label.in_language(language)}
            draft = varied(document, procedure, words, {path: other.value})
            if isinstance(draft, Draft):
                yield _made("values", task, draft, f"{now.value} → {other.value}")


def values_of(procedure: Procedure) -> Iterator[tuple[str, str]]:
    """Paths and values that its first audit rule wants."""
    rule = procedure.checks.expect[0] if procedure.checks.expect else None
    for one in rule.where if isinstance(rule, EventRule) else ():
        if one.comparison is Comparison.EQUALS and one.path.startswith(_PARAMETER):
            yield one.path, one.expected[0]


def options_of(path: str, value: str) -> Iterator[tuple[Option, Option]]:
    """The option of a choice that a value is, with each other one."""
    for located in catalogue().resources():
        spec = located.resource.fields.get(path.removeprefix(_PARAMETER))
        known = {one.value: one for one in spec.options} if spec else {}
        if value in known:
            yield from ((known[value], other) for other in known.values() if other.value != value)
            return


def _with_condition(task: Task, document: Document, procedure: Procedure) -> Iterator[Candidate]:
    """Harder: a second thing of the same kind is there, and must be left as it is."""
    checks = procedure.checks
    rule = checks.expect[0] if checks.expect else None
    target = next((need for need in checks.needs if "name" in need.values), None)
    if not isinstance(rule, EventRule) or target is None or not procedure.steps:
        return
    if not any(_names(one, target, checks.bindings) for one in rule.where):
        return
    spared = replace(target, values={**target.values, "name": _SPARED})
    is_spared = Constraint(path="target_name", comparison=Comparison.EQUALS, expected=(_SPARED,))
    forbidden = EventRule(event=rule.event, where=(is_spared,))
    harder = replace(
        checks,
        needs=(*checks.needs, spared),
        forbid=(*checks.forbid, forbidden),
        bindings={**checks.bindings, "spared": _SPARED},
    )
    sentence = _SPARING[procedure.language].format(name="spared")
    steps = [*_sentences(procedure), sentence]
    draft = retold(document, replace(procedure, checks=harder), procedure.title, steps, {})
    if isinstance(draft, Draft):
        yield _made("condition", task, draft)


def _names(condition: Constraint, need: Need, bindings: Mapping[str, str]) -> bool:
    """Whether a condition is on the name of what is needed."""
    if condition.path != "target_name" or condition.comparison is not Comparison.EQUALS:
        return False
    wanted, name = condition.expected[0], need.values["name"]
    return wanted == name or any(
        wanted == f"${{{key}}}" and value == name for key, value in bindings.items()
    )


def _in_prose(task: Task, document: Document, procedure: Procedure) -> Iterator[Candidate]:
    """Harder: no label is marked, and all stands in one sentence after the other."""
    told = " ".join(_plain(one) for one in _sentences(procedure))
    draft = retold(document, procedure, procedure.title, [told], {})
    if isinstance(draft, Draft) and told:
        yield _made("prose", task, draft)


def _sentences(procedure: Procedure) -> list[str]:
    """What its steps say, with the rows of their tables."""
    return [text for step in procedure.walk() if (text := _told(step))]


def _told(step: Step) -> str:
    return " ".join(filter(None, (step.text, *map(_row, step.fields))))


def _row(field: Field) -> str:
    label = " / ".join(one.text for one in field.labels)
    return f"{label}: {' '.join(one.text for one in field.description)}"


def _plain(text: str) -> str:
    """Without what marks a label or a path."""
    return re.sub(r"\s+", " ", re.sub(r"[*`「」“”\"]|-->|(?<=\s)>(?=\s)", " ", text)).strip()


def _translated(task: Task, procedure: Procedure, library: Library) -> Iterator[Candidate]:
    """As hard: the same in the other language, where the documentation has it."""
    stem = procedure.id.split("/")[1]
    for ref, (document, other) in library.read.items():
        head = ref.split("/")[0]
        is_twin = head == f"{stem}{_CHINESE}" or stem == f"{head}{_CHINESE}"
        if is_twin and other.checks.expect and _wants(other) == _wants(procedure):
            yield _made("translated", task, as_written(document, other), ref)


def _wants(procedure: Procedure) -> tuple[tuple[str, ...], tuple[str, ...]]:
    checks = procedure.checks
    events = tuple(rule.event for rule in checks.expected())
    return events, tuple(sorted(need.kind for need in checks.needs))

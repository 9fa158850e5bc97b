"""Holds the procedures found in documents against those that are labelled.

Found: one procedure covers half of a label's lines, or several together do. Missed: they cover
less. Split: only several together cover half, or several lie within the label. Merged: one covers
half of two labels or more. False: its steps touch no labelled procedure.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path

from appliance.core.procedure import Document
from appliance.policy.literal import IntentKind
from tests.benchmarks.finding_steps import StepRead, read_step
from tests.benchmarks.finding_truth import Label, Made, Said, Step, hints, parsed

_HALF = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What came of some documents; steps and actions are those of what was found."""

    documents: int = 0
    labels: int = 0
    true: int = 0
    found: int = 0
    missed: int = 0
    false: int = 0
    split: int = 0
    merged: int = 0
    read_whole: int = 0
    """Found, with every step whole and nothing wrong beside them."""
    steps: int = 0
    """Those that ask for something."""
    steps_whole: int = 0
    """All that is asked for is read, even if something wrong is read beside it."""
    steps_partly: int = 0
    steps_not: int = 0
    actions: int = 0
    actions_read: int = 0
    actions_half: int = 0
    """The thing is right, the kind or the value is not."""
    actions_not: int = 0
    actions_wrong: int = 0
    """Read where the label has none such."""
    not_understood: int = 0

    def __add__(self, other: "Figures") -> "Figures":
        names = [each.name for each in fields(self)]
        return Figures(**{name: getattr(self, name) + getattr(other, name) for name in names})


@dataclass(frozen=True, slots=True)
class Failure:
    """Something that is not as the labels have it."""

    kind: str
    document: str
    line: int
    title: str
    details: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Score:
    """The figures, with every failure behind them."""

    figures: Figures = Figures()
    failures: tuple[Failure, ...] = ()

    def __add__(self, other: "Score") -> "Score":
        return Score(self.figures + other.figures, self.failures + other.failures)


def score(folder: Path, labels: Iterable[Label]) -> Score:
    """All labelled documents below a folder."""
    by_document: dict[str, list[Label]] = {}
    for label in labels:
        by_document.setdefault(label.document, []).append(label)
    scores = (_document(parsed(folder, name), own) for name, own in sorted(by_document.items()))
    return sum(scores, Score())


def _document(document: Document, labels: Sequence[Label]) -> Score:
    made = [Made.of(procedure) for procedure in document.procedures]
    true = [label for label in labels if label.is_procedure]
    seen = Score(Figures(documents=1, labels=len(labels), true=len(true)))
    of_made = (_procedure(one, labels) for one in made)
    return sum((*of_made, *(_label(label, made, document) for label in true)), seen)


def _procedure(made: Made, labels: Sequence[Label]) -> Score:
    """Whether a found procedure is several labelled ones, or none."""
    document = labels[0].document
    came = Score()
    true = [label for label in labels if label.is_procedure]
    covered = [label.title for label in true if made.lines.share_of(label.lines) >= _HALF]
    if len(covered) > 1:
        details = {"labels": tuple(covered)}
        failure = Failure("merged", document, made.lines.first, made.title, details)
        came += Score(Figures(merged=1), (failure,))
    touched = [label for label in labels if made.body.meets(label.lines)]
    if not any(label.is_procedure for label in touched):
        why = touched[0].why if touched else "unlabelled"
        details = {"why": (why,), "read": _texts(made.said)}
        failure = Failure("false", document, made.body.first, made.title, details)
        came += Score(Figures(false=1), (failure,))
    return came


def _label(label: Label, made: Sequence[Made], document: Document) -> Score:
    """Whether a labelled procedure is found, in one piece, and how it is read."""
    mine = [one for one in made if _is_of(one, label)]
    shares = [one.lines.share_of(label.lines) for one in mine]
    in_one, together = max(shares, default=0), sum(shares)
    inside = [one for one in mine if label.lines.share_of(one.body) == 1]
    came = Score()
    if len(inside) > 1 or in_one < _HALF <= together:
        details = {"procedures": _texts(one.title for one in mine)}
        came += Score(Figures(split=1), (_failure("split", label, details),))
    if together < _HALF:
        details = {"near": tuple(hints(document, label.lines))}
        return came + Score(Figures(missed=1), (_failure("missed", label, details),))
    steps = sum((_step(step, label, mine) for step in label.steps), Score())
    return came + steps + Score(Figures(found=1, read_whole=not steps.failures))


def _is_of(made: Made, label: Label) -> bool:
    return made.body.meets(label.lines) or made.lines.share_of(label.lines) >= _HALF


def _step(step: Step, label: Label, made: Sequence[Made]) -> Score:
    """What is read from a step's line on to the next step's belongs to it."""
    lines = [other.line for other in label.steps if other.line > step.line]
    end = min(lines, default=label.lines.last + 1)
    said = [one for each in made for one in each.said if step.line <= one.line < end]
    read = read_step(step.actions, said)
    figures = _figures(step, read, said)
    if not (read.half or read.unmet or read.wrong):
        return Score(figures)
    state = (
        "partly" if figures.steps_partly else "not read" if figures.steps_not else "more than asked"
    )
    details = {
        "half": _texts(read.half),
        "unmet": _texts(read.unmet),
        "wrong": _texts(read.wrong),
        "read": _texts(said),
    }
    return Score(figures, (_failure(f"step: {state}", label, details, step.line),))


def _figures(step: Step, read: StepRead, said: Sequence[Said]) -> Figures:
    is_whole = not (read.half or read.unmet)
    is_partly = not is_whole and bool(read.met or read.half)
    asks = bool(step.actions)
    return Figures(
        steps=asks,
        steps_whole=asks and is_whole,
        steps_partly=is_partly,
        steps_not=asks and not (is_whole or is_partly),
        actions=len(step.actions),
        actions_read=len(read.met),
        actions_half=len(read.half),
        actions_not=len(read.unmet),
        actions_wrong=len(read.wrong),
        not_understood=sum(one.kind is IntentKind.UNCLEAR for one in said),
    )


def _failure(
    kind: str, label: Label, details: Mapping[str, tuple[str, ...]], line: int | None = None
) -> Failure:
    return Failure(kind, label.document, line or label.lines.first, label.title, details)


def _texts(items: Iterable[object]) -> tuple[str, ...]:
    return tuple(map(str, items))

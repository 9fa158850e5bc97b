"""Labelled procedures in other vendors' guides, and what the program makes of the guides."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self

import yaml

from appliance.core.procedure import Document, Procedure
from appliance.documents import FORMATS, parse_document
from appliance.policy.literal import Intent, IntentKind, read_procedure
from appliance.policy.literal.act.entries import stated_value
from tests.zoo.console import Guide

FOLDER = Path(__file__).parent / "finding"
Part = Literal["train", "later"]
PARTS: tuple[Part, ...] = ("train", "later")


class ActionKind(StrEnum):
    """What a person does who follows a step."""

    CLICK = "click"
    GO = "go"
    FILL = "fill"
    CHOOSE = "choose"
    CHECK = "check"
    UNCHECK = "uncheck"
    UPLOAD = "upload"
    OTHER = "other"


class Lines(NamedTuple):
    """From a line to another one, both included."""

    first: int
    last: int

    def meets(self, other: "Lines") -> bool:
        """Whether they have a line in common."""
        return self.first <= other.last and other.first <= self.last

    def share_of(self, other: "Lines") -> float:
        """How much of the other lies in these."""
        common = min(self.last, other.last) - max(self.first, other.first) + 1
        return max(0, common) / (other.last - other.first + 1)


class Action(NamedTuple):
    """One action as the label has it."""

    kind: ActionKind
    name: str
    value: str = ""

    def __str__(self) -> str:
        return " ".join(part for part in self if part)


class Step(NamedTuple):
    """A line and what it asks for: of a mere explanation, nothing."""

    line: int
    actions: tuple[Action, ...]

    @classmethod
    def of(cls, told: dict[str, Any]) -> Self:
        """One of a label's steps."""
        actions = (Action(ActionKind(kind), *rest) for kind, *rest in told["actions"])
        return cls(told["line"], tuple(actions))


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A stretch of a document that somebody looked at: a procedure, or why it is none."""

    document: str
    title: str
    lines: Lines
    is_procedure: bool
    why: str
    steps: tuple[Step, ...]

    @classmethod
    def of(cls, line: str) -> Self:
        """One line of a file of labels."""
        told: dict[str, Any] = json.loads(line)  # Any: JSON
        steps = map(Step.of, told.get("steps", ()))
        return cls(
            document=told["document"],
            title=told["title"],
            lines=Lines(told["line"], told["end_line"]),
            is_procedure=told["is_procedure"],
            why=told.get("why") or "other",
            steps=tuple(sorted(steps, key=lambda step: step.line)),
        )


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """A vendor's guide with the labels of some of its documents."""

    name: str
    part: Part
    guide: Guide
    labels: tuple[Label, ...]


def labelled_sets() -> Iterator[LabelledSet]:
    """All of them; what is fetched of a guide are its labelled documents."""
    told: dict[str, dict[str, Any]] = yaml.safe_load((FOLDER / "sets.yaml").read_text("utf-8"))
    for name, one in told.items():
        labels = labels_in(FOLDER / f"{name}.jsonl")
        documents = tuple(sorted({label.document for label in labels}))
        guide = Guide(repository=one["repository"], commit=one["commit"], documents=documents)
        yield LabelledSet(name, one["part"], guide, labels)


def labels_in(path: Path) -> tuple[Label, ...]:
    """The labels of a file."""
    return tuple(Label.of(line) for line in path.read_text("utf-8").splitlines())


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What the reader took out of a sentence or an entry of a field list, as plain text."""

    kind: IntentKind
    line: int
    label: str
    noun: str
    thing: str
    value: str
    entry: tuple[str, ...]
    """The names of the fields, where it is an entry of a field list."""
    field: str

    @classmethod
    def of(cls, intent: Intent) -> Self:
        """The same, of an intent."""
        entry = intent.entry
        value = intent.value.text if intent.value else ""
        return cls(
            kind=intent.kind,
            line=(entry.span if entry else intent.sentence.span).line,
            label=intent.label.text if intent.label else "",
            noun=intent.noun,
            thing=intent.thing,
            value=value or (entry and stated_value(entry.description)) or "",
            entry=tuple(label.text for label in entry.labels) if entry else (),
            field=intent.place.field.text if intent.place.field else "",
        )

    def __str__(self) -> str:
        noun = f"[{self.noun}]" if self.noun else ""
        field = f"in {self.field}" if self.field else ""
        value = f"= {self.value}" if self.value else ""
        parts = (self.kind, self.label or self.thing, noun, field, value)
        return " ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Made:
    """A procedure as the program found and read it."""

    title: str
    lines: Lines
    body: Lines
    """Those of its steps."""
    said: tuple[Said, ...]

    @classmethod
    def of(cls, procedure: Procedure) -> Self:
        """What is made of a procedure."""
        lines = Lines(procedure.span.line, procedure.span.end_line)
        spans = [step.span for step in procedure.walk()]
        first = min((span.line for span in spans), default=lines.first)
        last = max((span.end_line for span in spans), default=lines.last)
        said = tuple(Said.of(intent) for intent in read_procedure(procedure))
        return cls(" / ".join(procedure.title_path), lines, Lines(first, last), said)


def parsed(folder: Path, name: str) -> Document:
    """A document of a guide."""
    path = folder / name
    return parse_document(path.read_text("utf-8", errors="replace"), name, FORMATS[path.suffix])


def hints(document: Document, lines: Lines) -> Iterator[str]:
    """What the program made, if not a procedure, of where one was missed."""
    near = Lines(lines.first - 8, lines.last)
    for left in document.left_out:
        if near.first <= left.span.line <= near.last:
            yield f"left out: {left.reason}"
    for candidate in document.candidates:
        if lines.meets(Lines(candidate.span.line, candidate.span.end_line)):
            yield f"candidate: {' / '.join(candidate.title_path)}"

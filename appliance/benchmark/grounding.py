"""Single steps: a page and an instruction, and which actions are right. No console takes part."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from appliance.benchmark.suite import SuiteModel
from appliance.benchmark.trials import Level, Split
from appliance.core.actions import Action, ActionKind
from appliance.core.errors import SetupError
from appliance.core.page import Observation
from appliance.core.procedure import Procedure
from appliance.documents import parse_document

_LEADING_STEP = {"en": "Click **Start**.", "zh": "点击 **开始**。"}
"""A step before the instruction, so that the list is read as a procedure, whatever its words; it is
taken out again."""
LineModel = TypeVar("LineModel", bound=BaseModel)


class Style(StrEnum):
    """How an instruction speaks of what is to be done."""

    DOCUMENTED = "documented"
    """It names the control, as manuals do."""
    TOLD = "told"
    """In words of common sense: the control has to be thought of."""


_LEVELS = {Style.DOCUMENTED: Level.STANDARD, Style.TOLD: Level.HARD}


class _HeadLine(SuiteModel):
    schema_version: Literal[1]
    kind: Literal["grounding"]
    title: str


class Accepted(SuiteModel):
    """An action that is right."""

    action: ActionKind
    element: int
    argument: str | None = None
    """What is typed or chosen; None: whatever it is."""

    def is_met_by(self, action: Action) -> bool:
        """Whether a policy's action is this one."""
        return (
            action.kind is self.action
            and action.element == self.element
            and self.argument in (None, action.argument)
        )


class _StepLine(SuiteModel):
    id: str
    page: str
    language: Literal["en", "zh"]
    product: str
    split: Split
    style: Style
    instruction: str
    bindings: dict[str, str] = Field(default_factory=dict)
    """What it leaves open: which thing is meant."""
    accepted: tuple[Accepted, ...] = Field(min_length=1)


class _PageLine(SuiteModel):
    page: str
    observation: dict[str, Any]  # Any: JSON of an observation, read below


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleStep:
    """An instruction on a page."""

    line: _StepLine
    view: Observation
    release: str = ""
    """None: no console takes part."""

    @property
    def procedure(self) -> Procedure:
        """With the instruction as its only step."""
        leading_step, line = _LEADING_STEP[self.line.language], self.line
        text = f"# {self.view.title}\n\n## {line.id}\n\n1. {leading_step}\n2. {line.instruction}\n"
        (procedure,) = parse_document(text, f"{line.id}.md", "markdown").procedures
        return replace(procedure, steps=procedure.steps[1:])

    @property
    def id(self) -> str:
        """Of the step."""
        return self.line.id

    @property
    def level(self) -> Level:
        """What is told has to be thought of."""
        return _LEVELS[self.line.style]

    @property
    def split(self) -> Split:
        """What it may be used for."""
        return self.line.split

    @property
    def product(self) -> str:
        """Whose page it is."""
        return self.line.product

    @property
    def language(self) -> str:
        """Of page and instruction."""
        return self.line.language


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSuite:
    """Single steps by the name of their file."""

    name: str
    title: str
    version: str
    tasks: tuple[SingleStep, ...]


def load_steps(file: Path) -> StepSuite:
    """Read a suite of single steps.

    Raises:
        SetupError: It is broken; with file and line.
    """
    content = file.read_bytes()
    lines = list(_lines(file, content))
    if not lines:
        raise SetupError(f"{file}:1: the file is empty")
    head = _read(_HeadLine, lines[0], f"{file}:1")
    pages: dict[str, Observation] = {}
    steps: dict[str, SingleStep] = {}
    for number, line in enumerate(lines[1:], 2):
        place = f"{file}:{number}"
        if "observation" in line:
            page = _read(_PageLine, line, place)
            pages[page.page] = _observation(page.observation, place)
            continue
        step = _read(_StepLine, line, place)
        if step.id in steps:
            raise SetupError(f"{place}: step {step.id!r} is there twice")
        steps[step.id] = _step(step, pages, place)
    version = hashlib.sha256(content).hexdigest()[:12]
    return StepSuite(name=file.stem, title=head.title, version=version, tasks=tuple(steps.values()))


def _lines(file: Path, content: bytes) -> Iterator[Any]:  # Any: JSON
    for number, text in enumerate(content.decode().splitlines(), 1):
        try:
            line = json.loads(text)
        except ValueError as exc:
            raise SetupError(f"{file}:{number}: no JSON: {exc}") from exc
        if not isinstance(line, dict):
            raise SetupError(f"{file}:{number}: no JSON object")
        yield line


def _read(model: type[LineModel], line: object, place: str) -> LineModel:
    try:
        return model.model_validate(line)
    except ValidationError as exc:
        first_error = exc.errors()[0]
        field_path = ".".join(map(str, first_error["loc"])) or "the line"
        raise SetupError(f"{place}: {field_path}: {first_error['msg']}") from exc


@cache
def _observation_adapter() -> TypeAdapter[Observation]:
    return TypeAdapter(Observation)


def _observation(data: object, place: str) -> Observation:
    try:
        return _observation_adapter().validate_python(data)
    except ValidationError as exc:
        first_error = exc.errors()[0]
        field_path = ".".join(map(str, ("observation", *first_error["loc"])))
        raise SetupError(f"{place}: {field_path}: {first_error['msg']}") from exc


def _step(line: _StepLine, pages: dict[str, Observation], place: str) -> SingleStep:
    if line.page not in pages:
        raise SetupError(f"{place}: page {line.page!r} is not above")
    view = pages[line.page]
    element_ids = {element.id for element in view.elements}
    if unknown := {accepted.element for accepted in line.accepted} - element_ids:
        raise SetupError(f"{place}: page {line.page!r} has no element {min(unknown)}")
    return SingleStep(line=line, view=view)

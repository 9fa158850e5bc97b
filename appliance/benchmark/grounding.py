"""Single steps: a page and an instruction, and which actions are right. No console takes part."""

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from appliance.benchmark.record import Record
from appliance.benchmark.suite import Level, Split
from appliance.benchmark.trials import Trial
from appliance.core.actions import Action, ActionKind
from appliance.core.errors import AttemptError, SetupError
from appliance.core.page import Observation
from appliance.core.procedure import Procedure
from appliance.core.result import Cost
from appliance.documents import parse_document
from appliance.policy.base import Policy, Task

_BEFORE = {"en": "Click **Start**.", "zh": "点击 **开始**。"}
"""A step before the instruction, so that the list is read as a procedure, whatever its words; it is
taken out again."""
Line = TypeVar("Line", bound=BaseModel)


class Style(StrEnum):
    """How an instruction speaks of what is to be done."""

    DOCUMENTED = "documented"
    """It names the control, as manuals do."""
    TOLD = "told"
    """In words of common sense: the control has to be thought of."""


_LEVELS = {Style.DOCUMENTED: Level.STANDARD, Style.TOLD: Level.HARD}


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class _Head(_Model):
    schema_version: Literal[1]
    kind: Literal["grounding"]
    title: str


class Accepted(_Model):
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


class _StepLine(_Model):
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


class _PageLine(_Model):
    page: str
    observation: dict[str, Any]  # Any: JSON of an observation, read below


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleStep:
    """An instruction on a page."""

    line: _StepLine
    view: Observation
    procedure: Procedure
    """With the instruction as its only step."""
    release: str = ""
    """None: no console takes part."""

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
    head = _read(_Head, lines[0], f"{file}:1")
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


async def answered(step: SingleStep, policy_of: Callable[[Task], Policy], run: int) -> Trial:
    """What the policy that is made for a step does with it."""
    line, began = step.line, time.monotonic()
    try:
        task = Task(procedure=step.procedure, bindings=line.bindings, start_is_known=False)
        action = (await policy_of(task).choose(step.view, None)).action
        right = any(one.is_met_by(action) for one in line.accepted)
        reason = _in_words(action, step.view)
    except AttemptError as exc:
        right, reason = False, str(exc)
    return Trial(
        task=step.id,
        run=run,
        release=step.release,
        product=step.product,
        language=step.language,
        level=step.level,
        split=step.split,
        success=right,
        reason=reason,
        cost=Cost(wall_s=time.monotonic() - began),
    )


def _of_run(policy_of: Callable[[Task, int], Policy], run: int, task: Task) -> Policy:
    return policy_of(task, run)


def _in_words(action: Action, view: Observation) -> str:
    named = {e.id: f" {e.role} “{e.name}”" for e in view.elements}
    return f"{action.kind}{named.get(action.element or 0, '')} {action.argument}".strip()


def _lines(file: Path, content: bytes) -> Iterator[Any]:  # Any: JSON
    for number, text in enumerate(content.decode().splitlines(), 1):
        try:
            line = json.loads(text)
        except ValueError as exc:
            raise SetupError(f"{file}:{number}: no JSON: {exc}") from exc
        if not isinstance(line, dict):
            raise SetupError(f"{file}:{number}: no JSON object")
        yield line


def _read(model: type[Line], line: object, place: str) -> Line:
    try:
        return model.model_validate(line)
    except ValidationError as exc:
        first = exc.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the line"
        raise SetupError(f"{place}: {where}: {first['msg']}") from exc


@cache
def _reader() -> TypeAdapter[Observation]:
    return TypeAdapter(Observation)


def _observation(data: object, place: str) -> Observation:
    try:
        return _reader().validate_python(data)
    except ValidationError as exc:
        first = exc.errors()[0]
        where = ".".join(map(str, ("observation", *first["loc"])))
        raise SetupError(f"{place}: {where}: {first['msg']}") from exc


def _step(line: _StepLine, pages: dict[str, Observation], place: str) -> SingleStep:
    if line.page not in pages:
        raise SetupError(f"{place}: page {line.page!r} is not above")
    view = pages[line.page]
    there = {element.id for element in view.elements}
    if unknown := {one.element for one in line.accepted} - there:
        raise SetupError(f"{place}: page {line.page!r} has no element {min(unknown)}")
    before = _BEFORE[line.language]
    text = f"# {view.title}\n\n## {line.id}\n\n1. {before}\n2. {line.instruction}\n"
    (procedure,) = parse_document(text, f"{line.id}.md", "markdown").procedures
    return SingleStep(line=line, view=view, procedure=replace(procedure, steps=procedure.steps[1:]))


async def run_steps(
    steps: Sequence[SingleStep],
    record: Record,
    policy_of: Callable[[Task, int], Policy],
    finished: Callable[[Trial], None],
) -> None:
    """Answer each step in every run, and keep it.

    Args:
        steps: All that are asked for.
        record: Where it is kept; what is there already is not asked again.
        policy_of: Makes the policy of a step and run.
        finished: Told of every trial.
    """
    known = {(one.task, one.run) for one in record.result.trials}
    try:
        for number, part in enumerate(record.result.parts):
            for step in steps:
                if (step.id, part.run) not in known:
                    policy = partial(_of_run, policy_of, part.run)
                    record.add(trial := await answered(step, policy, part.run))
                    finished(trial)
            record.change(number, is_over=True)
    finally:
        record.keep()

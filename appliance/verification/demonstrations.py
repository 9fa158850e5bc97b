"""An attempt with all that it saw, as it is kept for training, and back."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from appliance.core import actions
from appliance.core.actions import Action, ActionKind
from appliance.core.blocking import in_thread
from appliance.core.errors import StoreError
from appliance.core.jsonable import Json
from appliance.core.page import Observation, Performed
from appliance.core.procedure import Procedure
from appliance.core.secrets import masked
from appliance.core.verdict import GoalChannel, PolicyName
from appliance.inference.messages import TokenTrace
from appliance.policy.base import Divergence, Exchange, StepReport, Task
from appliance.policy.model import shown_values
from appliance.store.demonstrations import DemonstrationRow
from appliance.verification.case import Case, JudgedAttempt
from appliance.verification.context import RunContext
from appliance.verification.trajectory import Trajectory, Turn, Unusable

MEDIA_TYPE = "application/vnd.appliance.demonstration+json"
SCHEMA_VERSION = 1
_LONG = 6
"""Characters from which on a secret is looked for inside of texts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptAction:
    """An action by its parts: the types of actions are not told apart by their fields."""

    kind: ActionKind
    element: int | None = None
    argument: str = ""
    to: int | None = None
    point: tuple[float, float] | None = None

    @classmethod
    def of(cls, action: Action) -> "KeptAction":
        """Its parts."""
        on = action.fold if isinstance(action, actions.Unfold) else action.element
        return cls(
            kind=action.kind,
            element=on,
            argument=action.argument,
            to=action.to if isinstance(action, actions.Drag) else None,
            point=action.point if isinstance(action, actions.ClickAt) else None,
        )

    def action(self) -> Action:
        """The action."""
        if self.point is not None:
            return actions.ClickAt(self.point, self.argument)
        return actions.build(self.kind, element=self.element, argument=self.argument, to=self.to)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """An answer."""

    text: str
    tokens: TokenTrace


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One turn: what was seen, chosen and said, and what came of it."""

    view: Observation
    action: KeptAction
    step: str
    thought: str = ""
    is_detour: bool = False
    reports: tuple[StepReport, ...] = ()
    divergences: tuple[Divergence, ...] = ()
    performed: Performed | None = None
    refused: str = ""
    """Why it was not carried out."""
    said: tuple[Said, ...] = ()
    """What a model said, also what could not be used; none: nobody asked for its tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LastLook:
    """A page on which an attempt ended, for nothing that a model said could be used."""

    view: Observation
    said: tuple[Said, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Demonstration:
    """One attempt. Secrets in it stand as the names by which a model types them."""

    procedure: Procedure
    bindings: Mapping[str, str]
    project: str
    username: str
    unique: str
    resources: str
    policy: PolicyName
    moments: tuple[Moment, ...]
    last: LastLook | None = None
    """After these, where there was one and the tokens are kept."""
    schema_version: int = SCHEMA_VERSION

    def task(self) -> Task:
        """What was to be carried out."""
        return Task(
            procedure=self.procedure,
            bindings=self.bindings,
            project=self.project,
            username=self.username,
            unique=self.unique,
            resources=self.resources,
            sample_file="sample.txt",
        )

    def answers(self) -> Iterator[tuple[Observation, Said]]:
        """All whose tokens are kept, each with the page that it is about."""
        for look in (*self.moments, *((self.last,) if self.last else ())):
            for said in look.said:
                yield look.view, said

    def to_json(self) -> str:
        """For keeping: with names in place of secrets, and whatever else is known as one masked."""
        plain = _adapter().dump_python(self, mode="json", exclude_defaults=True)
        return json.dumps(masked(plain), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str | bytes) -> "Demonstration":
        """What was kept; `StoreError` where it is of another appliance."""
        plain = json.loads(text)
        version = plain.get("schema_version", SCHEMA_VERSION)
        if version != SCHEMA_VERSION:
            raise StoreError(f"an attempt was kept in version {version}: collect it again")
        return _adapter().validate_python(plain)


@cache
def _adapter() -> TypeAdapter[Demonstration]:
    return TypeAdapter(Demonstration)


def demonstration_of(task: Task, trajectory: Trajectory) -> Demonstration:
    """An attempt as it is kept."""
    shown = shown_values(task.bindings)
    hidden = {real: shown[label] for label, real in task.bindings.items() if shown[label] != real}
    made = Demonstration(
        procedure=task.procedure,
        bindings=shown,
        project=task.project,
        username=task.username,
        unique=task.unique,
        resources=task.resources,
        policy=trajectory.policy,
        moments=tuple(map(_moment, trajectory.turns)),
        last=_last(trajectory.unusable),
    )
    if not hidden:
        return made
    plain = _adapter().dump_python(made, mode="json")
    return _adapter().validate_python(_named(plain, hidden))


def _moment(turn: Turn) -> Moment:
    decision = turn.decision
    return Moment(
        view=turn.view,
        action=KeptAction.of(decision.action),
        step=decision.step,
        thought=decision.thought,
        is_detour=decision.is_detour,
        reports=decision.reports,
        divergences=decision.divergences,
        performed=turn.performed,
        refused=turn.refused,
        said=_said(decision.exchanges),
    )


def _last(unusable: Unusable | None) -> LastLook | None:
    said = _said(unusable.exchanges) if unusable else ()
    return LastLook(view=unusable.view, said=said) if unusable and said else None


def _said(exchanges: Sequence[Exchange]) -> tuple[Said, ...]:
    return tuple(Said(text=one.answer, tokens=one.trace) for one in exchanges if one.trace)


def _named(value: Any, hidden: Mapping[str, str]) -> Json:  # Any: JSON
    """JSON with every secret of the task in its texts as the name of it."""
    match value:
        case str():
            return _without(value, hidden)
        case list():
            return [_named(item, hidden) for item in value]
        case dict():
            return {key: _named(item, hidden) for key, item in value.items()}
        case _:
            return value  # type: ignore[no-any-return]


def _without(text: str, hidden: Mapping[str, str]) -> str:
    """A text with names in place of secrets; a short one means other things, too, inside of it."""
    if text in hidden:
        return hidden[text]
    for real in sorted(hidden, key=len, reverse=True):
        if len(real) >= _LONG:
            text = text.replace(real, hidden[real])
    return text


async def keep_demonstration(
    context: RunContext, case: Case, number: int, attempt: JudgedAttempt
) -> None:
    """Keep an attempt for training."""
    await in_thread(_keep, context, case, number, attempt)


def _keep(context: RunContext, case: Case, number: int, attempt: JudgedAttempt) -> None:
    text = demonstration_of(attempt.task, attempt.trajectory).to_json()
    console, goal = context.console.name, attempt.goal
    context.store.demonstrations.put(
        DemonstrationRow(
            run_id=context.run_id,
            procedure_id=case.procedure.id,
            attempt=number,
            console=console,
            release=context.settings.consoles[console].release,
            document=case.document.path,
            policy=attempt.trajectory.policy,
            stop=attempt.trajectory.stop or "",
            reached=goal.reached,
            witnesses=tuple(one.channel for one in goal.channels if one.reached),
            artifact=context.store.artifacts.put(text.encode("utf-8", "replace"), MEDIA_TYPE),
            kept_at=context.clock.now(),
            audited=next(
                (one.reached for one in goal.channels if one.channel is GoalChannel.AUDIT), None
            ),
        )
    )

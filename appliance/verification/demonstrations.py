"""Serialises an attempt with all observations for training, and reads it back."""

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
_MIN_SECRET = 6
"""Characters; shorter secrets are not searched for inside texts."""


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
        target = action.fold if isinstance(action, actions.Unfold) else action.element
        return cls(
            kind=action.kind,
            element=target,
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
    """The demonstration of an attempt, with names in place of secrets."""
    shown = shown_values(task.bindings)
    secret_names = {
        secret: shown[label] for label, secret in task.bindings.items() if shown[label] != secret
    }
    demonstration = Demonstration(
        procedure=task.procedure,
        bindings=shown,
        project=task.project,
        username=task.username,
        unique=task.unique,
        resources=task.resources,
        policy=trajectory.policy,
        moments=tuple(map(_moment, trajectory.turns)),
        last=_last_look(trajectory.unusable),
    )
    if not secret_names:
        return demonstration
    plain = _adapter().dump_python(demonstration, mode="json")
    return _adapter().validate_python(_with_names(plain, secret_names))


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
        said=_answers_with_tokens(decision.exchanges),
    )


def _last_look(unusable: Unusable | None) -> LastLook | None:
    answers = _answers_with_tokens(unusable.exchanges) if unusable else ()
    return LastLook(view=unusable.view, said=answers) if unusable and answers else None


def _answers_with_tokens(exchanges: Sequence[Exchange]) -> tuple[Said, ...]:
    return tuple(
        Said(text=exchange.answer, tokens=exchange.trace)
        for exchange in exchanges
        if exchange.trace
    )


def _with_names(value: Any, secret_names: Mapping[str, str]) -> Json:  # Any: JSON
    """JSON with every secret of the task replaced by its name."""
    match value:
        case str():
            return _replace_secrets(value, secret_names)
        case list():
            return [_with_names(item, secret_names) for item in value]
        case dict():
            return {key: _with_names(item, secret_names) for key, item in value.items()}
        case _:
            return value  # type: ignore[no-any-return]


def _replace_secrets(text: str, secret_names: Mapping[str, str]) -> str:
    """Replace secrets in a text by their names; short ones only where they are the whole text."""
    if text in secret_names:
        return secret_names[text]
    for secret in sorted(secret_names, key=len, reverse=True):
        if len(secret) >= _MIN_SECRET:
            text = text.replace(secret, secret_names[secret])
    return text


async def keep_demonstration(
    context: RunContext, case: Case, number: int, attempt: JudgedAttempt
) -> None:
    """Store an attempt for training."""
    await in_thread(_save, context, case, number, attempt)


def _save(context: RunContext, case: Case, number: int, attempt: JudgedAttempt) -> None:
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
            witnesses=tuple(channel.channel for channel in goal.channels if channel.reached),
            artifact=context.store.artifacts.put(text.encode("utf-8", "replace"), MEDIA_TYPE),
            kept_at=context.clock.now(),
            audited=next(
                (
                    channel.reached
                    for channel in goal.channels
                    if channel.channel is GoalChannel.AUDIT
                ),
                None,
            ),
        )
    )

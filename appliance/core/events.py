"""What the engine tells its subscribers.

Store, reports and progress bars listen; the engine imports none of them.
"""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from appliance.core.blocking import to_its_end
from appliance.core.causes import CauseKind
from appliance.core.people import QuestionKind, QuestionState, ReplyKind
from appliance.core.result import ArtifactRef, Finding, ProcedureResult, RunResult, Summary
from appliance.core.verdict import StepStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarted:
    """A run began."""

    run_id: str
    procedures: int
    run: RunResult | None = None
    """The run as known at its start, without procedures: what is kept should it be killed."""
    goes_on: bool = False
    """Whether it was begun earlier, and what it has is kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureStarted:
    """A procedure's first attempt began."""

    run_id: str
    procedure_id: str
    title: str
    steps: tuple[str, ...] = ()
    """Their indexes, in reading order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceProgressed:
    """Something is being made for an attempt, or removed after it."""

    procedure_id: str
    """Empty: by hand."""
    attempt_id: str
    what: str
    """Kind and name, or Terraform's address."""
    doing: str
    """`creating`, `created`, `deleting`, `deleted`, `failed`."""
    took_s: float = 0.0
    run_id: str = ""
    """Empty: by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptStarted:
    """An attempt began."""

    run_id: str = ""
    procedure_id: str
    attempt: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StepFinished:
    """A documented step was carried out, or could not be."""

    run_id: str = ""
    procedure_id: str
    attempt: int
    step: str
    status: StepStatus
    text: str = ""
    """Of the step."""
    picture: ArtifactRef | None = None
    """What the browser showed at it; None: it was not looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureFinished:
    """A verdict is known."""

    run_id: str
    result: ProcedureResult


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFinished:
    """A run ended; all its verdicts were told before."""

    run_id: str
    console: str
    ended_at: datetime
    summary: Summary


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepProgressed:
    """How far a sweep is: at its start, and after everything that changes it."""

    sweep_id: str
    state: str
    """`running`, or how it stands or has ended: `waiting`, `paused`, `done`, `cancelled`."""
    done: int
    """Procedures with a verdict, and those left out."""
    total: int
    running: int
    """Procedures under way."""
    rate_per_minute: float | None
    """Verdicts since this sitting began; None before the first."""
    seconds_left: float | None
    """None: it will not go on by itself."""
    why: str = ""
    """Why it ended, or what it waits for."""
    paused_for: CauseKind | None = None
    """Why it is paused; None: it is not. It goes on by itself, but where a person paused it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingOpened:
    """The console contradicts a sentence that it did not contradict before."""

    console: str
    incident_id: str
    finding: Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingClosed:
    """Every procedure that showed it was carried out since without it."""

    console: str
    incident_id: str
    finding: Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountQuarantined:
    """An account may not be used any more, until somebody releases it."""

    console: str
    account: str
    reason: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonAsked:
    """An attempt waits for a person."""

    run_id: str
    procedure_id: str
    question_id: str
    kind: QuestionKind
    text: str
    """What is to be decided or done."""
    step: str
    """The documented step."""
    url: str
    """Of the page, without its query."""
    expires_at: datetime
    picture: ArtifactRef | None = None
    """The page as it is now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonAnswered:
    """It does not wait any more: for an answer, or for want of one."""

    run_id: str
    procedure_id: str
    question_id: str
    kind: QuestionKind
    state: QuestionState
    reply: ReplyKind | None
    """None: there was no answer."""
    by: str
    """Who answered; what they typed is told nowhere."""
    waited_s: float


Event = (
    RunStarted
    | ProcedureStarted
    | ResourceProgressed
    | AttemptStarted
    | StepFinished
    | ProcedureFinished
    | RunFinished
    | SweepProgressed
    | FindingOpened
    | FindingClosed
    | AccountQuarantined
    | PersonAsked
    | PersonAnswered
)
Subscriber = Callable[[Event], None]
Writer = Callable[[Event], "Iterable[Event]"]
"""Writes an event down, which may block, and says what else has happened by it."""


class Events:
    """Passes every event to every subscriber, in order, at once."""

    def __init__(self, *subscribers: Subscriber, writer: Writer | None = None) -> None:
        self._subscribers = list(subscribers)
        self._writer = writer

    def subscribe(self, subscriber: Subscriber) -> None:
        """From now on it is told, too: after those that came before it."""
        self._subscribers.append(subscriber)

    def emit(self, event: Event) -> None:
        """Tell everybody."""
        for subscriber in self._subscribers:
            subscriber(event)

    async def record(self, event: Event) -> None:
        """Tell everybody once it is written down, in a thread; a cancellation waits for that."""
        await to_its_end(self._record(event))

    async def _record(self, event: Event) -> None:
        if self._writer is not None:
            for more in await asyncio.to_thread(self._writer, event):
                self.emit(more)
        self.emit(event)

"""The current state of all runs, and a numbered list of events, for live views."""

import asyncio
import secrets
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from datetime import datetime

from appliance.core.clock import Clock
from appliance.core.errors import SetupError
from appliance.core.events import (
    AttemptStarted,
    Event,
    PersonAnswered,
    PersonAsked,
    ProcedureFinished,
    ProcedureStarted,
    ResourceProgressed,
    StepFinished,
)
from appliance.core.jsonable import Json, json_object, to_jsonable
from appliance.core.result import ArtifactRef
from appliance.core.secrets import masked
from appliance.engine.event_messages import event_message
from appliance.engine.status import RunStatus, StatusKeeper, SweepStatus
from appliance.store.sweeps import OVER, SweepRow

_KEPT = 4000
"""Events kept for those who come back: some minutes of two browsers."""
_MAKING = ("creating", "deleting")


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveProcedure:
    """A procedure that a browser is busy with."""

    run_id: str
    id: str
    title: str
    attempt: int
    step: str = ""
    """Index of the documented step that was done last; empty: none yet."""
    step_text: str = ""
    step_status: str = ""
    doing: str = ""
    """What is being made or removed in the cloud (`creating disk.main`); empty: nothing."""
    picture: ArtifactRef | None = None
    """What the browser showed last."""
    question_id: str = ""
    """The question that a person is asked; empty: none."""
    since: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveRun:
    """A run that is under way."""

    id: str
    kind: str
    """`sweep` or `verification`."""
    console: str
    requested_by: str
    status: SweepStatus
    procedures: tuple[LiveProcedure, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveState:
    """Everything that is under way."""

    runs: tuple[LiveRun, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveEvent:
    """Something that happened."""

    id: str
    """For `Last-Event-ID`: the ids of one process go up; those of another are not known."""
    run_id: str
    """Empty: it is of no run."""
    name: str
    """`snapshot`, `run_started`, `procedure_started`, `attempt_started`, `step_finished`,
    `resource_progressed`, `procedure_finished`, `sweep_progressed`, `run_finished`,
    `finding_opened`, `finding_closed`, `account_quarantined`, `person_asked`, `person_answered`."""
    data: Json


class Live:
    """A subscriber of `core.events`, for the event loop's own thread."""

    def __init__(self, clock: Clock, status_of: Callable[[str], RunStatus]) -> None:
        """Create it with nothing under way.

        Args:
            clock: The clock.
            status_of: Returns the status of a run, or raises `SetupError`; may block.
        """
        self._clock = clock
        self._status_of = status_of
        self._runs: dict[str, tuple[SweepRow, StatusKeeper]] = {}
        self._busy: dict[tuple[str, str], LiveProcedure] = {}
        self._process = secrets.token_hex(4)
        self._next = 1
        self._ring: deque[tuple[int, LiveEvent]] = deque(maxlen=_KEPT)
        self._news = asyncio.Event()
        self._is_closed = False

    def enter(self, run: SweepRow, status: StatusKeeper) -> None:
        """Add a run that is starting."""
        self._runs[run.id] = (run, status)
        self._wake()

    def leave(self, run_id: str) -> None:
        """Remove a run that has ended."""
        self._runs.pop(run_id, None)
        for key in [key for key in self._busy if key[0] == run_id]:
            del self._busy[key]
        self._wake()

    def close(self) -> None:
        """End all followers: no more events will come."""
        self._is_closed = True
        self._wake()

    def __call__(self, event: Event) -> None:
        """Take in an event."""
        self._see(event)
        run_id, name, data = event_message(event)
        self._ring.append((self._next, self._event(self._next, run_id, name, data)))
        self._next += 1
        self._wake()

    def now(self) -> LiveState:
        """The present state of all runs."""
        return LiveState(runs=tuple(self._run(run_id) for run_id in self._runs))

    async def follow(
        self, run_id: str | None = None, after: str | None = None
    ) -> AsyncIterator[LiveEvent]:
        """Everything from now on, or after that event; of one run, until it is over.

        Where `after` is not known any more, or None, a `snapshot` comes first: `status` of the
        run and the `procedures` that browsers are busy with, or `runs` of all that are under way.

        Raises:
            SetupError: There is no such run.
        """
        place = self._after(after)
        if place is None:
            place = self._next
            yield await self._snapshot(run_id, place - 1)
        while not self._is_closed:
            if place < self._first():  # too slow: what came meanwhile is not kept
                place = self._next
                yield await self._snapshot(run_id, place - 1)
            missed = [event for number, event in self._ring if number >= place]
            place = self._next
            for event in missed:
                if run_id in (None, event.run_id):
                    yield event
            if run_id is not None and place == self._next and await self._is_over(run_id):
                return
            if place == self._next and not self._is_closed:
                await self._news.wait()

    def _see(self, event: Event) -> None:
        """Update what each browser is busy with."""
        match event:
            case ProcedureStarted():
                self._busy[event.run_id, event.procedure_id] = LiveProcedure(
                    run_id=event.run_id,
                    id=event.procedure_id,
                    title=event.title,
                    attempt=1,
                    since=self._clock.now(),
                )
            case AttemptStarted():
                self._change(event.run_id, event.procedure_id, attempt=event.attempt, step="")
            case StepFinished():
                self._change(
                    event.run_id,
                    event.procedure_id,
                    step=event.step,
                    step_text=event.text,
                    step_status=event.status.value,
                    doing="",
                )
                if event.picture:
                    self._change(event.run_id, event.procedure_id, picture=event.picture)
            case ResourceProgressed():
                doing = f"{event.doing} {event.what}" if event.doing in _MAKING else ""
                self._change(event.run_id, event.procedure_id, doing=doing)
            case PersonAsked() | PersonAnswered():
                self._wait(event)
            case ProcedureFinished():
                self._busy.pop((event.run_id, event.result.id), None)

    def _wait(self, event: PersonAsked | PersonAnswered) -> None:
        is_open = isinstance(event, PersonAsked)
        question_id = event.question_id if is_open else ""
        self._change(event.run_id, event.procedure_id, question_id=question_id)
        if isinstance(event, PersonAsked) and event.picture:
            self._change(event.run_id, event.procedure_id, picture=event.picture)

    def _change(self, run_id: str, procedure_id: str, **changes: object) -> None:
        busy = self._busy.get((run_id, procedure_id))
        if busy is not None:
            self._busy[run_id, procedure_id] = replace(busy, **changes)  # type: ignore[arg-type] # our names

    def _run(self, run_id: str) -> LiveRun:
        run, keeper = self._runs[run_id]
        busy = tuple(procedure for (owner, _), procedure in self._busy.items() if owner == run_id)
        return LiveRun(
            id=run_id,
            kind=run.kind,
            console=run.console,
            requested_by=run.requested_by,
            status=keeper.status,
            procedures=busy,
        )

    async def _snapshot(self, run_id: str | None, number: int) -> LiveEvent:
        data: Json
        if run_id is None:
            data = json_object(self.now())
        else:
            status = await asyncio.to_thread(self._status_of, run_id)
            busy = self._run(run_id).procedures if run_id in self._runs else ()
            data = {"status": to_jsonable(status), "procedures": to_jsonable(busy)}
        return self._event(number, run_id or "", "snapshot", data)

    async def _is_over(self, run_id: str) -> bool:
        if run_id in self._runs:
            return False
        try:
            status = await asyncio.to_thread(self._status_of, run_id)
        except SetupError:
            return True
        return status["state"] in OVER

    def _event(self, number: int, run_id: str, name: str, data: Json) -> LiveEvent:
        id = f"{self._process}-{number}"
        return LiveEvent(id=id, run_id=run_id, name=name, data=masked(data))

    def _after(self, event_id: str | None) -> int | None:
        """The number of the event after the given one; None if that event is not kept."""
        process, _, number = (event_id or "").rpartition("-")
        if process != self._process or not number.isdecimal():
            return None
        place = int(number) + 1
        return place if self._first() <= place <= self._next else None

    def _first(self) -> int:
        return self._ring[0][0] if self._ring else self._next

    def _wake(self) -> None:
        """Wake all present waiters once; later ones wait for the next event."""
        self._news.set()
        self._news = asyncio.Event()

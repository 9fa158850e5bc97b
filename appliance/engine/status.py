"""How far a sweep is, in one shape: from the store, or from the process that runs it."""

import os
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Required, TypedDict

from appliance.core.causes import CauseKind
from appliance.core.events import Event, ProcedureFinished, SweepProgressed
from appliance.core.jsonable import Json, to_jsonable
from appliance.store.store import Store
from appliance.store.sweeps import OVER, ItemState, SweepRow, SweepState

_UNDONE = (
    ItemState.WAITING,
    ItemState.RUNNING,
    ItemState.NOT_REACHED,
    ItemState.CANCELLED,
)


class SweepStatus(TypedDict, total=False):
    """How far a sweep is, as commands, REST and `running.json` say it."""

    id: Required[str]
    console: str
    state: Required[str]
    why: str
    paused_for: str | None
    """A `CauseKind`; None: it is not paused."""
    planned_at: Json
    ended_at: Json
    done: int
    """Procedures with a verdict, and those left out."""
    total: int
    not_reached: int
    """Procedures for which there was no time before the deadline: they have no verdict."""
    running: int
    """Procedures under way."""
    rate_per_minute: float | None
    seconds_left: float | None
    verdicts: dict[str, int]
    pid: Required[int | None]
    """The process that runs it; None: it does not run."""


class RunStatus(SweepStatus, total=False):
    """The same of any run, with who asked for what."""

    kind: Required[str]
    requested_by: Required[str]


def status_of(store: Store, sweep: SweepRow) -> SweepStatus:
    """A sweep that does not run now, with what its run has so far."""
    so_far = store.listings.progress(sweep.id)
    is_dead = sweep.state is SweepState.RUNNING
    return {
        "id": sweep.id,
        "console": sweep.console,
        "state": (SweepState.WAITING if is_dead else sweep.state).value,
        "why": "its process died" if is_dead else sweep.why,
        "paused_for": _value(sweep.paused_for),
        "planned_at": to_jsonable(sweep.planned_at),
        "ended_at": to_jsonable(sweep.ended_at),
        "done": _done(so_far.items),
        "total": sum(so_far.items.values()),
        "not_reached": so_far.items.get(ItemState.NOT_REACHED, 0),
        "running": 0,
        "rate_per_minute": None,
        "seconds_left": None,
        "verdicts": dict(so_far.verdicts),
        "pid": None,
    }


def _done(items: Mapping[ItemState, int]) -> int:
    return sum(count for state, count in items.items() if state not in _UNDONE)


def end_of(store: Store, sweep_id: str) -> SweepProgressed | None:
    """What is told of a sweep that came to its end while nobody carried it out.

    None: there is none of that id, or it is not over.
    """
    sweep = store.sweeps.get(sweep_id)
    if sweep is None or sweep.state not in OVER:
        return None
    items = store.listings.progress(sweep_id).items
    return SweepProgressed(
        sweep_id=sweep_id,
        state=sweep.state.value,
        done=_done(items),
        total=sum(items.values()),
        running=0,
        rate_per_minute=None,
        seconds_left=None,
        why=sweep.why,
    )


class StatusKeeper:
    """A subscriber that keeps the status of one running sweep true."""

    def __init__(self, before: SweepStatus, show: Callable[[SweepStatus], None]) -> None:
        """A keeper.

        Args:
            before: The status at the start of the sitting.
            show: Told every change.
        """
        self.status: SweepStatus = {**before, "state": "running", "why": "", "pid": os.getpid()}
        self._show = show
        self._verdicts = Counter(before["verdicts"])
        show(self.status)

    def __call__(self, event: Event) -> None:
        """Take in an event; those of other sweeps are left alone."""
        match event:
            case ProcedureFinished() if event.run_id == self.status["id"]:
                self._verdicts[event.result.verdict.value] += 1
            case SweepProgressed() if event.sweep_id == self.status["id"]:
                self.status = {
                    **self.status,
                    "state": event.state,
                    "done": event.done,
                    "total": event.total,
                    "running": event.running,
                    "rate_per_minute": event.rate_per_minute,
                    "seconds_left": event.seconds_left,
                    "why": event.why,
                    "paused_for": _value(event.paused_for),
                    "verdicts": dict(sorted(self._verdicts.items())),
                }
                self._show(self.status)


def _value(cause: CauseKind | None) -> str | None:
    return None if cause is None else cause.value

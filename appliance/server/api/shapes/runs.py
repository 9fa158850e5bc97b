"""Runs, and how far they are."""

from typing import Literal

from pydantic import Field

from appliance.core.causes import CauseKind
from appliance.server.api.shapes.base import Moment, Page, ResponseShape, shape_of
from appliance.server.api.shapes.results import Result
from appliance.store.queries import RunRow
from appliance.store.sweeps import SweepState


class Status(ResponseShape):
    """How far a run is."""

    id: str
    """Of the run."""
    kind: Literal["sweep", "verification"]
    """What it is."""
    console: str
    """Name of the console in the settings."""
    requested_by: str
    """Who asked for it; empty: the command line."""
    state: SweepState
    """`waiting` goes on by itself; `paused`, too, or when it is resumed: see `paused_for`; `done`
    and `cancelled` are over."""
    why: str
    """What brought it to that state."""
    paused_for: CauseKind | None = None
    """Why it is paused; null: it is not. A person has to resume what was paused `by_hand`; from a
    full disk and a console that is down it goes on by itself."""
    planned_at: Moment
    """When it was asked for."""
    ended_at: Moment | None
    """When it was over; null: it is not."""
    done: int
    """Procedures with a verdict, and those left out."""
    total: int
    """All procedures."""
    not_reached: int = 0
    """Procedures for which there was no time before the deadline: they have no verdict, and the
    next sweep takes them."""
    running: int
    """Procedures under way."""
    rate_per_minute: float | None
    """Verdicts in a minute; null where there is none yet."""
    seconds_left: float | None
    """As estimated; null: it will not go on by itself, or nobody knows."""
    verdicts: dict[str, int] = Field(examples=[{"verified": 11, "drifted": 2}])
    """How many there are of each."""
    pid: int | None = None
    """Process that works on it; null: none does."""


@shape_of(RunRow)
class Run(ResponseShape):
    """A line in the list of runs."""

    id: str = Field(examples=["20261121-220000-4f1c"])
    """Sorts by time."""
    kind: Literal["sweep", "verification"]
    """What it is."""
    state: SweepState
    """How it stands with it."""


class RunPage(Page[Run]):
    """Runs, newest first."""


class Verification(Result):
    """A verification: its result so far, and how far it is."""

    state: SweepState
    """How it stands with it."""
    status: Status
    """How far it is."""

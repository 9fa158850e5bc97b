"""What is under way now, and a numbered list of what happened, for those who watch."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from appliance.core.events import Event
from appliance.core.jsonable import Json
from appliance.core.result import ArtifactRef


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
    since: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveRun:
    """A run that is under way."""

    id: str
    kind: str
    """`sweep` or `verification`."""
    console: str
    requested_by: str
    status: Mapping[str, Json]
    """As `Engine.status`."""
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
    `finding_opened`, `finding_closed`, `account_quarantined`."""
    data: Json


class Live:
    """A subscriber of `core.events`."""

    def __call__(self, event: Event) -> None:
        """Take in an event."""
        raise NotImplementedError

    def now(self) -> LiveState:
        """What is under way."""
        raise NotImplementedError

    def follow(
        self, run_id: str | None = None, after: str | None = None
    ) -> AsyncIterator[LiveEvent]:
        """Everything from now on, or after that event; of one run, until it is over.

        Where `after` is not known any more, or None, a `snapshot` comes first: `status` of the
        run and what its browsers show, or `runs` of all that are under way.
        """
        raise NotImplementedError

"""Does by the clock what the settings and the store say."""

from collections.abc import Callable

from appliance.config import ScheduleSettings, Settings
from appliance.core.clock import Clock
from appliance.core.errors import SetupError
from appliance.serving.jobs import Works
from appliance.serving.schedule_state import ScheduleState
from appliance.store import Store
from appliance.store.paging import Paged, Paging
from appliance.store.schedules import ScheduleRun

Tell = Callable[[str, str, str], None]
"""Told of every run that is over: name, job, outcome."""


class UnknownSchedule(SetupError):
    """There is no schedule of that name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no schedule `{name}`")


class Scheduler:
    """One per process. Methods that are no coroutines read the store, and so block."""

    def __init__(
        self,
        engine: Works,
        settings: Settings,
        store: Store,
        clock: Clock | None = None,
        tell: Tell = lambda name, job, outcome: None,
    ) -> None:
        raise NotImplementedError

    async def start(self) -> None:
        """From now on; what was missed meanwhile is done once. `SetupError`: a schedule is bad."""
        raise NotImplementedError

    async def stop(self) -> None:
        """Nothing is begun any more, and what is under way is stopped."""
        raise NotImplementedError

    def list(self) -> tuple[ScheduleState, ...]:
        """All, by name."""
        raise NotImplementedError

    def get(self, name: str) -> ScheduleState:
        """One of them; `UnknownSchedule` where there is none."""
        raise NotImplementedError

    def history(self, paging: Paging, *, name: str | None = None) -> Paged[ScheduleRun]:
        """Runs of one, or of all, newest first."""
        raise NotImplementedError

    async def run_now(self, name: str, by: str) -> ScheduleRun:
        """Begin it now, whether it is enabled or not; the row of the run that began.

        Raises:
            UnknownSchedule: There is none.
            SetupError: It is under way.
        """
        raise NotImplementedError

    async def put(self, name: str, schedule: ScheduleSettings, by: str) -> ScheduleState:
        """Add one, or put it in place of one of the same name, in the settings too; it is kept.

        Raises:
            SetupError: It cannot be: a bad time, an unknown zone or console.
        """
        raise NotImplementedError

    async def remove(self, name: str, by: str) -> None:
        """Remove one that was added; of one that replaced ours, ours is in force again.

        Raises:
            UnknownSchedule: There is none.
            SetupError: It stands in the settings.
        """
        raise NotImplementedError

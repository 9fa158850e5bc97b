"""What schedules do. Each job says in a sentence what became of it."""

from datetime import datetime
from typing import NamedTuple, Protocol

from appliance.environment.account_rows import AccountRow
from appliance.environment.janitor import Reaped
from appliance.serving.asks import SweepAsk
from appliance.store.schedules import ScheduleOutcome
from appliance.store.sweeps import SweepRow


class Works(Protocol):
    """What jobs need of `Engine`."""

    async def start_sweep(
        self, asked: SweepAsk, by: str, closes: datetime | None = None
    ) -> SweepRow:
        """See `Engine`."""
        ...

    async def prepare(self, console: str) -> int:
        """See `Engine`."""
        ...

    def accounts(self, console: str) -> tuple[AccountRow, ...]:
        """See `Engine`."""
        ...

    async def check_account(self, console: str, name: str) -> AccountRow:
        """See `Engine`."""
        ...

    async def reap(self, console: str, dry_run: bool = False) -> tuple[Reaped, ...]:
        """See `Engine`."""
        ...


class JobEnd(NamedTuple):
    """What became of it."""

    outcome: ScheduleOutcome
    why: str

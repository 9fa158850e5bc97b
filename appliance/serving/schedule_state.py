"""A schedule as it stands: what is shown of it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from appliance.config import ScheduleSettings
from appliance.store.schedules import ScheduleOutcome


class Origin(StrEnum):
    """Where the schedule that is in force comes from."""

    CONFIG = "config"  # the settings, or our defaults
    STORE = "store"  # added or changed while it ran


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleState:
    """A schedule, when it is due, and what became of its last run."""

    name: str
    job: str
    console: str
    when: str
    """`0 22 * * * (Europe/Berlin)`, `every 30 minutes`."""
    next_at: datetime | None
    """None: it is switched off, or everything is stopped."""
    last_at: datetime | None
    """When it was last begun."""
    last_outcome: ScheduleOutcome | None
    last_why: str
    last_took_s: float | None
    origin: Origin
    is_enabled: bool
    is_running: bool
    settings: ScheduleSettings

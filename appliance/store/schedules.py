"""What is done by the clock: schedules added while it ran, and what became of each run."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from appliance.core.jsonable import Json
from appliance.core.secrets import without_secrets
from appliance.store.mapping import RowMap
from appliance.store.paging import Paged, Paging, Where
from appliance.store.tables import Tables
from appliance.store.times import as_known, as_stored


class ScheduleOutcome(StrEnum):
    """What became of a run of a schedule."""

    RUNNING = "running"
    DONE = "done"
    SKIPPED = "skipped"  # there was a reason not to
    FAILED = "failed"
    STOPPED = "stopped"  # the server stopped in order meanwhile
    DIED = "died"  # its process ended meanwhile


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSchedule:
    """A schedule that was added or changed while it ran."""

    name: str
    settings: Mapping[str, Json]
    changed_at: datetime
    changed_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleRun:
    """One run of a schedule."""

    id: str
    """Of this run."""
    name: str
    """Of the schedule."""
    job: str
    """What was done."""
    requested_by: str
    """`clock`, `catch-up`, or who asked."""
    started_at: datetime
    ended_at: datetime | None = None
    """None: it is under way, or nobody knows."""
    outcome: ScheduleOutcome = ScheduleOutcome.RUNNING
    """What became of it."""
    why: str = ""
    """What it did, or why not."""

    @property
    def took_s(self) -> float | None:
        """Seconds; None while it runs, and where nobody knows."""
        return (self.ended_at - self.started_at).total_seconds() if self.ended_at else None


_SCHEDULES = RowMap(StoredSchedule, "schedules", json={"settings": dict})
_RUNS = RowMap(ScheduleRun, "schedule_runs")


class ScheduleTables(Tables):
    """The tables `schedules`, `schedule_marks` and `schedule_runs`."""

    about = "schedules"

    def stored(self) -> tuple[StoredSchedule, ...]:
        """Those that were added or changed, by name."""
        return self._select(_SCHEDULES, "ORDER BY name")

    def keep(self, schedule: StoredSchedule) -> None:
        """Keep one, in place of one of the same name."""
        with self._session.transaction("keeping a schedule") as connection:
            connection.execute("DELETE FROM schedules WHERE name = ?", [schedule.name])
            _SCHEDULES.insert(connection, schedule)

    def drop(self, name: str) -> bool:
        """Forget one; whether there was one."""
        dropped = self._write("DELETE FROM schedules WHERE name = ? RETURNING name", [name])
        return bool(dropped)

    def mark(
        self, in_force: Mapping[str, Mapping[str, Json]], now: datetime
    ) -> dict[str, datetime]:
        """Since when each schedule is in force as it is now; others are forgotten."""
        with self._session.transaction("marking schedules") as connection:
            known = {
                name: (json.loads(text), as_known(since))
                for name, text, since in connection.execute(
                    "SELECT name, settings, since FROM schedule_marks"
                ).fetchall()
            }
            marks = {
                name: known[name][1] if name in known and known[name][0] == dict(settings) else now
                for name, settings in in_force.items()
            }
            connection.execute("DELETE FROM schedule_marks")
            for name, since in marks.items():
                connection.execute(
                    "INSERT INTO schedule_marks VALUES (?, ?, ?)",
                    [name, json.dumps(dict(in_force[name])), as_stored(since)],
                )
        return marks

    def begin(self, run: ScheduleRun) -> None:
        """Keep that a run began."""
        self._insert(_RUNS, run)

    def end(self, run_id: str, outcome: ScheduleOutcome, why: str, at: datetime) -> None:
        """Keep how a run ended."""
        self._write(
            "UPDATE schedule_runs SET outcome = ?, why = ?, ended_at = ? WHERE id = ?",
            [outcome, without_secrets(why), at, run_id],
        )

    def settle(self) -> int:
        """After a crash: what was under way died; how many those were."""
        died = self._write(
            "UPDATE schedule_runs SET outcome = 'died', why = 'its process ended meanwhile'"
            " WHERE outcome = 'running' RETURNING id"
        )
        return len(died)

    def last(self) -> Mapping[str, ScheduleRun]:
        """The latest run of each schedule."""
        runs = self._select(
            _RUNS,
            "QUALIFY row_number() OVER (PARTITION BY name ORDER BY started_at DESC, id DESC) = 1",
        )
        return {run.name: run for run in runs}

    def last_begun(self) -> Mapping[str, datetime]:
        """When each schedule was last begun; a run that a stop of the server ended is not one."""
        rows = self._read(
            "SELECT name, max(started_at) FROM schedule_runs WHERE outcome <> 'stopped'"
            " GROUP BY name"
        )
        return {name: as_known(at) for name, at in rows}

    def history(self, paging: Paging, *, name: str | None = None) -> Paged[ScheduleRun]:
        """Runs of one schedule, or of all, newest first."""
        where = Where().equal(name=name)
        return self._page(_RUNS, where, "started_at DESC, id DESC", paging)

    def trim(self, before: datetime) -> int:
        """Forget runs that are older, but for the latest of each schedule; how many those were."""
        forgotten = self._write(
            "DELETE FROM schedule_runs WHERE started_at < ? AND id NOT IN"
            " (SELECT arg_max(id, started_at) FROM schedule_runs GROUP BY name) RETURNING id",
            [before],
        )
        return len(forgotten)

"""Attempts with what was made for them: enough to clean up after a crash."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from appliance.core.jsonable import json_object
from appliance.core.resources import Deed, Inventory, Lifetime, Phase, Receipt, Thing
from appliance.core.secrets import without_secrets
from appliance.store.session import Session
from appliance.store.times import as_known, as_stored

_COLUMNS = (
    'id, run_id, procedure_id, number, console, account, "unique", phase, since, baseline,'
    " problem, expires_at, started_at, ended_at, ends_with_run"
)
_SELECT = f"SELECT {_COLUMNS} FROM attempts"  # noqa: S608 - a constant
_OVER = (Phase.DONE, Phase.LOST)

LEFT_SHOWN = timedelta(days=7)
"""How long one is reminded of what only a person can remove."""


class AttemptTables:
    """The tables `attempts` and `receipts`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def start(self, lifetime: Lifetime) -> None:
        """Keep an attempt before anything is made for it."""
        with self._session.transaction("starting an attempt") as connection:
            marks = ", ".join("?" * 15)
            connection.execute(
                f"INSERT INTO attempts ({_COLUMNS}) VALUES ({marks})",  # noqa: S608 - constants
                _values(lifetime),
            )

    def enter(
        self, attempt_id: str, phase: Phase, *, problem: str = "", at: datetime | None = None
    ) -> None:
        """It has come to this phase; `at` says that it ended."""
        with self._session.transaction("saving the phase of an attempt") as connection:
            connection.execute(
                "UPDATE attempts SET phase = ?, problem = ?, ended_at = ? WHERE id = ?",
                [phase.value, without_secrets(problem), as_stored(at), attempt_id],
            )

    def add_receipts(
        self, attempt_id: str, receipts: Iterable[Receipt], at: datetime | None = None
    ) -> None:
        """What was made or removed."""
        when = as_stored(at or datetime.now(UTC))
        rows = [
            [attempt_id, when, r.deed.value, r.kind, r.id, r.name, without_secrets(r.why)]
            for r in receipts
        ]
        if not rows:
            return
        with self._session.transaction("saving receipts") as connection:
            connection.executemany("INSERT INTO receipts VALUES (?, ?, ?, ?, ?, ?, ?)", rows)

    def receipts(self, attempt_id: str) -> tuple[Receipt, ...]:
        """All of an attempt, oldest first."""
        with self._session.reading("reading receipts") as connection:
            rows = connection.execute(
                'SELECT deed, kind, id, name, why FROM receipts WHERE attempt_id = ? ORDER BY "at"',
                [attempt_id],
            ).fetchall()
        return tuple(
            Receipt(deed=Deed(deed), kind=kind, id=thing, name=name, why=why)
            for deed, kind, thing, name, why in rows
        )

    def get(self, attempt_id: str) -> Lifetime | None:
        """The attempt of that id."""
        found = self._read(f"{_SELECT} WHERE id = ?", [attempt_id])
        return found[0] if found else None

    def unfinished(self) -> tuple[Lifetime, ...]:
        """Those that left something, or may have: oldest first."""
        over = ", ".join(f"'{phase.value}'" for phase in _OVER)
        return self._read(f"{_SELECT} WHERE phase NOT IN ({over}) ORDER BY started_at", [])

    def standing(self, since: datetime) -> tuple[Lifetime, ...]:
        """The unfinished, and those that began since then and left what a person has to remove."""
        over = ", ".join(f"'{phase.value}'" for phase in _OVER)
        return self._read(
            f"{_SELECT} WHERE phase NOT IN ({over}) OR (started_at >= ? AND id IN"  # noqa: S608 - constants
            " (SELECT attempt_id FROM receipts WHERE deed = ?)) ORDER BY started_at",
            [as_stored(since), Deed.LEFT.value],
        )

    def latest(self, limit: int = 50) -> tuple[Lifetime, ...]:
        """The latest, newest first."""
        return self._read(f"{_SELECT} ORDER BY started_at DESC LIMIT ?", [limit])

    def _read(self, query: str, parameters: Sequence[object]) -> tuple[Lifetime, ...]:
        with self._session.reading("reading attempts") as connection:
            rows = connection.execute(query, parameters).fetchall()
        return tuple(_lifetime(row) for row in rows)


def _values(lifetime: Lifetime) -> list[object]:
    baseline = lifetime.baseline
    things = None if baseline is None else [json_object(t) for t in baseline.things]
    return [
        lifetime.id,
        lifetime.run_id,
        lifetime.procedure_id,
        lifetime.number,
        lifetime.console,
        lifetime.account,
        lifetime.unique,
        lifetime.phase.value,
        as_stored(lifetime.since),
        None if things is None else json.dumps(things),
        lifetime.problem,
        as_stored(lifetime.expires_at),
        as_stored(lifetime.started_at),
        as_stored(lifetime.ended_at),
        lifetime.ends_with_run,
    ]


def _lifetime(row: tuple[Any, ...]) -> Lifetime:  # Any: as DuckDB gives it
    names = [name.strip(' "') for name in _COLUMNS.split(",")]
    known = dict(zip(names, row, strict=True))
    baseline = known.pop("baseline")
    for name in ("since", "expires_at", "started_at", "ended_at"):
        known[name] = as_known(known[name])
    things = None if baseline is None else Inventory.of(_thing(t) for t in json.loads(baseline))
    return Lifetime(**known | {"phase": Phase(known["phase"]), "baseline": things})


def _thing(row: dict[str, Any]) -> Thing:  # Any: JSON of our own making
    thing = Thing(**row | {"created": None})
    created = row["created"]
    return replace(thing, created=datetime.fromisoformat(created)) if created else thing

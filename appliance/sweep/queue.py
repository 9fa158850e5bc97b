"""One sweep in the store: how it comes there; every transition is kept before it is acted on."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from appliance.core.causes import Cause, CauseKind
from appliance.core.clock import Clock
from appliance.core.errors import SetupError
from appliance.core.jsonable import Json, json_object
from appliance.store.sweeps import ItemRow, ItemState, SweepRow, SweepState, SweepTables
from appliance.sweep.plan import Plan

MAX_DEATHS = 3
"""After so many deaths of the process while it was under way, a procedure is given up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepRequest:
    """What a sweep is about. Two starts with equal requests are one sweep until it is over."""

    folder: str
    """Where relative paths start."""
    documents: tuple[str, ...]
    checks: tuple[str, ...]
    patterns: tuple[str, ...]
    values: Mapping[str, str]
    policy: str
    console: str

    @classmethod
    def of(cls, sweep: SweepRow) -> "SweepRequest":
        """The request that a sweep was planned from."""
        told = sweep.request
        values = told["values"]
        return cls(
            folder=str(told["folder"]),
            documents=_texts(told["documents"]),
            checks=_texts(told["checks"]),
            patterns=_texts(told["patterns"]),
            values={k: str(v) for k, v in values.items()} if isinstance(values, dict) else {},
            policy=str(told["policy"]),
            console=str(told["console"]),
        )


def new_run_id(now: datetime) -> str:
    """An id that sorts by time and is not used yet."""
    return f"{now.astimezone(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"


def enqueue(
    tables: SweepTables,
    sweep_id: str,
    request: SweepRequest,
    plan: Plan,
    clock: Clock,
    *,
    kind: str = "sweep",
    by: str = "",
) -> SweepRow:
    """Keep a plan: from now on it will be carried out.

    Args:
        tables: Where.
        sweep_id: Its id, and that of its run.
        request: What it was planned from.
        plan: What it is to do.
        clock: The time.
        kind: `sweep`, or `verification`: asked for by itself, and carried out at once.
        by: Who asks.
    """
    sweep = SweepRow(
        id=sweep_id,
        console=request.console,
        state=SweepState.WAITING,
        why="not begun",
        request=json_object(request),
        planned_at=clock.now(),
        kind=kind,
        requested_by=by,
    )
    tables.add(sweep, plan.items)
    return sweep


def unfinished(tables: SweepTables, request: SweepRequest) -> SweepRow | None:
    """The sweep of an equal request that is not over yet; single verifications are none."""
    rows = (row for row in tables.unfinished() if row.kind == "sweep")
    return next((row for row in rows if SweepRequest.of(row) == request), None)


def sweep_of(tables: SweepTables, wanted: str | None) -> SweepRow:
    """The sweep whose id begins so; without one, the latest that is not over, else the latest."""
    rows = tables.latest(1_000_000)
    if wanted is None:
        going = [row for row in tables.unfinished() if row.kind == "sweep"]
        found = tuple(going[:1]) or tuple(row for row in rows if row.kind == "sweep")[:1]
    else:
        found = tuple(r for r in rows if r.id == wanted)
        found = found or tuple(r for r in rows if r.id.startswith(wanted))
    if not found:
        hint = f"{wanted}: `appliance sweep list` shows" if wanted else "yet: `sweep start` makes"
        raise SetupError(f"there is no sweep {hint} {'all' if wanted else 'one'}.")
    if len(found) > 1:
        ids = ", ".join(row.id for row in found[:5])
        raise SetupError(f"{wanted} begins {len(found)} sweep ids: {ids}.")
    return found[0]


class Queue:
    """A sweep that this process carries out."""

    def __init__(self, tables: SweepTables, sweep_id: str, clock: Clock) -> None:
        self.sweep_id = sweep_id
        self._tables = tables
        self._clock = clock

    def open(self) -> tuple[ItemRow, ...]:
        """Put right what a crash left, and begin; all items."""
        self._tables.settle(self.sweep_id, self._clock.now())
        self._tables.enter(self.sweep_id, SweepState.RUNNING, "", self._clock.now())
        return self._tables.items(self.sweep_id)

    def pause(self, cause: Cause, since: datetime) -> None:
        """It stands still, since then."""
        self._tables.pause(self.sweep_id, cause, since)

    def close(self, state: SweepState, why: str) -> None:
        """It stops, for a time or for ever; paused: by a person."""
        if state is SweepState.CANCELLED:
            self._tables.cancel(self.sweep_id, why, self._clock.now())
        elif state is SweepState.PAUSED:
            self.pause(Cause(CauseKind.BY_HAND, why), self._clock.now())
        else:
            self._tables.enter(self.sweep_id, state, why, self._clock.now())

    def begin(self, item: ItemRow, text_hash: str) -> bool:
        """See `SweepTables.begin`."""
        return self._tables.begin(self.sweep_id, item.id, text_hash, self._clock.now())

    def turn(self, item: ItemRow, state: ItemState, note: str = "") -> None:
        """It is done, waits again, or is skipped."""
        now = self._clock.now()
        match state:
            case ItemState.DONE:
                self._tables.end(self.sweep_id, item.id, now, note)
            case ItemState.WAITING:
                self._tables.release(self.sweep_id, item.id, now)
            case ItemState.SKIPPED:
                self._tables.skip(self.sweep_id, item.id, note, now)
            case _:
                raise ValueError(f"a procedure of a sweep does not come to {state} by itself")

    def die(self, item: ItemRow) -> None:
        """Its work failed in a way that is no verdict."""
        self._tables.die(self.sweep_id, item.id, self._clock.now())


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else ()

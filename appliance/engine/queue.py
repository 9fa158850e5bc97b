"""One run in the store: every transition is stored before it is acted on."""

import secrets
from datetime import UTC, datetime

from appliance.core.causes import Cause, CauseKind
from appliance.core.clock import Clock
from appliance.core.errors import SetupError
from appliance.engine.request import RunKind, StoredRequest
from appliance.store.sweeps import ItemRow, ItemState, SweepRow, SweepState, SweepTables

MAX_DEATHS = 3
"""After so many deaths of the process while it was under way, a procedure is given up."""


def new_run_id(now: datetime) -> str:
    """An id that sorts by time and is not used yet."""
    return f"{now.astimezone(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"


def unfinished(tables: SweepTables, request: StoredRequest) -> SweepRow | None:
    """The unfinished sweep of an equal request; None for single verifications."""
    rows = (row for row in tables.unfinished() if row.kind == RunKind.SWEEP)
    return next((row for row in rows if StoredRequest.of(row) == request), None)


def sweep_of(tables: SweepTables, wanted: str | None) -> SweepRow:
    """The sweep whose id begins with `wanted`; if None, the latest, unfinished ones first."""
    rows = tables.latest(1_000_000)
    if wanted is None:
        going = [row for row in tables.unfinished() if row.kind == RunKind.SWEEP]
        matching = tuple(going[:1]) or tuple(row for row in rows if row.kind == RunKind.SWEEP)[:1]
    else:
        matching = tuple(r for r in rows if r.id == wanted)
        matching = matching or tuple(r for r in rows if r.id.startswith(wanted))
    if not matching:
        hint = f"{wanted}: `appliance sweep list` shows" if wanted else "yet: `sweep start` makes"
        raise SetupError(f"there is no sweep {hint} {'all' if wanted else 'one'}.")
    if len(matching) > 1:
        ids = ", ".join(row.id for row in matching[:5])
        raise SetupError(f"{wanted} begins {len(matching)} sweep ids: {ids}.")
    return matching[0]


def leave_unreached(tables: SweepTables, sweep_id: str, now: datetime) -> str:
    """Mark the rest of a sweep as not reached by its deadline; return a sentence on that."""
    unreached = tables.leave(
        sweep_id, "not reached before the deadline; the next sweep takes it", now
    )
    if not unreached:
        return ""
    many = "1 procedure was" if unreached == 1 else f"{unreached} procedures were"
    takes = "it" if unreached == 1 else "them"
    return f"{many} not reached before the deadline, and the next sweep takes {takes}"


class Queue:
    """A sweep that this process carries out."""

    def __init__(self, tables: SweepTables, sweep_id: str, clock: Clock) -> None:
        self.sweep_id = sweep_id
        self._tables = tables
        self._clock = clock

    def open(self) -> tuple[ItemRow, ...]:
        """Repair what a crash left, begin, and return all items."""
        self._tables.settle(self.sweep_id, self._clock.now())
        self._tables.enter(self.sweep_id, SweepState.RUNNING, "", self._clock.now())
        return self._tables.items(self.sweep_id)

    def waiting(self) -> tuple[ItemRow, ...]:
        """The items not begun yet."""
        items = self._tables.items(self.sweep_id)
        return tuple(item for item in items if item.state is ItemState.WAITING)

    def pause(self, cause: Cause, since: datetime) -> None:
        """Pause the sweep, from this time on."""
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
        """Move an item to another state."""
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

    def leave(self) -> str:
        """See `leave_unreached`."""
        return leave_unreached(self._tables, self.sweep_id, self._clock.now())

    def die(self, item: ItemRow) -> None:
        """Note that an item's work failed without a verdict."""
        self._tables.die(self.sweep_id, item.id, self._clock.now())

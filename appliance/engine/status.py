"""How far a sweep is, in one shape: from the store, or from the process that runs it."""

import os
from collections import Counter
from collections.abc import Callable

from appliance.core.events import Event, ProcedureFinished, SweepProgressed
from appliance.core.jsonable import Json, json_object, to_jsonable
from appliance.store.store import Store
from appliance.store.sweeps import ItemState, SweepRow, SweepState

_OPEN = (ItemState.WAITING, ItemState.RUNNING)


def status_of(store: Store, sweep: SweepRow) -> dict[str, Json]:
    """A sweep that does not run now, with what its run has so far."""
    so_far = store.listings.progress(sweep.id)
    is_dead = sweep.state is SweepState.RUNNING
    return {
        "id": sweep.id,
        "console": sweep.console,
        "state": (SweepState.WAITING if is_dead else sweep.state).value,
        "why": "its process died" if is_dead else sweep.why,
        "paused_for": to_jsonable(sweep.paused_for),
        "planned_at": to_jsonable(sweep.planned_at),
        "ended_at": to_jsonable(sweep.ended_at),
        "done": sum(count for state, count in so_far.items.items() if state not in _OPEN),
        "total": sum(so_far.items.values()),
        "running": 0,
        "rate_per_minute": None,
        "seconds_left": None,
        "verdicts": dict(so_far.verdicts),
        "pid": None,
    }


class StatusKeeper:
    """A subscriber that keeps the status of one running sweep true."""

    def __init__(self, before: dict[str, Json], show: Callable[[dict[str, Json]], None]) -> None:
        """A keeper.

        Args:
            before: The status at the start of the sitting.
            show: Told every change.
        """
        self.status = before | {"state": "running", "why": "", "pid": os.getpid()}
        self._show = show
        known = before["verdicts"]
        self._verdicts = Counter(
            {name: int(str(n)) for name, n in known.items()} if isinstance(known, dict) else {}
        )
        show(self.status)

    def __call__(self, event: Event) -> None:
        """Take in an event; those of other sweeps are left alone."""
        match event:
            case ProcedureFinished() if event.run_id == self.status["id"]:
                self._verdicts[event.result.verdict.value] += 1
            case SweepProgressed() if event.sweep_id == self.status["id"]:
                told = json_object(event)
                del told["sweep_id"]
                verdicts: dict[str, Json] = dict(sorted(self._verdicts.items()))
                self.status = self.status | told | {"verdicts": verdicts}
                self._show(self.status)

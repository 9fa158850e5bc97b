"""How far a sweep is, in one shape: from the store, or from the process that runs it."""

import os
from collections import Counter
from collections.abc import Iterable

from appliance.core.events import Event, ProcedureFinished, SweepProgressed
from appliance.core.jsonable import Json, json_object, to_jsonable
from appliance.store.sweeps import ItemRow, ItemState, SweepRow, SweepState
from appliance.sweep.control import Control

_OPEN = (ItemState.WAITING, ItemState.RUNNING)


def status_document(
    sweep: SweepRow, items: Iterable[ItemRow], verdicts: Iterable[str]
) -> dict[str, Json]:
    """A sweep that does not run now.

    Args:
        sweep: Its row.
        items: Its procedures.
        verdicts: Those that its run has.
    """
    states = Counter(item.state for item in items)
    is_dead = sweep.state is SweepState.RUNNING
    return {
        "id": sweep.id,
        "console": sweep.console,
        "state": (SweepState.WAITING if is_dead else sweep.state).value,
        "why": "its process died" if is_dead else sweep.why,
        "planned_at": to_jsonable(sweep.planned_at),
        "ended_at": to_jsonable(sweep.ended_at),
        "done": sum(count for state, count in states.items() if state not in _OPEN),
        "total": sum(states.values()),
        "running": 0,
        "rate_per_minute": None,
        "seconds_left": None,
        "verdicts": {name: count for name, count in sorted(Counter(verdicts).items())},
        "pid": None,
    }


class StatusFile:
    """A subscriber that keeps `running.json` true."""

    def __init__(self, control: Control, before: dict[str, Json]) -> None:
        self._control = control
        self._status = before | {"pid": os.getpid()}
        known = before["verdicts"]
        self._verdicts = Counter(
            {name: int(str(n)) for name, n in known.items()} if isinstance(known, dict) else {}
        )

    def __call__(self, event: Event) -> None:
        """Take in an event."""
        match event:
            case ProcedureFinished():
                self._verdicts[event.result.verdict.value] += 1
            case SweepProgressed():
                told = json_object(event)
                del told["sweep_id"]
                verdicts: dict[str, Json] = dict(sorted(self._verdicts.items()))
                self._status |= told | {"verdicts": verdicts}
                self._control.show(self._status)

"""One sitting of a sweep: from its row in the store until it is over or has to stop."""

from dataclasses import dataclass, replace
from datetime import datetime

from appliance.browser import BrowserPool
from appliance.config import Settings, masked
from appliance.consoles.base import Console
from appliance.core.clock import Clock
from appliance.core.events import Events
from appliance.environment.lifecycle import Environment
from appliance.store import Store
from appliance.store.sweeps import SweepRow
from appliance.sweep.asking import Asked
from appliance.sweep.queue import Queue
from appliance.sweep.run import Bounds, Conductor, Ending, Reading
from appliance.verification import Kit, open_run


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """Everything that a sitting needs, open and in order."""

    settings: Settings
    console: Console
    environment: Environment
    """Of the sweep's run."""
    pool: BrowserPool
    kit: Kit
    events: Events
    clock: Clock


async def sit(asked: Asked, sweep: SweepRow, room: Room, bounds: Bounds) -> Ending:
    """Go on with a sweep until it is over or has to stop. Cancelled, it leaves the rest waiting.

    Raises:
        ConsoleError: The console does not answer at all.
    """
    store, request, accounts = room.kit.store, asked.request, room.environment.pool
    bounds = replace(
        bounds,
        is_waiting=lambda id: accounts.is_waiting(f"{sweep.id}/{id}"),
        obstacles=room.environment.obstacles,
        max_pause_minutes=room.settings.sweep.max_pause_minutes,
        clean_up=room.environment.clean_up_later,
    )
    readings = {p.id: Reading(d, p) for d in asked.documents for p in d.procedures}
    async with open_run(
        asked.documents,
        planned=len(store.sweeps.items(sweep.id)),
        console=room.console,
        environment=room.environment,
        pool=room.pool,
        settings=room.settings,
        policy=request.policy,
        events=room.events,
        kit=room.kit,
        values=request.values,
        run_id=sweep.id,
        config=masked(asked.settings),
        began=store.began(sweep.id),
    ) as run:
        queue = Queue(store.sweeps, sweep.id, room.clock)
        conductor = Conductor(run, queue, readings, bounds, room.events, room.clock)
        return await conductor.conduct(lambda: run.finish(store.load_run(sweep.id).procedures))


def cancel_unbegun(store: Store, sweep: SweepRow, why: str, now: datetime) -> None:
    """End a sweep for ever that no process carries out now. Its verdicts are kept."""
    store.sweeps.settle(sweep.id, now)
    store.sweeps.cancel(sweep.id, why, now)
    if store.began(sweep.id):
        store.save_run(store.load_run(sweep.id))  # it ended with its last verdict

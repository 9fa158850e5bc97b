"""What the command line adds to a sweep: its hours, bars while it runs, and how others see it."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from appliance.cli._history import history
from appliance.cli._progress import progress
from appliance.cli._session import Session, in_session
from appliance.config import Settings
from appliance.core.clock import SystemClock
from appliance.core.errors import SetupError
from appliance.core.jsonable import Json
from appliance.core.result import RunResult
from appliance.core.window import next_time, zone_of
from appliance.store.sweeps import SweepRow
from appliance.sweep import (
    Asked,
    Bounds,
    Control,
    Room,
    StatusKeeper,
    lanes,
    sit,
    status_of,
    window_of,
)


class Sitting(NamedTuple):
    """What became of a sweep this time."""

    run: RunResult
    """All verdicts that it has so far."""
    status: Mapping[str, Json]


def closing(settings: Settings, until: str | None) -> datetime | None:
    """When a sitting that begins now has to stop; `SetupError` where it may not begin."""
    now, zone = SystemClock().now(), zone_of(settings.sweep.time_zone)
    if until is not None:
        try:
            return next_time(until, zone, now)
        except ValueError as exc:
            raise SetupError(f"--until {until!r}: {exc}.") from None
    window = window_of(settings)
    if window is None:
        return None
    closes = window.closing(now)
    if closes is None:
        opens = window.opening(now).astimezone(zone)
        of = settings.sweep
        raise SetupError(
            f"sweeps run {of.window} ({of.time_zone}); the next time begins {opens:%Y-%m-%d %H:%M}."
            " `--until HH:MM` starts one now."
        )
    return closes


def run_sweep(asked: Asked, sweep: SweepRow, closes: datetime | None) -> Sitting:
    """Go on with a sweep until it is over or has to stop."""
    settings = asked.settings
    control = Control.of(settings.data_dir)

    async def work(session: Session) -> Sitting:
        room = Room(
            settings=session.settings,
            console=session.console,
            environment=session.environment,
            pool=session.pool,
            kit=session.kit,
            events=session.events,
            clock=SystemClock(),
        )
        bounds = Bounds(
            lanes=lanes(settings),
            min_free_mib=settings.sweep.min_free_mib,
            closes=closes,
            wish=lambda: control.wish(sweep.id),
        )
        await sit(asked, sweep, room, bounds)
        store = session.store
        row = store.sweeps.get(sweep.id) or sweep
        return Sitting(store.load_run(sweep.id), status_of(store, row))

    with control.hold(sweep.id):
        with history(settings) as store:
            before = status_of(store, sweep)
        told = StatusKeeper(before, control.show)
        with progress(asked.chosen) as subscriber:
            request = asked.request
            return in_session(
                settings, request.console, sweep.id, work, subscriber, told, policy=request.policy
            )

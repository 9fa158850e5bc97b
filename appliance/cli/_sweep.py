"""One sitting of a sweep from its row in the store to its end, and its plan."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from appliance.cli._history import history
from appliance.cli._progress import progress
from appliance.cli._selection import choose, read_documents
from appliance.cli._session import Session, in_session
from appliance.config import Settings, masked
from appliance.core.clock import SystemClock
from appliance.core.errors import SetupError
from appliance.core.jsonable import Json
from appliance.core.procedure import Document, Procedure
from appliance.core.result import RunResult
from appliance.core.window import Window, next_time, zone_of
from appliance.store import Store
from appliance.store.sweeps import SweepRow
from appliance.sweep import (
    Bounds,
    Conductor,
    Control,
    Ending,
    History,
    Plan,
    Queue,
    Reading,
    StatusFile,
    SweepRequest,
    make_plan,
    status_document,
)
from appliance.verification import open_run


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A sweep as it stands on the command line, with its documents read."""

    settings: Settings
    request: SweepRequest
    documents: tuple[Document, ...]
    chosen: tuple[Procedure, ...]


class Sitting(NamedTuple):
    """What became of it this time."""

    run: RunResult
    """All verdicts that the sweep has so far."""
    ending: Ending
    status: Mapping[str, Json]


def asked(
    settings: Settings,
    paths: Sequence[Path],
    checks: Sequence[Path],
    patterns: Sequence[str],
    values: Mapping[str, str],
    policy: str,
) -> Asked:
    """Read what a sweep is to be about."""
    documents = read_documents(paths, checks)
    request = SweepRequest(
        folder=str(Path.cwd()),
        documents=tuple(map(str, paths)),
        checks=tuple(map(str, checks)),
        patterns=tuple(patterns),
        values=dict(values),
        policy=policy,
        console=settings.console,
    )
    chosen = choose(documents, patterns)
    return Asked(settings=settings, request=request, documents=documents, chosen=chosen)


def asked_again(settings: Settings, sweep: SweepRow) -> Asked:
    """The same for a sweep that was planned earlier."""
    request = SweepRequest.of(sweep)
    relative = not all(Path(path).is_absolute() for path in (*request.documents, *request.checks))
    if relative and Path(request.folder) != Path.cwd():
        raise SetupError(
            f"sweep {sweep.id} was planned in {request.folder}, where its documents are: go there."
        )
    paths, checks = map(Path, request.documents), map(Path, request.checks)
    documents = read_documents(tuple(paths), tuple(checks))
    chosen = tuple(p for d in documents for p in d.procedures)
    changed = settings.model_copy(update={"console": request.console})
    return Asked(settings=changed, request=request, documents=documents, chosen=chosen)


def plan_of(asked: Asked, store: Store | None) -> Plan:
    """What is due."""
    console = asked.settings.console
    return make_plan(
        asked.documents,
        asked.chosen,
        history=History.read(store.sweeps, console) if store else History(),
        settings=asked.settings.sweep,
        lanes=lanes(asked.settings),
        now=SystemClock().now(),
        is_asked=bool(asked.request.patterns),
    )


def lanes(settings: Settings) -> int:
    """How many procedures are under way at a time."""
    return min(settings.verification.parallel, settings.browser.pool_size)


def closing(settings: Settings, until: str | None) -> datetime | None:
    """When a sitting that begins now has to stop; `SetupError` where it may not begin."""
    of, now = settings.sweep, SystemClock().now()
    zone = zone_of(of.time_zone)
    if until is not None:
        try:
            return next_time(until, zone, now)
        except ValueError as exc:
            raise SetupError(f"--until {until!r}: {exc}.") from None
    if not of.window:
        return None
    window = Window.parse(of.window, zone)
    closes = window.closing(now)
    if closes is None:
        opens = window.opening(now).astimezone(zone)
        raise SetupError(
            f"sweeps run {of.window} ({of.time_zone}); the next time begins {opens:%Y-%m-%d %H:%M}."
            " `--until HH:MM` starts one now."
        )
    return closes


def status_of(store: Store, sweep: SweepRow) -> dict[str, Json]:
    """How far a sweep is that does not run now."""
    verdicts: tuple[str, ...] = ()
    if store.began(sweep.id):
        verdicts = tuple(p.verdict.value for p in store.load_run(sweep.id).procedures)
    return status_document(sweep, store.sweeps.items(sweep.id), verdicts)


def sit(asked: Asked, sweep: SweepRow, closes: datetime | None) -> Sitting:
    """Go on with a sweep until it is over or has to stop."""
    settings, request = asked.settings, asked.request
    control = Control.of(settings.data_dir)
    readings = {p.id: Reading(d, p) for d in asked.documents for p in d.procedures}

    async def work(session: Session) -> Sitting:
        store, clock = session.store, SystemClock()
        async with open_run(
            asked.documents,
            planned=len(store.sweeps.items(sweep.id)),
            console=session.console,
            environment=session.world.environment,
            pool=session.pool,
            settings=session.settings,
            policy=request.policy,
            events=session.events,
            artifacts=store.artifacts,
            values=request.values,
            run_id=sweep.id,
            config=masked(settings),
            began=store.began(sweep.id),
        ) as run:
            queue = Queue(store.sweeps, sweep.id, clock)
            bounds = Bounds(
                lanes=lanes(settings),
                min_free_mib=settings.sweep.min_free_mib,
                closes=closes,
                wish=lambda: control.wish(sweep.id),
            )
            conductor = Conductor(run, queue, readings, bounds, session.events, clock)
            ending = await conductor.conduct(
                lambda: run.finish(store.load_run(sweep.id).procedures)
            )
            row = store.sweeps.get(sweep.id) or sweep
            return Sitting(store.load_run(sweep.id), ending, status_of(store, row))

    with control.hold(sweep.id):
        with history(settings) as store:
            before = status_of(store, sweep)
        control.show(before | {"state": "running", "why": "", "pid": os.getpid()})
        with progress(asked.chosen) as subscriber:
            told = StatusFile(control, before)
            return in_session(settings, request.console, sweep.id, work, subscriber, told)

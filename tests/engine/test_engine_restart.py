"""What a process that died has left, as the next ones find it. No console answers and no browser is
there: nothing is carried out."""

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from appliance.config import (
    AccountSettings,
    ConsoleSettings,
    ScheduleSettings,
    Settings,
    SweepSettings,
    WebhookSettings,
)
from appliance.config.service_settings import DocumentationSettings
from appliance.core.causes import Cause, CauseKind
from appliance.core.clock import SetClock
from appliance.core.events import Event, ProcedureFinished, SweepProgressed
from appliance.documents import load_documents
from appliance.engine.engine import Engine, EngineOptions
from appliance.engine.request import RunKind, RunRequest
from appliance.engine.schedules.jobs import CATCH_UP
from appliance.engine.schedules.scheduler import Scheduler
from appliance.engine.webhooks.webhooks import Webhooks
from appliance.store.paging import Paging
from appliance.store.schedules import ScheduleRun
from appliance.store.store import Store
from appliance.store.sweeps import SweepRow, SweepState
from tests.engine.conftest import result_of

EVENING = datetime(2026, 11, 21, 22, tzinfo=UTC)
NIGHT_S = 9 * 3600.0
"""From the evening until after the deadline."""


class Machine:
    """A data folder, and the processes that work in it one after the other."""

    def __init__(self, folder: Path, **sweep: object) -> None:
        guide = folder / "guide.md"
        parts = (f"## {title}\n\n1. Click **{title}**.\n" for title in ("One", "Two", "Three"))
        guide.write_text("# Guide\n\n" + "\n".join(parts))
        account = AccountSettings(username="alice", password_file=folder / "password")
        console = ConsoleSettings(
            kind="practice", url="http://127.0.0.1:9", accounts={"alice": account}
        )
        self.settings = Settings(
            data_dir=folder / "data",
            consoles={"practice": console},
            documentation=DocumentationSettings(paths=(guide,)),
            sweep=SweepSettings(**sweep),
            schedules={"nightly": ScheduleSettings(job="sweep", cron="30 22 * * *")},
            webhooks={"team": WebhookSettings(url="http://127.0.0.1:9", secret_env="HOOK_SECRET")},
        )
        self.guide, self.clock = guide, SetClock(EVENING)
        self.told: list[Event] = []

    @asynccontextmanager
    async def process(self, *, works: bool = True) -> AsyncIterator[Engine]:
        """One that works off its queue, until it is killed."""
        with Store.open(self.settings.data_dir) as store, ThreadPoolExecutor(1) as thread:
            webhooks = Webhooks(self.settings, store, self.clock)

            def tell(event: Event) -> None:
                self.told.append(event)
                thread.submit(webhooks, event)

            options = EngineOptions(subscribers=[tell], clock=self.clock)
            engine = Engine(self.settings, store, None, options=options)
            await asyncio.to_thread(engine.put_right)
            working = asyncio.create_task(engine.work() if works else asyncio.sleep(0))
            try:
                yield engine
            finally:
                working.cancel()
                with suppress(asyncio.CancelledError):
                    await working
                await engine.drain(1)

    def know_schedules(self, store: Store) -> None:
        """As a scheduler does that is started in the evening."""
        plain = {name: one.model_dump(mode="json") for name, one in self.settings.schedules.items()}
        store.schedules.mark(plain, EVENING)

    async def killed(self) -> SweepRow:
        """A sweep in whose middle the process died: one has its verdict, one was under way."""
        with Store.open(self.settings.data_dir) as store:
            options = EngineOptions(clock=self.clock)
            engine = Engine(self.settings, store, None, options=options)
            row = await engine.keep(RunRequest(kind=RunKind.SWEEP, requested_by="schedule nightly"))
            now = self.clock.now()
            store.sweeps.enter(row.id, SweepState.RUNNING, "", now)
            (document,) = load_documents([self.guide])
            first, second, _ = store.sweeps.items(row.id)
            assert store.sweeps.begin(row.id, first.id, "h", now)
            result = result_of(document.procedures[0], document)
            await engine.events.record(ProcedureFinished(run_id=row.id, result=result))
            store.sweeps.end(row.id, first.id, now)
            assert store.sweeps.begin(row.id, second.id, "h", now)
            await engine.drain(1)
        return row


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not is_so():
            await asyncio.sleep(0.01)


def ends(engine: Engine) -> list[dict[str, object]]:
    """What receivers are told of ends."""
    messages = engine.store.outbox.page(Paging()).items
    return [json.loads(one.body)["data"] for one in messages if one.event == "sweep.finished"]


@pytest.fixture(autouse=True)
def secret(monkeypatch):
    monkeypatch.setenv("HOOK_SECRET", "whsec_" + base64.b64encode(bytes(32)).decode())


async def test_a_sweep_that_is_over_when_the_next_process_starts_is_told_of_once(tmp_path):
    machine = Machine(tmp_path, deadline="06:00")
    row = await machine.killed()
    machine.clock.turn(NIGHT_S)
    for _ in range(3):
        async with machine.process() as engine:
            await until(lambda: engine.status(row.id)["state"] == "done" and bool(ends(engine)))
            (told,) = ends(engine)
    why = "2 procedures were not reached before the deadline, and the next sweep takes them"
    assert (told["id"], told["state"], told["why"]) == (row.id, "done", why)
    assert (told["done"], told["total"], told["requested_by"]) == (1, 3, "schedule nightly")
    assert told["summary"]["verified"] == 1
    assert len([event for event in machine.told if isinstance(event, SweepProgressed)]) == 1


async def test_one_whose_console_stays_down_is_told_of_when_it_is_given_up(tmp_path):
    machine = Machine(tmp_path, max_pause_minutes=60)
    row = await machine.killed()
    with Store.open(machine.settings.data_dir) as store:
        cause = Cause(CauseKind.CONSOLE_DOWN, "no answer")
        store.sweeps.pause(row.id, cause, machine.clock.now())
    machine.clock.turn(NIGHT_S)
    for _ in range(2):
        async with machine.process() as engine:
            await until(lambda: bool(ends(engine)))
            (told,) = ends(engine)
            assert (told["id"], told["state"]) == (row.id, "cancelled")
            assert told["why"] == engine.status(row.id)["why"]
            assert (told["done"], told["total"]) == (1, 3)


async def test_one_that_a_person_cancels_while_it_waits_is_told_of(tmp_path):
    machine = Machine(tmp_path)
    row = await machine.killed()
    async with machine.process() as engine:
        await engine.cancel(row.id, by="eva")
        await until(lambda: bool(ends(engine)))
        (told,) = ends(engine)
        assert (told["state"], told["why"]) == ("cancelled", "cancelled by eva")


async def test_one_that_is_over_when_the_next_is_asked_for_is_told_of_first(tmp_path):
    machine = Machine(tmp_path, deadline="06:00")
    async with machine.process() as engine:
        first = await engine.keep(RunRequest(kind=RunKind.SWEEP))
        machine.clock.turn(NIGHT_S)
        second = await engine.keep(RunRequest(kind=RunKind.SWEEP))
        assert second.id != first.id
        await until(lambda: bool(ends(engine)))
        assert [told["id"] for told in ends(engine)] == [first.id]


# -- what was missed meanwhile ---------------------------------------------------------------------


async def caught_up(engine: Engine, machine: Machine) -> ScheduleRun:
    """What became of the nightly sweep whose time passed while the machine was off."""
    scheduler = Scheduler(engine, machine.settings, engine.store, machine.clock)
    await scheduler.start()
    try:
        await until(lambda: not scheduler.get("nightly").is_running)
        (run,) = scheduler.history(Paging(), name="nightly").items
    finally:
        await scheduler.stop()
    assert run.requested_by == CATCH_UP
    return run


@pytest.mark.parametrize("left_as", ["running", "waiting", "paused"])
async def test_a_missed_night_is_made_up_for_though_the_last_sweep_died(tmp_path, left_as):
    """As it is asked for before the queue has been looked at: nobody works here."""
    machine = Machine(tmp_path, deadline="06:00")
    dead = await machine.killed()
    with Store.open(machine.settings.data_dir) as store:
        if left_as == "waiting":
            store.sweeps.enter(dead.id, SweepState.WAITING, "stopped", EVENING)
        elif left_as == "paused":
            store.sweeps.pause(dead.id, Cause(CauseKind.CONSOLE_DOWN, "no answer"), EVENING)
        machine.know_schedules(store)
    machine.clock.turn(25 * 3600.0)  # the next evening at eleven
    async with machine.process(works=False) as engine:
        run = await caught_up(engine, machine)
        old, new = engine.store.sweeps.get(dead.id), engine.store.sweeps.latest()[0]
        assert (run.outcome, run.why) == ("done", f"began sweep {new.id}")
        assert (old.state, new.state) == (SweepState.DONE, SweepState.WAITING)


async def test_a_sweep_whose_process_died_goes_on_and_is_not_called_under_way(tmp_path):
    machine = Machine(tmp_path)
    dead = await machine.killed()
    with Store.open(machine.settings.data_dir) as store:
        machine.know_schedules(store)
    machine.clock.turn(25 * 3600.0)
    async with machine.process(works=False) as engine:
        assert engine.status(dead.id)["why"] == "its process died"
        run = await caught_up(engine, machine)
        assert (run.outcome, run.why) == ("done", f"goes on with sweep {dead.id}")


async def test_one_that_a_person_holds_is_left_alone_after_its_deadline(tmp_path):
    machine = Machine(tmp_path, deadline="06:00")
    held = await machine.killed()
    with Store.open(machine.settings.data_dir) as store:
        store.sweeps.pause(held.id, Cause(CauseKind.BY_HAND, "paused by eva"), EVENING)
        machine.know_schedules(store)
    machine.clock.turn(25 * 3600.0)
    async with machine.process(works=False) as engine:
        run = await caught_up(engine, machine)
        why = f"sweep {held.id} of these documents is paused: resume or cancel it."
        assert (run.outcome, run.why) == ("skipped", why)

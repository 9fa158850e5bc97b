"""Schedules: what is done when, what is kept of it, and what a pause of the machine does."""

import asyncio
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import pytest

from appliance.config import ScheduleSettings, Settings, SweepSettings
from appliance.core.clock import SetClock, SystemClock
from appliance.core.errors import ConsoleError, SetupError
from appliance.core.verdict import Verdict
from appliance.engine.problems import NothingToDo
from appliance.engine.schedules.jobs import JobEnd, Lent
from appliance.engine.schedules.scheduler import Scheduler
from appliance.engine.schedules.state import ScheduleOrigin, UnknownSchedule
from appliance.engine.settling import Settled
from appliance.store.paging import Paging
from appliance.store.schedules import ScheduleOutcome
from appliance.store.store import Store
from appliance.store.sweeps import SweepRow, SweepState

NOON = datetime(2026, 3, 28, 12, tzinfo=UTC)


class Cloud:
    """An engine that notes what it is asked."""

    def __init__(self, clock):
        self.clock = clock
        self.sweeps, self.reaped, self.settled = [], 0, ()
        self.refuses, self.hold, self.state = None, None, SweepState.WAITING
        self.clouds = self

    async def start(self, request):
        if self.refuses:
            raise self.refuses
        self.sweeps.append((request.console, request.requested_by, request.closes))
        return SweepRow(
            id=f"s{len(self.sweeps)}",
            console=request.console,
            state=self.state,
            why="",
            request={},
            planned_at=self.clock.now(),
        )

    async def prepare(self, console):
        return 1

    def accounts(self, console):
        return ()

    async def check_account(self, console, name):
        raise NotImplementedError

    async def reap(self, console, dry_run=False):
        self.reaped += 1
        if self.hold:
            await self.hold.wait()
        if self.refuses:
            raise self.refuses
        return ()

    async def settle(self):
        return self.settled


@pytest.fixture
def store(tmp_path):
    with Store.open(tmp_path) as store:
        yield store


@pytest.fixture
def clock():
    return SetClock(NOON)


@pytest.fixture
def cloud(clock):
    return Cloud(clock)


def settings(sweep=None, **schedules):
    return Settings(
        schedules={name: ScheduleSettings(**one) for name, one in schedules.items()},
        sweep=sweep or SweepSettings(),
    )


@asynccontextmanager
async def started(cloud, settings, store, clock, tell=lambda *told: None):
    scheduler = Scheduler(cloud, settings, store, clock, tell)
    await scheduler.start()
    try:
        yield scheduler
    finally:
        await scheduler.stop()


async def until(is_so):
    async with asyncio.timeout(20):
        while not is_so():
            await asyncio.sleep(0.01)


async def ended(scheduler, name, runs=1):
    """The newest run of a schedule, when so many are over."""
    async with asyncio.timeout(20):
        while True:
            page = scheduler.history(Paging(), name=name)
            over = [run for run in page.items if run.outcome is not ScheduleOutcome.RUNNING]
            if len(over) >= runs and not scheduler.get(name).is_running:
                return page.items[0]
            await asyncio.sleep(0.01)


async def test_it_is_done_by_the_clock_and_kept(cloud, store):
    told = []
    every = settings(janitor={"job": "janitor", "every_minutes": 0.01})
    async with started(cloud, every, store, SystemClock(), lambda *t: told.append(t)) as scheduler:
        await until(lambda: told.count(("janitor", "janitor", "done")) >= 2)
        runs = scheduler.history(Paging()).items
    done = [run for run in runs if run.outcome is ScheduleOutcome.DONE]
    assert len(done) >= 2
    assert {(run.why, run.requested_by) for run in done} == {("nothing was left over", "clock")}
    assert all(run.took_s is not None for run in done)


async def test_a_training_gets_the_time_that_the_schedule_gives_it(cloud, store, clock):
    given = []

    async def carry_on(closes):
        given.append(closes)
        return JobEnd(ScheduleOutcome.DONE, "one step more")

    by_night = settings(school={"job": "training", "cron": "0 1 * * *", "for_minutes": 90})
    scheduler = Scheduler(cloud, by_night, store, clock, lent=Lent(train=carry_on))
    await scheduler.start()
    try:
        await scheduler.run_now("school", "eva")
        assert (await ended(scheduler, "school")).why == "one step more"
    finally:
        await scheduler.stop()
    assert given == [NOON + timedelta(minutes=90)]


async def test_late_audit_logs_are_asked_again(cloud, store, clock):
    often = settings(settle={"job": "settle", "every_minutes": 5})
    async with started(cloud, often, store, clock) as scheduler:
        await scheduler.run_now("settle", "eva")
        assert (await ended(scheduler, "settle")).outcome is ScheduleOutcome.SKIPPED
        cloud.settled = (
            Settled(run_id="r", procedure_id="p1", verdict=Verdict.VERIFIED, why="it came"),
        )
        clock.turn(1)
        await scheduler.run_now("settle", "eva")
        assert (await ended(scheduler, "settle", 2)).why == "1 verdict settled: p1 verified"


async def test_never_two_runs_of_one_at_once(cloud, store):
    cloud.hold = asyncio.Event()
    every = settings(janitor={"job": "janitor", "every_minutes": 0.01})
    async with started(cloud, every, store, SystemClock()) as scheduler:
        await until(lambda: scheduler.history(Paging()).total >= 3)
        with pytest.raises(SetupError, match="under way already"):
            await scheduler.run_now("janitor", "eva")
        *later, first = scheduler.history(Paging()).items
        assert cloud.reaped == 1
        assert first.outcome is ScheduleOutcome.RUNNING
        assert {(run.outcome, run.why) for run in later} == {
            ("skipped", "its last run is still under way")
        }


async def test_a_job_that_fails_is_kept_and_stops_nothing(cloud, store, clock):
    both = settings(
        broken={"job": "janitor", "cron": "0 1 * * *"},
        training={"job": "training", "cron": "0 1 * * *"},
    )
    cloud.refuses = ConsoleError("the console is down")
    async with started(cloud, both, store, clock) as scheduler:
        await scheduler.run_now("broken", "eva")
        run = await ended(scheduler, "broken")
        assert (run.outcome, run.why, run.requested_by) == ("failed", "the console is down", "eva")
        cloud.refuses = ZeroDivisionError("oh")
        clock.turn(1)
        await scheduler.run_now("broken", "eva")
        assert (await ended(scheduler, "broken", 2)).why == "ZeroDivisionError: oh"
        await scheduler.run_now("training", "eva")
        assert (await ended(scheduler, "training")).outcome is ScheduleOutcome.SKIPPED
        state = scheduler.get("broken")
        assert (state.last_outcome, state.last_why) == ("failed", "ZeroDivisionError: oh")


async def test_what_was_missed_is_caught_up_once(cloud, store, clock):
    nights = settings(
        nightly={"job": "sweep", "cron": "0 22 * * *"},
        prepare={"job": "prepare", "cron": "30 21 * * *", "catches_up": False},
        off={"job": "janitor", "cron": "0 22 * * *", "is_enabled": False},
        hourly={"job": "janitor", "every_minutes": 60},
    )
    async with started(cloud, nights, store, clock) as scheduler:
        assert scheduler.history(Paging()).total == 0  # nothing was missed before it was there
    clock.turn(timedelta(days=5).total_seconds())
    async with started(cloud, nights, store, clock) as scheduler:
        assert (await ended(scheduler, "nightly")).requested_by == "catch-up"
        assert (await ended(scheduler, "hourly")).requested_by == "catch-up"
        assert scheduler.history(Paging()).total == 2
        assert scheduler.get("hourly").next_at == clock.now() + timedelta(hours=1)
    async with started(cloud, nights, store, clock) as scheduler:
        await asyncio.sleep(0)
        assert scheduler.history(Paging()).total == 2
    assert cloud.sweeps == [("practice", "schedule nightly", None)]


async def test_a_schedule_that_was_changed_has_missed_nothing(cloud, store, clock):
    async with started(cloud, settings(n={"job": "sweep", "cron": "0 22 * * *"}), store, clock):
        pass
    clock.turn(timedelta(days=1).total_seconds())
    changed = settings(n={"job": "sweep", "cron": "0 23 * * *"})
    async with started(cloud, changed, store, clock) as scheduler:
        assert scheduler.history(Paging()).total == 0


async def test_a_run_that_a_kill_ended_died_and_one_that_a_stop_ended_comes_again(
    cloud, store, clock
):
    daily = settings(janitor={"job": "janitor", "cron": "0 22 * * *"})
    cloud.hold = asyncio.Event()
    async with started(cloud, daily, store, clock):
        pass
    clock.turn(timedelta(hours=11).total_seconds())
    async with started(cloud, daily, store, clock) as scheduler:
        await until(lambda: cloud.reaped)
    assert scheduler.history(Paging()).items[0].outcome is ScheduleOutcome.STOPPED
    cloud.hold = None
    clock.turn(1)
    async with started(cloud, daily, store, clock) as scheduler:
        assert (await ended(scheduler, "janitor", 2)).outcome is ScheduleOutcome.DONE
    with store.session.transaction("as a kill leaves it") as connection:
        connection.execute("UPDATE schedule_runs SET outcome = 'running', ended_at = NULL")
    async with started(cloud, daily, store, clock) as scheduler:
        outcomes = {run.outcome for run in scheduler.history(Paging()).items}
        assert outcomes == {ScheduleOutcome.DIED}


@pytest.mark.parametrize(
    ("now", "next_at"),
    [
        ("2026-03-28T12:00+00:00", "2026-03-29T01:30+00:00"),  # 02:30 does not exist: 03:30
        ("2026-10-24T12:00+00:00", "2026-10-25T00:30+00:00"),  # 02:30 exists twice: the first
        ("2026-10-25T00:30+00:00", "2026-10-26T01:30+00:00"),  # and not the second
    ],
)
async def test_the_days_when_clocks_change(cloud, store, now, next_at):
    nightly = {"job": "sweep", "cron": "30 2 * * *", "time_zone": "Europe/Berlin"}
    clock = SetClock(datetime.fromisoformat(now))
    async with started(cloud, settings(nightly=nightly), store, clock) as scheduler:
        state = scheduler.get("nightly")
    assert state.next_at == datetime.fromisoformat(next_at)
    assert state.when == "30 2 * * * (Europe/Berlin)"


@pytest.mark.parametrize("switch_day", ["2026-03-28T12:00+00:00", "2026-10-24T12:00+00:00"])
async def test_off_over_the_night_when_clocks_change(cloud, store, switch_day):
    """Caught up once, and then not again though the hour comes a second time."""
    nightly = {"job": "sweep", "cron": "30 2 * * *", "time_zone": "Europe/Berlin"}
    clock = SetClock(datetime.fromisoformat(switch_day))
    asked = settings(nightly=nightly)
    async with started(cloud, asked, store, clock):
        pass
    for hours in (13, 1, 1):  # 01:00, 02:00 and 03:00 UTC
        clock.turn(hours * 3600)
        async with started(cloud, asked, store, clock) as scheduler:
            await until(lambda: not scheduler.get("nightly").is_running)
    assert len(cloud.sweeps) == 1


async def test_a_sweep_ends_with_its_window(cloud, store, clock):
    window = SweepSettings(window="22:00-06:00", time_zone="Europe/Berlin")
    nightly = settings(window, nightly={"job": "sweep", "cron": "0 22 * * *"})
    clock.turn(9.5 * 3600)  # 22:30 in Berlin, and the night is an hour shorter
    async with started(cloud, nightly, store, clock) as scheduler:
        await scheduler.run_now("nightly", "eva")
        assert (await ended(scheduler, "nightly")).why == "began sweep s1"
        cloud.refuses = NothingToDo("nothing is due")
        clock.turn(1)
        await scheduler.run_now("nightly", "eva")
        run = await ended(scheduler, "nightly", 2)
    assert cloud.sweeps == [("practice", "schedule nightly", datetime(2026, 3, 29, 4, tzinfo=UTC))]
    assert (run.outcome, run.why) == ("skipped", "nothing is due")


async def test_a_sweep_that_is_under_way_is_not_begun_again(cloud, store, clock):
    cloud.state = SweepState.RUNNING
    nightly = settings(nightly={"job": "sweep", "cron": "0 22 * * *"})
    async with started(cloud, nightly, store, clock) as scheduler:
        await scheduler.run_now("nightly", "eva")
        run = await ended(scheduler, "nightly")
    assert (run.outcome, run.why) == ("skipped", "sweep s1 is under way")


async def test_a_sweep_is_not_caught_up_outside_its_window(cloud, store, clock):
    nightly = settings(
        SweepSettings(window="22:00-06:00"), nightly={"job": "sweep", "cron": "0 22 * * *"}
    )
    async with started(cloud, nightly, store, clock):
        pass
    clock.turn(24 * 3600)
    async with started(cloud, nightly, store, clock) as scheduler:
        run = await ended(scheduler, "nightly")
    assert (run.outcome, cloud.sweeps) == ("skipped", [])
    assert run.why == "sweeps run from 22:00-06:00 (UTC), and it is not then"


async def test_schedules_are_added_changed_and_removed_while_it_runs(cloud, store, clock):
    nights = settings(nightly={"job": "sweep", "cron": "0 22 * * *"})
    async with started(cloud, nights, store, clock) as scheduler:
        added = await scheduler.put(
            "often", ScheduleSettings(job="janitor", every_minutes=5), "eva"
        )
        assert (added.when, added.origin) == ("every 5 minutes", ScheduleOrigin.STORE)
        assert added.next_at == NOON + timedelta(minutes=5)
        off = ScheduleSettings(job="sweep", cron="0 22 * * *", is_enabled=False)
        assert (await scheduler.put("nightly", off, "eva")).next_at is None
    async with started(cloud, nights, store, clock) as scheduler:
        assert [s.name for s in scheduler.list()] == ["nightly", "often"]
        assert not scheduler.get("nightly").is_enabled
        await scheduler.remove("nightly", "eva")
        state = scheduler.get("nightly")
        assert (state.is_enabled, state.origin) == (True, ScheduleOrigin.CONFIG)
        with pytest.raises(SetupError, match="stands in the settings"):
            await scheduler.remove("nightly", "eva")
        await scheduler.remove("often", "eva")
        for call in (scheduler.remove("often", "eva"), scheduler.run_now("often", "eva")):
            with pytest.raises(UnknownSchedule):
                await call


async def test_one_that_was_added_is_done_by_the_clock(cloud, store):
    async with started(cloud, settings(), store, SystemClock()) as scheduler:
        await scheduler.put("often", ScheduleSettings(job="janitor", every_minutes=0.01), "eva")
        await until(lambda: cloud.reaped)


@pytest.mark.parametrize(
    ("name", "schedule", "message"),
    [
        ("x", {"cron": "61 * * * *"}, "`cron`: error validating"),
        ("x", {"cron": "1 * * * *", "time_zone": "Mars"}, "`time_zone`: there is no time zone"),
        ("x", {"every_minutes": 5, "console": "nowhere"}, "no console is named `nowhere`"),
        ("x", {}, "needs `cron` or `every_minutes`"),
        ("a b", {"every_minutes": 5}, "a name has up to 64"),
    ],
)
async def test_a_schedule_that_cannot_be_is_refused(cloud, store, clock, name, schedule, message):
    async with started(cloud, settings(), store, clock) as scheduler:
        with pytest.raises(SetupError, match=message):
            await scheduler.put(name, ScheduleSettings(job="janitor", **schedule), "eva")
        assert scheduler.list() == ()


async def test_one_whose_console_went_away_keeps_nothing_from_starting(cloud, store, clock):
    stored = ScheduleSettings(job="sweep", cron="0 1 * * *", console="practice")
    async with started(cloud, settings(), store, clock) as scheduler:
        await scheduler.put("theirs", stored, "eva")
    other = settings().model_copy(update={"consoles": {}})
    async with started(cloud, other, store, clock) as scheduler:
        (state,) = scheduler.list()
        assert "no console is named `practice`" in state.problem
        assert state.next_at is None
        with pytest.raises(SetupError, match="cannot be"):
            await scheduler.run_now("theirs", "eva")


async def test_the_store_is_looked_after(cloud, store, clock):
    ours = settings(
        checkpoint={"job": "checkpoint", "every_minutes": 60},
        backup={"job": "backup", "cron": "30 7 * * *"},
        retention={"job": "retention", "cron": "0 7 * * *"},
        prepare={"job": "prepare", "cron": "0 7 * * *"},
        health={"job": "account_health", "cron": "0 7 * * *"},
    )
    async with started(cloud, ours, store, clock) as scheduler:
        said = {}
        for name in ours.schedules:
            await scheduler.run_now(name, "eva")
            run = await ended(scheduler, name)
            said[name] = f"{run.outcome}: {run.why}"
    assert said["checkpoint"] == "done: the store's file has all that was written"
    assert said["backup"].startswith("done: backup 20260328-120000, ")
    assert said["retention"].startswith("done: ")
    assert said["prepare"] == "done: 1 shared resource ready for the coming sweep"
    assert said["health"] == "skipped: practice has no accounts in the settings"

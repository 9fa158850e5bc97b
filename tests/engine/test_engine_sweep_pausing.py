"""A sweep with a full disk or an outage in its way, as a test says; the store is a real one."""

import asyncio
from datetime import timedelta

import pytest

from appliance.core.causes import Cause, CauseKind
from appliance.core.errors import HinderedError, StoreError
from appliance.core.events import SweepProgressed
from appliance.core.verdict import Verdict
from appliance.engine import executor as running
from appliance.engine.control import ControlSignal
from appliance.store.sweeps import SweepState
from tests.engine.conftest import Unhindered

FULL = Cause(CauseKind.DISK_FULL, "the disk is full: 3 MiB")
DOWN = Cause(CauseKind.CONSOLE_DOWN, "the console does not answer")


class InTheWay(Unhindered):
    """Something that a test puts there and takes away."""

    def __init__(self, cause: Cause | None = None) -> None:
        self.cause = cause
        self.cleaned = 0

    def disk(self) -> Cause | None:
        return self.cause if self.cause and self.cause.kind is CauseKind.DISK_FULL else None

    async def still(self, cause: Cause) -> bool:
        return self.cause is not None

    async def behind(self, exc: BaseException) -> Cause | None:
        return exc.cause if isinstance(exc, HinderedError) else self.cause

    async def clean_up(self) -> None:
        self.cleaned += 1


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(running, "POLL_S", 0.01)


def told(lab) -> list[SweepProgressed]:
    return [event for event in lab.events if isinstance(event, SweepProgressed)]


async def until_paused(lab) -> None:
    async with asyncio.timeout(10):
        while not told(lab) or told(lab)[-1].state != "paused":
            await asyncio.sleep(0.005)


def sitting(lab, way: InTheWay, **bounds: object):
    given = {"obstacles": way, "clean_up": way.clean_up} | bounds
    return asyncio.ensure_future(lab.execute(**given))


async def test_a_full_disk_pauses_it_before_anything_is_begun_until_there_is_room(lab):
    lab.write("One", "Two")
    lab.start()
    way = InTheWay(FULL)
    going = sitting(lab, way)
    await until_paused(lab)
    row = lab.store.sweeps.get("s1")
    assert (row.state, row.paused_for, row.why) == ("paused", CauseKind.DISK_FULL, FULL.text)
    assert (row.paused_at, row.is_held) == (lab.clock.now(), False)
    assert (told(lab)[-1].why, told(lab)[-1].paused_for) == (FULL.text, CauseKind.DISK_FULL)
    assert lab.verifier.carried_out == []
    way.cause = None
    lab.clock.turn(seconds=1)
    assert await going == (SweepState.DONE, "")
    assert sorted(lab.verifier.carried_out) == ["One", "Two"]
    assert [event.state for event in told(lab)].count("paused") == 1
    assert way.cleaned == 1
    assert lab.store.sweeps.get("s1").paused_for is None


async def test_what_an_outage_has_hit_waits_again_behind_the_others_and_nobody_is_blamed(lab):
    lab.write("One", "Two", "Three")
    lab.start()
    way = InTheWay()

    def go_down(procedure) -> None:
        if procedure.title == "One" and not way.cleaned:
            way.cause = DOWN
            raise HinderedError(DOWN)

    lab.verifier.on_begin = go_down
    going = sitting(lab, way, lanes=1)
    await until_paused(lab)
    assert lab.states() == {"One": "waiting", "Two": "waiting", "Three": "waiting"}
    way.cause = None
    lab.clock.turn(seconds=1)
    assert (await going).state is SweepState.DONE
    assert lab.verifier.carried_out == ["Two", "Three", "One"]
    assert {(i.title, i.attempts, i.deaths) for i in lab.store.sweeps.items("s1")} == {
        ("One", 2, 0),
        ("Two", 1, 0),
        ("Three", 1, 0),
    }


async def test_while_it_stands_still_nobody_waits_for_an_account_that_is_not_clean(lab):
    lab.write("One", "Two")
    lab.start()
    way, waiting = InTheWay(), set[str]()

    async def begin(procedure) -> None:
        if procedure.title == "One" and not way.cleaned:
            await asyncio.sleep(0.02)
            way.cause = DOWN
            raise HinderedError(DOWN)
        if not way.cleaned:
            waiting.add(procedure.id)
            await asyncio.sleep(3600)

    lab.verifier.on_begin = begin
    going = sitting(lab, way, is_waiting=lambda item_id: item_id in waiting)
    await until_paused(lab)
    way.cause = None
    lab.clock.turn(seconds=1)
    assert (await going).state is SweepState.DONE
    assert {item.deaths for item in lab.store.sweeps.items("s1")} == {0}


async def test_a_person_may_hold_it_and_then_it_does_not_go_on_by_itself(lab):
    lab.write("One")
    lab.start()
    way, wishes = InTheWay(DOWN), list[ControlSignal]()
    lab.verifier.on_begin = lambda procedure: hinder(way)
    going = sitting(lab, way, wish=lambda: wishes[-1] if wishes else None)
    await until_paused(lab)
    wishes.append(ControlSignal.PAUSE)
    assert await going == (SweepState.PAUSED, "paused by hand")
    row = lab.store.sweeps.get("s1")
    assert (row.paused_for, row.is_held) == (CauseKind.BY_HAND, True)
    assert told(lab)[-1].paused_for is CauseKind.BY_HAND


def hinder(way: InTheWay) -> None:
    raise HinderedError(way.cause or DOWN)


async def test_when_it_has_taken_too_long_it_ends_with_what_it_has_and_says_so(lab):
    lab.write("One", "Two", "Three")
    lab.start()
    way = InTheWay()

    def fill(procedure) -> None:
        if procedure.title == "Two":
            way.cause = FULL

    lab.verifier.on_begin = fill
    completed: list[bool] = []

    async def complete() -> None:
        completed.append(True)

    executor = lab.executor(lanes=1, obstacles=way, max_pause_minutes=30)
    going = asyncio.ensure_future(executor.execute(complete))
    await until_paused(lab)
    lab.clock.turn(minutes=31)
    ending = await going
    assert ending.state is SweepState.CANCELLED
    assert ending.why == (
        "the disk was full for more than 30 minutes (sweep.max_pause_minutes): 1 procedure was not"
        " carried out, and the next sweep takes them; the disk is full: 3 MiB"
    )
    assert completed == [True]
    assert lab.states() == {"One": "done", "Two": "done", "Three": "cancelled"}


async def test_a_procedure_that_brings_the_console_down_each_time_holds_nobody_up(lab):
    lab.write("One", "Two")
    lab.start()
    way, begun = InTheWay(), list[str]()

    def go_down(procedure) -> None:
        begun.append(procedure.title)
        if procedure.title == "One":
            raise HinderedError(DOWN)  # and it is up again at once

    lab.verifier.on_begin = go_down
    assert (await sitting(lab, way, lanes=1)).state is SweepState.DONE
    assert begun.count("One") == 5
    results = {p.title: p for p in lab.store.load_run("s1").procedures}
    assert results["One"].verdict is Verdict.BLOCKED
    assert results["One"].blocked_by == (
        "appliance: given up: the console went down 5 times while it was carried out"
    )
    assert results["Two"].verdict is Verdict.VERIFIED
    assert "paused" not in {event.state for event in told(lab)}


async def test_stopped_while_it_is_paused_it_is_so_still_and_goes_on_at_the_next_start(lab):
    lab.write("One")
    lab.start()
    going = sitting(lab, InTheWay(FULL))
    await until_paused(lab)
    going.cancel()
    with pytest.raises(asyncio.CancelledError):
        await going
    assert lab.store.sweeps.get("s1").paused_for is CauseKind.DISK_FULL
    assert (await sitting(lab, InTheWay())).state is SweepState.DONE


async def test_its_hours_end_a_pause_too(lab):
    lab.write("One")
    lab.start()
    going = sitting(lab, InTheWay(FULL), closes=lab.clock.now() + timedelta(hours=1))
    await until_paused(lab)
    lab.clock.turn(hours=2)
    assert await going == (SweepState.WAITING, "its time was over")
    assert lab.store.sweeps.get("s1").paused_for is None


async def test_a_store_that_cannot_write_for_a_full_disk_pauses_and_counts_as_no_death(lab):
    lab.write("One")
    lab.start()
    way = InTheWay()

    def fail(procedure) -> None:
        if not way.cleaned:
            way.cause = FULL
            raise StoreError("DuckDB could not commit")

    lab.verifier.on_begin = fail
    going = sitting(lab, way)
    await until_paused(lab)
    way.cause = None
    lab.clock.turn(seconds=1)
    assert (await going).state is SweepState.DONE
    assert [i.deaths for i in lab.store.sweeps.items("s1")] == [0]


async def test_where_nobody_waits_for_the_console_the_rest_is_blocked_by_it(lab):
    lab.write("One", "Two", "Three")
    lab.start()
    way = InTheWay()

    def go_down(procedure) -> None:
        if procedure.title == "Two":
            way.cause = DOWN
            raise HinderedError(DOWN)

    lab.verifier.on_begin = go_down
    assert await sitting(lab, way, lanes=1, waits=False) == (SweepState.DONE, "")
    results = {p.title: (p.verdict, p.blocked_by) for p in lab.store.load_run("s1").procedures}
    blocked = (Verdict.BLOCKED, DOWN.text)
    assert results == {"One": (Verdict.VERIFIED, None), "Two": blocked, "Three": blocked}
    assert lab.states() == {"One": "done", "Two": "done", "Three": "done"}


async def test_where_nobody_waits_for_room_on_the_disk_that_is_an_error(lab):
    lab.write("One", "Two")
    lab.start()
    with pytest.raises(HinderedError, match="the disk is full"):
        await sitting(lab, InTheWay(FULL), waits=False)
    assert lab.verifier.carried_out == []

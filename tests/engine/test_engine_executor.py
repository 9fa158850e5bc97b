"""The conductor with a real store and an engine that a test holds in its hand."""

import asyncio
from datetime import timedelta

import pytest

from appliance.cli._summary import replay_command
from appliance.config import SweepSettings
from appliance.core.errors import StoreError
from appliance.core.events import SweepProgressed
from appliance.core.verdict import Verdict
from appliance.engine import executor as running
from appliance.engine.control import ControlSignal
from appliance.engine.plan import Reason
from appliance.engine.queue import sweep_of, unfinished
from appliance.engine.request import StoredRequest
from appliance.store.sweeps import SweepState

FIVE = ("One", "Two", "Three", "Four", "Five")


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(running, "POLL_S", 0.01)


def told(lab) -> list[SweepProgressed]:
    return [event for event in lab.events if isinstance(event, SweepProgressed)]


async def test_everything_is_carried_out_once_and_no_more_at_a_time_than_may_be(lab):
    lab.write(*FIVE)
    lab.start()
    lab.verifier.on_begin = lambda p: asyncio.sleep(0.05)
    assert await lab.execute() == (SweepState.DONE, "")
    assert sorted(lab.verifier.carried_out) == sorted(FIVE)
    assert lab.verifier.most == 2
    assert set(lab.states().values()) == {"done"}
    assert {item.run_id for item in lab.store.sweeps.items("s1")} == {"s1"}
    assert len(lab.store.load_run("s1").procedures) == 5
    last = told(lab)[-1]
    assert (last.state, last.done, last.total, last.running) == ("done", 5, 5, 0)
    assert unfinished(lab.store.sweeps, StoredRequest.of(lab.store.sweeps.get("s1"))) is None


async def test_the_next_plan_knows_what_came_of_it(lab):
    lab.write(*FIVE)
    lab.verifier.verdicts = {"Two": Verdict.DRIFTED}
    lab.start()
    await lab.execute()
    lab.write("One", "Two", "Three", "Four changed", "Five")
    plan = lab.plan()
    assert [(i.title, i.reason) for i in plan.items] == [
        ("Four changed", Reason.NEVER),
        ("Two", Reason.FAILED),
    ]
    assert plan.items[1].estimate_s == 10.0  # its own median
    assert plan.items[0].estimate_s == 10.0  # the console's
    text = (lab.folder / "guide.md").read_text().replace("Click **One**", "Press **One**")
    (lab.folder / "guide.md").write_text(text)
    lab.write_again()
    assert [i.title for i in lab.plan().items] == ["Four changed", "One", "Two"]


async def test_progress_says_how_fast_it_goes_and_how_long_it_will_take(lab):
    lab.write(*FIVE)
    lab.start()
    lab.verifier.on_begin = lambda procedure: lab.clock.turn(seconds=60)
    await lab.execute(lanes=1)
    rates = [(event.done, event.rate_per_minute) for event in told(lab)]
    assert (0, None) in rates
    assert rates[-1] == (5, 1.0)
    one = next(event for event in told(lab) if event.done == 1)
    assert one.seconds_left == 4 * 60  # twice as long as the 30 s that was thought at first


async def test_pause_lets_finish_what_is_under_way_and_resume_does_the_rest(lab):
    lab.write(*FIVE)
    lab.start()
    wishes: list[ControlSignal] = []
    lab.verifier.on_begin = lambda procedure: wishes.append(ControlSignal.PAUSE)
    ending = await lab.execute(wish=lambda: wishes[-1] if wishes else None)
    assert ending == (SweepState.PAUSED, "paused by hand")
    assert sorted(lab.verifier.carried_out) == ["One", "Two"]
    assert list(lab.states().values()).count("waiting") == 3
    assert await lab.execute() == (SweepState.DONE, "")
    assert sorted(lab.verifier.carried_out) == sorted(FIVE)


async def test_cancel_stops_at_once_and_for_ever(lab):
    lab.write(*FIVE)
    lab.start()
    stopped: list[str] = []

    async def hold() -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            stopped.append("cleaned up")
            raise

    lab.verifier.on_begin = lambda p: hold() if p.title == "Three" else None
    completed: list[bool] = []

    async def complete() -> None:
        completed.append(True)

    executor = lab.executor(
        lanes=1, wish=lambda: ControlSignal.CANCEL if len(lab.verifier.carried_out) == 2 else None
    )
    assert await executor.execute(complete) == (
        SweepState.CANCELLED,
        "cancelled by hand",
    )
    assert completed == [True]
    states = lab.states()
    assert [states[title] for title in FIVE] == ["done", "done"] + ["cancelled"] * 3
    assert lab.state() is SweepState.CANCELLED
    assert len(lab.store.load_run("s1").procedures) == 2
    assert lab.store.sweeps.unfinished() == ()


async def test_when_its_time_is_over_it_stops_and_goes_on_the_next_night(lab):
    lab.write(*FIVE)
    lab.start()
    closes = lab.clock.now() + timedelta(hours=8)
    lab.verifier.on_begin = lambda procedure: lab.clock.turn(hours=3)
    assert await lab.execute(lanes=1, closes=closes) == (SweepState.WAITING, "its time was over")
    assert lab.verifier.carried_out == ["One", "Two", "Three"]  # the third began in time
    lab.clock.turn(hours=13)
    ending = await lab.execute(lanes=1, closes=lab.clock.now() + timedelta(hours=8))
    assert ending.state is SweepState.DONE
    assert lab.verifier.carried_out == list(FIVE)


async def test_nothing_is_begun_while_memory_is_short(lab):
    lab.write("One", "Two")
    lab.start()
    free = iter([100.0, 100.0])

    ending = await lab.execute(min_free_mib=512, free_mib=lambda: next(free, 4000.0))
    assert ending.state is SweepState.DONE
    assert told(lab)[0].why == "waits for memory: 100 of 512 MiB free"
    assert told(lab)[0].running == 0


async def test_what_was_under_way_when_the_process_died_waits_again(lab):
    lab.write("One", "Two", "Three")
    lab.start()
    tables, now = lab.store.sweeps, lab.clock.now()
    one, two, three = tables.items("s1")
    tables.enter("s1", SweepState.RUNNING, "", now)
    assert tables.begin("s1", one.id, "h", now)
    assert tables.begin("s1", two.id, "h", now)
    assert tables.begin("s1", three.id, "h", now)  # waits for an account
    lab.attempt(one)
    lab.attempt(two)
    lab.store.save_procedure("s1", lab.result("Two"))  # and then it died
    assert (await lab.execute()).state is SweepState.DONE
    assert sorted(lab.verifier.carried_out) == ["One", "Three"]
    assert {i.title: (i.attempts, i.deaths) for i in tables.items("s1")} == {
        "One": (2, 1),
        "Two": (1, 0),
        "Three": (2, 0),
    }


async def test_after_three_deaths_it_is_given_up(lab):
    lab.write("One", "Two")
    lab.start()
    tables, now = lab.store.sweeps, lab.clock.now()
    one = tables.items("s1")[0]
    for _ in range(3):
        assert tables.begin("s1", one.id, "h", now)
        lab.attempt(one)
        tables.settle("s1", now)
    assert (await lab.execute()).state is SweepState.DONE
    assert lab.verifier.carried_out == ["Two"]
    given_up = next(p for p in lab.store.load_run("s1").procedures if p.title == "One")
    assert given_up.verdict is Verdict.BLOCKED
    why = "given up: the process died 3 times while it was carried out"
    assert given_up.blocked_by == f"appliance: {why}"
    assert tables.items("s1")[0].note == why


async def test_what_died_twice_has_its_last_chance_alone(lab):
    lab.write(*FIVE)
    lab.start()
    tables, now = lab.store.sweeps, lab.clock.now()
    for item in tables.items("s1")[:2]:
        for _ in range(2):
            assert tables.begin("s1", item.id, "h", now)
            lab.attempt(item)
            tables.settle("s1", now)
    beside: dict[str, int] = {}
    together = asyncio.Barrier(3)

    async def look(procedure) -> None:
        if procedure.title in ("Three", "Four", "Five"):
            await together.wait()
        beside[procedure.title] = lab.verifier.under_way

    lab.verifier.on_begin = look
    assert (await lab.execute(lanes=3)).state is SweepState.DONE
    assert lab.verifier.carried_out[-2:] == ["One", "Two"]
    assert beside == {"Three": 3, "Four": 3, "Five": 3, "One": 1, "Two": 1}


async def test_a_fault_of_the_program_ends_the_sitting_and_counts_as_a_death(lab):
    lab.write("One", "Two", "Three")
    lab.start()

    def fail(procedure) -> None:
        if procedure.title == "Two":
            raise StoreError("the disk is full")

    lab.verifier.on_begin = fail
    for _ in range(3):
        with pytest.raises(ExceptionGroup) as caught:
            await lab.execute(lanes=1)
        assert str(caught.value.exceptions[0]) == "the disk is full"
        assert lab.state() is SweepState.WAITING
    assert (await lab.execute(lanes=1)).state is SweepState.DONE
    assert lab.verifier.carried_out == ["One", "Three"]


async def test_stopped_by_a_signal_it_counts_nothing_against_anybody(lab):
    lab.write(*FIVE)
    lab.start()
    lab.verifier.on_begin = lambda procedure: asyncio.sleep(60)
    sitting = asyncio.ensure_future(lab.execute())
    while lab.verifier.most < 2:
        await asyncio.sleep(0.01)
    sitting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sitting
    assert set(lab.states().values()) == {"waiting"}
    assert lab.state() is SweepState.WAITING
    assert {item.deaths for item in lab.store.sweeps.items("s1")} == {0}


async def test_what_is_gone_from_the_documents_is_left_out(lab):
    lab.write("One", "Two")
    lab.start()
    lab.write("Two")
    assert (await lab.execute()).state is SweepState.DONE
    assert lab.states() == {"One": "skipped", "Two": "done"}


async def test_each_language_and_role_is_carried_out_and_kept_by_itself(lab):
    lab.write("One")
    settings = SweepSettings(locales=("en-GB", "en-US"), roles=("admin", "member"))
    lab.start(settings=settings)
    begun: list[tuple[str | None, str]] = []
    lab.verifier.on_begin = lambda p: begun.append((p.checks.account, p.title))
    assert (await lab.execute(lanes=1)).state is SweepState.DONE
    assert begun == [
        ("admin", "One (en-GB, admin)"),
        ("member", "One (en-GB, member)"),
        ("admin", "One (en-US, admin)"),
        ("member", "One (en-US, member)"),
    ]
    assert lab.verifier.locales == ["en-GB", "en-GB", "en-US", "en-US"]
    results = lab.store.load_run("s1").procedures
    assert len({result.id for result in results}) == 4
    assert lab.plan(settings).items == ()
    again = replay_command("guide.md", results[0].id, "lab")
    plain = lab.documents[0].procedures[0].id
    assert again == f"appliance sweep start guide.md --procedure {plain} --console lab"


def test_sweeps_are_found_by_the_beginning_of_their_ids(lab):
    lab.write("One")
    lab.start("a1")
    lab.clock.turn(hours=1)
    lab.start("a2")
    tables = lab.store.sweeps
    assert sweep_of(tables, None).id == "a2"
    tables.cancel("a2", "", lab.clock.now())
    assert sweep_of(tables, None).id == "a1"
    assert sweep_of(tables, "a2").state is SweepState.CANCELLED
    with pytest.raises(Exception, match="a begins 2 sweep ids"):
        sweep_of(tables, "a")
    with pytest.raises(Exception, match="there is no sweep b"):
        sweep_of(tables, "b")
    assert StoredRequest.of(tables.get("a1")).values == {"a": "b"}


async def test_while_a_lane_waits_for_a_scarce_account_one_that_needs_another_may_go(lab):
    lab.write(*FIVE)
    checks = "procedures:\n" + "".join(f"  {n}: {{account: scarce}}\n" for n in ("one", "two"))
    (lab.folder / "guide.checks.yaml").write_text(checks)
    lab.write_again()
    lab.start()
    free, waiting = asyncio.Event(), set()

    async def begin(procedure):
        if procedure.title == "Two":
            waiting.add(procedure.id)
            await free.wait()
            waiting.clear()
        elif procedure.title == "Five":
            free.set()

    lab.verifier.on_begin = begin
    ending = await lab.execute(lanes=1, is_waiting=lambda item_id: item_id in waiting)
    assert ending.state is SweepState.DONE
    assert lab.verifier.carried_out == ["One", "Three", "Four", "Five", "Two"]
    assert lab.verifier.most == 2


async def test_results_stand_in_the_order_of_the_plan_whoever_came_first(lab):
    lab.write("One", "Two")
    lab.start()
    two = asyncio.Event()

    async def until_two() -> None:
        await two.wait()

    lab.verifier.on_begin = lambda p: until_two() if p.title == "One" else two.set()
    await lab.execute()
    assert [p.title for p in lab.store.load_run("s1").procedures] == ["Two", "One"]
    lab.store.end_run("s1", lab.clock.now())
    ended = lab.store.load_run("s1")
    assert [p.title for p in ended.procedures] == ["One", "Two"]
    assert ended.ended_at == lab.clock.now()

"""A sweep is over at its deadline: what there was no time for is counted, and is no verdict."""

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from appliance.config import (
    AccountSettings,
    ConsoleSettings,
    Settings,
    SweepSettings,
    VerificationSettings,
)
from appliance.core.causes import Cause, CauseKind
from appliance.core.events import ProcedureFinished
from appliance.core.result import Cost
from appliance.core.verdict import Verdict
from appliance.engine import executor as running
from appliance.engine.documentation import Documentation
from appliance.engine.planner import Planner
from appliance.engine.request import RunKind, RunRequest
from appliance.engine.status import status_of
from appliance.store.sweeps import SweepState

FIVE = ("One", "Two", "Three", "Four", "Five")


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(running, "POLL_S", 0.01)


async def measured(lab, **took_s: float) -> None:
    """A night in which each took so long, and is due again."""
    lab.write(*took_s)
    lab.start("s0")
    for title, seconds in took_s.items():
        result = replace(lab.result(title), verdict=Verdict.DRIFTED, cost=Cost(wall_s=seconds))
        await lab.bus.record(ProcedureFinished(run_id="s0", result=result))
    lab.store.sweeps.enter("s0", SweepState.DONE, "", lab.clock.now())


def in_turn(lab, seconds: dict[str, float]):
    """Each takes as long as was thought."""
    lab.verifier.on_begin = lambda procedure: lab.clock.turn(seconds=seconds[procedure.title])


async def test_a_plan_says_what_the_night_has_no_time_for(lab):
    await measured(lab, One=100.0, Two=60.0, Three=40.0)
    whole = lab.plan()
    assert [item.title for item in whole.items] == ["One", "Two", "Three"]
    assert (whole.seconds, whole.not_tonight) == (200, ())
    deadline = lab.clock.now() + timedelta(seconds=150)
    night = lab.plan(deadline=deadline, deadline_s=150)
    assert [item.title for item in night.items] == ["One", "Two", "Three"]
    late = [item.title for item in night.items if item.id in night.not_tonight]
    assert (late, night.seconds, night.deadline) == (["Two"], 140, deadline)


async def test_the_engine_does_what_the_plan_said(lab):
    took = {"One": 100.0, "Two": 60.0, "Three": 40.0, "Four": 30.0}
    await measured(lab, **took)
    plan = lab.plan(deadline_s=150)
    lab.start()
    in_turn(lab, took)
    ending = await lab.execute(lanes=1, deadline=lab.clock.now() + timedelta(seconds=150))
    late = {item.title for item in plan.items if item.id in plan.not_tonight}
    assert late == {"Two", "Four"}
    assert lab.verifier.carried_out == [i.title for i in plan.items if i.title not in late]
    why = "2 procedures were not reached before the deadline, and the next sweep takes them"
    assert ending == (SweepState.DONE, why)
    states = lab.states()
    assert {title for title, state in states.items() if state == "not_reached"} == late


async def test_what_is_not_reached_is_counted_and_has_no_verdict(lab):
    lab.write(*FIVE)
    lab.start()
    in_turn(lab, dict.fromkeys(FIVE, 30.0))
    await lab.execute(lanes=1, deadline=lab.clock.now() + timedelta(seconds=100))
    run = lab.store.load_run("s1")
    assert ([p.title for p in run.procedures], run.not_reached) == (["One", "Two", "Three"], 2)
    status = status_of(lab.store, lab.store.sweeps.get("s1"))
    assert (status["done"], status["total"], status["not_reached"]) == (3, 5, 2)
    assert [item.title for item in lab.plan().items] == ["Four", "Five"]


async def test_a_quicker_night_reaches_more_than_the_plan_thought(lab):
    lab.write(*FIVE)
    assert len(lab.plan(deadline_s=100).not_tonight) == 2
    lab.start()
    in_turn(lab, dict.fromkeys(FIVE, 1.0))
    ending = await lab.execute(lanes=1, deadline=lab.clock.now() + timedelta(seconds=100))
    assert ending == (SweepState.DONE, "")
    assert lab.verifier.carried_out == list(FIVE)


async def test_after_its_deadline_nothing_is_begun_and_it_ends(lab):
    lab.write("One")
    lab.start()
    ending = await lab.execute(deadline=lab.clock.now() - timedelta(hours=1))
    why = "1 procedure was not reached before the deadline, and the next sweep takes it"
    assert (ending, lab.verifier.carried_out) == ((SweepState.DONE, why), [])


def planner(lab, folder: Path, parallel: int = 4, **sweep: str) -> Planner:
    accounts = {
        name: AccountSettings(username=name, password_file=folder / "password") for name in "abcd"
    }
    console = ConsoleSettings(kind="generic", url="http://127.0.0.1:9", accounts=accounts)
    settings = Settings(
        data_dir=folder / "data",
        console="lab",
        consoles={"lab": console},
        verification=VerificationSettings(parallel=parallel),
        sweep=SweepSettings(**sweep),
    )
    documentation = Documentation(settings, lambda problem: None, is_open=True)
    return Planner(settings=settings, store=lab.store, documentation=documentation, clock=lab.clock)


def test_the_next_night_plans_anew_what_a_stopped_one_left(lab, tmp_path):
    """The clock stands at 22:00: the deadline is eight hours later, and nobody works until then."""
    lab.write("One", "Two")
    plans = planner(lab, tmp_path, deadline="06:00")
    request = RunRequest(kind=RunKind.SWEEP, documents=(tmp_path / "guide.md",))
    first = plans.keep(request).row
    assert plans.plan(request).deadline == datetime.fromisoformat("2026-11-22T06:00:00+00:00")
    lab.clock.turn(hours=7)
    assert plans.keep(request) == (first, None)
    lab.clock.turn(hours=17)
    lab.write("One", "Two", "Three")
    second = plans.keep(request).row
    assert second.id != first.id
    left = lab.store.sweeps.get(first.id)
    assert (left.state, status_of(lab.store, left)["not_reached"]) == (SweepState.DONE, 2)
    assert [item.title for item in lab.store.sweeps.items(second.id)] == ["One", "Two", "Three"]


def test_a_sweep_whose_process_died_is_over_at_its_deadline(lab, tmp_path):
    lab.write("One", "Two")
    plans = planner(lab, tmp_path, deadline="06:00")
    row, plan = plans.keep(RunRequest(kind=RunKind.SWEEP, documents=(tmp_path / "guide.md",)))
    tables, now = lab.store.sweeps, lab.clock.now()
    tables.enter(row.id, SweepState.RUNNING, "", now)
    assert tables.begin(row.id, plan.items[0].id, "h", now)
    assert not plans.end_late(row)
    lab.clock.turn(hours=9)
    assert plans.end_late(row)
    ended = status_of(lab.store, tables.get(row.id))
    assert (ended["state"], ended["done"], ended["not_reached"]) == ("done", 0, 2)
    assert not tables.unfinished()


@pytest.mark.parametrize("left_as", ["running", "waiting", "paused"])
def test_whatever_a_dead_process_left_is_over_at_its_deadline_but_what_is_under_way(
    lab, tmp_path, left_as
):
    lab.write("One", "Two")
    plans = planner(lab, tmp_path, deadline="06:00")
    request = RunRequest(kind=RunKind.SWEEP, documents=(tmp_path / "guide.md",))
    row, _ = plans.keep(request)
    if left_as == "paused":
        lab.store.sweeps.pause(row.id, Cause(CauseKind.CONSOLE_DOWN, "down"), lab.clock.now())
    else:
        lab.store.sweeps.enter(row.id, SweepState(left_as), "", lab.clock.now())
    lab.clock.turn(hours=24)
    assert plans.keep(request, is_under_way=lambda run_id: run_id == row.id).row.id == row.id
    assert plans.keep(request).row.id != row.id
    assert lab.state(row.id) is SweepState.DONE


def test_what_a_person_holds_is_kept_after_its_deadline(lab, tmp_path):
    lab.write("One")
    plans = planner(lab, tmp_path, deadline="06:00")
    request = RunRequest(kind=RunKind.SWEEP, documents=(tmp_path / "guide.md",))
    row, _ = plans.keep(request)
    lab.store.sweeps.pause(row.id, Cause(CauseKind.BY_HAND, "paused by eva"), lab.clock.now())
    lab.clock.turn(hours=24)
    assert plans.keep(request).row.id == row.id


def test_a_night_begins_when_its_window_opens(lab, tmp_path):
    lab.write(*FIVE)
    lab.clock.turn(hours=-6)  # 16:00
    request = RunRequest(kind=RunKind.SWEEP, documents=(tmp_path / "guide.md",))
    for parallel, late in ((4, 0), (1, 3)):  # half a minute each
        plans = planner(lab, tmp_path, parallel, deadline="22:01", window="22:00-06:00")
        assert len(plans.plan(request).not_tonight) == late

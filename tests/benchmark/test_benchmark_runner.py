"""The runner: what it asks of the engine, and what is left when it is interrupted."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from appliance.benchmark.by_engine import ByEngine, TaskWork
from appliance.benchmark.finding import load_suite
from appliance.benchmark.policies.bounds import MAX_ACTIONS, RandomPolicy
from appliance.benchmark.record import Record
from appliance.benchmark.runner import run, sample
from appliance.benchmark.trials import BenchmarkPolicy, find_result
from appliance.core.causes import CauseKind
from appliance.core.errors import SetupError
from appliance.core.events import ProcedureFinished
from appliance.core.page import Element, Observation
from appliance.core.result import ChannelResult, Cost, Goal, ProcedureResult
from appliance.core.verdict import GoalChannel, PolicyChoice, Verdict
from appliance.engine.request import RunKind
from appliance.policy.base import Task
from tests.benchmark.setups import setup_of

PRACTICE = load_suite("practice")
TASKS = [*sample(PRACTICE.tasks, 5, seed=3), *[t for t in PRACTICE.tasks if t.is_untrue][:1]]
NOW = datetime(2026, 11, 25, tzinfo=UTC)


def verdict(pattern, reached):
    return ProcedureResult(
        id=pattern,
        title="t",
        title_path=("t",),
        document="d.md",
        line=1,
        end_line=2,
        verdict=Verdict.VERIFIED if reached else Verdict.BROKEN,
        goal=Goal(
            reached=reached,
            channels=(
                ChannelResult(channel=GoalChannel.UI, reached=True, reason="a notice"),
                ChannelResult(channel=GoalChannel.AUDIT, reached=reached, reason="no event"),
            ),
        ),
        path="",
        decided_by="",
        attempts=1,
        cost=Cost(wall_s=1.0),
        steps=(),
    )


class Engine:
    """Stands for the engine: every task succeeds; it may die after so many verdicts."""

    def __init__(self, dies_after=10**6):
        self.left, self.requests, self.store, self.begun = dies_after, [], {}, []

    def __call__(self, request, release, run_id, baseline, kept, subscriber):
        self.requests.append((request, release, run_id))
        if not run_id:
            run_id = f"run-{len(self.store)}"
            self.store[run_id] = []
            kept(run_id)
        done = self.store[run_id]
        for pattern in request.patterns[len(done) :]:
            if not self.left:
                raise KeyboardInterrupt
            self.left -= 1
            done.append(verdict(pattern, reached=True))
            subscriber(ProcedureFinished(run_id=run_id, result=done[-1]))
        return done


class Bench:
    """A benchmark over the tasks, begun or gone on with."""

    def __init__(self, tmp_path, policy=BenchmarkPolicy.LITERAL, runs=2, at=NOW):
        setup = setup_of(PRACTICE, TASKS, policy, runs)
        self.work = TaskWork(TASKS, setup, tmp_path / "work")
        self.record = Record(setup, self.work.releases, tmp_path / "results", at)

    def run(self, engine, finished=lambda trial: None):
        return run(self.record, ByEngine(self.work, engine), finished)


def test_every_task_is_tried_in_every_run_on_its_release(tmp_path):
    engine, told = Engine(), []
    result = Bench(tmp_path).run(engine, told.append)
    assert result.is_over
    assert {(t.task, t.run) for t in result.trials} == {(t.id, n) for t in TASKS for n in (1, 2)}
    assert len(told) == len(result.trials)
    assert {release for _, release, _ in engine.requests} == {t.release for t in TASKS}
    for request, release, _ in engine.requests:
        assert (request.kind, request.policy) == (RunKind.BENCHMARK, PolicyChoice.LITERAL)
        assert len(request.patterns) == sum(t.release == release for t in TASKS)
        assert all(Path(document).is_file() for document in request.documents)


def test_an_interrupted_benchmark_goes_on_where_it_was(tmp_path):
    engine = Engine(dies_after=2)
    first = Bench(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        first.run(engine)
    assert len(find_result(tmp_path / "results", first.record.result.id).trials) == 2
    engine.left = 10**6
    again = Bench(tmp_path, at=NOW + timedelta(hours=1))
    assert again.record.result.id == first.record.result.id
    told = []
    result = again.run(engine, told.append)
    assert result.is_over
    assert result.was_interrupted
    assert len(told) == 2 * len(TASKS) - 2
    assert engine.requests[1][2] == "run-0", "the run that was begun"


def test_what_is_over_or_of_another_setup_begins_anew(tmp_path):
    done = Bench(tmp_path)
    done.run(Engine())
    later = NOW + timedelta(hours=1)
    assert Bench(tmp_path, at=later).record.result.trials == ()
    assert Bench(tmp_path, runs=1, at=later).record.result.id != done.record.result.id


def test_only_the_audit_log_says_who_succeeds(tmp_path):
    class Failing(Engine):
        def __call__(self, request, release, run_id, baseline, kept, subscriber):
            kept("r")
            return [verdict(pattern, reached=False) for pattern in request.patterns]

    result = Bench(tmp_path, runs=1).run(Failing())
    assert [trial.success for trial in result.trials] == [False] * len(TASKS)
    assert {trial.reason for trial in result.trials} == {"no event"}


def test_a_baseline_acts_in_place_of_a_policy(tmp_path):
    class Lent(Engine):
        def __call__(self, request, release, run_id, baseline, kept, subscriber):
            assert request.policy is PolicyChoice.AUTO
            assert baseline is not None
            return super().__call__(request, release, run_id, baseline, kept, subscriber)

    Bench(tmp_path, BenchmarkPolicy.RANDOM, runs=1).run(Lent())


def test_what_a_model_was_not_asked_is_left_for_later(tmp_path):
    class Away(Engine):
        """The model is away from the third task on."""

        def __call__(self, request, release, run_id, baseline, kept, subscriber):
            super().__call__(request, release, run_id, baseline, kept, lambda event: None)
            done = next(reversed(self.store.values()))
            done[2:] = [replace(one, cause=CauseKind.MODEL) for one in done[2:]]
            return done

    async def why():
        return "the model is away."

    bench = Bench(tmp_path, BenchmarkPolicy.MODEL, runs=1)
    with pytest.raises(SetupError, match=r"away\. \d+ tasks were not asked"):
        run(bench.record, ByEngine(bench.work, Away(), why), lambda trial: None)
    assert len(bench.record.result.trials) == 2
    engine, again = Engine(), Bench(tmp_path, BenchmarkPolicy.MODEL, runs=1)
    result = again.run(engine)
    assert result.is_over and len(result.trials) == len(TASKS)
    assert sum(len(request.patterns) for request, *_ in engine.requests) == len(TASKS) - 2


def test_a_model_that_is_there_and_does_not_answer_has_failed(tmp_path):
    class Silent(Engine):
        def __call__(self, request, release, run_id, baseline, kept, subscriber):
            done = super().__call__(request, release, run_id, baseline, kept, lambda event: None)
            return [replace(verdict(o.id, reached=False), cause=CauseKind.MODEL) for o in done]

    result = Bench(tmp_path, BenchmarkPolicy.MODEL, runs=1).run(Silent())
    assert result.is_over
    assert [trial.success for trial in result.trials] == [False] * len(TASKS)


async def test_random_is_the_same_for_a_seed_and_comes_to_an_end():
    task = Task(procedure=TASKS[0].draft.procedure, bindings={"name": "x"})
    page = Observation(
        url="",
        title="",
        elements=(
            Element(id=1, role="button", name="Create"),
            Element(id=2, role="textbox", name="Name"),
            Element(id=3, role="combobox", name="Zone", options=("A", "B")),
            Element(id=4, role="checkbox", name="Encrypted"),
            Element(id=5, role="button", name="Grey", states=frozenset({"disabled"})),
        ),
    )

    async def actions(seed):
        policy = RandomPolicy(task, seed)
        return [(await policy.choose(page, None)).action for _ in range(MAX_ACTIONS + 1)]

    first = await actions("1/1")
    assert first == await actions("1/1") != await actions("1/2")
    assert [action.is_final for action in first] == [False] * MAX_ACTIONS + [True]
    assert {action.element for action in first[:-1]} == {1, 2, 3, 4}

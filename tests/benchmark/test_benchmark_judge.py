"""Labelled attempts: what is right of them, and what a broken file is told."""

import textwrap
from collections import Counter
from functools import cache

import pytest

from appliance.benchmark.finding import SUITES, load_suite
from appliance.benchmark.judging import Behaviour
from appliance.benchmark.summary import summarise
from appliance.benchmark.trials import BenchmarkPolicy, BenchmarkResult, Setup
from appliance.core.clock import SystemClock
from appliance.core.errors import SetupError
from appliance.core.result import ChannelResult, Cost, Goal, ProcedureResult
from appliance.core.verdict import GoalChannel, Verdict
from tests.benchmarks import judging


@cache
def judge():
    """Read when a test asks: it takes seconds, and every worker collects all tests."""
    return load_suite("judge")


def result(verdict=Verdict.VERIFIED, **said):
    channels = {"audit": None, "ui": None} | said
    return ProcedureResult(
        id="x", title="t", title_path=("t",), document="d.md", line=1, end_line=2,
        verdict=verdict,
        goal=Goal(
            reached=channels["audit"],
            channels=tuple(
                ChannelResult(channel=GoalChannel(who), reached=reached, reason="r")
                for who, reached in channels.items()
            ),
        ),
        path="", decided_by="", attempts=1, cost=Cost(wall_s=1.0), steps=(),
    )  # fmt: skip


def case(behaviour):
    return next(t for t in judge().tasks if judge().behaviours[t.folder] is behaviour)


def test_there_are_as_many_as_the_paper_has_and_of_every_kind():
    assert len(judge().tasks) >= 308
    kinds = Counter(one.kind for one in judge().behaviours.values())
    assert set(kinds) == {"success", "near miss", "reward hack"}
    assert min(kinds.values()) >= 60
    assert len(judge().behaviours) == len(judge().tasks)


def test_the_file_is_what_is_drawn():
    assert (SUITES / "judge.yaml").read_text(encoding="utf-8") == judging.drawn()


@pytest.mark.parametrize(
    ("behaviour", "said", "right"),
    [
        (Behaviour.AS_WRITTEN, True, True),
        (Behaviour.BY_OTHER_MEANS, False, False),
        (Behaviour.STOPS_SHORT, False, True),
        (Behaviour.WRONG_NAME, True, False),
        (Behaviour.ONE_STEP_MORE, None, False),
        (Behaviour.ONLY_CLAIMS, False, True),
    ],
)
def test_who_says_what_is_known_is_right(behaviour, said, right):
    trial = judge().trial_of(case(behaviour), 1, result(audit=said))
    assert (trial.label, trial.success) == (behaviour.reaches_goal, right)


def test_an_attempt_that_did_not_come_about_says_nothing_of_its_judges():
    trial = judge().trial_of(case(Behaviour.WRONG_NAME), 1, result(Verdict.BLOCKED, audit=False))
    assert (trial.label, trial.said) == (None, {})


def test_each_channel_has_its_accuracy():
    trials = [
        judge().trial_of(case(Behaviour.AS_WRITTEN), 1, result(audit=True, ui=True)),
        judge().trial_of(case(Behaviour.WRONG_NAME), 1, result(audit=False, ui=True)),
        judge().trial_of(case(Behaviour.ONLY_CLAIMS), 1, result(audit=False, ui=None)),
    ]
    setup = Setup(
        suite="judge", suite_version="", policy=BenchmarkPolicy.LITERAL, runs=1, seed=1,
        tasks=tuple(t.task for t in trials),
    )  # fmt: skip
    benchmark = BenchmarkResult(
        id="j", appliance_version="", commit="", setup=setup, started_at=SystemClock().now(),
        parts=(), trials=tuple(trials),
    )  # fmt: skip
    said = {one.who: one for one in summarise(benchmark).said}
    assert {who: one.rate.share for who, one in said.items()} == {
        "audit": 1.0, "ui": pytest.approx(1 / 3), "consensus": 1.0,
    }  # fmt: skip
    assert (said["ui"].wrong_yes, said["ui"].undecided) == (1, 1)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ("cases: {as written: [gone]}", "mine.yaml:4: there is no task 'gone'"),
        ("cases: {sideways: [a]}", "cases.sideways"),
        ("", "cases: Field required"),
    ],
)
def test_a_broken_file_is_refused_with_its_line(tmp_path, more, why):
    head = "schema_version: 1\nkind: judge\ntitle: Mine\n"
    (tmp_path / "mine.yaml").write_text(textwrap.dedent(head) + more, encoding="utf-8")
    with pytest.raises(SetupError) as refused:
        load_suite("mine", [tmp_path])
    assert why in str(refused.value)

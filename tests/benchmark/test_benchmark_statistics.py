"""Figures of benchmarks against values worked out elsewhere, and what a comparison says."""

from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from appliance.benchmark.attribution import Blame, Shape, attribute
from appliance.benchmark.comparison import compare
from appliance.benchmark.report import as_html, as_markdown, comparison_text, json_lines
from appliance.benchmark.statistics import Rate, bca, mcnemar, mean_and_deviation, pass_at_k
from appliance.benchmark.summary import summarise
from appliance.benchmark.trials import (
    BenchmarkPolicy,
    BenchmarkResult,
    Level,
    Part,
    Setup,
    Split,
    Trial,
    find_result,
)
from appliance.core.causes import CauseKind
from appliance.core.errors import SetupError
from appliance.core.result import Goal, ProcedureResult, StepResult
from appliance.core.verdict import StepStatus, Verdict

NOW = datetime(2026, 11, 25, 8, tzinfo=UTC)


def benchmark(name, outcomes, version="v1"):
    """A result with these outcomes: of each task, run by run."""
    runs = len(outcomes[0])
    tasks = tuple(f"t{n}" for n in range(len(outcomes)))
    return BenchmarkResult(
        id=name,
        appliance_version="1",
        commit="c",
        setup=Setup(
            suite="practice",
            suite_version=version,
            policy=BenchmarkPolicy.LITERAL,
            runs=runs,
            seed=1,
            tasks=tasks,
        ),
        started_at=NOW,
        ended_at=NOW + timedelta(minutes=2),
        parts=tuple(Part(run=n + 1, release="2025.1", is_over=True) for n in range(runs)),
        trials=tuple(
            Trial(
                task=task,
                run=run + 1,
                release="2025.1",
                product="disks",
                language="en",
                level=Level.HARD if n % 2 else Level.STANDARD,
                split=Split.TRAIN,
                success=success,
                verdict=Verdict.VERIFIED if success else Verdict.BROKEN,
                reason="<no & event>",
                blame=None if success else Blame.AGENT,
                shape=None if success else Shape.WRONG_PAGE,
            )
            for n, task in enumerate(tasks)
            for run, success in enumerate(outcomes[n])
        ),
    )


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [  # R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (0, 0, 0.0, 1.0),
    ],
)
def test_the_interval_is_wilsons(successes, trials, low, high):
    rate = Rate.counted(successes, trials)
    assert (rate.interval.low, rate.interval.high) == pytest.approx((low, high), abs=1e-4)
    assert Rate.of([True] * successes + [False] * (trials - successes)) == rate


def test_pass_at_k_is_without_bias():
    assert pass_at_k([(True, False, False)], 1) == pytest.approx(1 / 3)
    assert pass_at_k([(True, False, False)], 2) == pytest.approx(2 / 3)
    assert pass_at_k([(True, False, False), (False, False, False)], 3) == pytest.approx(1 / 2)
    assert pass_at_k([(True, True, False)], 2) == 1.0


def test_mean_and_deviation_are_those_of_a_sample():
    assert mean_and_deviation([0.6, 0.7, 0.8]) == (pytest.approx(0.7), pytest.approx(0.1))
    assert mean_and_deviation([0.6]) == (0.6, 0.0)


def test_an_interval_is_the_same_each_time_and_holds_the_mean():
    values = [float(Random(n).random() < 0.7) for n in range(100)]
    interval = bca(values)
    assert interval == bca(values)
    assert interval.low < sum(values) / 100 < interval.high
    assert interval.high - interval.low == pytest.approx(2 * 1.96 * 0.046, rel=0.15)


@pytest.mark.parametrize(
    ("values", "low", "high"),
    [  # scipy.stats.bootstrap, 1.17, of a million resamples
        ([0.0] * 15 + [1.0] * 5, 0.1, 0.5),
        ([1 / 3] * 30 + [1.0] * 40 + [0.0] * 3, 0.6027, 0.7626),
        ([-0.5] * 4 + [0.0] * 60 + [1.0] * 9, 0.0274, 0.1918),
        ([0.0] * 78 + [2 / 3, 1.0], 0.0, 0.075),
        ([float(n * n) for n in range(30)], 199.8, 386.8),
    ],
)
def test_the_interval_of_a_mean_is_bca(values, low, high):
    interval = bca(values)
    assert (interval.low, interval.high) == pytest.approx((low, high), rel=0.02, abs=0.005)


def test_mcnemar_is_exact():
    assert mcnemar(0, 6) == pytest.approx(2 / 2**6)
    assert mcnemar(5, 1) == mcnemar(1, 5) == pytest.approx(2 * 7 / 2**6)
    assert mcnemar(3, 3) == 1.0
    assert mcnemar(0, 0) == 1.0


def test_a_summary_counts_tasks_of_all_runs_and_failures():
    summary = summarise(benchmark("a", [(True, True), (True, False), (False, False), (True, True)]))
    assert (summary.tasks, summary.runs) == (4, 2)
    assert summary.pass_at_1 == pytest.approx(0.625)
    assert summary.deviation == pytest.approx(0.1768, abs=1e-4)
    assert summary.pass_at_k == (pytest.approx(0.625), pytest.approx(0.75))
    assert summary.failures == (("agent", "wrong page", 3),)
    assert summary.tasks_per_minute == 4.0
    hard = next(row for row in summary.groups if row.value == "hard")
    assert (hard.tasks, hard.rate.successes, hard.rate.trials) == (2, 3, 4)


def test_success_of_all_is_not_certain():
    interval = summarise(benchmark("a", [(True,)] * 20)).interval
    assert (interval.low, interval.high) == (pytest.approx(0.839, abs=1e-3), 1.0)


def test_a_task_that_lacks_a_run_counts_in_no_figure_of_tasks():
    whole = benchmark("a", [(True, True), (False, False)])
    part = whole.model_copy(update={"trials": whole.trials[:3]})
    assert summarise(part).tasks == 1


def test_a_real_difference_is_told_from_noise():
    weak = benchmark("weak", [(n < 40,) for n in range(100)])
    strong = benchmark("strong", [(n < 60,) for n in range(100)])
    real = compare(weak, strong)
    assert real.is_real
    assert real.sentence.startswith("The difference is real: strong is 20.0 points better than wea")
    assert (real.only_first, real.only_second) == (0, 20)
    assert real.p_value < 1e-5
    assert compare(strong, weak).difference == -real.difference
    noise = compare(weak, benchmark("twin", [(n < 38 or n in (90, 91, 92),) for n in range(100)]))
    assert not noise.is_real
    assert noise.sentence.startswith("No real difference is shown: twin is +1.0 points from weak")
    assert noise.sentence in comparison_text(noise)
    assert not compare(weak, weak).is_real


@pytest.mark.parametrize(
    ("first", "second", "low", "high"),
    [
        ((True,) * 10, (True,) * 10, -0.2775, 0.2775),
        ((False,) * 10, (True,) * 10, 0.7225, 1.0),
        ((True,) * 10, (False,) * 10, -1.0, -0.7225),
    ],
)
def test_that_all_tasks_differ_alike_is_not_certain(first, second, low, high):
    one, two = (benchmark("b", [(success,) for success in every]) for every in (first, second))
    interval = compare(one, two).interval
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-4)


def test_what_differs_is_not_compared():
    one = benchmark("a", [(True,)])
    with pytest.raises(SetupError, match="version v1 of the suite, b of v2"):
        compare(one, benchmark("b", [(True,)], version="v2"))
    with pytest.raises(SetupError, match="no task in common"):
        compare(one, one.model_copy(update={"trials": ()}))


def test_reports_say_the_figure_and_hold_no_markup_of_others():
    result = benchmark("a", [(True, False), (True, True)])
    summary = summarise(result)
    assert "practice, literal: pass@1 75.00 % ± 35.36 (95 % interval" in as_markdown(
        result, summary
    )
    page = as_html(result, summary)
    assert "&lt;no &amp; event&gt;" in page
    assert "<no" not in page
    assert page.count("<circle") == len(summary.groups)
    lines = list(json_lines(result, lambda _: b""))
    assert len(lines) == 4
    assert '"benchmark": "a"' in lines[0]


def test_a_result_is_found_by_the_beginning_of_its_id(tmp_path):
    for name in ("practice-1", "practice-2"):
        benchmark(name, [(True,)]).write(tmp_path)
    (tmp_path / "drift.json").write_text('{"recall": 1}', encoding="utf-8")
    assert find_result(tmp_path, "practice-2").id == "practice-2"
    with pytest.raises(SetupError, match="2 results begin with 'practice'"):
        find_result(tmp_path, "practice")
    with pytest.raises(SetupError, match="there is no result 'x'"):
        find_result(tmp_path, "x")
    with pytest.raises(SetupError, match=r"drift.json is no result of `appliance bench run`"):
        find_result(tmp_path, str(tmp_path / "drift.json"))


DONE, STUCK, LEFT = StepStatus.AS_WRITTEN, StepStatus.STUCK, StepStatus.UNREACHED


@pytest.mark.parametrize(
    ("verdict", "cause", "statuses", "is_untrue", "expected"),
    [
        (Verdict.BLOCKED, CauseKind.ENVIRONMENT, [], True, (Blame.ENVIRONMENT, None)),
        (Verdict.BLOCKED, CauseKind.CONSOLE, [], False, (Blame.CONSOLE, None)),
        (Verdict.BLOCKED, CauseKind.MODEL, [], False, (Blame.AGENT, Shape.NO_ATTEMPT)),
        (Verdict.BROKEN, None, [DONE, DONE], False, (Blame.AGENT, Shape.WRONG_PAGE)),
        (Verdict.BROKEN, None, [DONE, STUCK, LEFT], True, (Blame.DOCUMENT, Shape.STUCK_MIDWAY)),
        (Verdict.BROKEN, None, [DONE, STUCK, DONE], False, (Blame.AGENT, Shape.NOT_RECOVERED)),
        (Verdict.UNDECIDED, None, [STUCK, LEFT], False, (Blame.AGENT, Shape.NO_ATTEMPT)),
    ],
)
def test_who_is_to_blame(verdict, cause, statuses, is_untrue, expected):
    result = ProcedureResult(
        id="a/b/c",
        title="",
        title_path=("",),
        document="",
        line=1,
        end_line=1,
        verdict=verdict,
        goal=Goal(reached=False),
        path="",
        decided_by="",
        attempts=1,
        cost={},
        cause=cause,
        steps=tuple(
            StepResult(index=str(n), line=1, text="", status=s) for n, s in enumerate(statuses)
        ),
    )
    assert attribute(result, is_untrue=is_untrue) == expected

"""An adapter is promoted only where held-out tasks prove that it is better."""

import pytest

from appliance.benchmark.trials import (
    BenchmarkPolicy,
    BenchmarkResult,
    Level,
    Part,
    Setup,
    Split,
    Trial,
)
from appliance.core.errors import SetupError
from appliance.core.verdict import Verdict
from appliance.engine.promoted import PromotedAdapter, read_promotions
from appliance.training.promotion import decide, promote, promoted_adapter, roll_back
from tests.training.training_attempts import NOW

PRODUCTS = ("storage", "dns")


def result(id: str, passes, verdicts=lambda n: Verdict.VERIFIED, runs: int = 3, **more):
    """Of 40 tasks; `passes` says of each number whether it succeeds."""
    trials = [
        Trial(
            task=f"t{n}",
            run=run,
            release="1",
            product=PRODUCTS[n % 2],
            language="en",
            level=Level.STANDARD,
            split=more.get("split", Split.HELD_OUT),
            success=passes(n),
            verdict=verdicts(n),
            reason="",
        )
        for n in range(40)
        for run in range(1, runs + 1)
    ]
    setup = Setup(
        suite="practice",
        suite_version="1",
        policy=BenchmarkPolicy.MODEL,
        model=id,
        runs=runs,
        seed=1,
        tasks=tuple(f"t{n}" for n in range(40)),
    )
    return BenchmarkResult(
        id=id,
        appliance_version="0",
        commit="c",
        setup=setup,
        started_at=NOW,
        parts=(Part(run=1, release="1", is_over=more.get("is_over", True)),),
        trials=tuple(trials),
    )


OLD = result("old", lambda n: n < 20)


def test_what_is_shown_to_be_better_is_promoted():
    decision = decide(OLD, result("new", lambda n: n < 32), ())
    assert decision.is_promoted
    assert decision.comparison.difference == pytest.approx(0.3)


def test_a_gain_that_may_be_chance_is_none():
    decision = decide(OLD, result("new", lambda n: n < 21), ())
    assert not decision.is_promoted
    assert "no gain is shown" in decision.against[0]
    assert not decide(OLD, OLD, ()).is_promoted


def test_no_product_may_fall_however_large_the_gain_is():
    old, new = result("old", lambda n: n < 8), result("new", lambda n: n % 2 == 0)
    decision = decide(old, new, ())
    assert decision.comparison.interval.low > 0
    assert decision.worse == {"dns": pytest.approx(0.2)}
    assert not decision.is_promoted
    assert decide(old, new, (), max_loss=0.2).is_promoted


def test_false_alarms_must_not_rise():
    loud = result("new", lambda n: n < 32, lambda n: Verdict.DRIFTED if n < 4 else Verdict.VERIFIED)
    decision = decide(OLD, loud, ())
    assert decision.alarms_after == pytest.approx(0.1)
    assert "false alarms rise" in decision.against[-1]
    untrue = [f"t{n}" for n in range(4)]
    assert decide(OLD, loud, untrue).is_promoted  # there they are none


def test_too_little_is_refused_in_words():
    with pytest.raises(SetupError, match="3 whole ones"):
        decide(OLD, result("new", lambda n: True, runs=2), ())
    with pytest.raises(SetupError, match="is not over"):
        decide(OLD, result("new", lambda n: True, is_over=False), ())
    learnt = result("new", lambda n: True, split=Split.TRAIN)
    with pytest.raises(SetupError, match="no held-out task"):
        decide(OLD, learnt, ())


def adapter(name: str, folder) -> PromotedAdapter:
    decision = decide(OLD, result("new", lambda n: n < 32), ())
    return promoted_adapter(name, folder, "ab", decision, by="ann", now=NOW)


def test_a_rollback_brings_back_what_was_served_before(tmp_path):
    with pytest.raises(SetupError, match="nothing is promoted"):
        roll_back(tmp_path)
    for name in ("one", "two"):
        promote(tmp_path, adapter(name, tmp_path / name))
    assert read_promotions(tmp_path).current.name == "two"
    assert roll_back(tmp_path).current.name == "one"
    assert read_promotions(tmp_path).current.folder == tmp_path / "one"
    assert roll_back(tmp_path).current is None
    assert [one.name for one in read_promotions(tmp_path).history] == ["one", "two"]
    with pytest.raises(SetupError, match="promoted before"):
        promote(tmp_path, adapter("two", tmp_path))


def test_a_damaged_file_is_told(tmp_path):
    (tmp_path / "training").mkdir()
    (tmp_path / "training" / "promoted.json").write_text("{")
    with pytest.raises(SetupError, match="cannot be read"):
        read_promotions(tmp_path)

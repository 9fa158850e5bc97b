"""Decides by benchmarks whether a new adapter is better, and records which one is served."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from appliance.benchmark.comparison import Comparison, compare
from appliance.benchmark.trials import BenchmarkResult, Split
from appliance.core.errors import SetupError
from appliance.core.jsonable import json_object
from appliance.core.verdict import Verdict
from appliance.engine.promoted import PromotedAdapter, Promotions, read_promotions

MIN_RUNS = 3
MAX_PRODUCT_LOSS = 0.1
"""Largest drop in a product's success rate that does not prevent a promotion."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What was measured, and the decision that follows."""

    comparison: Comparison
    worse: Mapping[str, float]
    """Products, and by how much each does worse, that do so by more than they may."""
    alarms_before: float
    alarms_after: float
    """Share of trials on true texts in which something was reported."""
    against: tuple[str, ...]
    """Why it is not promoted; empty: it is."""

    @property
    def is_promoted(self) -> bool:
        """Whether it is better."""
        return not self.against


def decide(
    before: BenchmarkResult,
    after: BenchmarkResult,
    untrue: Collection[str],
    max_loss: float = MAX_PRODUCT_LOSS,
) -> Decision:
    """Hold the new policy's benchmark against the old one's, on held-out tasks only.

    Args:
        before: Of what is served now.
        after: Of the new adapter.
        untrue: Ids of tasks in which a sentence is known to be untrue.
        max_loss: By how much a product may do worse.

    Raises:
        SetupError: They say too little: too few runs, no held-out task, another suite.
    """
    old, new = _held_out_trials(before), _held_out_trials(after)
    comparison = compare(old, new)
    worse = {product: loss for product, loss in _losses(old, new).items() if loss > max_loss + 1e-9}
    alarms = _false_alarm_rate(old, untrue), _false_alarm_rate(new, untrue)
    objections = []
    if comparison.interval.low <= 0:
        objections.append(f"no gain is shown: {comparison.sentence}")
    objections += [f"{name} does worse by {100 * loss:.0f} points" for name, loss in worse.items()]
    if alarms[1] > alarms[0]:
        objections.append(
            f"false alarms rise from {alarms[0]:.1%} to {alarms[1]:.1%} of true texts"
        )
    return Decision(
        comparison=comparison,
        worse=worse,
        alarms_before=alarms[0],
        alarms_after=alarms[1],
        against=tuple(objections),
    )


def _held_out_trials(result: BenchmarkResult) -> BenchmarkResult:
    if not result.is_over or result.setup.runs < MIN_RUNS:
        raise SetupError(
            f"{result.id} has {result.setup.runs} runs"
            f"{'' if result.is_over else ' and is not over'}: {MIN_RUNS} whole ones are needed"
        )
    held_out = tuple(trial for trial in result.trials if trial.split is Split.HELD_OUT)
    if not held_out:
        raise SetupError(f"{result.id} has no held-out task: what was learnt from proves nothing")
    return result.model_copy(update={"trials": held_out})


def _losses(old: BenchmarkResult, new: BenchmarkResult) -> dict[str, float]:
    """Return by product how far the success rate drops; negative where it rises."""
    before, after = _success_by_product(old), _success_by_product(new)
    return {name: before[name] - after[name] for name in before if name in after}


def _success_by_product(result: BenchmarkResult) -> dict[str, float]:
    outcomes = defaultdict(list)
    for trial in result.trials:
        outcomes[trial.product].append(trial.success)
    return {name: sum(successes) / len(successes) for name, successes in outcomes.items()}


def _false_alarm_rate(result: BenchmarkResult, untrue: Collection[str]) -> float:
    reported = [
        trial.verdict in (Verdict.DRIFTED, Verdict.BROKEN)
        for trial in result.trials
        if trial.task not in untrue
    ]
    return sum(reported) / len(reported) if reported else 0.0


def promote(data_dir: Path, adapter: PromotedAdapter) -> Promotions:
    """Have an adapter served from the next run on.

    Raises:
        SetupError: One of that name was promoted before.
    """
    promotions = read_promotions(data_dir)
    if any(one.name == adapter.name for one in promotions.history):
        raise SetupError(f"{adapter.name} was promoted before; `rollback` brings back what was")
    updated = Promotions(
        history=(*promotions.history, adapter), serving=(*promotions.serving, adapter.name)
    )
    updated.write(data_dir)
    return updated


def roll_back(data_dir: Path) -> Promotions:
    """Undo the last promotion, from the next run on.

    Raises:
        SetupError: Nothing is promoted.
    """
    promotions = read_promotions(data_dir)
    if not promotions.serving:
        raise SetupError("nothing is promoted: the model itself is served, or what settings name")
    updated = promotions.model_copy(update={"serving": promotions.serving[:-1]})
    updated.write(data_dir)
    return updated


def promoted_adapter(
    name: str, folder: Path, base_digest: str, decision: Decision, *, by: str, now: datetime
) -> PromotedAdapter:
    """Build the record of a promotion."""
    comparison = asdict(decision.comparison) | {"sentence": decision.comparison.sentence}
    return PromotedAdapter(
        name=name,
        folder=folder.resolve(),
        base_digest=base_digest,
        promoted_at=now.isoformat(timespec="seconds"),
        promoted_by=by,
        decision={
            "comparison": json_object(comparison),
            "alarms_before": decision.alarms_before,
            "alarms_after": decision.alarms_after,
        },
    )

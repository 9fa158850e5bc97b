"""Whether a new adapter is better, by what was measured of it, and what is served then."""

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

LEAST_RUNS = 3
MOST_LOSS = 0.1
"""Share of tasks by which a product may do worse."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What was measured, and what follows."""

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
    most_loss: float = MOST_LOSS,
) -> Decision:
    """Hold the new policy's benchmark against the old one's, on held-out tasks only.

    Args:
        before: Of what is served now.
        after: Of the new adapter.
        untrue: Ids of tasks in which a sentence is known to be untrue.
        most_loss: By how much a product may do worse.

    Raises:
        SetupError: They say too little: too few runs, no held-out task, another suite.
    """
    old, new = _held_out(before), _held_out(after)
    comparison = compare(old, new)
    worse = {
        product: loss for product, loss in _losses(old, new).items() if loss > most_loss + 1e-9
    }
    alarms = _alarms(old, untrue), _alarms(new, untrue)
    against = []
    if comparison.interval.low <= 0:
        against.append(f"no gain is shown: {comparison.sentence}")
    against += [f"{name} does worse by {100 * loss:.0f} points" for name, loss in worse.items()]
    if alarms[1] > alarms[0]:
        against.append(f"false alarms rise from {alarms[0]:.1%} to {alarms[1]:.1%} of true texts")
    return Decision(
        comparison=comparison,
        worse=worse,
        alarms_before=alarms[0],
        alarms_after=alarms[1],
        against=tuple(against),
    )


def _held_out(result: BenchmarkResult) -> BenchmarkResult:
    if not result.is_over or result.setup.runs < LEAST_RUNS:
        raise SetupError(
            f"{result.id} has {result.setup.runs} runs"
            f"{'' if result.is_over else ' and is not over'}: {LEAST_RUNS} whole ones are needed"
        )
    kept = tuple(trial for trial in result.trials if trial.split is Split.HELD_OUT)
    if not kept:
        raise SetupError(f"{result.id} has no held-out task: what was learnt from proves nothing")
    return result.model_copy(update={"trials": kept})


def _losses(old: BenchmarkResult, new: BenchmarkResult) -> dict[str, float]:
    """By product, how much of its trials the new one loses; negative: it gains."""
    before, after = _by_product(old), _by_product(new)
    return {name: before[name] - after[name] for name in before if name in after}


def _by_product(result: BenchmarkResult) -> dict[str, float]:
    found = defaultdict(list)
    for trial in result.trials:
        found[trial.product].append(trial.success)
    return {name: sum(of) / len(of) for name, of in found.items()}


def _alarms(result: BenchmarkResult, untrue: Collection[str]) -> float:
    told = [
        trial.verdict in (Verdict.DRIFTED, Verdict.BROKEN)
        for trial in result.trials
        if trial.task not in untrue
    ]
    return sum(told) / len(told) if told else 0.0


def promote(data_dir: Path, adapter: PromotedAdapter) -> Promotions:
    """Have it served from the next run on.

    Raises:
        SetupError: One of that name was promoted before.
    """
    known = read_promotions(data_dir)
    if any(one.name == adapter.name for one in known.history):
        raise SetupError(f"{adapter.name} was promoted before; `rollback` brings back what was")
    made = Promotions(history=(*known.history, adapter), serving=(*known.serving, adapter.name))
    made.write(data_dir)
    return made


def roll_back(data_dir: Path) -> Promotions:
    """Have served, from the next run on, what was served before the last promotion.

    Raises:
        SetupError: Nothing is promoted.
    """
    known = read_promotions(data_dir)
    if not known.serving:
        raise SetupError("nothing is promoted: the model itself is served, or what settings name")
    made = known.model_copy(update={"serving": known.serving[:-1]})
    made.write(data_dir)
    return made


def promoted_of(
    name: str, folder: Path, base_digest: str, decision: Decision, *, by: str, now: datetime
) -> PromotedAdapter:
    """What is kept of a promotion."""
    told = asdict(decision.comparison) | {"sentence": decision.comparison.sentence}
    return PromotedAdapter(
        name=name,
        folder=folder.resolve(),
        base_digest=base_digest,
        promoted_at=now.isoformat(timespec="seconds"),
        promoted_by=by,
        decision={
            "comparison": json_object(told),
            "alarms_before": decision.alarms_before,
            "alarms_after": decision.alarms_after,
        },
    )

"""What provisioning is worth: the same procedures with nothing made for them, and with it.

The paper behind the idea (AliyunConsoleAgent, 2026) reports 33.81 % without and 84.39 % with
provisioning on one product.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from appliance.benchmark.statistics import Rate
from appliance.core.result import ProcedureResult, RunResult
from appliance.core.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Both arms, over the same procedures."""

    off: Rate
    on: Rate
    needing: int
    """Procedures whose checks name something that has to be there."""
    off_needing: Rate
    on_needing: Rate
    lost: tuple[str, ...]
    """Ids of procedures that succeed only without provisioning."""
    failed: tuple[str, ...]
    """Ids of those that do not succeed with it."""

    @property
    def points(self) -> float:
        """Percentage points gained."""
        return 100 * (self.on.share - self.off.share)


def compare(off: RunResult, on: RunResult, needing: frozenset[str]) -> Comparison:
    """Hold two runs over the same procedures against each other.

    Args:
        off: Without provisioning.
        on: With it.
        needing: Ids of the procedures that need something.
    """
    without = {p.id for p in off.procedures if has_succeeded(p)}
    with_it = {p.id for p in on.procedures if has_succeeded(p)}
    every = [p.id for p in on.procedures]
    some = [p for p in every if p in needing]
    return Comparison(
        off=_rate(every, without),
        on=_rate(every, with_it),
        needing=len(some),
        off_needing=_rate(some, without),
        on_needing=_rate(some, with_it),
        lost=tuple(sorted(without - with_it)),
        failed=tuple(p for p in every if p not in with_it),
    )


def has_succeeded(result: ProcedureResult) -> bool:
    """Whether the goal was reached as the text says: on a release whose documentation is true."""
    return result.verdict is Verdict.VERIFIED


def _rate(of: Sequence[str], successes: set[str]) -> Rate:
    return Rate.of([one in successes for one in of])

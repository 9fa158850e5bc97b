"""What provisioning is worth: the same procedures with nothing made for them, and with it.

The paper behind the idea (AliyunConsoleAgent, 2026) reports 33.81 % without and 84.39 % with
provisioning on one product.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from appliance.core.result import ProcedureResult, RunResult
from appliance.core.verdict import Verdict

_Z = 1.959964
"""Of a two-sided interval of 95 %."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A share with its 95 % interval."""

    successes: int
    trials: int

    @property
    def share(self) -> float:
        """0..1."""
        return self.successes / self.trials if self.trials else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's score interval (E. B. Wilson, JASA 22, 1927): right for shares near 0 and 1."""
        if not self.trials:
            return 0.0, 1.0
        n, p = self.trials, self.share
        middle = p + _Z**2 / (2 * n)
        spread = _Z * math.sqrt(p * (1 - p) / n + _Z**2 / (4 * n**2))
        whole = 1 + _Z**2 / n
        return max(0.0, (middle - spread) / whole), min(1.0, (middle + spread) / whole)

    def __str__(self) -> str:
        low, high = self.interval
        return (
            f"{100 * self.share:.2f} % ({self.successes} of {self.trials},"
            f" 95 % interval {100 * low:.1f} to {100 * high:.1f})"
        )


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
    return Rate(sum(one in successes for one in of), len(of))

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
    succeeded_without = {procedure.id for procedure in off.procedures if has_succeeded(procedure)}
    succeeded_with = {procedure.id for procedure in on.procedures if has_succeeded(procedure)}
    all_ids = [procedure.id for procedure in on.procedures]
    needing_ids = [procedure for procedure in all_ids if procedure in needing]
    return Comparison(
        off=_rate(all_ids, succeeded_without),
        on=_rate(all_ids, succeeded_with),
        needing=len(needing_ids),
        off_needing=_rate(needing_ids, succeeded_without),
        on_needing=_rate(needing_ids, succeeded_with),
        lost=tuple(sorted(succeeded_without - succeeded_with)),
        failed=tuple(procedure for procedure in all_ids if procedure not in succeeded_with),
    )


def has_succeeded(result: ProcedureResult) -> bool:
    """Whether the goal was reached as the text says: on a release whose documentation is true."""
    return result.verdict is Verdict.VERIFIED


def _rate(ids: Sequence[str], successes: set[str]) -> Rate:
    return Rate.of([procedure_id in successes for procedure_id in ids])

"""What a verdict becomes that a late audit log may still change: once it says so, or never does."""

from collections.abc import Iterator
from dataclasses import replace

from appliance.core.causes import Cause, CauseKind
from appliance.core.procedure import Procedure
from appliance.core.result import Finding, Goal, ProcedureResult, TierResult
from appliance.core.verdict import Verdict
from appliance.policy.model import unmarked
from appliance.store.pending import PendingRow
from appliance.verification.case import Pending, Tried
from appliance.verification.resulting import unspoken
from appliance.verification.verdict import Drawn, draw_verdict

_TELLING = frozenset((Verdict.VERIFIED, Verdict.DRIFTED))


def pending_of(
    tried: Tried, findings: tuple[Finding, ...], *, needs_witness: bool
) -> Pending | None:
    """Whether it is worth waiting; None: the audit log is not late, or would not change much.

    Args:
        tried: The last attempt.
        findings: What is confirmed.
        needs_witness: As for `draw_verdict`.
    """
    late = tried.late
    if late is None:
        return None
    if_reached, if_not = (
        draw_verdict(goal, tried.trajectory, findings, needs_witness=needs_witness)
        for goal in (late.if_reached, late.if_not)
    )
    if if_reached.verdict not in _TELLING:
        return None
    if if_not.verdict is Verdict.BROKEN:
        why = "the expected events never came; it was looked at once: verify it again"
        if_not = Drawn(Verdict.UNDECIDED, Cause(CauseKind.OUTCOME, why))
    return Pending(late=late, if_reached=if_reached, if_not=if_not)


def waiting_row(
    pending: Pending, procedure: Procedure, result: ProcedureResult, run_id: str, console: str
) -> PendingRow:
    """What is kept until then.

    Args:
        pending: The verdicts.
        procedure: With the rules.
        result: As it is told now.
        run_id: Its run.
        console: Whose audit log it is.
    """
    late = pending.late
    return PendingRow(
        run_id=run_id,
        procedure_id=result.id,
        console=console,
        account=late.account,
        began_at=late.began,
        ended_at=late.ended,
        deadline=late.until,
        checks=procedure.checks,
        bindings=unmarked(late.bindings),
        if_reached=_become(result, pending.if_reached, late.if_reached),
        if_not=_become(result, pending.if_not, late.if_not),
    )


def _become(result: ProcedureResult, drawn: Drawn, goal: Goal) -> ProcedureResult:
    keeps = drawn.verdict in (Verdict.DRIFTED, Verdict.UNDECIDED)
    become = replace(
        result,
        verdict=drawn.verdict,
        blocked_by=str(drawn.because) if drawn.because else None,
        goal=goal,
        findings=result.findings if keeps else (),
        pending_until=None,
        tiers=tuple(_settled(result, drawn)),
    )
    return unspoken(become)


def _settled(result: ProcedureResult, drawn: Drawn) -> Iterator[TierResult]:
    for tier in result.tiers:
        is_it = tier.policy == result.decided_by
        yield replace(tier, verdict=drawn.verdict) if is_it else tier

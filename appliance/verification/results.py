"""The result of a procedure, from what was tried and the tier whose verdict stands."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from appliance.consoles import Console
from appliance.core.audit_json import MEDIA_TYPE, audit_lines
from appliance.core.causes import Cause, CauseKind
from appliance.core.procedure import Procedure, Step
from appliance.core.result import (
    ArtifactRef,
    Finding,
    Goal,
    ProcedureResult,
    StepResult,
    TierResult,
)
from appliance.core.secrets import without_secrets
from appliance.core.verdict import PolicyName, StepStatus, Verdict
from appliance.policy.base import StepReport
from appliance.policy.model import unmarked
from appliance.store.artifacts import ArtifactStore
from appliance.store.pending import PendingRow
from appliance.verification.case import Case, JudgedAttempt, PendingAttempt, TierAttempts
from appliance.verification.claim_questions.effects import answered
from appliance.verification.claims import claims_of
from appliance.verification.confidence import fit_of
from appliance.verification.trajectory import Trajectory
from appliance.verification.verdict import DrawnVerdict, draw_verdict, is_to_look, path_of

_WORST_FIRST = (
    StepStatus.STUCK,
    StepStatus.DIVERGED,
    StepStatus.UNREACHED,
    StepStatus.AS_WRITTEN,
    StepStatus.SKIPPED,
)

_TELLING = frozenset((Verdict.VERIFIED, Verdict.DRIFTED))


def step_results(procedure: Procedure, trajectory: Trajectory | None) -> tuple[StepResult, ...]:
    """One result a step, nested ones included, in reading order."""
    return tuple(_result(step, trajectory) for step in procedure.walk())


def agreement(console: Console, procedure: Procedure, trajectory: Trajectory) -> float | None:
    """How well the text and a console without an adapter agree (`fit_of`); None: it has one."""
    if console.knows_inventory:
        return None
    return fit_of(step.status for step in step_results(procedure, trajectory))


def _result(step: Step, trajectory: Trajectory | None) -> StepResult:
    reports = [r for r in trajectory.reports() if r.step == step.index] if trajectory else []
    before, after = _pictures(step, trajectory) if trajectory else (None, None)
    status = _status(step, reports, trajectory)
    return StepResult(
        index=step.index,
        line=step.span.line,
        text=step.text,
        status=status,
        note="; ".join(dict.fromkeys(r.note for r in reports if r.note and r.status is status)),
        before=before,
        after=after,
    )


def _status(step: Step, reports: Sequence[StepReport], trajectory: Trajectory | None) -> StepStatus:
    for status in _WORST_FIRST:
        if any(r.status is status for r in reports):
            return status
    if trajectory is None or not _was_reached(step, trajectory):
        return StepStatus.UNREACHED
    return StepStatus.SKIPPED


def _was_reached(step: Step, trajectory: Trajectory) -> bool:
    """A step without reports has nothing to do, unless the attempt ended before it."""
    return trajectory.stop == "answered" or any(
        t.decision.step == step.index for t in trajectory.turns
    )


def _pictures(step: Step, trajectory: Trajectory) -> tuple[ArtifactRef | None, ArtifactRef | None]:
    turns = [
        n
        for n, t in enumerate(trajectory.turns)
        if t.decision.step == step.index and not t.decision.action.is_final and t.before
    ]
    if not turns:
        return None, None
    return trajectory.turns[turns[0]].before, trajectory.screenshot_after(turns[-1])


def result_of(
    case: Case, chosen: TierAttempts, took_s: float, artifacts: ArtifactStore
) -> ProcedureResult:
    """What is kept and shown.

    Args:
        case: What was tried.
        chosen: The tier whose verdict stands.
        took_s: Since it had an account.
        artifacts: Where the trajectory and the audit events are kept.
    """
    procedure = case.procedure
    last = chosen.attempts[-1] if chosen.attempts else None
    trajectory = last.trajectory if last else None
    cause = chosen.drawn.cause
    result = ProcedureResult(
        id=procedure.id,
        title=procedure.title,
        title_path=procedure.title_path,
        document=case.document.path,
        line=procedure.span.line,
        end_line=procedure.span.end_line,
        verdict=chosen.drawn.verdict,
        goal=last.goal if last else Goal(reached=None),
        path=path_of(trajectory) if trajectory else "",
        decided_by=(chosen.policy or "") if last else "",
        attempts=sum(len(one.attempts) for one in case.tiers),
        cost=case.cost(took_s),
        steps=step_results(procedure, trajectory),
        findings=chosen.findings,
        claims=answered(
            claims_of(procedure, trajectory, chosen.findings),
            chosen.asked.answers,
            chosen.findings,
        ),
        blocked_by=str(cause) if cause else None,
        cause=cause.kind if cause else None,
        prerequisites=tuple(p.text for p in procedure.prerequisites),
        trajectory=(
            artifacts.put(trajectory.as_json_lines().encode(), "application/jsonl")
            if trajectory
            else None
        ),
        tiers=tuple(_tier(one.policy, one, chosen) for one in case.tiers if one.policy),
        audit=_audit(chosen, artifacts),
        pending_until=chosen.pending.late.until if chosen.pending else None,
    )
    return unspoken(result)


def unspoken(result: ProcedureResult) -> ProcedureResult:
    """Without secrets in what is said in words; what names something stays as it is.

    What a person typed may stand in the console's own words, and in the audit log's.
    """
    goal = replace(
        result.goal,
        channels=tuple(
            replace(one, reason=without_secrets(one.reason)) for one in result.goal.channels
        ),
    )
    return replace(
        result,
        goal=goal,
        steps=tuple(replace(one, note=without_secrets(one.note)) for one in result.steps),
        findings=tuple(map(_unspoken_finding, result.findings)),
        claims=tuple(
            replace(
                one,
                text=without_secrets(one.text),
                reason=without_secrets(one.reason),
                quote=without_secrets(one.quote),
            )
            for one in result.claims
        ),
        blocked_by=result.blocked_by and without_secrets(result.blocked_by),
        tiers=tuple(replace(one, why=without_secrets(one.why)) for one in result.tiers),
    )


def _unspoken_finding(finding: Finding) -> Finding:
    return replace(
        finding,
        quote=without_secrets(finding.quote),
        shown=without_secrets(finding.shown),
        suggestion=finding.suggestion and without_secrets(finding.suggestion),
        evidence=tuple(
            replace(one, caption=without_secrets(one.caption), text=without_secrets(one.text))
            for one in finding.evidence
        ),
    )


def _tier(policy: PolicyName, one: TierAttempts, chosen: TierAttempts) -> TierResult:
    return TierResult(
        policy=policy,
        verdict=one.drawn.verdict,
        attempts=len(one.attempts),
        cost=one.cost,
        why=why_not(one, chosen),
    )


def why_not(one: TierAttempts, chosen: TierAttempts) -> str:
    """Why a tier did not decide; empty: it did."""
    if one is chosen:
        return ""
    if one.drawn.cause:
        return str(one.drawn.cause)
    return f"by it the procedure is {one.drawn.verdict}, which was looked into"


def _audit(chosen: TierAttempts, artifacts: ArtifactStore) -> ArtifactRef | None:
    """The events of the last attempt."""
    log = chosen.attempts[-1].audit if chosen.attempts else None
    return artifacts.put(audit_lines(log), MEDIA_TYPE) if log is not None else None


def pending_of(
    attempt: JudgedAttempt, findings: tuple[Finding, ...], *, needs_witness: bool
) -> PendingAttempt | None:
    """Whether it is worth waiting; None: the audit log is not late, or would not change much.

    Args:
        attempt: The last one.
        findings: What is confirmed.
        needs_witness: As for `draw_verdict`.
    """
    late = attempt.late
    if late is None:
        return None
    if_reached, if_not = (
        draw_verdict(
            goal,
            attempt.trajectory,
            findings,
            needs_witness=needs_witness,
            is_to_look=is_to_look(attempt.task.procedure),
        )
        for goal in (late.if_reached, late.if_not)
    )
    if if_reached.verdict not in _TELLING:
        return None
    if if_not.verdict is Verdict.BROKEN:
        why = "the expected events never came; it was looked at once: verify it again"
        if_not = DrawnVerdict(Verdict.UNDECIDED, Cause(CauseKind.OUTCOME, why))
    claims = claims_of(attempt.task.procedure, attempt.trajectory, findings)
    return PendingAttempt(
        late=late, if_reached=if_reached, if_not=if_not, findings=findings, claims=claims
    )


def waiting_row(
    pending: PendingAttempt,
    procedure: Procedure,
    result: ProcedureResult,
    run_id: str,
    console: str,
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
        if_reached=_become(
            replace(result, findings=pending.findings, claims=pending.claims),
            pending.if_reached,
            late.if_reached,
        ),
        if_not=_become(result, pending.if_not, late.if_not),
    )


def _become(result: ProcedureResult, drawn: DrawnVerdict, goal: Goal) -> ProcedureResult:
    keeps = drawn.verdict in (Verdict.DRIFTED, Verdict.UNDECIDED)
    become = replace(
        result,
        verdict=drawn.verdict,
        blocked_by=str(drawn.cause) if drawn.cause else None,
        cause=drawn.cause.kind if drawn.cause else None,
        goal=goal,
        findings=result.findings if keeps else (),
        pending_until=None,
        tiers=tuple(_settled(result, drawn)),
    )
    return unspoken(become)


def _settled(result: ProcedureResult, drawn: DrawnVerdict) -> Iterator[TierResult]:
    for tier in result.tiers:
        is_it = tier.policy == result.decided_by
        yield replace(tier, verdict=drawn.verdict) if is_it else tier

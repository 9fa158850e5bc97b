"""Builds the result of a procedure from its tiers and the one whose verdict stands."""

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

_WORTH_WAITING = frozenset((Verdict.VERIFIED, Verdict.DRIFTED))


def step_results(procedure: Procedure, trajectory: Trajectory | None) -> tuple[StepResult, ...]:
    """One result per step, including nested steps, in reading order."""
    return tuple(_step_result(step, trajectory) for step in procedure.walk())


def agreement(console: Console, procedure: Procedure, trajectory: Trajectory) -> float | None:
    """How well the text and a console without an adapter agree (`fit_of`); None: it has one."""
    if console.knows_inventory:
        return None
    return fit_of(step.status for step in step_results(procedure, trajectory))


def _step_result(step: Step, trajectory: Trajectory | None) -> StepResult:
    reports = (
        [report for report in trajectory.reports() if report.step == step.index]
        if trajectory
        else []
    )
    before, after = _pictures(step, trajectory) if trajectory else (None, None)
    status = _status(step, reports, trajectory)
    return StepResult(
        index=step.index,
        line=step.span.line,
        text=step.text,
        status=status,
        note="; ".join(
            dict.fromkeys(
                report.note for report in reports if report.note and report.status is status
            )
        ),
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
        index
        for index, turn in enumerate(trajectory.turns)
        if turn.decision.step == step.index and not turn.decision.action.is_final and turn.before
    ]
    if not turns:
        return None, None
    return trajectory.turns[turns[0]].before, trajectory.screenshot_after(turns[-1])


def result_of(
    case: Case, chosen: TierAttempts, took_s: float, artifacts: ArtifactStore
) -> ProcedureResult:
    """Build the result that is stored and shown.

    Args:
        case: The procedure with all tiers that were tried.
        chosen: The tier whose verdict stands.
        took_s: Seconds since it got an account.
        artifacts: The store for the trajectory and the audit events.
    """
    procedure = case.procedure
    last_attempt = chosen.attempts[-1] if chosen.attempts else None
    trajectory = last_attempt.trajectory if last_attempt else None
    cause = chosen.drawn.cause
    result = ProcedureResult(
        id=procedure.id,
        title=procedure.title,
        title_path=procedure.title_path,
        document=case.document.path,
        line=procedure.span.line,
        end_line=procedure.span.end_line,
        verdict=chosen.drawn.verdict,
        goal=last_attempt.goal if last_attempt else Goal(reached=None),
        path=path_of(trajectory) if trajectory else "",
        decided_by=(chosen.policy or "") if last_attempt else "",
        attempts=sum(len(tier.attempts) for tier in case.tiers),
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
        prerequisites=tuple(prerequisite.text for prerequisite in procedure.prerequisites),
        trajectory=(
            artifacts.put(trajectory.as_json_lines().encode(), "application/jsonl")
            if trajectory
            else None
        ),
        tiers=tuple(_tier_result(tier.policy, tier, chosen) for tier in case.tiers if tier.policy),
        audit=_audit(chosen, artifacts),
        pending_until=chosen.pending.late.until if chosen.pending else None,
    )
    return without_known_secrets(result)


def without_known_secrets(result: ProcedureResult) -> ProcedureResult:
    """The result with secrets removed from its texts; names and ids are unchanged.

    What a person typed may stand in the console's own words, and in the audit log's.
    """
    goal = replace(
        result.goal,
        channels=tuple(
            replace(item, reason=without_secrets(item.reason)) for item in result.goal.channels
        ),
    )
    return replace(
        result,
        goal=goal,
        steps=tuple(replace(item, note=without_secrets(item.note)) for item in result.steps),
        findings=tuple(map(_finding_without_secrets, result.findings)),
        claims=tuple(
            replace(
                item,
                text=without_secrets(item.text),
                reason=without_secrets(item.reason),
                quote=without_secrets(item.quote),
            )
            for item in result.claims
        ),
        blocked_by=result.blocked_by and without_secrets(result.blocked_by),
        tiers=tuple(replace(item, why=without_secrets(item.why)) for item in result.tiers),
    )


def _finding_without_secrets(finding: Finding) -> Finding:
    return replace(
        finding,
        quote=without_secrets(finding.quote),
        shown=without_secrets(finding.shown),
        suggestion=finding.suggestion and without_secrets(finding.suggestion),
        evidence=tuple(
            replace(
                evidence,
                caption=without_secrets(evidence.caption),
                text=without_secrets(evidence.text),
            )
            for evidence in finding.evidence
        ),
    )


def _tier_result(
    policy: PolicyName, tier_attempts: TierAttempts, chosen: TierAttempts
) -> TierResult:
    return TierResult(
        policy=policy,
        verdict=tier_attempts.drawn.verdict,
        attempts=len(tier_attempts.attempts),
        cost=tier_attempts.cost,
        why=reason_not_decisive(tier_attempts, chosen),
    )


def reason_not_decisive(tier_attempts: TierAttempts, chosen: TierAttempts) -> str:
    """Why a tier did not decide; empty if it did."""
    if tier_attempts is chosen:
        return ""
    if tier_attempts.drawn.cause:
        return str(tier_attempts.drawn.cause)
    return f"by it the procedure is {tier_attempts.drawn.verdict}, which was looked into"


def _audit(chosen: TierAttempts, artifacts: ArtifactStore) -> ArtifactRef | None:
    """Store the audit events of the last attempt."""
    log = chosen.attempts[-1].audit if chosen.attempts else None
    return artifacts.put(audit_lines(log), MEDIA_TYPE) if log is not None else None


def pending_of(
    attempt: JudgedAttempt, findings: tuple[Finding, ...], *, needs_witness: bool
) -> PendingAttempt | None:
    """The pending verdicts; None if the audit log is not late or would not change much.

    Args:
        attempt: The last attempt.
        findings: The confirmed findings.
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
    if if_reached.verdict not in _WORTH_WAITING:
        return None
    if if_not.verdict is Verdict.BROKEN:
        why = "the expected events never came; it was looked at once: verify it again"
        if_not = DrawnVerdict(Verdict.UNDECIDED, Cause(CauseKind.OUTCOME, why))
    claims = claims_of(attempt.task.procedure, attempt.trajectory, findings)
    return PendingAttempt(
        late=late, if_reached=if_reached, if_not=if_not, findings=findings, claims=claims
    )


def pending_row(
    pending: PendingAttempt,
    procedure: Procedure,
    result: ProcedureResult,
    run_id: str,
    console: str,
) -> PendingRow:
    """The row that is stored until the audit log is complete.

    Args:
        pending: The verdicts for either outcome.
        procedure: The procedure with its audit rules.
        result: The result as published now.
        run_id: The id of its run.
        console: The console with the audit log.
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
        if_reached=_settled_result(
            replace(result, findings=pending.findings, claims=pending.claims),
            pending.if_reached,
            late.if_reached,
        ),
        if_not=_settled_result(result, pending.if_not, late.if_not),
    )


def _settled_result(result: ProcedureResult, drawn: DrawnVerdict, goal: Goal) -> ProcedureResult:
    keeps_findings = drawn.verdict in (Verdict.DRIFTED, Verdict.UNDECIDED)
    settled = replace(
        result,
        verdict=drawn.verdict,
        blocked_by=str(drawn.cause) if drawn.cause else None,
        cause=drawn.cause.kind if drawn.cause else None,
        goal=goal,
        findings=result.findings if keeps_findings else (),
        pending_until=None,
        tiers=tuple(_settled_tiers(result, drawn)),
    )
    return without_known_secrets(settled)


def _settled_tiers(result: ProcedureResult, drawn: DrawnVerdict) -> Iterator[TierResult]:
    for tier in result.tiers:
        is_decisive = tier.policy == result.decided_by
        yield replace(tier, verdict=drawn.verdict) if is_decisive else tier

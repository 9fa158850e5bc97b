"""The result of a procedure, from what was tried and the tier whose verdict stands."""

from dataclasses import replace

from appliance.core.audit_json import MEDIA_TYPE, audit_lines
from appliance.core.result import ArtifactRef, Finding, Goal, ProcedureResult, TierResult
from appliance.core.secrets import without_secrets
from appliance.store import ArtifactStore
from appliance.verification.case import Case, Round
from appliance.verification.steps import step_results
from appliance.verification.tiers import why_not
from appliance.verification.verdict import path_of


def result_of(
    case: Case, chosen: Round, took_s: float, artifacts: ArtifactStore
) -> ProcedureResult:
    """What is kept and shown.

    Args:
        case: What was tried.
        chosen: The tier whose verdict stands.
        took_s: Since it had an account.
        artifacts: Where the trajectory and the audit events are kept.
    """
    procedure = case.procedure
    last = chosen.tried[-1] if chosen.tried else None
    trajectory = last.trajectory if last else None
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
        decided_by=chosen.policy if last else "",
        attempts=sum(len(one.tried) for one in case.rounds),
        cost=case.cost(took_s),
        steps=step_results(procedure, trajectory),
        findings=chosen.findings,
        blocked_by=str(chosen.drawn.because) if chosen.drawn.because else None,
        prerequisites=tuple(p.text for p in procedure.prerequisites),
        trajectory=(
            artifacts.put(trajectory.as_json_lines().encode(), "application/jsonl")
            if trajectory
            else None
        ),
        tiers=tuple(_tier(one, chosen) for one in case.rounds),
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


def _tier(one: Round, chosen: Round) -> TierResult:
    return TierResult(
        policy=one.policy,
        verdict=one.drawn.verdict,
        attempts=len(one.tried),
        cost=one.cost,
        why=why_not(one, chosen),
    )


def _audit(chosen: Round, artifacts: ArtifactStore) -> ArtifactRef | None:
    """The events of the last attempt."""
    log = chosen.tried[-1].audit if chosen.tried else None
    return artifacts.put(audit_lines(log), MEDIA_TYPE) if log is not None else None

"""What became of every claim of a procedure: seen, contradicted by a finding, or not looked at."""

from collections.abc import Iterable, Iterator

from appliance.core import actions
from appliance.core.claims import Claim, ClaimCheck, ClaimStatus, StatedClaim
from appliance.core.procedure import Procedure
from appliance.core.result import Finding
from appliance.core.source import Span, overlap
from appliance.core.verdict import Basis, PolicyName, Severity
from appliance.language.names import same
from appliance.policy.literal import stated_claims
from appliance.policy.replay import Recipe
from appliance.verification.trajectory import Trajectory

_NOT_READ = "nobody without a model can tell what to look for"
_NOT_REACHED = "the attempt did not come to it"
ONCE = "something else was seen, but not for certain"


def claims_of(
    procedure: Procedure, trajectory: Trajectory | None, findings: Iterable[Finding]
) -> tuple[Claim, ...]:
    """All that the procedure's text says, in its order.

    Args:
        procedure: As it was read.
        trajectory: The attempt that the verdict rests on; None: nothing was attempted.
        findings: What is said against the text: they decide, whatever an attempt saw.
    """
    # a model's answer is about its own claim: it takes nothing back of what was measured near it
    measured = [finding for finding in findings if finding.basis is not Basis.QUOTED]
    untrue = [_span_of(finding) for finding in measured if finding.is_alarming]
    divergences = [d for _, d in trajectory.divergences()] if trajectory else []
    noted = [d.span for d in divergences if d.severity is not Severity.COSMETIC]
    noted += [_span_of(finding) for finding in measured if not finding.is_sure]
    checks = _by_claim(_checks(trajectory)) if trajectory else {}
    stated = stated_claims(procedure)
    if trajectory is not None and trajectory.policy == PolicyName.MODEL:
        checks |= {
            n: seen for n, claim in enumerate(stated) if (seen := _used(trajectory, claim, n))
        }
    return tuple(_claim(claim, checks.get(n), untrue, noted) for n, claim in enumerate(stated))


def vanished(procedure: Procedure, recipe: Recipe, trajectory: Trajectory) -> StatedClaim | None:
    """What was seen when the text was verified last, and was not seen now; None: nothing.

    Args:
        procedure: Of both.
        recipe: What was verified.
        trajectory: An attempt of the same reader.
    """
    if recipe.tier != trajectory.policy:
        return None
    now = _confirmed(_checks(trajectory))
    before = _confirmed(check for stage in recipe.stages for check in stage.move.checks)
    stated = stated_claims(procedure)
    return next((stated[n] for n in sorted(before - now)), None)


def _checks(trajectory: Trajectory) -> Iterator[ClaimCheck]:
    return (check for turn in trajectory.turns for check in turn.decision.checks)


def _confirmed(checks: Iterable[ClaimCheck]) -> set[int]:
    return {claim for claim, check in _by_claim(checks).items() if check.is_confirmed}


def _by_claim(checks: Iterable[ClaimCheck]) -> dict[int, ClaimCheck]:
    """By claim: confirmed only where nothing else was said of it."""
    last: dict[int, ClaimCheck] = {}
    for check in checks:
        if check.claim not in last or last[check.claim].is_confirmed:
            last[check.claim] = check
    return last


def _used(trajectory: Trajectory, claim: StatedClaim, number: int) -> ClaimCheck | None:
    """What a model used under the very name that the text has; its own word is no evidence."""
    for turn in trajectory.turns:
        action, performed = turn.decision.action, turn.performed
        if turn.decision.step != claim.step or performed is None or not performed.ok:
            continue
        if isinstance(action, actions.Wait) or action.element is None:
            continue
        element = turn.view.element(action.element)
        if claim.is_read and element is not None and same(claim.text, element.name):
            return ClaimCheck(number, is_confirmed=True)
    return None


def _claim(
    claim: StatedClaim, check: ClaimCheck | None, untrue: list[Span], noted: list[Span]
) -> Claim:
    status, reason = ClaimStatus.NOT_CHECKED, ""
    if any(overlap(claim.span, span) for span in untrue):
        status = ClaimStatus.CONTRADICTED
    elif any(overlap(claim.span, span) for span in noted):
        reason = ONCE
    elif check is not None and check.is_confirmed:
        status = ClaimStatus.CONFIRMED
    elif check is not None:
        reason = check.reason
    else:
        reason = _NOT_REACHED if claim.is_read else _NOT_READ
    return Claim(
        kind=claim.kind,
        status=status,
        text=claim.text,
        line=claim.span.line,
        column=claim.span.column,
        end_line=claim.span.end_line,
        end_column=claim.span.end_column,
        step=claim.step,
        reason=reason,
    )


def _span_of(finding: Finding) -> Span:
    return Span(
        finding.document, finding.line, finding.column, finding.end_line, finding.end_column
    )

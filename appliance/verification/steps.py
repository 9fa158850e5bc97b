"""What became of each documented step."""

from collections.abc import Sequence

from appliance.core.procedure import Procedure, Step
from appliance.core.result import ArtifactRef, StepResult
from appliance.core.verdict import StepStatus
from appliance.policy import StepReport
from appliance.verification.trajectory import Trajectory

_WORST_FIRST = (
    StepStatus.STUCK,
    StepStatus.DIVERGED,
    StepStatus.UNREACHED,
    StepStatus.AS_WRITTEN,
    StepStatus.SKIPPED,
)


def step_results(procedure: Procedure, trajectory: Trajectory | None) -> tuple[StepResult, ...]:
    """One result a step, nested ones included, in reading order."""
    return tuple(_result(step, trajectory) for step in procedure.walk())


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

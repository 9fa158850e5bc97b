"""From two axes to one verdict: is the goal reached, and is the path as written."""

from typing import NamedTuple

from appliance.core.result import ChannelResult, Finding, Goal
from appliance.core.verdict import GoalChannel, StepStatus, Verdict
from appliance.verification.trajectory import StopReason, Trajectory
from appliance.verification.ui_evidence import quota_message

_STOPS = {
    StopReason.MAX_ACTIONS: "the attempt reached its limit of actions",
    StopReason.MAX_SECONDS: "the attempt reached its limit of time",
    StopReason.LOOP: "the attempt went round in circles",
    StopReason.GAVE_UP: "the policy gave up",
}


class Drawn(NamedTuple):
    """A verdict, and why where it is not about the text."""

    verdict: Verdict
    because: str | None = None


def goal_of(channels: tuple[ChannelResult, ...]) -> Goal:
    """The audit log decides where it can; UI evidence only where nothing stronger speaks."""
    for strong in (GoalChannel.AUDIT, GoalChannel.JUDGES):
        for channel in channels:
            if channel.channel is strong and channel.reached is not None:
                return Goal(reached=channel.reached, channels=channels)
    weak = [c.reached for c in channels if c.channel is GoalChannel.UI]
    return Goal(reached=weak[0] if weak else None, channels=channels)


def path_of(trajectory: Trajectory) -> str:
    """How the steps went, as one word."""
    if trajectory.statuses(StepStatus.STUCK):
        return "stuck"
    return "diverged" if trajectory.statuses(StepStatus.DIVERGED) else "as_written"


def draw_verdict(goal: Goal, trajectory: Trajectory, findings: tuple[Finding, ...]) -> Drawn:
    """The table of section 6; what the reader did not understand is never the document's fault."""
    if trajectory.stop is StopReason.ERROR:
        return Drawn(Verdict.BLOCKED, trajectory.problem)
    if not goal.reached and (quota := quota_message(trajectory)):
        return Drawn(Verdict.BLOCKED, f"environment: the console says {quota!r}")
    if trajectory.stop is not StopReason.ANSWERED:
        why = (
            _STOPS.get(trajectory.stop, "the attempt ended early") if trajectory.stop else "no end"
        )
        return Drawn(Verdict.UNDECIDED, f"policy: {why}")
    if goal.reached:
        return Drawn(Verdict.DRIFTED) if findings else _reached_without_findings(goal, trajectory)
    open_points = _not_understood(trajectory)
    if goal.reached is None:
        if findings and not trajectory.statuses(StepStatus.STUCK):
            return Drawn(Verdict.DRIFTED)
        return Drawn(Verdict.UNDECIDED, f"outcome: {_reason(goal)}")
    if open_points:
        return Drawn(Verdict.UNDECIDED, f"policy: {open_points}")
    if findings:
        return Drawn(Verdict.BROKEN)
    return Drawn(Verdict.UNDECIDED, f"outcome: no step diverged, and yet {_reason(goal)}")


def _reached_without_findings(goal: Goal, trajectory: Trajectory) -> Drawn:
    stuck = trajectory.statuses(StepStatus.STUCK)
    if stuck:
        return Drawn(Verdict.UNDECIDED, f"policy: step {stuck[0].step}: {stuck[0].note}")
    is_witnessed = any(c.reached and c.channel is not GoalChannel.UI for c in goal.channels)
    if not is_witnessed and (open_points := _not_understood(trajectory)):
        return Drawn(Verdict.UNDECIDED, f"policy: {open_points}")
    return Drawn(Verdict.VERIFIED)


def _not_understood(trajectory: Trajectory) -> str | None:
    """A step that the reader could not act on for want of understanding or of a value."""
    for report in trajectory.statuses(StepStatus.SKIPPED):
        if report.note.startswith(("not understood", "the text leaves open")):
            return f"step {report.step}: {report.note}"
    return None


def _reason(goal: Goal) -> str:
    decisive = [c for c in goal.channels if c.reached == goal.reached] or list(goal.channels)
    return "; ".join(c.reason for c in decisive)

"""From two axes to one verdict: is the goal reached, and is the path as written."""

from dataclasses import replace
from typing import NamedTuple

from appliance.core.causes import Cause, CauseKind
from appliance.core.procedure import Procedure
from appliance.core.result import Finding, Goal
from appliance.core.verdict import (
    GoalChannel,
    PolicyName,
    Severity,
    StepStatus,
    Verdict,
    WayTaken,
)
from appliance.policy.base import Divergence
from appliance.policy.literal import asks_for_change
from appliance.verification.goal.ui_evidence import has_acted, has_changed, quota_message
from appliance.verification.trajectory import StopReason, Trajectory

_STOPS = {
    StopReason.MAX_ACTIONS: "the attempt reached its limit of actions",
    StopReason.MAX_SECONDS: "the attempt reached its limit of time",
    StopReason.LOOP: "the attempt went round in circles",
    StopReason.GAVE_UP: "the policy gave up",
    StopReason.BUDGET: "the attempt used up its tokens",
}


class DrawnVerdict(NamedTuple):
    """A verdict, and why where it is not about the text."""

    verdict: Verdict
    cause: Cause | None = None
    is_open: bool = False
    """Whether somebody who understands more might say otherwise."""


def path_of(trajectory: Trajectory) -> WayTaken:
    """How the steps went, all together."""
    if trajectory.statuses(StepStatus.STUCK):
        return WayTaken.STUCK
    is_diverged = trajectory.statuses(StepStatus.DIVERGED)
    return WayTaken.DIVERGED if is_diverged else WayTaken.AS_WRITTEN


def draw_verdict(
    goal: Goal,
    trajectory: Trajectory,
    findings: tuple[Finding, ...],
    *,
    needs_witness: bool = False,
    is_to_look: bool = False,
) -> DrawnVerdict:
    """The table of section 6; what the reader did not understand is never the document's fault.

    Args:
        goal: Whether it was reached.
        trajectory: The last attempt.
        findings: What is confirmed.
        needs_witness: Whether the pages alone prove nothing: a reading that may be wrong, such as
            a model's, needs the audit log or judges.
        is_to_look: Whether nothing is to be changed.
    """
    doubt = _doubt(goal, findings)
    findings = tuple(f for f in findings if f.is_alarming)
    if (blocked := _blocked(goal, trajectory)) is not None:
        return blocked
    if needs_witness and not is_witnessed(goal):
        goal = replace(goal, reached=None)
    if why := _nothing_done(goal, trajectory, is_to_look=is_to_look):
        return DrawnVerdict(Verdict.UNDECIDED, why, is_open=True)
    is_certain = bool(goal.reached) and is_witnessed(goal)
    if not is_certain and (refused := trajectory.refused(by_person=True)):
        return DrawnVerdict(Verdict.UNDECIDED, Cause(CauseKind.NOT_ALLOWED, refused))
    if not is_certain and (objection := trajectory.refused(by_person=False)):
        # Another reader may find the way by which nothing has to be said against it.
        return DrawnVerdict(Verdict.UNDECIDED, Cause(CauseKind.NOT_TRIED, objection), is_open=True)
    if trajectory.stop is not StopReason.ANSWERED:
        is_denied = needs_witness and goal.reached is False and bool(findings)
        if trajectory.stop is StopReason.GAVE_UP and is_denied:
            return DrawnVerdict(Verdict.BROKEN)
        return DrawnVerdict(Verdict.UNDECIDED, _policy(_stopped(trajectory)), is_open=True)
    if doubt is not None:
        return DrawnVerdict(Verdict.UNDECIDED, doubt, is_open=True)
    if goal.reached:
        return _reached(goal, trajectory, findings, needs_witness)
    return _not_reached(goal, trajectory, findings)


def _doubt(goal: Goal, findings: tuple[Finding, ...]) -> Cause | None:
    """What speaks against the text, where nothing that does is sure enough to count."""
    unsure = next((f for f in findings if not f.is_sure and not f.is_cosmetic), None)
    if unsure is None or any(f.is_alarming for f in findings) or goal.reached is None:
        return None
    return _policy(f"step {unsure.step}: {unsure.shown}: not sure enough to count")


def _not_reached(goal: Goal, trajectory: Trajectory, findings: tuple[Finding, ...]) -> DrawnVerdict:
    """Of an attempt that went to its end and did not lead there, or nobody knows where."""
    if goal.reached is None:
        if findings and not trajectory.statuses(StepStatus.STUCK):
            return DrawnVerdict(Verdict.DRIFTED)
        # who understands more may do what was left out, and then it shows
        is_open = bool(_not_understood(trajectory)) or not has_acted(trajectory)
        cause = Cause(CauseKind.OUTCOME, _reason(goal))
        return DrawnVerdict(Verdict.UNDECIDED, cause, is_open=is_open)
    if open_points := _not_understood(trajectory):
        return DrawnVerdict(Verdict.UNDECIDED, _policy(open_points), is_open=True)
    if findings:
        return DrawnVerdict(Verdict.BROKEN, is_open=True)
    if unreached := _first(StepStatus.UNREACHED, trajectory):
        return DrawnVerdict(Verdict.UNDECIDED, unreached, is_open=True)
    why = f"no step diverged, and yet {_reason(goal)}"
    return DrawnVerdict(Verdict.UNDECIDED, Cause(CauseKind.OUTCOME, why), is_open=True)


def _blocked(goal: Goal, trajectory: Trajectory) -> DrawnVerdict | None:
    """Where nothing was learnt of the text."""
    if trajectory.stop is StopReason.ERROR:
        is_ours = trajectory.problem is not None and trajectory.problem.kind is CauseKind.POLICY
        return DrawnVerdict(Verdict.BLOCKED, trajectory.problem, is_ours)
    if not goal.reached and (quota := quota_message(trajectory)):
        return DrawnVerdict(
            Verdict.BLOCKED, Cause(CauseKind.ENVIRONMENT, f"the console says {quota!r}")
        )
    return None


def is_witnessed(goal: Goal) -> bool:
    """Whether anybody but the pages says what the goal says."""
    return any(
        c.reached == goal.reached and c.channel is not GoalChannel.UI
        for c in goal.channels
        if c.reached is not None
    )


def _is_by_judges_alone(goal: Goal) -> bool:
    says_so = {c.channel for c in goal.channels if c.reached}
    return says_so == {GoalChannel.JUDGES}


def _stopped(trajectory: Trajectory) -> str:
    """Why it ended, in words; with the policy's own where it gave up."""
    if trajectory.stop is StopReason.FORMAT:
        return trajectory.problem.text if trajectory.problem else ""
    why = _STOPS.get(trajectory.stop, "the attempt ended early") if trajectory.stop else "no end"
    last = trajectory.turns[-1].decision.action if trajectory.turns else None
    reason = last.argument if last and trajectory.stop is StopReason.GAVE_UP else ""
    return f"{why}: {reason}" if reason else why


def _reached(
    goal: Goal, trajectory: Trajectory, findings: tuple[Finding, ...], needs_witness: bool
) -> DrawnVerdict:
    if findings:
        return DrawnVerdict(Verdict.DRIFTED)
    if stuck := _first(StepStatus.STUCK, trajectory):
        return DrawnVerdict(Verdict.UNDECIDED, stuck, is_open=True)
    if open_points := _not_understood(trajectory):
        return DrawnVerdict(Verdict.UNDECIDED, _policy(open_points), is_open=True)
    if unreached := _first(StepStatus.UNREACHED, trajectory):
        return DrawnVerdict(Verdict.UNDECIDED, unreached, is_open=True)
    has_detour = any(turn.decision.is_detour for turn in trajectory.turns)
    other_way = trajectory.statuses(StepStatus.DIVERGED) if has_detour or needs_witness else []
    if other_way:
        why = f"step {other_way[0].step} went another way than the text says, and"
        cause = _policy(f"{why} no finding that was seen twice says why")
        return DrawnVerdict(Verdict.UNDECIDED, cause)
    if noted := alarming(trajectory):
        cause = _policy(f"step {noted.step}: {noted.shown}: nobody else has seen it")
        return DrawnVerdict(Verdict.UNDECIDED, cause)
    if not is_witnessed(goal) and (looked := _looked_in_vain(goal)):
        return DrawnVerdict(Verdict.UNDECIDED, Cause(CauseKind.OUTCOME, looked))
    return DrawnVerdict(Verdict.VERIFIED)


def _looked_in_vain(goal: Goal) -> str:
    """Why pages that were opened again do not bear out what the console said; empty: they do."""
    lists = (c for c in goal.channels if c.channel is GoalChannel.LISTS and c.reached is None)
    return next((c.reason for c in lists), "")


def _first(status: StepStatus, trajectory: Trajectory) -> Cause | None:
    """The first step that went so, and why; None: none did."""
    reports = trajectory.statuses(status)
    return _policy(f"step {reports[0].step}: {reports[0].note}") if reports else None


def _nothing_done(goal: Goal, trajectory: Trajectory, *, is_to_look: bool) -> Cause | None:
    """Where nothing was understood, or judges alone say that nothing led to the goal."""
    if unread := _none_understood(trajectory):
        return _policy(unread)
    has_done = has_acted(trajectory) if is_to_look else has_changed(trajectory)
    if has_done or not (goal.reached and _is_by_judges_alone(goal)):
        return None
    what = "done" if is_to_look or not has_acted(trajectory) else "changed"
    why = f"nothing was {what} on the pages, and only judges say that the goal is reached"
    return Cause(CauseKind.OUTCOME, why)


def alarming(trajectory: Trajectory) -> Divergence | None:
    """The first thing noted that is more than a trifle."""
    noted = (d for _, d in trajectory.divergences())
    return next((d for d in noted if d.severity is not Severity.COSMETIC), None)


def _none_understood(trajectory: Trajectory) -> str:
    """Where the reader of words could do nothing at all, in one sentence; else empty."""
    reports = list(trajectory.reports())
    is_stopped = trajectory.stop is not StopReason.ANSWERED
    if is_stopped or trajectory.policy != PolicyName.LITERAL or has_acted(trajectory):
        return ""
    unread = [r for r in reports if r.status is StepStatus.SKIPPED and r.is_open]
    done = any(r.status in _TRIED for r in reports)
    if done or (reports and not unread):
        return ""
    why = f": step {unread[0].step}: {unread[0].note}" if unread else ""
    return f"none of its instructions was understood{why}"


_TRIED = frozenset((StepStatus.AS_WRITTEN, StepStatus.DIVERGED, StepStatus.STUCK))


def _policy(text: str) -> Cause:
    return Cause(CauseKind.POLICY, text)


def _not_understood(trajectory: Trajectory) -> str | None:
    """A step that the reader could not act on for want of understanding or of a value."""
    for report in trajectory.statuses(StepStatus.SKIPPED):
        if report.is_open:
            return f"step {report.step}: {report.note}"
    return None


def _reason(goal: Goal) -> str:
    decisive = [c for c in goal.channels if c.reached == goal.reached] or list(goal.channels)
    return "; ".join(c.reason for c in decisive)


def is_to_look(procedure: Procedure) -> bool:
    """Whether a procedure is over when something was found and read."""
    return not asks_for_change(procedure)

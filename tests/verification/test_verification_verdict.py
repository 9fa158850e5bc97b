"""The table of verdicts, and what must never count against a document."""

import pytest

from appliance.core import actions
from appliance.core.causes import Cause, CauseKind
from appliance.core.page import Observation, Performed, TextBlock, TextKind
from appliance.core.result import ChannelResult, Finding
from appliance.core.source import Span
from appliance.core.verdict import DivergenceKind, GoalChannel, Severity, StepStatus, Verdict
from appliance.outcome.consensus import consensus
from appliance.policy.base import Decision, StepReport
from appliance.verification.goal.ui_evidence import ui_evidence
from appliance.verification.trajectory import StopReason, Trajectory, Turn
from appliance.verification.verdict import draw_verdict, path_of

FINDING = Finding(
    id="f", fingerprint="f", kind=DivergenceKind.RENAMED_LABEL, severity=Severity.MISLEADS,
    confidence=0.9, document="a.md", line=3, column=9, end_line=3, end_column=15, quote="Create",
    shown="New", suggestion="New", step="1",
)  # fmt: skip


def trajectory(
    *reports: tuple[StepStatus, str],
    stop: StopReason = StopReason.ANSWERED,
    texts: tuple[TextBlock, ...] = (),
    typed: str = "",
    dialogs: tuple[str, ...] = (),
    action: actions.Action | None = None,
) -> Trajectory:
    """One turn with these step reports on a page with these texts."""
    action = action or (actions.Type(1, typed) if typed else actions.Click(1))
    decision = Decision(
        action=action,
        step="1",
        reports=tuple(
            StepReport(step="1", status=s, note=n, is_open=s is StepStatus.SKIPPED)
            for s, n in reports
        ),
    )
    view = Observation(url="http://c/", title="C", elements=(), texts=texts, dialogs=dialogs)
    turn = Turn(view=view, decision=decision, performed=Performed(ok=True), before=None)
    return Trajectory(turns=[turn], stop=stop)


def goal(audit: bool | None, ui: bool | None) -> tuple[ChannelResult, ...]:
    return (
        ChannelResult(channel=GoalChannel.AUDIT, reached=audit, reason="audit"),
        ChannelResult(channel=GoalChannel.UI, reached=ui, reason="ui"),
    )


OK = (StepStatus.AS_WRITTEN, "")
DIVERGED = (StepStatus.DIVERGED, "it is called New")
STUCK = (StepStatus.STUCK, "nothing called Create")
UNCLEAR = (StepStatus.SKIPPED, 'not understood: "frob it"')


@pytest.mark.parametrize(
    ("channels", "reports", "findings", "verdict"),
    [
        (goal(True, True), (OK,), (), Verdict.VERIFIED),
        (goal(True, False), (OK,), (), Verdict.VERIFIED),
        (goal(None, True), (OK,), (), Verdict.VERIFIED),
        (goal(True, True), (DIVERGED,), (FINDING,), Verdict.DRIFTED),
        (goal(False, False), (STUCK,), (FINDING,), Verdict.BROKEN),
        (goal(False, True), (STUCK,), (FINDING,), Verdict.BROKEN),
        (goal(False, False), (OK,), (), Verdict.UNDECIDED),
        (goal(None, None), (OK,), (), Verdict.UNDECIDED),
        (goal(None, None), (DIVERGED,), (FINDING,), Verdict.DRIFTED),
        (goal(False, False), (STUCK, UNCLEAR), (FINDING,), Verdict.UNDECIDED),
        (goal(None, True), (OK, UNCLEAR), (), Verdict.UNDECIDED),
        (goal(True, True), (OK, UNCLEAR), (), Verdict.UNDECIDED),
        (goal(True, True), (STUCK,), (), Verdict.UNDECIDED),
    ],
)
def test_the_table(
    channels: tuple[ChannelResult, ...],
    reports: tuple[tuple[StepStatus, str], ...],
    findings: tuple[Finding, ...],
    verdict: Verdict,
) -> None:
    drawn = draw_verdict(consensus(channels), trajectory(*reports), findings)
    assert drawn.verdict is verdict
    assert (drawn.cause is not None) == (verdict in (Verdict.UNDECIDED, Verdict.BLOCKED))


@pytest.mark.parametrize("stop", [s for s in StopReason if s is not StopReason.ANSWERED])
def test_a_stop_is_never_a_success(stop: StopReason) -> None:
    ended = trajectory(OK, stop=stop)
    ended.problem = Cause(CauseKind.BROWSER, "crashed")
    drawn = draw_verdict(consensus(goal(True, True)), ended, ())
    assert drawn.verdict in (Verdict.BLOCKED, Verdict.UNDECIDED)
    assert ui_evidence(ended).reached is False


def test_an_exhausted_quota_blocks() -> None:
    full = TextBlock(kind=TextKind.NOTICE, tone="error", text="Quota exceeded for volumes")
    ended = trajectory(STUCK, texts=(full,))
    assert draw_verdict(consensus(goal(False, False)), ended, (FINDING,)).verdict is Verdict.BLOCKED


@pytest.mark.parametrize(
    ("ended", "reached"),
    [
        (trajectory(OK), True),
        (trajectory(OK, dialogs=("Create",)), False),
        (trajectory(STUCK), False),
        (trajectory(OK, typed="abc"), None),
        (trajectory(OK, typed="abc", texts=(TextBlock(kind=TextKind.CELL, text="abc"),)), True),
        (trajectory(OK, texts=(TextBlock(kind=TextKind.ERROR, text="Bad name"),)), False),
    ],
)
def test_what_the_pages_say(ended: Trajectory, reached: bool | None) -> None:
    assert ui_evidence(ended).reached is reached


@pytest.mark.parametrize("action", [actions.Scroll("down"), actions.Wait(1), actions.Complete("")])
def test_pages_on_which_nothing_was_done_say_nothing(action) -> None:
    told = TextBlock(kind=TextKind.NOTICE, tone="success", text="Done")
    ended = trajectory(OK, action=action)
    ended.turns += trajectory(OK, action=action, texts=(told,)).turns
    assert ui_evidence(ended).reached is None


def test_a_message_that_stood_there_before_is_about_something_else() -> None:
    told = TextBlock(kind=TextKind.NOTICE, tone="success", text="Done")
    ended = trajectory(OK, typed="abc", texts=(told,))
    assert ui_evidence(ended).reached is None


def test_a_message_of_success_that_came_is_believed() -> None:
    ended = trajectory(OK, typed="abc")
    ended.turns += trajectory(
        OK, texts=(TextBlock(kind=TextKind.NOTICE, tone="success", text="Done"),)
    ).turns
    assert ui_evidence(ended).reached is True


def test_a_step_that_fails_after_the_last_success_counts() -> None:
    made = TextBlock(kind=TextKind.NOTICE, tone="success", text="Router created")
    ended = trajectory(OK)
    ended.turns += trajectory(OK, texts=(made,)).turns
    ended.turns.append(trajectory(STUCK, texts=(made,)).turns[0])
    assert ui_evidence(ended).reached is False


def test_the_path_is_as_bad_as_its_worst_step() -> None:
    assert path_of(trajectory(OK)) == "as_written"
    assert path_of(trajectory(OK, DIVERGED)) == "diverged"
    assert path_of(trajectory(OK, DIVERGED, STUCK)) == "stuck"


def test_spans_are_compared_whole() -> None:
    assert Span("a", 1, 1, 1, 2) != Span("a", 1, 1, 1, 3)

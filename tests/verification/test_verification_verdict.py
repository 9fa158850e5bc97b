"""The table of verdicts, and what must never count against a document."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from appliance.cli._reporting import exit_code
from appliance.core import actions
from appliance.core.causes import Cause, CauseKind
from appliance.core.page import Element, Observation, Performed, TextBlock, TextKind
from appliance.core.result import (
    ArtifactRef,
    ChannelResult,
    Cost,
    Finding,
    ProcedureResult,
    RunResult,
)
from appliance.core.source import Span
from appliance.core.verdict import (
    Basis,
    DivergenceKind,
    EvidenceKind,
    GoalChannel,
    Severity,
    StepStatus,
    Verdict,
)
from appliance.documents import parse_document
from appliance.outcome.consensus import consensus
from appliance.policy.base import Decision, Divergence, StepReport
from appliance.verification.findings import confirmed_findings, resolve_guess
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
COSMETIC = replace(FINDING, severity=Severity.COSMETIC)
UNREACHED = (StepStatus.UNREACHED, "not reachable: step 1 was not understood")
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
        (goal(True, True), (OK, UNREACHED), (), Verdict.UNDECIDED),
        (goal(True, True), (OK,), (COSMETIC,), Verdict.VERIFIED),
        (goal(True, True), (OK,), (COSMETIC, FINDING), Verdict.DRIFTED),
        (goal(False, False), (STUCK,), (COSMETIC,), Verdict.UNDECIDED),
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


def test_an_error_that_stood_there_before_is_not_what_came_of_it() -> None:
    old, new = (TextBlock(kind=TextKind.ERROR, text=t) for t in ("No licence", "Bad name"))

    def ended(first: TextBlock, then: TextBlock) -> Trajectory:
        turns = (
            trajectory(OK, texts=(first,), action=action).turns[0]
            for first, action in ((first, actions.Check(1)), (then, actions.Complete(seen="")))
        )
        return Trajectory(turns=list(turns), stop=StopReason.ANSWERED)

    assert ui_evidence(ended(old, old)).reached is not False
    assert ui_evidence(ended(old, new)).reached is False


@pytest.mark.parametrize(("is_open", "reached"), [(True, False), (False, True)])
def test_what_a_dialog_says_while_it_closes_is_no_error(is_open: bool, reached: bool) -> None:
    said = TextBlock(kind=TextKind.ERROR, text="Required", dialog="Add")
    ended = trajectory(OK, dialogs=("Add",))
    ended.turns += trajectory(OK, dialogs=("Add",), texts=(said,)).turns
    last = {"dialogs": ("Add",), "texts": (said,)} if is_open else {}
    ended.turns += trajectory(OK, action=actions.Complete(""), **last).turns
    assert ui_evidence(ended).reached is reached


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
        # it stood there before it was typed
        (trajectory(OK, typed="abc", texts=(TextBlock(kind=TextKind.CELL, text="abc"),)), None),
        (trajectory(OK, texts=(TextBlock(kind=TextKind.ERROR, text="Bad name"),)), False),
    ],
)
def test_what_the_pages_say(ended: Trajectory, reached: bool | None) -> None:
    assert ui_evidence(ended).reached is reached


@pytest.mark.parametrize(
    ("title", "reached"),
    [
        ("Adding pages", None),
        ("Edit it", None),
        ("Set attributes to allow changes", None),
        ("Requesting a change", None),
        ("申请配额", None),
        ("Settings at a glance", True),
        ("删除存储桶", None),
        ("Viewing the history", True),
    ],
)
def test_what_the_title_says_is_changed_is_not_so_by_looking(title: str, reached: bool) -> None:
    assert ui_evidence(trajectory(OK), title).reached is reached


@pytest.mark.parametrize(("name", "reached"), [("Save", None), ("Restart", True)])
def test_a_form_that_is_saved_as_it_was_is_not_edited(name: str, reached: bool | None) -> None:
    button = Element(id=1, role="button", name=name, is_submit=True)
    ended = trajectory(OK, action=actions.Click(1))
    ended.turns = [replace(t, view=replace(t.view, elements=(button,))) for t in ended.turns]
    ended.turns += trajectory(OK, action=actions.Complete("")).turns
    assert ui_evidence(ended, "Editing a run").reached is reached
    assert ui_evidence(ended, "Starting a run").reached is True


@pytest.mark.parametrize(
    ("action", "is_left"), [(actions.Click(2), False), (actions.Type(1, "abc"), True)]
)
def test_a_dialog_with_a_list_may_stay_open_unless_something_waits_in_it(
    action: actions.Action, is_left: bool
) -> None:
    listed = TextBlock(kind=TextKind.CELL, text="chen", row="chen", dialog="Invite")
    fields = tuple(
        Element(id=n, role=role, name=role, dialog="Invite")
        for n, role in ((1, "textbox"), (2, "menuitem"))
    )
    ended = trajectory(OK, action=action, texts=(listed,), dialogs=("Invite",))
    ended.turns = [replace(t, view=replace(t.view, elements=fields)) for t in ended.turns]
    ended.turns += trajectory(
        action=actions.Complete(""), texts=(listed,), dialogs=("Invite",)
    ).turns
    assert (ui_evidence(ended).reached is False) == is_left


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


def test_a_procedure_of_which_nothing_was_understood_is_undecided_in_one_sentence() -> None:
    for channels in (goal(None, None), goal(None, True), goal(False, False)):
        unread = trajectory(UNCLEAR, action=actions.Complete(""))
        drawn = draw_verdict(consensus(channels), unread, ())
        assert drawn.verdict is Verdict.UNDECIDED
        assert drawn.is_open
        said = 'policy: none of its instructions was understood: step 1: not understood: "frob it"'
        assert str(drawn.cause) == said


CELL = TextBlock(kind=TextKind.CELL, text="a")


@pytest.mark.parametrize(
    ("after", "reports", "reached"),
    [
        ((CELL,), (OK,), True),
        ((), (OK,), None),  # the click did nothing
        ((CELL,), (OK, UNCLEAR), None),
        ((CELL,), (OK, UNREACHED), False),
    ],
)
def test_steps_that_did_nothing_reach_nothing(
    after: tuple[TextBlock, ...], reports: tuple[tuple[StepStatus, str], ...], reached: bool | None
) -> None:
    ended = trajectory(*reports)
    ended.turns += trajectory(texts=after, action=actions.Complete("")).turns
    assert ui_evidence(ended).reached is reached


def test_what_was_only_seen_once_is_never_dropped() -> None:
    alone = trajectory(OK)
    decision = replace(alone.turns[0].decision, divergences=(NOTED,))
    alone.turns = [replace(alone.turns[0], decision=decision)]
    drawn = draw_verdict(consensus(goal(True, True)), alone, ())
    assert drawn.verdict is Verdict.UNDECIDED
    small = replace(decision, divergences=(replace(NOTED, severity=Severity.COSMETIC),))
    alone.turns = [replace(alone.turns[0], decision=small)]
    assert draw_verdict(consensus(goal(True, True)), alone, ()).verdict is Verdict.VERIFIED


NOTED = Divergence(
    kind=DivergenceKind.RENAMED_LABEL, severity=Severity.MISLEADS, basis=Basis.ALIKE,
    span=Span("a.md", 3, 9, 3, 15), quote="Create", shown='the button is called "New"',
    suggestion="New", step="1", is_guess=True,
)  # fmt: skip


@pytest.mark.parametrize(
    ("reached", "after", "is_rename"),
    [
        (True, (OK,), True),
        (True, (STUCK,), True),
        (None, (OK,), True),
        (None, (OK, STUCK), False),
        (None, (UNREACHED,), False),
        (None, (), False),
        (False, (OK,), False),
    ],
)
def test_a_guess_is_a_question_unless_it_proves_to_be_right(
    reached: bool | None, after: tuple[tuple[StepStatus, str], ...], is_rename: bool
) -> None:
    tried = trajectory(DIVERGED)
    tried.turns += trajectory(*after).turns
    told = resolve_guess(NOTED, tried, 0, reached)
    assert (told.suggestion, told.kind) == (
        ("New", "renamed_label") if is_rename else (None, "missing_control")
    )
    assert ('did you mean "New"?' in told.shown) is not is_rename
    assert resolve_guess(replace(NOTED, is_guess=False), tried, 0, False).suggestion == "New"


def test_trifles_are_counted_apart_and_fail_no_build() -> None:
    trifle = run_of(Verdict.VERIFIED, COSMETIC)
    assert (trifle.summary.findings, trifle.summary.cosmetic) == (0, 1)
    assert exit_code(trifle, strict=True) == 0
    both = run_of(Verdict.DRIFTED, COSMETIC, FINDING)
    assert (both.summary.findings, both.summary.cosmetic) == (1, 1)
    assert exit_code(both, strict=False) == 1


def run_of(verdict: Verdict, *findings: Finding) -> RunResult:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    result = ProcedureResult(
        id="a/t", title="T", title_path=("T",), document="a.md", line=1, end_line=9,
        verdict=verdict, goal=consensus(goal(True, True)), path="", decided_by="literal",
        attempts=1, cost=Cost(wall_s=1.0), steps=(), findings=findings, blocked_by=None,
        prerequisites=(), trajectory=None,
    )  # fmt: skip
    return RunResult(
        id="r", appliance_version="0", commit="", console="c", policy="literal", started_at=now,
        ended_at=now, procedures=(result,),
    )  # fmt: skip


@pytest.mark.parametrize(("is_guess", "shown"), [(True, "menu"), (False, "dialog")])
def test_the_picture_of_a_guess_is_the_one_of_its_click(is_guess: bool, shown: str) -> None:
    document = parse_document("# T\n\n1. Click **Create**.\n", "a.md", "markdown")
    noted = replace(NOTED, span=Span("a.md", 3, 11, 3, 17), is_guess=is_guess)
    view = Observation(url="http://c/", title="C", elements=(), texts=(), dialogs=())
    clicked = Turn(
        view=view,
        decision=Decision(action=actions.Click(1), step="1"),
        performed=Performed(ok=True),
        before=ArtifactRef(sha256="menu", media_type="image/webp", size=1),
    )
    told = replace(
        clicked,
        decision=Decision(action=actions.Type(2, "x"), step="1", divergences=(noted,)),
        before=ArtifactRef(sha256="dialog", media_type="image/webp", size=1),
    )
    tried = Trajectory(turns=[clicked, told], stop=StopReason.ANSWERED)
    (finding,) = confirmed_findings(document, document.procedures[0], [tried, tried], ())
    before = [e.artifact for e in finding.evidence if e.kind is EvidenceKind.BEFORE]
    assert [ref.sha256 for ref in before if ref] == [shown]

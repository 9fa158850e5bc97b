"""A second attempt that cannot change the verdict is not made; one that can is."""

from dataclasses import replace

import pytest

from appliance.config import AccountSettings
from appliance.consoles import Account
from appliance.core import actions
from appliance.core.causes import Cause, CauseKind
from appliance.core.harm import Harm, HarmfulAction
from appliance.core.page import Observation, Performed
from appliance.core.result import ChannelResult, Finding, Goal
from appliance.core.verdict import (
    Basis,
    DivergenceKind,
    GoalChannel,
    PolicyName,
    Severity,
    StepStatus,
    Verdict,
)
from appliance.documents import parse_document
from appliance.policy.base import Decision, Divergence, StepReport, Task
from appliance.verification.case import JudgedAttempt, TierAttempts
from appliance.verification.enough import borne_out, is_enough, is_used_up
from appliance.verification.findings import make_finding
from appliance.verification.trajectory import StopReason, Trajectory, Turn
from appliance.verification.verdict import DrawnVerdict
from tests.policy.policy_model_desk import element, view

DOCUMENT = parse_document(
    "# T\n\n1. Click **Create disk**.\n2. Frobnicate the disk in the usual way.\n",
    "t.md",
    "markdown",
)
(PROCEDURE,) = DOCUMENT.procedures
LABEL = PROCEDURE.steps[0].body[0].labels()[0]
U, L, M = Verdict.UNDECIDED, PolicyName.LITERAL, PolicyName.MODEL
LEFT_OUT = StepReport(step="2", status=StepStatus.SKIPPED, note="not understood", is_open=True)
NO_VALUE = StepReport(step="1", status=StepStatus.SKIPPED, note="no value", is_open=True)


def seen(basis: Basis = Basis.PLACE) -> Divergence:
    return Divergence(
        kind=DivergenceKind.MISSING_CONTROL, severity=Severity.BREAKS, basis=basis,
        span=LABEL.span, quote=LABEL.text, shown="it is not there", step="1",
    )  # fmt: skip


FINDING = make_finding(DOCUMENT, PROCEDURE, seen(), (), [])


def tier(
    policy: PolicyName,
    *said: StepReport | Divergence,
    stop: StopReason = StopReason.ANSWERED,
    cause: CauseKind = CauseKind.POLICY,
    findings: tuple[Finding, ...] = (),
    verdict: Verdict = U,
) -> TierAttempts:
    """One attempt that said this, and what was drawn from it."""
    decision = Decision(
        action=actions.Click(1),
        step="1",
        reports=tuple(one for one in said if isinstance(one, StepReport)),
        divergences=tuple(one for one in said if isinstance(one, Divergence)),
    )
    view = Observation(url="http://c/", title="C", elements=())
    turn = Turn(view=view, decision=decision, performed=Performed(ok=True), before=None)
    attempt = JudgedAttempt(
        task=Task(procedure=PROCEDURE),
        trajectory=Trajectory(policy=policy, turns=[turn], stop=stop),
        account=Account(name="alice", settings=AccountSettings(username="alice")),
        goal=Goal(reached=None),
    )
    drawn = DrawnVerdict(verdict, Cause(cause, "why"))
    return TierAttempts(policy=policy, attempts=(attempt,), drawn=drawn, findings=findings)


@pytest.mark.parametrize(
    ("made", "enough"),
    [
        (tier(L, LEFT_OUT), True),
        (tier(L, LEFT_OUT, seen(Basis.DOUBTFUL)), True),
        (tier(L, LEFT_OUT, seen()), False),  # seen twice, it is a finding
        (tier(L, LEFT_OUT, findings=(FINDING,)), False),
        (tier(L, NO_VALUE), False),  # the page may show one next time
        (tier(L), False),
        (tier(L, LEFT_OUT, verdict=Verdict.BLOCKED), False),
        (tier(L, seen(), cause=CauseKind.NOT_TRIED), True),
        (tier(L, seen(), cause=CauseKind.NOT_ALLOWED), True),
        (tier(L, seen(), verdict=Verdict.VERIFIED), True),
    ],
)
def test_the_reader_of_words_reads_the_same_twice(made, enough):
    assert is_enough(made, (), can_be_witnessed=True) is enough


@pytest.mark.parametrize(
    ("made", "earlier", "can_be_witnessed", "enough"),
    [
        (tier(M), (), False, True),
        (tier(M, seen(Basis.DOUBTFUL)), (), False, True),
        (tier(M), (), True, False),  # a witness may say otherwise next time
        (tier(M, seen()), (), False, False),
        (tier(M), (tier(L, seen()),), False, False),  # a second look may agree with the reader
        (tier(M, seen(), findings=(FINDING,)), (tier(L, seen()),), True, True),
        (tier(M, seen(), cause=CauseKind.NOT_TRIED), (), True, False),
        (tier(M, seen(), stop=StopReason.BUDGET), (), True, True),
    ],
)
def test_a_model_is_asked_again_only_where_that_may_help(made, earlier, can_be_witnessed, enough):
    assert is_enough(made, earlier, can_be_witnessed=can_be_witnessed) is enough


def deleted(*things: str) -> HarmfulAction:
    return HarmfulAction(harm=Harm.DELETE, control="delete", things=frozenset(things))


@pytest.mark.parametrize(
    ("done", "is_gone"),
    [
        ([deleted("history 9")], True),
        ([deleted("another")], False),  # of an attempt that was given another
        ([HarmfulAction(harm=Harm.IDENTITY, control="create", things=frozenset())], True),
        ([], False),
    ],
)
def test_what_must_not_be_done_twice_is_not_tried_a_second_time(done, is_gone):
    (attempt,) = tier(L).attempts
    attempt = replace(attempt, task=Task(procedure=PROCEDURE, bindings={"class": "History 9"}))
    assert is_used_up(attempt, done) is is_gone


def test_what_was_changed_in_a_sandbox_is_tried_a_second_time():
    (attempt,) = tier(L).attempts
    attempt = replace(attempt, task=Task(procedure=PROCEDURE, bindings={"class": "History 9"}))
    changed = replace(deleted("history 9"), harm=Harm.CHANGE)
    assert is_used_up(attempt, [changed])
    assert not is_used_up(attempt, [changed], may_change_again=True)
    assert is_used_up(attempt, [changed, deleted("history 9")], may_change_again=True)


@pytest.mark.parametrize(
    ("held", "typed", "reached", "is_gone"),
    [
        ("History 9", "doc-u1", True, True),
        ("History 9", "history 9", True, False),  # it is called as before
        ("History 9", "doc-u1", False, False),  # it was not saved
        ("", "doc-u1", True, False),  # of something that was made
    ],
)
def test_what_has_another_name_now_is_not_found_a_second_time(held, typed, reached, is_gone):
    (attempt,) = tier(L).attempts
    page = view(element(1, "textbox", "Title", value=held))
    decision = Decision(step="1", action=actions.Type(1, typed))
    turn = Turn(view=page, decision=decision, performed=None, before=None)
    attempt = replace(
        attempt,
        task=Task(procedure=PROCEDURE, bindings={"class": "History 9"}),
        goal=Goal(reached=reached),
        trajectory=Trajectory(turns=[turn]),
    )
    assert is_used_up(attempt, ()) is is_gone


@pytest.mark.parametrize(
    ("suggestion", "clicked", "is_reached", "counts"),
    [
        ("by clicking on the **save** button", "save", True, True),
        ("单击**保存**按钮", "保存", True, True),
        ("by clicking on the **saved searches** button", "save", True, False),
        ("by clicking on the **save** button", "save", False, False),
        ("press Assign User", "Assign User", True, False),  # it is called as the text has it
    ],
)
def test_what_a_model_says_that_it_is_called_and_used_counts_once(
    suggestion, clicked, is_reached, counts
):
    (attempt,) = tier(M).attempts
    goal = Goal(
        reached=is_reached,
        channels=(ChannelResult(channel=GoalChannel.JUDGES, reached=is_reached, reason=""),),
    )
    turn = Turn(
        view=view(element(1, "button", clicked)),
        decision=Decision(step="1", action=actions.Click(1)),
        performed=Performed(ok=True),
        before=None,
    )
    attempt = replace(attempt, goal=goal, trajectory=Trajectory(policy=M, turns=[turn]))
    finding = replace(
        FINDING,
        step="1",
        kind=DivergenceKind.RENAMED_LABEL,
        basis=Basis.TOLD_SEEN,
        quote="clicking on the **Assign User** button",
        suggestion=suggestion,
    )
    assert borne_out((finding,), attempt) == ((finding,) if counts else ())
    as_written = StepReport(step="1", status=StepStatus.AS_WRITTEN, note="")
    (later,) = tier(M, as_written).attempts
    assert borne_out((finding,), attempt, later) == ()
    (later,) = tier(M, replace(as_written, status=StepStatus.SKIPPED)).attempts
    assert borne_out((finding,), attempt, later) == ((finding,) if counts else ())


LISTS, PAGES = GoalChannel.LISTS, GoalChannel.UI


@pytest.mark.parametrize(
    ("basis", "suggestion", "channel", "reached", "counts"),
    [
        (Basis.ELSEWHERE, "More > Delete", LISTS, True, True),
        (Basis.ALIKE, "Delete", LISTS, True, True),
        (Basis.ALIKE, "Delete", PAGES, True, False),  # the pages' own words
        (Basis.ALIKE, "Delete", LISTS, False, False),
        (Basis.ALIKE, None, LISTS, True, False),  # nothing was used instead
        (Basis.ABSENT, "Delete", LISTS, True, False),
    ],
)
def test_what_was_used_instead_and_led_there_counts_once(
    basis, suggestion, channel, reached, counts
):
    (attempt,) = tier(L).attempts
    channels = (ChannelResult(channel=channel, reached=reached, reason=""),)
    attempt = replace(attempt, goal=Goal(reached=reached, channels=channels))
    finding = replace(FINDING, basis=basis, suggestion=suggestion)
    assert borne_out((finding,), attempt) == ((finding,) if counts else ())

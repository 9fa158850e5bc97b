"""Who is tried, who has decided, what two readers agree on, and what a model's word is worth."""

from dataclasses import replace

import pytest

from appliance.core import actions
from appliance.core.causes import Cause, CauseKind
from appliance.core.page import Element, Observation, Performed, TextBlock, TextKind
from appliance.core.result import ChannelResult, Finding, Goal
from appliance.core.source import Span
from appliance.core.verdict import Basis, DivergenceKind, GoalChannel, Severity, StepStatus, Verdict
from appliance.documents import parse_document
from appliance.outcome.consensus import consensus
from appliance.policy.base import Decision, Divergence, StepReport
from appliance.verification.cascade import after_refusal, decisive, has_decided, tiers_to_try
from appliance.verification.case import TierAttempts
from appliance.verification.findings import agreed_findings
from appliance.verification.goal.judging import judged_case
from appliance.verification.goal.ui_evidence import has_changed, ui_evidence
from appliance.verification.results import reason_not_decisive
from appliance.verification.trajectory import StopReason, Trajectory, Turn
from appliance.verification.verdict import DrawnVerdict, draw_verdict, is_to_look

V, S, R = Verdict, StepStatus, StopReason
DOCUMENT = parse_document(
    "# T\n\n1. Click **Create disk**.\n2. Click **Go**.\n", "t.md", "markdown"
)
PROCEDURE = DOCUMENT.procedures[0]


@pytest.mark.parametrize(
    ("policy", "has_recipe", "has_model", "tiers"),
    [
        ("auto", True, True, ("replay", "literal", "model")),
        ("auto", False, False, ("literal",)),
        ("literal", True, True, ("literal",)),
        ("model", True, True, ("model",)),
        ("replay", False, True, ()),
    ],
)
def test_the_line_up(policy: str, has_recipe: bool, has_model: bool, tiers: tuple[str]) -> None:
    assert tiers_to_try(policy, has_recipe=has_recipe, has_model=has_model) == tiers


def test_what_is_no_procedure_to_the_reader_of_words_is_not_read_by_it() -> None:
    tiers = tiers_to_try("auto", has_recipe=True, has_model=True, needs_model=True)
    assert tiers == ("replay", "model")


def round_of(policy: str, verdict: Verdict, cause: Cause | None = None, is_open: bool = False):
    return TierAttempts(policy=policy, attempts=(), drawn=DrawnVerdict(verdict, cause, is_open))


GONE = Cause(CauseKind.MODEL, "gone")


@pytest.mark.parametrize(
    ("literal", "model", "decided_by", "verdict"),
    [
        (V.UNDECIDED, V.VERIFIED, "model", V.VERIFIED),
        (V.BROKEN, V.VERIFIED, "model", V.VERIFIED),
        (V.BROKEN, V.BROKEN, "model", V.BROKEN),
        (V.UNDECIDED, V.DRIFTED, "model", V.DRIFTED),
        (V.BROKEN, V.UNDECIDED, "literal", V.BROKEN),
        (V.BROKEN, V.BLOCKED, "literal", V.BROKEN),
        (V.UNDECIDED, V.BLOCKED, "literal", V.UNDECIDED),
    ],
)
def test_a_model_without_an_answer_changes_nothing(literal, model, decided_by, verdict) -> None:
    tiers = [round_of("literal", literal, is_open=True), round_of("model", model, GONE)]
    assert not has_decided(tiers[0])
    assert has_decided(tiers[1])
    chosen = decisive(tiers)
    assert (chosen.policy, chosen.drawn.verdict) == (decided_by, verdict)
    assert [bool(reason_not_decisive(r, chosen)) for r in tiers] == [r is not chosen for r in tiers]


@pytest.mark.parametrize(
    ("literal", "kind", "decided_by"),
    [
        (V.UNDECIDED, CauseKind.NOT_TRIED, "model"),  # this helps: a name to bind, a leave to give
        (V.UNDECIDED, CauseKind.NOT_ALLOWED, "model"),
        (V.UNDECIDED, CauseKind.POLICY, "literal"),
        (V.BROKEN, CauseKind.NOT_TRIED, "literal"),
    ],
)
def test_what_kept_a_model_from_it_is_told(literal, kind, decided_by) -> None:
    kept = round_of("model", V.UNDECIDED, Cause(kind, "'Save' is not of this attempt"))
    assert decisive([round_of("literal", literal, is_open=True), kept]).policy == decided_by


@pytest.mark.parametrize(("literal", "decided_by"), [(V.UNDECIDED, "model"), (V.BROKEN, "literal")])
def test_what_a_model_saw_and_was_not_sure_of_is_told(literal, decided_by) -> None:
    unsure = round_of("model", V.UNDECIDED, Cause(CauseKind.POLICY, "not sure enough to count"))
    finding = Finding(
        id="f1", fingerprint="f", kind=DivergenceKind.WRONG_RESULT, severity=Severity.MISLEADS,
        confidence=0.4, document="t.md", line=3, column=1, end_line=3, end_column=9,
        quote="Click", shown="a dialog", suggestion=None, step="1", is_sure=False,
    )  # fmt: skip
    unsure = replace(unsure, findings=(finding,))
    assert decisive([round_of("literal", literal, is_open=True), unsure]).policy == decided_by


def test_a_replay_decides_only_where_all_is_as_it_was() -> None:
    assert has_decided(round_of("replay", V.VERIFIED))
    assert not has_decided(round_of("replay", V.UNDECIDED, Cause(CauseKind.POLICY, "gave up")))
    assert not has_decided(round_of("replay", V.BLOCKED, Cause(CauseKind.BROWSER, "crashed")))
    assert has_decided(round_of("literal", V.BLOCKED, Cause(CauseKind.ENVIRONMENT, "quota")))


def noted(kind: DivergenceKind, quote: str, line: int = 3, basis: Basis = Basis.TOLD) -> Divergence:
    source = DOCUMENT.lines[line - 1]
    at = source.index(quote) + 1
    return Divergence(
        kind=kind, severity=Severity.MISLEADS, basis=basis,
        span=Span("t.md", line, at, line, at + len(quote)), quote=quote, shown="it is New disk",
        step="1",
    )  # fmt: skip


ELEMENTS = (
    Element(id=1, role="button", name="Save", is_submit=True),
    Element(id=2, role="link", name="Disks"),
    Element(id=3, role="searchbox", name="Search"),
)


def attempt(
    *divergences: Divergence,
    reports: tuple[StepReport, ...] = (),
    stop: StopReason = R.ANSWERED,
    is_detour: bool = False,
    refused: str = "",
    does: actions.Action | None = None,
) -> Trajectory:
    decision = Decision(
        action=does or actions.Unachievable("no way on"),
        step="1",
        divergences=divergences,
        reports=reports,
        is_detour=is_detour,
    )
    view = Observation(url="http://c/", title="C", elements=ELEMENTS)
    turn = Turn(
        view=view, decision=decision, performed=Performed(ok=True), before=None, refused=refused
    )
    return Trajectory(policy="model", turns=[turn], stop=stop)


MISSING, RENAMED = DivergenceKind.MISSING_CONTROL, DivergenceKind.RENAMED_LABEL


@pytest.mark.parametrize(
    ("attempts", "others", "count"),
    [
        ((noted(RENAMED, "Create disk"),), (noted(MISSING, "disk"),), 1),
        ((noted(RENAMED, "Create disk"), noted(RENAMED, "Create disk")), (), 1),
        ((noted(RENAMED, "Create disk"),), (), 0),
        ((noted(RENAMED, "Create disk"),), (noted(RENAMED, "Go", 4),), 0),
        ((noted(RENAMED, "Create disk"),), (noted(DivergenceKind.WRONG_RESULT, "disk"),), 0),
        (
            (noted(RENAMED, "Create disk", basis=Basis.DOUBTFUL),),
            (noted(RENAMED, "Create disk"),),
            0,
        ),
    ],
)
def test_two_readers_have_to_see_it(attempts, others, count) -> None:
    found = agreed_findings(
        DOCUMENT, PROCEDURE, [attempt(d) for d in attempts], [attempt(d) for d in others], []
    )
    assert len(found) == count


def test_a_finding_keeps_the_words_to_put_there_and_the_narrowest_quote() -> None:
    better = replace(noted(RENAMED, "Create disk"), suggestion="New disk")
    wide = replace(noted(RENAMED, "Click **Create disk**"), suggestion="Click **New disk**")
    vague = replace(noted(RENAMED, "Create disk"), shown="something else stands there")
    for order in ([better, wide, vague], [vague, better, wide], [wide, vague, better]):
        (finding,) = agreed_findings(DOCUMENT, PROCEDURE, [attempt(d) for d in order], [], [])
        assert (finding.quote, finding.suggestion) == ("Create disk", "New disk")
        assert finding.shown == "it is New disk"


def test_one_attempt_that_says_it_twice_is_one_who_saw_it() -> None:
    said_twice = attempt(noted(RENAMED, "Create disk"), noted(RENAMED, "disk"))
    assert agreed_findings(DOCUMENT, PROCEDURE, [said_twice], [], []) == ()


def goal(**said: bool | None) -> Goal:
    return consensus(
        [ChannelResult(channel=GoalChannel(c), reached=r, reason=c) for c, r in said.items()]
    )


def report(status: StepStatus) -> StepReport:
    return StepReport(step="1", status=status)


FINDING = agreed_findings(
    DOCUMENT, PROCEDURE, [attempt(noted(RENAMED, "Create disk"))],
    [attempt(noted(RENAMED, "Create disk"))], [],
)  # fmt: skip
OK = (report(S.AS_WRITTEN),)
OPEN = StepReport(step="2", status=S.SKIPPED, note='not understood: "frob it"', is_open=True)
CLICK, LOOK = actions.Click(1), actions.Wait(1.0)
FOLLOW, SEEK = actions.Click(2), actions.Type(3, "x")


@pytest.mark.parametrize(
    ("reached", "trajectory", "findings", "verdict"),
    [
        (goal(audit=True, ui=True), attempt(reports=OK), (), V.VERIFIED),
        (goal(judges=True, ui=None), attempt(reports=OK, does=CLICK), (), V.VERIFIED),
        (goal(judges=True, ui=None), attempt(reports=OK), (), V.UNDECIDED),  # nothing was done
        (goal(judges=True, ui=None), attempt(reports=OK, does=LOOK), (), V.UNDECIDED),
        (goal(judges=True, ui=None), attempt(reports=OK, does=FOLLOW), (), V.UNDECIDED),
        (goal(judges=True, ui=None), attempt(reports=OK, does=SEEK), (), V.UNDECIDED),
        (goal(judges=True, audit=True), attempt(reports=OK, does=FOLLOW), (), V.VERIFIED),
        (goal(audit=True), attempt(reports=(*OK, OPEN)), (), V.UNDECIDED),
        (goal(ui=True), attempt(reports=OK), (), V.UNDECIDED),  # the pages alone prove nothing
        (goal(judges=None, ui=True), attempt(reports=OK), (), V.UNDECIDED),
        (goal(audit=True, judges=False), attempt(reports=OK), (), V.UNDECIDED),
        (goal(audit=True), attempt(noted(RENAMED, "Go", 4), reports=OK), (), V.UNDECIDED),
        (goal(audit=True), attempt(reports=(report(S.DIVERGED),)), (), V.UNDECIDED),
        (goal(audit=True), attempt(reports=OK, is_detour=True), (), V.UNDECIDED),
        (goal(audit=True), attempt(reports=OK, is_detour=True), FINDING, V.DRIFTED),
        (goal(audit=False), attempt(stop=R.GAVE_UP), FINDING, V.BROKEN),
        (goal(ui=False), attempt(stop=R.GAVE_UP), FINDING, V.UNDECIDED),
        (goal(audit=True), attempt(stop=R.BUDGET), (), V.UNDECIDED),
        (goal(audit=False), attempt(reports=OK, refused="it deletes"), FINDING, V.UNDECIDED),
    ],
)
def test_what_a_models_word_is_worth(reached, trajectory, findings, verdict) -> None:
    drawn = draw_verdict(reached, trajectory, findings, needs_witness=True)
    assert drawn.verdict is verdict
    assert (drawn.cause is None) == (verdict not in (V.UNDECIDED, V.BLOCKED))


def test_a_step_that_took_a_detour_was_not_done_as_written() -> None:
    assert [r.status for r in attempt(reports=OK, is_detour=True).reports()] == [S.DIVERGED]


def test_what_one_reader_must_not_do_the_next_may_do_otherwise() -> None:
    refused = attempt(reports=OK, refused="it deletes")
    assert draw_verdict(goal(audit=False), refused, (), needs_witness=False).is_open


@pytest.mark.parametrize(
    ("reports", "does", "is_open"),
    [
        ((*OK, OPEN), actions.Click(1), True),  # a model may do what was left out
        (OK, actions.Complete("seen"), True),  # nothing was done
        (OK, actions.Click(1), False),  # all of it was, and nobody can tell
    ],
)
def test_where_nobody_can_tell_a_model_does_what_was_left_out(
    reports: tuple[StepReport, ...], does: actions.Action, is_open: bool
) -> None:
    drawn = draw_verdict(goal(judges=None), attempt(reports=reports, does=does), ())
    assert (drawn.verdict, drawn.is_open) == (V.UNDECIDED, is_open)


def test_what_is_noted_after_a_refusal_says_nothing_of_the_text() -> None:
    refused = attempt(noted(RENAMED, "Create disk"), refused="it deletes")
    refused.turns.append(attempt(noted(MISSING, "Create disk")).turns[0])
    assert [d.kind for _, d in refused.divergences()] == [RENAMED]


def test_judges_see_which_row_was_acted_on() -> None:
    row = Element(id=5, role="button", name="Delete", row="web-2 | East | stopped")
    made = attempt(does=actions.Click(5))
    made.turns[0] = replace(made.turns[0], view=replace(made.turns[0].view, elements=(row,)))
    case = judged_case(PROCEDURE, {}, made, None)
    assert case.turns[0].action == 'click button "Delete" in row "web-2 | East | stopped"'


def test_judges_read_what_stands_around_the_steps() -> None:
    text = "# Make a realm\n\nIts name is `realm1`.\n\n1. Click **Create**.\n2. Click **Save**.\n"
    (around,) = parse_document(text, "t.md", "markdown").procedures
    told = judged_case(around, {}, attempt(), None).text
    assert told == "(Its name is `realm1`.)\n1. Click **Create**.\n2. Click **Save**."


def test_what_is_withdrawn_later_no_longer_stands() -> None:
    wrong, right = noted(RENAMED, "Create disk"), noted(MISSING, "Go", 4)
    stuck = report(S.STUCK)
    trajectory = attempt(wrong, right, reports=(stuck, *OK))
    later = attempt(reports=OK).turns[0]
    taken_back = replace(later.decision, withdrawn=(stuck, wrong))
    trajectory.turns.append(replace(later, decision=taken_back))
    assert [d.kind for _, d in trajectory.divergences()] == [MISSING]
    assert [r.status for r in trajectory.reports()] == [S.AS_WRITTEN, S.AS_WRITTEN]
    assert '"withdrawn": [""]' in trajectory.as_json_lines()


def test_pages_do_not_speak_against_what_was_withdrawn() -> None:
    stuck = report(S.STUCK)
    trajectory = attempt(reports=(stuck,), does=CLICK)
    assert ui_evidence(trajectory).reached is False
    later = attempt(reports=OK, does=CLICK).turns[0]
    trajectory.turns.append(replace(later, decision=replace(later.decision, withdrawn=(stuck,))))
    assert ui_evidence(trajectory).reached is True


def form(*, year: str = "", saved: str = "") -> Trajectory:
    """An attempt that types into a form and clicks what saves it, if anything."""
    field = Element(id=1, role="textbox", name="Title")
    refused = Element(id=2, role="spinbutton", name="Year", error=year)
    button = Element(id=3, role="button", name="Save", is_submit=True)
    texts = (TextBlock(kind=TextKind.TEXT, text=saved),) if saved else ()
    view = Observation(url="http://c/add", title="Add", elements=(field, refused, button))
    last = replace(view, texts=texts)
    acts = [
        (view, actions.Type(1, "Tides")),
        (view, actions.Click(3)),
        (last, actions.Complete(seen="")),
    ]
    turns = [
        Turn(
            view=v, decision=Decision(action=a, step="1"), performed=Performed(ok=True), before=None
        )
        for v, a in acts
    ]
    return Trajectory(turns=turns, stop=R.ANSWERED)


def test_a_form_that_was_not_accepted_says_so() -> None:
    assert ui_evidence(form(saved="Tides, just now")).reached is True
    result = ui_evidence(form(year="Value must be at least 1500.", saved="Tides, just now"))
    assert (result.reached, result.reason) == (
        None,
        '"Year" was not accepted: Value must be at least 1500.',
    )


def test_what_was_shown_before_it_was_entered_is_no_evidence() -> None:
    shown = form(saved="Tides, just now")
    first = shown.turns[0]
    shown.turns[0] = replace(first, view=replace(first.view, texts=shown.turns[-1].view.texts))
    assert ui_evidence(shown).reached is None


@pytest.mark.parametrize(
    ("title", "reached"), [("Add a paper", None), ("Find a paper", True), ("Set a title", None)]
)
def test_a_form_that_was_not_sent_has_changed_nothing(title: str, reached: bool | None) -> None:
    unsent = form(saved="Tides, just now")
    del unsent.turns[1]
    assert ui_evidence(unsent, title).reached is reached


ASKED = "http://c/?action=duplicate&csrf_token=30d5"


@pytest.mark.parametrize(
    ("control", "changes"),
    [
        ({"role": "button", "name": "Duplicate"}, True),
        ({"role": "link", "name": "Duplicate", "href": "http://c/disks/1"}, False),
        ({"role": "link", "name": "Duplicate", "href": ASKED}, True),
        ({"role": "link", "name": "Yes", "dialog": "Duplicate?", "href": "http://c/d"}, True),
        ({"role": "link", "name": "Yes", "href": "http://c/yes"}, False),
        ({"role": "button", "name": "Yes", "dialog": "Duplicate?"}, True),
        ({"role": "button", "name": "Yes"}, False),
        ({"role": "tab", "name": "Yes", "dialog": "Duplicate?"}, False),
    ],
)
def test_a_link_changes_something_where_it_answers_or_its_address_says_so(
    control: dict[str, str], changes: bool
) -> None:
    shown = Observation(url="http://c/", title="C", elements=(Element(id=1, **control),))
    turn = Turn(
        view=shown,
        decision=Decision(action=actions.Click(1), step="1"),
        performed=Performed(ok=True),
        before=None,
    )
    assert has_changed(Trajectory(turns=[turn])) is changes


def test_what_is_noted_again_after_it_was_withdrawn_stands() -> None:
    wrong = noted(RENAMED, "Create disk")
    trajectory = attempt(wrong)
    turn = attempt().turns[0]
    trajectory.turns.append(replace(turn, decision=replace(turn.decision, withdrawn=(wrong,))))
    trajectory.turns += attempt(wrong).turns
    assert [n for n, _ in trajectory.divergences()] == [2]


def test_why_a_policy_gave_up_is_told() -> None:
    drawn = draw_verdict(goal(audit=False), attempt(stop=R.GAVE_UP), ())
    assert str(drawn.cause) == "policy: the policy gave up: no way on"
    assert drawn.is_open


@pytest.mark.parametrize(
    ("text", "is_looking"),
    [
        ("In the navigation, click **Disks**.\n2. Click the name of the disk.", True),
        ("Click **View details**.", True),
        ("Enter `red` in the **Search** box.", False),
        ("Click **Create disk**.", False),
        ("Select **Large** in the **Size** list.", False),
        ("点击**创建云盘**。", False),
        ("Frobnicate the disk in the usual way.\n2. Click the name of the disk.", False),
    ],
)
def test_what_only_looks_is_reached_by_looking(text: str, is_looking: bool) -> None:
    (procedure,) = parse_document(f"# T\n\n1. {text}\n", "t.md", "markdown").procedures
    assert is_to_look(procedure) is is_looking
    judged, walked = goal(judges=True, ui=None), attempt(reports=OK, does=FOLLOW)
    drawn = draw_verdict(judged, walked, (), needs_witness=True, is_to_look=is_to_look(procedure))
    assert drawn.verdict is (V.VERIFIED if is_looking else V.UNDECIDED)


@pytest.mark.parametrize(
    ("first", "stands"),
    [(V.DRIFTED, "not tried"), (V.BROKEN, "not tried"), (V.UNDECIDED, "no event")],
)
def test_what_one_attempt_saw_and_the_next_may_not_do_again_is_no_verdict(
    first: Verdict, stands: str
) -> None:
    cause = Cause(CauseKind.OUTCOME, "no event") if first is V.UNDECIDED else None
    refused = DrawnVerdict(V.UNDECIDED, Cause(CauseKind.NOT_TRIED, "not tried"))
    told = after_refusal(DrawnVerdict(first, cause), refused)
    assert told.verdict is V.UNDECIDED and told.cause is not None and told.cause.text == stands


def test_judges_see_the_dialog_that_was_open_and_is_gone() -> None:
    asked = TextBlock(kind=TextKind.TEXT, text="It goes with its tokens.", dialog="Delete drawer")
    names = [("Cancel", "Delete drawer"), ("Delete", "Delete drawer"), ("Home", None)]
    buttons = tuple(
        Element(id=n, role="button", name=name, dialog=dialog)
        for n, (name, dialog) in enumerate(names, start=1)
    )
    made = attempt(does=actions.Click(1))
    view = replace(made.turns[0].view, elements=buttons, texts=(asked,), dialogs=("Delete drawer",))
    made.turns[0] = replace(made.turns[0], view=view)
    case = judged_case(PROCEDURE, {}, made, None)
    assert case.turns[0].notices == (
        'dialog "Delete drawer": It goes with its tokens. | Cancel | Delete',
    )

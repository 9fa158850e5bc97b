from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from appliance.core.errors import SetupError
from appliance.core.events import (
    FindingClosed,
    FindingOpened,
    ProcedureFinished,
    RunFinished,
    RunStarted,
)
from appliance.core.result import ProcedureResult, RunResult
from appliance.core.verdict import Severity, StepStatus, Verdict
from appliance.store.incident import (
    EVERY_INCIDENT,
    Confirmation,
    Incident,
    IncidentFilter,
    IncidentState,
    TriageAction,
    TriageDecision,
    incident_id,
)
from appliance.store.paging import Paged, Paging
from appliance.store.store import Store
from appliance.store.writer import StoreWriter

MakeRun = Callable[..., RunResult]
MakeProcedure = Callable[..., ProcedureResult]

LATER = datetime(2030, 1, 1, tzinfo=UTC)


def finding_on(procedure: ProcedureResult, fingerprint: str, step: str = "1") -> ProcedureResult:
    kept = procedure.findings[0]
    return replace(procedure, findings=(replace(kept, fingerprint=fingerprint, step=step),))


@pytest.fixture
def drifted(store: Store, run: MakeRun, procedure: MakeProcedure) -> ProcedureResult:
    """A procedure with one finding, which is kept in the run r1."""
    store.start_run(run("r1"), planned=1)
    result = finding_on(procedure(1, findings=1), "same")
    store.save_procedure("r1", result)
    return result


def only(store: Store) -> Incident:
    (incident,) = store.incidents.page(Paging()).items
    assert store.incidents.ids(Paging(), EVERY_INCIDENT) == Paged((incident.id,), 1)
    return incident


def actions(store: Store, incident: str) -> list[str]:
    return [entry.action for entry in store.incidents.log(incident)]


def test_a_finding_seen_first_opens_an_incident(
    store: Store, run: MakeRun, procedure: MakeProcedure
) -> None:
    store.start_run(run("r1"), planned=2)
    changes = store.save_procedure("r1", finding_on(procedure(1, findings=1), "same"))
    (incident,) = changes.opened
    assert incident == only(store) == store.incidents.get(incident.id)
    assert incident.id == incident_id("practice", "same")
    assert (incident.state, incident.places) == (IncidentState.OPEN, 1)
    again = store.save_procedure("r1", finding_on(procedure(2, findings=1), "same"))
    assert (again.opened, again.closed) == ((), ())
    assert only(store).places == 2
    places = store.incidents.places(incident.id)
    assert [p.procedure_id for p in places] == ["buckets/p1", "buckets/p2"]
    assert actions(store, incident.id) == ["opened"]


def test_it_closes_when_all_that_showed_it_were_verified_without_it(
    store: Store, drifted: ProcedureResult, procedure: MakeProcedure
) -> None:
    store.save_procedure("r1", finding_on(procedure(2, findings=1), "same"))
    assert store.save_procedure("r1", procedure(1)).closed == ()
    left = only(store)
    assert (left.state, left.places, left.procedure_id) == (IncidentState.OPEN, 1, "buckets/p2")
    (closed,) = store.save_procedure("r1", procedure(2)).closed
    assert closed == only(store)
    assert (closed.state, closed.places) == (IncidentState.CLOSED, 0)
    assert closed.closed_at is not None
    (opened,) = store.save_procedure("r1", drifted).opened
    assert (opened.state, opened.closed_at) == (IncidentState.OPEN, None)
    assert actions(store, opened.id) == ["opened", "closed", "reopened"]


@pytest.mark.parametrize("verdict", [Verdict.BLOCKED, Verdict.UNDECIDED])
def test_a_verdict_that_teaches_nothing_closes_nothing(
    store: Store, drifted: ProcedureResult, procedure: MakeProcedure, verdict: Verdict
) -> None:
    changes = store.save_procedure("r1", replace(procedure(1), verdict=verdict))
    assert changes.closed == ()
    assert (only(store).state, only(store).places) == (IncidentState.OPEN, 1)


def test_what_lies_behind_a_break_is_not_closed(
    store: Store, run: MakeRun, procedure: MakeProcedure
) -> None:
    store.start_run(run("r1"), planned=1)
    store.save_procedure("r1", finding_on(procedure(1, findings=1), "far", step="2"))
    broken = finding_on(procedure(1, findings=1), "near", step="1")
    stuck, unreached = broken.steps
    steps = (
        replace(stuck, status=StepStatus.STUCK),
        replace(unreached, status=StepStatus.UNREACHED),
    )
    changes = store.save_procedure("r1", replace(broken, verdict=Verdict.BROKEN, steps=steps))
    assert [incident.fingerprint for incident in changes.opened] == ["near"]
    assert changes.closed == ()
    (closed,) = store.save_procedure("r1", broken).closed
    assert closed.fingerprint == "far"


def test_the_same_finding_on_another_console_is_another_incident(
    store: Store, drifted: ProcedureResult, run: MakeRun, procedure: MakeProcedure
) -> None:
    store.start_run(replace(run("r2"), console="staging"), planned=1)
    (other,) = store.save_procedure("r2", drifted).opened
    assert other.id != incident_id("practice", "same")
    store.save_procedure("r2", procedure(1))
    states = store.incidents.states("practice", ["same", "unknown"])
    assert {print: incident.state for print, incident in states.items()} == {
        "same": IncidentState.OPEN
    }
    assert (
        store.incidents.page(Paging(), IncidentFilter(console="staging")).items[0].state
        is IncidentState.CLOSED
    )


def test_a_run_that_is_saved_whole_opens_and_closes_too_but_not_twice(
    store: Store, run: MakeRun, procedure: MakeProcedure
) -> None:
    first = run("r1", procedure(1, findings=2), procedure(2), day=1)
    assert len(store.save_run(first).opened) == 2
    assert store.save_run(first).opened == ()
    assert len(store.save_run(run("r2", procedure(1), day=2)).closed) == 2
    late = store.save_run(run("r0", procedure(1, findings=1), day=1))
    assert (late.opened, late.closed) == ((), ()), "an old verdict says nothing of today"
    confirmed = store.incidents.page(Paging(), IncidentFilter(state=IncidentState.CLOSED))
    assert confirmed.total == 2


def test_a_text_handed_in_for_one_run_is_not_the_documentation(
    store: Store, run: MakeRun, procedure: MakeProcedure
) -> None:
    store.start_run(run("r1"), planned=1)
    draft = replace(procedure(1, findings=1), document="data/uploads/r1/draft.md")
    assert store.save_procedure("r1", draft).opened == ()
    assert store.incidents.page(Paging()).total == 0
    assert store.listings.procedure("practice", draft.id) is None
    assert store.listings.result("r1", draft.id) == draft


def test_what_is_rejected_stays_so_seen_again_or_not(
    store: Store, drifted: ProcedureResult, procedure: MakeProcedure
) -> None:
    id = only(store).id
    store.incidents.triage(
        id, TriageDecision(TriageAction.REJECT, comment="an advertisement"), by="ann", at=LATER
    )
    assert store.save_procedure("r1", drifted).opened == ()
    assert only(store).state is IncidentState.REJECTED
    assert store.save_procedure("r1", procedure(1)).closed == ()
    assert store.save_procedure("r1", drifted).opened == ()
    assert only(store).state is IncidentState.REJECTED
    store.save_procedure("r1", procedure(1))
    reopened = store.incidents.triage(id, TriageDecision(TriageAction.REOPEN), by="ann", at=LATER)
    assert reopened.state is IncidentState.CLOSED, "nothing shows it"


def test_what_is_accepted_is_open_again_when_its_date_is_over(
    store: Store, drifted: ProcedureResult
) -> None:
    id, now = only(store).id, datetime.now(UTC)
    until = now + timedelta(days=7)
    accepted = store.incidents.triage(
        id, TriageDecision(TriageAction.ACCEPT, until=until), by="ann", at=now
    )
    assert (accepted.state, accepted.accepted_until) == (IncidentState.ACCEPTED, until)
    assert store.save_procedure("r1", drifted).opened == ()
    assert only(store).state is IncidentState.ACCEPTED
    assert store.incidents.expire(until - timedelta(seconds=1)) == ()
    assert [incident.id for incident in store.incidents.expire(until)] == [id]
    assert (only(store).state, only(store).accepted_until) == (IncidentState.OPEN, None)
    assert actions(store, id) == ["opened", "accept", "expired"]


def test_triage_is_kept_with_who_and_when_and_what_was_said(
    store: Store, drifted: ProcedureResult
) -> None:
    id = only(store).id
    say, at = store.incidents.triage, LATER
    say(id, TriageDecision(TriageAction.CONFIRM, comment=" right "), by="ann", at=at)
    say(id, TriageDecision(TriageAction.ASSIGN, assignee="Bob 小明"), by="ann", at=at)
    say(id, TriageDecision(TriageAction.COMMENT, comment="fixed in \ud83d main"), by="bob", at=at)
    say(
        id,
        TriageDecision(TriageAction.ACCEPT, until=at + timedelta(days=1), comment="soon"),
        by="bob",
        at=at,
    )
    assert [(e.by, e.action, e.comment) for e in store.incidents.log(id)[1:]] == [
        ("ann", "confirm", "right"),
        ("ann", "assign", "Bob 小明"),
        ("bob", "comment", "fixed in ? main"),
        ("bob", "accept", "until 2030-01-02 00:00 UTC: soon"),
    ]
    assert store.incidents.page(Paging(), IncidentFilter(assignee="Bob 小明")).total == 1
    assert store.incidents.page(Paging(), IncidentFilter(assignee="")).total == 0


@pytest.mark.parametrize(
    ("action", "given", "says"),
    [
        (TriageAction.ACCEPT, {}, "say until when"),
        (TriageAction.ACCEPT, {"until": LATER}, "a date yet to come"),
        (TriageAction.ASSIGN, {}, "name somebody"),
        (TriageAction.COMMENT, {"comment": " "}, "needs words"),
    ],
)
def test_triage_that_lacks_something_is_told_and_changes_nothing(
    store: Store,
    drifted: ProcedureResult,
    action: TriageAction,
    given: dict[str, Any],
    says: str,
) -> None:
    before = only(store)
    with pytest.raises(SetupError, match=says):
        decision = TriageDecision(action, **given)
        store.incidents.triage(before.id, decision, by="ann", at=LATER)
    assert only(store) == before
    assert actions(store, before.id) == ["opened"]


def test_triage_of_what_is_closed_or_unknown_is_told(
    store: Store, drifted: ProcedureResult, procedure: MakeProcedure
) -> None:
    store.save_procedure("r1", procedure(1))
    for action in (TriageAction.CONFIRM, TriageAction.REOPEN):
        with pytest.raises(SetupError, match=r"is closed: .* opens by itself"):
            store.incidents.triage(only(store).id, TriageDecision(action), by="ann", at=LATER)
    with pytest.raises(SetupError, match="no incident 'nope'"):
        store.incidents.triage("nope", TriageDecision(TriageAction.CONFIRM), by="ann", at=LATER)


def test_the_confirmation_rate_goes_by_the_last_word(
    store: Store, run: MakeRun, procedure: MakeProcedure
) -> None:
    store.save_run(run("r1", procedure(1, findings=3)))
    a, b, c = (incident.id for incident in store.incidents.page(Paging()).items)
    assert store.incidents.confirmation().rate is None
    store.incidents.triage(a, TriageDecision(TriageAction.REJECT), by="ann", at=LATER)
    store.incidents.triage(a, TriageDecision(TriageAction.CONFIRM), by="ann", at=LATER)
    store.incidents.triage(b, TriageDecision(TriageAction.REJECT), by="ann", at=LATER)
    store.incidents.triage(c, TriageDecision(TriageAction.CONFIRM), by="ann", at=LATER)
    store.incidents.triage(c, TriageDecision(TriageAction.REOPEN), by="ann", at=LATER)
    assert store.incidents.confirmation("practice") == Confirmation(1, 1)
    assert store.incidents.confirmation("practice").rate == 0.5
    assert store.incidents.confirmation("staging") == Confirmation(0, 0)


def test_incidents_are_filtered_and_those_that_need_somebody_come_first(
    store: Store, run: MakeRun, procedure: MakeProcedure
) -> None:
    kept = procedure(1, findings=4)
    first, second, third, fourth = kept.findings
    breaks = replace(third, severity=Severity.BREAKS, shown="100% _other_")
    elsewhere = replace(fourth, document="docs/nets.md")
    store.save_run(run("r1", replace(kept, findings=(first, second, breaks, elsewhere))))
    page = store.incidents.page
    assert page(Paging()).items[0].fingerprint == third.fingerprint
    worst = page(Paging(), IncidentFilter(severity=Severity.BREAKS)).items[0]
    store.incidents.triage(worst.id, TriageDecision(TriageAction.CONFIRM), by="ann", at=LATER)
    assert page(Paging()).items[-1].id == worst.id
    assert [i.id for i in page(Paging(), IncidentFilter(query="% _OTHER")).items] == [worst.id]
    assert page(Paging(), IncidentFilter(query="新建")).total == 3
    assert page(Paging(), IncidentFilter(query="\ud83d")).total == 0
    assert page(Paging(), IncidentFilter(document="docs/nets.md")).total == 1
    assert page(Paging(2, 1)).total == 4
    assert len(page(Paging(2, 1)).items) == 1
    assert page(Paging(50, 10)).items == ()
    assert page(Paging(), IncidentFilter(state=IncidentState.OPEN, kind=first.kind)).total == 3
    counts = store.incidents.counts(IncidentFilter(query="新建", kind=first.kind))
    assert counts == dict.fromkeys(IncidentState, 0) | {IncidentState.OPEN: 3}


def test_the_findings_of_all_places_come_in_one_go(
    store: Store, run: MakeRun, procedure: MakeProcedure
) -> None:
    one = finding_on(procedure(1, findings=1), "same")
    two = finding_on(procedure(2, findings=1), "same")
    store.save_run(run("r1", one, two, procedure(3, findings=1)))
    found = store.incidents.findings([incident_id("practice", "same")])
    assert [finding for _, finding in found] == [
        replace(one.findings[0], evidence=()),
        replace(two.findings[0], evidence=()),
    ]
    assert len(store.incidents.findings(console="practice", states=[IncidentState.OPEN])) == 3
    assert store.incidents.findings(states=[IncidentState.CLOSED]) == ()
    assert store.incidents.findings(document="docs/none.md") == ()


def test_the_writer_tells_what_opened_and_closed(
    store: Store, run: MakeRun, procedure: MakeProcedure
) -> None:
    write = StoreWriter(store)
    assert write(RunStarted(run_id="r1", procedures=2, run=run("r1"))) == ()
    shown = procedure(1, findings=1)
    told = write(ProcedureFinished(run_id="r1", result=shown))
    id = incident_id("practice", shown.findings[0].fingerprint)
    opened = FindingOpened(console="practice", incident_id=id, finding=shown.findings[0])
    assert told == (opened,)
    whole = run("r1", shown)
    end = {"ended_at": whole.ended_at, "summary": whole.summary}
    told = write(RunFinished(run_id="r1", console="practice", **end))
    assert told == (), "the end of the run tells nothing twice"
    assert write(RunStarted(run_id="r2", procedures=1, run=run("r2"))) == ()
    told = write(ProcedureFinished(run_id="r2", result=procedure(1)))
    closed = FindingClosed(console="practice", incident_id=id, finding=shown.findings[0])
    assert told == (closed,)


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    history=st.lists(
        st.tuples(
            st.integers(1, 3),
            st.frozensets(st.sampled_from("abc"), max_size=3),
            st.sampled_from([Verdict.BROKEN, Verdict.BLOCKED]),
        ),
        max_size=6,
    )
)
def test_an_incident_is_open_exactly_while_a_procedure_shows_it(
    store: Store,
    run: MakeRun,
    procedure: MakeProcedure,
    history: list[tuple[int, frozenset[str], Verdict]],
) -> None:
    """Held against a model in plain Python, verdict by verdict."""
    console = f"console-{datetime.now(UTC).timestamp()}"
    store.start_run(replace(run(console), console=console), planned=3)
    shows: dict[int, set[str]] = {1: set(), 2: set(), 3: set()}
    for number, prints, verdict in history:
        kept = procedure(number, findings=len(prints))
        pairs = zip(kept.findings, sorted(prints), strict=True)
        shown = tuple(replace(finding, fingerprint=print) for finding, print in pairs)
        before = set().union(*shows.values())
        shows[number] = set(prints) | (shows[number] if verdict is Verdict.BLOCKED else set())
        after = set().union(*shows.values())
        changes = store.save_procedure(console, replace(kept, findings=shown, verdict=verdict))
        assert {incident.fingerprint for incident in changes.opened} == after - before
        assert {incident.fingerprint for incident in changes.closed} == before - after
        found = store.incidents.page(Paging(), IncidentFilter(console=console)).items
        still = {i.fingerprint: i.places for i in found if i.state is IncidentState.OPEN}
        assert still == {p: sum(p in shown for shown in shows.values()) for p in after}


def test_the_last_that_was_said_is_undone_step_by_step(
    store: Store, drifted: ProcedureResult
) -> None:
    id, at = only(store).id, LATER
    say, before = store.incidents.triage, only(store)
    until = at + timedelta(days=9)
    assigned = say(id, TriageDecision(TriageAction.ASSIGN, assignee="bob"), by="ann", at=at)
    accepted = say(id, TriageDecision(TriageAction.ACCEPT, until=until), by="ann", at=at)
    say(id, TriageDecision(TriageAction.CONFIRM), by="eva", at=at + timedelta(minutes=1))
    assert store.incidents.said_at(at + timedelta(minutes=1), "eva") == (id,)
    assert store.incidents.confirmation().confirmed == 1

    undo = TriageDecision(TriageAction.UNDO)
    assert say(id, undo, by="eva", at=at + timedelta(minutes=2)) == accepted
    assert store.incidents.said_at(at + timedelta(minutes=1), "eva") == ()
    assert say(id, undo, by="eva", at=at) == assigned
    assert store.incidents.confirmation().rate is None, "what was taken back is not the last word"
    assert say(id, undo, by="eva", at=at) == before == store.incidents.get(id)
    with pytest.raises(SetupError, match="can be undone"):
        say(id, undo, by="eva", at=at)
    log = store.incidents.log(id)
    assert [entry.action for entry in log if entry.is_undone] == ["assign", "accept", "confirm"]
    assert [e.comment for e in log if e.action == "undo"] == ["confirm", "accept", "assign"]


def test_what_a_run_did_since_is_not_undone(
    store: Store, drifted: ProcedureResult, run: MakeRun, procedure: MakeProcedure
) -> None:
    id = only(store).id
    store.incidents.triage(id, TriageDecision(TriageAction.REJECT), by="ann", at=LATER)
    store.start_run(run("r2"), planned=1)
    store.save_procedure("r2", procedure(1))
    undone = store.incidents.triage(id, TriageDecision(TriageAction.UNDO), by="ann", at=LATER)
    assert undone.state is IncidentState.CLOSED, "it is not shown any more"
    store.start_run(run("r3"), planned=1)
    store.save_procedure("r3", drifted)
    with pytest.raises(SetupError, match="nobody said"):
        store.incidents.triage(id, TriageDecision(TriageAction.UNDO), by="ann", at=LATER)

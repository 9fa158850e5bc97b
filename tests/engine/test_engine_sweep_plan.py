from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.config import AccountSettings, ConsoleSettings, SweepSettings
from appliance.core.checks import Checks
from appliance.core.events import ProcedureFinished
from appliance.core.procedure import Document, Procedure, text_hash
from appliance.core.result import Cost
from appliance.core.source import Span
from appliance.documents import load_documents, outline_of
from appliance.engine.night import Accounts
from appliance.engine.plan import History, Planning, Reason, make_plan
from appliance.store.sweeps import PastResult, Spent

NOW = datetime(2026, 11, 21, tzinfo=UTC)
SPAN = Span("a.md", 1, 1, 1, 1)


def guide(number: int, **procedure: object) -> tuple[Document, ...]:
    procedures = tuple(
        Procedure(
            **{"id": f"a/{n}", "title_path": (f"P{n}",), "span": SPAN, "steps": ()} | procedure
        )
        for n in range(number)
    )
    return (
        Document(
            path="a.md",
            format="markdown",
            revision="r2",
            title="A",
            procedures=procedures,
            lines=(),
        ),
    )


def planned(documents, past=None, sweep=None, lanes=1, asked=False, durations=None):
    spent = {id: Spent(seconds=seconds) for id, seconds in (durations or {}).items()}
    history = History(past=past or {}, spent=spent)
    by = Planning(
        history=history,
        settings=SweepSettings(**(sweep or {})),
        lanes=lanes,
        now=NOW,
        is_asked=asked,
    )
    outlines = list(map(outline_of, documents))
    return make_plan(outlines, [p for d in outlines for p in d.procedures], by)


def before(verdict="verified", days=1.0, revision="r2", text_hash=""):
    saved_at = NOW - timedelta(days=days)
    return PastResult(verdict=verdict, saved_at=saved_at, revision=revision, text_hash=text_hash)


@pytest.mark.parametrize(
    ("past", "reason"),
    [
        (None, "never"),
        (before(), None),
        (before(revision="r1"), "changed"),
        (before(text_hash="other"), "changed"),
        (before("drifted"), "failed"),
        (before("broken", days=30), "failed"),
        (before("blocked"), "failed"),
        (before("undecided"), "failed"),
        (before("drifted", revision="r1"), "changed"),
        (before(days=6.9), None),
        (before(days=7.1), "stale"),
    ],
)
@pytest.mark.parametrize("asked", [False, True])
def test_why_a_procedure_is_due(past, reason, asked):
    plan = planned(guide(1), {"a/0": past} if past else {}, asked=asked)
    expected = reason or ("asked" if asked else None)
    assert [item.reason for item in plan.items] == ([expected] if expected else [])
    assert plan.fresh == (not expected)


def test_text_that_is_the_same_is_not_verified_again_though_its_document_changed():
    documents = guide(1)
    same = text_hash(documents[0].procedures[0])
    assert planned(documents, {"a/0": before(revision="r1", text_hash=same)}).items == ()


def test_the_order_is_by_reason_then_by_what_waits_longest():
    past = {
        "a/0": before(days=20),
        "a/1": before("broken", days=2),
        "a/2": before(revision="old", days=1),
        "a/4": before(days=30),
        "a/5": before("broken", days=5),
        "a/6": before(),
    }
    plan = planned(guide(7), past)
    assert [item.id for item in plan.items] == ["a/3", "a/2", "a/5", "a/1", "a/4", "a/0"]
    asked = planned(guide(7), past, asked=True)
    assert [item.id for item in asked.items][-1] == "a/6"


def test_the_budget_is_for_all_that_is_under_way_at_a_time():
    durations = {f"a/{n}": 60.0 for n in range(6)}
    one = planned(guide(6), sweep={"budget_minutes": 2}, durations=durations)
    assert [i.id for i in one.items] == ["a/0", "a/1"]
    assert {left.id for left in one.left_out} == {"a/2", "a/3", "a/4", "a/5"}
    two = planned(guide(6), sweep={"budget_minutes": 2}, durations=durations, lanes=2)
    assert len(two.items) == 4
    assert two.seconds == 120


def identities(**roles: str) -> Accounts:
    """Accounts of a console, by name, with their roles."""
    named = {
        name: AccountSettings(username=name, password_file="password", role=role)
        for name, role in roles.items()
    }
    url = "http://127.0.0.1:9"
    return Accounts("lab", ConsoleSettings(kind="generic", url=url, accounts=named))


def within_two_minutes(documents, **by: object):
    outlines = list(map(outline_of, documents))
    a_minute = History(typical=Spent(seconds=60.0, model_s=40.0))
    given = {"settings": SweepSettings(budget_minutes=2), "lanes": 4} | by
    planning = Planning(history=a_minute, now=NOW, **given)
    return make_plan(outlines, [p for d in outlines for p in d.procedures], planning)


@pytest.mark.parametrize(
    ("accounts", "fit"),
    [
        (Accounts(), 8),  # nothing is known of them: as many as there are lanes
        (identities(a="member"), 2),
        (identities(a="member", b="member"), 4),
        (identities(**dict.fromkeys("abcdef", "member")), 8),  # more than there are lanes
        (identities(a="member", b="admin"), 2),  # nobody asks for the other one
    ],
)
def test_the_budget_is_no_longer_than_what_there_are_accounts_for(accounts, fit):
    plan = within_two_minutes(guide(9), accounts=accounts)
    assert (len(plan.items), plan.seconds) == (fit, 120)
    assert {left.why for left in plan.left_out} == {
        "over the budget of 2 minutes; the next sweep takes it"
    }


def test_where_one_account_is_used_up_others_are_not_left_idle():
    """Half of it as an account of which there is one, half as any of four."""
    roles = {"roles": ("admin", "member"), "budget_minutes": 2}
    accounts = identities(a="admin", **dict.fromkeys("bcde", "member"))
    plan = within_two_minutes(guide(9), accounts=accounts, settings=SweepSettings(**roles))
    admins = [f"a/{n}@admin" for n in range(2)]
    members = [f"a/{n}@member" for n in range(6)]
    assert sorted(item.id for item in plan.items) == sorted([*admins, *members])
    assert plan.seconds == 120


def test_the_budget_is_no_longer_than_a_model_answers():
    plan = within_two_minutes(guide(9), model=1)
    assert len(plan.items) == 3  # of 40 s each, one after the other


def test_what_is_longer_than_the_budget_is_planned_all_the_same_when_it_is_first():
    plan = planned(guide(2), sweep={"budget_minutes": 0.5}, durations={"a/0": 900, "a/1": 1})
    assert [item.id for item in plan.items] == ["a/0"]


pasts = st.none() | st.builds(
    before,
    verdict=st.sampled_from(["verified", "drifted", "broken", "blocked", "undecided"]),
    days=st.floats(0, 60),
    revision=st.sampled_from(["r1", "r2"]),
)


@given(
    st.lists(pasts, max_size=12),
    st.floats(0, 10),
    st.integers(1, 4),
    st.lists(st.floats(0.1, 400), min_size=12, max_size=12),
    st.booleans(),
)
def test_every_procedure_is_planned_or_left_out_or_fresh(pasts, budget, lanes, durations, asked):
    known = {f"a/{n}": past for n, past in enumerate(pasts) if past}
    takes = {f"a/{n}": seconds for n, seconds in enumerate(durations)}
    documents = guide(len(pasts))
    plan = planned(documents, known, {"budget_minutes": budget}, lanes, asked, takes)
    ids = [item.id for item in plan.items] + [left.id for left in plan.left_out]
    assert len(set(ids)) == len(ids)
    assert len(ids) + plan.fresh == len(pasts)
    whole = planned(documents, known, {}, lanes, asked, takes)
    order = list(Reason)
    ranks = {item.id: order.index(Reason(item.reason)) for item in whole.items}
    assert set(ids) == set(ranks)
    left = [ranks[left.id] for left in plan.left_out]  # the budget cuts off the least due
    assert all(ranks[item.id] <= rank for item in plan.items for rank in left)
    places = [order.index(Reason(item.reason)) for item in whole.items]
    assert places == sorted(places)
    spent = sum(item.estimate_s for item in plan.items)
    assert not budget or spent <= budget * 60 * lanes or len(plan.items) == 1


def test_a_procedure_is_held_against_consoles_in_its_own_language_only():
    sweep = {"locales": ("en-GB", "en-US", "zh")}
    english = planned(guide(1), sweep=sweep)
    assert [(i.id, i.locale) for i in english.items] == [
        ("a/0@en-GB", "en-GB"),
        ("a/0@en-US", "en-US"),
    ]
    chinese = planned(guide(1, language="zh"), sweep=sweep)
    assert [(i.id, i.locale) for i in chinese.items] == [("a/0", "zh")]
    none = planned(guide(1, language="zh"), sweep={"locales": ("en",)})
    assert none.items == ()
    assert none.left_out[0].why == "written in zh, which `sweep.locales` does not name"


def test_each_role_where_the_checks_name_none():
    sweep = {"roles": ("admin", "member"), "locales": ("en-GB", "en-US")}
    plan = planned(guide(1), {"a/0@en-GB,admin": before()}, sweep)
    assert [i.id for i in plan.items] == ["a/0@en-GB,member", "a/0@en-US,admin", "a/0@en-US,member"]
    assert plan.fresh == 1
    named = planned(guide(1, checks=Checks(account="auditor")), sweep={"roles": ("a", "b")})
    assert [(i.id, i.role) for i in named.items] == [("a/0", "")]


def test_the_hash_is_of_the_procedure_and_not_of_what_stands_around_it(tmp_path):
    def read(text: str) -> Procedure:
        (tmp_path / "g.md").write_text(text)
        return load_documents([tmp_path / "g.md"])[0].procedures[0]

    text = "# G\n\n## Do it\n\n1. Click **Save**.\n2. Enter `a`.\n"
    first = read(text)
    moved = read(text.replace("# G\n", "# G\n\n## Another\n\nSome more words here.\n"))
    assert first.span.line != moved.span.line
    assert text_hash(first) == text_hash(moved)
    assert text_hash(first) != text_hash(read(text.replace("Save", "Keep")))
    introduced = text.replace("it\n", "it\n\nThe **Save** button is blue.\n")
    assert text_hash(first) != text_hash(read(introduced))  # what it says is checked as well
    assert text_hash(first) != text_hash(replace(first, checks=Checks(skip="no")))


def test_each_region_that_the_settings_name():
    plan = planned(guide(1), sweep={"regions": ("north", "south"), "roles": ("admin", "member")})
    assert [(i.id, i.role, i.region) for i in plan.items] == [
        ("a/0@admin,north", "admin", "north"),
        ("a/0@admin,south", "admin", "south"),
        ("a/0@member,north", "member", "north"),
        ("a/0@member,south", "member", "south"),
    ]
    one = planned(guide(1), sweep={"regions": ("north",)})
    assert [(i.id, i.region) for i in one.items] == [("a/0", "north")]


@pytest.mark.parametrize(
    ("sweep", "words"),
    [
        ({"budget_tokens": 1000}, "over the budget of 1000 model tokens; the next sweep takes it"),
        ({"budget_cost": 0.5}, "over the budget of 0.5 for resources; the next sweep takes it"),
    ],
)
def test_a_budget_of_tokens_or_cost_cuts_where_it_is_spent(sweep, words):
    spent = {f"a/{n}": Spent(seconds=1, tokens=400, resource_cost=0.2) for n in range(4)}
    document = outline_of(guide(5)[0])
    by = Planning(history=History(spent=spent), settings=SweepSettings(**sweep), lanes=2, now=NOW)
    plan = make_plan((document,), document.procedures, by)
    assert [i.id for i in plan.items] == ["a/0", "a/1"]
    assert (plan.tokens, plan.resource_cost, plan.unknown) == (800, 0.4, 0)
    assert {left.why for left in plan.left_out} == {words}
    whole = planned(guide(5))
    assert (whole.tokens, whole.resource_cost, whole.unknown) == (0, 0, 5)


async def test_a_night_of_replays_is_planned_by_replays(lab):
    """What was read word by word once says nothing of how long it takes now."""
    lab.write("One")
    for night, (tier, took_s) in enumerate([("literal", 40.0), ("replay", 4.0), ("replay", 5.0)]):
        lab.start(f"s{night}")
        result = replace(lab.result("One"), decided_by=tier, cost=Cost(wall_s=took_s))
        await lab.bus.record(ProcedureFinished(run_id=f"s{night}", result=result))
        lab.clock.turn(days=1)
    (item,) = lab.plan(is_asked=True).items
    assert item.estimate_s == 4.5
    changed = replace(lab.result("One"), decided_by="literal", cost=Cost(wall_s=50.0))
    lab.start("s3")
    await lab.bus.record(ProcedureFinished(run_id="s3", result=changed))
    (item,) = lab.plan(is_asked=True).items
    assert item.estimate_s == 45.0

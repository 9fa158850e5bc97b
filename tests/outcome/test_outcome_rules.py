"""Rules that count, compare numbers, speak of each other and leave a choice."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from appliance.core.checks import (
    AnyOf,
    AuditEvent,
    Checks,
    Comparison,
    Constraint,
    EventOutcome,
    EventRule,
)
from appliance.core.errors import OutcomeError
from appliance.outcome.audit_rules import apply_rules, explain_rules

START = datetime(2026, 1, 2, tzinfo=UTC)


def event(name: str, at: int = 0, **kwargs: Any) -> AuditEvent:
    defaults: dict[str, Any] = {"service": "disks", "outcome": EventOutcome.SUCCESS}
    return AuditEvent(time=START + timedelta(seconds=at), name=name, **(defaults | kwargs))


def rule(event: str, where: dict[str, str] | None = None, **kwargs: Any) -> EventRule:
    conditions = tuple(
        Constraint(path=path, comparison=Comparison.EQUALS, expected=(text,))
        for path, text in (where or {}).items()
    )
    return EventRule(event=event, where=conditions, **kwargs)


def told(checks: Checks, *events: AuditEvent, **bindings: str) -> tuple[bool | None, str]:
    result = apply_rules(checks, events, bindings)
    return result.reached, result.reason


def compared(comparison: Comparison, *expected: str, **values: object) -> tuple[bool | None, str]:
    condition = Constraint(path="parameters.v", comparison=comparison, expected=expected)
    return told(Checks(expect=(EventRule(event="X", where=(condition,)),)), event("X", **values))


@pytest.mark.parametrize(
    ("comparison", "expected", "value", "fits"),
    [
        (Comparison.NOT_EQUALS, ("a",), "b", True),
        (Comparison.NOT_EQUALS, ("1.0",), 1, False),
        (Comparison.MORE_THAN, ("9",), 10, True),
        (Comparison.MORE_THAN, ("9",), "10", True),
        (Comparison.MORE_THAN, ("10",), 10, False),
        (Comparison.LESS_THAN, ("-1.5",), -2, True),
        (Comparison.LESS_THAN, ("0.3",), 0.1 + 0.2, False),
        (Comparison.AT_LEAST, ("1e3",), 1000, True),
        (Comparison.AT_MOST, ("3",), "three", False),
        (Comparison.AT_MOST, ("3",), True, False),
        (Comparison.AT_MOST, ("3",), None, False),
        (Comparison.AT_LEAST, ("0",), float("nan"), False),
        (Comparison.AT_LEAST, ("0",), [1], False),
        (Comparison.BETWEEN, ("1", "3"), 3, True),
        (Comparison.BETWEEN, ("1", "3"), 3.01, False),
        (Comparison.EXISTS, ("true",), 0, True),
        (Comparison.EXISTS, ("true",), None, False),
        (Comparison.EXISTS, ("false",), "", True),
        (Comparison.EXISTS, ("false",), False, False),
    ],
)
def test_a_value_is_compared(
    comparison: Comparison, expected: tuple[str, ...], value: object, fits: bool
) -> None:
    assert compared(comparison, *expected, parameters={"v": value})[0] is fits


def test_a_value_that_is_not_there_is_not_another_one() -> None:
    reached, reason = compared(Comparison.NOT_EQUALS, "a")
    assert reached is False
    assert reason == "X found but it has no parameters.v, expected anything but 'a'"
    assert compared(Comparison.EXISTS, "false")[0] is True


@pytest.mark.parametrize(
    ("comparison", "expected", "said"),
    [
        (Comparison.NOT_EQUALS, ("5",), "expected anything but '5'"),
        (Comparison.MORE_THAN, ("7",), "expected more than '7'"),
        (Comparison.BETWEEN, ("7", "9"), "expected a number from '7' to '9'"),
        (Comparison.EXISTS, ("false",), "expected none"),
    ],
)
def test_the_miss_is_told(comparison: Comparison, expected: tuple[str, ...], said: str) -> None:
    reason = compared(comparison, *expected, parameters={"v": 5})[1]
    assert reason == f"X found but parameters.v was '5', {said}"


def test_a_bound_value_that_is_no_number_is_an_error() -> None:
    condition = Constraint(path="name", comparison=Comparison.AT_LEAST, expected=("${Size}",))
    checks = Checks(expect=(EventRule(event="X", where=(condition,)),))
    assert told(checks, event("X"), Size="3")[0] is False
    with pytest.raises(OutcomeError, match="rule for X: 'big' is no number, which `at_least`"):
        told(checks, Size="big")


@pytest.mark.parametrize(
    ("bounds", "count", "said"),
    [
        ({"at_least": 2, "at_most": 2}, 3, "X found 3 times, expected exactly 2"),
        ({"at_least": 2, "at_most": 3}, 1, "X found once, expected 2 to 3"),
        ({"at_most": 2}, 3, "X found 3 times, expected at most 2"),
        ({"at_most": 2}, 2, ""),
    ],
)
def test_events_are_counted(bounds: dict[str, int], count: int, said: str) -> None:
    checks = Checks(expect=(rule("X", **bounds),))
    reached, reason = told(checks, *(event("X", at) for at in range(count)))
    assert (reached, reason) == ((False, said) if said else (True, "X found 2 times"))


CHAIN = Checks(
    expect=(
        rule("Create", name="disk"),
        rule("Attach", {"parameters.disk": "${disk.target_id}"}, name="attached"),
        rule("Detach", {"parameters.disk": "${attached.parameters.disk}"}),
    )
)


def test_the_right_one_of_several_events_is_found() -> None:
    log = [event("Create", at, target_id=f"d{at}") for at in range(5)]
    log += [event("Attach", 6, parameters={"disk": d}) for d in ("d1", "d3")]
    log += [event("Detach", 7, parameters={"disk": "d3"})]
    reports = explain_rules(CHAIN, log, {})
    assert all(report.holds for report in reports)
    assert told(CHAIN, *log)[1].endswith("Attach found; Detach found")
    assert reports[1].matched[0].parameters == {"disk": "d3"}


def test_the_nearest_miss_names_where_the_value_is_from() -> None:
    reached, reason = told(
        CHAIN, event("Create", target_id="d1"), event("Attach", 1, parameters={"disk": "d2"})
    )
    assert reached is False
    assert reason == (
        "Attach found but parameters.disk was 'd2', expected 'd1' (from target_id of Create);"
        " Detach was not looked for, since attached was not found"
    )


def test_events_without_a_value_do_not_share_it() -> None:
    log = [event("Create"), event("Attach", parameters={"disk": ""})]
    reached, reason = told(CHAIN, *log)
    assert reached is False
    assert "Attach cannot be looked for: Create before it has no target_id" in reason


def test_a_value_of_an_event_is_no_pattern() -> None:
    condition = Constraint(
        path="target_id", comparison=Comparison.MATCHES, expected=("^${made.target_id}-\\d$",)
    )
    checks = Checks(expect=(rule("A", name="made"), EventRule(event="B", where=(condition,))))
    assert told(checks, event("A", target_id="a.b"), event("B", target_id="a.b-1"))[0] is True
    assert told(checks, event("A", target_id="a.b"), event("B", target_id="axb-1"))[0] is False


ORDER = Checks(expect=(rule("Stop", name="#1"), rule("Delete", after=("#1",))))


@pytest.mark.parametrize(("stop", "delete", "reached"), [(1, 2, True), (2, 1, False), (1, 1, True)])
def test_one_event_comes_after_another(stop: int, delete: int, reached: bool) -> None:
    result = told(ORDER, event("Stop", stop), event("Delete", delete))
    assert result[0] is reached
    if not reached:
        assert result[1] == "Delete found but it came before Stop"


def test_an_event_does_not_come_after_itself() -> None:
    twice = Checks(expect=(rule("A*", name="#1"), rule("Ab", name="#2", after=("#1",))))
    assert told(twice, event("Ab"))[0] is False
    assert told(twice, event("Ab"), event("Aa"))[0] is True
    around = Checks(expect=(*twice.expect, rule("A*", after=("#2",))))
    assert told(around, event("Ab"), event("Aa"))[0] is False
    assert told(around, event("Ab"), event("Aa"), event("Ac"))[0] is True


def test_what_comes_after_nothing_is_not_looked_for() -> None:
    assert told(ORDER, event("Delete"))[1] == (
        "no Stop event; 1 other: Delete;"
        " Delete was not looked for, since what comes before it was not found"
    )


def test_something_is_forbidden_after_an_event_only() -> None:
    checks = Checks(
        expect=(rule("Create", name="made"),),
        forbid=(rule("Delete", {"target_id": "${made.target_id}"}, after=("made",)),),
    )
    made, gone = event("Create", 5, target_id="a"), event("Delete", 6, target_id="a")
    assert told(checks, made, event("Delete", 6, target_id="b"), event("Delete", 1))[0] is True
    assert told(checks, made, gone)[1] == "forbidden: Delete found (a)"
    again = event("Create", 7, target_id="b")
    assert told(checks, made, gone, again)[0] is True


WAYS = Checks(
    expect=(
        AnyOf(
            alternatives=(
                (rule("CreateServer", {"parameters.disk": "new"}, name="server"),),
                (rule("CreateDisk"), rule("BootServer", name="server")),
            )
        ),
        rule("StartServer", {"target_id": "${server.target_id}"}),
    )
)


def test_one_way_of_several_is_enough() -> None:
    boot = event("BootServer", target_id="s"), event("StartServer", target_id="s")
    assert told(WAYS, event("CreateDisk"), *boot) == (
        True,
        "CreateDisk found and BootServer found (s); StartServer found (s)",
    )
    ways = explain_rules(WAYS, (event("CreateDisk"), *boot), {})[0]
    assert [[r.holds for r in way] for way in ways.alternatives] == [[False], [True, True]]
    assert [e.name for e in ways.matched] == ["CreateDisk", "BootServer"]


def test_the_way_is_taken_that_fits_what_comes_below() -> None:
    log = [
        event("CreateServer", target_id="one", parameters={"disk": "new"}),
        event("CreateDisk"),
        event("BootServer", target_id="two"),
        event("StartServer", target_id="two"),
    ]
    assert told(WAYS, *log)[0] is True


def test_every_way_is_told_when_none_fits() -> None:
    log = [event("CreateServer", parameters={"disk": "old"}), event("CreateDisk")]
    assert told(WAYS, *log)[1] == (
        "none of 2 ways: (1) CreateServer found but parameters.disk was 'old', expected 'new',"
        " (2) no BootServer event; 2 others: CreateServer, CreateDisk;"
        " StartServer was not looked for, since server was not found"
    )


def test_a_name_that_no_rule_above_has() -> None:
    with pytest.raises(OutcomeError, match="rule for X: no rule above is called 'a'"):
        told(Checks(expect=(rule("X", after=("a",)),)))
    with pytest.raises(OutcomeError, match=r"no value is bound to \$\{a.target_id\}"):
        told(Checks(expect=(rule("X", {"name": "${a.target_id}"}),)))


def test_too_many_ways_to_read_a_log_end_in_an_error_and_soon() -> None:
    kinds = [
        rule(
            "X",
            {"parameters.a": f"${{r{n - 1}.parameters.{'abc'[n % 3]}}}"} if n else None,
            name=f"r{n}",
        )
        for n in range(12)
    ]
    log = [
        event("X", n, parameters={"a": n % 2, "b": n % 3, "c": n % 5, "d": n}) for n in range(300)
    ]
    checks = Checks(expect=(*kinds, rule("Y", {"parameters.d": "${r11.parameters.d}"})))
    with pytest.raises(OutcomeError, match="too many ways"):
        told(checks, *log)


def test_a_long_order_in_a_long_log_is_found_without_trying_every_way() -> None:
    names = [f"#{n}" for n in range(40)]
    steps = [
        rule("Step", name=name, after=(names[n - 1],) if n else ()) for n, name in enumerate(names)
    ]
    log = [event("Step", n) for n in range(60)]
    assert told(Checks(expect=tuple(steps)), *log)[0] is True
    assert told(Checks(expect=tuple(steps)), *log[:39])[0] is False


def test_a_pattern_that_looks_for_ever_is_given_up() -> None:
    with pytest.raises(OutcomeError, match="was not looked for to its end within 1 s"):
        compared(Comparison.MATCHES, "(?:a|a|aa)+$", parameters={"v": "a" * 5000 + "b"})

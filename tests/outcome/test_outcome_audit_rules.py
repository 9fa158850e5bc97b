from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.core.checks import (
    AuditEvent,
    Checks,
    Comparison,
    Constraint,
    EventOutcome,
    EventRule,
)
from appliance.core.errors import OutcomeError
from appliance.core.source import Span
from appliance.core.verdict import GoalChannel
from appliance.outcome.audit_rules import apply_rules, explain_rules

START = datetime(2026, 1, 2, tzinfo=UTC)


def event(name: str = "CreateBucket", at: int = 0, **kwargs: Any) -> AuditEvent:
    defaults: dict[str, Any] = {
        "service": "storage",
        "outcome": EventOutcome.SUCCESS,
        "target_name": "docs",
    }
    return AuditEvent(time=START + timedelta(seconds=at), name=name, **(defaults | kwargs))


def where(path: str, *expected: str, comparison: Comparison = Comparison.EQUALS) -> Constraint:
    return Constraint(path=path, comparison=comparison, expected=expected)


def rule(name: str = "CreateBucket", *conditions: Constraint, **kwargs: Any) -> EventRule:
    return EventRule(event=name, where=conditions, **kwargs)


def reason(*events: AuditEvent, **checks: Any) -> str:
    return apply_rules(Checks(**checks), events, {}).reason


def test_without_rules_the_channel_cannot_tell() -> None:
    result = apply_rules(Checks(), [event()], {})
    assert (result.channel, result.reached) == (GoalChannel.AUDIT, None)


def test_an_expected_event_with_a_bound_name_reaches_the_goal() -> None:
    checks = Checks(expect=(rule("CreateBucket", where("target_name", "${Name}")),))
    result = apply_rules(checks, [event()], {"name": "docs"})
    assert result.reached is True
    assert result.reason == "CreateBucket found (docs)"


def test_a_missing_event_lists_what_there_was_instead() -> None:
    text = reason(event("ListBuckets"), event("ListBuckets"), event("Tag"), expect=(rule(),))
    assert text == "no CreateBucket event; 3 others: ListBuckets (2 times), Tag"


def test_an_empty_log_says_so() -> None:
    assert reason(expect=(rule(),)) == (
        "no CreateBucket event; the audit log has none of this attempt"
    )


def test_many_kinds_of_other_events_are_cut() -> None:
    events = [event(f"E{n}") for n in range(9)]
    assert reason(*events, expect=(rule(),)).endswith("E4, E5, 3 more kinds")


def test_the_nearest_miss_is_told_by_the_value_that_differs() -> None:
    expect = (rule("CreateBucket", where("parameters.class", "standard")),)
    text = reason(event(parameters={"class": "archive"}), event("Tag"), expect=expect)
    assert text == "CreateBucket found but parameters.class was 'archive', expected 'standard'"


def test_the_event_with_fewest_wrong_values_is_the_nearest_and_the_latest_wins_a_tie() -> None:
    expect = (rule("CreateBucket", where("parameters.a", "1"), where("parameters.b", "1")),)
    text = reason(
        event(parameters={"a": 2, "b": 2}),
        event(parameters={"a": 1, "b": 3}, at=1),
        event(parameters={"a": 1, "b": 4}, at=2),
        expect=expect,
    )
    assert text == "CreateBucket found but parameters.b was '4', expected '1'"


def test_a_value_that_is_not_there_is_said_to_be_missing() -> None:
    expect = (rule("CreateBucket", where("parameters.class", "standard")),)
    assert reason(event(), expect=expect) == (
        "CreateBucket found but it has no parameters.class, expected 'standard'"
    )


def test_a_failed_event_does_not_count_and_its_code_is_told() -> None:
    failed = event(outcome=EventOutcome.FAILURE, error_code="QuotaExceeded")
    assert reason(failed, expect=(rule(),)) == (
        "CreateBucket found but its outcome was failure (QuotaExceeded), expected success"
    )
    assert apply_rules(Checks(expect=(rule(outcome=None),)), [failed], {}).reached is True


def test_the_service_is_told_where_it_differs() -> None:
    text = reason(event(service="archive"), expect=(rule(service="storage*"),))
    assert text == "CreateBucket found but its service was 'archive', not 'storage*'"


def test_a_rule_may_ask_for_several_events() -> None:
    expect = (rule(at_least=2),)
    assert reason(event(), expect=expect) == "CreateBucket found once, expected at least 2"
    assert apply_rules(Checks(expect=expect), [event(), event(at=1)], {}).reached is True


def test_a_forbidden_event_denies_the_goal_though_the_expected_one_is_there() -> None:
    checks = Checks(expect=(rule(),), forbid=(rule("Delete*"),))
    good = apply_rules(checks, [event()], {})
    bad = apply_rules(checks, [event(), event("DeleteBucket", at=1)], {})
    assert good.reached is True
    assert good.reason == "CreateBucket found (docs); no forbidden Delete*"
    assert bad.reached is False
    assert bad.reason == "forbidden: DeleteBucket found (docs)"


def test_event_names_are_shell_patterns_and_case_counts() -> None:
    assert apply_rules(Checks(expect=(rule("*.create.end"),)), [event("a.create.end")], {}).reached
    assert not apply_rules(Checks(expect=(rule("createbucket"),)), [event()], {}).reached


@pytest.mark.parametrize(
    ("comparison", "expected", "value", "fits"),
    [
        (Comparison.EQUALS, ("true",), True, True),
        (Comparison.EQUALS, ("True",), True, True),
        (Comparison.EQUALS, ("1",), True, False),
        (Comparison.EQUALS, ("null",), None, True),
        (Comparison.EQUALS, ("",), None, True),
        (Comparison.EQUALS, ("22",), 22, True),
        (Comparison.EQUALS, ("22",), 22.0, True),
        (Comparison.EQUALS, ("22.50",), 22.5, True),
        (Comparison.EQUALS, ("x",), 22, False),
        (Comparison.EQUALS, ("022",), "22", False),
        (Comparison.MATCHES, (r"^10\.\d+\.0\.0/24$",), "10.7.0.0/24", True),
        (Comparison.MATCHES, ("^7",), "10.7", False),
        (Comparison.ONE_OF, ("a", "b"), "b", True),
        (Comparison.ONE_OF, ("a", "b"), "c", False),
    ],
)
def test_values_are_compared_in_their_text_form(
    comparison: Comparison, expected: tuple[str, ...], value: object, fits: bool
) -> None:
    condition = where("parameters.v", *expected, comparison=comparison)
    result = apply_rules(
        Checks(expect=(rule("*", condition),)), [event(parameters={"v": value})], {}
    )
    assert result.reached is fits


def test_a_bound_value_is_plain_text_inside_a_regular_expression() -> None:
    condition = where("target_name", "^${Name}$", comparison=Comparison.MATCHES)
    checks = Checks(expect=(rule("*", condition),))
    assert apply_rules(checks, [event(target_name="a.b")], {"Name": "a.b"}).reached is True
    assert apply_rules(checks, [event(target_name="axb")], {"Name": "a.b"}).reached is False


def test_a_name_that_is_not_bound_is_named_with_the_place_of_the_rule() -> None:
    span = Span("docs/a.checks.yaml", 7, 3, 7, 20)
    checks = Checks(expect=(rule("X", where("target_name", "${Netwrk Name}"), span=span),))
    with pytest.raises(OutcomeError) as caught:
        apply_rules(checks, [], {"Network Name": "n"})
    assert str(caught.value) == (
        "docs/a.checks.yaml:7:3: no value is bound to ${Netwrk Name}; did you mean ${Network Name}?"
    )


def test_a_field_that_events_do_not_have_is_an_error_and_not_a_silent_miss() -> None:
    checks = Checks(expect=(rule("*", where("target_nam", "x")),))
    with pytest.raises(OutcomeError, match=r"no field 'target_nam'.*did you mean 'target_name'"):
        apply_rules(checks, [event()], {})


def test_a_bad_regular_expression_is_an_error_with_its_place() -> None:
    condition = where("target_name", "(", comparison=Comparison.MATCHES)
    with pytest.raises(OutcomeError, match=r"rule for Del: '\(' is no regular expression"):
        apply_rules(Checks(forbid=(rule("Del", condition),)), [], {})


def test_explanations_carry_the_matched_events_oldest_first() -> None:
    later, first = event(at=9), event(at=1)
    (report,) = explain_rules(Checks(expect=(rule(),)), [later, event("x"), first], {})
    assert report.matched == (first, later)
    assert report.explanation == "CreateBucket found 2 times (docs)"


names = st.sampled_from(["Create", "Delete", "Tag"])
events = st.lists(
    st.builds(
        event,
        names,
        at=st.integers(0, 9),
        target_name=st.sampled_from(["a", "b"]),
        outcome=st.sampled_from(EventOutcome),
    ),
    max_size=6,
)
rules = st.builds(
    lambda name, target, count: rule(name, where("target_name", target), at_least=count),
    names,
    st.sampled_from(["a", "b"]),
    st.integers(1, 2),
)


@given(rules, events)
def test_expecting_and_forbidding_the_same_never_both_hold(
    one: EventRule, log: list[AuditEvent]
) -> None:
    expected = apply_rules(Checks(expect=(one,)), log, {}).reached
    forbidden = apply_rules(Checks(forbid=(one,)), log, {}).reached
    assert expected is not forbidden


@given(st.lists(rules, min_size=1, max_size=3), events, st.randoms())
def test_the_order_of_the_log_does_not_matter(
    wanted: list[EventRule], log: list[AuditEvent], random: Any
) -> None:
    shuffled = list(log)
    random.shuffle(shuffled)
    checks = Checks(expect=tuple(wanted))
    assert apply_rules(checks, log, {}).reached is apply_rules(checks, shuffled, {}).reached


@given(rules, events, events)
def test_more_events_never_unmake_an_expected_one(
    one: EventRule, log: list[AuditEvent], more: list[AuditEvent]
) -> None:
    checks = Checks(expect=(one,))
    if apply_rules(checks, log, {}).reached:
        assert apply_rules(checks, log + more, {}).reached


@given(st.lists(rules, max_size=3), events)
def test_every_rule_is_explained_in_one_line(
    wanted: list[EventRule], log: list[AuditEvent]
) -> None:
    reports = explain_rules(Checks(expect=tuple(wanted)), log, {})
    assert len(reports) == len(wanted)
    assert all(r.explanation and "\n" not in r.explanation for r in reports)

"""The search for a reading of the log, held against one that tries everything."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.core.checks import (
    AnyOf,
    AuditEvent,
    Checks,
    Comparison,
    Constraint,
    EventOutcome,
    EventRule,
)
from appliance.outcome.audit_rules import apply_rules, explain_rules

START = datetime(2026, 1, 2, tzinfo=UTC)
Entry = EventRule | AnyOf


def event(name: str, at: int, target: str, value: str) -> AuditEvent:
    return AuditEvent(
        time=START + timedelta(seconds=at),
        service="s",
        name=name,
        target_id=target,
        outcome=EventOutcome.SUCCESS,
        parameters={"v": value},
    )


def logs(most: int = 5) -> st.SearchStrategy[list[AuditEvent]]:
    values = st.sampled_from(["a", "b", ""])
    kinds = st.sampled_from(["X", "Y"])
    return st.lists(st.builds(event, kinds, st.integers(0, 3), values, values), max_size=most)


@st.composite
def rules(draw: st.DrawFn, names: list[str], own: str, *, is_forbidden: bool = False) -> EventRule:
    value = draw(st.sampled_from(["a", "b", *(f"${{{n}.target_id}}" for n in names)]))
    path = draw(st.sampled_from(["target_id", "parameters.v"]))
    condition = Constraint(path=path, comparison=Comparison.EQUALS, expected=(value,))
    least = 1 if own else draw(st.integers(1, 2))
    more = draw(st.sampled_from([None, None, 0, 1]))
    return EventRule(
        event=draw(st.sampled_from(["X", "Y", "*"])),
        where=draw(st.sampled_from([(), (condition,)])),
        name=own,
        after=tuple(draw(st.sets(st.sampled_from(names), max_size=1))) if names else (),
        at_least=least,
        at_most=None if is_forbidden or more is None else least + more,
    )


@st.composite
def checked(draw: st.DrawFn) -> Checks:
    names: list[str] = []
    expect: list[Entry] = []
    for n in range(draw(st.integers(1, 4))):
        own = draw(st.sampled_from(["", f"r{n}", f"r{n}"]))
        if draw(st.integers(0, 3)):
            expect.append(draw(rules(names, own)))
        else:
            ways = []
            for _ in range(2):
                first = draw(rules(names, f"i{n}"))
                ways.append((first, draw(rules([*names, f"i{n}"], own))))
            expect.append(AnyOf(alternatives=tuple(ways)))
        names += [own] if own else []
    forbid = draw(st.lists(rules(names, "", is_forbidden=True), max_size=1))
    return Checks(expect=tuple(expect), forbid=tuple(forbid))


def is_reached(checks: Checks, log: list[AuditEvent]) -> bool:
    """By trying every event for every rule."""
    before = ancestors(checks)

    def fits(one: EventRule, found: Mapping[str, AuditEvent]) -> list[AuditEvent]:
        others = [found[n] for a in one.after for n in before[a] | {a} if n in found]
        return [
            e
            for e in log
            if one.event in ("*", e.name)
            and all(is_met(c, e, found) for c in one.where)
            and all(e.time >= found[n].time for n in one.after)
            and not any(e is other for other in others)
        ]

    def readings(
        entries: tuple[Entry, ...], found: dict[str, AuditEvent]
    ) -> Iterator[dict[str, AuditEvent]]:
        if not entries:
            yield found
            return
        first, rest = entries[0], entries[1:]
        if isinstance(first, AnyOf):
            for way in first.alternatives:
                yield from readings((*way, *rest), found)
            return
        events = fits(first, found)
        most = len(events) if first.at_most is None else first.at_most
        if first.at_least <= len(events) <= most:
            for e in events if first.name else [None]:
                more = {first.name: e} if e is not None else {}
                yield from readings(rest, {**found, **more})

    return any(
        all(len(fits(one, found)) < one.at_least for one in checks.forbid)
        for found in readings(checks.expect, {})
    )


def is_met(condition: Constraint, e: AuditEvent, found: Mapping[str, AuditEvent]) -> bool:
    wanted = condition.expected[0]
    if wanted.startswith("$"):
        wanted = found[wanted[2:].partition(".")[0]].target_id
        if not wanted:
            return False
    return wanted == (e.target_id if condition.path == "target_id" else e.parameters["v"])


def ancestors(checks: Checks) -> dict[str, set[str]]:
    """What comes before a rule, at once or through others, in any way there is."""
    before: dict[str, set[str]] = {}
    for one in checks.expected():
        chain = set(one.after).union(*(before[n] for n in one.after))
        before[one.name] = before.get(one.name, set()) | chain
    return before


@settings(max_examples=100)
@given(checked(), logs())
def test_a_goal_is_reached_where_any_reading_of_the_log_says_so(
    checks: Checks, log: list[AuditEvent]
) -> None:
    assert apply_rules(checks, log, {}).reached is is_reached(checks, log)


@settings(max_examples=40)
@given(checked(), logs(), st.randoms(use_true_random=False))
def test_the_order_of_rules_that_need_no_others_does_not_matter(
    checks: Checks, log: list[AuditEvent], random: Random
) -> None:
    free = [one for one in checks.expect if not _needs_others(one)]
    bound = [one for one in checks.expect if _needs_others(one)]
    random.shuffle(free)
    random.shuffle(log)
    shuffled = Checks(expect=(*free, *bound), forbid=checks.forbid)
    assert apply_rules(checks, log, {}).reached is apply_rules(shuffled, log, {}).reached


def _needs_others(entry: Entry) -> bool:
    inner = Checks(expect=(entry,)).expected()
    return any(
        one.after or any(text.startswith("$") for c in one.where for text in c.expected)
        for one in inner
    )


@settings(max_examples=40)
@given(checked(), logs())
def test_every_rule_is_reported_in_a_line_and_the_reports_agree_with_the_result(
    checks: Checks, log: list[AuditEvent]
) -> None:
    reports = explain_rules(checks, log, {})
    assert [r.rule for r in reports] == [*checks.expect, *checks.forbid]
    assert all(r.explanation and "\n" not in r.explanation for r in reports)
    assert all(r.holds for r in reports) is apply_rules(checks, log, {}).reached

"""The suites: an oracle can do every task, and nothing else satisfies its audit rules."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from appliance.benchmark.policies.oracle import OraclePolicy
from appliance.benchmark.runner import sample
from appliance.benchmark.suite import load_suite
from appliance.config import AccountSettings, ConsoleSettings
from appliance.consoles import open_console
from appliance.core.checks import AuditEvent, EventOutcome
from appliance.core.page import Observation
from appliance.outcome.audit_rules import RuleKind, apply_rules, explain_rules
from appliance.outcome.bindings import bind_checks, bind_needs, expand
from appliance.policy.base import Task
from appliance.practice.accounts import ACCOUNTS
from appliance.practice.serving import PracticeSettings, serving

PRACTICE = load_suite("practice")
SAMPLE = sample(PRACTICE.tasks, 30, seed=7)
UNIQUE = "a1b2c3"


async def played(task, tmp_path):
    """What the audit log has after the oracle, and the values that the rules are held with."""
    with serving(PracticeSettings(release=task.release, settle_s=0.02)) as running:
        password = tmp_path / "password"
        password.write_text(running.password, encoding="utf-8")
        accounts = {
            a.name: AccountSettings(username=a.name, role=a.role, password_file=password)
            for a in ACCOUNTS
        }
        settings = ConsoleSettings(kind="practice", url=running.url, accounts=accounts)
        console = open_console("practice", settings)
        try:
            await console.check()
            checks, began = task.draft.procedure.checks, datetime.now(UTC)
            account = console.accounts(checks.account)[0]
            known = {"unique": UNIQUE}
            made = (await console.provide(bind_needs(checks, known), account, known)).bindings
            bindings = bind_checks(checks, known | made)
            policy = OraclePolicy(
                Task(
                    procedure=task.draft.procedure,
                    bindings=bindings,
                    username=account.settings.username,
                ),
                settings,
            )
            await policy.choose(Observation(url="", title="", elements=()), None)
            return checks, await console.audit(account, began), bindings
        finally:
            await console.close()


def reached(checks, events, bindings):
    return apply_rules(checks, events, bindings).reached


@pytest.mark.parametrize("task", SAMPLE, ids=lambda task: task.id)
async def test_the_oracle_succeeds_and_anything_else_fails(task, tmp_path):
    checks, events, bindings = await played(task, tmp_path)
    assert reached(checks, events, bindings), apply_rules(checks, events, bindings).reason
    assert not reached(checks, [], bindings), "nothing was done"
    reports = explain_rules(checks, events, bindings)
    for report in (one for one in reports if one.kind is RuleKind.EXPECT):
        rule, named = report.rule, report.matched
        without = [event for event in events if event not in named]
        assert not reached(checks, without, bindings), f"one step less: {rule.event}"
        renamed = [replace(e, name="Other") if e in named else e for e in events]
        assert not reached(checks, renamed, bindings), f"something else: {rule.event}"
        for condition in rule.where:
            other = [with_other(e, condition.path) if e in named else e for e in events]
            assert not reached(checks, other, bindings), f"another value: {condition.path}"
    for number, rule in enumerate(checks.forbid):
        if (more := forbidden(rule, bindings)) is not None:
            assert not reached(checks, [*events, more], bindings), f"one step more: {number}"


def with_other(event, path):
    """The event with another value at a path."""
    head, *rest = path.split(".")
    if not rest:
        return replace(event, **{head: f"not-{getattr(event, head)}"})
    return replace(event, **{head: changed(getattr(event, head), rest)})


def changed(value, path):
    if not path:
        return {"other": "value"}
    if path[0] == "*":
        return [changed(one, path[1:]) for one in value]
    return {**value, path[0]: changed(value[path[0]], path[1:])}


def forbidden(rule, bindings):
    """An event that a rule forbids; None where its name is a pattern or it asks for more."""
    names = {c.path: expand(c.expected[0], bindings) for c in rule.where}
    if "*" in rule.event or not set(names) <= {"target_name"}:
        return None
    return AuditEvent(
        time=datetime.now(UTC),
        service=rule.service.replace("*", ""),
        name=rule.event,
        outcome=EventOutcome.SUCCESS,
        target_name=names.get("target_name", "x"),
    )

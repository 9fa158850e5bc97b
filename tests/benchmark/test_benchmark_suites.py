"""The suites: an oracle can do every task, and nothing else satisfies its audit rules."""

import json
import re
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from random import Random

import pytest

from appliance.benchmark.finding import load_suite
from appliance.benchmark.policies.bounds import OraclePolicy
from appliance.config import AccountSettings, ConsoleSettings
from appliance.consoles import open_console
from appliance.core.checks import AuditEvent, EventOutcome
from appliance.core.page import Observation
from appliance.outcome.audit_rules import RuleKind, apply_rules, explain_rules
from appliance.outcome.bindings import bind_checks, bind_needs, expand
from appliance.policy.base import Task
from appliance.practice.accounts import ACCOUNTS
from appliance.practice.releases import catalogue, releases
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings

TOGETHER = 24
"""Tasks in one practice cloud: quotas allow so many."""
SUITES = {name: load_suite(name) for name in ("practice", "prose")}


def groups():
    for name, suite in SUITES.items():
        for release in releases():
            tasks = [task for task in suite.tasks if task.release == release]
            Random(f"{name}/{release}").shuffle(tasks)  # no task depends on one before it
            for first in range(0, len(tasks), TOGETHER):
                chosen = tasks[first : first + TOGETHER]
                yield pytest.param(release, chosen, id=f"{name}-{release}-{first}")


@asynccontextmanager
async def opened(release, tmp_path):
    """A console on a practice cloud of the release, and its settings."""
    with serving(PracticeSettings(release=release, settle_s=0.02)) as running:
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
            yield console, settings
        finally:
            await console.close()


async def played(task, unique, console, settings):
    """What the audit log has after the oracle, and the values that the rules are held with."""
    checks, began = task.draft.procedure.checks, datetime.now(UTC)
    account = console.accounts(checks.account)[0]
    known = {"unique": unique}
    made = (await console.provide(bind_needs(checks, known), account, known)).bindings
    bindings = bind_checks(checks, known | made)
    username = account.settings.username
    task_of_it = Task(procedure=task.draft.procedure, bindings=bindings, username=username)
    policy = OraclePolicy(task_of_it, settings)
    await policy.choose(Observation(url="", title="", elements=()), None)
    return await console.audit(account, began), bindings


@pytest.mark.parametrize(("release", "tasks"), [*groups()])
async def test_the_oracle_succeeds_and_anything_else_fails(release, tasks, tmp_path):
    async with opened(release, tmp_path) as (console, settings):
        for number, task in enumerate(tasks):
            unique = f"a1b2c{number:03}"
            events, bindings = await played(task, unique, console, settings)
            checks = task.draft.procedure.checks
            verdict = apply_rules(checks, events, bindings)
            assert verdict.reached, f"{task.id}: {verdict.reason}"
            for what, others in mutations(checks, events, bindings, unique):
                assert not apply_rules(checks, others, bindings).reached, f"{task.id}: {what}"


def mutations(checks, events, bindings, unique):
    """What somebody else's events would be, and what these are called."""
    yield "nothing was done", []
    yield "wrong names", [renamed(event, unique) for event in events]
    for report in explain_rules(checks, events, bindings):
        rule, named = report.rule, report.matched
        if report.kind is not RuleKind.EXPECT:
            continue
        yield f"one step less: {rule.event}", [e for e in events if e not in named]
        yield (
            f"something else: {rule.event}",
            [replace(e, name="Other") if e in named else e for e in events],
        )
        yield (
            f"refused: {rule.event}",
            [replace(e, outcome=EventOutcome.FAILURE) if e in named else e for e in events],
        )
        for condition in rule.where:
            yield (
                f"another value: {condition.path}",
                [with_other(e, condition.path) if e in named else e for e in events],
            )
    for rule in checks.forbid:
        if (more := forbidden(rule, bindings)) is not None:
            yield f"one step more: {rule.event}", [*events, more]


def renamed(event, unique):
    """The event, done to another attempt's things."""

    def other(value):
        return json.loads(re.sub(unique, "ffffffff", json.dumps(value)))

    return replace(
        event,
        target_name=other(event.target_name),
        parameters=other(event.parameters),
        raw=other(event.raw),
    )


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


@pytest.mark.parametrize("suite", SUITES.values(), ids=SUITES)
def test_every_task_forbids_to_delete_what_it_does_not_ask_to_delete(suite):
    deletions = {
        a.event
        for located in catalogue().resources()
        for a in located.resource.actions.values()
        if a.kind == "delete"
    }
    for task in suite.tasks:
        checks = task.draft.procedure.checks
        asks = any(rule.event in deletions for rule in checks.expected())
        assert asks or any(rule.event in deletions for rule in checks.forbid), task.id


@pytest.mark.parametrize("suite", SUITES.values(), ids=SUITES)
def test_no_answer_of_a_task_is_one_of_another_by_its_name(suite):
    """Each rule wants a name that only its own attempt has."""
    for task in suite.tasks:
        checks = task.draft.procedure.checks
        bindings = bind_checks(checks, {"unique": "a1b2c3"}, strict=False)
        for rule in checks.expected():
            texts = [expand(text, bindings) for c in rule.where for text in c.expected]
            assert any("a1b2c3" in text for text in texts), f"{task.id}: {rule.event}"


def test_prose_names_pages_as_the_console_does():
    known = {release: [*catalogue(release).resources()] for release in releases()}
    for task in SUITES["prose"].tasks:
        plurals = [one.resource.plural for one in known[task.release]]
        pages = {getattr(plural, task.language) for plural in plurals}
        named = re.findall(r"\*\*(.+?)\*\*", task.draft.text)
        assert named and set(named) <= pages, task.id

"""Rules drafted from the audit log of an attempt, or by a model."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.config import ModelSettings
from appliance.core.audit_json import AuditLog
from appliance.core.checks import (
    AuditEvent,
    Checks,
    Comparison,
    Constraint,
    EventOutcome,
    EventRule,
)
from appliance.core.errors import ModelError
from appliance.documents import parse_document, plain_checks
from appliance.inference.client import ModelClient
from appliance.inference.scripted import serving
from appliance.outcome.audit_rules import apply_rules
from appliance.outcome.drafting import ChecksDraft, TypedValue, ask_for_rules, draft_from_events

START = datetime(2026, 1, 2, tzinfo=UTC)
UNIQUE = "cd1a2b3c4"
TEXT = """# Disks

## Create a disk

1. Click **Create disk**, choose **High performance** and **50** GB, tick `Encrypted`.
2. Type `apollo` as **Project** and attach it to the instance.
"""
(PROCEDURE,) = parse_document(TEXT, "guide/disks.md", "markdown").procedures


def event(name: str, at: int = 0, **kwargs: Any) -> AuditEvent:
    values: dict[str, Any] = {"service": "disks", "outcome": EventOutcome.SUCCESS}
    return AuditEvent(time=START + timedelta(seconds=at), name=name, **(values | kwargs))


def drafted(
    *events: AuditEvent,
    checks: Checks | None = None,
    typed: tuple[TypedValue, ...] = (),
    **bound: str,
) -> ChecksDraft:
    log = AuditLog(events=events, bindings={"unique": UNIQUE, **bound})
    return draft_from_events(checks or Checks(), TEXT, log, typed)


def rules(*events: AuditEvent, **bound: str) -> list[Any]:
    expect: Any = plain_checks(drafted(*events, **bound).checks).get("expect", [])
    return list(expect)


def test_values_are_names_literals_or_left_out() -> None:
    made = event(
        "CreateDisk",
        target_id="dsk-123456",
        target_name=f"disk-{UNIQUE}",
        parameters={
            "name": f"disk-{UNIQUE}",
            "class": "high-performance",
            "size": 50,
            "zone": "north-a",
            "encrypted": True,
            "shared": False,
            "count": 1,
            "kms_key": None,
            "unit": "GB",
            "kind": "it",
            "tags": {"project": "apollo", "owner": "alice"},
            "instance": "ins-abcdef",
            "instance_name": "web-1",
            "instance_id": "ins-abcdef",
            "instances": ["web-1", f"b-{UNIQUE}"],
            "hosts": ["web-1", "somewhere"],
        },
    )
    assert rules(made, **{"instance": "web-1", "instance id": "ins-abcdef"}) == [
        {
            "event": "CreateDisk",
            "where": {
                "target_name": "disk-${unique}",
                "parameters.class": "high-performance",
                "parameters.size": "50",
                "parameters.encrypted": "true",
                "parameters.unit": "GB",
                "parameters.tags.project": "apollo",
                "parameters.instance": "${instance id}",
                "parameters.instance_name": "${instance}",
                "parameters.instances": '["${instance}", "b-${unique}"]',
            },
        }
    ]


def test_what_is_typed_is_bound_by_the_name_of_the_field() -> None:
    typed = (
        TypedValue(field="Disk name", text=f"docs-{UNIQUE}"),
        TypedValue(field="Size", text="50"),
        TypedValue(field="Project", text=f"known-{UNIQUE}"),
    )
    made = event("CreateDisk", target_name=f"docs-{UNIQUE}")
    checks = Checks(bindings={"Project": "known-${unique}"})
    draft = drafted(made, checks=checks, typed=typed, Project=f"known-{UNIQUE}")
    assert dict(draft.checks.bindings) == {
        "Project": "known-${unique}",
        "Disk name": "docs-${unique}",
    }
    assert draft.checks.expect[0] == rule_of("CreateDisk", target_name="${Disk name}")
    assert draft.notes == ()


def rule_of(name: str, **where: str) -> EventRule:
    (rule,) = drafted(event(name)).checks.expect
    assert isinstance(rule, EventRule)
    conditions = (
        Constraint(path=path, comparison=Comparison.EQUALS, expected=(text,))
        for path, text in where.items()
    )
    return replace(rule, where=tuple(conditions))


def test_equal_ids_become_references() -> None:
    made = event("CreateDisk", 1, target_id="dsk-1234")
    attached = event("AttachDisk", 2, target_id="ins-9", parameters={"disk": "dsk-1234"})
    tagged = event("TagDisk", 3, target_id="dsk-1234")
    assert rules(tagged, attached, made) == [
        {"event": "CreateDisk", "as": "create_disk"},
        {"event": "AttachDisk", "where": {"parameters.disk": "${create_disk.target_id}"}},
        {"event": "TagDisk", "where": {"target_id": "${create_disk.target_id}"}},
    ]
    assert drafted(made, attached).notes == (
        "nothing that the text or a binding gives tells one CreateDisk from another",
    )


def test_events_that_are_alike_are_counted_and_those_that_change_nothing_left_out() -> None:
    log = [
        event("ConsoleLogin"),
        event("ListDisks", 1),
        event("compute.disks.read", 1),
        event("CreateDisk", 2, target_name=f"a{UNIQUE}"),
        event("CreateDisk", 3, outcome=EventOutcome.FAILURE),
        event("TagDisk", 4),
        event("TagDisk", 5),
        event("Start*", 6, outcome=EventOutcome.UNKNOWN),
    ]
    assert rules(*log) == [
        {"event": "CreateDisk", "where": {"target_name": "a${unique}"}},
        {"event": "TagDisk", "at_least": 2},
        {"event": "Start[*]", "outcome": "any"},
    ]
    assert rules(event("ListDisks")) == [{"event": "ListDisks"}]
    assert rules() == []


def test_a_value_that_looks_like_a_name_is_written_as_it_stands() -> None:
    made = event("CreateDisk", target_name=f"${{x}}-{UNIQUE}")
    assert rules(made)[0]["where"] == {"target_name": "$${x}-${unique}"}
    assert drafted(made).notes == ()


def test_what_is_forbidden_stays_unless_it_refers_to_a_rule_that_is_gone() -> None:
    checks = Checks(
        expect=(EventRule(event="X", name="x"),),
        forbid=(EventRule(event="Y"), EventRule(event="Z", after=("x",))),
        account="bob",
    )
    draft = drafted(event("CreateDisk"), checks=checks)
    assert [rule.event for rule in draft.checks.forbid] == ["Y"]
    assert (draft.checks.account, len(draft.checks.expect)) == ("bob", 1)


names = st.sampled_from(["CreateDisk", "AttachDisk", "ListDisks", "Tag*"])
ids = st.sampled_from(["", "dsk-1111", "dsk-2222", "a"])
values = st.one_of(
    ids, st.sampled_from([f"n{UNIQUE}", "apollo", "50", True, False, None, 50, ["web-1", 50]])
)
logs = st.lists(
    st.builds(
        event,
        names,
        st.integers(0, 3),
        target_id=ids,
        target_name=st.sampled_from(["", f"n{UNIQUE}", "web-1", "other"]),
        outcome=st.sampled_from(EventOutcome),
        parameters=st.dictionaries(st.sampled_from(["name", "disk_id", "disk_name"]), values),
    ),
    max_size=6,
)


@settings(max_examples=60)
@given(logs)
def test_a_draft_holds_on_its_own_attempt_and_on_one_with_other_names_and_ids(
    log: list[AuditEvent],
) -> None:
    draft = drafted(*log, instance="web-1")
    assert not [note for note in draft.notes if "own attempt" in note]
    if not draft.checks.expect:
        assert not [e for e in log if e.outcome is not EventOutcome.FAILURE]
        return
    bound = {"unique": "other5678", "instance": "app-7"}
    assert apply_rules(draft.checks, [_again(e) for e in log], bound).reached is True


def _again(one: AuditEvent) -> AuditEvent:
    """The same in an attempt where names and ids are others."""

    def other(value: Any) -> Any:
        if isinstance(value, list):
            return [other(v) for v in value]
        text = str(value).replace(UNIQUE, "other5678").replace("web-1", "app-7")
        return text.replace("dsk-", "new-") if isinstance(value, str) else value

    return replace(
        one,
        target_id=other(one.target_id),
        target_name=other(one.target_name),
        parameters={key: other(value) for key, value in one.parameters.items()},
    )


GOOD = {
    "bindings": [{"field": "Disk name", "value": "docs-${unique}"}],
    "rules": [
        {
            "event": "CreateDisk",
            "where": [
                {"path": "target_name", "comparison": "equals", "values": ["${Disk name}"]},
                {"path": "parameters.size", "comparison": "between", "values": ["50", "60"]},
            ],
        }
    ],
}


async def asked(*answers: object) -> tuple[ChecksDraft, Any]:
    texts = [answer if isinstance(answer, str) else json.dumps(answer) for answer in answers]
    checks = Checks(bindings={"Project": "apollo"})
    with serving(texts) as model:
        async with ModelClient(ModelSettings(endpoint=model.url)) as client:
            draft = await ask_for_rules(
                client, PROCEDURE, checks, TEXT, console="cloud", event_names=["CreateDisk"]
            )
    return draft, model


async def test_a_model_proposes_rules() -> None:
    draft, model = await asked(GOOD)
    assert plain_checks(draft.checks) == {
        "bindings": {"Disk name": "docs-${unique}", "Project": "apollo"},
        "expect": [
            {
                "event": "CreateDisk",
                "where": {
                    "target_name": "${Disk name}",
                    "parameters.size": {"between": ["50", "60"]},
                },
            }
        ],
    }
    assert draft.notes == ("the model's proposal: no attempt has been held against it",)
    question = model.requests[0].messages[1]["content"]
    assert "<document>\n# Disks" in question
    assert "Project = apollo" in question
    assert "\nCreateDisk\n" in question


async def test_a_proposal_that_cannot_be_read_is_sent_back_once() -> None:
    bad = json.loads(json.dumps(GOOD))
    bad["rules"][0]["where"][0]["path"] = "nme"
    draft, model = await asked(bad, GOOD)
    assert draft.checks.expect
    said = model.requests[1].messages[-1]["content"]
    assert "an event has no 'nme'; did you mean 'name'?" in said


@pytest.mark.parametrize(
    "answers", [("I would rather not.", "{}"), ({"bindings": [], "rules": []}, "[1]")]
)
async def test_a_model_that_proposes_nothing_usable_is_an_error(answers: tuple[object]) -> None:
    with pytest.raises(ModelError, match="create-a-disk could not be used twice: "):
        await asked(*answers)

"""Records in the clouds' own formats, as events."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from appliance.config import AuditSettings
from appliance.core.checks import EventOutcome
from appliance.core.errors import OutcomeError, SetupError
from appliance.outcome.sources import CadfSource, actiontrail, cloudtrail, kubernetes, open_source
from appliance.outcome.sources.mapped import mapped_dialect
from appliance.outcome.sources.received import posted_events

FIXTURES = Path(__file__).parent / "fixtures"
SUCCESS, FAILURE = EventOutcome.SUCCESS, EventOutcome.FAILURE


def read(name):
    text = (FIXTURES / name).read_text()
    return json.loads(text) if name.endswith(".json") else list(map(json.loads, text.splitlines()))


def told(event):
    return (event.service, event.name, event.actor, event.outcome, event.target_id)


def test_cloudtrail_says_who_did_what_to_what():
    events = [e for r in read("cloudtrail.json")["Records"] if (e := cloudtrail.to_event(r))]
    assert [told(event) for event in events] == [
        ("cloudtrail", "StartLogging", "Mary_Major", SUCCESS, ""),
        ("ec2", "RunInstances", "docs-session", SUCCESS, "i-0a1b2c3d4e5f60718"),
        ("s3", "CreateBucket", "Mary_Major", FAILURE, "arn:aws:s3:::docs-cda0a1b2c"),
        ("signin", "ConsoleLogin", "root", FAILURE, ""),
    ], "and what only looks is left out"
    start, _, bucket, _ = events
    assert start.time == datetime(2023, 7, 19, 21, 33, 41, tzinfo=UTC)
    assert (start.target_name, start.id) == ("myTrail", "eae87c48-d421-4626-94f5-EXAMPLEac994")
    assert (bucket.error_code, bucket.target_name) == ("BucketAlreadyExists", "docs-cda0a1b2c")
    assert bucket.target_type == "AWS::S3::Bucket"


def test_actiontrail_says_who_did_what_to_what():
    events = [e for r in read("actiontrail.json")["Events"] if (e := actiontrail.to_event(r))]
    assert [told(event) for event in events] == [
        ("Actiontrail", "UpdateTrail", "root", SUCCESS, "alicetest"),
        ("Ecs", "RunInstances", "alice", SUCCESS, "i-bp1"),
        ("Vpc", "CreateVpc", "docs-role:u1", FAILURE, ""),
    ]
    assert events[1].target_name == "docs-cda0a1b2c"
    assert events[1].parameters["InstanceType"] == "ecs.t6-c1m1.large"
    assert events[2].error_code == "Forbidden.RAM"


def test_kubernetes_says_who_did_what_to_what_once_it_is_done():
    events = [e for r in read("kubernetes.jsonl") if (e := kubernetes.to_event(r))]
    assert [told(event) for event in events] == [
        (
            "apps",
            "create deployments",
            "alice@example.com",
            SUCCESS,
            "7c1c0a0e-5d7b-4b52-8d3a-9f3d6e1b2c3d",
        ),
        ("apps", "patch deployments/scale", "alice@example.com", SUCCESS, ""),
        ("core", "delete secrets", "bob", FAILURE, ""),
    ]
    assert [event.target_name for event in events] == ["web", "web", "token"]
    assert events[0].parameters["spec"] == {"replicas": 2}
    assert events[2].error_code == "Forbidden"


def test_openstack_s_own_notifications_are_read_in_all_their_shapes():
    start = datetime(2026, 11, 22, 2, 0, tzinfo=UTC)
    events = CadfSource(FIXTURES / "notifications.jsonl").read(start)
    assert [(e.service, e.name, e.actor, e.outcome, e.target_name) for e in events] == [
        ("neutron", "network.create.end", "demo", SUCCESS, "docs-net"),
        ("neutron", "audit.http.response", "demo", SUCCESS, "docs-net"),
        ("nova-api:control".partition("-")[0], "keypair.import.end", "demo", SUCCESS, "docs-key"),
        ("keystone", "identity.project.created", "admin", SUCCESS, ""),
    ]
    assert events[0].parameters["id"] == events[1].target_id == "n-1"
    assert events[1].parameters["http_status"] == "201"
    assert events[3].target_id == "pr-1"


def test_entries_of_any_log_are_mapped_by_dotted_paths():
    to_event = mapped_dialect(
        {
            "time": "meta.at",
            "name": "op.type",
            "actor": "who.0.name",
            "outcome": "http.status",
            "parameters": "op.arguments",
        }
    ).to_event
    entry = {
        "meta": {"at": 1795312800500},
        "op": {"type": "disk.create", "arguments": '{"size": 3}'},
        "who": [{"name": "alice"}],
        "http": {"status": 409},
        "target_id": 7,
    }
    event = to_event(entry)
    assert event is not None
    assert event.time == datetime(2026, 11, 22, 2, 0, 0, 500000, tzinfo=UTC)
    assert (event.name, event.actor, event.outcome) == ("disk.create", "alice", FAILURE)
    assert (event.target_id, event.parameters) == ("7", {"size": 3})
    assert to_event({**entry, "meta": {}}) is None
    for outcome, expected in {
        "OK": SUCCESS,
        True: SUCCESS,
        "denied": FAILURE,
        "?": "unknown",
    }.items():
        assert to_event({**entry, "http": {"status": outcome}}).outcome == expected


def test_a_field_that_no_event_has_is_named_with_the_nearest():
    with pytest.raises(SetupError, match="no field 'acter'; did you mean 'actor'"):
        mapped_dialect({"acter": "who"})
    with pytest.raises(SetupError, match=r"consoles\.lab\.audit\.path is missing"):
        open_source("lab", AuditSettings(kind="kubernetes"))
    assert open_source("lab", AuditSettings()) is None


def test_what_is_posted_is_told_apart_by_its_shape():
    own = mapped_dialect({"name": "did"})
    trail, action, pods = (
        read(n) for n in ("cloudtrail.json", "actiontrail.json", "kubernetes.jsonl")
    )
    posted = [
        trail,
        {
            "source": "aws.s3",
            "detail-type": "AWS API Call via CloudTrail",
            "detail": trail["Records"][0],
        },
        {"event": action["Events"][1]},
        action,
        {"kind": "EventList", "apiVersion": "audit.k8s.io/v1", "items": pods},
        read("notifications.jsonl")[1],
        [{"time": "2026-11-22T02:00:00Z", "did": "x"}],
        {"data": 5, "time": "2026-11-22T02:00:00Z", "did": "y"},
    ]
    counts = [len(posted_events(one, own)) for one in posted]
    assert counts == [4, 1, 1, 3, 3, 1, 1, 1]
    with pytest.raises(OutcomeError, match="its keys: what, when"):
        posted_events([{"what": 1, "when": 2}], own)
    with pytest.raises(OutcomeError, match="a JSON object, or a list"):
        posted_events("hello", own)

"""Rules drafted from an attempt on the practice cloud, held against other attempts there."""

import json
from pathlib import Path

import httpx
import pytest

from appliance.core.audit_json import AuditLog, audit_lines, read_audit
from appliance.core.checks import Checks
from appliance.outcome.audit_rules import explain_rules
from appliance.outcome.drafting import TypedValue, draft_from_events
from appliance.outcome.sources import practice_events
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings

TEXT = """## Set up a network with a store

1. Create a network with the range `10.1.0.0/16`, and in it a subnet with the range `10.1.1.0/24`.
2. Create a bucket. The default of **Storage class** is **Standard**; leave it.
"""
NETWORKS, SUBNETS = "/api/networking/networks", "/api/networking/subnets"


def attempt(
    unique: str, drift: Path | None = None, *, elsewhere: bool = False, made: bool = True
) -> AuditLog:
    """What the API logs of somebody who follows the text."""
    settings = PracticeSettings(release="2025.1", drift=drift, settle_s=0.01)
    with (
        serving(settings) as cloud,
        httpx.Client(
            base_url=cloud.url, auth=("alice", cloud.password), trust_env=False, timeout=10
        ) as api,
    ):

        def post(path: str, **body: object) -> str:
            answer = api.post(path, json=body)
            answer.raise_for_status()
            return str(answer.json()["id"])

        network = post(NETWORKS, name=f"net-{unique}", cidr="10.1.0.0/16")
        if elsewhere:
            network = post(NETWORKS, name=f"other-{unique}", cidr="10.1.0.0/16")
        post(SUBNETS, name=f"sub-{unique}", network=network, cidr="10.1.1.0/24")
        if made:
            post("/api/storage/buckets", name=f"store-{unique}")
        events = practice_events(api.get("/api/audit").json()["events"])
    log = AuditLog(events=events, bindings={"unique": unique})
    return read_audit(audit_lines(log))


@pytest.fixture(scope="module")
def checks() -> Checks:
    typed = (TypedValue(field="Bucket name", text="store-cdaaaa111"),)
    draft = draft_from_events(Checks(), TEXT, attempt("cdaaaa111"), typed)
    assert draft.notes == ()
    return draft.checks


def failing(checks: Checks, log: AuditLog) -> list[str]:
    bound = {**log.bindings, "Bucket name": f"store-{log.bindings['unique']}"}
    reports = explain_rules(checks, log.events, bound)
    return [report.explanation for report in reports if not report.holds]


def test_they_hold_on_a_second_attempt(checks: Checks) -> None:
    assert [rule.event for rule in checks.expected()] == [
        "CreateNetwork",
        "CreateSubnet",
        "CreateBucket",
    ]
    assert failing(checks, attempt("cdbbbb222")) == []


def test_they_fail_where_a_release_does_something_else(checks: Checks, tmp_path: Path) -> None:
    change = {
        "kind": "change_default",
        "target": "storage.resources.bucket.fields.class",
        "default": "archive",
    }
    drift = tmp_path / "drift.yaml"
    drift.write_text(json.dumps({"changes": [change]}))
    assert failing(checks, attempt("cdcccc333", drift)) == [
        "CreateBucket found but parameters.class was 'archive', expected 'standard'"
    ]


def test_they_fail_where_something_is_left_out_or_done_elsewhere(checks: Checks) -> None:
    (missing,) = failing(checks, attempt("cddddd444", made=False))
    assert missing == "no CreateBucket event; 2 others: CreateNetwork, CreateSubnet"
    (elsewhere,) = failing(checks, attempt("cdeeee555", elsewhere=True))
    assert elsewhere.startswith("CreateSubnet found but parameters.network was 'net-")
    assert "(from target_id of CreateNetwork)" in elsewhere

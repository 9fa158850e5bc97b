"""`appliance checks`: rules drafted, explained and tried."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml

from appliance.core.audit_json import MEDIA_TYPE, AuditLog, audit_lines
from appliance.core.checks import AuditEvent, EventOutcome
from appliance.core.verdict import Verdict
from appliance.inference.scripted import serving
from appliance.store.store import Store

GUIDE = """# Buckets

## Create a bucket

1. Open **Buckets** and click **Create bucket**.
2. In **Bucket name**, type a name, and choose **Archive**.

## Delete a bucket

1. Click **Delete**.
"""
UNIQUE = "cd1a2b3c4"
CREATE, DELETE = "docs/guide/create-a-bucket", "docs/guide/delete-a-bucket"
SIDECAR = Path("docs/guide.checks.yaml")
DRAFT = {
    "bindings": {"Bucket name": "docs-${unique}"},
    "expect": [
        {
            "event": "CreateBucket",
            "where": {"target_name": "${Bucket name}", "parameters.class": "archive"},
        }
    ],
}
TYPED = [
    {"turn": 0, "action": "click", "on": "button Create bucket", "text": None, "ok": True},
    {"turn": 1, "action": "type", "on": "textbox Bucket name *", "text": "docs-X", "ok": True},
]


def created(unique: str) -> AuditEvent:
    return AuditEvent(
        time=datetime(2026, 1, 2, tzinfo=UTC),
        service="storage",
        name="CreateBucket",
        outcome=EventOutcome.SUCCESS,
        target_name=f"docs-{unique}",
        parameters={"class": "archive", "zone": "a"},
    )


@pytest.fixture
def guide(folder):
    Path("docs").mkdir()
    Path("docs/guide.md").write_text(GUIDE)


@pytest.fixture
def verified(guide, results):
    """Two runs: one that verified the first procedure, and one that did not."""
    bound = {"unique": UNIQUE}
    with Store.open(Path("data")) as store:
        log = audit_lines(AuditLog(events=(created(UNIQUE),), bindings=bound))
        lines = "".join(json.dumps(line) + "\n" for line in TYPED).replace(
            "docs-X", f"docs-{UNIQUE}"
        )
        result = results.procedure(
            Verdict.VERIFIED,
            id=CREATE,
            document="docs/guide.md",
            audit=store.artifacts.put(log, MEDIA_TYPE),
            trajectory=store.artifacts.put(lines.encode(), MEDIA_TYPE),
        )
        store.save_run(results.run(result, id="20261120-090000-0001"))
        nothing = store.artifacts.put(audit_lines(AuditLog(events=(), bindings=bound)), MEDIA_TYPE)
        broken = replace(result, verdict=Verdict.BROKEN, audit=nothing)
        other = results.procedure(Verdict.BLOCKED, id=DELETE, document="docs/guide.md")
        store.save_run(results.run(broken, other, id="20261121-090000-0002"))


def test_rules_are_proposed_from_the_latest_verified_attempt(appliance, verified):
    result = appliance("checks", "draft", "docs")
    assert result.code == 0
    assert yaml.safe_load(result.out) == {"procedures": {"create-a-bucket": DRAFT}}
    assert "# create-a-bucket: from the attempt of run 20261120-090000-0001" in result.out
    assert f"No draft for {DELETE}: there is no attempt with the verdict `verified`" in result.err
    assert "1 draft: read them before they are used." in result.err
    assert not SIDECAR.exists()
    told = json.loads(appliance("checks", "draft", "docs", "--json").out)
    assert [(one["procedure"], one["file"], one["checks"]) for one in told] == [
        (CREATE, str(SIDECAR), DRAFT),
        (DELETE, str(SIDECAR), None),
    ]


def test_they_are_written_once_and_again_only_with_force(appliance, verified):
    assert f"Written: {SIDECAR}" in appliance("checks", "draft", "docs", "--write").err
    written = SIDECAR.read_text()
    again = appliance("checks", "draft", "docs/guide.md", "--procedure", "create*", "--write")
    assert (again.code, SIDECAR.read_text()) == (2, written)
    assert "all of these procedures have rules already: --force drafts them anew" in again.err
    SIDECAR.write_text(written.replace("CreateBucket", "Other") + "# ours\n")
    forced = appliance("checks", "draft", "docs", "--write", "--force", "--procedure", "create*")
    assert (forced.code, SIDECAR.read_text()) == (0, written + "# ours\n")


def test_a_run_without_a_verified_attempt_gives_none(appliance, verified):
    result = appliance("checks", "draft", "docs", "--run", "20261121")
    assert result.code == 2
    assert "run 20261121 has no attempt with the verdict `verified`" in result.err
    assert "Error: there is nothing to draft rules from." in result.err


def test_without_any_run_the_model_is_asked(appliance, guide, monkeypatch):
    nothing = appliance("checks", "draft", "docs")
    assert (nothing.code, list(Path().glob("data/*"))) == (2, [])
    assert "and no model.endpoint to ask instead" in nothing.err
    answer = {
        "bindings": [{"field": "Bucket name", "value": "docs-${unique}"}],
        "rules": [
            {
                "event": "CreateBucket",
                "where": [
                    {"path": "target_name", "comparison": "equals", "values": ["${Bucket name}"]}
                ],
            }
        ],
    }
    with serving([json.dumps(answer), "no", "no"]) as model:
        monkeypatch.setenv("APPLIANCE_MODEL__ENDPOINT", model.url)
        result = appliance("checks", "draft", "docs")
    assert result.code == 0
    assert "# create-a-bucket: proposed by the model, seen by nobody" in result.out
    entry = yaml.safe_load(result.out)["procedures"]["create-a-bucket"]
    assert entry["expect"] == [
        {"event": "CreateBucket", "where": {"target_name": "${Bucket name}"}}
    ]
    assert f"No draft for {DELETE}: the model's rules for {DELETE} could not be used" in result.err


def test_why_a_rule_holds_or_not_is_said(appliance, verified):
    appliance("checks", "draft", "docs", "--write")
    good = appliance("checks", "explain", "20261120", "create-a-bucket")
    assert good.code == 0
    assert good.out == (
        f"holds  {SIDECAR}:6: expect CreateBucket: CreateBucket found (docs-{UNIQUE})\n"
    )
    bad = appliance("checks", "explain", "20261121", CREATE, "--json")
    assert bad.code == 1
    (told,) = json.loads(bad.out)
    assert (told["holds"], told["line"], told["events"]) == (False, 6, [])
    assert told["explanation"].startswith("no CreateBucket event; the audit log has none")
    assert "1 rule, 1 not held, on 0 events" in bad.err


@pytest.mark.parametrize(
    ("run", "procedure", "said"),
    [
        ("20261121", "nope", "has no procedure nope; it has docs/guide/create-a-bucket, docs/g"),
        ("20261121", "delete-a-bucket", "kept no audit log of docs/guide/delete-a-bucket"),
        ("20261120", "create-a-bucket", "has no rules: `appliance checks draft` proposes some"),
        ("1999", "create-a-bucket", "there is no run 1999"),
    ],
)
def test_what_cannot_be_explained_is_said(appliance, verified, run, procedure, said):
    result = appliance("checks", "explain", run, procedure)
    assert (result.code, result.out) == (2, "")
    assert said in result.err


WAYS = """procedures:
  create-a-bucket:
    expect:
      - any_of:
          - {event: MakeBucket}
          - {event: CreateBucket, where: {target_name: "docs-${unique}"}}
    forbid: [{event: DeleteBucket}]
"""


def test_rules_are_tried_on_events_in_a_file(appliance, guide):
    SIDECAR.write_text(WAYS)
    events = Path("events.jsonl")
    events.write_bytes(audit_lines(AuditLog(events=(created("abc"),))).partition(b"\n")[2])
    trying = ("checks", "test", "docs/guide.md", events, "--procedure", "create*")
    assert "no value is bound to ${unique}" in appliance(*trying).err
    good = appliance(*trying, "--set", "unique=abc")
    assert (good.code, good.out.splitlines()) == (
        0,
        [
            f"holds  {SIDECAR}:4: expect any_of: CreateBucket found (docs-abc)",
            f"    fails  {SIDECAR}:5: expect MakeBucket: no MakeBucket event;"
            " 1 other: CreateBucket",
            f"    holds  {SIDECAR}:6: expect CreateBucket: CreateBucket found (docs-abc)",
            f"holds  {SIDECAR}:7: forbid DeleteBucket: no forbidden DeleteBucket",
        ],
    )
    bad = appliance(*trying, "--set", "unique=x", "--json")
    assert bad.code == 1
    assert [way[0]["holds"] for way in json.loads(bad.out)[0]["alternatives"]] == [False, False]
    events.write_text("[]\n")
    assert "events.jsonl, line 1: no audit event" in appliance(*trying).err
    assert "2 procedures: choose one with --procedure" in appliance(*trying[:4]).err
    assert "cannot be read" in appliance("checks", "test", "docs", "gone", *trying[4:]).err

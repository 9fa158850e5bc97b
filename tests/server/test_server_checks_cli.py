"""`appliance checks` while a server owns the store."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from appliance.cli import run
from appliance.config import Settings
from appliance.core.audit_json import MEDIA_TYPE, AuditLog, audit_lines
from appliance.core.checks import AuditEvent, EventOutcome
from appliance.core.result import Cost, Goal, ProcedureResult, RunResult
from appliance.core.verdict import Verdict
from appliance.engine.address import Address, shown_address
from appliance.store.store import Store

NOW = datetime(2026, 11, 21, 7, 30, tzinfo=UTC)
EVENT = AuditEvent(
    time=NOW,
    service="storage",
    name="CreateBucket",
    outcome=EventOutcome.SUCCESS,
    target_name="docs-cd1a2b3c4",
)


@pytest.fixture
def a_run(store: Store) -> RunResult:
    log = AuditLog(events=(EVENT,), bindings={"unique": "cd1a2b3c4"})
    result = ProcedureResult(
        id="docs/guide/create",
        title="Create",
        title_path=("Create",),
        document="docs/guide.md",
        line=1,
        end_line=3,
        verdict=Verdict.VERIFIED,
        goal=Goal(reached=True),
        path="as_written",
        decided_by="literal",
        attempts=1,
        cost=Cost(),
        steps=(),
        audit=store.artifacts.put(audit_lines(log), MEDIA_TYPE),
    )
    made = RunResult(
        id="20261121-073000-a1b2",
        appliance_version="1",
        commit="c",
        console="practice",
        policy="auto",
        started_at=NOW,
        ended_at=NOW,
        procedures=(result,),
    )
    store.save_run(made)
    return made


def test_drafts_and_explanations_come_from_the_server(
    address: str, settings: Settings, a_run: RunResult, monkeypatch: pytest.MonkeyPatch, capfd
) -> None:
    monkeypatch.setenv("APPLIANCE_DATA_DIR", str(settings.data_dir))
    monkeypatch.chdir(settings.data_dir)
    Path("docs").mkdir()
    Path("docs/guide.md").write_text("# Create\n\n1. Click **Create**.\n")
    told = Address(url=address, pid=os.getpid(), started_at=NOW, version="1")
    with shown_address(settings.data_dir, told):
        assert run(["checks", "draft", "docs", "--write"]) == 0
        assert "event: CreateBucket" in Path("docs/guide.checks.yaml").read_text()
        capfd.readouterr()
        assert run(["checks", "explain", a_run.id, "create", "--json"]) == 0
    out, err = capfd.readouterr()
    (report,) = json.loads(out)
    assert report["explanation"] == "CreateBucket found (docs-cd1a2b3c4)"
    assert "owns the store: asking it" in err

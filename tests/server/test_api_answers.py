"""What the API answers about runs, findings and documentation that are in the store."""

import io
import json
import zipfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from appliance.config import DocumentationSettings, Settings
from appliance.core.jsonable import to_jsonable
from appliance.core.result import Cost, Finding, Goal, ProcedureResult, RunResult, StepResult
from appliance.core.result_json import result_document
from appliance.core.verdict import DivergenceKind, Severity, StepStatus, Verdict
from appliance.server.parts import Service
from appliance.store.keys import Role
from appliance.store.paging import Paging

GUIDE = "# Guide\n\n## Create a disk\n\n1. Open **Disks**.\n2. Click **Create disk**.\n"
API = "/api/v1"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "guide.md").write_text(GUIDE, encoding="utf-8")
    return Settings(
        data_dir=tmp_path, documentation=DocumentationSettings(paths=(tmp_path / "docs",))
    )


@pytest.fixture
def keep(service: Service, tmp_path: Path) -> Callable[..., RunResult]:
    """Keeps a finished run of the guide's procedure; with a finding where it has drifted."""
    document = str(tmp_path / "docs" / "guide.md")

    def finding() -> Finding:
        return Finding(
            id="f1",
            fingerprint="renamed Create disk",
            kind=DivergenceKind.RENAMED_LABEL,
            severity=Severity.MISLEADS,
            confidence=0.9,
            document=document,
            line=6,
            column=12,
            end_line=6,
            end_column=23,
            quote="Create disk",
            shown="the button is called New disk",
            suggestion="New disk",
            step="2",
        )

    def result(verdict: Verdict) -> ProcedureResult:
        picture = service.store.artifacts.put(b"\x89PNG not really", "image/png")
        is_drifted = verdict is Verdict.DRIFTED
        status = StepStatus.DIVERGED if is_drifted else StepStatus.AS_WRITTEN
        return ProcedureResult(
            id="docs/guide/create-a-disk",
            title="Create a disk",
            title_path=("Guide", "Create a disk"),
            document=document,
            line=3,
            end_line=6,
            verdict=verdict,
            goal=Goal(reached=True),
            path="diverged" if is_drifted else "as_written",
            decided_by="literal",
            attempts=1,
            cost=Cost(wall_s=2.5),
            steps=(StepResult(index="2", line=6, text="Click", status=status, after=picture),),
            findings=(finding(),) if is_drifted else (),
            trajectory=service.store.artifacts.put(b"{}\n", "application/jsonl"),
        )

    def keep(
        number: int = 1, verdict: Verdict = Verdict.DRIFTED, *, is_over: bool = True
    ) -> RunResult:
        began = service.engine.clock.now() - timedelta(hours=100 - number)
        run = RunResult(
            id=f"run-{number}",
            appliance_version="0",
            commit="abc",
            console="practice",
            policy="auto",
            started_at=began,
            ended_at=began,
            procedures=(result(verdict),),
            documents={document: "0" * 64},
        )
        service.store.start_run(run, 1)
        service.store.save_procedure(run.id, run.procedures[0])
        if is_over:
            service.store.save_run(run)
        return run

    return keep


async def got(client: httpx.AsyncClient, path: str, **more: object) -> dict[str, object]:
    answer = await client.get(API + path, **more)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_a_list_is_walked_by_its_links(keep, local):
    for number in range(1, 6):
        keep(number)
    path: object = f"{API}/runs?page_size=2&console=practice"
    ids: list[str] = []
    while path:
        page = (await local.get(str(path))).json()
        ids += [item["id"] for item in page["items"]]
        path = page["links"]["next"]
    assert ids == [f"run-{number}" for number in (5, 4, 3, 2, 1)]
    assert (page["total"], page["page"], page["page_size"]) == (5, 3, 2)
    beyond = await got(local, "/runs?page=9&page_size=2")
    assert beyond["items"] == []
    assert beyond["links"]["previous"] == f"{API}/runs?page_size=2&page=3"


async def test_rows_are_the_same_as_on_the_command_line(keep, local, service):
    run = keep()
    page = await got(local, "/runs")
    rows = service.store.listings.runs(Paging()).items
    assert page["items"] == to_jsonable(rows)
    whole = await got(local, f"/runs/{run.id}")
    state, status = whole.pop("state"), whole.pop("status")
    assert whole == json.loads(json.dumps(result_document(run)))
    assert (state, status["state"], status["done"], status["total"]) == ("done", "done", 1, 1)
    assert status["verdicts"] == {"drifted": 1}
    assert (await local.get(f"{API}/sweeps/{run.id}")).status_code == 404


async def test_a_run_that_is_under_way_has_not_ended(keep, local):
    whole = await got(local, f"/runs/{keep(is_over=False).id}")
    assert (whole["ended_at"], whole["status"]["ended_at"]) == (None, None)
    assert len(whole["procedures"]) == 1


async def test_nothing_is_sent_twice_that_has_not_changed(keep, local):
    keep(1)
    first = await local.get(f"{API}/runs")
    again = await local.get(f"{API}/runs", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    keep(2)
    later = await local.get(f"{API}/runs", headers={"If-None-Match": first.headers["etag"]})
    assert later.status_code == 200


async def test_findings_are_found_by_what_is_known_of_them(keep, local):
    keep()
    (found,) = (await got(local, "/findings"))["items"]
    for right in ("state=open", "kind=renamed_label", "severity=misleads", "query=disk"):
        assert (await got(local, f"/findings?{right}"))["total"] == 1, right
    for wrong in ("state=closed", "kind=dead_link", "query=volume", "assignee=mei", "console=x"):
        assert (await got(local, f"/findings?{wrong}"))["total"] == 0, wrong
    whole = await got(local, f"/findings/{found['id']}")
    assert whole | found == whole
    assert [(place["line"], place["quote"]) for place in whole["where"]] == [(6, "Create disk")]
    assert [entry["action"] for entry in whole["log"]] == ["opened"]


async def test_what_two_people_say_at_once_is_noticed(keep, asking):
    keep()
    mei, tom = asking(Role.OPERATOR), asking(Role.OPERATOR)
    (found,) = (await got(mei, "/findings"))["items"]
    path = f"{API}/findings/{found['id']}"
    tag = {"If-Match": (await mei.get(path)).headers["etag"]}
    said = await mei.post(
        f"{path}/triage", json={"action": "confirm", "comment": "4.2"}, headers=tag
    )
    assert said.status_code == 200
    late = await tom.post(f"{path}/triage", json={"action": "reject"}, headers=tag)
    assert late.status_code == 412
    now = (await tom.get(path)).json()
    assert now == said.json()
    assert now["state"] == "confirmed"
    said_by_people = [(entry["by"], entry["action"]) for entry in now["log"] if entry["by"]]
    assert said_by_people == [("operator 0", "confirm")]
    assert (await got(tom, "/findings/confirmation"))["rate"] == 1.0
    past = {"action": "accept", "until": "2020-01-01T00:00:00Z"}
    assert (await tom.post(f"{path}/triage", json=past)).status_code == 422


async def test_the_patch_says_what_the_console_says(keep, local, tmp_path):
    keep()
    (found,) = (await got(local, "/findings"))["items"]
    for path in ("/findings/patch", f"/findings/{found['id']}/patch"):
        answer = await local.get(API + path)
        assert answer.headers["content-type"] == "text/x-diff; charset=utf-8"
        assert "-2. Click **Create disk**.\n+2. Click **New disk**.\n" in answer.text
    assert (await local.get(f"{API}/findings/patch?state=rejected")).text == ""


async def test_the_evidence_has_all_that_was_kept(keep, local, service):
    run = keep()
    picture, trajectory = run.procedures[0].steps[0].after, run.procedures[0].trajectory
    answer = await local.get(f"{API}/runs/{run.id}/evidence")
    assert answer.headers["content-disposition"] == 'attachment; filename="evidence-run-1.zip"'
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.testzip() is None
        assert json.loads(archive.read("result.json")) == result_document(run)
        assert b"Create a disk" in archive.read("report.html")
        assert archive.read(f"artifacts/{picture.sha256}.png") == b"\x89PNG not really"
        assert archive.read(f"artifacts/{trajectory.sha256}.jsonl") == b"{}\n"
    service.store.artifacts.path(picture).unlink()
    answer = await local.get(f"{API}/runs/{run.id}/evidence")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.read("missing.txt").decode() == f"artifacts/{picture.sha256}.png\n"


async def test_procedures_have_a_past_and_documents_a_present(keep, local, tmp_path):
    keep(1, Verdict.VERIFIED)
    keep(2, Verdict.DRIFTED)
    (tmp_path / "docs" / "new.md").write_text(GUIDE.replace("disk", "bucket"), encoding="utf-8")
    (state,) = (await got(local, "/procedures"))["items"]
    assert (state["verdict"], state["findings"]) == ("drifted", 1)
    assert (await got(local, "/procedures?verdict=verified"))["items"] == []
    whole = await got(local, f"/procedures/{state['id']}")
    assert [past["verdict"] for past in whole["history"]] == ["drifted", "verified"]
    assert whole["result"]["steps"][0]["status"] == "diverged"
    guide, new = (await got(local, "/documents"))["items"]
    assert (guide["title"], guide["is_changed"], guide["verdicts"]) == (
        "Guide",
        True,
        {"drifted": 1},
    )
    assert (new["procedures"], new["verdicts"], new["oldest_verdict_at"]) == (1, {}, None)
    assert (await got(local, "/documents", params={"path": new["path"]}))["items"] == [new]
    overview = await got(local, "/overview?days=7")
    assert (overview["coverage"]["drifted"], len(overview["trend"])) == (1, 7)

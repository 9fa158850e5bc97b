"""What can be done over the API, and by whom. Nothing is carried out here: the engine stands."""

import asyncio
import json
import os
from pathlib import Path

import httpx
import pytest

from appliance.config import DocumentationSettings, ModelSettings, Settings
from appliance.core.jsonable import to_jsonable
from appliance.engine.models import Model
from appliance.inference.scripted import serving
from appliance.server.parts import Service
from appliance.store.keys import Role
from tests.training.phase_operations import shown_series
from tests.training.training_attempts import trained

API = "/api/v1"
GUIDE = (
    "# Guide\n\n## Create a disk\n\n1. Open **Disks**.\n\n## Delete a disk\n\n1. Open **Disks**.\n"
)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "guide.md").write_text(GUIDE, encoding="utf-8")
    return Settings(
        data_dir=tmp_path, documentation=DocumentationSettings(paths=(tmp_path / "docs",))
    )


async def test_strangers_do_nothing_and_roles_do_what_is_theirs(asking, local):
    """By the description: what may answer 403 does so to who may only look."""
    told = (await local.get("/schema/openapi.json")).json()
    stranger, viewer, operator = asking(), asking(Role.VIEWER), asking(Role.OPERATOR)
    of_operators, of_admins = 0, 0
    for path, methods in told["paths"].items():
        if not path.startswith(API):
            continue
        for method, operation in methods.items():
            if operation.get("security") == [{}]:
                continue  # its requests are signed: test_api_audit.py
            place = path.replace("{", "").replace("}", "")
            answer = await stranger.request(method, place)
            assert answer.status_code == 401, operation["operationId"]
            assert answer.headers["content-type"] == "application/problem+json"
            if "403" not in operation["responses"]:
                assert method == "get", operation["operationId"]
                continue
            answer = await viewer.request(method, place)
            assert answer.status_code == 403, operation["operationId"]
            is_operators = (await operator.request(method, place)).status_code != 403
            of_operators, of_admins = of_operators + is_operators, of_admins + (not is_operators)
    assert of_operators >= 10
    assert of_admins >= 8


async def test_a_sweep_is_planned_started_paused_resumed_and_cancelled(local, service):
    plan = (await local.post(f"{API}/sweeps/plan", json={})).json()
    assert [(item["title"], item["reason"]) for item in plan["items"]] == [
        ("Create a disk", "never"),
        ("Delete a disk", "never"),
    ]
    started = await local.post(f"{API}/sweeps", json={"procedures": ["delete*"]})
    assert started.status_code == 202
    path = started.headers["location"]
    status = (await local.get(path)).json()
    assert status == started.json()
    assert (status["state"], status["total"], status["requested_by"]) == ("waiting", 1, "local")
    again = await local.post(f"{API}/sweeps", json={"procedures": ["delete*"]})
    assert again.json()["id"] == status["id"]
    (item,) = (await local.get(f"{path}/items")).json()["items"]
    row = to_jsonable(service.store.sweeps.items(status["id"])[0])
    assert item == {name: row[name] for name in item}
    for deed, state in {"pause": "paused", "resume": "waiting", "cancel": "cancelled"}.items():
        answer = await local.post(f"{path}/{deed}")
        assert (answer.status_code, answer.json()["state"]) == (202, state)
    over = await local.post(f"{path}/pause")
    assert over.status_code in (409, 422)
    assert "cancelled already" in over.json()["detail"]
    assert [run["state"] for run in (await local.get(f"{API}/sweeps")).json()["items"]] == [
        "cancelled"
    ]


async def test_a_request_that_is_sent_again_is_done_once(local):
    body = {"documents": [{"name": "a.md", "text": GUIDE}]}
    key = {"Idempotency-Key": "build-17"}
    first = await local.post(f"{API}/verifications", json=body, headers=key)
    again = await local.post(f"{API}/verifications", json=body, headers=key)
    assert (first.status_code, again.status_code) == (202, 202)
    assert first.json() == again.json()
    assert first.headers["location"] == again.headers["location"]
    assert (await local.get(f"{API}/verifications")).json()["total"] == 1
    waiting = (await local.get(first.headers["location"])).json()
    assert (waiting["state"], waiting["procedures"]) == ("waiting", [])
    assert waiting["ended_at"] is None
    evidence = await local.get(f"{first.headers['location']}/evidence")
    assert evidence.content.startswith(b"PK")


async def test_documents_come_as_files_as_well(local, service, settings):
    files = [("files", ("a.md", GUIDE)), ("files", ("A.md", GUIDE.replace("disk", "bucket")))]
    form = {"procedures": ["create*"], "values": json.dumps({"name": "x"}), "policy": "literal"}
    answer = await local.post(f"{API}/verifications/uploads", files=files, data=form)
    assert answer.status_code == 202, answer.text
    assert answer.json()["total"] == 2
    kept = {path.name for path in (settings.data_dir / "uploads").rglob("*.md")}
    assert kept == {"a.md", "A-2.md"}
    items = await asyncio.to_thread(service.store.sweeps.items, answer.json()["id"])
    assert {item.procedure_id.rpartition("/")[0] for item in items} == {"inline/a", "inline/a-2"}


async def test_files_keep_their_folders(local, service, settings):
    names = ("docs/disks.md", "docs/disks.checks.yaml", "docs/antora.yml", "shared/x.ent")
    texts = (GUIDE, "procedures:\n  create-a-disk: {account: alice}\n", "a: b", "<!ENTITY a 'b'>")
    files = [("files", file) for file in zip(names, texts, strict=True)]
    form = {"try_patches": "true", "policy": "literal"}
    answer = await local.post(f"{API}/verifications/uploads", files=files, data=form)
    assert answer.status_code == 202, answer.text
    run_id = answer.json()["id"]
    inline = settings.data_dir / "uploads" / run_id / "inline"
    assert {str(p.relative_to(inline)) for p in inline.rglob("*") if p.is_file()} == set(names)
    items = await asyncio.to_thread(service.store.sweeps.items, run_id)
    assert {item.procedure_id.rpartition("/")[0] for item in items} == {"docs/disks"}
    row = await asyncio.to_thread(service.store.sweeps.get, run_id)
    assert row.request["tries_patches"] is True
    for name in ("../a.md", "/a.md", "a//b.md", ".git/a.md", "a/../../b.md", "a\\b.md", "a/b.sh",
                 "a/" * 16 + "b.md", "x" * 201 + "/a.md"):  # fmt: skip
        refused = await local.post(f"{API}/verifications/uploads", files=[("files", (name, GUIDE))])
        assert refused.status_code == 422, name
        assert "not a file name of a document" in refused.json()["detail"]
    assert {one.name for one in (settings.data_dir / "uploads").iterdir()} == {run_id}


async def test_a_schedule_is_set_done_and_removed(local):
    path = f"{API}/schedules/weekly"
    asked = {"job": "checkpoint", "cron": "0 3 * * sun", "time_zone": "Europe/Berlin"}
    made = (await local.put(path, json=asked)).json()
    assert (made["origin"], made["settings"]["cron"]) == ("store", "0 3 * * sun")
    assert made == (await local.get(path)).json()
    names = [one["name"] for one in (await local.get(f"{API}/schedules")).json()["items"]]
    assert {"weekly", "nightly"} <= set(names)
    for wrong in ({"job": "checkpoint", "cron": "0 99 * * *"}, {"job": "checkpoint"}):
        assert (await local.put(path, json=wrong)).status_code == 422
    assert (await local.put(path, json={"job": "nothing"})).status_code == 400
    begun = await local.post(f"{path}/runs")
    assert (begun.status_code, begun.json()["requested_by"]) == (202, "local")
    (run,) = (await local.get(f"{path}/runs")).json()["items"]
    assert run["id"] == begun.json()["id"]
    assert (await local.delete(path)).status_code == 204
    assert (await local.get(path)).status_code == 404
    ours = await local.delete(f"{API}/schedules/nightly")
    assert ours.status_code == 422


async def test_a_key_is_shown_once_works_and_is_revoked(local, stranger, settings):
    asked = {"name": "pipeline", "role": "operator"}
    key = {"Idempotency-Key": "k"}
    made = await local.post(f"{API}/keys", json=asked, headers=key)
    assert made.status_code in (201, 400), made.text
    if made.status_code == 400:
        made = await local.post(f"{API}/keys", json=asked)
    text = made.json()["key"]
    bearer = {"Authorization": f"Bearer {text}"}
    assert (await stranger.get(f"{API}/runs", headers=bearer)).status_code == 200
    listed = await local.get(f"{API}/keys")
    assert text not in listed.text and "hash" not in listed.text
    assert [one["name"] for one in listed.json()["items"]] == ["pipeline"]
    revoked = await local.post(f"{API}/keys/{made.json()['id']}/revoke")
    assert revoked.json()["revoked_by"] == "local"
    assert (await stranger.get(f"{API}/runs", headers=bearer)).status_code == 401
    secret = text.rpartition("_")[2].encode()
    for file in settings.data_dir.glob("store.duckdb*"):
        assert secret not in file.read_bytes()


async def test_the_model_says_what_it_serves_and_no_secret_is_told(service, local):
    assert (await local.get(f"{API}/models")).json() == {"items": []}
    with serving([]) as model:
        address = model.url.replace("http://", "http://mei:secret@")
        service.engine.model = Model(ModelSettings(endpoint=address))
        answer = await local.get(f"{API}/models")
    (one,) = answer.json()["items"]
    assert one["is_reachable"] and one["served"]
    assert "secret" not in answer.text
    away = (await local.get(f"{API}/models")).json()["items"][0]
    assert not away["is_reachable"] and away["problem"]
    assert "secret" not in away["problem"]


async def test_benchmarks_are_files_in_one_folder(local, settings):
    folder = settings.data_dir / "benchmarks"
    assert (await local.get(f"{API}/benchmarks")).json() == {"items": []}
    folder.mkdir()
    (folder / "drift.json").write_text('{"recall": 0.9}', encoding="utf-8")
    (folder / "older.json").write_text("[1]", encoding="utf-8")
    os.utime(folder / "older.json", (1, 1))
    (settings.data_dir / "secret.json").write_text("{}", encoding="utf-8")
    listed = (await local.get(f"{API}/benchmarks")).json()["items"]
    assert [one["name"] for one in listed] == ["drift", "older"]
    assert (await local.get(f"{API}/benchmarks/drift")).json()["result"] == {"recall": 0.9}
    assert (await local.get(f"{API}/benchmarks/older")).status_code == 422
    for name in ("none", "..%2fsecret", "%2e%2e%2fsecret", "..", "drift.json"):
        assert (await local.get(f"{API}/benchmarks/{name}")).status_code in (404, 405), name


async def test_the_store_is_looked_after(local):
    before = (await local.get(f"{API}/store")).json()
    assert (before["backups"], before["rows"]["runs"]) == (0, 0)
    made = await local.post(f"{API}/store/backups")
    assert made.status_code == 201
    assert made.json()["schema"] == before["schema"]
    assert (await local.get(f"{API}/store/backups")).json()["items"] == [made.json()]
    assert (await local.post(f"{API}/store/checkpoint")).json()["backups"] == 1
    would = (await local.post(f"{API}/store/prune?dry_run=true")).json()
    assert (would["is_dry_run"], would["runs"]) == (True, [])


async def test_webhooks_and_accounts_are_listed(local, service: Service):
    assert (await local.get(f"{API}/webhooks")).json() == {"items": []}
    letters = (await local.get(f"{API}/webhooks/deliveries?state=dead")).json()
    assert (letters["items"], letters["total"]) == ([], 0)
    accounts = (await local.get(f"{API}/accounts")).json()["items"]
    assert accounts == to_jsonable(service.engine.clouds.accounts("practice"))
    assert (await local.get(f"{API}/resources")).json() == {"items": []}


async def test_trainings_in_phases_are_shown_with_every_task_that_they_made(local, settings):
    assert (await local.get(f"{API}/training-phases")).json() == {"items": []}
    series = shown_series(settings.data_dir)
    (listed,) = (await local.get(f"{API}/training-phases")).json()["items"]
    assert (listed["id"], listed["is_over"], listed["is_running"]) == (series.file.id, False, False)
    told = (await local.get(f"{API}/training-phases/{series.file.id}")).json()
    first, second = told["phases"]
    assert (first["stage"], second["stage"], second["decision"]) == (None, "label", None)
    assert [one["success"] for one in first["made"]] == [0.0, 0.25]
    assert first["decision"]["is_better"] is False
    assert first["decision"]["sentence"] == "The difference is real."
    assert told["update"] == "live"
    assert (await local.get(f"{API}/training-phases/none")).status_code == 404


async def test_trainings_are_shown_with_what_was_measured(local, settings):
    assert (await local.get(f"{API}/training-runs")).json() == {"items": []}
    run = trained(settings.data_dir)
    listed = (await local.get(f"{API}/training-runs")).json()["items"]
    assert [(one["id"], one["kind"], one["state"]) for one in listed] == [(run, "sft", "done")]
    told = (await local.get(f"{API}/training-runs/{run}")).json()
    assert (told["step"], told["steps"], told["best"]) == (4, 4, 0.5)
    assert told["curves"] == [{"step": 4.0, "eval_exact_action": 0.5}]
    assert (await local.get(f"{API}/training-runs/none")).status_code == 404


async def test_everything_can_be_followed(address):
    with httpx.stream("GET", f"{address}{API}/events") as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        heard = ""
        for part in response.iter_text():
            heard += part
            if "event: snapshot" in heard:
                break
    assert "event: snapshot" in heard

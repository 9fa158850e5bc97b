"""What is wrong is said in one shape, does nothing, and is never a fault of the program."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from appliance.config import DocumentationSettings, ServerSettings, Settings

API = "/api/v1"
GUIDE = "# Guide\n\n## Create a disk\n\n1. Open **Disks**.\n"
_STORY = "x" * 300_000


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "guide.md").write_text(GUIDE, encoding="utf-8")
    (tmp_path / "secret.md").write_text(GUIDE, encoding="utf-8")
    (tmp_path / "docs" / "link.md").symlink_to(tmp_path / "secret.md")
    return Settings(
        data_dir=tmp_path,
        documentation=DocumentationSettings(
            paths=(tmp_path / "docs" / "guide.md",), url_hosts=("localhost:9", "docs.invalid")
        ),
        server=ServerSettings(max_request_mib=0.25),
    )


def problem(answer: httpx.Response, status: int) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    told = answer.json()
    assert told["status"] == status
    assert told["type"].startswith("urn:appliance:problem:")
    assert told["detail"]
    return told


async def ask(local: httpx.AsyncClient, document: object, **more: object) -> httpx.Response:
    return await local.post(f"{API}/verifications", json={"documents": [document], **more})


_A_REQUEST_OF_ANOTHER_SHAPE = [
    ({}, "documents"),
    ({"documents": []}, "documents"),
    ({"documents": "guide.md"}, "documents"),
    ({"documents": [{}]}, "documents.0"),
    ({"documents": [7]}, "documents.0"),
    ({"documents": [{"path": "a", "url": "b"}]}, "documents.0"),
    ({"documents": [{"text": "x"}]}, "name"),
    ({"documents": [{"name": "a.md", "text": 7}]}, "text"),
    ({"documents": [{"name": "../a.md", "text": "x"}]}, "name"),
    ({"documents": [{"name": "a/b.md", "text": "x"}]}, "name"),
    ({"documents": [{"name": "a\\b.md", "text": "x"}]}, "name"),
    ({"documents": [{"name": "\x00.md", "text": "x"}]}, "name"),
    ({"documents": [{"name": "a.exe", "text": "x"}]}, "name"),
    ({"documents": [{"path": "a\x00b"}]}, "path"),
    ({"documents": [{"path": "a"}], "policy": "fast"}, "policy"),
    ({"documents": [{"path": "a"}], "values": {"a": 1}}, "values.a"),
    ({"documents": [{"path": "a"}], "patterns": ["a"]}, "patterns"),
    ([], ""),
    ("text", ""),
    (None, ""),
]


async def test_a_request_of_another_shape(local):
    for body, where in _A_REQUEST_OF_ANOTHER_SHAPE:
        told = problem(await local.post(f"{API}/verifications", json=body), 400)
        if where:
            fields = [error["field"] for error in told["errors"]]
            assert any(field == where or field.endswith(f".{where}") for field in fields), told
        assert (await local.get(f"{API}/verifications")).json()["total"] == 0


_WHAT_IS_NO_JSON = [b"", b"{", b"\xff\xfe", b'{"a": "\\ud800"}', b"[" * 100_000]


async def test_what_is_no_json(local):
    for content in _WHAT_IS_NO_JSON:
        json = {"content-type": "application/json"}
        problem(await local.post(f"{API}/verifications", content=content, headers=json), 400)


_A_DOCUMENT_THAT_CANNOT_BE_HAD = [
    ({"name": "a.md", "text": ""}, "nothing to verify"),
    ({"name": "a.md", "text": "just words"}, "nothing to verify"),
    ({"name": "a.md", "text": "a\x00b"}, "binary"),
    ({"name": "a.html", "text": "<div>" * 20_000}, ""),
    ({"name": "a.rst", "text": ".. include:: /etc/passwd\n"}, "nothing to verify"),
    ({"path": "/etc/passwd"}, "is not in the documentation"),
    ({"path": "../secret.md"}, "is not in the documentation"),
    ({"path": "docs/../secret.md"}, "is not in the documentation"),
    ({"path": "docs/link.md"}, "is not in the documentation"),
    ({"path": "none.md"}, "is not in the documentation"),
    ({"url": "http://localhost:9/a.md"}, "an address of this machine"),
    ({"url": "http://docs.invalid/a.md"}, "no name server knows"),
    ({"url": "http://169.254.169.254/latest/meta-data"}, "is not named"),
    ({"url": "file:///etc/passwd"}, "by http or https only"),
    ({"url": "http://[::1"}, "no address"),
]


async def test_a_document_that_cannot_be_had(local, settings):
    for document, why in _A_DOCUMENT_THAT_CANNOT_BE_HAD:
        told = problem(await ask(local, document), 422)
        assert why in told["detail"]
        assert "root:" not in told["detail"]
        assert (await local.get(f"{API}/verifications")).json()["total"] == 0
        uploads = settings.data_dir / "uploads"
        assert not uploads.exists() or not list(uploads.iterdir())


async def test_other_things_that_are_not_there(local):
    document = {"name": "a.md", "text": GUIDE}
    assert "mars" in problem(await ask(local, document, console="mars"), 422)["detail"]
    assert "zzz" in problem(await ask(local, document, procedures=["zzz"]), 422)["detail"]
    both = {"documents": [document, {"path": "docs/guide.md"}]}
    problem(await local.post(f"{API}/verifications", json=both), 422)
    problem(await local.post(f"{API}/sweeps", json={"documents": ["/etc"]}), 422)


_A_FILE_THAT_IS_NO_DOCUMENT = [
    ("../../a.md", GUIDE.encode()),
    ("a.exe", GUIDE.encode()),
    ("a.md", b"\x00\x01"),
    ("a.md", b"\xff\xfe#"),
    ("a.md", b""),
]


async def test_a_file_that_is_no_document(local):
    for file in _A_FILE_THAT_IS_NO_DOCUMENT:
        answer = await local.post(f"{API}/verifications/uploads", files={"files": file})
        if answer.status_code == 202:  # a client's folders are no part of a name
            assert file[0] == "../../a.md"
            kept = (await local.get(answer.headers["location"])).json()["documents"]
            assert all(".." not in path for path in kept)
        else:
            problem(answer, 422)


async def test_a_form_that_is_none(local):
    path = f"{API}/verifications/uploads"
    problem(await local.post(path, data={"console": "practice"}), 400)
    form = {"content-type": "multipart/form-data; boundary=x"}
    for content in (b"", b"--x", b"--x\r\n\r\n--x--", b"\xff" * 100):
        problem(await local.post(path, content=content, headers=form), 400)
    wrong = {"files": ("a.md", GUIDE)}
    problem(await local.post(path, files=wrong, data={"values": "{"}), 422)
    problem(await local.post(path, files=wrong, data={"values": '{"a": 1}'}), 422)
    problem(await local.post(path, files=wrong, data={"nonsense": "1"}), 400)


async def test_too_much(local):
    problem(await ask(local, {"name": "a.md", "text": _STORY}), 413)
    files = {"files": ("a.md", _STORY)}
    problem(await local.post(f"{API}/verifications/uploads", files=files), 413)
    many = [{"name": f"{n}.md", "text": "x"} for n in range(51)]
    problem(await local.post(f"{API}/verifications", json={"documents": many}), 400)


_WHAT_IS_NOT_THERE = [
    "runs/none",
    "runs/none/evidence",
    "verifications/none",
    "verifications/none/events",
    "verifications/none/evidence",
    "sweeps/none",
    "sweeps/none/items",
    "sweeps/none/events",
    "findings/none",
    "findings/none/patch",
    "procedures/none/at/all",
    "procedures/%00",
    "procedures?console=mars",
    "documents?console=mars",
    "accounts?console=mars",
    "overview?console=mars",
    "schedules/none",
    "schedules/none/runs",
    "benchmarks/none",
    "nonsense",
]


async def test_what_is_not_there(local):
    for path in _WHAT_IS_NOT_THERE:
        problem(await local.get(f"{API}/{path}"), 404)


_WHAT_IS_NOT_THERE_CANNOT_BE_CHANGED = [
    "verifications/none/cancel",
    "sweeps/none/pause",
    "sweeps/none/resume",
    "sweeps/none/cancel",
    "schedules/none/runs",
    "keys/none/revoke",
    "webhooks/deliveries/none/retry",
]


async def test_what_is_not_there_cannot_be_changed(local):
    for path in _WHAT_IS_NOT_THERE_CANNOT_BE_CHANGED:
        problem(await local.post(f"{API}/{path}"), 404)


_A_QUESTION_THAT_MAKES_NO_SENSE = [
    "runs?page=0",
    "runs?page=-1",
    "runs?page=x",
    "runs?page=99999999999999999999",
    "runs?page_size=0",
    "runs?page_size=100000",
    "runs?state=sleeping",
    "runs?kind=other",
    "findings?severity=odd",
    "findings?kind=",
    "procedures?is_stale=maybe",
    "overview?days=0",
]


async def test_a_question_that_makes_no_sense(local):
    for query in _A_QUESTION_THAT_MAKES_NO_SENSE:
        problem(await local.get(f"{API}/{query}"), 400)


async def test_a_verification_is_no_sweep(local):
    answer = await ask(local, {"name": "a.md", "text": GUIDE})
    run = answer.json()["id"]
    problem(await local.get(f"{API}/sweeps/{run}"), 404)
    problem(await local.post(f"{API}/sweeps/{run}/cancel"), 404)
    assert (await local.get(f"{API}/verifications/{run}")).status_code == 200


async def test_triage_of_nothing_and_with_nothing(local):
    path = f"{API}/findings/none/triage"
    problem(await local.post(path, json={"action": "confirm"}), 404)
    problem(await local.post(path, json={"action": "shout"}), 400)
    problem(await local.post(path, json={"action": "accept", "until": "tomorrow"}), 400)
    problem(await local.post(path, json={"action": "accept", "until": "2027-01-01T00:00:00"}), 400)

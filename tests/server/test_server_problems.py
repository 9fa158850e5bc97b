"""Every error is one problem document, or a page for a browser."""

import re
from dataclasses import dataclass

import httpx
import pytest
import structlog
from litestar import get, post
from litestar.params import FromPath, JSONBody

from appliance.config import ServerSettings, Settings
from appliance.core.errors import ConfigError, ConsoleError, DocumentError, SetupError, StoreError
from appliance.engine.problems import NothingToDo, StoppingError, UnknownRun
from appliance.engine.schedules.state import UnknownSchedule
from appliance.server.callers import Role
from appliance.server.paging import ThePaging
from appliance.server.permissions import Permission, needs
from appliance.server.problems import Problem
from appliance.store.keys import UnknownKey

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
ERRORS = {
    "run": UnknownRun("r-1"),
    "schedule": UnknownSchedule("x"),
    "key": UnknownKey("ci"),
    "nothing": NothingToDo("nothing is due"),
    "stopping": StoppingError(),
    "setup": SetupError("nothing is due"),
    "config": ConfigError("no such console"),
    "document": DocumentError("a.md: not UTF-8"),
    "store": StoreError("the disk is full"),
    "console": ConsoleError("the console is down"),
    "group": ExceptionGroup("work", [SetupError("inside")]),
    "fault": ValueError("secret inside"),
    "faults": ExceptionGroup("work", [ValueError("secret inside"), SetupError("other")]),
    "problem": Problem(409, "It is over.", title="Over", headers={"Retry-After": "3"}),
}


@dataclass
class Part:
    name: str
    size: int


@dataclass
class Ask:
    parts: list[Part]


@get("/api/v1/probe/{name:str}")
async def fail(name: FromPath[str]) -> None:
    raise ERRORS[name]


@get("/probe-page/{name:str}")
async def fail_page(name: FromPath[str]) -> None:
    raise ERRORS[name]


@get("/api/v1/probes")
async def listed(paging: ThePaging) -> dict[str, int]:
    return {"offset": paging.offset, "limit": paging.limit}


@post("/api/v1/probes", opt=needs(Permission.START_RUN))
async def take(data: JSONBody[Ask]) -> dict[str, int]:
    return {"parts": len(data.parts)}


@post("/api/v1/probes/guarded", opt=needs(Permission.CREATE_KEY))
async def guarded() -> dict[str, int]:
    return {}


@pytest.fixture
def app(app):
    for handler in (fail, fail_page, listed, take, guarded):
        app.register(handler)
    return app


SAID = [
    ("run", 404, "unknown-run", "there is no run r-1"),
    ("schedule", 404, "unknown-schedule", "there is no schedule"),
    ("key", 404, "unknown-key", "there is no key 'ci'"),
    ("nothing", 409, "nothing-to-do", "nothing is due"),
    ("stopping", 503, "stopping", "the program is stopping"),
    ("setup", 422, "not-possible", "nothing is due"),
    ("config", 422, "not-possible", "no such console"),
    ("document", 422, "document", "a.md: not UTF-8"),
    ("store", 503, "store", "the disk is full"),
    ("console", 502, "console", "the console is down"),
    ("group", 422, "not-possible", "inside"),
    ("problem", 409, "over", "It is over."),
]


async def test_our_errors_say_what_they_are(local):
    for name, status, kind, detail in SAID:
        answer = await local.get(f"/api/v1/probe/{name}")
        assert answer.status_code == status, name
        assert answer.headers["content-type"] == "application/problem+json"
        body = answer.json()
        assert body["type"] == f"urn:appliance:problem:{kind}"
        assert body["status"] == status
        assert body["detail"].startswith(detail)
        assert set(body) == {"type", "title", "status", "detail"}
        if name == "problem":
            assert answer.headers["retry-after"] == "3"


@pytest.mark.parametrize("name", ["fault", "faults"])
async def test_a_fault_is_told_by_an_id_that_the_log_has(local, name):
    with structlog.testing.capture_logs() as logs:
        answer = await local.get(f"/api/v1/probe/{name}")
    body = answer.json()
    assert (answer.status_code, body["title"]) == (500, "Internal error")
    assert "secret" not in answer.text and "Error(" not in answer.text
    (told,) = [line for line in logs if line["event"] == "request.failed"]
    assert told["id"] == body["id"]
    assert told["exc_info"] is ERRORS[name]


async def test_what_there_is_not(local):
    for method, path, status in [
        ("GET", "/api/v1/nothing", 404),
        ("GET", "/api", 404),
        ("DELETE", "/api/v1/probes", 405),
        ("POST", "/healthz", 405),
        ("BREW", "/api/v1/probes", 405),
    ]:
        answer = await local.request(method, path)
        assert answer.status_code == status, path
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["status"] == status
    assert "GET" in (await local.delete("/api/v1/probes")).headers["allow"]


async def test_what_is_wrong_with_a_request_is_named(local):
    answer = await local.get("/api/v1/probes", params={"page": "0", "page_size": "x"})
    assert answer.status_code == 400
    body = answer.json()
    assert body["type"] == "urn:appliance:problem:invalid-request"
    assert [(one["field"], one["source"]) for one in body["errors"]] == [
        ("page", "query"),
        ("page_size", "query"),
    ]
    answer = await local.post("/api/v1/probes", json={"parts": [{"name": "a", "size": "big"}]})
    (error,) = answer.json()["errors"]
    assert (error["field"], error["source"]) == ("parts[0].size", "body")
    assert "int" in error["detail"]
    for body in (b"{", b"\xff", b"", b"[]", b"null", b"[" * 5000):
        answer = await local.post("/api/v1/probes", content=body)
        assert answer.status_code == 400, body
        assert answer.json()["title"]


async def test_pages_of_lists(local):
    assert (await local.get("/api/v1/probes")).json() == {"offset": 0, "limit": 50}
    third = await local.get("/api/v1/probes?page=3&page_size=20")
    assert third.json() == {"offset": 40, "limit": 20}
    for bad in ("page_size=201", "page_size=0", "page=99999999999999999999", "page=-1"):
        assert (await local.get(f"/api/v1/probes?{bad}")).status_code == 400, bad


async def test_a_role_that_is_too_small(asking, local):
    answer = await asking(Role.OPERATOR).post("/api/v1/probes/guarded")
    assert answer.status_code == 403
    assert answer.json()["detail"] == "'operator 1' is operator; this needs admin (create-key)."
    assert (await asking(Role.ADMIN).post("/api/v1/probes/guarded")).status_code == 201
    assert (await local.post("/api/v1/probes/guarded")).status_code == 201


class TestLargeRequests:
    @pytest.fixture
    def settings(self, tmp_path):
        return Settings(data_dir=tmp_path, server=ServerSettings(max_request_mib=0.01))

    @pytest.mark.parametrize("headers", [{}, {"Idempotency-Key": "k"}])
    async def test_they_are_refused_however_they_come(self, address, headers):
        many = b'{"parts": [' + b" " * 11_000 + b"]}"

        async def streamed():
            for at in range(0, len(many), 500):
                yield many[at : at + 500]

        async with httpx.AsyncClient(base_url=address, headers=headers) as client:
            for content in (many, streamed()):
                answer = await client.post("/api/v1/probes", content=content)
                assert answer.status_code == 413
                assert answer.headers["content-type"] == "application/problem+json"
            small = await client.post("/api/v1/probes", content=b'{"parts": []}')
            assert small.json() == {"parts": 0}


async def test_a_browser_gets_a_page(local, stranger):
    for path, status, said in [
        ("/nothing/here", 404, "Not"),
        ("/probe-page/setup", 422, "Nothing is due"),
        ("/probe-page/fault", 500, "id"),
    ]:
        answer = await local.get(path, headers=BROWSER)
        assert answer.status_code == status
        assert answer.headers["content-type"].startswith("text/html")
        assert said in answer.text
        assert "secret inside" not in answer.text
    api = await local.get("/api/v1/nothing", headers=BROWSER)
    assert api.headers["content-type"] == "application/problem+json"
    refused = await local.get("/", headers=BROWSER | {"Host": "evil.example"})
    assert refused.status_code == 421
    assert refused.headers["content-type"].startswith("text/html")


async def test_a_browser_without_a_key_is_asked_for_it(stranger):
    answer = await stranger.get("/probe-page/setup?a=1&b=%2F", headers=BROWSER)
    assert answer.status_code == 303
    assert re.fullmatch(
        r"/login\?next=/probe-page/setup%3Fa%3D1%26b%3D%252F", answer.headers["location"]
    )
    assert (await stranger.get("/probe-page/setup")).status_code == 401

"""`Idempotency-Key`, `ETag`, `If-None-Match`, `If-Match`."""

import asyncio
from collections import Counter
from typing import Any

import pytest
from litestar import Request, Response, get, post, put
from litestar.datastructures import UploadFile
from litestar.params import FromPath, JSONBody, MultipartBody

from appliance.server.etags import check_match, etag_of
from appliance.server.permissions import Permission, needs
from appliance.server.problems import Problem
from appliance.store.keys import Role

done: Counter[str] = Counter()
gate = asyncio.Event()


@post("/api/v1/probes", status_code=202, opt=needs(Permission.START_RUN))
async def make(data: JSONBody[dict[str, int]]) -> Response[dict[str, int]]:
    done["made"] += 1
    return Response({"number": done["made"]}, headers={"Location": f"/p/{done['made']}"})


@post("/api/v1/probes/failing", opt=needs(Permission.START_RUN))
async def make_not() -> None:
    done["failed"] += 1
    raise Problem(409, "not yet") if done["failed"] == 1 else ValueError("fault")


@post("/api/v1/probes/slow", opt=needs(Permission.START_RUN))
async def make_slowly() -> dict[str, int]:
    done["slow"] += 1
    await gate.wait()
    return {"number": done["slow"]}


@post("/api/v1/probes/secret", opt=needs(Permission.START_RUN))
async def make_secret() -> Response[dict[str, str]]:
    done["secrets"] += 1
    return Response({"key": "once only"}, headers={"Cache-Control": "no-store"})


@post("/api/v1/probes/file", opt=needs(Permission.START_RUN))
async def take_file(data: MultipartBody[UploadFile]) -> dict[str, int]:
    done["files"] += 1
    return {"size": len(await data.read())}


@get("/api/v1/probes/{name:str}")
async def show(name: FromPath[str]) -> dict[str, str]:
    if name == "none":
        raise Problem(404, "none")
    return {"name": name, "state": "changed" if done["changed"] else "new"}


@put("/api/v1/probes/{name:str}", opt=needs(Permission.START_RUN))
async def change(request: Request[Any, Any, Any], name: FromPath[str]) -> dict[str, str]:
    before = (await show.fn(name)).copy()
    check_match(request, etag_of(_json(before)), is_required=True)
    done["changed"] += 1
    return await show.fn(name)


@get("/api/v1/probe-text")
async def text() -> str:
    return "text"


def _json(value: object) -> bytes:
    from litestar.serialization import encode_json

    return encode_json(value)


@pytest.fixture
def app(app):
    done.clear()
    gate.clear()
    for handler in (make, make_not, make_slowly, make_secret, take_file, show, change, text):
        app.register(handler)
    return app


async def test_the_same_again_is_answered_and_not_done_again(local, asking, clock):
    key = {"Idempotency-Key": "a-1"}
    first = await local.post("/api/v1/probes", json={"a": 1}, headers=key)
    again = await local.post("/api/v1/probes", json={"a": 1}, headers=key)
    assert (first.status_code, first.json(), again.json()) == (202, {"number": 1}, {"number": 1})
    assert again.headers["location"] == "/p/1"
    assert again.headers["idempotency-replayed"] == "true"
    assert "idempotency-replayed" not in first.headers
    assert done["made"] == 1

    other = await local.post("/api/v1/probes", json={"a": 2}, headers=key)
    assert other.status_code == 422
    assert "used for another request" in other.json()["detail"]
    somebody = asking(Role.OPERATOR)
    assert (await somebody.post("/api/v1/probes", json={"a": 1}, headers=key)).json() == {
        "number": 2
    }
    assert (await local.post("/api/v1/probes", json={"a": 1})).json() == {"number": 3}
    clock.passed_s += 24 * 3600
    assert (await local.post("/api/v1/probes", json={"a": 1}, headers=key)).json() == {"number": 4}


async def test_what_failed_may_be_tried_again(local):
    key = {"Idempotency-Key": "a-2"}
    answers = [await local.post("/api/v1/probes/failing", headers=key) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [409, 500, 500]
    assert done["failed"] == 3


async def test_at_the_same_time_it_is_done_once(local):
    key = {"Idempotency-Key": "a-3"}
    first = asyncio.create_task(local.post("/api/v1/probes/slow", headers=key))
    while not done["slow"]:
        await asyncio.sleep(0)
    second = await local.post("/api/v1/probes/slow", headers=key)
    assert (second.status_code, second.headers["retry-after"]) == (409, "1")
    gate.set()
    assert (await first).json() == {"number": 1}
    assert (await local.post("/api/v1/probes/slow", headers=key)).json() == {"number": 1}


async def test_a_secret_is_not_kept_for_it(local, service):
    key = {"Idempotency-Key": "a-4"}
    for _ in range(2):
        assert (await local.post("/api/v1/probes/secret", headers=key)).status_code == 201
    assert done["secrets"] == 2
    assert service.store.answers.find("local", "a-4", service.engine.clock.now()) is None


async def test_an_upload_is_the_same_whatever_stands_between_its_parts(local):
    for at in range(2):
        answer = await local.post(
            "/api/v1/probes/file",
            files={"data": ("a.md", b"# Text " * 10_000)},
            headers={"Idempotency-Key": "a-5"},
        )
        assert answer.json() == {"size": 70_000}, at
    assert done["files"] == 1


async def test_a_bad_key_is_refused(local):
    for bad in ("", "x" * 256, "a\tb", "a b", "é"):
        answer = await local.post(
            "/api/v1/probes", json={}, headers={"Idempotency-Key": bad.encode()}
        )
        assert answer.status_code == 400, bad
    assert done["made"] == 0


async def test_what_has_not_changed_is_not_sent_again(local):
    first = await local.get("/api/v1/probes/a")
    tag = first.headers["etag"]
    assert tag == etag_of(first.content)
    for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = await local.get("/api/v1/probes/a", headers={"If-None-Match": known})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
        assert "content-length" not in again.headers
    assert (await local.get("/api/v1/probes/b", headers={"If-None-Match": tag})).is_success
    missing = await local.get("/api/v1/probes/none", headers={"If-None-Match": "*"})
    assert missing.status_code == 404
    assert "etag" not in missing.headers
    assert "etag" not in (await local.get("/api/v1/probe-text")).headers


async def test_nobody_changes_what_they_have_not_seen(local):
    assert (await local.put("/api/v1/probes/a")).status_code == 428
    tag = (await local.get("/api/v1/probes/a")).headers["etag"]
    changed = await local.put("/api/v1/probes/a", headers={"If-Match": tag})
    assert changed.json()["state"] == "changed"
    late = await local.put("/api/v1/probes/a", headers={"If-Match": tag})
    assert (late.status_code, late.json()["title"]) == (412, "Changed meanwhile")

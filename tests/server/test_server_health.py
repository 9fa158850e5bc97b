"""What machines ask, and the description of it all."""

import json

import httpx
import yaml

from appliance import __version__
from appliance.engine.problems import NotReady
from appliance.store.keys import Role


async def test_alive_and_ready(stranger, local, service):
    for client, version in ((stranger, ""), (local, __version__)):
        assert (await client.get("/healthz")).json() == {"status": "alive"}
        head = await client.head("/healthz")
        assert (head.status_code, head.content, head.headers["content-length"]) == (200, b"", "18")
        told = {"status": "ready", "not_ready": [], "version": version}
        assert (await client.get("/readyz")).json() == told

    service.engine.not_ready = (NotReady("console practice", "it does not answer"),)
    told = await local.get("/readyz")
    assert (told.status_code, told.json()) == (
        503,
        {
            "status": "not ready",
            "not_ready": [{"name": "console practice", "why": "it does not answer"}],
            "version": __version__,
        },
    )
    untold = await stranger.get("/readyz")
    assert (untold.status_code, untold.json()["not_ready"]) == (503, [])


async def test_numbers_for_prometheus(asking, stranger):
    assert (await stranger.get("/metrics")).status_code == 401
    await stranger.get("/nothing/of/ours")
    answer = await asking(Role.VIEWER).get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=")
    assert 'appliance_http_requests_total{method="GET"' in answer.text
    assert "/nothing/of/ours" not in answer.text


async def test_the_description(local, stranger):
    reads = {"/schema": json.loads, "/schema/openapi.json": json.loads}
    for path, read in (reads | {"/schema/openapi.yaml": yaml.safe_load}).items():
        answer = await local.get(path)
        assert answer.status_code == 200
        told = read(answer.text)
        assert told["openapi"].startswith("3.1")
        assert {path for path in told["paths"] if not path.startswith("/api/v1/")} == {
            "/healthz",
            "/readyz",
            "/metrics",
        }
        assert (await stranger.get(path)).status_code == 401
    for path in ("/schema/swagger", "/schema/", "/schema/redoc/"):
        answer = await local.get(path, headers={"Accept": "text/html"})
        assert "<script" not in answer.text, path
    assert (await local.get("/schema/swagger")).json()["status"] == 404


def test_over_a_real_socket(address):
    with httpx.Client(base_url=address) as client:
        assert client.get("/readyz").json()["status"] == "ready"
        assert client.get("/metrics").status_code == 200
        rebound = client.get("/metrics", headers={"Host": "evil.example"})
        assert (rebound.status_code, rebound.json()["title"]) == (421, "Unknown host")
        for path, status in (("/schema/openapi.json", 200), ("/api/v1/nothing", 404)):
            head = client.head(path)
            assert (head.status_code, head.content) == (status, b"")
            assert int(head.headers["content-length"]) == len(client.get(path).content)
        crossed = client.post("/logout", headers={"Origin": "https://evil.example"})
        assert crossed.status_code == 403

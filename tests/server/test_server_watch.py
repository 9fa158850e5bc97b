import structlog
from litestar import Litestar, get
from litestar.params import FromPath
from litestar.testing import TestClient
from structlog.testing import capture_logs

from appliance.server.watch import watch_requests
from appliance.telemetry.metrics import Metrics


@get("/runs/{run_id:str}", sync_to_thread=False)
def show(run_id: FromPath[str]) -> dict[str, str]:
    return {"id": run_id}


@get("/broken", sync_to_thread=False)
def broken() -> None:
    raise RuntimeError("a fault of ours")


@get("/healthz", sync_to_thread=False)
def healthz() -> str:
    return "ok"


def told(metrics: Metrics) -> list[str]:
    text = metrics.exposition()[0].decode().splitlines()
    return sorted(
        line.removeprefix("appliance_http_requests_total")
        for line in text
        if line.startswith("appliance_http_requests_total")
    )


def test_requests_are_counted_and_logged_by_route_and_without_their_query():
    structlog.reset_defaults()
    metrics = Metrics()
    app = Litestar([show, broken, healthz], openapi_config=None, logging_config=None)
    app.asgi_handler = watch_requests(app.asgi_handler, metrics)
    with capture_logs() as lines, TestClient(app, raise_server_exceptions=False) as client:
        client.get("/runs/a?key=s3cret")
        client.get("/runs/b")
        client.get("/nowhere/s3cret")
        client.get("/broken")
        client.get("/healthz")
    assert told(metrics) == [
        '{method="GET",route="/broken",status="500"} 1.0',
        '{method="GET",route="/healthz",status="200"} 1.0',
        '{method="GET",route="/runs/{run_id}",status="200"} 2.0',
        '{method="GET",route="other",status="404"} 1.0',
    ]
    requests = [line for line in lines if line["event"] == "request"]
    assert [(line["path"], line["status"], line["log_level"]) for line in requests] == [
        ("/runs/{run_id}", 200, "info"),
        ("/runs/{run_id}", 200, "info"),
        ("unknown", 404, "info"),
        ("/broken", 500, "warning"),
        ("/healthz", 200, "debug"),
    ]
    assert all(line["ms"] >= 0 and line["caller"] == "" for line in requests)
    assert "s3cret" not in str(lines)

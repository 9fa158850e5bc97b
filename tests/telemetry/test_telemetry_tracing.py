import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from appliance.config import TelemetrySettings
from appliance.core.events import (
    AttemptStarted,
    Event,
    ProcedureFinished,
    ProcedureStarted,
    RunFinished,
    RunStarted,
    StepFinished,
    SweepProgressed,
)
from appliance.core.result import Cost, Goal, ProcedureResult
from appliance.core.secrets import learn
from appliance.core.verdict import StepStatus, Verdict
from appliance.system.network.network import Network
from appliance.system.network.proxy import Proxy
from appliance.system.secret_references import SecretReference
from appliance.telemetry.tracing import tracing
from tests.company import HOST, PASSWORD, USER, Issuer, proxy, site
from tests.receiving import Answer, Asked, receiving


class Collector:
    """A real receiver of OTLP over HTTP."""

    def __init__(self) -> None:
        self.spans: list[dict[str, object]] = []
        self.paths: set[str] = set()
        self.names: dict[bytes, str] = {}
        self.address = ""

    def take(self, asked: Asked) -> Answer:
        self.paths.add(asked.path)
        request = ExportTraceServiceRequest.FromString(asked.body)
        for resource in request.resource_spans:
            about = {a.key: a.value.string_value for a in resource.resource.attributes}
            for span in (span for scope in resource.scope_spans for span in scope.spans):
                self.names[span.span_id] = span.name
                told = {a.key: a.value.string_value or a.value.int_value for a in span.attributes}
                took = span.end_time_unix_nano - span.start_time_unix_nano
                self.spans.append(
                    {"name": span.name, "above": span.parent_span_id, "took": took}
                    | {"trace": span.trace_id, "of": about["service.name"]}
                    | told
                )

        return Answer()

    def tree(self) -> list[tuple[str, str]]:
        return sorted((self.names.get(s["above"], ""), s["name"]) for s in self.spans)


@pytest.fixture
def collector() -> Iterator[Collector]:
    collector = Collector()
    with receiving(collector.take) as collector.address:
        yield collector


def a_procedure(run_id: str, id: str) -> Iterator[Event]:
    yield ProcedureStarted(run_id=run_id, procedure_id=id, title="Create a disk")
    for number in (1, 2):
        yield AttemptStarted(run_id=run_id, procedure_id=id, attempt=number)
        yield StepFinished(
            run_id=run_id,
            procedure_id=id,
            attempt=number,
            step="1",
            status=StepStatus.DIVERGED,
            text="Enter hunter2-of-tracing",
        )
    yield ProcedureFinished(run_id=run_id, result=_result(id))


def _result(id: str) -> ProcedureResult:
    return ProcedureResult(
        id=id,
        title="Create a disk",
        title_path=("Disks",),
        document="docs/a.md",
        line=1,
        end_line=2,
        verdict=Verdict.DRIFTED,
        goal=Goal(reached=True, channels=()),
        path="diverged",
        decided_by="literal",
        attempts=2,
        cost=Cost(),
        steps=(),
        findings=(),
    )


def test_a_run_is_a_tree_of_spans_at_the_collector(collector):
    learn("hunter2-of-tracing")
    with tracing(TelemetrySettings(otlp_endpoint=collector.address)) as tell:
        tell(RunStarted(run_id="r1", procedures=2))
        for one, other in zip(a_procedure("r1", "p1"), a_procedure("r1", "p2"), strict=True):
            tell(one)
            time.sleep(0.002)
            tell(other)
        tell(_ended("r1"))
    assert collector.paths == {"/v1/traces"}
    assert collector.tree() == [
        ("", "run"),
        *[("attempt", "step")] * 4,
        *[("procedure", "attempt")] * 4,
        *[("run", "procedure")] * 2,
    ]
    assert len({span["trace"] for span in collector.spans}) == 1
    assert {span["of"] for span in collector.spans} == {"console-docs-appliance"}
    procedure = next(span for span in collector.spans if span["name"] == "procedure")
    assert (procedure["verdict"], procedure["procedure.title"]) == ("drifted", "Create a disk")
    steps = [span for span in collector.spans if span["name"] == "step"]
    assert {span["text"] for span in steps} == {"Enter ***"}
    assert all(span["took"] > 0 for span in collector.spans if span["name"] == "attempt")


def _ended(run_id: str) -> SweepProgressed:
    return SweepProgressed(
        sweep_id=run_id,
        state="done",
        done=2,
        total=2,
        running=0,
        rate_per_minute=None,
        seconds_left=None,
    )


def test_what_is_under_way_at_the_end_is_sent_too(collector):
    with tracing(TelemetrySettings(otlp_endpoint=f"{collector.address}/")) as tell:
        tell(RunStarted(run_id="r1", procedures=1))
        for event in list(a_procedure("r1", "p1"))[:3]:
            tell(event)
    assert [name for _, name in collector.tree()] == ["run", "step", "attempt", "procedure"]


def test_without_a_collector_nothing_is_sent_or_started(collector):
    before = threading.active_count()
    with tracing(TelemetrySettings()) as tell:
        for event in a_procedure("r1", "p1"):
            tell(event)
        assert threading.active_count() == before
    assert collector.spans == []


def test_a_collector_that_is_away_slows_nothing():
    address = "http://127.0.0.1:9"
    with tracing(TelemetrySettings(otlp_endpoint=address), send_every_ms=1) as tell:
        began = time.monotonic()
        for number in range(300):
            for event in a_procedure("r1", f"p{number}"):
                tell(event)
        told_s = time.monotonic() - began
        ending = time.monotonic()
    assert told_s < 5
    assert time.monotonic() - ending < 10


def test_an_event_out_of_order_is_no_error(collector):
    with tracing(TelemetrySettings(otlp_endpoint=collector.address)) as tell:
        for event in reversed(list(a_procedure("r1", "p1"))):
            tell(event)
        tell(_ended("unknown"))
        of = _run()
        end = {"ended_at": of.ended_at, "summary": of.summary}
        tell(RunFinished(run_id=of.id, console=of.console, **end))


def _run():
    from datetime import UTC, datetime

    from appliance.core.result import RunResult

    now = datetime.now(UTC)
    return RunResult(
        id="r1",
        appliance_version="",
        commit="",
        console="",
        policy="",
        started_at=now,
        ended_at=now,
        procedures=(),
    )


def test_traces_go_through_the_proxy(tmp_path: Path) -> None:
    (tmp_path / "password").write_text(PASSWORD)
    issuer = Issuer(tmp_path / "issuer")
    with site(issuer.issue(HOST)) as there, proxy({HOST: there.port}) as gate:
        secret = SecretReference(file=tmp_path / "password")
        way = Proxy(url=gate.url, username=USER, password=secret)
        settings = TelemetrySettings(otlp_endpoint=f"https://{HOST}")
        with tracing(settings, Network(ca=issuer.file, proxy=way)) as spans:
            spans(RunStarted(run_id="r", procedures=1))
        assert "POST /v1/traces HTTP/1.1" in there.seen
        assert set(gate.seen) == {f"CONNECT {HOST}:443"}

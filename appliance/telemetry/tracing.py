"""Traces for OpenTelemetry, made from events: run → procedure → attempt → step.

Nothing leaves the machine unless the settings name a collector, and then nothing goes anywhere
else. Spans wait in a queue of fixed length and are sent by a thread: while the collector is away,
they are dropped, and nobody waits.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Thread
from typing import TypeAlias

import requests
import structlog
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.sampling import ALWAYS_ON
from opentelemetry.trace import Span, set_span_in_context

from appliance import __version__
from appliance.config import TelemetrySettings
from appliance.core.build import commit
from appliance.core.events import (
    AttemptStarted,
    Event,
    ProcedureFinished,
    ProcedureStarted,
    RunFinished,
    RunStarted,
    StepFinished,
    Subscriber,
    SweepProgressed,
)
from appliance.core.secrets import without_secrets
from appliance.system.network.network import DIRECT, Network
from appliance.system.network.sessions import speak_through

About: TypeAlias = Mapping[str, str | int]

NAME = "console-docs-appliance"
_PATH = "/v1/traces"
_EXPORT_TIMEOUT_S = 10.0
_SEND_EVERY_MS = 5000
_QUEUE = 4096
"""Spans: some hundred procedures."""
_LAST_SEND_S = 2.0
"""How long the end of the program waits for the last spans to leave."""


@contextmanager
def tracing(
    settings: TelemetrySettings,
    network: Network = DIRECT,
    send_every_ms: float = _SEND_EVERY_MS,
) -> Iterator[Subscriber]:
    """A subscriber of `core.events` that sends traces, where a collector is named."""
    if not settings.otlp_endpoint:
        yield _ignore
        return
    session = speak_through(network, requests.Session())
    exporter = _ReportingExporter(
        OTLPSpanExporter(
            endpoint=_address(settings.otlp_endpoint), timeout=_EXPORT_TIMEOUT_S, session=session
        )
    )
    batches = BatchSpanProcessor(
        exporter, max_queue_size=_QUEUE, schedule_delay_millis=send_every_ms
    )
    provider = TracerProvider(
        sampler=ALWAYS_ON,
        resource=Resource(
            {"service.name": NAME, "service.version": __version__, "vcs.revision": commit()}
        ),
        shutdown_on_exit=False,
    )
    provider.add_span_processor(batches)
    spans = Spans(provider)
    try:
        yield spans
    finally:
        spans.close()
        last = Thread(target=batches.shutdown, name="last traces", daemon=True)
        last.start()
        last.join(_LAST_SEND_S)
        exporter.shutdown()


class Spans:
    """A subscriber that begins and ends spans as runs, procedures and attempts do."""

    def __init__(self, provider: TracerProvider) -> None:
        self._tracer = provider.get_tracer(NAME, __version__)
        self._runs: dict[str, Span] = {}
        self._procedures: dict[tuple[str, str], Span] = {}
        self._attempts: dict[tuple[str, str], Span] = {}
        self._since: dict[tuple[str, str], int] = {}

    def __call__(self, event: Event) -> None:
        """Take in an event."""
        match event:
            case RunStarted(run_id=run_id, run=run):
                _end(self._runs.pop(run_id, None))
                self._runs[run_id] = self._begin(
                    "run", None, {"run.id": run_id, "console": run.console if run else ""}
                )
            case ProcedureStarted(run_id=run_id, procedure_id=id, title=title):
                self._procedures[run_id, id] = self._begin(
                    "procedure",
                    self._runs.get(run_id),
                    {"procedure.id": id, "procedure.title": title},
                )
            case AttemptStarted(run_id=run_id, procedure_id=id, attempt=number):
                self._start_attempt((run_id, id), number)
            case StepFinished():
                self._add_step(event)
            case ProcedureFinished(run_id=run_id, result=result):
                attributes: About = {
                    "verdict": result.verdict.value,
                    "findings": len(result.findings),
                }
                self._end_procedure((run_id, result.id), attributes)
            case RunFinished(run_id=run_id):
                self._end_run(run_id)
            case SweepProgressed(sweep_id=run_id, state=state) if state != "running":
                self._end_run(run_id)

    def close(self) -> None:
        """End what is open: the program ends."""
        for run_id in [*self._runs, *(run_id for run_id, _ in self._procedures)]:
            self._end_run(run_id)

    def _start_attempt(self, key: tuple[str, str], number: int) -> None:
        _end(self._attempts.pop(key, None))
        above = self._procedures.get(key)
        self._attempts[key] = self._begin("attempt", above, {"attempt": number})
        self._since[key] = time.time_ns()

    def _add_step(self, event: StepFinished) -> None:
        key = (event.run_id, event.procedure_id)
        about = {"step": event.step, "status": event.status.value, "text": event.text}
        now = time.time_ns()
        since = self._since.get(key, now)
        self._since[key] = now
        self._begin("step", self._attempts.get(key), about, since).end(now)

    def _end_procedure(self, key: tuple[str, str], about: About | None = None) -> None:
        self._since.pop(key, None)
        _end(self._attempts.pop(key, None))
        _end(self._procedures.pop(key, None), about)

    def _end_run(self, run_id: str) -> None:
        for key in [key for key in self._procedures if key[0] == run_id]:
            self._end_procedure(key)
        _end(self._runs.pop(run_id, None))

    def _begin(
        self,
        name: str,
        above: Span | None,
        about: About,
        since: int | None = None,
    ) -> Span:
        around = set_span_in_context(above) if above else Context()
        span = self._tracer.start_span(name, around, start_time=since or time.time_ns())
        span.set_attributes(_plain(about))
        return span


def _end(span: Span | None, about: About | None = None) -> None:
    if span is not None:
        span.set_attributes(_plain(about or {}))
        span.end()


def _plain(about: About) -> About:
    return {
        key: without_secrets(value) if isinstance(value, str) else value
        for key, value in about.items()
    }


def _address(endpoint: str) -> str:
    base = endpoint.rstrip("/")
    return base if base.endswith(_PATH) else base + _PATH


def _ignore(event: Event) -> None:
    """No collector is named."""


class _ReportingExporter(SpanExporter):
    """Says once that the collector is away, and once that it is back."""

    def __init__(self, exporter: SpanExporter) -> None:
        self._exporter = exporter
        self._is_away = False
        self._log = structlog.get_logger(__name__)

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        result = self._exporter.export(spans)
        is_away = result is not SpanExportResult.SUCCESS
        if is_away and not self._is_away:
            self._log.warning("traces are dropped: telemetry.otlp_endpoint does not answer")
        if self._is_away and not is_away:
            self._log.info("traces are sent again: telemetry.otlp_endpoint answers")
        self._is_away = is_away
        return result

    def shutdown(self) -> None:
        self._exporter.shutdown()

"""Numbers for Prometheus, counted from events in one subscriber.

Every label has few values: names of the settings, closed sets, and path templates. What is not of
them counts as `other`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import generate_latest
from prometheus_client.metrics import disable_created_metrics
from prometheus_client.metrics_core import GaugeMetricFamily
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from appliance import __version__
from appliance.core.build import commit
from appliance.core.errors import ApplianceError
from appliance.core.events import (
    AccountQuarantined,
    AttemptStarted,
    Event,
    FindingClosed,
    FindingOpened,
    PersonAnswered,
    PersonAsked,
    ProcedureFinished,
    ResourceProgressed,
    RunFinished,
    RunStarted,
    StepFinished,
    SweepProgressed,
)

OTHER = "other"
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_DEEDS = {"created": "made", "deleted": "removed", "failed": "failed"}
_PROCEDURE_SECONDS = (1, 2.5, 5, 10, 20, 40, 80, 160, 320, 640)
"""Bounds: a replayed procedure takes seconds, one with a virtual machine minutes."""
_REQUEST_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)


@dataclass(frozen=True, slots=True)
class Measurement:
    """A number that is looked up whenever somebody asks for the metrics."""

    name: str
    """Without `appliance_`."""
    help: str
    value: float
    labels: tuple[tuple[str, str], ...] = ()


Readings = Callable[[], Iterable[Measurement]]


class Metrics:
    """A subscriber of `core.events` with a registry of its own."""

    def __init__(self) -> None:
        # When a series began, which doubles their number.
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self._registry = CollectorRegistry()
        self._consoles: dict[str, str] = {}
        self._sweeps: dict[str, SweepProgressed] = {}
        ProcessCollector(registry=self._registry)
        PlatformCollector(registry=self._registry)
        self._gauge("build_info", "Which build this is.", "version", "commit").labels(
            __version__, commit()
        ).set(1)
        self._procedures = self._counter("procedures", "Verdicts.", "console", "verdict")
        self._procedure_seconds = self._histogram(
            "procedure_seconds", "Wall-clock time of a procedure.", _PROCEDURE_SECONDS, "console"
        )
        self._attempts = self._counter("attempts", "Attempts begun.")
        self._steps = self._counter("steps", "Documented steps.", "status")
        self._opened = self._counter("findings_opened", "Findings opened.", "console", "kind")
        self._closed = self._counter("findings_closed", "Findings closed.", "console", "kind")
        self._resources = self._counter("resources", "Made or removed in a cloud.", "deed")
        self._quarantines = self._counter("quarantines", "Accounts kept from use.", "console")
        self._runs = self._counter("runs", "Runs that have ended.", "console")
        self._questions = self._counter("questions", "Questions to people.", "kind")
        self._settled = self._counter(
            "questions_settled", "What became of questions to people.", "kind", "state"
        )
        self._requests = self._counter("http_requests", "Requests.", "method", "route", "status")
        self._request_seconds = self._histogram(
            "http_request_seconds", "Time to the last byte.", _REQUEST_SECONDS, "route"
        )
        self._schedules = self._counter("schedules", "What the clock has done.", "job", "outcome")
        self._log_ins = self._counter("log_ins", "Keys that somebody logged in with.", "outcome")
        self._webhooks = self._counter("webhooks", "Messages sent.", "webhook", "outcome")
        self.watch(self._progress)

    def __call__(self, event: Event) -> None:
        """Count an event."""
        self._count_of_runs(event)
        self._count_of_verification(event)
        self._count_of_findings(event)

    def _count_of_runs(self, event: Event) -> None:
        match event:
            case RunStarted(run_id=run_id, run=run):
                self._consoles[run_id] = run.console if run else ""
            case SweepProgressed(sweep_id=sweep_id, state=state):
                self._sweeps[sweep_id] = event
                if state != "running":
                    del self._sweeps[sweep_id]
            case RunFinished(run_id=run_id, console=console):
                self._runs.labels(self._consoles.pop(run_id, console)).inc()

    def _count_of_verification(self, event: Event) -> None:
        match event:
            case AttemptStarted():
                self._attempts.inc()
            case StepFinished(status=status):
                self._steps.labels(status.value).inc()
            case ProcedureFinished(run_id=run_id, result=result):
                console = self._consoles.get(run_id, "")
                self._procedures.labels(console, result.verdict.value).inc()
                self._procedure_seconds.labels(console).observe(result.cost.wall_s)
            case PersonAsked(kind=kind):
                self._questions.labels(kind.value).inc()
            case PersonAnswered(kind=kind, state=state):
                self._settled.labels(kind.value, state.value).inc()
            case ResourceProgressed(doing=doing) if doing in _DEEDS:
                self._resources.labels(_DEEDS[doing]).inc()

    def _count_of_findings(self, event: Event) -> None:
        match event:
            case FindingOpened(console=console, finding=finding):
                self._opened.labels(console, finding.kind.value).inc()
            case FindingClosed(console=console, finding=finding):
                self._closed.labels(console, finding.kind.value).inc()
            case AccountQuarantined(console=console):
                self._quarantines.labels(console).inc()

    def requested(self, method: str, route: str, status: int, seconds: float) -> None:
        """A request was answered; `route` is the path template, empty where there is none."""
        known = method if method in _METHODS else OTHER
        self._requests.labels(known, route or OTHER, str(status)).inc()
        self._request_seconds.labels(route or OTHER).observe(seconds)

    def schedule_ran(self, name: str, job: str, outcome: str) -> None:
        """Something was done by the clock. The name is not kept: people make them up."""
        self._schedules.labels(job, outcome).inc()

    def logged_in(self, outcome: str) -> None:
        """A key was sent: `done` (to the dashboard), `refused` or `locked out` (anywhere)."""
        self._log_ins.labels(outcome).inc()

    def webhook_delivered(self, name: str, outcome: str) -> None:
        """A message of a webhook of the settings was sent, or could not be."""
        self._webhooks.labels(name, outcome).inc()

    def watch(self, readings: Readings) -> None:
        """Look these up, too, whenever somebody asks. What fails is left out that time."""
        self._registry.register(_MeasurementCollector(readings))

    def exposition(self) -> tuple[bytes, str]:
        """All of it as text, and its content type; who answers adds the charset (UTF-8)."""
        return generate_latest(self._registry), CONTENT_TYPE_LATEST.partition("; charset")[0]

    def _progress(self) -> Iterator[Measurement]:
        runs = tuple(self._sweeps.values())
        yield Measurement("runs_under_way", "Runs under way.", len(runs))
        yield Measurement("sweep_procedures", "Of runs under way.", *_part(runs, "done"))
        yield Measurement("sweep_procedures", "Of runs under way.", *_part(runs, "running"))
        waiting = sum(run.total - run.done - run.running for run in runs)
        labels = (("state", "waiting"),)
        yield Measurement("sweep_procedures", "Of runs under way.", waiting, labels)
        rate = sum(run.rate_per_minute or 0.0 for run in runs)
        yield Measurement("sweep_rate_per_minute", "Verdicts a minute.", rate)
        seconds_left = max((run.seconds_left or 0.0 for run in runs), default=0.0)
        yield Measurement(
            "sweep_seconds_left", "Until the last run is done, as it looks.", seconds_left
        )

    def _counter(self, name: str, help: str, *labels: str) -> Counter:
        return Counter(f"appliance_{name}", help, labels, registry=self._registry)

    def _gauge(self, name: str, help: str, *labels: str) -> Gauge:
        return Gauge(f"appliance_{name}", help, labels, registry=self._registry)

    def _histogram(
        self, name: str, help: str, buckets: tuple[float, ...], *labels: str
    ) -> Histogram:
        return Histogram(
            f"appliance_{name}", help, labels, registry=self._registry, buckets=buckets
        )


def _part(runs: Iterable[SweepProgressed], name: str) -> tuple[float, tuple[tuple[str, str], ...]]:
    return sum(getattr(run, name) for run in runs), (("state", name),)


class _MeasurementCollector(Collector):
    def __init__(self, readings: Readings) -> None:
        self._readings = readings

    def describe(self) -> Iterable[GaugeMetricFamily]:
        return ()  # else they would be looked up once at the start

    def collect(self) -> Iterator[GaugeMetricFamily]:
        families: dict[str, GaugeMetricFamily] = {}
        try:
            for reading in self._readings():
                labels: Mapping[str, str] = dict(reading.labels)
                name = f"appliance_{reading.name}"
                family = families.setdefault(
                    name, GaugeMetricFamily(name, reading.help, labels=list(labels))
                )
                family.add_metric(list(labels.values()), reading.value)
        except ApplianceError:
            return
        yield from families.values()

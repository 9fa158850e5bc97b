from datetime import UTC, datetime

import pytest
from prometheus_client.parser import text_string_to_metric_families

from appliance import __version__
from appliance.core.errors import StoreError
from appliance.core.events import (
    AccountQuarantined,
    AttemptStarted,
    FindingClosed,
    FindingOpened,
    ProcedureFinished,
    ResourceProgressed,
    RunFinished,
    RunStarted,
    StepFinished,
    SweepProgressed,
)
from appliance.core.result import Cost, Finding, Goal, ProcedureResult, RunResult
from appliance.core.verdict import DivergenceKind, Severity, StepStatus, Verdict
from appliance.telemetry.metrics import Measurement, Metrics

NOW = datetime(2026, 11, 21, 7, 30, tzinfo=UTC)
FINDING = Finding(
    id="f1",
    fingerprint="p1",
    kind=DivergenceKind.RENAMED_LABEL,
    severity=Severity.MISLEADS,
    confidence=0.9,
    document="docs/a.md",
    line=1,
    column=1,
    end_line=1,
    end_column=2,
    quote="a",
    shown="b",
    suggestion="b",
    step="1",
    evidence=(),
)


def run(run_id: str = "r1") -> RunResult:
    return RunResult(
        id=run_id,
        appliance_version=__version__,
        commit="c",
        console="practice",
        policy="auto",
        started_at=NOW,
        ended_at=NOW,
        procedures=(),
    )


def result(verdict: Verdict, wall_s: float = 3.0) -> ProcedureResult:
    return ProcedureResult(
        id="p1",
        title="P",
        title_path=("P",),
        document="docs/a.md",
        line=1,
        end_line=2,
        verdict=verdict,
        goal=Goal(reached=True, channels=()),
        path="as_written",
        decided_by="literal",
        attempts=1,
        cost=Cost(wall_s=wall_s),
        steps=(),
        findings=(),
    )


def progress(sweep_id: str, state: str = "running", **more: object) -> SweepProgressed:
    numbers = {"done": 2, "total": 10, "running": 1, "rate_per_minute": 4.0, "seconds_left": 90.0}
    return SweepProgressed(sweep_id=sweep_id, state=state, **(numbers | more))


def values(metrics: Metrics) -> dict[str, float]:
    text, content_type = metrics.exposition()
    assert content_type.startswith("text/plain; version=")
    return {
        sample.name.removeprefix("appliance_")
        + "".join(f" {name}={value}" for name, value in sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text.decode())
        for sample in family.samples
    }


@pytest.fixture
def metrics() -> Metrics:
    return Metrics()


def test_verdicts_are_counted_by_console(metrics):
    metrics(RunStarted(run_id="r1", procedures=3, run=run()))
    for verdict in (Verdict.DRIFTED, Verdict.DRIFTED, Verdict.VERIFIED):
        metrics(ProcedureFinished(run_id="r1", result=result(verdict)))
    of, end = run(), run().ended_at
    metrics(RunFinished(run_id=of.id, console=of.console, ended_at=end, summary=of.summary))
    told = values(metrics)
    assert told["procedures_total console=practice verdict=drifted"] == 2
    assert told["procedures_total console=practice verdict=verified"] == 1
    assert told["procedure_seconds_sum console=practice"] == 9
    assert told["procedure_seconds_bucket console=practice le=5.0"] == 3
    assert told["procedure_seconds_bucket console=practice le=2.5"] == 0
    assert told["runs_total console=practice"] == 1


def test_everything_else_that_is_told_is_counted(metrics):
    metrics(AttemptStarted(run_id="r1", procedure_id="p1", attempt=1))
    metrics(
        StepFinished(
            run_id="r1", procedure_id="p1", attempt=1, step="1", status=StepStatus.AS_WRITTEN
        )
    )
    for doing in ("creating", "created", "deleting", "deleted", "failed", "thinking"):
        metrics(ResourceProgressed(procedure_id="p1", attempt_id="a", what="disk", doing=doing))
    metrics(FindingOpened(console="practice", incident_id="i", finding=FINDING))
    metrics(FindingClosed(console="practice", incident_id="i", finding=FINDING))
    metrics(AccountQuarantined(console="practice", account="ada", reason="x", by="health"))
    metrics.schedule_ran("nightly", "sweep", "done")
    metrics.webhook_delivered("chat", "dead")
    told = values(metrics)
    assert told["attempts_total"] == 1
    assert told["steps_total status=as_written"] == 1
    assert {
        deed: told[f"resources_total deed={deed}"] for deed in ("made", "removed", "failed")
    } == {
        "made": 1,
        "removed": 1,
        "failed": 1,
    }
    assert told["findings_opened_total console=practice kind=renamed_label"] == 1
    assert told["findings_closed_total console=practice kind=renamed_label"] == 1
    assert told["quarantines_total console=practice"] == 1
    assert told["schedules_total job=sweep outcome=done"] == 1
    assert told["webhooks_total outcome=dead webhook=chat"] == 1
    assert any(name.startswith("build_info") and __version__ in name for name in told)
    assert told["process_resident_memory_bytes"] > 0


def test_how_far_runs_are_that_are_under_way(metrics):
    metrics(progress("s1"))
    metrics(progress("s1", done=3))
    metrics(progress("v1", done=0, total=1, running=1, rate_per_minute=None, seconds_left=200.0))
    told = values(metrics)
    assert told["runs_under_way"] == 2
    states = {
        name: told[f"sweep_procedures state={name}"] for name in ("done", "running", "waiting")
    }
    assert states == {"done": 3, "running": 2, "waiting": 6}
    assert told["sweep_rate_per_minute"] == 4
    assert told["sweep_seconds_left"] == 200
    metrics(progress("s1", state="paused"))
    metrics(progress("v1", state="done"))
    metrics(progress("never begun", state="cancelled"))
    assert values(metrics)["runs_under_way"] == 0


def test_requests_have_few_labels(metrics):
    metrics.requested("GET", "/api/v1/runs/{run_id:str}", 200, 0.02)
    for number in range(50):
        metrics.requested(f"BREW{number}", "", 404, 0.001)
    told = values(metrics)
    assert told["http_requests_total method=GET route=/api/v1/runs/{run_id:str} status=200"] == 1
    assert told["http_requests_total method=other route=other status=404"] == 50
    assert told["http_request_seconds_bucket le=0.025 route=/api/v1/runs/{run_id:str}"] == 1


def test_numbers_that_are_looked_up(metrics):
    free = [3.0]

    def look():
        yield Measurement("accounts", "Accounts.", free[0], (("standing", "free"),))
        yield Measurement("accounts", "Accounts.", 1, (("standing", "leased"),))

    metrics.watch(look)
    assert values(metrics)["accounts standing=free"] == 3
    free[0] = 2.0
    told = values(metrics)
    assert (told["accounts standing=free"], told["accounts standing=leased"]) == (2, 1)


def test_what_cannot_be_looked_up_is_left_out(metrics):
    def look():
        raise StoreError("closed")
        yield

    metrics.watch(look)
    assert values(metrics)["attempts_total"] == 0


def test_two_of_them_know_nothing_of_each_other():
    one, other = Metrics(), Metrics()
    one(AttemptStarted(procedure_id="p1", attempt=1))
    assert (values(one)["attempts_total"], values(other)["attempts_total"]) == (1, 0)

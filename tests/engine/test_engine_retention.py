import json
import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from appliance.config import RetentionSettings
from appliance.core.resources import Lifetime, Phase
from appliance.core.result import (
    ArtifactRef,
    Cost,
    Evidence,
    Finding,
    Goal,
    ProcedureResult,
    RunResult,
    StepResult,
)
from appliance.core.verdict import DivergenceKind, Severity, StepStatus, Verdict
from appliance.engine.schedules.retention import retain
from appliance.store.backup import Backups
from appliance.store.expiry import files_in, remove_file
from appliance.store.incident import TriageAction, TriageDecision
from appliance.store.paging import Paging
from appliance.store.store import Store
from appliance.store.sweeps import SweepRow, SweepState

NOW = datetime(2026, 11, 21, 7, tzinfo=UTC)
SETTINGS = RetentionSettings(runs_days=100, artifacts_days=30, artifacts_gib=1, backups=2)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "data") as store:
        yield store


def days_ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


def a_run(store: Store, id: str, days: float, *results: ProcedureResult) -> None:
    run = RunResult(
        id=id,
        appliance_version="1",
        commit="c",
        console="practice",
        policy="auto",
        started_at=days_ago(days),
        ended_at=days_ago(days),
        procedures=(),
        documents={"docs/a.md": "ff"},
    )
    store.start_run(run, len(results))
    for result in results:
        store.save_procedure(id, result)
    if results:
        with store.session.transaction("ageing") as connection:
            at = days_ago(days).replace(tzinfo=None)
            connection.execute("UPDATE procedures SET saved_at = ? WHERE run_id = ?", [at, id])
            connection.execute("UPDATE runs SET ended_at = ? WHERE id = ?", [at, id])


def a_result(id: str, *findings: Finding, picture: ArtifactRef | None = None) -> ProcedureResult:
    return ProcedureResult(
        id=id,
        title=id,
        title_path=(id,),
        document="docs/a.md",
        line=1,
        end_line=9,
        verdict=Verdict.DRIFTED if findings else Verdict.VERIFIED,
        goal=Goal(reached=True, channels=()),
        path="as_written",
        decided_by="literal",
        attempts=1,
        cost=Cost(),
        steps=(
            StepResult(index="1", line=2, text="x", status=StepStatus.AS_WRITTEN, after=picture),
        ),
        findings=findings,
    )


def a_finding(print_: str, picture: ArtifactRef | None = None) -> Finding:
    return Finding(
        id=f"f-{print_}",
        fingerprint=print_,
        kind=DivergenceKind.RENAMED_LABEL,
        severity=Severity.MISLEADS,
        confidence=0.9,
        document="docs/a.md",
        line=2,
        column=1,
        end_line=2,
        end_column=5,
        quote="Old",
        shown="New",
        suggestion="New",
        step="1",
        evidence=(Evidence(kind="before", caption="Before", artifact=picture),) if picture else (),
    )


def runs_of(store: Store) -> list[str]:
    return sorted(row.id for row in store.listings.runs(Paging(limit=1000)).items)


def put(store: Store, data: bytes, days: float) -> ArtifactRef:
    ref = store.artifacts.put(data, "image/jpeg")
    aged(store.artifacts.path(ref), days)
    return ref


def aged(path: Path, days: float) -> None:
    at = days_ago(days).timestamp()
    os.utime(path, (at, at))


def is_there(store: Store, ref: ArtifactRef) -> bool:
    return store.artifacts.path(ref).exists()


def test_old_runs_go_but_not_the_last_verdict_on_a_procedure(store):
    a_run(store, "older", 300, a_result("p1"), a_result("p2"))
    a_run(store, "old", 200, a_result("p1"))
    a_run(store, "alone", 200, a_result("p3"))
    a_run(store, "young", 50, a_result("p1"))
    a_run(store, "youngest", 5, a_result("p1"), a_result("p2"))
    done = retain(store, SETTINGS, NOW)
    assert done.runs == ("older", "old")
    assert runs_of(store) == ["alone", "young", "youngest"]
    with store.session.reading("counting") as connection:
        for table in ("procedures", "steps", "documents"):
            rows = connection.execute(
                f"SELECT count(*) FROM {table} WHERE run_id IN ('older', 'old')"
            ).fetchone()
            assert rows == (0,), table
    assert str(done) == "removed 2 runs"
    assert store.listings.procedure("practice", "p3").run_id == "alone"


def test_what_a_finding_points_to_stays_until_it_is_settled(store):
    a_run(store, "showed it", 300, a_result("p1", a_finding("one")))
    incident = store.incidents.page(Paging()).items[0]
    a_run(store, "blocked", 200, blocked("p1"))
    a_run(store, "last", 5, blocked("p1"))
    assert retain(store, SETTINGS, NOW).runs == ("blocked",)
    a_run(store, "clean", 4, a_result("p1"))
    assert store.incidents.get(incident.id).state == "closed"
    assert retain(store, SETTINGS, NOW).runs == ("showed it",)


def test_what_was_rejected_keeps_its_run_only_while_it_is_seen(store):
    a_run(store, "showed it", 300, a_result("p1", a_finding("one")))
    incident = store.incidents.page(Paging()).items[0]
    store.incidents.triage(incident.id, TriageDecision(TriageAction.REJECT), by="eva", at=NOW)
    a_run(store, "blocked", 5, blocked("p1"))
    assert retain(store, SETTINGS, NOW).runs == ()
    a_run(store, "clean", 4, a_result("p1"))
    assert retain(store, SETTINGS, NOW).runs == ("showed it",)


def blocked(id: str) -> ProcedureResult:
    return replace(a_result(id), verdict=Verdict.BLOCKED, path="", steps=())


def test_what_is_under_way_or_not_cleaned_up_stays(store):
    for id in ("busy", "paused", "left something", "gone"):
        a_run(store, id, 200, a_result("p1"))
    a_run(store, "last", 5, a_result("p1"))
    sweep = SweepRow(
        id="paused",
        console="practice",
        state=SweepState.PAUSED,
        why="",
        request={},
        planned_at=days_ago(200),
    )
    store.sweeps.add(sweep, ())
    store.attempts.start(
        Lifetime(
            id="a1",
            run_id="left something",
            procedure_id="p1",
            number=1,
            console="practice",
            account="ada",
            unique="u",
            phase=Phase.DESTROYING,
            since=days_ago(200),
            baseline=None,
            expires_at=days_ago(199),
            started_at=days_ago(200),
            ends_with_run=False,
        )
    )
    assert retain(store, SETTINGS, NOW, busy={"busy"}).runs == ("gone",)
    store.attempts.enter("a1", Phase.DONE, at=NOW)
    store.sweeps.cancel("paused", "by hand", NOW)
    assert set(retain(store, SETTINGS, NOW).runs) == {"busy", "paused", "left something"}
    assert store.attempts.get("a1") is None
    assert store.sweeps.get("paused") is None


def test_pictures_go_before_their_runs(store):
    old, shared, young = (put(store, data, 60) for data in (b"old", b"shared", b"young"))
    a_run(store, "r1", 60, a_result("p1", picture=old))
    aged(store.artifacts.path(young), 10)
    store.artifacts.put(b"shared", "image/jpeg")  # a later run shows the same
    done = retain(store, SETTINGS, NOW)
    assert (done.artifacts.count, done.artifacts.bytes) == (1, 3)
    assert [is_there(store, ref) for ref in (old, shared, young)] == [False, True, True]
    assert store.load_run("r1").procedures[0].steps[0].after == old


def test_the_evidence_of_an_open_finding_stays(store):
    shown, settled = put(store, b"shown", 200), put(store, b"settled", 200)
    a_run(store, "r1", 200, a_result("p1", a_finding("one", shown)))
    a_run(store, "r2", 200, a_result("p2", a_finding("two", settled)))
    a_run(store, "r3", 150, a_result("p2"))
    assert retain(store, SETTINGS, NOW).artifacts.count == 1
    assert (is_there(store, shown), is_there(store, settled)) == (True, False)


def test_the_oldest_go_until_the_rest_is_small_enough(store):
    refs = [put(store, bytes([n]) * 1000, 20 - n) for n in range(10)]
    fresh = put(store, b"f" * 1000, 0.1)
    limit = RetentionSettings(artifacts_gib=4500 / (1 << 30))
    done = retain(store, limit, NOW)
    assert (done.artifacts.count, done.too_large) == (7, 0)
    assert [is_there(store, ref) for ref in refs] == [False] * 7 + [True] * 3
    tight = RetentionSettings(artifacts_gib=500 / (1 << 30))
    done = retain(store, tight, NOW)
    assert (done.artifacts.count, done.too_large) == (3, 500)
    assert is_there(store, fresh)
    assert "above the limit" in str(done)


def test_uploads_reports_inits_and_backups(store):
    data_dir = store.path.parent
    a_run(store, "gone", 200, a_result("p1"))
    a_run(store, "kept", 60, a_result("p1"))
    terraform = data_dir / "terraform"
    for folder, days in {
        "uploads/gone": 200,
        "uploads/kept": 60,
        "uploads/just-asked-for": 0,
        "reports/gone": 200,
        "reports/kept": 20,
        "terraform/inits/used/.terraform": 200,
        "terraform/inits/unused/.terraform": 200,
        "terraform/inits/young/.terraform": 2,
    }.items():
        (data_dir / folder).mkdir(parents=True)
        for path in (data_dir / folder, (data_dir / folder).parent):
            aged(path, days)
    (terraform / "workspaces" / "a1" / ".terraform").mkdir(parents=True)
    (terraform / "workspaces" / "a1" / ".terraform" / "providers").symlink_to(
        terraform / "inits" / "used" / ".terraform" / "providers"
    )
    made = [Backups(store.session).make(days_ago(n)) for n in range(3)]

    would = retain(store, SETTINGS, NOW, dry_run=True)
    assert (data_dir / "uploads" / "gone").exists()
    assert runs_of(store) == ["gone", "kept"]
    assert len(Backups(store.session).list()) == 3
    assert str(would).startswith("would remove 1 run")
    assert not (data_dir / "retention.jsonl").exists()

    assert retain(store, SETTINGS, NOW, busy={"x"}, dry_run=True).inits == ()
    done = retain(store, SETTINGS, NOW)
    assert done.uploads == ("gone",)
    assert done.reports == ("gone",)
    assert done.inits == ("unused",)
    assert done.backups == (made[2].id,)
    assert (done.runs, would.runs) == (("gone",), ("gone",))
    assert (would.uploads, would.reports, would.inits) == (done.uploads, done.reports, done.inits)
    assert sorted(p.name for p in (terraform / "inits").iterdir()) == ["used", "young"]
    (receipt,) = (data_dir / "retention.jsonl").read_text().splitlines()
    assert json.loads(receipt)["runs"] == ["gone"]
    assert retain(store, SETTINGS, NOW).is_empty
    assert len((data_dir / "retention.jsonl").read_text().splitlines()) == 1


def test_a_picture_that_is_put_again_meanwhile_stays(store):
    ref = put(store, b"same", 60)
    (seen,) = files_in(store.path.parent / "artifacts")
    store.artifacts.put(b"same", "image/jpeg")
    assert not remove_file(seen)
    assert store.artifacts.get(ref) == b"same"
    (seen,) = files_in(store.path.parent / "artifacts")
    assert remove_file(seen)
    assert not is_there(store, ref)
    assert not remove_file(seen)


def test_nothing_past_its_time_is_said_so(store):
    assert str(retain(store, SETTINGS, NOW)) == "nothing is past its time"

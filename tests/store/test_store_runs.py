import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from appliance.core.errors import StoreError
from appliance.core.events import (
    AttemptStarted,
    Events,
    ProcedureFinished,
    RunFinished,
    RunStarted,
)
from appliance.core.result import Finding, ProcedureResult, RunResult, StepResult
from appliance.store.paging import Paging
from appliance.store.store import Store
from appliance.store.writer import StoreWriter

MakeRun = Callable[..., RunResult]
MakeProcedure = Callable[..., ProcedureResult]

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
LINES = st.integers(1, 10**6)


def test_a_run_comes_back_as_it_was(store: Store, run: MakeRun, procedure: MakeProcedure) -> None:
    kept = run("r1", procedure(2, findings=2), procedure(1), procedure(3, findings=1, steps=0))
    store.save_run(kept)
    assert store.load_run("r1") == kept


def test_a_run_is_there_after_the_store_was_closed(
    tmp_path: Path, run: MakeRun, procedure: MakeProcedure
) -> None:
    kept = run("r1", procedure(1, findings=1))
    with Store.open(tmp_path) as store:
        store.save_run(kept)
    with Store.open(tmp_path) as store:
        assert store.load_run("r1") == kept


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    text=TEXT,
    steps=st.lists(st.builds(StepResult, line=LINES, text=TEXT, note=TEXT), max_size=3),
    finding=st.builds(
        Finding,
        quote=TEXT,
        shown=TEXT,
        confidence=st.floats(0, 1),
        line=LINES,
        column=LINES,
        end_line=LINES,
        end_column=LINES,
        evidence=st.just(()),
    ),
)
def test_any_text_comes_back_as_it_was(
    store: Store,
    run: MakeRun,
    procedure: MakeProcedure,
    text: str,
    steps: list[StepResult],
    finding: Finding,
) -> None:
    odd = replace(
        procedure(1),
        title=text,
        title_path=(text, "b"),
        blocked_by=text,
        prerequisites=(text,),
        steps=tuple(steps),
        findings=(finding,),
    )
    kept = replace(run("r1", odd), config={text: [text]}, documents={text: "ff"}, console=text)
    store.save_run(kept)
    assert store.load_run("r1") == kept


def test_half_a_surrogate_pair_from_a_page_does_not_stop_the_run(
    store: Store, run: MakeRun, procedure: MakeProcedure
) -> None:
    store.save_run(run("r1", replace(procedure(1), title="Cut \ud83d off")))
    assert store.load_run("r1").procedures[0].title == "Cut ? off"


def test_a_run_under_way_shows_the_verdicts_so_far_and_is_unfinished(
    store: Store, run: MakeRun, procedure: MakeProcedure
) -> None:
    header = run("r1")
    store.start_run(header, planned=3)
    store.save_procedure("r1", procedure(2, findings=1))
    store.save_procedure("r1", procedure(1))
    (row,) = store.listings.runs(Paging()).items
    assert not row.is_finished
    assert (row.planned, row.summary.procedures, row.summary.drifted, row.summary.findings) == (
        3,
        2,
        1,
        1,
    )
    seen = store.load_run("r1")
    assert seen.procedures == (procedure(2, findings=1), procedure(1))
    assert seen.config == header.config


def test_a_verdict_saved_again_takes_the_place_of_the_first(
    store: Store, run: MakeRun, procedure: MakeProcedure
) -> None:
    store.start_run(run("r1"), planned=2)
    store.save_procedure("r1", procedure(1, findings=3))
    store.save_procedure("r1", procedure(2))
    store.save_procedure("r1", procedure(1, findings=1))
    assert store.load_run("r1").procedures == (procedure(1, findings=1), procedure(2))
    assert len(store.findings(run_id="r1")) == 1


def test_the_finished_run_has_the_order_of_the_report(
    store: Store, run: MakeRun, procedure: MakeProcedure
) -> None:
    store.start_run(run("r1"), planned=5)
    store.save_procedure("r1", procedure(2))
    store.save_procedure("r1", procedure(1))
    store.save_run(run("r1", procedure(1), procedure(2)))
    assert [p.title for p in store.load_run("r1").procedures] == ["Procedure 1", "Procedure 2"]
    (row,) = store.listings.runs(Paging()).items
    assert row.is_finished
    assert row.planned == 5


def test_runs_are_listed_newest_first_and_bounded(store: Store, run: MakeRun) -> None:
    for day in (2, 3, 1):
        store.save_run(run(f"r{day}", day=day))
    assert [row.id for row in store.listings.runs(Paging()).items] == ["r3", "r2", "r1"]
    assert [row.id for row in store.listings.runs(Paging(limit=1)).items] == ["r3"]
    assert store.listings.runs(Paging(limit=1)).items[0].started_at == datetime(
        2026, 1, 3, 2, 3, 4, 567890, tzinfo=UTC
    )


def test_an_unknown_run_is_said_to_be_unknown(store: Store) -> None:
    with pytest.raises(StoreError, match="has no run 'nope'"):
        store.load_run("nope")


def test_findings_are_found_by_run_document_and_fingerprint(
    store: Store, run: MakeRun, procedure: MakeProcedure
) -> None:
    old, new = procedure(1, findings=2), procedure(2, findings=1)
    store.save_run(run("r1", old, day=1))
    store.save_run(run("r2", new, day=2))
    assert [(f.run_id, f.finding) for f in store.findings()] == [
        ("r2", new.findings[0]),
        ("r1", old.findings[0]),
        ("r1", old.findings[1]),
    ]
    assert [f.procedure_id for f in store.findings(run_id="r1")] == [old.id, old.id]
    assert len(store.findings(fingerprint="print-101")) == 1
    assert store.findings(document="other.md") == ()
    assert len(store.findings(limit=2)) == 2


def test_fingerprints_known_from_other_runs(
    store: Store, run: MakeRun, procedure: MakeProcedure
) -> None:
    store.save_run(run("r1", procedure(1, findings=1)))
    store.save_run(run("r2", procedure(2, findings=1)))
    assert store.known_fingerprints("practice") == {"print-100", "print-200"}
    assert store.known_fingerprints("practice", besides="r2") == {"print-100"}
    assert store.known_fingerprints("openstack") == frozenset()


async def test_the_writer_keeps_what_the_engine_tells(
    store: Store, run: MakeRun, procedure: MakeProcedure
) -> None:
    events = Events(writer=StoreWriter(store))
    await events.record(RunStarted(run_id="r1", procedures=2, run=run("r1")))
    await events.record(AttemptStarted(procedure_id="p", attempt=1))
    await events.record(ProcedureFinished(run_id="r1", result=procedure(1)))
    assert store.listings.runs(Paging()).items[0].summary.verified == 1
    await events.record(ProcedureFinished(run_id="r1", result=procedure(2)))
    whole = run("r1", procedure(1), procedure(2))
    summary, at = whole.summary, whole.ended_at
    await events.record(RunFinished(run_id="r1", console="practice", ended_at=at, summary=summary))
    assert store.load_run("r1") == whole
    assert store.listings.runs(Paging()).items[0].is_finished


def test_a_run_that_says_only_its_id_is_kept_too(store: Store, procedure: MakeProcedure) -> None:
    write = StoreWriter(store)
    write(RunStarted(run_id="r1", procedures=1))
    write(ProcedureFinished(run_id="r1", result=procedure(1)))
    assert store.load_run("r1").procedures == (procedure(1),)


def test_threads_do_not_get_into_each_others_transactions(
    store: Store, run: MakeRun, procedure: MakeProcedure
) -> None:
    store.start_run(run("r1"), planned=20)
    results = [procedure(number, findings=1) for number in range(20)]
    threads = [Thread(target=store.save_procedure, args=("r1", result)) for result in results]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    loaded = store.load_run("r1").procedures
    assert sorted(loaded, key=lambda p: p.line) == results


KILLED = """
import sys, time
sys.path.insert(0, {tests!r})
from conftest import make_procedure, make_run
from pathlib import Path
from appliance.store.store import Store
store = Store.open(Path({data!r}))
store.start_run(make_run("r1"), planned=3)
store.save_procedure("r1", make_procedure(1, findings=2))
store.save_procedure("r1", make_procedure(2))
print("saved", flush=True)
time.sleep(60)
"""


def test_a_killed_process_loses_no_verdict(tmp_path: Path, procedure: MakeProcedure) -> None:
    script = KILLED.format(tests=str(Path(__file__).parent), data=str(tmp_path))
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    with child:
        assert child.stdout is not None
        assert child.stdout.readline() == "saved\n"
        with pytest.raises(StoreError, match=rf"in use by another process \(PID {child.pid}, "):
            Store.open(tmp_path)
        os.kill(child.pid, signal.SIGKILL)
    with Store.open(tmp_path) as store:
        assert store.load_run("r1").procedures == (procedure(1, findings=2), procedure(2))
        assert not store.listings.runs(Paging()).items[0].is_finished


def test_ten_thousand_step_results_a_second(
    store: Store, run: MakeRun, procedure: MakeProcedure
) -> None:
    results = [procedure(number, findings=1, steps=20) for number in range(250)]
    started = time.perf_counter()
    store.save_run(run("big", *results))
    took_s = time.perf_counter() - started
    # 5,000 steps: measured at about 0.3 s on one busy core; the bound leaves room for CI.
    assert took_s < 5
    assert len(store.load_run("big").procedures) == 250


def test_what_cannot_be_saved_leaves_the_store_as_it_was(
    store: Store, run: MakeRun, procedure: MakeProcedure
) -> None:
    store.save_run(run("r1", procedure(1, findings=1)))
    broken = replace(procedure(1), cost=object())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="no JSON form"):
        store.save_procedure("r1", broken)
    with pytest.raises(TypeError, match="no JSON form"):
        store.save_run(run("r1", procedure(2), broken))
    assert store.load_run("r1") == run("r1", procedure(1, findings=1))
    store.save_procedure("r1", procedure(3))
    assert len(store.load_run("r1").procedures) == 2

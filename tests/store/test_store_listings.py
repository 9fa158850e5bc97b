import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

from appliance.core.errors import StoreError
from appliance.core.result import ProcedureResult, RunResult, Summary
from appliance.core.verdict import Verdict
from appliance.store.incident import IncidentState
from appliance.store.migrations import migrate, migrations
from appliance.store.paging import Paging
from appliance.store.states import ProcedureFilter
from appliance.store.store import FILE_NAME, Store
from appliance.store.sweeps import ItemRow, ItemState, SweepRow, SweepState

MakeRun = Callable[..., RunResult]
MakeProcedure = Callable[..., ProcedureResult]

NOON = datetime(2026, 1, 3, 12, tzinfo=UTC)
WEEK = timedelta(days=7)


def item(number: int) -> ItemRow:
    return ItemRow(
        id=f"p{number}",
        procedure_id=f"p{number}",
        title=f"Procedure {number}",
        document="docs/a.md",
        line=number,
        reason="never",
        why="never verified",
        estimate_s=30.0,
        text_hash="ff",
    )


def sweep(id: str, *, day: int, **more: str) -> SweepRow:
    return SweepRow(
        id=id,
        console="practice",
        state=SweepState.WAITING,
        why="planned",
        request={},
        planned_at=datetime(2026, 1, day, tzinfo=UTC),
        **more,
    )


def test_a_run_is_in_the_list_before_it_has_begun_and_says_who_asked(
    store: Store, run: MakeRun, procedure: MakeProcedure
) -> None:
    store.sweeps.add(sweep("s1", day=5, kind="verification", requested_by="ann"), [item(1)])
    store.sweeps.add(sweep("r2", day=1), [item(1), item(2)])
    store.start_run(run("r2", day=2), planned=2)
    store.save_procedure("r2", procedure(1, findings=2))
    store.save_run(run("r1", procedure(1), day=1))
    runs = store.listings.runs(Paging())
    assert [(r.id, r.kind, r.state, r.requested_by, r.planned) for r in runs.items] == [
        ("s1", "verification", "waiting", "ann", 1),
        ("r2", "sweep", "waiting", "", 2),
        ("r1", "verification", "done", "", 1),
    ]
    assert (runs.items[1].summary.drifted, runs.items[1].summary.findings) == (1, 2)
    assert store.sweeps.get("s1") == sweep("s1", day=5, kind="verification", requested_by="ann")
    assert [r.id for r in store.listings.runs(Paging(), kind="sweep").items] == ["r2"]
    assert store.listings.runs(Paging(), state="done", console="practice").total == 1
    assert store.listings.runs(Paging(1, 1)).items == (runs.items[1],)
    assert store.listings.run("r2") == runs.items[1]
    assert store.listings.run("nope") is None


def test_a_run_that_has_ended_is_counted_anew_where_a_verdict_is_put_right(
    store: Store, run: MakeRun, procedure: MakeProcedure
) -> None:
    def counts() -> tuple[int, int, int]:
        (row,) = store.listings.runs(Paging()).items
        assert store.listings.run("r1") == row
        return row.summary.procedures, row.summary.verified, row.summary.findings

    store.start_run(run("r1"), planned=2)
    store.save_procedure("r1", procedure(1, findings=1))
    assert counts() == (1, 0, 1)
    store.save_procedure("r1", procedure(2))
    store.end_run("r1", NOON)
    assert counts() == counts() == (2, 1, 1)
    store.save_procedure("r1", procedure(1))  # an audit log came late
    assert counts() == counts() == (2, 2, 0)
    before = store.listings.counted.now()[1]
    store.save_procedure("r1", procedure(1, findings=1))
    store.listings.counted.keep({"r1": Summary()}, before)  # read before, and told after
    assert counts() == (2, 1, 1)


def test_the_last_verdict_on_each_procedure_counts(
    store: Store, run: MakeRun, procedure: MakeProcedure
) -> None:
    store.save_run(run("r1", procedure(1), procedure(2, findings=1), day=1))
    store.save_run(run("r2", procedure(1, findings=3), day=2))
    store.save_run(replace(run("r3", procedure(1), day=3), console="staging"))
    wanted = ProcedureFilter(console="practice")
    page = store.listings.procedures(Paging(), wanted, now=NOON, stale_after=WEEK)
    assert [(s.id, s.verdict, s.findings, s.run_id) for s in page.items] == [
        ("buckets/p1", Verdict.DRIFTED, 3, "r2"),
        ("buckets/p2", Verdict.DRIFTED, 1, "r1"),
    ]
    assert store.listings.procedure("practice", "buckets/p1") == page.items[0]
    assert store.listings.procedure("practice", "nope") is None
    past = store.sweeps.past("practice")
    assert {id: one.saved_at for id, one in past.items()} == {
        s.id: s.verdict_at for s in page.items
    }
    history = store.listings.history("practice", "buckets/p1")
    assert [(v.run_id, v.verdict, v.findings, v.cost_s) for v in history] == [
        ("r2", Verdict.DRIFTED, 3, 1.5),
        ("r1", Verdict.VERIFIED, 0, 1.5),
    ]
    assert store.listings.history("practice", "buckets/p1", limit=1) == history[:1]


def test_procedures_are_filtered_by_all_that_is_asked(
    store: Store, run: MakeRun, procedure: MakeProcedure
) -> None:
    old, new = procedure(1), replace(procedure(2, findings=1), title="Create 100%", document="b")
    store.save_run(run("r1", old, day=1))
    store.save_run(run("r2", new, day=2))

    def ids(**asked: Any) -> list[str]:
        after = timedelta(days=1, hours=20)
        wanted = ProcedureFilter(console="practice", **asked)
        page = store.listings.procedures(Paging(), wanted, now=NOON, stale_after=after)
        assert page.total == len(page.items)
        return [state.id for state in page.items]

    assert ids() == [new.id, old.id]
    assert ids(verdict=Verdict.VERIFIED) == [old.id]
    assert ids(document="b") == [new.id]
    assert ids(query="100%") == ids(query="CREATE") == [new.id]
    assert ids(query="1_0") == ids(query="\ud83d") == ids(document="\x00") == []
    assert ids(is_stale=True) == [old.id]
    assert ids(is_stale=False) == [new.id]


def test_documents_and_coverage_add_up_the_last_verdicts(
    store: Store, run: MakeRun, procedure: MakeProcedure
) -> None:
    in_a = [replace(procedure(n), document="docs/a.md") for n in (1, 2)]
    in_b = replace(procedure(3, findings=1), document="docs/b.md", verdict=Verdict.BROKEN)
    store.save_run(run("r1", *in_a, in_b, day=1))
    store.save_run(run("r2", replace(in_a[0], verdict=Verdict.BLOCKED), day=2))
    documents = store.listings.documents(Paging(), console="practice")
    assert [(d.path, d.revision, d.procedures, d.verdicts) for d in documents.items] == [
        ("docs/a.md", "00", 2, {"verified": 1, "blocked": 1}),
        ("docs/b.md", "ff", 1, {"broken": 1}),
    ]
    assert store.listings.documents(Paging(1, 5), console="practice").total == 2
    coverage = store.listings.coverage("practice", now=NOON, stale_after=timedelta(days=2))
    assert (coverage.procedures, coverage.verified, coverage.stale) == (3, 1, 2)
    assert (coverage.broken, coverage.blocked, coverage.drifted) == (1, 1, 0)
    assert coverage.oldest_verdict_at == documents.items[1].oldest_verdict_at
    assert coverage.median_age_s == pytest.approx((NOON - run(day=1).ended_at).total_seconds())
    assert store.listings.coverage("none", now=NOON, stale_after=WEEK).procedures == 0


def test_the_trend_has_every_day_and_what_came_and_went(
    store: Store, run: MakeRun, procedure: MakeProcedure
) -> None:
    store.save_run(run("r1", procedure(1, findings=2), procedure(2), day=1))
    store.save_run(run("r3", procedure(1), day=3))
    days = store.listings.trend("practice", days=4, now=NOON)
    assert [
        (d.day.day, d.verified, d.drifted, d.findings_opened, d.findings_closed) for d in days
    ] == [
        (31, 0, 0, 0, 0),
        (1, 1, 1, 2, 0),
        (2, 0, 0, 0, 0),
        (3, 1, 0, 0, 2),
    ]
    assert store.listings.trend("none", days=1, now=NOON)[0].day == date(2026, 1, 3)


def test_one_result_and_those_of_a_document_and_of_a_run(
    store: Store, run: MakeRun, procedure: MakeProcedure
) -> None:
    one, two = procedure(2, findings=2), procedure(1, findings=1)
    store.save_run(run("r1", one, two, procedure(7), day=1))
    assert store.listings.result("r1", one.id) == one
    assert store.listings.result("r1", "nope") is None
    store.save_run(run("r2", procedure(7, findings=1), day=2))
    bare = [
        replace(r, findings=tuple(replace(f, evidence=()) for f in r.findings))
        for r in (two, one, procedure(7, findings=1))
    ]
    assert list(store.listings.results("practice", "docs/buckets.md")) == bare
    assert store.listings.results("practice", "none") == ()
    assert store.listings.revision("r1", "docs/a.md") == "00"
    assert store.listings.revision("r1", "none") is None
    verdicts = store.listings.verdicts("r1", Paging())
    assert [(v.id, v.findings) for v in verdicts.items] == [
        (one.id, 2),
        (two.id, 1),
        ("buckets/p7", 0),
    ]
    assert store.listings.verdicts("r1", Paging(), query="dure 7").total == 1
    assert store.listings.verdicts("r1", Paging(5, 5)).total == 3
    assert store.listings.verdicts("r1", Paging(), verdict=Verdict.BROKEN).items == ()


def test_the_procedures_of_a_sweep_come_in_pages(store: Store) -> None:
    store.sweeps.add(sweep("s1", day=1), [item(n) for n in range(5)])
    store.sweeps.skip("s1", "p3", "gone", NOON)
    page = store.listings.items("s1", Paging(2, 2))
    assert ([i.id for i in page.items], page.total) == (["p2", "p3"], 5)
    skipped = store.listings.items("s1", Paging(), state=ItemState.SKIPPED)
    assert [i.note for i in skipped.items] == ["gone"]


def test_pages_are_read_while_a_verdict_is_being_written(
    store: Store, run: MakeRun, procedure: MakeProcedure
) -> None:
    """Were a reader to wait for the writer, this would wait for ever."""
    store.save_run(run("r1", procedure(1)))
    with store.session.transaction("writing for a long time") as connection:
        connection.execute("DELETE FROM runs")
        seen: list[int] = []
        reader = threading.Thread(target=lambda: seen.append(store.listings.runs(Paging()).total))
        reader.start()
        reader.join(30)
        assert seen == [1], "what is not committed is not seen"
        assert store.listings.runs(Paging()).total == 0, "but by whoever wrote it"
    assert store.listings.runs(Paging()).total == 0


def test_a_read_sees_one_moment(store: Store, run: MakeRun, procedure: MakeProcedure) -> None:
    with store.session.reading("counting twice") as connection:
        before = connection.execute("SELECT count(*) FROM runs").fetchone()
        writer = threading.Thread(target=store.save_run, args=(run("r1", procedure(1)),))
        writer.start()
        writer.join(30)
        assert connection.execute("SELECT count(*) FROM runs").fetchone() == before == (0,)
    assert store.listings.runs(Paging()).total == 1


def test_closing_waits_for_reads_and_leaves_the_file_free(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    reads, close = threading.Event(), threading.Thread(target=store.close)
    with store.session.reading("reading at length") as connection:
        close.start()
        while not reads.wait(0.01):
            try:
                store.listings.runs(Paging())
            except StoreError as error:
                assert "was closed" in str(error)
                reads.set()
        assert connection.execute("SELECT count(*) FROM runs").fetchone() == (0,)
    close.join(30)
    with duckdb.connect(str(store.path)) as other:
        assert other.execute("SELECT count(*) FROM runs").fetchone() == (0,)


def test_a_store_of_an_earlier_appliance_gets_its_incidents(
    tmp_path: Path, run: MakeRun, procedure: MakeProcedure
) -> None:
    """What the migration makes of results is what saving them one by one makes of them."""
    results = [
        run("r1", procedure(1, findings=2), procedure(2, findings=1), procedure(3), day=1),
        run("r2", procedure(1, findings=1), replace(procedure(2), verdict=Verdict.BLOCKED), day=2),
        run("r3", procedure(3, findings=1), day=3),
    ]
    with Store.open(tmp_path / "new") as store:
        for one in results:
            store.save_run(one)
    (tmp_path / "old").mkdir()
    old, new = tmp_path / "old" / FILE_NAME, tmp_path / "new" / FILE_NAME
    with duckdb.connect(str(old)) as connection:
        migrate(connection, old, migrations()[:3])
        connection.execute(f"ATTACH '{new}' AS new")
        for table in ("runs", "documents", "steps", "evidence"):
            connection.execute(f"INSERT INTO {table} FROM new.{table}")
        connection.execute(
            "INSERT INTO findings BY NAME FROM (SELECT * EXCLUDE (after_change, basis, is_sure)"
            " FROM new.findings)"
        )
        connection.execute(
            "INSERT INTO procedures BY NAME FROM (SELECT"
            " * EXCLUDE (tiers, audit, pending_until, cause, claims)"
            " REPLACE (struct_pack("
            "wall_s := cost.wall_s, browser_s := cost.browser_s, model_s := cost.model_s,"
            " model_calls := cost.model_calls, tokens := cost.tokens) AS cost) FROM new.procedures)"
        )
    with Store.open(tmp_path / "old") as upgraded, Store.open(tmp_path / "new") as store:
        found = upgraded.incidents.page(Paging())
        assert found == store.incidents.page(Paging())
        assert [i.state for i in found.items].count(IncidentState.CLOSED) == 1
        for incident in found.items:
            assert upgraded.incidents.places(incident.id) == store.incidents.places(incident.id)
            assert upgraded.incidents.log(incident.id) == store.incidents.log(incident.id)
        before, now = (
            opened.listings.procedures(
                Paging(), ProcedureFilter(console="practice"), now=NOON, stale_after=WEEK
            )
            for opened in (upgraded, store)
        )
        assert before == now
        assert upgraded.load_run("r2") == results[1]


def test_progress_is_counted_without_loading_the_run(
    store: Store, run: MakeRun, procedure: MakeProcedure
) -> None:
    store.sweeps.add(sweep("r1", day=1), [item(n) for n in range(3)])
    store.sweeps.skip("r1", "p2", "gone", NOON)
    store.save_run(run("r1", procedure(1, findings=1), procedure(2)))
    progress = store.listings.progress("r1")
    assert progress.items == {ItemState.WAITING: 2, ItemState.SKIPPED: 1}
    assert progress.verdicts == {"drifted": 1, "verified": 1}
    assert store.listings.progress("nope").items == {}

from pathlib import Path

import pytest

from appliance.core.errors import SetupError
from appliance.documents import load_documents
from appliance.store.incident import IncidentState
from appliance.store.paging import Paging
from appliance.store.store import Store
from tests.benchmarks.server.asking import times
from tests.benchmarks.server.filling import Size, fill
from tests.benchmarks.server.measuring import Amount, measure
from tests.benchmarks.server.table import document, table
from tests.benchmarks.server.texts import write_texts

SIZE = Size(procedures=20, runs=5)


def test_what_is_filled_in_is_what_verifying_the_texts_would_leave(tmp_path: Path) -> None:
    write_texts(tmp_path / "docs", SIZE.procedures)
    fill(tmp_path / "data", tmp_path / "docs", SIZE, "practice")
    documents = load_documents([tmp_path / "docs"])
    with Store.open(tmp_path / "data") as store:
        runs = store.listings.runs(Paging()).items
        assert (len(runs), SIZE.steps, SIZE.findings) == (5, 2000, 100)
        counted = [run.summary.findings + run.summary.cosmetic for run in runs]
        assert sum(counted) == SIZE.findings
        results = {r.id: r for r in store.load_run(runs[0].id).procedures}
        read = {p.id: (d.path, p) for d in documents for p in d.procedures}
        assert results.keys() == read.keys()
        for id, result in results.items():
            path, procedure = read[id]
            assert (result.document, result.title) == (path, procedure.title)
            assert result.line == procedure.span.line
            assert len(result.steps) == len(procedure.steps)
            for finding in result.findings:
                line = Path(path).read_text("utf-8").splitlines()[finding.line - 1]
                assert line[finding.column - 1 : finding.end_column - 1] == finding.quote
        states = [i.state for i in store.incidents.page(Paging(0, 500)).items]
        assert {IncidentState.OPEN, IncidentState.CLOSED} == set(states)
    with pytest.raises(SetupError, match="Name a folder without a store"):
        fill(tmp_path / "data", tmp_path / "docs", SIZE, "practice")


@pytest.mark.long
def test_every_page_of_the_service_answers_while_verdicts_are_saved(tmp_path: Path) -> None:
    """The figures of so small a store say nothing; that they are there does."""
    said: list[str] = []
    amount = Amount(size=SIZE, rounds=1, verdicts_per_s=5, ingest_s=0.1)
    found = measure(tmp_path, amount, said.append)
    assert len(said) == 4
    assert found.steps == SIZE.steps
    assert all(page.p50_ms > 0 and page.p95_ms <= page.max_ms for page in found.pages)
    assert {"/", "/api/v1/findings"} <= {page.path for page in found.pages}
    assert found.rss_mb > 20
    assert min(found.steps_per_s.values()) > 0
    assert document(found)["is_fine"] == found.is_fine
    assert table(found).count("\n") == len(found.pages) + 6


def test_percentiles_are_of_what_was_measured() -> None:
    found = times("x", [n / 1000 for n in range(100, 0, -1)])
    assert (found.p50_ms, found.p95_ms, found.max_ms) == (51.0, 96.0, 100.0)

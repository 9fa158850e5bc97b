import duckdb
import pytest

from appliance.core.errors import StoreError
from appliance.store.export import export


def test_results_are_exported_to_parquet(store, run, procedure, tmp_path):
    store.start_run(run(), planned=2)
    store.save_procedure("r1", procedure(1, findings=2, steps=3))
    written = export(store.session, tmp_path / "it's out")
    assert {one.table: one.rows for one in written} == {
        "runs": 1,
        "documents": 2,
        "procedures": 1,
        "steps": 3,
        "findings": 2,
        "evidence": 4,
        "incidents": 2,
        "incident_places": 2,
        "incident_log": 2,
    }
    with duckdb.connect() as reader:
        shown = reader.sql(
            f"SELECT shown FROM read_parquet('{_path(written, 'findings')}')"
        ).fetchall()
    assert shown == [("New 新建",)] * 2
    names = sorted(path.name for path in (tmp_path / "it's out").iterdir())
    assert names == sorted(f"{one.table}.parquet" for one in written)


def _path(written, table):
    return str(next(one.file for one in written if one.table == table)).replace("'", "''")


def test_an_export_takes_the_place_of_the_last(store, run, tmp_path):
    export(store.session, tmp_path / "out")
    store.save_run(run())
    rows = {one.table: one.rows for one in export(store.session, tmp_path / "out")}
    assert rows["runs"] == 1


def test_a_folder_that_cannot_be_written_is_named(store, tmp_path):
    (tmp_path / "out").write_text("in the way")
    with pytest.raises(StoreError, match=r"cannot be exported to .*/out"):
        export(store.session, tmp_path / "out")

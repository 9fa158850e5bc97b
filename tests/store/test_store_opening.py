import os
from pathlib import Path

import duckdb
import pytest

from appliance.core.errors import StoreError
from appliance.store.connection import CONFIG
from appliance.store.migrations import Migration, migrate, migrations
from appliance.store.paging import Paging
from appliance.store.store import Store


def test_a_store_is_made_where_there_is_none_with_its_folder(tmp_path: Path) -> None:
    with Store.open(tmp_path / "a" / "data") as store:
        assert store.listings.runs(Paging()).items == ()
    assert (tmp_path / "a" / "data" / "store.duckdb").is_file()


def test_migrations_are_numbered_without_gaps() -> None:
    assert [m.number for m in migrations()] == list(range(1, len(migrations()) + 1))


def test_a_sweep_that_was_paused_before_causes_were_kept_is_held_by_a_person(tmp_path) -> None:
    file = tmp_path / "store.duckdb"
    before = [m for m in migrations() if "pauses" not in m.name]
    connection = duckdb.connect(str(file), config=CONFIG)
    migrate(connection, file, before)
    connection.execute(
        "INSERT INTO sweeps (id, console, state, why, request, planned_at) VALUES"
        " ('s1', 'c', 'paused', 'paused by hand', '{}', '2026-01-01')"
    )
    connection.close()
    with Store.open(tmp_path) as store:
        row = store.sweeps.get("s1")
        assert (row.is_held, row.paused_for, row.paused_at) == (True, None, None)


def test_an_empty_file_left_by_a_full_disk_is_taken_as_none(tmp_path: Path) -> None:
    (tmp_path / "store.duckdb").touch()
    with Store.open(tmp_path) as store:
        assert store.listings.runs(Paging()).items == ()


@pytest.mark.parametrize("damage", ["text", "cut", "header", "middle"])
def test_a_damaged_file_is_told_in_a_sentence_and_left_as_it_is(
    tmp_path: Path, damage: str
) -> None:
    Store.open(tmp_path).close()
    file = tmp_path / "store.duckdb"
    sound = file.read_bytes()
    file.write_bytes(
        {
            "text": b"not a database at all\n" * 500,
            "cut": sound[:5000],
            "header": sound[:20] + b"\xff\xff" + sound[22:],
            "middle": sound[:4200] + b"\xa5" * 8000 + sound[12200:],
        }[damage]
    )
    before = file.read_bytes()
    with pytest.raises(StoreError) as caught:
        Store.open(tmp_path)
    message = str(caught.value)
    assert message.startswith(f"The store {file} is damaged: ")
    assert message.endswith("with its `.wal`: a new one is made at the next start.")
    assert "\n" not in message
    assert file.read_bytes() == before


def test_a_data_folder_that_is_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    with pytest.raises(StoreError, match=r"cannot be opened: .*another `data_dir`"):
        Store.open(tmp_path / "data")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_rights_is_told(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(StoreError, match="data folder writable"):
        Store.open(tmp_path)


def test_a_store_of_a_newer_appliance_is_refused(tmp_path: Path) -> None:
    Store.open(tmp_path).close()
    with duckdb.connect(str(tmp_path / "store.duckdb")) as connection:
        connection.execute("INSERT INTO migrations VALUES (99, 'x.sql', 'c', now(), '9.9')")
    with pytest.raises(StoreError, match=r"has schema 99, made by appliance 9\.9; .*newer appl"):
        Store.open(tmp_path)


def test_a_store_of_another_build_is_refused(tmp_path: Path) -> None:
    Store.open(tmp_path).close()
    with duckdb.connect(str(tmp_path / "store.duckdb")) as connection:
        connection.execute("UPDATE migrations SET checksum = 'other'")
    with pytest.raises(StoreError, match=r"another build .*0001_results\.sql differs"):
        Store.open(tmp_path)


def test_a_migration_is_applied_once_and_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "x.duckdb"
    good = Migration(1, "0001_a.sql", "CREATE TABLE a (x INTEGER); INSERT INTO a VALUES (1);")
    bad = Migration(2, "0002_b.sql", "CREATE TABLE b (x INTEGER); INSERT INTO nowhere VALUES (1);")
    mended = Migration(2, "0002_b.sql", "CREATE TABLE b (x INTEGER);")
    with duckdb.connect(str(path)) as connection:
        with pytest.raises(StoreError, match=r"failed while applying 0002_b\.sql: .*nowhere"):
            migrate(connection, path, [good, bad])
        assert connection.execute("SELECT number FROM migrations").fetchall() == [(1,)]
        migrate(connection, path, [good, mended])
        migrate(connection, path, [good, mended])
        assert connection.execute("SELECT count(*) FROM a").fetchone() == (1,)


def test_a_failing_statement_is_a_sentence(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store, duckdb.connect(str(store.path), config=CONFIG) as other:
        other.execute("DROP TABLE findings")
        with pytest.raises(StoreError, match=r"failed while listing findings: .*\. Check that"):
            store.findings()


def test_a_closed_store_says_so_and_closes_twice(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    store.close()
    store.close()
    with pytest.raises(StoreError, match=r"was closed\. Open it again"):
        store.listings.runs(Paging())

import json
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import pyrage
import pytest

from appliance.core.errors import SetupError, StoreError
from appliance.store.backup import Backups, checkpoint, newest_schema
from appliance.store.manifests import backups_in, checksum, look_into
from appliance.store.paging import Paging
from appliance.store.restore import find_backup, restore
from appliance.store.store import Store

NOW = datetime(2026, 11, 21, 7, 30, tzinfo=UTC)


def ids(data_dir: Path) -> list[str]:
    with Store.open(data_dir) as store:
        return sorted(
            p.id
            for row in store.listings.runs(Paging()).items
            for p in store.load_run(row.id).procedures
        )


def test_a_backup_holds_what_was_kept_and_says_what_it_is(store, run, procedure):
    store.save_run(run("r1", procedure(1, findings=2), procedure(2)))
    backup = Backups(store.session).make(NOW)
    assert (backup.id, backup.runs, backup.schema) == ("20261121-073000", 1, newest_schema())
    assert Backups(store.session).list() == (backup,)
    told = json.loads((backup.folder / "backup.json").read_text())
    assert told["schema_version"] == 1
    assert told["sha256"] == backup.sha256
    assert sorted(p.name for p in backup.folder.iterdir()) == ["backup.json", "store.duckdb"]


def test_a_backup_leaves_the_store_locked(store):
    Backups(store.session).make(NOW)
    checkpoint(store.session)
    other = f"import duckdb; duckdb.connect({str(store.path)!r})"
    ended = subprocess.run([sys.executable, "-c", other], capture_output=True, text=True)
    assert "Could not set lock" in ended.stderr


def test_backups_made_while_others_write_are_whole(store, run, procedure, tmp_path):
    store.start_run(run(), planned=500)
    stop, written = threading.Event(), []

    def write() -> None:
        while not stop.is_set():
            store.save_procedure("r1", procedure(len(written), steps=20))
            written.append(len(written))

    writer = threading.Thread(target=write)
    writer.start()
    try:
        backups = [Backups(store.session).make(NOW + timedelta(hours=n)) for n in range(4)]
    finally:
        stop.set()
        writer.join()
    sizes = []
    for backup in backups:
        with duckdb.connect(str(backup.file), read_only=True) as copy:
            (count, steps) = copy.execute(
                "SELECT count(*), (SELECT count(*) FROM steps) FROM procedures"
            ).fetchone()
        assert steps == 20 * count
        sizes.append(count)
    assert sizes == sorted(sizes)
    assert len(store.load_run("r1").procedures) == len(written) > sizes[0]


def test_the_newest_are_kept(store):
    backups = Backups(store.session)
    made = [backups.make(NOW + timedelta(days=n)) for n in range(3)]
    assert [b.id for b in backups.prune(1)] == [made[1].id, made[0].id]
    assert backups.list() == (made[2],)
    assert not made[0].folder.exists()


def test_one_whose_manifest_cannot_be_read_is_not_in_the_way_of_the_others(store):
    backups = Backups(store.session)
    made = [backups.make(NOW + timedelta(days=n)) for n in range(3)]
    (made[1].folder / "backup.json").write_text("{")
    assert [b.id for b in backups.prune(1)] == [made[0].id]
    assert made[1].folder.exists(), "a person may put it right"


def test_two_in_one_second_are_two(store):
    backups = Backups(store.session)
    assert backups.make(NOW).id != backups.make(NOW).id
    assert len(backups.list()) == 2


def test_a_backup_that_cannot_be_written_leaves_nothing(store):
    folder = store.path.parent / "backups"
    folder.write_text("in the way")
    with pytest.raises(StoreError, match=r"backups.*cannot be made"):
        Backups(store.session).make(NOW)


def test_what_is_not_whole_is_no_backup(store):
    made = Backups(store.session).make(NOW)
    made.file.unlink()
    assert Backups(store.session).list() == ()


def test_a_restored_store_is_as_it_was_and_the_other_is_kept(tmp_path, run, procedure):
    with Store.open(tmp_path) as store:
        store.save_run(run("r1", procedure(1)))
        backup = Backups(store.session).make(NOW)
        store.save_run(run("r2", procedure(2)))
    done = restore(tmp_path, find_backup(tmp_path, backup.id), NOW)
    assert ids(tmp_path) == ["buckets/p1"]
    assert done.kept is not None
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    done.kept.rename(elsewhere / "store.duckdb")
    assert ids(elsewhere) == ["buckets/p1", "buckets/p2"]


def test_a_backup_is_found_by_its_folder_or_file_and_put_where_there_is_no_store(tmp_path, run):
    with Store.open(tmp_path / "old") as store:
        store.save_run(run())
        backup = Backups(store.session).make(NOW)
    for wanted in (backup.folder, backup.file):
        assert find_backup(tmp_path / "new", str(wanted)) == backup
    assert restore(tmp_path / "new", backup, NOW).kept is None
    with Store.open(tmp_path / "new") as store:
        assert [row.id for row in store.listings.runs(Paging()).items] == ["r1"]


def test_an_unknown_backup_is_named_with_those_there_are(store):
    made = Backups(store.session).make(NOW)
    with pytest.raises(StoreError, match=f"no backup yesterday.*{made.id}"):
        find_backup(store.path.parent, "yesterday")


def test_a_damaged_store_is_put_aside_with_its_log(tmp_path, run):
    with Store.open(tmp_path) as store:
        store.save_run(run())
        backup = Backups(store.session).make(NOW)
    (tmp_path / "store.duckdb").write_bytes(b"no store" * 1000)
    (tmp_path / "store.duckdb.wal").write_bytes(b"no log")
    done = restore(tmp_path, backup, NOW)
    with Store.open(tmp_path) as store:
        assert [row.id for row in store.listings.runs(Paging()).items] == ["r1"]
    assert done.kept.read_bytes().startswith(b"no store")
    assert done.kept.with_name(f"{done.kept.name}.wal").read_bytes() == b"no log"


def test_a_log_whose_store_is_gone_is_not_taken_for_the_restored_ones(tmp_path, run):
    with Store.open(tmp_path) as store:
        store.save_run(run())
        backup = Backups(store.session).make(NOW)
    log = tmp_path / "store.duckdb.wal"
    (tmp_path / "store.duckdb").unlink()
    log.write_bytes(b"of the store that is gone")
    assert restore(tmp_path, backup, NOW).kept is None
    with Store.open(tmp_path) as store:
        assert [row.id for row in store.listings.runs(Paging()).items] == ["r1"]
    (kept,) = tmp_path.glob("store.before-*.wal")
    assert kept.read_bytes() == b"of the store that is gone"


@pytest.mark.parametrize("statement", ["CREATE TABLE t (i INT)", "DELETE FROM migrations"])
def test_a_file_that_is_no_store_is_not_restored(tmp_path, run, statement):
    with Store.open(tmp_path) as store:
        store.save_run(run())
        backup = Backups(store.session).make(NOW)
    if statement.startswith("CREATE"):
        backup.file.unlink()
    with duckdb.connect(str(backup.file)) as connection:
        connection.execute(statement)
    manifest = backup.folder / "backup.json"
    told = json.loads(manifest.read_text()) | {"sha256": checksum(backup.file)}
    manifest.write_text(json.dumps(told))
    with pytest.raises(StoreError, match=r"is not what backup\.json beside it says"):
        restore(tmp_path, find_backup(tmp_path, backup.id), NOW)
    assert ids(tmp_path) == []
    assert not list(tmp_path.glob("store.before-*"))


def test_a_manifest_that_cannot_be_read_hides_no_good_backup(tmp_path):
    with Store.open(tmp_path) as store:
        good = Backups(store.session).make(NOW)
    manifest = good.folder / "backup.json"
    told = json.loads(manifest.read_text())
    other = good.folder.with_name("other")
    for text in ("{}", "[", json.dumps(told).replace('"size": ', '"size": 1e400, "was": ')):
        other.mkdir(exist_ok=True)
        (other / "backup.json").write_text(text)
        assert find_backup(tmp_path, good.id) == good
        with pytest.raises(StoreError, match=r"other/backup\.json cannot be read"):
            find_backup(tmp_path, "other")
        found = look_into(good.folder.parent)
        assert (found.backups, list(found.unreadable)) == ((good,), ["other"])
        (tmp_path / "store.duckdb").write_bytes(b"no store" * 1000)
        with pytest.raises(StoreError, match=f"`appliance store restore {good.id}`"):
            Store.open(tmp_path)
    told["made_at"] = "2026-11-20T07:30:00"  # by hand, without a zone
    (other / "backup.json").write_text(json.dumps(told))
    (other / "store.duckdb").write_bytes(good.file.read_bytes())
    assert [one.id for one in backups_in(good.folder.parent)] == [good.id, "other"]


def test_a_damaged_backup_is_refused_and_the_store_stays(tmp_path, run):
    with Store.open(tmp_path) as store:
        store.save_run(run())
        backup = Backups(store.session).make(NOW)
    data = bytearray(backup.file.read_bytes())
    data[-100] ^= 1
    backup.file.write_bytes(data)
    before = (tmp_path / "store.duckdb").read_bytes()
    with pytest.raises(StoreError, match="is damaged: its checksum"):
        restore(tmp_path, backup, NOW)
    assert (tmp_path / "store.duckdb").read_bytes() == before


def test_a_backup_of_a_newer_appliance_is_refused(tmp_path):
    with Store.open(tmp_path) as store:
        backup = Backups(store.session).make(NOW)
    manifest = backup.folder / "backup.json"
    told = json.loads(manifest.read_text()) | {"schema": 99, "appliance_version": "9.0"}
    manifest.write_text(json.dumps(told))
    with pytest.raises(StoreError, match=r"schema 99, made by appliance 9\.0.*knows schema"):
        restore(tmp_path, find_backup(tmp_path, backup.id), NOW)


def test_a_store_in_use_is_not_replaced(tmp_path):
    with Store.open(tmp_path) as store:
        backup = Backups(store.session).make(NOW)
    hold = f"import duckdb; c = duckdb.connect({str(store.path)!r}); print(1, flush=True); input()"
    holder = subprocess.Popen(
        [sys.executable, "-c", hold], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with holder:
        holder.stdout.readline()
        with pytest.raises(StoreError, match="in use by another process"):
            restore(tmp_path, backup, NOW)
        holder.communicate(b"\n")
    assert not list(tmp_path.glob("store.before-*"))


KILLED = """
import os, shutil, signal, sys
from datetime import UTC, datetime
from pathlib import Path
from appliance.store.store import Store
from appliance.store.manifests import backups_in, checksum, look_into
from appliance.store.paging import Paging
from appliance.store.restore import find_backup, restore

data_dir, was = Path(sys.argv[1]), Path(sys.argv[2])
LOOKED_AT = ("os.", "open", "shutil.")

def attempt(at):
    seen = 0
    def count(event, arguments):
        nonlocal seen
        if event.startswith(LOOKED_AT) and any(str(data_dir) in str(a) for a in arguments):
            seen += 1
            if seen == at:
                os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(count)
    restore(data_dir, find_backup(data_dir, "20261121-073000"), datetime(2026, 11, 21, tzinfo=UTC))

def look():
    with Store.open(data_dir) as store:
        print(*(row.id for row in store.listings.runs(Paging()).items), flush=True)

def child(work):
    pid = os.fork()
    if pid == 0:
        work()
        os._exit(0)
    return os.waitpid(pid, 0)[1]

at = 1
while True:
    shutil.rmtree(data_dir, ignore_errors=True)
    shutil.copytree(was, data_dir)
    ended = child(lambda: attempt(at))
    print("killed" if ended == signal.SIGKILL else ended, end=" ", flush=True)
    child(look)
    if ended != signal.SIGKILL:
        break
    at += 1
"""


@pytest.mark.slow
def test_a_kill_at_any_step_of_a_restore_leaves_one_store_or_the_other(tmp_path, run):
    with Store.open(tmp_path / "was") as store:
        store.save_run(run("r1"))
        Backups(store.session).make(NOW)
        store.save_run(run("r2"))
    ended = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path / "data"), str(tmp_path / "was")],
        capture_output=True,
        text=True,
        check=True,
    )
    *killed, last = ended.stdout.splitlines()
    assert len(killed) > 10
    assert set(killed) == {"killed r2 r1", "killed r1"}
    assert last == "0 r1"


@pytest.fixture
def keys(tmp_path):
    """Identities by name, each in a file of its own, with its public key."""
    made = {}
    for name in ("ours", "safe", "strange"):
        identity = pyrage.x25519.Identity.generate()
        file = tmp_path / f"{name}.txt"
        file.write_text(f"# created: today\n{identity}\n")
        made[name] = (file, str(identity.to_public()))
    return made


def test_an_encrypted_backup_is_opened_by_any_of_its_recipients_and_nobody_else(
    tmp_path, run, procedure, keys
):
    with Store.open(tmp_path) as store:
        store.save_run(run("r1", procedure(1)))
        recipients = (keys["ours"][1], keys["safe"][1])
        made = Backups(store.session, recipients).make(NOW)
        assert Backups(store.session).list() == (made,)
        store.save_run(run("r2", procedure(2)))
    assert made.is_encrypted
    assert sorted(p.name for p in made.folder.iterdir()) == ["backup.json", "store.duckdb.age"]
    assert made.file.read_bytes().startswith(b"age-encryption.org/v1")
    before = (tmp_path / "store.duckdb").read_bytes()
    with pytest.raises(SetupError, match=f"is encrypted: .*restore {made.id} --identity FILE"):
        restore(tmp_path, made, NOW)
    with pytest.raises(SetupError, match=r"strange\.txt.*belongs to one of the public keys"):
        restore(tmp_path, made, NOW, keys["strange"][0])
    (tmp_path / "none.txt").write_text("no key")
    with pytest.raises(SetupError, match=r"none\.txt has no identity"):
        restore(tmp_path, made, NOW, tmp_path / "none.txt")
    assert (tmp_path / "store.duckdb").read_bytes() == before
    assert not list(tmp_path.glob("*.restoring"))
    restore(tmp_path, made, NOW, keys["safe"][0])
    assert ids(tmp_path) == ["buckets/p1"]


def test_an_encrypted_backup_that_is_damaged_is_refused(tmp_path, run, keys):
    with Store.open(tmp_path) as store:
        store.save_run(run())
        made = Backups(store.session, [keys["ours"][1]]).make(NOW)
    data = bytearray(made.file.read_bytes())
    data[-100] ^= 1
    made.file.write_bytes(data)
    with pytest.raises(StoreError, match="is damaged: its checksum"):
        restore(tmp_path, made, NOW, keys["ours"][0])


def test_what_is_no_public_key_makes_no_backup(store):
    with pytest.raises(SetupError, match=r"backup_recipients: 'age1none' is no public key"):
        Backups(store.session, ["age1none"]).make(NOW)
    assert list((store.path.parent / "backups").iterdir()) == []

"""Damage is told when the store is opened, and a kill never looks like damage."""

import json
import os
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pytest
from structlog.testing import capture_logs

from appliance.core.errors import StoreError
from appliance.store.backup import Backups
from appliance.store.paging import Paging
from appliance.store.restore import find_backup, restore
from appliance.store.store import Store
from tests.store.conftest import make_procedure, make_run

NOW = datetime(2026, 11, 21, 7, 30, tzinfo=UTC)
BLOCK, HEADERS = 256 << 10, 3 * 4096
WRITE_AND_DIE = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from conftest import make_procedure, make_run
from appliance.store.store import Store
store = Store.open(Path(sys.argv[1]))
store.start_run(make_run("r2"), planned=20)
for number in range(20):
    store.save_procedure("r2", make_procedure(number, steps=60))
os.kill(os.getpid(), signal.SIGKILL)
"""


def runs_in(data_dir: Path) -> dict[str, int]:
    with Store.open(data_dir) as store:
        rows = store.listings.runs(Paging()).items
        return {row.id: len(store.load_run(row.id).procedures) for row in rows}


def killed(data_dir: Path) -> None:
    """Add a run that is in the log only."""
    here = str(Path(__file__).parent)
    subprocess.run([sys.executable, "-c", WRITE_AND_DIE, str(data_dir), here], check=False)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A store of some blocks, closed, with two good backups and a newer bad one."""
    folder = tmp_path_factory.mktemp("made")
    with Store.open(folder) as store:
        store.save_run(
            make_run("r1", *(make_procedure(n, findings=1, steps=60) for n in range(60)))
        )
        for hour in (6, 7, 8):
            Backups(store.session).make(NOW.replace(hour=hour))
    os.truncate(folder / "backups" / "20261121-083000" / "store.duckdb", 100_000)
    return folder


@pytest.fixture
def data_dir(made, tmp_path):
    """The same, closed by this program where it is now."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    Store.open(tmp_path).close()
    return tmp_path


def cut_short(file: Path, log: Path) -> None:
    os.truncate(file, file.stat().st_size - 200_000)


def flipped(block: int):
    def change(file: Path, log: Path) -> None:
        overwrite(file, HEADERS + block * BLOCK + 100, lambda was: bytes([was[0] ^ 1]))

    return change


def a_page_of_zeros(file: Path, log: Path) -> None:
    overwrite(file, HEADERS + BLOCK, lambda was: bytes(4096))


def header_gone(file: Path, log: Path) -> None:
    overwrite(file, 4096, lambda was: bytes(4096))


def of_another_program(file: Path, log: Path) -> None:
    file.write_bytes(b"SQLite format 3\0" + bytes(100_000))


def overwrite(file: Path, place: int, what) -> None:
    with file.open("r+b") as stream:
        stream.seek(place)
        was = stream.read(1)
        stream.seek(place)
        stream.write(what(was))


def log_cut_short(file: Path, log: Path) -> None:
    os.truncate(log, log.stat().st_size - 30_000)


def log_of_garbage(file: Path, log: Path) -> None:
    log.write_bytes(os.urandom(log.stat().st_size + 1))


def log_gone(file: Path, log: Path) -> None:
    log.unlink()


DAMAGES = {
    "cut short": (False, cut_short),
    "first block": (False, flipped(0)),
    "second block": (False, flipped(1)),
    "page of zeros": (False, a_page_of_zeros),
    "header": (False, header_gone),
    "another program": (False, of_another_program),
    "log cut short": (True, log_cut_short),
    "log of garbage": (True, log_of_garbage),
    "log gone": (True, log_gone),
}


@pytest.mark.parametrize("has_log, change", DAMAGES.values(), ids=DAMAGES)
def test_damage_is_told_with_the_command_that_puts_it_right(data_dir, has_log, change):
    file, log = data_dir / "store.duckdb", data_dir / "store.duckdb.wal"
    if has_log:
        killed(data_dir)
        assert log.stat().st_size > 30_000
    change(file, log)
    before = [path.read_bytes() for path in (file, log) if path.exists()]
    with pytest.raises(StoreError) as caught:
        Store.open(data_dir)
    assert str(caught.value).startswith(f"The store {file} is damaged: ")
    assert "`appliance store restore 20261121-073000`" in str(caught.value)  # the newest good one
    assert [path.read_bytes() for path in (file, log) if path.exists()] == before
    done = restore(data_dir, find_backup(data_dir, "20261121-073000"), NOW)
    assert runs_in(data_dir) == {"r1": 60}
    kept = [done.kept, done.kept.with_name(f"{done.kept.name}.wal")]
    assert [path.read_bytes() for path in kept if path.exists()] == before


def test_every_block_that_is_used_is_looked_at(data_dir):
    file = data_dir / "store.duckdb"
    sound = file.read_bytes()
    blocks = (len(sound) - HEADERS) // BLOCK
    unseen = []
    for block in range(blocks):
        flipped(block)(file, file)
        try:
            with capture_logs() as logs:
                Store.open(data_dir).close()
        except StoreError:
            pass
        else:
            unseen.append(block)
            assert "store_changed_while_closed" in str(logs)
        overwrite_whole(file, sound)
    assert len(unseen) <= 1  # a block that nothing refers to


def overwrite_whole(file: Path, data: bytes) -> None:
    with file.open("r+b") as stream:
        stream.truncate(len(data))
        stream.write(data)


TORN = """
import os, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from conftest import make_procedure, make_run
from appliance.store.store import Store
data_dir = Path(sys.argv[1])
log = data_dir / "store.duckdb.wal"
with log.open("ab") as end:
    end.write(log.read_bytes()[100:-37])  # most of a commit, as a kill leaves it
store = Store.open(data_dir)
torn = log.stat().st_size
with store.session.exclusive("writing") as connection:
    connection.execute("UPDATE runs SET console = 'another' WHERE id = 'r1'")
    assert log.stat().st_size < torn
    os._exit(0)  # killed before anything could be written down
"""


def test_a_kill_when_a_torn_end_of_the_log_was_cut_off_is_no_damage(data_dir):
    killed(data_dir)
    here = str(Path(__file__).parent)
    subprocess.run([sys.executable, "-c", TORN, str(data_dir), here], check=True)
    assert runs_in(data_dir) == {"r1": 60, "r2": 20}


def test_a_write_that_failed_says_nothing_of_the_log(data_dir):
    """As `_open_again` finds it: what a failed write left in the log goes away again."""
    log, whole = data_dir / "store.duckdb.wal", 0
    with Store.open(data_dir) as store:
        store.start_run(make_run("r2"), planned=1)
        whole = log.stat().st_size
        with pytest.raises(StoreError), store.session.exclusive("writing"):
            with log.open("ab") as end:
                end.write(bytes(9000))
            raise duckdb.IOException("No space left on device")
        told = json.loads((data_dir / "store.duckdb.integrity").read_bytes())
        assert told["log"] == whole
        os.truncate(log, whole)


def test_without_a_record_it_is_read_to_its_end(data_dir):
    record = data_dir / "store.duckdb.integrity"
    record.unlink()  # as an earlier release leaves it
    assert runs_in(data_dir) == {"r1": 60}
    record.unlink()
    cut_short(data_dir / "store.duckdb", record)
    with pytest.raises(StoreError, match=r"is damaged: .*store restore 20261121-073000"):
        Store.open(data_dir)


def test_an_earlier_release_may_have_written_to_it(data_dir):
    with duckdb.connect(str(data_dir / "store.duckdb")) as connection:
        connection.execute("UPDATE runs SET console = 'another'")
    assert runs_in(data_dir) == {"r1": 60}


def test_a_record_that_is_none_and_a_copy_are_no_damage(data_dir, tmp_path):
    record = data_dir / "store.duckdb.integrity"
    for text in ("", "{", '{"schema_version": 9}', "[]", json.dumps({"schema_version": 1})):
        record.write_text(text)
        assert runs_in(data_dir) == {"r1": 60}
    killed(data_dir)
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "store.duckdb").write_bytes((data_dir / "store.duckdb").read_bytes())
    (copy / record.name).write_bytes(record.read_bytes())
    assert runs_in(copy) == {"r1": 60}  # without its log: a copy may be of any moment


def test_looking_writes_nothing(data_dir):
    record = data_dir / "store.duckdb.integrity"
    runs_in(data_dir)
    before = record.read_bytes()
    assert json.loads(before)["sha256"]
    runs_in(data_dir)
    assert record.read_bytes() == before


def test_without_a_backup_it_says_what_else_there_is(tmp_path, run):
    with Store.open(tmp_path) as store:
        store.save_run(run())
    cut_short(tmp_path / "store.duckdb", tmp_path)
    with pytest.raises(StoreError, match=r"There is no good backup in .*store restore FOLDER"):
        Store.open(tmp_path)


def test_a_damaged_store_gives_no_backup(data_dir):
    with Store.open(data_dir) as store:
        flipped(1)(store.path, store.path)
        with pytest.raises(StoreError, match=r"The store .* is damaged: .*restore 20261121-073000"):
            Backups(store.session).make(NOW.replace(hour=9))
        assert len(Backups(store.session).list()) == 3


KILLED = """
import os, random, signal, sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from conftest import make_procedure, make_run
from appliance.store.store import Store

data_dir, kills = Path(sys.argv[1]), int(sys.argv[3])
chance = random.Random(8)

def write(told, at_least, more):
    os.write(told, bytes(4))
    with Store.open(data_dir) as store:
        # Every few verdicts: kills are to hit checkpoints, the most delicate moments.
        store.session.connection.execute("SET checkpoint_threshold = '96KB'")
        if store.began("r1") is None:
            store.start_run(make_run(), planned=1)
        kept = len(store.load_run("r1").procedures)
        assert kept >= at_least, (kept, at_least)
        for number in range(kept, kept + more):
            store.save_procedure("r1", make_procedure(number, steps=40))
            os.write(told, (number + 1).to_bytes(4, "big"))

def child(at_least, more, kill_after):
    hears, told = os.pipe()
    pid = os.fork()
    if pid == 0:
        write(told, at_least, more)
        os._exit(0)
    os.close(told)
    os.read(hears, 4)
    if kill_after is not None:
        time.sleep(kill_after)
        os.kill(pid, signal.SIGKILL)
    said = b""
    while piece := os.read(hears, 4096):
        said += piece
    os.close(hears)
    status = os.waitpid(pid, 0)[1]
    assert status in (0, signal.SIGKILL), status
    return max(at_least, int.from_bytes(said[-4:], "big"))

begin = time.monotonic()
acknowledged = child(0, 12, None)
whole = time.monotonic() - begin
for _ in range(kills):
    acknowledged = child(acknowledged, 12, chance.uniform(0, 1.2 * whole))
child(acknowledged, 0, None)
print(acknowledged)
"""


@pytest.mark.slow
def test_a_kill_at_any_moment_is_no_damage_and_loses_nothing(tmp_path):
    here, kills = str(Path(__file__).parent), os.environ.get("STORE_KILLS", "30")
    ended = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path), here, kills], capture_output=True, text=True
    )
    assert ended.returncode == 0, ended.stderr
    assert int(ended.stdout) > 12  # it got on between the kills

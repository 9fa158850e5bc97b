"""A real limit on the size of files stands for a disk that is full."""

import errno
import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from appliance.core.errors import StoreError
from appliance.store.backup import Backups
from appliance.store.store import Store

WRITE = """
import json, resource, sys
from pathlib import Path
from appliance.core.errors import StoreError
from appliance.core.result import Cost, Goal, ProcedureResult, RunResult, StepResult
from appliance.core.verdict import StepStatus, Verdict
from appliance.store.store import Store
from datetime import UTC, datetime

data_dir, limit = Path(sys.argv[1]), int(sys.argv[2])
now = datetime.now(UTC)
told = {"kept": 0, "error": "", "artifact": ""}
store = Store.open(data_dir)
run = RunResult(id="r1", appliance_version="1", commit="", console="c", policy="p",
                started_at=now, ended_at=now, procedures=())
store.start_run(run, 10_000)
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
try:
    for number in range(2_000):
        steps = tuple(
            StepResult(index=str(n), line=n, text=f"{number} {n} " + str(hash((number, n))) * 60,
                       status=StepStatus.AS_WRITTEN) for n in range(30))
        store.save_procedure("r1", ProcedureResult(
            id=f"p{number}", title="t", title_path=("t",), document="d.md", line=1, end_line=2,
            verdict=Verdict.VERIFIED, goal=Goal(reached=True, channels=()), path="as_written",
            decided_by="literal", attempts=1, cost=Cost(), steps=steps, findings=()))
        told["kept"] = number + 1
except StoreError as error:
    told["error"] = str(error)
try:
    store.artifacts.put(b"x" * (limit + 1), "image/jpeg")
except StoreError as error:
    told["artifact"] = str(error)
print(json.dumps(told), flush=True)
try:
    store.close()
except StoreError:
    pass
"""


@pytest.fixture
def filled(tmp_path: Path) -> dict[str, object]:
    with Store.open(tmp_path) as store:
        size = store.path.stat().st_size
    limit = size + (1 << 20)
    ended = subprocess.run(
        [sys.executable, "-c", WRITE, str(tmp_path), str(limit)], capture_output=True, text=True
    )
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def test_a_full_disk_is_said_and_loses_nothing_that_was_kept(filled, tmp_path):
    assert 0 < filled["kept"] < 2_000
    assert "Check that the disk is not full" in filled["error"]
    assert "Check the free space" in filled["artifact"]
    with Store.open(tmp_path) as store:
        kept = store.load_run("r1").procedures
        assert len(kept) >= filled["kept"]
        assert all(len(result.steps) == 30 for result in kept)
        store.save_procedure("r1", kept[0])  # there is room again
        assert Backups(store.session).make(datetime.now(UTC)).runs == 1
    left = [path for path in (tmp_path / "artifacts").rglob("*") if path.is_file()]
    assert left == []


CHECKPOINT = """
import json, resource, sys
from datetime import UTC, datetime
from pathlib import Path
from appliance.core.causes import Cause, CauseKind
from appliance.core.errors import StoreError
from appliance.store.store import Store
from appliance.store.backup import checkpoint
from appliance.store.sweeps import SweepRow, SweepState

told = {"errors": []}
now = datetime.now(UTC)
with Store.open(Path(sys.argv[1])) as store:
    for n in range(40):
        why = "".join(map(str, range(n, n + 5000)))
        store.sweeps.add(SweepRow(id=f"s{n}", console="c", state=SweepState.WAITING, why=why,
                                  request={}, planned_at=now), ())
    size = store.path.stat().st_size
    none = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, none[1]))
    try:
        checkpoint(store.session)
    except StoreError as error:
        told["errors"].append(str(error))
    resource.setrlimit(resource.RLIMIT_FSIZE, none)
    told["kept"] = len(store.sweeps.latest(1000))
    store.sweeps.pause("s1", Cause(CauseKind.DISK_FULL, "full"), now)
    told["after"] = store.sweeps.get("s1").paused_for
print(json.dumps(told))
"""


def test_after_a_checkpoint_that_found_no_room_the_store_goes_on_when_there_is(tmp_path):
    ended = subprocess.run(
        [sys.executable, "-c", CHECKPOINT, str(tmp_path)], capture_output=True, text=True
    )
    assert ended.returncode == 0, ended.stderr
    told = json.loads(ended.stdout)
    assert len(told["errors"]) == 1
    assert (told["kept"], told["after"]) == (40, "disk_full")


def test_pictures_leave_room_for_verdicts(tmp_path):
    with Store.open(tmp_path) as store:
        store.artifacts.leave_free(1e9)
        with pytest.raises(StoreError, match="too little room is left on the disk") as caught:
            store.artifacts.put(b"a picture", "image/jpeg")
        assert caught.value.__cause__.errno == errno.ENOSPC
        assert [path for path in (tmp_path / "artifacts").rglob("*") if path.is_file()] == []
        store.artifacts.leave_free(0)
        assert store.artifacts.get(store.artifacts.put(b"a picture", "image/jpeg")) == b"a picture"

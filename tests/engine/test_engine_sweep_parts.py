"""Control files, memory, pace."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from appliance.core.errors import SetupError
from appliance.engine.control import Control, ControlSignal
from appliance.engine.memory import free_mib
from appliance.engine.pace import Pace

HOLD = """
import sys
from pathlib import Path
from appliance.engine.control import Control
with Control.of(Path(sys.argv[1])).hold("s1"):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_sweep_is_seen_and_asked_while_it_runs(tmp_path: Path):
    control = Control.of(tmp_path)
    assert control.running() is None
    with control.hold("s1"):
        assert control.running()["id"] == "s1"
        assert control.wish("s1") is None
        control.ask("s1", ControlSignal.PAUSE)
        assert control.wish("s1") is ControlSignal.PAUSE
        assert control.wish("s2") is None
        running = pytest.raises(SetupError, match="sweep s1 is running in this data folder")
        with running, control.hold("s2"):
            pass
        assert control.wish("s1") is ControlSignal.PAUSE
    assert control.running() is None


def test_what_a_killed_sweep_left_says_nothing_any_more(tmp_path: Path):
    control = Control.of(tmp_path)
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout.readline() == "held\n"
        control.ask("s1", ControlSignal.CANCEL)
        assert control.running()["state"] == "running"
        process.kill()
    assert (tmp_path / "sweep" / "running.json").exists()
    assert control.running() is None
    with control.hold("s1"):
        assert control.wish("s1") is None  # an old wish is not for this sitting


def test_a_container_has_less_than_the_machine(tmp_path: Path):
    for name, text in (
        ("memory.max", f"{100 << 20}\n"),
        ("memory.current", f"{90 << 20}\n"),
        ("memory.stat", f"anon 1\ninactive_file {30 << 20}\n"),
    ):
        (tmp_path / name).write_text(text)
    assert free_mib(tmp_path) == pytest.approx(40)
    (tmp_path / "memory.max").write_text("max\n")
    assert free_mib(tmp_path) > 40
    assert free_mib(tmp_path / "none") > 40


def test_time_left_is_put_right_by_what_was_done():
    pace = Pace(lanes=2, began_s=0.0, left_s=100.0)
    assert pace.seconds_left(5.0) == 50
    assert pace.rate_per_minute(5.0) is None
    pace.finish(20.0)
    assert pace.seconds_left(30.0) == 80 * 30 / 20
    assert pace.rate_per_minute(30.0) == 2
    pace.finish(80.0, is_verdict=False)  # left out: says nothing about speed
    assert pace.seconds_left(30.0) == 0
    assert pace.rate_per_minute(30.0) == 2


def test_files_are_whole(tmp_path: Path):
    control = Control.of(tmp_path)
    with control.hold("s1"):
        for number in range(50):
            control.show({"id": "s1", "done": number})
            assert json.loads((tmp_path / "sweep/running.json").read_text())["done"] == number
        assert {file.name for file in (tmp_path / "sweep").iterdir()} == {"lock", "running.json"}

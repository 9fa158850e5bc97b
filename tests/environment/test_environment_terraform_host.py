"""Programs in process groups of their own: lines, limits, and ends of every kind."""

import asyncio
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from appliance.core.errors import ProvisioningError
from appliance.environment.terraform import HostLauncher

SH = "/bin/sh"
REPOSITORY = Path(__file__).parents[2]


async def run(tmp_path, script, timeout_s=20.0, grace_s=5.0, **variables):
    lines = []
    launcher = HostLauncher(grace_s)
    ended = await launcher.run(
        [SH, "-c", script],
        folder=tmp_path,
        environment={"PATH": "/usr/bin:/bin", **variables},
        timeout_s=timeout_s,
        on_line=lines.append,
    )
    return ended, lines


def descendants_in(folder):
    """The processes that work in a folder."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.cwd() == str(folder) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except psutil.Error:
            continue  # it ended, or is not ours
    return found


async def none_left_in(folder):
    deadline = time.monotonic() + 10
    while left := descendants_in(folder):
        assert time.monotonic() < deadline, left
        await asyncio.sleep(0.05)


async def test_lines_status_and_standard_error_are_told(tmp_path, monkeypatch):
    monkeypatch.setenv("INHERITED", "yes")
    script = "echo one; echo two >&2; printf three; echo ${INHERITED:-nothing} $GIVEN >&2; exit 3"
    ended, lines = await run(tmp_path, script, GIVEN="given")
    assert (ended.code, lines, ended.stopped_by) == (3, ["one", "three"], "")
    assert ended.stderr == "two\nnothing given"


async def test_what_cannot_be_started_is_told(tmp_path):
    launcher = HostLauncher()
    with pytest.raises(ProvisioningError, match="/nowhere/terraform cannot be started"):
        await launcher.run(["/nowhere/terraform"], folder=tmp_path, environment={}, timeout_s=5)
    with pytest.raises(ProvisioningError, match="cannot be started in"):
        await launcher.run([SH], folder=tmp_path / "no", environment={}, timeout_s=5)


async def test_out_of_time_it_is_asked_to_stop_and_may_say_its_last(tmp_path):
    script = "trap 'echo stopping; exit 7' INT; echo started; while :; do sleep 0.1; done"
    ended, lines = await run(tmp_path, script, timeout_s=0.5, grace_s=30)
    assert (ended.stopped_by, ended.code, lines) == ("time", 7, ["started", "stopping"])
    await none_left_in(tmp_path)


async def test_who_does_not_stop_is_killed_with_all_that_it_started(tmp_path):
    script = "trap '' INT; sleep 1000 & sh -c 'trap \"\" INT TERM; sleep 1000' & echo up; wait"
    started = time.monotonic()
    ended, lines = await run(tmp_path, script, timeout_s=0.3, grace_s=0.3)
    assert (ended.stopped_by, ended.code, lines) == ("time", -signal.SIGKILL, ["up"])
    assert time.monotonic() - started < 10
    await none_left_in(tmp_path)


async def test_what_is_left_behind_holds_nothing_up(tmp_path):
    """A grandchild keeps the pipes open; the program itself has ended."""
    ended, lines = await run(tmp_path, "sleep 1000 & echo done", timeout_s=15)
    assert (ended.code, lines, ended.stopped_by) == (0, ["done"], "")
    await none_left_in(tmp_path)


async def test_cancelled_it_ends_and_again_at_once(tmp_path):
    for cancels in (1, 2):
        started = asyncio.Event()

        async def work(started=started):
            await HostLauncher(grace_s=0.5 if cancels == 1 else 60).run(  # noqa: B023
                [SH, "-c", "trap '' INT; echo up; sleep 1000 & wait; wait"],
                folder=tmp_path,
                environment={},
                timeout_s=60,
                on_line=lambda line: started.set(),
            )

        task = asyncio.create_task(work())
        await asyncio.wait_for(started.wait(), 10)
        for _ in range(cancels):
            task.cancel()
            await asyncio.sleep(0.2)
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(task, 10)
        await none_left_in(tmp_path)


async def test_endless_output_takes_no_memory(tmp_path):
    """A line without an end, lines without number, and errors without end."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    endless = "head -c 60000000 /dev/zero; echo; echo after"
    ended, lines = await run(tmp_path, endless + "; head -c 60000000 /dev/zero >&2", timeout_s=60)
    assert lines == ["after"]
    assert len(ended.stderr) <= 16 << 10
    count = 0

    def tell(line):
        nonlocal count
        count += 1

    await HostLauncher(0.1).run(
        [SH, "-c", "yes"], folder=tmp_path, environment={}, timeout_s=0.5, on_line=tell
    )
    assert count > 1000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 << 10


OURS = """
import asyncio, sys
from pathlib import Path
from appliance.environment.terraform import HostLauncher
script = "trap '' INT TERM HUP; sh -c 'trap \\"\\" INT TERM HUP; sleep 1000' & echo up; wait"
asyncio.run(HostLauncher().run(["/bin/sh", "-c", script], folder=Path(sys.argv[1]), environment={},
    timeout_s=100, on_line=lambda line: print(line, flush=True)))
"""


async def test_nothing_outlives_us_when_we_are_killed(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", OURS, str(tmp_path)], stdout=subprocess.PIPE, cwd=REPOSITORY
    ) as ours:
        assert ours.stdout.readline() == b"up\n"
        assert len(descendants_in(tmp_path)) >= 2
        os.kill(ours.pid, signal.SIGKILL)
    await none_left_in(tmp_path)

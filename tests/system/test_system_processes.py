"""Programs that do not outlive us: interrupted at any moment of their start, none is left."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from appliance.system.processes import GuardedProcess, kill_group, reap_group

HOLDS_PIPES = "sleep 60 & echo up; sleep 60"
"""What it starts holds its pipes, as Terraform's providers do."""


def with_mark(mark: str) -> list[int]:
    found = []
    for process in psutil.process_iter(["cmdline"]):
        if mark in " ".join(process.info["cmdline"] or ()):
            found.append(process.pid)
    return found


def gone(mark: str, within_s: float = 10.0) -> bool:
    end = time.monotonic() + within_s
    while time.monotonic() < end:
        if not with_mark(mark):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("turns", [*range(8), 40])
@pytest.mark.parametrize("script", [HOLDS_PIPES, "true", "trap '' TERM; sleep 60"])
async def test_interrupted_in_its_start_it_leaves_nothing(script, turns):
    """Some three of a hundred such starts waited for ever when they were not shielded."""
    mark = f"cda-guarded-{os.getpid()}-{len(script)}-{turns}"
    program = GuardedProcess()
    command = ["/bin/sh", "-c", script, mark]
    task = asyncio.create_task(program.begin(command, os.environ))
    for _ in range(turns):
        await asyncio.sleep(0)
    task.cancel()
    async with asyncio.timeout(20):
        await asyncio.wait((task,))
    if not task.cancelled():  # it was there before it was interrupted
        await program.kill(5)
    assert await asyncio.to_thread(gone, mark)


async def test_what_it_started_goes_with_it():
    said = bytearray()

    class Heard(GuardedProcess):
        def receive(self, fd: int, data: bytes) -> None:
            said.extend(data)

    mark = f"cda-guarded-{os.getpid()}-whole"
    program = Heard()
    await program.begin(["/bin/sh", "-c", HOLDS_PIPES, mark], os.environ)
    async with asyncio.timeout(20):
        while b"up" not in said:
            await asyncio.sleep(0.01)
    assert program.returncode is None
    await program.kill(5)
    assert program.returncode == -signal.SIGKILL
    assert await asyncio.to_thread(gone, mark)


def test_when_we_are_killed_nothing_of_it_goes_on(tmp_path: Path):
    mark = f"cda-guarded-{os.getpid()}-orphan"
    code = f"""
import asyncio, os
from appliance.system.processes import GuardedProcess, kill_group, reap_group
async def main():
    program = GuardedProcess()
    await program.begin(["/bin/sh", "-c", {HOLDS_PIPES!r}, {mark!r}], os.environ)
    print("up", flush=True)
    await asyncio.sleep(60)
asyncio.run(main())
"""
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    assert parent.stdout.readline() == b"up\n"
    assert len(with_mark(mark)) >= 1
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert gone(mark)


def test_a_folder_that_is_named_goes_when_we_are_killed(tmp_path: Path):
    folder = tmp_path / "of the child"
    folder.mkdir()
    code = f"""
import subprocess
from pathlib import Path
from appliance.system.processes import guarded
command = guarded(["/bin/sh", "-c", "echo up; sleep 60"], Path({str(folder)!r}))
subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True).wait()
"""
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    assert parent.stdout.readline() == b"up\n"
    parent.kill()
    parent.wait()
    parent.stdout.close()
    end = time.monotonic() + 10
    while folder.exists() and time.monotonic() < end:
        time.sleep(0.02)
    assert not folder.exists()


def test_a_group_is_killed_and_reaped_and_no_group_is_no_error():
    command = ["/bin/sh", "-c", "sleep 60 & sleep 60"]
    child = subprocess.Popen(command, start_new_session=True)
    kill_group(child.pid)
    assert child.wait(10) == -signal.SIGKILL
    reap_group(child.pid, waits=True)
    kill_group(child.pid)
    reap_group(child.pid)

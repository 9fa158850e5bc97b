"""How a locked-up program starts and ends, and what comes back of it."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path

import pytest
from sandbox_programs import gone, marked, python

from appliance.config import SandboxSettings
from appliance.core.errors import ProvisioningError, SetupError
from appliance.environment.sandbox import choose_sandbox, reap, survey
from appliance.environment.sandbox.container import LABEL, Container, client_of, own_mark
from appliance.environment.sandbox.layout import PREFIX

STATE = '{"serial": 1}'
WAITS = """
    import signal, sys, time
    def stopped(*_):
        open("stopped", "w").write("politely")
        sys.exit(7)
    signal.signal(signal.SIGINT, stopped)
    open("terraform.tfstate", "w").write(sys.argv[2])
    print("ready", flush=True)
    time.sleep(60)
"""


async def test_files_go_in_and_what_changed_comes_back(attempt, kind, folder):
    (folder / "kept").write_text("kept")
    (folder / "gone").write_text("gone")
    (folder / "sub").mkdir()
    (folder / "sub" / "changed").write_text("before")
    (folder / "program").write_text("#!/bin/sh\necho started\n")
    (folder / "program").chmod(0o700)
    unchanged = (folder / "kept").stat().st_ino
    script = """
        import os, subprocess
        print(os.getcwd())
        print(subprocess.run(["./program"], capture_output=True, text=True).stdout.strip())
        os.unlink("gone")
        open("sub/changed", "w").write("after")
        os.makedirs("new/deep")
        open("new/deep/file", "wb").write(bytes(range(256)))
        raise SystemExit(3)
    """
    tried = await attempt(kind, script)
    assert tried.exit.code == 3
    assert tried.exit.stopped_by == ""
    assert tried.lines == [str(folder), "started"]
    assert (folder / "kept").stat().st_ino == unchanged
    assert not (folder / "gone").exists()
    assert (folder / "sub" / "changed").read_text() == "after"
    assert (folder / "new" / "deep" / "file").read_bytes() == bytes(range(256))


async def test_what_it_says_comes_line_by_line_while_it_runs(lock_up, kind, folder):
    lockup = await lock_up(kind)
    heard = []
    script = """
        import sys, time
        print("first", flush=True)
        time.sleep(0.6)
        print("second")
        sys.stderr.write("to the other")
    """
    ended = await lockup.run(
        python(script),
        folder=folder,
        environment={},
        timeout_s=20,
        on_line=lambda line: heard.append((line, time.monotonic())),
    )
    assert [line for line, _ in heard] == ["first", "second"]
    assert heard[1][1] - heard[0][1] > 0.3
    assert ended.stderr.endswith("to the other")


async def test_a_program_that_ends_at_once_is_not_waited_for(lock_up, kind, folder):
    lockup = await lock_up(kind)
    for _ in range(5):
        ended = await lockup.run(["/bin/false"], folder=folder, environment={}, timeout_s=5)
        assert (ended.code, ended.stopped_by) == (1, "")


async def test_a_program_that_is_not_there_is_said(lock_up, kind, folder):
    lockup = await lock_up(kind)
    with pytest.raises(ProvisioningError, match=r"/no/such in the sandbox \w+: .*No such file"):
        await lockup.run(["/no/such"], folder=folder, environment={}, timeout_s=20)


async def test_a_folder_that_is_too_large_is_refused(lock_up, locked, folder):
    lockup = await lock_up(locked, disk_mib=16)
    with (folder / "large").open("wb") as file:
        file.truncate(17 << 20)
    with pytest.raises(ProvisioningError, match=r"17 MiB, and environment\.sandbox\.disk_mib"):
        await lockup.run(["/bin/true"], folder=folder, environment={}, timeout_s=20)


async def test_out_of_time_it_may_stop_politely(attempt, kind, folder):
    mark = f"polite-{os.getpid()}-{kind}"
    tried = await attempt(kind, WAITS, mark, STATE, timeout_s=1.5, stop_s=10)
    assert tried.exit.stopped_by == "time"
    assert tried.exit.code == 7
    assert (folder / "stopped").read_text() == "politely"
    assert await gone(mark) == []


async def test_cancelled_it_may_stop_politely_and_its_files_come_back(lock_up, kind, folder):
    lockup = await lock_up(kind, stop_s=10)
    mark = f"cancelled-{os.getpid()}-{kind}"
    ready = asyncio.Event()
    running = asyncio.create_task(
        lockup.run(
            python(WAITS, mark, STATE),
            folder=folder,
            environment={},
            timeout_s=60,
            on_line=lambda line: ready.set(),
        )
    )
    await asyncio.wait_for(ready.wait(), 20)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert (folder / "stopped").read_text() == "politely"
    assert (folder / "terraform.tfstate").read_text() == STATE
    assert await gone(mark) == []


async def test_killed_with_the_appliance_its_state_is_kept_and_nothing_is_left(
    lock_up, kind, folder
):
    await lock_up(kind)  # or skip
    mark = f"killed-{os.getpid()}-{kind}"
    program = """
        import asyncio, json, sys
        from pathlib import Path
        from appliance.config import SandboxSettings
        from appliance.environment.sandbox import choose_sandbox

        async def main(kind, folder, command):
            lockup = await choose_sandbox(SandboxSettings(engine=kind))
            await lockup.run(
                json.loads(command), folder=Path(folder), environment={}, timeout_s=60
            )

        asyncio.run(main(*sys.argv[1:]))
    """
    arguments = (kind, folder, json.dumps(python(WAITS, mark, STATE)))
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program), *arguments]
    ) as appliance:
        state = folder / "terraform.tfstate"
        for _ in range(600):
            if state.exists() and state.read_text() == STATE:
                break
            await asyncio.sleep(0.05)
        assert state.read_text() == STATE  # while it runs
        assert marked(mark)
        appliance.send_signal(signal.SIGKILL)
    assert await gone(mark) == []
    assert (folder / "terraform.tfstate").read_text() == STATE
    place = Path(tempfile.gettempdir()).glob(f"{PREFIX}{appliance.pid}-*")
    assert next(place).name in reap()
    assert not (folder / "stopped").exists()


async def test_a_container_that_was_left_is_reaped_and_others_are_not(lock_up, engine):
    await lock_up(engine)  # or skip
    client = client_of(engine)
    image = Container(engine, SandboxSettings()).own_image()
    host, pid, started = own_mark().split("/")
    marks = {"left": f"{host}/{pid}/1", "ours": own_mark(), "far": f"elsewhere/{pid}/{started}"}
    names = {}
    try:
        for name, mark in marks.items():
            names[name] = f"{PREFIX}test-{os.getpid()}-{name}"
            client.container.create(image, ["/none"], name=names[name], labels={LABEL: mark})
        assert names["left"] in reap()
        left = {each.name for each in client.container.list(all=True)}
        assert names["left"] not in left
        assert {names["ours"], names["far"]} <= left
    finally:
        for name in names.values():
            if client.container.exists(name):
                client.container.remove(name, force=True)


async def test_auto_takes_the_first_that_works():
    found = await survey(SandboxSettings())
    order = ["docker", "podman", "bubblewrap", "process"]
    assert found.name in order
    assert [name for name, _ in found.passed_over] == order[: order.index(found.name)]
    assert all(why for _, why in found.passed_over)
    lockup = await choose_sandbox(SandboxSettings())
    assert lockup.name == found.name


async def test_a_configured_one_that_does_not_work_is_not_replaced(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    settings = SandboxSettings(engine="bubblewrap", image="another-cache-entry")
    with pytest.raises(SetupError, match=r"bubblewrap does not work: .* not installed"):
        await choose_sandbox(settings)
    assert not (await survey(settings)).is_locked


async def test_an_address_that_is_none_is_refused():
    with pytest.raises(SetupError, match="'cloud' is no address of an API"):
        await choose_sandbox(SandboxSettings(engine="process"), hosts=frozenset({"cloud"}))


async def test_what_only_root_may_read_is_shown_as_a_copy(attempt, locked, tmp_path):
    secret = tmp_path / "password"
    secret.write_text("s3cret")
    secret.chmod(0o600)
    tried = await attempt(
        locked, "import sys; print(open(sys.argv[1]).read())", secret, read_only=[secret]
    )
    assert tried.lines == ["s3cret"], tried.exit
    assert not list(Path(tempfile.gettempdir()).glob(f"{PREFIX}{os.getpid()}-*"))


@pytest.mark.skipif(os.getuid() != 0, reason="only root needs another user")
async def test_a_folder_that_only_root_may_read_is_said(attempt, locked, tmp_path):
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    with pytest.raises(SetupError, match=r"may not read .*closed: chmod o\+rx it"):
        await attempt(locked, "", read_only=[closed])

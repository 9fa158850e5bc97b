"""`appliance login --record` where there is a display: a window, and a person at mouse and keys."""

import os
import pty
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.doors import FormDoor
from tests.serving import environment
from tests.tag_console import tag_console

MISSING = [name for name in ("Xvfb", "xdotool") if not shutil.which(name)]
pytestmark = pytest.mark.skipif(
    bool(MISSING), reason=f"apt-get install xvfb xdotool: {MISSING} not there"
)
PASSWORD = "only-alice-knows"


@pytest.fixture
def display() -> Iterator[str]:
    reading, writing = os.pipe()
    command = [
        "Xvfb",
        "-displayfd",
        str(writing),
        "-screen",
        "0",
        "1400x1100x24",
        "-nolisten",
        "tcp",
    ]
    server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        with os.fdopen(reading) as told:
            yield f":{told.readline().strip()}"
    finally:
        server.terminate()
        server.wait(30)


class Hands:
    """What somebody does at that display."""

    def __init__(self, display: str) -> None:
        self._around = os.environ | {"DISPLAY": display}

    def __call__(self, *words: str) -> str:
        command = ["xdotool", *words]
        ended = subprocess.run(
            command, env=self._around, capture_output=True, text=True, check=False
        )
        return ended.stdout.strip()

    def window(self, title: str) -> str:
        """The window of that title, once it is there."""
        until = time.monotonic() + 60
        while not (found := self("search", "--onlyvisible", "--name", title)):
            assert time.monotonic() < until, f"no window {title!r}"
            time.sleep(0.2)
        return found.split()[0]


def wait_for(what: str, holds) -> None:
    until = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < until, what
        time.sleep(0.2)


def test_a_person_logs_in_in_a_window(display: str, folder: Path) -> None:
    (folder / "key").write_text(secrets.token_urlsafe(32))
    door, hands = FormDoor("alice", PASSWORD), Hands(display)
    with tag_console(door) as tags:
        lab = {"kind": "generic", "url": tags.url, "log_in": "state"}
        lab["accounts"] = {"alice": {"username": "alice"}}
        settings = {"consoles": {"lab": lab}, "storage": {"key_file": "key"}}
        (folder / "config.yaml").write_text(yaml.safe_dump(settings))
        command = [sys.executable, "-m", "appliance.cli", "login", "lab", "--record"]
        around = environment(DISPLAY=display)
        alone = subprocess.run(
            command,
            env=around,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (alone.returncode, "start this in a terminal" in alone.stderr) == (2, True)
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            command, env=around, stdin=theirs, stderr=subprocess.PIPE, text=True
        )
        try:
            window = hands.window("Tag console")
            hands("windowfocus", "--sync", window)
            wait_for(
                "the form is focused", lambda: "Log in in the browser" in process.stderr.readline()
            )
            hands("key", "Tab")
            hands("type", "alice")
            hands("key", "Tab")
            hands("type", PASSWORD)
            hands("key", "Return")
            wait_for("nobody came in", lambda: door.sessions)
            os.write(ours, b"\n")
            _, said = process.communicate(timeout=120)
        finally:
            process.kill()
            process.wait(30)
            for one in (ours, theirs):
                os.close(one)
        assert process.returncode == 0, said
        assert "alice can log in to lab." in said
        assert PASSWORD not in said

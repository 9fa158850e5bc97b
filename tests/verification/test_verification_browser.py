"""What happens to a browser in the middle of an attempt says nothing about the document."""

import os
import signal

import psutil
import pytest

from appliance.core.events import StepFinished
from appliance.core.verdict import Verdict

GUIDE = """# Buckets

## Create a bucket

1. Go to **Products** > **Buckets**.
2. Click **Create bucket**.
3. Enter `docs-1` in **Bucket name**.
4. Click **Create**.
"""


def _browsers() -> list[int]:
    """The browsers that this process started: each leads a process group."""
    return [
        process.pid
        for process in psutil.process_iter(["ppid", "cmdline"])
        if process.info["ppid"] == os.getpid()
        and any(word.startswith("--user-data-dir=") for word in process.info["cmdline"] or ())
    ]


@pytest.fixture
def kill(lab):
    """Kill the browser in the middle of the first attempts, so many of them."""
    before = set(_browsers())

    def prepare(times: int) -> None:
        def on_event(event: object, _api: object) -> None:
            nonlocal times
            if isinstance(event, StepFinished) and times:
                times -= 1
                for pid in set(_browsers()) - before:
                    os.kill(pid, signal.SIGKILL)

        lab.on_event = on_event

    return prepare


async def test_a_browser_that_dies_once_costs_an_attempt(lab, kill) -> None:
    kill(1)
    result = (await lab.verify(GUIDE)).procedures[0]
    assert lab.attempts == 2
    assert result.verdict is Verdict.VERIFIED


async def test_browsers_that_die_block_and_say_nothing_about_the_document(lab, kill) -> None:
    kill(2)
    result = (await lab.verify(GUIDE)).procedures[0]
    assert result.verdict is Verdict.BLOCKED
    assert (result.blocked_by or "").startswith("browser: ")
    assert result.findings == ()

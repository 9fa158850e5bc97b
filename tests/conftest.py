"""What holds for all tests."""

import asyncio
import gc
import inspect
import logging
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from hypothesis import settings

from appliance.core import secrets
from appliance.store.session import USED

# A busy machine is no fault of what is tested.
settings.register_profile("without a deadline", deadline=None)
settings.load_profile("without a deadline")

# What a shell starts in the background ignores Ctrl-C, and so would every program that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def logs_as_they_come() -> Iterator[None]:
    """Commands that were run in this process set up logs for good: not for the next test."""
    root = logging.getLogger()
    level = root.level
    yield
    structlog.reset_defaults()
    for handler in root.handlers[:]:
        if isinstance(handler.formatter, structlog.stdlib.ProcessorFormatter):
            root.removeHandler(handler)
    root.setLevel(level)
    logging.getLogger("appliance").setLevel(logging.NOTSET)
    logging.captureWarnings(False)


@pytest.fixture(autouse=True)
def secrets_of_one_test() -> Iterator[None]:
    """What one test has learnt as a secret is an ordinary word in the next."""
    known = secrets._registry
    before, sought = dict(known.secrets), known.sought
    yield
    with known.lock:
        known.secrets, known.sought = before, sought


# -- nothing waits for a disk on the event loop ----------------------------------------------------

APPLIANCE = f"{Path(__file__).parent.parent / 'appliance'}{os.sep}"
COROUTINES = inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
KEEPING = ("store", "engine", "verification")
"""The packages that keep what is not to be lost."""
_blocking: list[str] = []


@pytest.fixture(autouse=True)
def loop_goes_on() -> Iterator[None]:
    """A test fails in which a coroutine of ours uses a store, or writes a file, on the loop.

    What a test's own coroutine calls is its own affair: nobody else waits on its loop.
    """
    _blocking.clear()
    yield
    if _blocking:
        pytest.fail(f"{len(_blocking)} calls block the event loop, such as {_blocking[0]}")


def _note_blocking(event: str, given: tuple[object, ...]) -> None:
    if event not in (USED, "open") or asyncio._get_running_loop() is None:
        return
    if event == "open" and not (isinstance(given[2], int) and given[2] & (os.O_WRONLY | os.O_RDWR)):
        return
    frame, trail = inspect.currentframe(), list[str]()
    while frame is not None and not frame.f_code.co_filename.endswith("asyncio/events.py"):
        trail.append(f"{frame.f_code.co_filename}:{frame.f_lineno}")
        if frame.f_code.co_flags & COROUTINES:
            break
        frame = frame.f_back
    if not trail[-1].startswith(APPLIANCE):
        return
    ours = [place.removeprefix(APPLIANCE) for place in trail if place.startswith(APPLIANCE)]
    if event == USED or any(place.partition(os.sep)[0] in KEEPING for place in ours):
        _blocking.append(f"{given[0]}: {' < '.join(ours)}")


# -- the quick ones: scripts/test --quick ---------------------------------------------------------

TESTS = Path(__file__).parent
QUICK_ROOMS = {
    *("config", "core", "documents", "inference", "language", "outcome", "policy", "reports"),
    *("store", "system", "telemetry"),
}
"""Whose tests ask one part, in this process or a small child. All others are left out whole: they
start browsers, clouds, servers or terraform, or work through all of the documentation."""
SLOW_FIXTURES = {"reader"}
"""A browser, or documents that take long."""
HEAVY = {
    *("node", "chromium", "chromium-headless-shell", "chrome", "headless_shell"),  # browsers
    *("terraform", "tofu", "docker", "podman"),
}
"""Programs that no quick test starts."""
_started: list[str] = []


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="leave out what is marked slow")


def pytest_configure(config: pytest.Config) -> None:
    gc.disable()  # until all is collected: nothing of it is thrown away
    sys.addaudithook(_note_blocking)
    if config.getoption("--quick"):
        sys.addaudithook(_note_heavy)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    is_slow = collection_path.parent == TESTS and collection_path.name not in QUICK_ROOMS
    return True if config.getoption("--quick") and is_slow else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--quick"):
        slow = [item for item in items if _is_slow(item)]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if not _is_slow(item)]


def pytest_collection_finish() -> None:
    """What was imported stays: to look for garbage in it takes a tenth of the tests' time."""
    gc.collect()
    gc.freeze()
    gc.enable()


def _is_slow(item: pytest.Item) -> bool:
    given = getattr(item, "fixturenames", ())
    return item.get_closest_marker("slow") is not None or bool(SLOW_FIXTURES & set(given))


@pytest.fixture(autouse=True)
def no_heavy_program() -> Iterator[None]:
    """With `--quick`, a test that starts one fails: it has to be marked."""
    _started.clear()
    yield
    if _started:
        pytest.fail(f"starts {_started[0]}: mark it with pytest.mark.slow")


def _note_heavy(event: str, given: tuple[object, ...]) -> None:
    if event == "subprocess.Popen":
        # A program may be started by a shell, which is told it.
        command = given[1] if isinstance(given[1], list | tuple) else [given[1]]
        words = [
            os.fsdecode(word)
            for word in (given[0], *command)
            if isinstance(word, str | bytes | Path)
        ]
        _started.extend(name for name in map(os.path.basename, words) if name in HEAVY)

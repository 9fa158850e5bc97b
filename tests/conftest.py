"""What holds for all tests."""

import logging
import signal
from collections.abc import Iterator

import pytest
import structlog
from hypothesis import settings

from appliance.core import secrets

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
    known = secrets._known
    before, sought = dict(known.secrets), known.sought
    yield
    with known.lock:
        known.secrets, known.sought = before, sought

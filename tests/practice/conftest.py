from datetime import UTC, datetime, timedelta

import httpx
import pytest

from appliance.practice import PracticeSettings, serving


class TurnedClock:
    """A clock that stands still until a test turns it."""

    def __init__(self):
        self.time = datetime(2026, 5, 1, 9, 0, tzinfo=UTC)

    def now(self):
        return self.time

    def monotonic(self):
        return self.time.timestamp()

    def turn(self, seconds):
        self.time += timedelta(seconds=seconds)


@pytest.fixture
def clock():
    return TurnedClock()


@pytest.fixture
def practice(clock):
    with serving(PracticeSettings(release="2025.1", settle_s=2.0), clock) as running:
        yield running


@pytest.fixture
def api(practice):
    """A client for an account: `api("bob")`."""
    clients = []

    def client(name="alice", password=None):
        auth = (name, password or practice.password)
        made = httpx.Client(base_url=practice.url, auth=auth, trust_env=False, timeout=10)
        clients.append(made)
        return made

    yield client
    for made in clients:
        made.close()

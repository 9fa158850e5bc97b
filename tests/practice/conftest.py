from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
import yaml

from appliance.practice.catalogue import Catalogue
from appliance.practice.loading import read_source
from appliance.practice.overlay import catalogue_of
from appliance.practice.releases import product_tree
from appliance.practice.rules import problems_of
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings
from tests.chromium import chromium


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


@pytest.fixture(scope="session")
def lab_tree():
    """Product data with one of everything; see `engine.yaml`. It must not be changed."""
    text = (Path(__file__).parent / "engine.yaml").read_text(encoding="utf-8")
    return {"console": product_tree()["console"], "products": yaml.safe_load(text)}


@pytest.fixture(scope="session")
def lab_catalogue(lab_tree):
    return Catalogue.model_validate(lab_tree)


@pytest.fixture
def lab(clock, lab_catalogue):
    """A cloud that offers only the lab."""
    with serving(PracticeSettings(settle_s=2.0), clock, lab_catalogue) as running:
        yield running


@pytest.fixture
def lab_api(lab):
    """A client of the lab for an account: `lab_api("bob")`."""
    with ExitStack() as stack:

        def client(name="alice", region=None):
            return stack.enter_context(
                httpx.Client(
                    base_url=lab.url,
                    auth=(name, lab.password),
                    trust_env=False,
                    timeout=10,
                    headers={"x-practice-region": region} if region else {},
                )
            )

        yield client


@pytest.fixture(scope="session")
def offering():
    """`offering(name, file)` is the catalogue of a cloud with that one product."""

    def catalogue(name, file):
        console = product_tree()["console"]
        tree = {"console": console, "products": {name: read_source(file).data}}
        assert problems_of(tree) == []
        return catalogue_of(tree)

    return catalogue


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser():
    """One browser for all tests of a module."""
    async with chromium() as browser:
        yield browser

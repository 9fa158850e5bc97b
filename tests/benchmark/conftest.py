import pytest

from appliance.benchmark.drift.draw import Drawer
from appliance.benchmark.drift.truth import read_all
from appliance.documents import load_documents
from appliance.practice.releases import DOCUMENTATION, catalogue, releases


@pytest.fixture(scope="session")
def documents():
    return load_documents([DOCUMENTATION])


@pytest.fixture(scope="session")
def reads(documents):
    """All bundled procedures with what they claim."""
    return read_all(documents, catalogue(releases()[0]), DOCUMENTATION)


@pytest.fixture(scope="session")
def drawer(documents):
    """Draws drift for all bundled documents."""
    return Drawer(documents)

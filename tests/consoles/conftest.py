"""A practice cloud, its adapter, and its API as alice."""

from datetime import UTC, datetime

import httpx
import pytest
import pytest_asyncio

from appliance.config import AccountSettings, ConsoleSettings
from appliance.consoles import open_console
from appliance.practice.accounts import ACCOUNTS
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings


@pytest.fixture
def settings_for():
    """The settings of a practice cloud somewhere."""

    def settings(url, password_file, **more):
        accounts = {
            a.name: AccountSettings(username=a.name, role=a.role, password_file=password_file)
            for a in ACCOUNTS
        }
        return ConsoleSettings(kind="practice", url=url, accounts=accounts, **more)

    return settings


@pytest.fixture
def practice():
    with serving(PracticeSettings(release="2025.1", settle_s=0.3)) as running:
        yield running


@pytest.fixture
def password_file(tmp_path, practice):
    file = tmp_path / "password"
    file.write_text(practice.password + "\n", encoding="utf-8")
    return file


@pytest_asyncio.fixture
async def console(practice, password_file, settings_for):
    console = open_console("practice", settings_for(practice.url, password_file))
    await console.check()
    yield console
    await console.close()


@pytest.fixture
def alice(console):
    return console.accounts("alice")[0]


@pytest.fixture
def api(practice):
    auth = ("alice", practice.password)
    with httpx.Client(base_url=practice.url, auth=auth, trust_env=False) as client:
        yield client


@pytest.fixture
def began():
    return datetime.now(UTC)

"""Where the cloud of the tests marked `cloud` is: the same variables as scripts/horizon-check."""

import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from appliance.config import BrowserSettings, ConsoleSettings
from appliance.consoles.openstack.console import OpenStackConsole

sys.path.insert(0, str(Path(__file__).parent))  # what scripts/horizon-check runs is here
import horizon_check


@pytest.fixture(scope="session")
def lab_settings(tmp_path_factory: pytest.TempPathFactory) -> ConsoleSettings:
    options = horizon_check.options_of([])
    settings = horizon_check.settings_of(options, tmp_path_factory.mktemp("out"))
    return ConsoleSettings.model_validate(settings["consoles"]["horizon"])


@pytest.fixture
def passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in horizon_check.PASSWORDS.items():
        monkeypatch.setenv(name, os.environ.get(name, value))


@pytest.fixture
async def horizon(
    lab_settings: ConsoleSettings, passwords: None
) -> AsyncIterator[OpenStackConsole]:
    console = OpenStackConsole("horizon", lab_settings)
    await console.check()
    yield console
    await console.close()


@pytest.fixture
def browser_settings() -> BrowserSettings:
    return BrowserSettings()

"""A practice cloud, a store and the environment around them, all real."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
import yaml

from appliance.config import (
    AccountSettings,
    ConsoleSettings,
    EnvironmentSettings,
    ModelSettings,
    Settings,
)
from appliance.consoles import open_console
from appliance.core.clock import Clock
from appliance.core.procedure import Procedure
from appliance.documents import load_documents
from appliance.environment.lifecycle import OpenConsole
from appliance.environment.opening import open_environment
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings
from appliance.store.store import Store

GUIDE = """\
# Guide

## {title}

1. Open **Products** > **Disks**.
"""


@dataclass
class Cloud:
    """A practice cloud with an account, and a folder for our own data."""

    folder: Path
    url: str
    password: Path
    api: httpx.Client

    def held(self) -> list[str]:
        """What the account holds, as `kind name`."""
        answer = self.api.get("/api/inventory")
        answer.raise_for_status()
        return sorted(f"{item['kind']} {item['name']}" for item in answer.json()["items"])

    def make(self, path: str, **body: object) -> str:
        answer = self.api.post(path, json=body)
        answer.raise_for_status()
        return str(answer.json()["id"])

    @asynccontextmanager
    async def opened(
        self,
        clock: Clock | None = None,
        more: dict[str, object] | None = None,
        model: str = "",
        **of: object,
    ) -> AsyncIterator[OpenConsole]:
        """The environment, as a process of ours opens it.

        Args:
            clock: The time.
            more: Further settings of the account.
            model: Address of a model.
            of: Settings of `environment`.
        """
        account = AccountSettings(
            username="alice", role="member", password_file=self.password, **(more or {})
        )
        console = ConsoleSettings(kind="practice", url=self.url, accounts={"alice": account})
        settings = Settings(
            data_dir=self.folder / "data",
            console="cloud",
            consoles={"cloud": console},
            environment=EnvironmentSettings(**of),
            model=ModelSettings(endpoint=model),
        )
        adapter = open_console("cloud", console)
        try:
            with Store.open(settings.data_dir) as store:
                async with open_environment(adapter, settings, store, clock=clock) as opened:
                    yield opened
        finally:
            await adapter.close()

    def procedure(self, title: str = "Look at disks", checks: str = "") -> Procedure:
        """A procedure; `checks` is YAML under its slug."""
        guide = self.folder / "guide.md"
        guide.write_text(GUIDE.format(title=title))
        slug = title.lower().replace(" ", "-")
        if checks:
            text = f"procedures:\n  {slug}:\n    {checks}\n"
            (self.folder / "guide.checks.yaml").write_text(text)
        return load_documents([guide])[0].procedures[0]


@pytest.fixture
def changes() -> list[dict[str, object]]:
    """How the console differs from its release."""
    return []


@pytest.fixture
def cloud(tmp_path, changes) -> Iterator[Cloud]:
    drift = tmp_path / "drift.yaml"
    drift.write_text(yaml.safe_dump({"changes": changes}))
    with serving(PracticeSettings(release="2025.1", drift=drift, settle_s=0.1)) as served:
        password = tmp_path / "password"
        password.write_text(served.password)
        auth = ("alice", served.password)
        with httpx.Client(base_url=served.url, auth=auth, trust_env=False) as api:
            yield Cloud(tmp_path, served.url, password, api)

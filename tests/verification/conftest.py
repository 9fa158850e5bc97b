"""A practice cloud with changes of a test's own, verified against with a real browser."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

import httpx
import pytest
import yaml

from appliance.config import (
    AccountSettings,
    ConsoleSettings,
    EnvironmentSettings,
    Settings,
    VerificationSettings,
)
from appliance.core.events import AttemptStarted
from appliance.core.people import People
from appliance.core.result import RunResult
from appliance.engine.engine import EngineOptions
from appliance.practice.accounts import ACCOUNTS
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings
from appliance.store.store import Store
from appliance.system.yaml import Dumper
from tests.running import verified


class Lab:
    """A practice cloud with changes of a test's own, and what is needed to verify against it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.attempts = 0
        self.people: People | None = None
        self.on_event: Callable[[object, httpx.Client], None] = lambda event, api: None
        self._api: httpx.Client | None = None
        self.buckets_left: list[str] = []
        self.again = ""
        self.try_patches: Literal["never", "sweeps", "always"] = "sweeps"

    async def verify(
        self,
        text: str,
        checks: object = None,
        changes: tuple[dict[str, object], ...] = (),
        password: str | None = None,
        buckets: tuple[str, ...] = (),
        provision: Literal["auto", "off"] = "auto",
        policy: str = "literal",
        **more: object,
    ) -> RunResult:
        """A run; `more` are further settings, such as `model`."""
        guide = self.folder / "guide.md"
        guide.write_text(text, encoding="utf-8")
        if checks:
            (self.folder / "guide.checks.yaml").write_text(yaml.dump(checks, Dumper=Dumper))
        drift = self.folder / "drift.yaml"
        drift.write_text(yaml.dump({"changes": list(changes)}, Dumper=Dumper))
        served = PracticeSettings(release="2025.1", drift=drift if changes else None, settle_s=0.2)
        with serving(served) as cloud:
            api = httpx.Client(base_url=cloud.url, auth=("alice", cloud.password), trust_env=False)
            self._api = api
            with api:
                for name in buckets:
                    api.post("/api/storage/buckets", json={"name": name}).raise_for_status()
                run = await self._run(
                    cloud.url, password or cloud.password, provision, policy, more
                )
                items = api.get("/api/storage/buckets").json()["items"]
                self.buckets_left = sorted(i["values"]["name"] for i in items)
        return run

    async def _run(
        self,
        url: str,
        password: str,
        provision: Literal["auto", "off"],
        policy: str,
        more: Mapping[str, object],
    ) -> RunResult:
        secret = self.folder / "password"
        secret.write_text(password)
        alice = next(a for a in ACCOUNTS if a.name == "alice")
        account = AccountSettings(username="alice", role=alice.role, password_file=secret)
        console = ConsoleSettings(kind="practice", url=url, accounts={"alice": account})
        settings = Settings(
            data_dir=self.folder,
            consoles={"practice": console},
            environment=EnvironmentSettings(provision=provision),
            verification=VerificationSettings(
                audit_wait_s=1, settle_resource_s=4, try_patches=self.try_patches
            ),
            **{"claims": {"questions": 0}} | more,  # who tests what is asked of them says so
        )
        options = EngineOptions(subscribers=(self._count,), people=self.people, is_open=True)
        return await verified(settings, [self.folder / "guide.md"], policy, options, self.again)

    def cut_short(self, run: RunResult) -> None:
        """Leave it as a process does that dies before its verdict is kept; it goes on next."""
        self.again = run.id
        with (
            Store.open(self.folder) as store,
            store.session.transaction("a crash") as connection,
        ):
            connection.execute("UPDATE sweeps SET state = 'running'")
            connection.execute("UPDATE sweep_items SET state = 'running'")
            connection.execute("DELETE FROM procedures")

    def _count(self, event: object) -> None:
        self.attempts += isinstance(event, AttemptStarted)
        assert self._api is not None
        self.on_event(event, self._api)


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path)

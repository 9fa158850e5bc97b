import sys
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from appliance.config import (
    AccountSettings,
    ConsoleSettings,
    EnvironmentSettings,
    ModelSettings,
    Settings,
)
from appliance.config.settings import CoderSettings, SandboxSettings
from appliance.consoles import open_console
from appliance.consoles.base import Account, Console
from appliance.core.resources import Lifetime, Phase, ReceiptKind
from appliance.environment.coder.supply import CoderSupply
from appliance.environment.modules import Catalogue
from appliance.environment.terraform import Terraform
from appliance.inference.client import ModelClient
from appliance.inference.scripted import ScriptedReply, serving
from appliance.store.store import Store

sys.path[:0] = [str(Path(__file__).parent)]
from coder_script import MARKER, PLAIN, says  # noqa: E402

NOW = datetime(2026, 11, 21, tzinfo=UTC)
LIFE = Lifetime(
    id="attempt-7",
    run_id="run",
    procedure_id="guide#look",
    number=1,
    console="cloud",
    account="alice",
    unique=MARKER,
    phase=Phase.EXECUTING,
    since=NOW,
    baseline=None,
    expires_at=NOW,
    started_at=NOW,
)


class Supplying(NamedTuple):
    """A supply, and what it works with."""

    supply: CoderSupply
    account: Account
    store: Store
    terraform: Terraform
    console: Console


@asynccontextmanager
async def supplying(cloud, script, **coder):
    """A supply for the cloud, with all that it needs."""
    pytest.importorskip("tf", reason="the provider needs the extra `terraform`")
    alice = AccountSettings(username="alice", role="member", password_file=cloud.password)
    settings = EnvironmentSettings(
        sandbox=SandboxSettings(engine="process"), coder=CoderSettings(**coder)
    )
    terraform = Terraform(settings.terraform, cloud.folder / "data")
    of_console = ConsoleSettings(kind="practice", url=cloud.url, accounts={"alice": alice})
    console = open_console("cloud", of_console)
    try:
        with serving(script) as model, Store.open(cloud.folder / "data") as store:
            client = ModelClient(ModelSettings(endpoint=model.url))
            supply = CoderSupply(
                client,
                Catalogue.load(),
                terraform,
                console,
                Settings(consoles={"cloud": of_console}, environment=settings),
                store,
            )
            (account,) = console.accounts("alice")
            store.attempts.start(LIFE)
            yield Supplying(supply, account, store, terraform, console)
            await client.close()
    finally:
        await terraform.close()
        await console.close()


async def test_a_request_is_made_told_kept_and_proposed(cloud):
    before = cloud.held()
    script = [says(PLAIN)]
    async with supplying(cloud, script) as of:
        done = await of.supply.supply("an empty bucket", LIFE, of.account)
        assert done.ok, done.error
        assert f"bucket made-{MARKER}" in done.report
        assert cloud.held() == sorted([*before, f"bucket made-{MARKER}"])
        assert [(r.deed, r.name) for r in of.store.attempts.receipts(LIFE.id)] == [
            (ReceiptKind.MADE, f"made-{MARKER}")
        ]
        (candidate,) = of.store.candidates.all()
        assert (candidate.request, candidate.console) == ("an empty bucket", "practice")
        assert of.terraform.known() == ("attempt-7.1",)
        access = await of.console.terraform(of.account)
        await (await of.terraform.open("attempt-7.1", None, access)).destroy()
    assert cloud.held() == before


async def test_what_cannot_be_made_is_said_and_nothing_is_kept(cloud):
    before = cloud.held()
    async with supplying(cloud, [says({}, "No such type.")]) as of:
        done = await of.supply.supply("a mail server", LIFE, of.account)
        assert (done.ok, done.report) == (False, "")
        assert "No such type" in done.error
        assert of.store.attempts.receipts(LIFE.id) == ()
        assert of.store.candidates.all() == ()
        assert of.terraform.known() == ()
    assert cloud.held() == before


async def test_a_model_that_is_away_is_no_exception(cloud):
    async with supplying(cloud, [ScriptedReply(status=404)]) as of:
        done = await of.supply.supply("a bucket", LIFE, of.account)
        assert not done.ok
        assert "has no such model" in done.error

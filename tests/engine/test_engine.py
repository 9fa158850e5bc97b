"""The engine against a real practice cloud: consoles that are down, hours, quarantine, pauses."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from appliance.config import (
    AccountSettings,
    ConsoleSettings,
    Settings,
    StorageSettings,
    SweepSettings,
)
from appliance.config.service_settings import DocumentationSettings
from appliance.core.causes import Cause, CauseKind
from appliance.core.errors import ConsoleError, DocumentError, SetupError
from appliance.core.events import AccountQuarantined, Event
from appliance.engine.engine import Engine, EngineOptions, open_engine
from appliance.engine.problems import NothingToDo, NotReady, StoppingError, UnknownRun
from appliance.engine.request import InlineDocument, RunKind, RunRequest
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings
from appliance.store.store import Store
from appliance.store.sweeps import SweepState

GUIDE = """\
# Buckets

## Create the {name} bucket

1. Open **Products** > **Buckets**.
2. Click **Create bucket**.
3. In the **Bucket name** field, enter `{name}-bucket`.
4. Click **Create**.
"""


def verification(**of: object) -> RunRequest:
    return RunRequest(kind=RunKind.VERIFICATION, requested_by="me", **of)


def sweep_of(requested_by: str = "me", **of: object) -> RunRequest:
    return RunRequest(kind=RunKind.SWEEP, requested_by=requested_by, **of)


class Lab:
    def __init__(self, folder: Path, url: str) -> None:
        self.folder = folder
        self.guide = folder / "guide.md"
        self.guide.write_text(GUIDE.format(name="first"))
        account = AccountSettings(
            username="alice", password_file=folder / "password", role="member"
        )
        consoles = {
            name: ConsoleSettings(kind="practice", url=address, accounts={"alice": account})
            for name, address in (("cloud", url), ("down", "http://127.0.0.1:9"))
        }
        self.settings = Settings(
            data_dir=folder / "data",
            console="cloud",
            consoles=consoles,
            documentation=DocumentationSettings(paths=(self.guide,)),
        )
        self.events: list[Event] = []

    @asynccontextmanager
    async def engine(self, **sweep: object) -> AsyncIterator[Engine]:
        settings = self.settings.model_copy(update={"sweep": SweepSettings(**sweep)})
        with Store.open(settings.data_dir) as store:
            async with open_engine(
                settings, store, EngineOptions(subscribers=[self.events.append])
            ) as engine:
                yield engine


@pytest.fixture
def lab(tmp_path):
    with serving(PracticeSettings(release="2025.1", settle_s=0.1)) as cloud:
        (tmp_path / "password").write_text(cloud.password)
        yield Lab(tmp_path, cloud.url)


async def until(is_it: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not is_it():
            await asyncio.sleep(0.02)


async def ready(engine: Engine) -> None:
    await until(lambda: [problem.name for problem in engine.problems()] == ["console down"])


async def test_a_console_that_is_down_blocks_its_own_runs_only(lab):
    own = InlineDocument("own.md", GUIDE.format(name="own").encode())
    async with lab.engine() as engine:
        waits = await engine.start(verification(console="down", inline=(own,)))
        row = await engine.start(verification(inline=(own,)))
        events = [event async for event in engine.live.follow(row.id)]
        assert (events[0].name, events[-1].name) == ("snapshot", "sweep_progressed")
        assert {event.run_id for event in events} == {row.id}
        steps = [event.data for event in events if event.name == "step_finished"]
        assert steps[-1]["text"] == "Click Create."
        assert steps[-1]["picture"]["size"] > 0
        again = [event async for event in engine.live.follow(row.id, after=events[2].id)]
        assert again == events[3:]
        status = engine.status(row.id)
        assert (status["state"], status["kind"], status["requested_by"]) == (
            "done",
            "verification",
            "me",
        )
        assert status["verdicts"] == {"verified": 1}
        (problem,) = engine.problems()
        assert (problem.name, "no practice cloud answers" in problem.why) == ("console down", True)
        assert engine.status(waits.id)["why"].startswith("waits for console down: ")
        with pytest.raises(ConsoleError, match="console down is not ready"):
            await engine.clouds.reap("down")
        assert [row.name for row in engine.clouds.accounts("down")] == ["alice"]
        await engine.cancel(waits.id, by="me")
        assert engine.status(waits.id)["state"] == "cancelled"
        with pytest.raises(NothingToDo, match="cancelled already"):
            await engine.resume(waits.id, by="me")


async def test_a_sweep_waits_for_its_hours_and_equal_ones_are_one(lab):
    now = datetime.now(UTC)
    opens, closes = (f"{now + timedelta(hours=h):%H:%M}" for h in (2, 3))
    async with lab.engine(window=f"{opens}-{closes}") as engine:
        await ready(engine)
        sweep = await engine.start(sweep_of(requested_by="me"))
        assert (await engine.start(sweep_of(requested_by="you"))).id == sweep.id
        why = f"waits for its time, {opens}-{closes}"
        await until(lambda: engine.status(sweep.id)["why"] == why)
        await engine.pause(sweep.id, by="me")
        with pytest.raises(NothingToDo, match="is paused"):
            await engine.start(sweep_of(requested_by="schedule nightly"))
        await engine.resume(sweep.id, by="me")
        later = now + timedelta(minutes=5)
        assert (await engine.start(sweep_of(closes=later))).id == sweep.id
        async for _ in engine.live.follow(sweep.id):
            pass
        assert engine.store.sweeps.get(sweep.id).state is SweepState.DONE
        with pytest.raises(NothingToDo, match="nothing is due: 1 verified not long ago"):
            await engine.start(sweep_of(requested_by="me"))
        lab.guide.write_text(GUIDE.format(name="second"))
        assert [p.title for d in engine.documents() for p in d.procedures] == [
            "Create the second bucket"
        ]
        assert [item.reason for item in (await engine.plan(sweep_of())).items] == ["never"]


async def test_accounts_are_looked_at_kept_from_use_and_given_back(lab):
    async with lab.engine() as engine:
        await ready(engine)
        assert (await engine.clouds.check_account("cloud", "alice")).health.can_log_in
        row = await engine.clouds.quarantine("cloud", "alice", "locked", by="me")
        assert (row.standing.value, row.quarantined_by) == ("quarantined", "me")
        told = [event for event in lab.events if isinstance(event, AccountQuarantined)]
        assert [(e.console, e.account, e.by) for e in told] == [("cloud", "alice", "me")]
        assert (await engine.clouds.release("cloud", "alice")).standing.value == "free"
        with pytest.raises(SetupError, match="has no account bob"):
            await engine.clouds.check_account("cloud", "bob")
        with pytest.raises(SetupError, match="no console is named nowhere"):
            engine.clouds.accounts("nowhere")
        assert await engine.clouds.resources() == ()
        assert await engine.clouds.reap("cloud", dry_run=True) == ()
        assert await engine.clouds.prepare("cloud") == 0


@pytest.mark.parametrize(
    ("ask", "error", "words"),
    [
        (verification(), SetupError, "one of the two"),
        (verification(console="moon", documents=(Path("a.md"),)), SetupError, "named moon"),
        (verification(documents=(Path("/etc/passwd"),)), SetupError, "not in the documentation"),
        (verification(documents=(Path("../password"),)), SetupError, "not in the documentation"),
        (verification(inline=(InlineDocument("../a.md", b""),)), DocumentError, "file name"),
        (verification(inline=(InlineDocument("a.exe", b""),)), DocumentError, "file name"),
        (verification(inline=(InlineDocument("a.md", b"\0"),)), DocumentError, "binary"),
        (verification(inline=(InlineDocument("a.md", b"# A"),)), DocumentError, "nothing to"),
    ],
)
async def test_what_cannot_be_verified_is_refused_and_leaves_nothing(lab, ask, error, words):
    with Store.open(lab.settings.data_dir) as store:
        engine = Engine(lab.settings, store, None)
        with pytest.raises(error, match=words):
            await engine.start(ask)
        assert store.sweeps.latest() == ()
        assert not list((lab.settings.data_dir / "uploads").glob("*"))
        with pytest.raises(UnknownRun):
            engine.status("r")
        await engine.drain(1)
        assert engine.problems()[0] == NotReady("stopping", "the program ends")
        with pytest.raises(StoppingError):
            await engine.start(ask)


async def test_on_a_full_disk_nothing_begins_and_it_is_not_ready(lab):
    own = InlineDocument("own.md", GUIDE.format(name="own").encode())
    lab.settings = lab.settings.model_copy(
        update={"storage": StorageSettings(min_free_mib=1_000_000_000)}
    )
    async with lab.engine() as engine:
        row = await engine.start(verification(inline=(own,)))
        await until(lambda: "the disk is full" in engine.status(row.id)["why"])
        assert engine.problems()[0].name == "disk"
        assert "asks for 1000000000: make room" in engine.problems()[0].why


async def test_what_was_paused_by_itself_goes_on_after_a_restart_and_what_a_person_held_not(lab):
    async with lab.engine(window="00:00-00:01") as engine:
        await ready(engine)
        sweep = await engine.start(sweep_of(requested_by="me"))
        down = await engine.start(sweep_of(console="down", requested_by="me"))
        await engine.pause(sweep.id, by="me")
    now = datetime.now(UTC)
    with Store.open(lab.settings.data_dir) as store:
        assert store.sweeps.get(sweep.id).is_held
        long_ago = now - timedelta(days=1)
        store.sweeps.pause(down.id, Cause(CauseKind.CONSOLE_DOWN, "no answer"), long_ago)
    async with lab.engine() as engine:
        await until(lambda: engine.status(down.id)["state"] == "cancelled")
        assert "1 procedure was not carried out" in engine.status(down.id)["why"]
        assert engine.status(sweep.id)["paused_for"] == "by_hand"
        await engine.resume(sweep.id, by="me")
        await engine.pause(sweep.id, by="me")
    with Store.open(lab.settings.data_dir) as store:
        store.sweeps.pause(sweep.id, Cause(CauseKind.CONSOLE_DOWN, "no answer"), now)
    async with lab.engine() as engine:
        await until(lambda: engine.status(sweep.id)["state"] == "done")
        assert engine.status(sweep.id)["verdicts"] == {"verified": 1}


async def test_a_verification_whose_command_died_is_ended_and_others_go_on(lab):
    own = InlineDocument("own.md", GUIDE.format(name="own").encode())
    async with lab.engine() as engine:
        died = await engine.start(verification(console="down", inline=(own,)))
        kept = await engine.start(verification(console="down", inline=(own,)))
    with (
        Store.open(lab.settings.data_dir) as store,
        store.session.transaction("test") as connection,
    ):
        connection.execute("UPDATE sweeps SET requested_by = '' WHERE id = ?", [died.id])
    async with lab.engine() as engine:
        status = engine.status(died.id)
        assert (status["state"], status["why"]) == ("cancelled", "its process died")
        assert engine.status(kept.id)["state"] == "waiting"

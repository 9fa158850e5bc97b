"""A late audit log: the verdict waits, and becomes what the log says when it says it."""

import asyncio
import shutil
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import yaml

from appliance.config import (
    AccountSettings,
    AuditSettings,
    ConsoleSettings,
    Settings,
    VerificationSettings,
)
from appliance.consoles import Account, open_console
from appliance.core.blocking import in_thread
from appliance.core.checks import AuditEvent, Checks, EventOutcome, EventRule
from appliance.core.claims import ClaimStatus
from appliance.core.errors import OutcomeError
from appliance.core.result import ChannelResult, Cost, Goal, ProcedureResult, RunResult
from appliance.core.secrets import MASK
from appliance.core.verdict import GoalChannel, Verdict
from appliance.engine.settling import settle
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings
from appliance.store.pending import PendingRow
from appliance.store.store import Store
from tests.running import verified

GUIDE = """# Buckets

## Create a bucket

1. Go to **Products** > **Buckets**.
2. Click **Create bucket**.
3. In the **Create bucket** dialog, enter a name in **Bucket name**.
4. Click **Create**.
"""
CHECKS = {
    "procedures": {
        "create-a-bucket": {
            "bindings": {"Bucket name": "docs-${unique}", "API key": "Zq7/tangerine"},
            "expect": [{"event": "CreateBucket", "where": {"target_name": "${Bucket name}"}}],
        }
    }
}


def settings_of(folder: Path, url: str, password: str) -> Settings:
    (folder / "password").write_text(password)
    console = ConsoleSettings(
        kind="generic",
        url=f"{url}/login",
        accounts={"alice": AccountSettings(username="alice", password_file=folder / "password")},
        audit=AuditSettings(kind="jsonlines", path=folder / "late.jsonl", late_minutes=15),
    )
    return Settings(
        data_dir=folder,
        console="late",
        consoles={"late": console},
        verification=VerificationSettings(audit_wait_s=0.5, settle_resource_s=2),
    )


def keeping(store: Store) -> Callable[[str, ProcedureResult], Awaitable[None]]:
    async def keep(run_id: str, result: ProcedureResult) -> None:
        await in_thread(store.save_procedure, run_id, result)

    return keep


async def test_a_verdict_waits_for_a_late_log_and_is_settled_by_it(tmp_path: Path) -> None:
    (tmp_path / "guide.md").write_text(GUIDE)
    (tmp_path / "guide.checks.yaml").write_text(yaml.safe_dump(CHECKS))
    late = tmp_path / "late.jsonl"
    late.write_text("")
    cloud_dir = tmp_path / "cloud"
    with serving(PracticeSettings(release="2025.1", settle_s=0.2, data_dir=cloud_dir)) as cloud:
        settings = settings_of(tmp_path, cloud.url, cloud.password)
        run = await verified(settings, [tmp_path / "guide.md"], "auto")
    with Store.open(tmp_path) as store:
        console = open_console("late", settings.consoles["late"])
        (result,) = run.procedures
        assert (result.verdict, result.attempts) == (Verdict.UNDECIDED, 1)
        assert result.blocked_by and result.blocked_by.startswith("outcome: the audit log is late")
        assert result.goal.channels[0].reached is None
        (row,) = store.pending.all()
        assert row.bindings["API key"] == MASK
        assert (
            result.pending_until
            == row.deadline
            == store.load_run(run.id).procedures[0].pending_until
        )
        now = datetime.now(UTC)
        assert timedelta(minutes=14) < row.deadline - now < timedelta(minutes=16)

        consoles = {"late": console}
        assert await settle(store, consoles, now, keeping(store)) == ()
        shutil.copyfile(cloud_dir / "audit.jsonl", late)
        (settled,) = await settle(store, consoles, now, keeping(store))
        assert settled.verdict is Verdict.VERIFIED and "CreateBucket" in settled.why
        (kept,) = store.load_run(run.id).procedures
        assert (kept.verdict, kept.pending_until, kept.blocked_by) == (Verdict.VERIFIED, None, None)
        assert kept.goal.channels[0].reached and kept.steps == result.steps
        (before,) = store.pending.history(run.id, kept.id)
        assert (before.verdict, before.because) == (Verdict.UNDECIDED, result.blocked_by)
        assert await settle(store, consoles, now, keeping(store)) == ()
        await console.close()


async def test_what_is_untrue_is_told_when_the_late_log_says_that_it_was_done(
    tmp_path: Path,
) -> None:
    text = GUIDE.replace("**Create bucket** dialog", "**Make a bucket** dialog")
    (tmp_path / "guide.md").write_text(text)
    (tmp_path / "guide.checks.yaml").write_text(yaml.safe_dump(CHECKS))
    late = tmp_path / "late.jsonl"
    late.write_text("")
    cloud_dir = tmp_path / "cloud"
    with serving(PracticeSettings(release="2025.1", settle_s=0.2, data_dir=cloud_dir)) as cloud:
        settings = settings_of(tmp_path, cloud.url, cloud.password)
        run = await verified(settings, [tmp_path / "guide.md"], "literal")
    (result,) = run.procedures
    assert (result.verdict, result.findings, result.attempts) == (Verdict.UNDECIDED, (), 2)
    with Store.open(tmp_path) as store:
        console = open_console("late", settings.consoles["late"])
        shutil.copyfile(cloud_dir / "audit.jsonl", late)
        now = datetime.now(UTC)
        (settled,) = await settle(store, {"late": console}, now, keeping(store))
        (kept,) = store.load_run(run.id).procedures
        assert settled.verdict is kept.verdict is Verdict.DRIFTED
        assert [(f.line, f.quote) for f in kept.findings] == [(7, "Make a bucket")]
        untrue = [c.text for c in kept.claims if c.status is ClaimStatus.CONTRADICTED]
        assert "Make a bucket" in untrue
        await console.close()


NOW = datetime(2026, 11, 22, 3, 0, tzinfo=UTC)


class Log:
    """A console of which only the audit log matters."""

    def __init__(self, *events: AuditEvent, is_away: bool = False) -> None:
        self.events, self.is_away = events, is_away

    def accounts(self, wanted: str | None) -> Sequence[Account]:
        return (Account(name="alice", settings=AccountSettings(username="alice")),)

    async def audit(self, account: Account, since: datetime) -> Sequence[AuditEvent]:
        if self.is_away:
            raise OutcomeError("the log is away")
        return [event for event in self.events if event.time >= since]


def event(name: str, after: float = 60) -> AuditEvent:
    return AuditEvent(
        time=NOW + timedelta(seconds=after), service="s", name=name, outcome=EventOutcome.SUCCESS
    )


def result(verdict: Verdict, reached: bool | None) -> ProcedureResult:
    said = (ChannelResult(channel=GoalChannel.AUDIT, reached=reached, reason="said"),)
    return ProcedureResult(
        id="p", title="P", title_path=("P",), document="d.md", line=1, end_line=2, verdict=verdict,
        goal=Goal(reached=reached, channels=said), path="as_written", decided_by="literal",
        attempts=1, cost=Cost(), steps=(), pending_until=NOW if reached is None else None,
    )  # fmt: skip


@pytest.fixture
def waiting(tmp_path: Path) -> Store:
    with Store.open(tmp_path) as store:
        run = RunResult(
            id="r", appliance_version="1", commit="c", console="late", policy="auto",
            started_at=NOW, ended_at=NOW, procedures=(result(Verdict.UNDECIDED, None),),
        )  # fmt: skip
        store.save_run(run)
        store.pending.put(
            PendingRow(
                run_id="r",
                procedure_id="p",
                console="late",
                account="alice",
                began_at=NOW,
                ended_at=NOW + timedelta(minutes=2),
                deadline=NOW + timedelta(minutes=15),
                checks=Checks(expect=(EventRule(event="Made"),), forbid=(EventRule(event="Lost"),)),
                bindings={},
                if_reached=result(Verdict.VERIFIED, True),
                if_not=result(Verdict.UNDECIDED, False),
            )
        )
        yield store


@pytest.mark.parametrize(
    ("log", "minutes", "verdict", "reached"),
    [
        (Log(), 14, None, None),
        (Log(event("Made")), 1, Verdict.VERIFIED, True),
        (Log(event("Made", -60)), 14, None, None),  # it is of an earlier attempt
        (Log(event("Made", 600)), 14, None, None),  # of a later one
        (Log(event("Made"), event("Lost")), 1, Verdict.UNDECIDED, False),
        (Log(), 15, Verdict.UNDECIDED, False),
        (Log(is_away=True), 14, None, None),
        (Log(is_away=True), 15, Verdict.UNDECIDED, None),
        (None, 14, None, None),
        (None, 15, Verdict.UNDECIDED, None),
    ],
)
def test_what_a_verdict_becomes(
    waiting: Store, log: Log | None, minutes: float, verdict: Verdict | None, reached: bool | None
) -> None:
    consoles = {"late": log} if log else {}
    now = NOW + timedelta(minutes=minutes)
    settled = asyncio.run(settle(waiting, consoles, now, keeping(waiting)))
    assert [s.verdict for s in settled] == ([verdict] if verdict else [])
    (kept,) = waiting.load_run("r").procedures
    assert kept.goal.reached is reached
    assert (kept.pending_until is None) is bool(verdict)
    assert len(waiting.pending.all()) == (verdict is None)
    assert len(waiting.pending.history("r", "p")) == bool(verdict)


def test_a_crash_in_the_middle_leaves_nothing_twice(waiting: Store) -> None:
    async def crash(run_id: str, kept: ProcedureResult) -> None:
        raise OSError("power cut")

    consoles = {"late": Log(event("Made"))}
    with pytest.raises(OSError, match="power cut"):
        asyncio.run(settle(waiting, consoles, NOW, crash))
    assert len(asyncio.run(settle(waiting, consoles, NOW, keeping(waiting)))) == 1
    assert [said.verdict for said in waiting.pending.history("r", "p")] == [Verdict.UNDECIDED]


def test_a_run_that_is_gone_waits_for_nothing(waiting: Store) -> None:
    (row,) = waiting.pending.all()
    waiting.pending.put(replace(row, run_id="gone"))
    assert len(waiting.pending.all()) == 2
    consoles = {"late": Log(event("Made"))}
    assert len(asyncio.run(settle(waiting, consoles, NOW, keeping(waiting), "gone"))) == 1
    assert [row.run_id for row in waiting.pending.all()] == ["r"]
    assert waiting.pending.history("gone", "p") == ()

"""What others say is kept, and told on, without the secrets that we know."""

import asyncio
import secrets
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import pytest

from appliance.core.causes import Cause, CauseKind
from appliance.core.checks import AuditEvent
from appliance.core.clock import SystemClock
from appliance.core.errors import ConsoleError
from appliance.core.events import AccountQuarantined
from appliance.core.resources import AccountHealth, Lifetime, Phase, Receipt, ReceiptKind
from appliance.core.secrets import MASK, learn
from appliance.engine.live import Live
from appliance.server.problems import describe
from appliance.store.outbox import Delivery
from appliance.store.schedules import ScheduleOutcome, ScheduleRun
from appliance.store.store import Store
from appliance.store.sweeps import SweepRow, SweepState

NOW = datetime(2026, 11, 21, 7, 30, tzinfo=UTC)
ATTEMPT = Lifetime(
    **{"id": "a1", "run_id": "r1", "procedure_id": "p", "number": 1, "console": "c"},
    **{"account": "a", "unique": "cda000000", "phase": Phase.EXECUTING, "baseline": None},
    **{"since": NOW, "expires_at": NOW, "started_at": NOW},
)


@pytest.fixture
def secret() -> str:
    return learn(secrets.token_hex(12))


def everything_in(file: Path) -> str:
    with duckdb.connect(str(file), read_only=True) as connection:
        tables = connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
        return str([connection.execute(f'FROM "{name}"').fetchall() for (name,) in tables])


def test_the_store_keeps_no_secret_that_others_tell(tmp_path: Path, secret: str) -> None:
    said = f"nobody answers at https://bob:{secret}@console.example"
    health = AccountHealth(can_log_in=False, problem=said)
    event = AuditEvent(time=NOW, service="s", name="CreateUser", raw={"sent": [said]})
    with Store.open(tmp_path) as store:
        store.accounts.quarantine("c", "a", said, "appliance", NOW)
        store.accounts.keep_health("c", "a", health, NOW)
        for id in ("s1", "s2"):
            row = SweepRow(
                **{"id": id, "console": "c", "state": SweepState.RUNNING, "why": ""},
                **{"planned_at": NOW, "request": {}},
            )
            store.sweeps.add(row, ())
        store.sweeps.pause("s1", Cause(CauseKind.CONSOLE_DOWN, said), NOW)
        store.sweeps.enter("s2", SweepState.DONE, said, NOW)
        run = ScheduleRun(id="r", name="n", job="j", requested_by="clock", started_at=NOW)
        store.schedules.begin(run)
        store.schedules.end("r", ScheduleOutcome.FAILED, said, NOW)
        store.attempts.start(ATTEMPT)
        store.attempts.enter("a1", Phase.EXECUTING, problem=said)
        store.attempts.add_receipts(
            "a1", [Receipt(deed=ReceiptKind.FAILED, kind="k", id="1", name="n", why=said)]
        )
        message = Delivery(id="m", hook="h", event="e", subject="s", body="{}", created_at=NOW)
        store.outbox.add([message])
        store.outbox.save(replace(message, why=said))
        store.audit_events.add("c", {"e1": event}, NOW, NOW - timedelta(days=1))
    text = everything_in(tmp_path / "store.duckdb")
    assert secret not in text
    assert text.count(f"https://bob:{MASK}@console.example") == 9


async def test_nobody_who_watches_or_asks_is_told_one(secret: str) -> None:
    live = Live(SystemClock(), lambda run_id: {"id": run_id, "state": "waiting"})
    following = live.follow()
    async with asyncio.timeout(5):
        await anext(following)
        live(AccountQuarantined(console="c", account="a", reason=f"says {secret}", by="appliance"))
        assert (await anext(following)).data["reason"] == f"says {MASK}"
    assert describe(ConsoleError(f"says {secret}")).detail == f"says {MASK}"

"""A mail server and chats to tell, and what a run keeps to be told of."""

import asyncio
import email
import email.policy
import json
import socket
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO

from aiosmtpd.controller import Controller
from PIL import Image

from appliance.core.clock import SystemClock
from appliance.core.events import FindingOpened
from appliance.core.result import (
    Cost,
    Evidence,
    Finding,
    Goal,
    ProcedureResult,
    RunResult,
    StepResult,
)
from appliance.core.verdict import DivergenceKind, EvidenceKind, Severity, StepStatus, Verdict
from appliance.engine.webhooks.courier import Retries
from appliance.engine.webhooks.webhooks import Webhooks
from appliance.notifications.receiver import notification_receivers
from appliance.store.paging import Paging
from appliance.store.writer import StoreWriter
from tests.receiving import Answer, receiving

PASSWORD = "geheim-9x-Lampe"
FINDING = Finding(
    id="f1",
    fingerprint="print",
    kind=DivergenceKind.RENAMED_LABEL,
    severity=Severity.MISLEADS,
    confidence=0.9,
    document="docs/disks.md",
    line=7,
    column=3,
    end_line=7,
    end_column=9,
    quote="Create <b>disk</b>",
    shown='the button is called "New"',
    suggestion="New disk",
    step="1",
)
OPENED = FindingOpened(console="lab", incident_id="abc", finding=FINDING)


class Mailbox:
    """A mail server that keeps what it is sent, and refuses as often as it is told to."""

    def __init__(self, refusals=0):
        self.refusals, self.mails = refusals, []

    async def handle_DATA(self, server, session, envelope):
        if self.refusals:
            self.refusals -= 1
            return "451 later"
        self.mails.append(email.message_from_bytes(envelope.content, policy=email.policy.default))
        return "250 kept"

    def __enter__(self):
        with socket.socket() as free:  # the library connects to the port that it was given
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.controller = Controller(self, hostname="127.0.0.1", port=self.port, ready_timeout=60)
        self.controller.start()
        return self

    def __exit__(self, *exc):
        self.controller.stop()

    @property
    def url(self):
        return (
            f"mailto://127.0.0.1:{self.port}?smtp=127.0.0.1&from=box@lab.example&to=eva@lab.example"
        )


class Chat:
    """An HTTP receiver as chats have them: keeps path and JSON, answers as it is told."""

    def __init__(self, answer=b"ok", status=200, certificate=None, port=0):
        self.answer, self.status, self.posts = answer, status, []
        self._receiving = receiving(self._take, (certificate,) if certificate else (), port)

    def _take(self, asked):
        self.posts.append((asked.path, json.loads(asked.body)))
        return Answer(self.status, self.answer)

    def __enter__(self):
        self.host = self._receiving.__enter__().rpartition("/")[2]
        self.number = int(self.host.rpartition(":")[2])
        return self

    def __exit__(self, *exc):
        self._receiving.__exit__(*exc)


class Clock(SystemClock):
    """At the time that a test says; it goes on from there."""

    def __init__(self, at):
        self.ahead = at - datetime.now(UTC)

    def now(self):
        return datetime.now(UTC) + self.ahead


DAY = Clock(datetime(2026, 11, 21, 12, tzinfo=UTC))


@asynccontextmanager
async def sending(settings, store, clock=DAY, back_off_s=(0.05, 0.05)):
    webhooks = make(settings, store, clock, back_off_s)
    await webhooks.start()
    try:
        yield webhooks
    finally:
        await webhooks.stop()


def make(settings, store, clock=DAY, back_off_s=()):
    receivers = notification_receivers(settings, store)
    return Webhooks(settings, store, clock, more=receivers, retries=Retries(back_off_s))


async def until(is_so, within_s=20):
    async with asyncio.timeout(within_s):
        while not is_so():
            await asyncio.sleep(0.01)


def states(store):
    return [one.state.value for one in store.outbox.page(Paging()).items]


def part(mail, kind):
    return next(p for p in mail.walk() if p.get_content_type() == kind)


def png():
    data = BytesIO()
    Image.new("RGB", (40, 20), "navy").save(data, "png")
    return data.getvalue()


def keep(store, run="r1", **changes):
    """A verdict with a finding, as a run keeps it; what that opened and closed, as events."""
    writer = StoreWriter(store)
    picture = store.artifacts.put(png(), "image/png")
    seen = Evidence(kind=EvidenceKind.BEFORE, caption="Disks", artifact=picture)
    finding = replace(FINDING, evidence=(seen,), **changes)
    result = procedure(finding)
    store.start_run(run_of(run), 1)
    return writer._findings(store.save_procedure(run, result))


START = datetime(2026, 11, 21, 9, tzinfo=UTC)


def procedure(*findings: Finding, verdict: Verdict | None = None) -> ProcedureResult:
    """Drifted where it has findings, unless another verdict is given."""
    return ProcedureResult(
        id="docs/disks/create",
        title="Create a disk",
        title_path=("Create a disk",),
        document="docs/disks.md",
        line=3,
        end_line=9,
        verdict=verdict or (Verdict.DRIFTED if findings else Verdict.VERIFIED),
        goal=Goal(reached=True, channels=()),
        path="diverged" if findings else "as_written",
        decided_by="literal",
        attempts=1,
        cost=Cost(wall_s=1.0),
        steps=(StepResult(index="1", line=5, text="Click", status=StepStatus.AS_WRITTEN),),
        findings=findings,
    )


def run_of(run_id: str) -> RunResult:
    """As it is known at its start."""
    return RunResult(
        id=run_id,
        appliance_version="0.1.0",
        commit="a" * 40,
        console="lab",
        policy="literal",
        started_at=START,
        ended_at=START,
        procedures=(),
    )

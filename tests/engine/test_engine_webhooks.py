"""Webhooks, against a receiver that listens on a socket and checks signatures with the library."""

import asyncio
import base64
import json
import threading
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from time import sleep

import pytest
from standardwebhooks import Webhook

from appliance.config import ServerSettings, Settings, WebhookSettings
from appliance.core.causes import CauseKind
from appliance.core.errors import SetupError
from appliance.core.events import (
    AccountQuarantined,
    FindingClosed,
    FindingOpened,
    RunStarted,
    SweepProgressed,
)
from appliance.core.result import Finding
from appliance.core.verdict import DivergenceKind, Severity
from appliance.engine.webhooks.courier import Retries
from appliance.engine.webhooks.webhooks import UnknownDelivery, Webhooks
from appliance.store.outbox import DeliveryState
from appliance.store.paging import Paging
from appliance.store.store import Store
from appliance.store.sweeps import SweepRow, SweepState
from tests.receiving import Answer, receiving

SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()
NOW = datetime(2026, 11, 21, 22, tzinfo=UTC)
QUARANTINE = AccountQuarantined(console="lab", account="al", reason="no log-in", by="health")
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
    quote="Create",
    shown="New 新建",
    suggestion="New",
    step="1",
)


class Receiver:
    """Answers as it is told, one status after the other, the last one from then on."""

    def __init__(self, *statuses, hold_s=0.0):
        self.statuses, self.hold_s = list(statuses), hold_s
        self.received, self.most = [], 0
        self._now, self._lock = 0, threading.Lock()

    def __enter__(self):
        self._receiving = receiving(self._answer)
        self.url = f"{self._receiving.__enter__()}/hook/t0ken"
        return self

    def __exit__(self, *exc):
        self._receiving.__exit__(*exc)

    def _answer(self, asked):
        status = self.take(asked.headers, asked.body)
        headers = {"location": f"{self.url}/elsewhere"} if status == 302 else {}
        return Answer(status, headers=headers)

    def take(self, headers, body):
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
            self.received.append((Webhook(SECRET).verify(body, headers), headers["webhook-id"]))
            status = self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0]
        sleep(self.hold_s)
        with self._lock:
            self._now -= 1
        return status

    @property
    def told(self):
        return [message for message, _ in self.received]


@pytest.fixture
def store(tmp_path):
    with Store.open(tmp_path) as store:
        yield store


@pytest.fixture(autouse=True)
def secret(monkeypatch):
    monkeypatch.setenv("HOOK_SECRET", SECRET)


def settings(url, **more):
    hook = WebhookSettings(url=url, secret_env="HOOK_SECRET", **more)
    server = ServerSettings(public_url="https://docs.example/appliance/")
    return Settings(webhooks={"team": hook}, server=server)


@asynccontextmanager
async def sending(settings, store, tell=lambda *told: None, back_off_s=(0.05, 0.05), **retries):
    webhooks = Webhooks(settings, store, tell=tell, retries=Retries(back_off_s, **retries))
    await webhooks.start()
    try:
        yield webhooks
    finally:
        await webhooks.stop()


async def until(is_so):
    async with asyncio.timeout(20):
        while not is_so():
            await asyncio.sleep(0.01)


def states(store):
    return [one.state.value for one in store.outbox.page(Paging()).items]


def keep_sweep(store, state=SweepState.DONE, **more):
    store.sweeps.add(
        SweepRow(id="s1", console="lab", state=state, why="", request={}, planned_at=NOW, **more),
        [],
    )


def progressed(state):
    return SweepProgressed(
        sweep_id="s1",
        state=state,
        done=4,
        total=5,
        running=0,
        rate_per_minute=None,
        seconds_left=None,
        why="all done",
    )


async def test_receivers_are_told_signed_and_with_links(store):
    keep_sweep(store, requested_by="schedule nightly")
    told = []
    with Receiver(204) as receiver:
        async with sending(settings(receiver.url), store, lambda *t: told.append(t)) as webhooks:
            webhooks(RunStarted(run_id="s1", procedures=5))
            webhooks(progressed("running"))
            webhooks(progressed("waiting"))
            webhooks(replace(progressed("paused"), paused_for=CauseKind.DISK_FULL))
            webhooks(progressed("done"))
            webhooks(progressed("done"))  # as after a crash at its very end
            webhooks(FindingOpened(console="lab", incident_id="abc", finding=FINDING))
            webhooks(FindingClosed(console="lab", incident_id="abc", finding=FINDING))
            webhooks(QUARANTINE)
            await until(lambda: states(store) == ["delivered"] * 5)
            (state,) = webhooks.list()
    by_type = {message["type"]: message for message in receiver.told}
    assert sorted(by_type) == [
        "account.quarantined",
        "finding.closed",
        "finding.opened",
        "sweep.finished",
        "sweep.paused",
    ]
    assert by_type["sweep.paused"]["data"]["paused_for"] == "disk_full"
    sweep = by_type["sweep.finished"]
    assert list(sweep) == ["type", "timestamp", "data"]
    assert sweep["data"]["url"] == "https://docs.example/appliance/runs/s1"
    assert (
        sweep["data"] | {"state": "done", "done": 4, "requested_by": "schedule nightly"}
        == (sweep["data"])
    )
    opened = by_type["finding.opened"]["data"]
    assert opened["api_url"] == "https://docs.example/appliance/api/v1/findings/abc"
    assert (opened["shown"], opened["line"]) == ("New 新建", 7)
    assert by_type["account.quarantined"]["data"]["reason"] == "no log-in"
    assert (state.delivered, state.waiting, state.dead) == (5, 0, 0)
    assert "t0ken" not in state.url
    assert told == [("team", "delivered")] * 5


async def test_only_what_was_asked_for(store):
    keep_sweep(store, kind="verification")
    with Receiver(204) as receiver:
        only = settings(receiver.url, events=("sweep.finished", "finding.opened"))
        async with sending(only, store) as webhooks:
            webhooks(progressed("done"))  # a verification is no sweep
            webhooks(QUARANTINE)
            webhooks(FindingOpened(console="lab", incident_id="abc", finding=FINDING))
            await until(lambda: states(store) == ["delivered"])
    assert [message["type"] for message in receiver.told] == ["finding.opened"]


async def test_a_receiver_that_fails_is_told_again_with_the_same_id(store):
    told = []
    with Receiver(500, 302, 200) as receiver:
        async with sending(settings(receiver.url), store, lambda *t: told.append(t)) as webhooks:
            webhooks(QUARANTINE)
            await until(lambda: states(store) == ["delivered"] and len(told) == 3)
    assert len({id for _, id in receiver.received}) == 1
    assert len(receiver.received) == 3  # and none of them at the address of the redirect
    assert [outcome for _, outcome in told] == ["retried", "retried", "delivered"]


async def test_given_up_and_sent_again_by_hand(store):
    with Receiver(500) as receiver:
        async with sending(settings(receiver.url), store) as webhooks:
            webhooks(QUARANTINE)
            await until(lambda: states(store) == ["dead"])
            (dead,) = webhooks.deliveries(Paging(), state=DeliveryState.DEAD).items
            assert (dead.attempts, dead.status, dead.why) == (3, 500, "answered 500")
            receiver.statuses = [200]
            await webhooks.retry(dead.id, "eva")
            await until(lambda: states(store) == ["delivered"])
            with pytest.raises(SetupError, match="was not given up: delivered"):
                await webhooks.retry(dead.id, "eva")
            with pytest.raises(UnknownDelivery):
                await webhooks.retry("msg_0", "eva")


async def test_what_waits_survives_a_restart_between_attempts(store):
    with Receiver(500, 200) as receiver:
        asked = settings(receiver.url)
        async with sending(asked, store, back_off_s=(0.5,)) as webhooks:
            webhooks(QUARANTINE)
            await until(lambda: len(receiver.received) == 1)
            await until(lambda: store.outbox.page(Paging()).items[0].attempts == 1)
        assert states(store) == ["waiting"]
        async with sending(asked, store):
            await until(lambda: states(store) == ["delivered"])
    assert len({id for _, id in receiver.received}) == 1


async def test_what_happens_before_the_start_is_sent_after_it(store):
    with Receiver(200) as receiver:
        Webhooks(settings(receiver.url), store)(QUARANTINE)  # and then it is killed
        async with sending(settings(receiver.url), store):
            await until(lambda: states(store) == ["delivered"])


async def test_a_slow_receiver_is_not_waited_for_and_not_flooded(store):
    with Receiver(200, hold_s=0.6) as receiver:
        async with sending(settings(receiver.url), store, back_off_s=(), timeout_s=0.2) as webhooks:
            for _ in range(6):
                webhooks(QUARANTINE)
            await until(lambda: states(store) == ["dead"] * 6)
        assert {one.why for one in store.outbox.page(Paging()).items} == {
            "no answer within 0.2 seconds"
        }
    assert len(receiver.received) == 6


async def test_a_few_at_a_time(store):
    with Receiver(200, hold_s=0.05) as receiver:
        async with sending(settings(receiver.url), store) as webhooks:
            for _ in range(10):
                webhooks(QUARANTINE)
            await until(lambda: states(store) == ["delivered"] * 10)
    assert receiver.most <= 4


async def test_nobody_listens(store):
    with Receiver(200) as receiver:
        pass
    async with sending(settings(receiver.url), store, back_off_s=()) as webhooks:
        webhooks(QUARANTINE)
        await until(lambda: states(store) == ["dead"])
    (dead,) = store.outbox.page(Paging()).items
    assert dead.why.startswith("cannot be reached: ")
    assert "t0ken" not in dead.why


async def test_a_receiver_that_is_gone_is_left_alone_until_somebody_says_so(store):
    with Receiver(410) as receiver:
        asked = settings(receiver.url)
        async with sending(asked, store) as webhooks:
            webhooks(QUARANTINE)
            await until(lambda: webhooks.list()[0].stopped_at is not None)
            webhooks(QUARANTINE)
        async with sending(asked, store) as webhooks:
            webhooks(QUARANTINE)
            assert states(store) == ["dead"]
            receiver.statuses = [200]
            (dead,) = webhooks.deliveries(Paging()).items
            await webhooks.retry(dead.id, "eva")
            webhooks(QUARANTINE)
            await until(lambda: states(store) == ["delivered"] * 2)
            assert webhooks.list()[0].stopped_at is None


async def test_another_address_starts_it_again(store):
    with Receiver(410) as gone:
        async with sending(settings(gone.url), store) as webhooks:
            webhooks(QUARANTINE)
            await until(lambda: webhooks.list()[0].stopped_at is not None)
    with Receiver(200) as receiver:
        async with sending(settings(receiver.url), store) as webhooks:
            webhooks(QUARANTINE)
            await until(lambda: sorted(states(store)) == ["dead", "delivered"])


async def test_a_receiver_that_left_the_settings(store):
    with Receiver(200) as receiver:
        Webhooks(settings(receiver.url), store)(QUARANTINE)
    async with sending(Settings(), store) as webhooks:
        (dead,) = webhooks.deliveries(Paging()).items
        assert (dead.state, dead.why) == ("dead", "its receiver is gone from the settings")
        with pytest.raises(SetupError, match="no receiver `team` in the settings"):
            await webhooks.retry(dead.id, "eva")


@pytest.mark.parametrize(
    ("secret", "message"),
    [
        ("", "the secret of webhook `team` is empty: set the environment variable HOOK_SECRET"),
        ("whsec_c2hvcnQ=", "24 to 64 bytes in base64"),
        ("whsec_" + "?" * 40, "24 to 64 bytes in base64"),
        (SECRET.removeprefix("whsec_"), "expected `whsec_`"),
    ],
)
def test_a_bad_secret_is_said_at_the_start_and_not_repeated(store, monkeypatch, secret, message):
    monkeypatch.setenv("HOOK_SECRET", secret)
    with pytest.raises(SetupError, match=message) as caught:
        Webhooks(settings("http://127.0.0.1/"), store)
    assert not secret or secret.removeprefix("whsec_") not in str(caught.value)


def test_a_secret_in_a_file(store, tmp_path):
    file = tmp_path / "secret"
    hook = WebhookSettings(url="http://127.0.0.1/", secret_file=file)
    with pytest.raises(SetupError, match=r"cannot read the secret of webhook .* No such file"):
        Webhooks(Settings(webhooks={"team": hook}), store)
    file.write_text(f"{SECRET}\n")
    assert Webhooks(Settings(webhooks={"team": hook}), store).list()[0].name == "team"


async def test_no_secret_is_kept_or_logged(store, tmp_path, capsys):
    with Receiver(500, 200) as receiver:
        told = []
        async with sending(settings(receiver.url), store, lambda *t: told.append(t)) as webhooks:
            webhooks(QUARANTINE)
            await until(lambda: len(told) == 2)
    said = "".join(capsys.readouterr())
    assert "webhook.delivered" in said
    assert "whsec_" not in said
    assert "t0ken" not in said
    body = store.outbox.page(Paging()).items[0].body
    assert json.loads(body)["type"] == "account.quarantined"
    store.close()
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.is_file())
    assert SECRET.removeprefix("whsec_").encode() not in kept

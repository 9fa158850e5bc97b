"""Audit events that a console's backend posts: signed, once each, for a time."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks import Webhook

from appliance.config import AuditSettings
from appliance.core.errors import OutcomeError, SetupError
from appliance.core.secrets import without_secrets
from appliance.outcome.sources import AuditSource, open_source
from appliance.outcome.sources.received import (
    LONGEST_BODY,
    IntakeResult,
    UnsignedError,
    store_posted,
)
from appliance.store.store import Store

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYqr"
NOW = datetime.now(UTC)
SETTINGS = AuditSettings(kind="webhook", key_secret_env="HOOK")


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOOK", SECRET)
    with Store.open(tmp_path) as opened:
        yield opened


def entry(number: int, second: float, **more: Any) -> dict[str, Any]:
    time = (NOW + timedelta(seconds=second)).isoformat()
    return {"id": f"e{number}", "time": time, "name": f"n{number}", "outcome": "success", **more}


def post(
    store: Store,
    told: object,
    at: datetime = NOW,
    settings: AuditSettings = SETTINGS,
    **headers: str,
) -> IntakeResult:
    body = told if isinstance(told, bytes) else json.dumps(told).encode()
    signed = {
        "Webhook-Id": "msg_1",
        "Webhook-Timestamp": str(int(datetime.now(UTC).timestamp())),
    }
    moment = datetime.fromtimestamp(int(signed["Webhook-Timestamp"]), UTC)
    text = body.decode(errors="replace")
    signed["Webhook-Signature"] = Webhook(SECRET).sign("msg_1", moment, text)
    return store_posted("lab", settings, signed | headers, body, store, at)


def opened(store: Store | None, **more: Any) -> AuditSource:
    found = open_source("lab", SETTINGS.model_copy(update=more), store=store)
    assert found is not None
    return found


async def test_each_event_is_kept_once_and_comes_back_as_it_was(store: Store) -> None:
    made = entry(1, 1, actor="alice", target_id="d-1", parameters={"size": [1, {"a": None}]})
    assert post(store, [made, entry(2, 2), made]) == IntakeResult(2, 1)
    assert post(store, {"events": [entry(2, 2), entry(3, 0.5)]}) == IntakeResult(1, 1)
    found = await opened(store).events(NOW)
    assert [event.name for event in found] == ["n3", "n1", "n2"]
    assert found[1].parameters == {"size": [1, {"a": None}]}
    assert found[1].raw == made
    assert found[1].time == NOW + timedelta(seconds=1)
    assert [e.name for e in await opened(store).events(NOW, NOW + timedelta(seconds=1))] == [
        "n3",
        "n1",
    ], "what is after the end may be somebody else's"


async def test_a_cloud_s_own_shape_is_recognised(store: Store) -> None:
    fixtures = Path(__file__).parent / "fixtures"
    assert post(store, (fixtures / "cloudtrail.json").read_bytes()) == IntakeResult(4, 0)
    assert post(store, (fixtures / "actiontrail.json").read_bytes()) == IntakeResult(3, 0)
    found = await opened(store).events(datetime(2021, 1, 1, tzinfo=UTC), NOW)
    assert [event.service for event in found][:3] == ["Actiontrail", "Ecs", "Vpc"]
    assert len(found) == 7
    await opened(store).check()


async def test_what_came_before_an_attempt_is_not_of_it(store: Store) -> None:
    post(store, [entry(1, 5), entry(2, -3, request_id="r")], at=NOW - timedelta(seconds=1))
    late = NOW + timedelta(seconds=1)
    post(store, [entry(3, -3), entry(4, -3, request_id="r"), entry(5, -9), entry(6, 1)], at=late)
    assert [e.name for e in await opened(store).events(NOW)] == ["n3", "n6"]
    assert [e.name for e in await opened(store, late_minutes=5.0).events(NOW)] == ["n6"]


def test_old_events_are_forgotten_when_nobody_can_ask_for_them_any_more(store: Store) -> None:
    post(store, [entry(1, 0)])
    day = timedelta(days=1)
    assert post(store, [entry(1, 0)], at=NOW + day) == IntakeResult(0, 1)
    slow = SETTINGS.model_copy(update={"late_minutes": 720.0})
    assert post(store, [entry(1, 0)], at=NOW + 2 * day, settings=slow) == IntakeResult(0, 1)
    assert post(store, [entry(1, 0)], at=NOW + 1.01 * day) == IntakeResult(1, 0)


def test_what_is_not_signed_is_not_taken(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    event = [entry(1, 0)]
    stale = str(int((NOW - timedelta(minutes=6)).timestamp()))
    for headers in (
        {"Webhook-Signature": "v1,AAAA"},
        {"Webhook-Signature": "nonsense"},
        {"Webhook-Signature": ""},
        {"Webhook-Id": "msg_2"},
        {"Webhook-Timestamp": stale},
        {"Webhook-Timestamp": "soon"},
    ):
        with pytest.raises(UnsignedError) as told:
            post(store, event, **headers)
        assert SECRET[6:] not in str(told.value)
    with pytest.raises(UnsignedError):
        post(store, b"\xff\xfe")
    monkeypatch.setenv("HOOK", "whsec_c2hvcnQ=")
    with pytest.raises(SetupError, match=r"consoles\.lab\.audit.*HOOK holds no secret"):
        store_posted("lab", SETTINGS, {}, b"", store, NOW)
    assert "c2hvcnQ" not in without_secrets("a text with whsec_c2hvcnQ= in it")
    monkeypatch.delenv("HOOK")
    with pytest.raises(SetupError, match="HOOK is empty"):
        store_posted("lab", SETTINGS, {}, b"", store, NOW)


def test_what_cannot_be_read_is_not_taken_and_told(store: Store) -> None:
    for told, why in {
        b"not json": "is no JSON",
        b"[" * 100_000: "is no JSON",
        b'"hello"': "a JSON object, or a list",
        b'[{"what": 1}]': "its keys: what",
        b" " * (LONGEST_BODY + 1): "longer than 1 MiB",
        json.dumps([entry(n, 0) for n in range(5001)]).encode(): "more than 5000 events",
    }.items():
        with pytest.raises(OutcomeError, match=why):
            post(store, told)


async def test_who_receives_nothing_says_so() -> None:
    with pytest.raises(OutcomeError, match="which `appliance serve` receives"):
        await opened(None).events(NOW)

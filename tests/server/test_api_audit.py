"""Where a console's backend posts its audit events: signed, bounded, each kept once."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from appliance.config import Settings
from appliance.engine.webhooks.posting import headers

SECRET = "whsec_" + "c2VjcmV0IG9mIGEgdGVzdCwgMzIgYnl0ZXMgbG9uZyE="
EVENT = {
    "eventVersion": "1.11",
    "eventID": "5f4c1a0e",
    "eventTime": "2026-11-18T10:26:40Z",
    "eventName": "CreateVolume",
    "eventSource": "ec2.amazonaws.com",
    "awsRegion": "eu-central-1",
    "userIdentity": {"type": "IAMUser", "userName": "ann"},
    "requestParameters": {"size": "8"},
    "responseElements": {"volumeId": "vol-1"},
    "readOnly": False,
}
AT = "/api/v1/audit/posting"


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("AUDIT_SECRET", SECRET)
    posting = {
        "kind": "generic",
        "url": "https://console.test/",
        "audit": {"kind": "webhook", "key_secret_env": "AUDIT_SECRET"},
    }
    return Settings.model_validate(
        {"data_dir": tmp_path, "console": "posting", "consoles": {"posting": posting}}
    )


@pytest.fixture
def posted(stranger):
    """Posts, signed: now and as it is, unless said otherwise. Signatures grow old in real time."""

    async def post(told: object, *, at: str = AT, signed: object = None, ago_s: float = 0.0):
        body, known = json.dumps(told), json.dumps(told if signed is None else signed)
        said = headers(SECRET, "msg_1", known, datetime.now(UTC) - timedelta(seconds=ago_s))
        return await stranger.post(at, content=body, headers=said)

    return post


async def test_what_is_signed_is_kept_once(posted, service):
    answer = await posted([EVENT, EVENT | {"eventID": "other"}])
    assert (answer.status_code, answer.json()) == (202, {"taken": 2, "known": 0})
    again = await posted({"Records": [EVENT]})
    assert (again.status_code, again.json()) == (202, {"taken": 0, "known": 1})


async def test_nobody_else_posts_anything(posted, stranger, local, monkeypatch):
    forged = await posted([EVENT], signed=[])
    old = await posted([EVENT], ago_s=3600)
    bare = [await client.post(AT, json=[EVENT]) for client in (stranger, local)]
    for answer in (forged, old, *bare):
        assert answer.status_code == 401
        assert answer.json()["type"] == "urn:appliance:problem:unsigned"
        assert SECRET not in answer.text
    assert (await posted([EVENT], at="/api/v1/audit/none")).status_code == 404
    monkeypatch.delenv("AUDIT_SECRET")
    unset = await posted([EVENT])
    assert unset.status_code == 503
    assert "AUDIT_SECRET" not in unset.text


@pytest.mark.parametrize(
    ("told", "status", "said"),
    [
        ("text", 422, ""),
        ([{"what": "?"}], 422, "what"),
        ([EVENT | {"requestParameters": {"filler": "x" * (1 << 20)}}], 413, ""),
    ],
)
async def test_what_is_no_event_is_said_so(posted, told, status: int, said: str):
    answer = await posted(told)
    assert answer.status_code == status
    assert said in answer.json()["detail"]

"""`appliance schedule` and `appliance webhook`, with and without a server."""

import base64
import json
import os
import signal
from datetime import datetime
from pathlib import Path

import pytest
from standardwebhooks import Webhook

from appliance.config.service_settings import default_schedules
from tests.receiving import Answer, receiving

SECRET = "whsec_" + base64.b64encode(os.urandom(32)).decode()


@pytest.fixture
def receiver():
    """Its address, and what it was told."""
    told = []

    def take(asked):
        told.append(Webhook(SECRET).verify(asked.body, dict(asked.headers)))
        return Answer(500 if "bad" in asked.path else 204)

    with receiving(take) as url:
        yield url, told


def webhooks(url):
    return f"webhooks:\n  team: {{url: {url}, secret_env: HOOK_SECRET}}\n"


def test_schedules_without_a_server(appliance):
    Path("config.yaml").write_text("schedules: {nightly: {is_enabled: false}}\n")
    rows = {row["name"]: row for row in json.loads(appliance("schedule", "list", "--json").out)}
    assert rows.keys() == default_schedules().keys()
    assert rows["nightly"]["next_at"] is None
    assert datetime.fromisoformat(rows["backup"]["next_at"]).strftime("%H:%M") == "07:30"
    shown = appliance("schedule", "list")
    assert "every 30 minutes" in shown.out
    assert "No server runs" in shown.err
    refused = appliance("schedule", "run", "janitor")
    assert (refused.code, refused.out) == (2, "")
    assert "start `appliance serve`" in refused.err


def test_a_message_to_try_a_receiver(appliance, receiver, monkeypatch):
    url, told = receiver
    monkeypatch.setenv("HOOK_SECRET", SECRET)
    Path("config.yaml").write_text(webhooks(f"{url}/t0ken"))
    sent = appliance("webhook", "test", "team")
    assert (sent.code, sent.out) == (0, "team: answered 204\n")
    assert (told[0]["type"], told[0]["data"]) == ("webhook.test", {"webhook": "team"})
    listed = appliance("webhook", "list")
    assert url in listed.out
    assert "t0ken" not in listed.out


def test_a_receiver_that_refuses_or_is_not_there(appliance, receiver, monkeypatch):
    monkeypatch.setenv("HOOK_SECRET", SECRET)
    Path("config.yaml").write_text(webhooks(f"{receiver[0]}/bad"))
    refused = appliance("webhook", "test", "team", "--json")
    assert refused.code == 2
    assert json.loads(refused.out) == {
        "webhook": "team",
        "status": 500,
        "problem": "answered 500",
    }
    unknown = appliance("webhook", "test", "taem")
    assert unknown.code == 2
    assert "no webhook is named `taem`; under `webhooks` stand: team." in unknown.err


def test_without_webhooks(appliance):
    assert "There is no webhook: add one" in appliance("webhook", "list").err
    assert json.loads(appliance("webhook", "list", "--json").out) == []


def test_a_running_server_does_it_now(appliance, program, receiver, monkeypatch):
    monkeypatch.setenv("HOOK_SECRET", SECRET)
    Path("config.yaml").write_text(
        webhooks(receiver[0]) + "server: {port: 0}\nschedules: {nightly: {is_enabled: false}}\n"
    )
    server = program("serve", "--json")
    try:
        assert "url" in json.loads(server.stdout.readline())
        done = appliance("schedule", "run", "checkpoint")
        assert (done.code, done.out) == (
            0,
            "checkpoint: done: the store's file has all that was written\n",
        )
        assert json.loads(appliance("schedule", "run", "janitor", "--json").out)["outcome"] == (
            "done"
        )
        rows = json.loads(appliance("schedule", "list", "--json").out)
        last = {row["name"]: row["last_outcome"] for row in rows}
        assert (last["checkpoint"], last["janitor"], last["backup"]) == ("done", "done", None)
        (hook,) = json.loads(appliance("webhook", "list", "--json").out)
        assert (hook["name"], hook["waiting"], hook["dead"]) == ("team", 0, 0)
        assert appliance("schedule", "run", "nothing").code == 2
    finally:
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=30)
    assert server.returncode == 0

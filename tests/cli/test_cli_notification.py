"""`appliance notification`, and a digest from a server that is killed before it arrives."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.notifications.telling import Chat


def configure(chat_host, monkeypatch, **more):
    monkeypatch.setenv("TEAM_URL", f"json://{chat_host}/")
    rest = "".join(f", {key}: {value}" for key, value in more.items())
    Path("config.yaml").write_text(
        "sweep: {time_zone: Asia/Shanghai}\n"
        f"notifications: {{team: {{url_env: TEAM_URL{rest}}}}}\n"
    )


def test_a_test_message_arrives_or_says_why_not(appliance, monkeypatch):
    with Chat() as chat:
        configure(chat.host, monkeypatch)
        done = appliance("notification", "test", "team")
        assert (done.code, done.out) == (0, "team: sent by JSON\n")
        ((_, post),) = chat.posts
        assert post["title"] == "Test of team"
        chat.status = 500
        refused = appliance("notification", "test", "team", "--json")
        assert refused.code == 2
        assert "500" in json.loads(refused.out)["problem"]
    other = appliance("notification", "test", "taem")
    assert "no notification is named `taem`; under `notifications` stand: team." in other.err


def test_they_are_listed_without_their_address(appliance, monkeypatch):
    configure("chat.example:9", monkeypatch, digest="'07:30'", quiet="'22:00-07:00'")
    listed = appliance("notification", "list")
    assert re.search(r"team +JSON +finding.opened, .* +07:30 +22:00-07:00", listed.out)
    assert "chat.example" not in listed.out + listed.err
    (row,) = json.loads(appliance("notification", "list", "--json").out)
    assert (row["name"], row["by"], row["digest"]) == ("team", "JSON", "07:30")
    assert appliance("webhook", "list").out == ""
    assert re.search(
        r"digest-team +digest +30 7 \* \* \* \(Asia", appliance("schedule", "list").out
    )


def test_doctor_says_whether_the_address_is_there(appliance, monkeypatch):
    configure("chat.example:9", monkeypatch)
    assert "notification team: JSON, address in TEAM_URL" in appliance("doctor").out
    monkeypatch.delenv("TEAM_URL")
    assert "the address of notification `team` is empty" in appliance("doctor").out


@contextmanager
def server(log):
    with log.open("a") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "appliance.cli", "serve", "--port", "0", "--json"],
            stdout=subprocess.PIPE,
            stderr=file,
            text=True,
            start_new_session=True,
        )
    assert process.stdout is not None
    try:
        assert json.loads(process.stdout.readline())["url"]
        yield process
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()


@pytest.mark.timeout(300)
def test_a_kill_loses_no_message(appliance, monkeypatch, folder):
    with Chat() as gone:
        port = int(gone.host.rpartition(":")[2])
    configure(f"127.0.0.1:{port}", monkeypatch, digest="'07:30'", language="zh")
    log = folder / "log"
    with server(log):
        ran = appliance("schedule", "run", "digest-team")
        assert "digest-team: done: team is told: 0 broke, 0 mended" in ran.out, ran.err
        until(lambda: "webhook.retried" in log.read_text())
        (row,) = json.loads(appliance("notification", "list", "--json").out)
        assert (row["waiting"], row["delivered"]) == (1, 0)
    with Chat(port=port) as chat, server(log):
        until(lambda: chat.posts)
        until(lambda: json.loads(appliance("notification", "list", "--json").out)[0]["delivered"])
    ((_, post),) = chat.posts
    assert post["title"] == "没有进行任何验证"
    assert "Asia/Shanghai" in post["message"]


def until(is_so):
    deadline = time.monotonic() + 90
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.1)

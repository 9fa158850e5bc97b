"""Chats over real HTTP, in the shapes that they document; quiet hours; one message an incident."""

import asyncio
import json
from dataclasses import replace
from datetime import UTC, datetime

import apprise
import pytest

from appliance.config import NetworkSettings
from appliance.core.errors import SetupError
from appliance.core.events import FindingClosed, PersonAsked
from appliance.core.people import QuestionKind
from appliance.core.verdict import Severity
from appliance.notifications.receiver import notification_receivers
from appliance.store.paging import Paging
from tests.company import USER, proxy
from tests.notifications.telling import (
    FINDING,
    OPENED,
    Chat,
    Clock,
    keep,
    procedure,
    run_of,
    sending,
    states,
    until,
)


async def test_quiet_hours_end_with_one_message(store, told):
    night = Clock(datetime(2026, 11, 21, 2, tzinfo=UTC))  # 03:00 in Berlin
    other = replace(FINDING, id="f2", document="docs/keys.md", severity=Severity.BREAKS)
    with Chat() as chat:
        quiet = told(f"json://{chat.host}/", quiet="22:00-07:00")
        async with sending(quiet, store, night) as webhooks:
            webhooks(OPENED)
            webhooks(replace(OPENED, incident_id="mended"))
            webhooks(FindingClosed(console="lab", incident_id="mended", finding=FINDING))
            webhooks(replace(OPENED, incident_id="other", finding=other))
            await asyncio.sleep(0.3)
            assert (states(store), chat.posts) == (["waiting"] * 3, [])
            due = [one.next_at for one in store.outbox.page(Paging()).items]
            assert set(due) == {datetime(2026, 11, 21, 6, tzinfo=UTC)}
        morning = Clock(datetime(2026, 11, 21, 6, 0, 1, tzinfo=UTC))
        async with sending(quiet, store, morning):
            await until(lambda: states(store) == ["delivered"] * 3)
    ((_, post),) = chat.posts
    assert post["title"] == "3 sentences are untrue"
    assert post["type"] == "warning"
    assert "docs/keys.md:7" in post["message"]


async def test_one_incident_is_one_message_until_it_closes(store, told):
    with Chat() as chat:
        async with sending(told(f"json://{chat.host}/"), store) as webhooks:
            for run in ("r1", "r2", "r3"):  # three nights
                for event in keep(store, run):
                    webhooks(event)
            await until(lambda: states(store) == ["delivered"])
            store.start_run(run_of("r4"), 1)
            store.save_procedure("r4", procedure())
            for event in keep(store, "r5"):
                webhooks(event)
            await until(lambda: states(store) == ["delivered"] * 2)
    assert [post["title"] for _, post in chat.posts] == ["Untrue: docs/disks.md:7"] * 2


async def test_slack_is_told_in_its_own_shape(store, told, monkeypatch):
    shouting = replace(FINDING, shown="<!channel> @everyone <https://evil.example|click>")
    with Chat() as chat:
        monkeypatch.setattr(
            apprise.plugins.slack.NotifySlack, "webhook_url", f"http://{chat.host}/services"
        )
        url = "slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ/#docs"
        async with sending(told(url), store) as webhooks:
            webhooks(replace(OPENED, finding=shouting))
            await until(lambda: states(store) == ["delivered"])
            assert webhooks.list()[0].url == "Slack"
    ((path, post),) = chat.posts
    assert path == "/services/T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ"
    said = json.dumps(post)
    assert "docs/disks.md:7" in said
    assert "<!channel>" not in said
    assert "@everyone" not in said


async def test_a_chat_behind_the_proxy_is_told_through_it(store, told, tmp_path):
    (tmp_path / "pw").write_text("pass:word")
    with Chat() as chat, proxy({"chat.internal": chat.number}, "pass:word") as gate:
        network = {
            "proxy": gate.url,
            "proxy_username": USER,
            "proxy_password_file": tmp_path / "pw",
        }
        ours = NetworkSettings.model_validate(network)
        behind = told("json://chat.internal/").model_copy(update={"network": ours})
        async with sending(behind, store) as webhooks:
            webhooks(OPENED)
            await until(lambda: states(store) == ["delivered"], within_s=60)
        assert chat.posts[0][1]["title"] == "Untrue: docs/disks.md:7"
        assert gate.seen == ["POST http://chat.internal/"]
        (tmp_path / "pw").unlink()
        async with sending(behind, store, back_off_s=()) as webhooks:
            webhooks(replace(OPENED, incident_id="other"))
            await until(lambda: "dead" in states(store), within_s=60)
    dead = next(one for one in store.outbox.page(Paging()).items if one.why)
    assert "cannot read the proxy's password" in dead.why


async def test_mattermost_is_told_in_its_own_shape(store, told):
    with Chat() as chat:
        async with sending(told(f"mmost://{chat.host}/{'t0ken' * 5}"), store) as webhooks:
            webhooks(OPENED)
            await until(lambda: states(store) == ["delivered"])
    ((path, post),) = chat.posts
    assert path == f"/hooks/{'t0ken' * 5}"
    assert "https://docs.example/findings/abc" in post["text"]


async def test_a_chat_that_refuses_says_why_without_its_token(store, told):
    with Chat(status=403) as chat:
        async with sending(told(f"mmost://{chat.host}/{'t0ken' * 5}"), store, back_off_s=()) as w:
            w(OPENED)
            await until(lambda: states(store) == ["dead"])
    (dead,) = store.outbox.page(Paging()).items
    assert "403" in dead.why
    assert "t0ken" not in dead.why


async def test_a_question_says_until_when_in_the_zone_of_the_settings(store, told):
    asked = PersonAsked(
        run_id="r1",
        procedure_id="docs/disks/create",
        question_id="q1",
        kind=QuestionKind.CONSENT,
        text="Delete the disk?",
        step="1",
        url="http://console.example/",
        expires_at=datetime(2026, 11, 21, 12, 30, tzinfo=UTC),
    )
    with Chat() as chat:
        async with sending(told(f"json://{chat.host}/"), store) as webhooks:
            webhooks(asked)
            await until(lambda: chat.posts)
    ((_, post),) = chat.posts
    assert "Until 2026-11-21 13:30" in post["message"]
    assert "Times are those of Europe/Berlin." in post["message"]


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("", "notification `team` is empty: set the environment variable TEAM_URL"),
        ("hunter2-secret", "no address that apprise understands"),
        ("nosuch://hunter2-secret@host", "no address that apprise understands"),
        ("mailto://box:hunter2-secret@127.0.0.1", "Invalid ~From~ email specified"),
    ],
)
def test_a_bad_address_is_said_at_the_start_and_not_repeated(told, url, message):
    with pytest.raises(SetupError, match=message) as caught:
        notification_receivers(told(url), None)
    assert "hunter2" not in str(caught.value)


async def test_teams_is_told_in_its_own_shape(store, told, certificate, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))  # what the machine trusts
    with Chat(status=202, certificate=certificate) as chat:
        url = f"workflows://{chat.host}/{'0a' * 16}/{'S1g' * 8}/"
        async with sending(told(url), store) as webhooks:
            webhooks(OPENED)
            await until(lambda: states(store) == ["delivered"])
    path, post = chat.posts[0]
    assert path.startswith(f"/workflows/{'0a' * 16}/triggers/manual/paths/invoke")
    card = post["attachments"][0]
    assert card["contentType"] == "application/vnd.microsoft.card.adaptive"
    assert "docs/disks.md:7" in json.dumps(card)

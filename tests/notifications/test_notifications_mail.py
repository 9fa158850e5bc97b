"""E-mail through a real mail server, from the event to the reader; and the digest."""

from datetime import UTC, datetime, timedelta

from appliance.core.clock import SystemClock
from appliance.core.verdict import Severity, Verdict
from appliance.notifications.digest import Digest
from appliance.store.incident import incident_id
from appliance.store.paging import Paging
from tests.notifications.telling import (
    OPENED,
    PASSWORD,
    Clock,
    Mailbox,
    keep,
    make,
    part,
    png,
    procedure,
    run_of,
    sending,
    states,
    until,
)


async def test_a_finding_comes_by_mail_as_text_html_and_picture(store, told):
    (opened,) = keep(store)
    with Mailbox() as box:
        async with sending(told(box.url), store) as webhooks:
            webhooks(opened)
            await until(lambda: states(store) == ["delivered"])
            (state,) = webhooks.list()
    (mail,) = box.mails
    assert mail["subject"] == "Untrue: docs/disks.md:7"
    assert mail["to"] == "eva@lab.example"
    html, text = part(mail, "text/html").get_content(), part(mail, "text/plain").get_content()
    link = f"https://docs.example/findings/{opened.incident_id}"
    assert f'href="{link}"' in html
    assert "“Create &lt;b&gt;disk&lt;/b&gt;” → “New disk”" in html
    assert "Label has another name" in text
    assert link in text
    image = part(mail, "image/png")
    assert image.get_payload(decode=True) == png()
    assert f"cid:{image['content-id'].strip('<>')}" in html
    assert (state.url, state.delivered) == ("E-Mail", 1)


async def test_in_chinese(store, told):
    with Mailbox() as box:
        async with sending(told(box.url, language="zh"), store) as webhooks:
            webhooks(OPENED)
            await until(lambda: box.mails)
    (mail,) = box.mails
    assert mail["subject"] == "与控制台不符：docs/disks.md:7"
    assert "标签名称不同" in part(mail, "text/html").get_content()


async def test_a_mail_server_that_refuses_is_asked_again(store, told):
    with Mailbox(refusals=1) as box:
        async with sending(told(box.url), store) as webhooks:
            webhooks(OPENED)
            await until(lambda: states(store) == ["delivered"])
    (delivery,) = store.outbox.page(Paging()).items
    assert (len(box.mails), delivery.attempts) == (1, 2)


async def test_nobody_listens_and_no_secret_is_kept(store, told, tmp_path, capsys, caplog):
    url = (
        f"mailto://box:{PASSWORD}@127.0.0.1:9?smtp=127.0.0.1"
        "&from=box@lab.example&to=eva@lab.example"
    )
    async with sending(told(url), store, back_off_s=()) as webhooks:
        webhooks(OPENED)
        await until(lambda: states(store) == ["dead"])
    (dead,) = store.outbox.page(Paging()).items
    assert dead.why.startswith("Connection error")
    assert PASSWORD not in "".join(capsys.readouterr()) + caplog.text
    store.close()
    assert PASSWORD.encode() not in (tmp_path / "store.duckdb").read_bytes()


async def test_what_waits_survives_a_kill(store, told):
    with Mailbox() as box:
        make(told(box.url), store)(OPENED)  # and then it is killed
        async with sending(told(box.url), store):
            await until(lambda: states(store) == ["delivered"])
    assert len(box.mails) == 1


async def digest(settings, store, clock):
    async with sending(settings, store, clock) as webhooks:
        end = await Digest(settings, store, webhooks, clock)("team")
        await until(lambda: set(states(store)) <= {"delivered"})
    return end.outcome.value


async def test_the_digest_says_what_broke_and_what_was_mended(store, told):
    keep(store, fingerprint="old")
    keep(store, "r2", fingerprint="new", severity=Severity.BREAKS)
    with Mailbox() as box:
        settings = told(box.url, events=(), digest="07:30")
        assert await digest(settings, store, SystemClock()) == "done"
        store.start_run(run_of("r3"), 1)
        store.save_procedure("r3", procedure())
        assert await digest(settings, store, SystemClock()) == "done"
        assert await digest(settings, store, Clock(datetime.now(UTC) + timedelta(days=1))) == "done"
    first, second, third = box.mails
    assert first["subject"] == "1 sentence broke, 1 was mended"
    html = part(first, "text/html").get_content()
    assert incident_id("lab", "new") in html
    assert "2 procedures carried out (2 drifted)" in html
    assert "1 finding is open." in html
    assert part(first, "image/png")
    assert second["subject"] == "Nothing broke, 1 was mended"
    assert third["subject"] == "Nothing was verified"
    assert "no procedure was carried out" in part(third, "text/plain").get_content()


async def test_a_digest_without_news_is_left_out_where_the_settings_say_so(store, told):
    store.start_run(run_of("r1"), 1)
    store.save_procedure("r1", procedure(verdict=Verdict.VERIFIED))
    with Mailbox() as box:
        silent = told(box.url, digest="07:30", digest_if_nothing=False)
        assert await digest(silent, store, SystemClock()) == "skipped"
        assert await digest(told(box.url, digest="07:30"), store, SystemClock()) == "done"
    (mail,) = box.mails
    assert mail["subject"] == "Nothing broke"

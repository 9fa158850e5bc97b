"""A console without an adapter: the practice cloud as a stranger, by its web form and its log."""

import json
import threading
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import httpx
import pyotp
import pytest
import yaml

from appliance.browser import BrowserPool
from appliance.config import (
    AccountSettings,
    AuditSettings,
    BrowserSettings,
    ConsoleSettings,
    Settings,
    VerificationSettings,
)
from appliance.consoles import Trace, log_in_offers, open_console
from appliance.consoles.generic import login as _generic_login
from appliance.core.checks import Need
from appliance.core.errors import ConsoleError, ProvisioningError
from appliance.core.resources import Receipt, ReceiptKind
from appliance.core.verdict import Verdict
from appliance.practice.serving import serving
from appliance.practice.settings import PracticeSettings
from appliance.store.store import Store
from tests.running import verified

START = datetime(2026, 11, 22, 2, 0, tzinfo=UTC)
SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

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
            "bindings": {"Bucket name": "docs-${unique}"},
            "expect": [{"event": "CreateBucket", "where": {"target_name": "${Bucket name}"}}],
        }
    }
}


@pytest.fixture(scope="module")
def cloud(tmp_path_factory):
    data_dir = tmp_path_factory.mktemp("cloud")
    with serving(PracticeSettings(release="2025.1", settle_s=0.2, data_dir=data_dir)) as running:
        yield running, data_dir / "audit.jsonl"


@pytest.fixture
def settings_of(tmp_path):
    password = tmp_path / "password"

    def settings(url, secret, log=None, **account):
        password.write_text(secret)
        return ConsoleSettings(
            kind="generic",
            url=url,
            accounts={
                "alice": AccountSettings(username="alice", password_file=password, **account)
            },
            audit=AuditSettings(kind="jsonlines", path=log) if log else AuditSettings(),
        )

    return settings


async def test_a_procedure_is_verified_by_form_and_log_alone(cloud, settings_of, tmp_path):
    running, log = cloud
    (tmp_path / "guide.md").write_text(GUIDE)
    (tmp_path / "guide.checks.yaml").write_text(yaml.safe_dump(CHECKS))
    chosen = settings_of(f"{running.url}/login", running.password, log)
    settings = Settings(
        data_dir=tmp_path,
        console="strange",
        consoles={"strange": chosen},
        verification=VerificationSettings(audit_wait_s=2, settle_resource_s=4),
    )
    run = await verified(settings, [tmp_path / "guide.md"])
    with Store.open(tmp_path) as store:
        accounts = store.accounts.states("strange")
        assert store.attempts.unfinished() == ()
        receipts = [
            receipt
            for attempt in store.attempts.latest()
            for receipt in store.attempts.receipts(attempt.id)
        ]
    [result] = run.procedures
    assert result.verdict is Verdict.VERIFIED, result
    [audit] = [channel for channel in result.goal.channels if channel.channel == "audit"]
    assert audit.reached, audit
    assert [(r.deed, r.kind) for r in receipts] == [(ReceiptKind.DELETED, "Buckets")]
    assert [row.quarantined_at for row in accounts] == [None]
    with httpx.Client(base_url=running.url, auth=("alice", running.password)) as api:
        held = api.get("/api/storage/buckets").json()["items"]
    assert held == []


PAGES = {
    "/two-steps": """<form action="/password"><label>Email or user name <input name="mail"></label>
        <label>Search <input type="search" name="q"></label><button>Next</button></form>""",
    "/password": """<form method="post" action="/two-steps/in"><input type="hidden" name="mail">
        <label>Password <input type="password" name="secret"></label><button>Sign in</button>
        </form>""",
    "/script": """<div><input placeholder="Account ID" value="123456">
        <input placeholder="Username"><input type="password" placeholder="Password">
        <div role="button" tabindex="0">Log in</div><p class="error-text"></p></div><script>
        document.querySelector('[role=button]').onclick = () => setTimeout(() => {
          const [account, user, secret] = document.querySelectorAll('input');
          if (account.value === '123456' && user.value === 'alice' && secret.value === 'right') {
            document.body.innerHTML = '<h1>Home</h1><input placeholder="Find by name">';
          } else document.querySelector('p').textContent = 'Wrong user or password.';
        }, 300)</script>""",
    "/public": """<a href="/public">Home</a> <a href="/two-steps">Sign in with a card</a>
        <a class=icon href="/behind">Sign in</a>
        <style>.icon::before { content: '\\e600' }</style><h1>What anyone may read</h1>""",
    "/behind": """<form action="/behind/in" method="post"><input name="username">
        <input type="password" name="secret"><button>Sign in</button></form>""",
    "/behind/in": "<a href='/out'>Log out</a><h1>What alice may read</h1>",
    "/login-drawn": """<input placeholder="Username"><input type="password">
        <button>Sign in</button><script>
        document.querySelector('button').onclick = () => {
          document.body.innerHTML = '<p>One moment</p>';
          setTimeout(() => history.pushState(null, '', '/home'), 1500);
        }</script>""",
    "/nothing": "<h1>Down for maintenance</h1>",
    "/captcha": """<form method="post" action="/captcha/puzzle"><input name="username">
        <input type="password"><button>Log in</button></form>""",
    "/captcha/puzzle": """<form><input name="username"><input type="password">
        <div class="captcha-box">Drag the slider</div><button>Log in</button></form>""",
    "/two-steps/in": "<h1>Welcome</h1><form><input name=username placeholder='User name'></form>",
}


class Pages(BaseHTTPRequestHandler):
    """Log-in pages as clouds have them."""

    def do_GET(self):
        page = PAGES.get(self.path.partition("?")[0], "").encode()
        self.send_response(200 if page else 404)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(page)

    def do_POST(self):
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.do_GET()

    def log_message(self, *arguments):
        """Nothing is said."""


@pytest.fixture(scope="module")
def pages():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


async def test_forms_of_many_kinds_are_found_and_refusals_told(
    cloud, pages, settings_of, monkeypatch
):
    monkeypatch.setattr(_generic_login, "_FIRST_S", 2.0)
    practice = f"{cloud[0].url}/login"
    async with BrowserPool(BrowserSettings(pool_size=1, spare_pages=1)) as pool:

        async def logged_in(url, secret):
            console = open_console("strange", settings_of(url, secret))
            async with pool.page(console.hosts) as page:
                await console.log_in(page, console.accounts(None)[0])
                return await page.raw.inner_text("body") + page.url

        async def refusal(url, secret):
            with pytest.raises(ConsoleError) as caught:
                await logged_in(url, secret)
            assert secret not in str(caught.value)
            return str(caught.value)

        assert (await logged_in(f"{pages}/two-steps", "right-one")).endswith("/two-steps/in")
        assert "Home" in await logged_in(f"{pages}/script", "right")
        assert "What alice may read" in await logged_in(f"{pages}/public", "right-one")
        drawn = await logged_in(f"{pages}/login-drawn", "right-one")
        assert drawn.endswith("/home"), "the page was still on its way"
        async with pool.page(frozenset({urlsplit(pages).netloc})) as page:
            await page.goto(f"{pages}/public")
            assert await log_in_offers(page).count() == 1, "who is offered a log-in has none"
            await page.goto(f"{pages}/behind/in")
            assert not await log_in_offers(page).count()
        said = await refusal(f"{pages}/script", "not-so")
        assert said.endswith("refuses the log-in of user alice: Wrong user or password.")
        said = await refusal(practice, "not-so")
        assert "refuses the log-in of user alice: " in said
        assert "asks for a captcha" in await refusal(f"{pages}/captcha", "right-one")
        said = await refusal(f"{pages}/nothing", "right-one")
        assert "no log-in form at" in said and "in no frame" in said


async def test_an_account_is_well_when_its_log_in_works_with_its_second_factor(
    settings_of, tmp_path
):
    totp = tmp_path / "totp"
    totp.write_text(SECRET)
    with serving(PracticeSettings(release="2025.1", second_factor=SECRET)) as guarded:
        chosen = settings_of(f"{guarded.url}/login", guarded.password, totp_file=totp)
        console = open_console("strange", chosen)
        [alice] = console.accounts(None)
        console._codes = Codes()
        assert (await console.health(alice)).can_log_in
        assert console._codes.asked
        blind = open_console("strange", settings_of(f"{guarded.url}/login", guarded.password))
        health = await blind.health(blind.accounts(None)[0])
        assert not health.can_log_in
        assert "names no totp_env" in health.problem
        blind._browser = BrowserSettings(executable=tmp_path / "none")
        again = await blind.health(blind.accounts(None)[0])
        assert again == health, "a refused log-in is not tried again at once"


class Codes:
    """The clock's code without the wait: the cloud takes one step ahead."""

    def __init__(self):
        self.asked = []

    async def code_of(self, account):
        step = int(time.time()) // 30 + len(self.asked)
        self.asked.append(account.name)
        return pyotp.HOTP(SECRET).at(step)


async def test_what_it_cannot_do_it_says(settings_of, tmp_path):
    trace = Trace(since=START, unique="cda00ff11", before=None)
    console = open_console("strange", settings_of("http://127.0.0.1:9/login", "x"))
    [alice] = console.accounts(None)
    assert (console.has_audit, console.audit_delay_s) == (False, 0.0)
    assert await console.inventory(alice) is None
    assert await console.terraform(alice) is None
    with pytest.raises(ProvisioningError, match="network: console strange is generic"):
        await console.provide([Need(kind="network")], alice, {})
    with pytest.raises(ConsoleError, match=r"is consoles\.strange\.url right"):
        await console.check()
    [receipt] = await console.recover(alice, trace)
    assert receipt.deed is ReceiptKind.LEFT
    assert "cda00ff11 in its name" in receipt.why
    assert await console.recover(alice, replace(trace, unique="")) == ()


async def test_what_lists_showed_is_told_where_nobody_knows_better(settings_of, tmp_path):
    console = open_console("strange", settings_of("http://127.0.0.1:9/login", "x"))
    [alice] = console.accounts(None)
    left = Receipt(deed=ReceiptKind.LEFT, kind="Tags", id="http://c/tags", name="one", why="w")
    trace = Trace(since=START, unique="cda00ff11", before=None, seen=(left,))
    assert await console.recover(alice, trace) == (left,)
    assert await console.recover(alice, replace(trace, seen=())) == ()
    log = tmp_path / "audit.jsonl"
    log.write_text("")
    console = open_console("strange", settings_of("http://127.0.0.1:9", "x", log))
    assert await console.recover(alice, trace) == (left,)
    gone = replace(left, deed=ReceiptKind.DELETED, why="")
    assert await console.recover(alice, replace(trace, seen=(gone,))) == (gone,)


async def test_receipts_name_what_was_made_and_not_removed(settings_of, tmp_path):
    log = tmp_path / "audit.jsonl"
    entries = [
        ("CreateBucket", "b-1", "one", "success"),
        ("CreateBucket", "b-2", "two", "success"),
        ("CreateBucket", "b-3", "three", "failure"),
        ("DeleteBucket", "b-1", "one", "success"),
        ("UpdateBucket", "b-9", "other", "success"),
    ]
    log.write_text(
        "".join(
            json.dumps(
                {
                    "time": (START + timedelta(seconds=second)).isoformat(),
                    "event_id": f"e{second}",
                    "name": name,
                    "actor": actor,
                    "outcome": outcome,
                    "target_type": "bucket",
                    "target_id": id,
                    "target_name": called,
                }
            )
            + "\n"
            for actor in ("Alice", "bob")
            for second, (name, id, called, outcome) in enumerate(entries, 1 + 10 * (actor == "bob"))
        )
    )
    console = open_console("strange", settings_of("http://127.0.0.1:9", "x", log))
    [alice] = console.accounts(None)
    trace = Trace(since=START, unique="cda00ff11", before=None)
    assert [event.actor for event in await console.audit(alice, START)] == ["Alice"] * 5
    receipts = await console.recover(alice, trace)
    assert [(r.deed, r.kind, r.id, r.name) for r in receipts] == [
        (ReceiptKind.LEFT, "bucket", "b-2", "two")
    ]
    late = console._settings.audit.model_copy(update={"late_minutes": 15.0})
    console = open_console("strange", console._settings.model_copy(update={"audit": late}))
    assert console.audit_delay_s == 900
    receipts = await console.recover(alice, trace)
    assert [r.id for r in receipts] == ["b-2", "cda00ff11"]
    assert "up to 15 minutes late" in receipts[1].why

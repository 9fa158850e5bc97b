"""The parts of the adapter that need no cloud; the rest is in test_openstack_lab."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from appliance.browser import BrowserPool
from appliance.config import AccountSettings, BrowserSettings, ConsoleSettings
from appliance.consoles.credentials import password_of
from appliance.consoles.openstack.audit import (
    CreatedResource,
    events_of,
    made_by,
    nameless_identities,
)
from appliance.consoles.openstack.console import OpenStackConsole
from appliance.core.checks import AuditEvent, EventOutcome
from appliance.core.errors import ConsoleError

START = datetime(2026, 1, 2, tzinfo=UTC)


def event(name: str, at: int = 0, **kwargs: Any) -> AuditEvent:
    defaults: dict[str, Any] = {
        "service": "neutron",
        "actor": "demo",
        "outcome": EventOutcome.SUCCESS,
        "request_id": f"req-{at}",
        "target_id": "id-1",
        "target_name": "one",
    }
    return AuditEvent(time=START + timedelta(seconds=at), name=name, **(defaults | kwargs))


def response(at: int, agent: str, **kwargs: Any) -> AuditEvent:
    raw = {"agent": agent, "action": kwargs.pop("action", "create")}
    return event("audit.http.response", at, raw=raw, **kwargs)


def test_only_the_account_s_own_doings_in_the_console_are_its_events() -> None:
    log = [
        response(1, "console-docs-appliance/0.1 openstacksdk/4"),
        event("network.create.end", 1),
        response(2, "python-neutronclient"),
        event("network.create.start", 2),
        event("network.create.end", 2),
        event("network.create.end", 3, actor="admin"),
        event("scheduler.select_destinations.end", 4),
        response(5, "python-neutronclient", action="read/list"),
        event("identity.authenticate", 6),
    ]
    assert [(e.name, e.request_id) for e in events_of("demo", log)] == [
        ("audit.http.response", "req-2"),
        ("network.create.end", "req-2"),
    ]


def test_swift_s_repeated_request_ids_do_not_hide_what_the_account_did() -> None:
    stored = {"container": "box", "path": "/v1/AUTH_p1/box", "http_status": "201"}
    more: dict[str, Any] = {"service": "swift", "request_id": "req-0", "parameters": stored}
    log = [
        response(1, "console-docs-appliance/0.1", **more),
        response(2, "python-swiftclient", **more),
    ]
    assert [e.time.second for e in events_of("demo", log)] == [2]
    assert made_by("demo", log) == (CreatedResource("container", "box", "box", "p1"),)


def test_what_the_account_made_is_told_once_and_keypairs_by_name() -> None:
    log = [
        event("volume.create.start", 1, service="cinder"),
        event("volume.create.end", 1, service="cinder"),
        event("keypair.create.end", 2, target_id="", target_name="key"),
        event("network.update.end", 3),
        event("image.create", 4, actor="admin", target_id="id-9"),
    ]
    assert [(made.kind, made.id) for made in made_by("demo", log)] == [
        ("volume", "id-1"),
        ("keypair", "key"),
    ]


def test_identities_without_a_name_are_asked_for() -> None:
    log = [
        event("identity.user.created", target_name=""),
        event("identity.project.created", target_id="id-2"),
        event("identity.role_assignment.created", target_name="", target_id="id-3"),
    ]
    assert nameless_identities(log) == {"id-1": "user"}


def test_a_password_comes_from_its_variable_or_the_first_line_of_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAB_PASSWORD", "from env")
    file = tmp_path / "secret"
    file.write_text(" from file \nsecond line\n")
    by_env = AccountSettings(username="u", password_env="LAB_PASSWORD")
    by_file = AccountSettings(username="u", password_file=file)
    assert password_of("a", by_env) == "from env"
    assert password_of("a", by_file) == " from file "


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"password_env": "NOT_SET_ANYWHERE"}, "account a is empty: set the environment variable"),
        ({"password_file": Path("/nowhere/secret")}, "cannot read the password of account a"),
        ({}, "names no password_env and no password_file"),
    ],
)
def test_a_missing_password_is_a_sentence(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(ConsoleError, match=said):
        password_of("a", AccountSettings(username="u", **settings))


FORM = """<title>Login</title><form method=post action=/auth/login/>{alert}
<input id=id_username name=username><input id=id_password name=password type=password>
<button id=loginBtn>Sign In</button></form>"""
HOME = """<title>Overview</title><nav class=navbar>
<a href=# onclick="document.querySelector('.context-selection').hidden = false">
<span class=context-project>{project}</span></a>
<ul class=context-selection hidden><li><a href=/auth/switch/1/?next=/>demo</a>
<li><a href=/auth/switch/2/?next=/>admin</a></ul></nav>"""


class _Horizon(BaseHTTPRequestHandler):
    """As much of Horizon as a log-in sees."""

    project = ""
    failures = 0

    def do_GET(self) -> None:
        if self.project and self.failures:  # as Horizon's usage overview does now and then
            type(self).failures -= 1
            return self._answer("<title>Something went wrong!</title>", 500)
        if self.path.startswith("/auth/switch/"):
            type(self).project = "admin" if "/2/" in self.path else "demo"
        page = HOME.format(project=self.project) if self.project else FORM.format(alert="")
        return self._answer(page)

    def do_POST(self) -> None:
        sent = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        if sent["password"] == ["right"]:
            type(self).project = "demo"
            return self.do_GET()
        alert = '<div class="alert alert-danger"><p>Invalid\n credentials.</p></div>'
        return self._answer(FORM.format(alert=alert))

    def _answer(self, text: str, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, format: str, *args: object) -> None:
        """Be quiet."""


@pytest.fixture
def fake_horizon(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenStackConsole]:
    monkeypatch.setattr(_Horizon, "project", "")
    with ThreadingHTTPServer(("127.0.0.1", 0), _Horizon) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}/"
        yield OpenStackConsole("lab", _settings(url))
        server.shutdown()


def _settings(url: str) -> ConsoleSettings:
    return ConsoleSettings(
        kind="openstack",
        url=url,
        auth_url=url,
        accounts={
            name: AccountSettings(username=name, password_env="LAB_PASSWORD", project=project)
            for name, project in (("demo", "demo"), ("admin", "admin"), ("lost", "elsewhere"))
        },
    )


async def _log_in(console: OpenStackConsole, name: str, browser: BrowserSettings) -> str:
    async with BrowserPool(browser) as pool, pool.page(console.hosts) as page:
        await console.log_in(page, console.accounts(name)[0])
        return str(await page.raw.locator(".context-project").inner_text())


@pytest.mark.parametrize("name", ["demo", "admin"])
async def test_the_project_of_the_account_is_chosen_in_the_menu(
    fake_horizon: OpenStackConsole,
    browser_settings: BrowserSettings,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    monkeypatch.setenv("LAB_PASSWORD", "right")
    assert await _log_in(fake_horizon, name, browser_settings) == name


async def test_a_start_page_that_fails_once_is_asked_for_again(
    fake_horizon: OpenStackConsole,
    browser_settings: BrowserSettings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LAB_PASSWORD", "right")
    monkeypatch.setattr(_Horizon, "failures", 2)
    assert await _log_in(fake_horizon, "demo", browser_settings) == "demo"


async def test_a_start_page_that_keeps_failing_is_told_by_its_title(
    fake_horizon: OpenStackConsole,
    browser_settings: BrowserSettings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LAB_PASSWORD", "right")
    monkeypatch.setattr(_Horizon, "failures", 99)
    with pytest.raises(ConsoleError, match="does not come; it says 'Something went wrong!'"):
        await _log_in(fake_horizon, "demo", browser_settings)


@pytest.mark.parametrize(
    ("name", "password", "said"),
    [
        ("demo", "wrong", r"Horizon refused the log-in of user demo: Invalid credentials\."),
        ("lost", "right", "has no project 'elsewhere' in Horizon; there are: demo, admin"),
    ],
)
async def test_a_refusal_is_told_in_horizon_s_words(
    fake_horizon: OpenStackConsole,
    browser_settings: BrowserSettings,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    password: str,
    said: str,
) -> None:
    monkeypatch.setenv("LAB_PASSWORD", password)
    with pytest.raises(ConsoleError, match=said):
        await _log_in(fake_horizon, name, browser_settings)


async def test_a_page_that_is_no_horizon_is_told_by_its_address(
    fake_horizon: OpenStackConsole, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_Horizon, "project", "demo")
    with pytest.raises(ConsoleError, match=r"shows no log-in form of Horizon.*consoles\.lab\.url"):
        await fake_horizon.check()


async def test_a_console_that_is_down_is_told_with_its_setting() -> None:
    console = OpenStackConsole("lab", _settings("http://127.0.0.1:9/"))
    with pytest.raises(ConsoleError, match=r"Horizon does not answer.*consoles\.lab\.url right"):
        await console.check()

"""`appliance login`: log-ins that were recorded elsewhere, kept encrypted, renewed, and ended."""

import asyncio
import json
import secrets
from pathlib import Path

import pytest
from playwright.async_api import Page

from tests.chromium import chromium
from tests.doors import FormDoor
from tests.tag_console import tag_console

GUIDE = """# Tags

## Add a tag

1. Click **Tags**.
2. Click **Add tag**.
3. In **Name**, enter a name.
4. Click **Save**.
"""


@pytest.fixture
def lab(folder):
    """A console with a form that nobody may fill in for a person, and its settings."""
    (folder / "guide.md").write_text(GUIDE)
    (folder / "key").write_text(secrets.token_urlsafe(32))
    door = FormDoor("alice", "only-alice-knows")
    with tag_console(door) as tags:
        console = {
            "kind": "generic",
            "url": tags.url,
            "log_in": "state",
            "accounts": {"alice": {"username": "alice"}},
        }
        settings = {
            "console": "lab",
            "consoles": {"lab": console},
            "storage": {"key_file": "key"},
            "verification": {"settle_resource_s": 2, "audit_wait_s": 1},
        }
        Path("config.yaml").write_text(json.dumps(settings))
        yield door, tags, settings


async def recorded_at(url: str, file: Path) -> None:
    """As `playwright codegen --save-storage` does it."""
    async with chromium() as browser:
        page: Page = await browser.new_page()
        await page.goto(url)
        await page.fill("[name=user]", "alice")
        await page.fill("[name=password]", "only-alice-knows")
        await page.click("button")
        await page.wait_for_url("**/?said=")
        await page.context.storage_state(path=file)


def test_a_log_in_that_was_recorded_elsewhere_lasts_until_the_console_ends_it(
    lab, appliance, folder
):
    door, tags, _ = lab
    never = appliance("login", "lab")
    assert (never.code, "was never recorded" in never.err) == (1, True)
    asyncio.run(recorded_at(tags.url, folder / "state.json"))
    [cookie] = json.loads((folder / "state.json").read_text())["cookies"]
    brought = appliance("login", "lab", "--from", "state.json")
    assert (brought.code, "alice can log in to lab." in brought.err) == (0, True), brought
    assert cookie["value"] not in door.sessions, "the console gives out others"
    verified = appliance("verify", "guide.md", "--json")
    assert json.loads(verified.out)["procedures"][0]["verdict"] == "verified", verified
    assert tags.known
    (folder / "state.json").unlink()
    kept = [file for file in folder.rglob("*") if file.is_file() and file.name != "config.yaml"]
    for live in door.sessions:
        assert not [file for file in kept if live.encode() in file.read_bytes()]
    again = json.loads(appliance("login", "--json").out)
    assert again["health"]["can_log_in"], "what the attempt left of it is what was kept"

    door.sessions.clear()
    ended = appliance("verify", "guide.md", "--json")
    [procedure] = json.loads(ended.out)["procedures"]
    assert procedure["verdict"] == "blocked", ended
    assert "the log-in of account alice has ended" in json.dumps(procedure)
    assert "`appliance login lab --account alice --record`" in json.dumps(procedure)


def test_what_is_no_log_in_is_refused(lab, appliance, folder, monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    *_, settings = lab
    for content, why in (
        ("{}", "cookies is wrong"),
        ("no", "no storage state"),
        ('{"cookies": []}', "holds no log-in"),
    ):
        (folder / "state.json").write_text(content)
        refused = appliance("login", "--from", "state.json")
        assert (refused.code, why in refused.err) == (2, True), refused
    nowhere = appliance("login", "--record")
    assert (nowhere.code, "there is no display here, and no server runs" in nowhere.err) == (
        2,
        True,
    )
    (folder / "state.json").write_text(
        '{"cookies": [{"name": "a", "value": "b", "domain": "c", "path": "/"}]}'
    )
    Path("config.yaml").write_text(json.dumps({**settings, "storage": {}}))
    keyless = appliance("login", "--from", "state.json")
    assert (keyless.code, "set storage.key_file" in keyless.err) == (2, True)

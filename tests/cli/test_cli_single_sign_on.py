"""A tiny guide, verified in a console behind a real identity provider: by form, and by steps."""

import asyncio
import json
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import duckdb
import pytest

from appliance.store.store import FILE_NAME
from tests.doors import SsoDoor
from tests.identity_provider import User, identity_provider
from tests.tag_console import tag_console

ALICE = User("alice", "Zq7-tangerine-horse", second_factor="fedcba9876543210")
GUIDE = """# Tags

## Add a tag

1. Click **Tags**.
2. Click **Add tag**.
3. In **Name**, enter a name.
4. Click **Save**.
"""
STEPS = """\
1. Click **Sign in with SSO**.
2. Enter the user name, and click **Continue**.
3. Enter your password. Click **Sign in**.
4. 输入验证码,并点击 **Verify**。
5. Click **Accept**.
"""


@pytest.fixture
def sso(folder):
    """Settings of a console behind single sign-on, its door, and what is in it."""
    (folder / "guide.md").write_text(GUIDE)
    for name, content in (("pw", ALICE.password), ("totp", ALICE.totp_secret), ("wrong", "no-no")):
        (folder / name).write_text(content)
        (folder / name).chmod(0o600)
    with asyncio.Runner() as runner, ExitStack() as stack:
        opening = identity_provider([ALICE], asks_for_code=True)
        provider = runner.run(opening.__aenter__())
        stack.callback(lambda: runner.run(opening.__aexit__(None, None, None)))
        door = SsoDoor(provider)
        tags = stack.enter_context(tag_console(door))
        runner.run(door.build(tags.url, consents=True))
        hosts = [urlsplit(provider.url).netloc]
        yield {"kind": "generic", "url": tags.url, "hosts": hosts}, door, tags


def settings(console: dict, password: str = "pw", **more: object) -> None:
    alice = {"username": "alice", "password_file": password, "totp_file": "totp"}
    lab = {**console, "accounts": {"alice": alice}, **more}
    Path("config.yaml").write_text(json.dumps({"console": "lab", "consoles": {"lab": lab}}))


@pytest.mark.parametrize("way", ["form", "steps"])
def test_a_guide_is_verified_behind_single_sign_on(sso, way, appliance, folder):
    console, door, tags = sso
    more = {"log_in": "steps", "log_in_steps": STEPS} if way == "steps" else {}
    settings(console, **more)
    run = appliance("verify", "guide.md", "--json", "--format", "html,json")
    assert run.out, run.err
    [procedure] = json.loads(run.out)["procedures"]
    assert (run.code, procedure["verdict"]) == (0, "verified"), run
    assert door.log_ins and set(door.sessions.values()) == {"alice"}
    assert [name for name in tags.known.values() if name], "nothing was added"
    kept = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    for secret in (ALICE.password, ALICE.totp_secret, ALICE.second_factor):
        assert secret not in run.out + run.err
        holding = {file.name for file, data in kept.items() if secret.encode() in data}
        assert holding <= {"pw", "totp"}
        assert not in_store(folder / "data" / FILE_NAME, secret)


def in_store(file: Path, words: str) -> list[str]:
    """Tables with a row that has these words in it."""
    with duckdb.connect(str(file), read_only=True) as store:
        tables = [name for (name,) in store.execute("SHOW TABLES").fetchall()]
        rows = {name: store.execute(f"SELECT * FROM {name}").fetchall() for name in tables}
    return [name for name, held in rows.items() if words in repr(held)]


def test_what_hinders_a_written_log_in_is_said(sso, appliance):
    console, *_ = sso
    settings(console, "wrong", log_in="steps", log_in_steps=STEPS)
    says = told(appliance)
    assert 'step 4 of log_in_steps ("输入验证码,并点击 Verify。") cannot be carried out' in says
    assert 'the page says "Login failed. Please check your information."' in says
    assert "no-no" not in says
    settings(console, log_in="steps", log_in_steps="Click **Log on with SSO**.\nSing a song.")
    assert 'step 2 of log_in_steps ("Sing a song.") is not understood' in told(appliance)
    settings(console, log_in="steps", log_in_steps="Ask a person to sign in on their phone.")
    assert "is for a person, and nobody can be asked here" in told(appliance)


def told(appliance) -> str:
    return appliance("login", "lab").err

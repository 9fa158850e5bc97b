"""The practice cloud behind a real identity provider, and a guide verified in it."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from appliance.practice.serving import listen
from appliance.practice.settings import PracticeSettings
from tests.cli.served import GUIDE
from tests.identity_provider import IdentityProvider, User, identity_provider
from tests.serving import environment

ALICE = User("alice", "Zq7-tangerine-horse", second_factor="fedcba9876543210")
MALLORY = User("mallory", "Not-of-this-cloud")
STEPS = """\
1. Click **Sign in with SSO**.
2. Enter the user name, and click **Continue**.
3. Enter your password. Click **Sign in**.
4. Enter the code, and click **Verify**.
"""


@contextmanager
def practice_behind(
    provider: IdentityProvider, runner: asyncio.Runner, folder: Path
) -> Iterator[str]:
    with listen(PracticeSettings()) as free:
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    client = runner.run(provider.register(f"{url}/login/callback"))
    (folder / "client").write_text(client.secret)
    command = [sys.executable, "-m", "appliance.cli", "practice", "serve"]
    command += ["--port", str(port), "--data", "cloud", "--release", "2025.1"]
    command += ["--oidc-issuer", provider.url, "--oidc-client-id", client.id]
    command += ["--oidc-secret-file", "client"]
    process = subprocess.Popen(command, cwd=folder, env=environment(), stdout=subprocess.PIPE)
    try:
        assert process.stdout.readline().decode().strip() == url
        yield url
    finally:
        process.terminate()
        process.communicate(timeout=30)


@pytest.fixture
def cloud(folder: Path) -> Iterator[str]:
    for name, content in (("pw", ALICE.password), ("totp", ALICE.totp_secret)):
        (folder / name).write_text(content)
    (folder / "guide.md").write_text(GUIDE)
    with asyncio.Runner() as runner, ExitStack() as stack:
        opening = identity_provider([ALICE, MALLORY], asks_for_code=True)
        provider = runner.run(opening.__aenter__())
        stack.callback(lambda: runner.run(opening.__aexit__(None, None, None)))
        url = stack.enter_context(practice_behind(provider, runner, folder))
        lab = {
            "kind": "generic",
            "url": url,
            "hosts": [urlsplit(provider.url).netloc],
            "log_in": "steps",
            "log_in_steps": STEPS,
            "accounts": {
                "alice": {"username": "alice", "password_file": "pw", "totp_file": "totp"},
            },
            "audit": {"kind": "jsonlines", "path": "cloud/audit.jsonl"},
        }
        (folder / "config.yaml").write_text(json.dumps({"consoles": {"lab": lab}}))
        yield url


def test_a_guide_is_verified_in_a_practice_cloud_behind_single_sign_on(cloud, appliance, folder):
    tried = appliance("login", "lab")
    assert tried.code == 0, tried.err
    run = appliance("verify", "guide.md", "--json", "--format", "json")
    assert run.out, run.err
    verdicts = {one["title"]: one["verdict"] for one in json.loads(run.out)["procedures"]}
    assert verdicts["Create a bucket"] == "verified", run
    assert verdicts["Look at the buckets"] in ("drifted", "broken"), run
    log = (folder / "cloud" / "audit.jsonl").read_text()
    done = [json.loads(line) for line in log.splitlines()]
    assert {one["actor"] for one in done} == {"alice"}
    assert "CreateBucket" in {one["name"] for one in done}
    for secret in (ALICE.password, ALICE.totp_secret):
        assert secret not in run.out + run.err


def test_its_own_form_is_closed_then(cloud):
    with httpx.Client(base_url=cloud, follow_redirects=False) as client:
        page = client.get("/login").text
        assert "Sign in with SSO" in page and "password" not in page
        form = {"username": "alice", "password": "practice-only"}
        answer = client.post("/login", data=form)
        assert (answer.status_code, answer.cookies.get("practice_session")) == (303, None)
        sent = client.get("/login/sso")
        assert "/oauth/authorize?" in sent.headers["location"]
        for query in ("", "?state=mine&code=x", f"?state={sent.cookies['practice_state']}"):
            back = client.get(f"/login/callback{query}")
            assert (back.status_code, back.cookies.get("practice_session")) == (401, None)

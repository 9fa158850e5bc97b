"""A company: single sign-on, an issuer of its own, a proxy; and a build job has a guide verified.

The console is known to the proxy only, and so is our server. Both show certificates of the
company's issuer. The console asks the identity provider who somebody is.
"""

import asyncio
import os
import sys
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml

from tests.cli.served import served
from tests.company import PASSWORD, USER, Issuer, Running, proxy, site
from tests.doors import SsoDoor
from tests.identity_provider import User, identity_provider
from tests.scripts.test_scripts_ci import CI, Runner
from tests.tag_console import tag_console

ALICE = User("alice", "Zq7-tangerine-horse", second_factor="fedcba9876543210")
CONSOLE, OURS = "console.internal", "appliance.internal"
GUIDE = """# Tags

## Add a tag

1. Click **Tags**.
2. Click **Add tag**.
3. In **Name**, enter a name.
4. Click **{}**.
"""
pytestmark = pytest.mark.timeout(240)


def network(folder: Path, issuer: Issuer, gate: Running) -> dict[str, str]:
    secret = folder / "proxy-password"
    secret.write_text(PASSWORD)
    named = {"ca": str(issuer.file), "proxy": gate.url, "proxy_username": USER}
    return named | {"proxy_password_file": str(secret)}


def test_a_build_job_verifies_a_guide_in_a_company(tmp_path: Path) -> None:
    issuer = Issuer(tmp_path / "issuer")
    folder = tmp_path / "server"
    folder.mkdir()
    (folder / "pw").write_text(ALICE.password)
    (folder / "totp").write_text(ALICE.totp_secret)
    names: dict[str, int] = {}
    with asyncio.Runner() as runner, ExitStack() as stack:
        opening = identity_provider([ALICE], asks_for_code=True)
        provider = runner.run(opening.__aenter__())
        stack.callback(lambda: runner.run(opening.__aexit__(None, None, None)))
        door = SsoDoor(provider)
        tags = stack.enter_context(tag_console(door))
        runner.run(door.build(f"https://{CONSOLE}", consents=True))
        front = stack.enter_context(site(issuer.issue(CONSOLE), urlsplit(tags.url).port))
        names[CONSOLE] = front.port
        gate = stack.enter_context(proxy(names))
        server = stack.enter_context(
            served(
                folder,
                network=network(folder, issuer, gate),
                consoles={
                    "lab": {
                        "kind": "generic",
                        "url": f"https://{CONSOLE}/",
                        "hosts": [urlsplit(provider.url).netloc],
                        "accounts": {
                            "alice": {
                                "username": "alice",
                                "password_file": "pw",
                                "totp_file": "totp",
                            }
                        },
                    }
                },
                server={
                    "keys": "required",
                    "hosts": [OURS],
                    "tls": {"certificate": str(issuer.issue(OURS))},
                },
            )
        )
        names[OURS] = urlsplit(server.url).port

        checkout = tmp_path / "checkout" / "guides"
        checkout.mkdir(parents=True)
        (checkout / "true.md").write_text(GUIDE.format("Save"))
        (checkout / "untrue.md").write_text(GUIDE.format("Store"))
        job = tmp_path / "job"
        job.mkdir()
        inputs = {"server": f"https://{OURS}", "key": server.key}
        machine = {
            f"APPLIANCE_NETWORK__{name.upper()}": value
            for name, value in network(job, issuer, gate).items()
        }
        action = yaml.safe_load((CI / "action.yml").read_text())
        right = Runner(checkout, inputs | {"documents": "true.md"}, programs(tmp_path), machine)
        assert right.run(action) == 0, right.said
        assert "| ✅ verified | Add a tag |" in right.summary
        wrong = Runner(checkout, inputs | {"documents": "untrue.md"}, programs(tmp_path), machine)
        assert wrong.run(action) == 1, wrong.said
        assert "file=untrue.md,line=8" in wrong.said
        stranger = Runner(checkout, inputs | {"documents": "true.md"}, programs(tmp_path))
        assert stranger.run(action) == 2
        assert "does not answer" in stranger.said
    assert set(door.sessions.values()) == {"alice"}
    assert {f"CONNECT {CONSOLE}:443", f"CONNECT {OURS}:443"} <= set(gate.seen)
    said = right.said + wrong.said + stranger.said + (folder / "log").read_text()
    for secret in (ALICE.password, ALICE.totp_secret, PASSWORD, server.key):
        assert secret not in said


def programs(folder: Path) -> str:
    """A PATH with the program on it."""
    program = folder / "bin" / "appliance"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m appliance.cli "$@"\n')
    program.chmod(0o755)
    return f"{program.parent}{os.pathsep}{os.environ['PATH']}"

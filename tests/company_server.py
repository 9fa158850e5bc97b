"""A company on this machine: single sign-on, an issuer of its own, a proxy, and our server in it.

The console is known to the proxy only, and so is our server. Both show certificates of the
company's issuer. The console asks the identity provider who somebody is.
"""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from tests.cli.served import served
from tests.company import PASSWORD, USER, Issuer, Running, proxy, site
from tests.doors import SsoDoor
from tests.identity_provider import User, identity_provider
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


@dataclass(frozen=True)
class Company:
    """What a build job has to do with."""

    checkout: Path
    """With `true.md` and `untrue.md`."""
    server: str
    key: str
    machine: dict[str, str]
    """Variables of machines in its network."""
    gate: Running
    door: SsoDoor
    log: Path
    """Of our server."""

    @property
    def secrets(self) -> tuple[str, ...]:
        """What nobody may say."""
        return ALICE.password, ALICE.totp_secret, PASSWORD, self.key


@contextmanager
def company(folder: Path) -> Iterator[Company]:
    """All of it, with `appliance serve` as a process."""
    issuer = Issuer(folder / "issuer")
    ours, job, checkout = folder / "server", folder / "job", folder / "checkout" / "guides"
    for one in (ours, job, checkout):
        one.mkdir(parents=True)
    (ours / "pw").write_text(ALICE.password)
    (ours / "totp").write_text(ALICE.totp_secret)
    (checkout / "true.md").write_text(GUIDE.format("Save"))
    (checkout / "untrue.md").write_text(GUIDE.format("Store"))
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
        alice = {"username": "alice", "password_file": "pw", "totp_file": "totp"}
        lab = {"kind": "generic", "url": f"https://{CONSOLE}/", "accounts": {"alice": alice}}
        lab |= {"hosts": [urlsplit(provider.url).netloc]}
        tls = {"certificate": str(issuer.issue(OURS))}
        server = stack.enter_context(
            served(
                ours,
                network=_network(ours, issuer, gate),
                consoles={"lab": lab},
                server={"keys": "required", "hosts": [OURS], "tls": tls},
            )
        )
        names[OURS] = urlsplit(server.url).port
        machine = {
            f"APPLIANCE_NETWORK__{name.upper()}": value
            for name, value in _network(job, issuer, gate).items()
        }
        yield Company(checkout, f"https://{OURS}", server.key, machine, gate, door, ours / "log")


def _network(folder: Path, issuer: Issuer, gate: Running) -> dict[str, str]:
    secret = folder / "proxy-password"
    secret.write_text(PASSWORD)
    named = {"ca": str(issuer.file), "proxy": gate.url, "proxy_username": USER}
    return named | {"proxy_password_file": str(secret)}

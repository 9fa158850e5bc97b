"""A real OpenID Connect provider for tests: Canaille, on loopback, with its own log-in pages.

Run by the Python of Canaille's environment, this file is the provider. That environment is made
once per user, in the folder for caches; everything is in memory and gone with the process. Its
pages: user name, password, code where it has a second factor, consent where the client is not of
`TRUSTED`.
"""

import asyncio
import fcntl
import json
import os
import subprocess
import sys
import threading
from base64 import b32encode
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

PACKAGE = "canaille[front,oidc,otp]==0.3.6"
TRUSTED = "trusted.example"
"""Host of the clients' home pages whose users are asked for no consent."""
START_S = 60.0


@dataclass(frozen=True)
class User:
    """One who can log in."""

    name: str
    password: str
    email: str = ""
    groups: tuple[str, ...] = ()
    second_factor: str = "0123456789abcdef"
    """What codes are made from, where the provider asks for them."""

    @property
    def totp_secret(self) -> str:
        """The same in base 32, as authenticators want it."""
        return b32encode(self.second_factor.encode()).decode()


@dataclass(frozen=True)
class Client:
    """A relying party, as it was registered."""

    id: str
    secret: str


@dataclass(frozen=True)
class IdentityProvider:
    """One that is running."""

    url: str
    """The issuer: `/.well-known/openid-configuration` is below it."""

    async def register(self, *redirect_uris: str, consents: bool = False) -> Client:
        """A new client, by RFC 7591; `consents`: its users are asked for their consent."""
        import httpx  # which the provider's own Python has not to import

        asked = {
            "client_name": "Console",
            "client_uri": f"http://{'console.example' if consents else TRUSTED}",
            "redirect_uris": redirect_uris,
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "scope": "openid profile email groups",
            "token_endpoint_auth_method": "client_secret_basic",
        }
        async with httpx.AsyncClient() as http:
            answer = await http.post(f"{self.url}/oauth/register", json=asked)
        answer.raise_for_status()
        registered = answer.json()
        return Client(registered["client_id"], registered["client_secret"])


@asynccontextmanager
async def identity_provider(
    users: Sequence[User], *, asks_for_code: bool = False, host: str = "localhost"
) -> AsyncIterator[IdentityProvider]:
    """One with these users, until the end; `asks_for_code`: a TOTP after the password."""
    python = await asyncio.to_thread(_environment)
    told = {"users": [asdict(user) for user in users], "code": asks_for_code, "host": host}
    process = await asyncio.create_subprocess_exec(
        python,
        __file__,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={"PATH": os.defpath},
    )
    assert process.stdin is not None and process.stdout is not None
    try:
        process.stdin.write(json.dumps(told).encode() + b"\n")
        await process.stdin.drain()
        url = await asyncio.wait_for(process.stdout.readline(), START_S)
        assert url, f"Canaille does not start: {python} {__file__}"
        yield IdentityProvider(url.decode().strip())
    finally:
        process.stdin.close()  # its sign to end
        await process.wait()


def _environment() -> Path:
    """Canaille's Python, installed if it is not there yet."""
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = caches / "console-docs-appliance" / f"canaille-{PACKAGE.rpartition('=')[2]}"
    python, done = folder / "bin" / "python", folder / "installed"
    folder.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several tests may want it at once
        if not done.exists():
            _call(sys.executable, "-m", "venv", "--clear", str(folder))
            _call(str(python), "-m", "pip", "install", "--quiet", PACKAGE)
            done.touch()
    return python


def _call(*command: str) -> None:
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, f"{' '.join(command)}: {ended.stderr[-2000:]}"


def _serve() -> None:
    """Canaille, as its own `create_app` makes it, until the standard input ends."""
    from canaille import create_app
    from canaille.app import models
    from canaille.backends import Backend
    from canaille.oidc.jose import make_default_rsa_jwk
    from werkzeug.serving import make_server

    told = json.loads(sys.stdin.readline())
    server = make_server(told["host"], 0, lambda *_: [], threaded=True)
    address = f"{told['host']}:{server.port}"
    app = create_app(
        {
            "SECRET_KEY": os.urandom(24).hex(),
            "SERVER_NAME": address,
            "PREFERRED_URL_SCHEME": "http",
            "SESSION_COOKIE_NAME": "canaille",
            "CANAILLE": {
                "DATABASE": "memory",
                "SMTP": None,
                "AUTHENTICATION_FACTORS": ["password", "otp"] if told["code"] else ["password"],
                "CAPTCHA_FAILURE_THRESHOLD": 1000,
            },
            "CANAILLE_OIDC": {
                "DYNAMIC_CLIENT_REGISTRATION_OPEN": True,
                "TRUSTED_DOMAINS": [TRUSTED],
                "ACTIVE_JWKS": [make_default_rsa_jwk().as_dict(private=True)],
            },
        }
    )
    with app.app_context():
        users = {user["name"]: _made(user) for user in told["users"]}
        for user in users.values():
            Backend.instance.save(user)
        names = {name for user in told["users"] for name in user["groups"]}
        for name in sorted(names):
            members = [users[user["name"]] for user in told["users"] if name in user["groups"]]
            Backend.instance.save(models.Group(display_name=name, members=members))
    server.app = app
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://{address}", flush=True)
    sys.stdin.read()


def _made(user: dict):
    import datetime

    from canaille.app import models

    return models.User(
        user_name=user["name"],
        password=user["password"],
        formatted_name=user["name"].capitalize(),
        family_name=user["name"].capitalize(),
        emails=[user["email"] or f"{user['name']}@example.org"],
        secret_token=user["second_factor"],
        hotp_counter=0,
        last_otp_login=datetime.datetime.now(datetime.UTC),  # set up already
    )


if __name__ == "__main__":
    _serve()

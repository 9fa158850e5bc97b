"""Somebody's browser on its way through an identity provider that says what a test wants."""

from urllib.parse import parse_qs, urlsplit

import pytest

from appliance.config import Settings
from appliance.store.paging import Paging
from tests.server.identity.forged_provider import forged_provider

OIDC = {
    "client_id": "appliance",
    "client_secret_env": "OIDC_SECRET",
    "name": "Example ID",
    "roles": {"docs-admins": "admin", "docs": "operator", "readers": "viewer"},
}
SECRET = "s3cret/with:signs"


@pytest.fixture
def provider():
    with forged_provider() as forged:
        yield forged


@pytest.fixture
def settings(tmp_path, provider, monkeypatch):
    monkeypatch.setenv("OIDC_SECRET", SECRET)
    return Settings.model_validate(
        {"data_dir": tmp_path, "server": {"oidc": {"issuer": provider.issuer, **OIDC}}}
    )


class Browser:
    """Somebody's browser, and how far they are."""

    def __init__(self, client, provider, clock) -> None:
        self.client = client
        self.provider = provider
        now = int(clock.now().timestamp())
        self.claims = {
            "iss": provider.issuer,
            "aud": "appliance",
            "sub": "248289761001",
            "email": "alice@example.org",
            "groups": ["readers", "docs", "others"],
            "iat": now,
            "exp": now + 300,
        }
        self.asked: dict[str, str] = {}
        provider.userinfo = {"sub": self.claims["sub"]}

    async def begin(self, next: str = "/runs?state=done") -> None:
        answer = await self.client.get("/login/oidc", params={"next": next})
        assert answer.status_code == 303, answer.text
        self.cookie = answer.headers["set-cookie"]
        asked = parse_qs(urlsplit(answer.headers["location"]).query)
        self.asked = {name: values[0] for name, values in asked.items()}
        self.claims["nonce"] = self.asked["nonce"]

    async def come_back(self, **told: str):
        self.provider.claims = {k: v for k, v in self.claims.items() if v is not None}
        parameters = {"state": self.asked["state"], "code": "the-code"} | told
        return await self.client.get(
            "/login/oidc/callback", params=parameters, headers={"Accept": "text/html"}
        )

    def dates(self, **claims: int) -> None:
        """Let what it says be so many seconds from now."""
        now = self.claims["iat"]
        self.claims |= {name: now + seconds for name, seconds in claims.items()}

    async def log_in(self, next: str = "/runs?state=done"):
        await self.begin(next)
        return await self.come_back()


@pytest.fixture
def browser(asking, provider, clock):
    return Browser(asking(), provider, clock)


def kept(service):
    entries = reversed(service.store.activity.page(Paging()).items)
    return [(one.deed, one.who, one.key_id, one.outcome.value, one.detail) for one in entries]

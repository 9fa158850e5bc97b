"""Single sign-on: the console asks an identity provider (OpenID Connect) who somebody is."""

import secrets
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx

from appliance.core.errors import SetupError
from appliance.system.secret_references import SecretReference

CALLBACK = "/login/callback"
"""Where the provider sends the browser back to; registered there with the cloud's address."""
_TIMEOUT_S = 10.0
_PENDING = 1_000
"""Log-ins that are under way at most; the oldest is forgotten."""


@dataclass(frozen=True, slots=True)
class OidcClient:
    """As what the cloud is known to a provider."""

    issuer: str
    id: str
    secret: str


def oidc_client_in(issuer: str, id: str, secret: Path | None) -> OidcClient | None:
    """None: no issuer is named; `SetupError` where the rest is missing."""
    if not issuer:
        return None
    if not id or secret is None:
        raise SetupError(f"{issuer} needs the client's id and a file with its secret, too")
    return OidcClient(issuer, id, SecretReference(file=secret).require("the client's secret"))


class SingleSignOn:
    """Authorization code, by a confidential client; names come from the userinfo endpoint."""

    def __init__(self, client: OidcClient) -> None:
        self._client = client
        self._pending: OrderedDict[str, str] = OrderedDict()
        """Where the browser was to come back to, by the state that it was sent off with."""

    def begin(self, address: str) -> tuple[str, str]:
        """Where the browser goes, and the state that it has to bring back; `SetupError`."""
        state = secrets.token_urlsafe(24)
        self._pending[state] = address + CALLBACK
        while len(self._pending) > _PENDING:
            self._pending.popitem(last=False)
        query = {
            "response_type": "code",
            "client_id": self._client.id,
            "redirect_uri": self._pending[state],
            "scope": "openid profile",
            "state": state,
            "nonce": state,  # some want one; what it protects, the ID token, is not used
        }
        return f"{self._discovered()['authorization_endpoint']}?{urlencode(query)}", state

    def user_names(self, state: str, code: str) -> tuple[str, ...]:
        """What the provider calls who came back; none: it is nobody that was sent there.

        Raises:
            SetupError: The provider does not answer, or refuses.
        """
        back = self._pending.pop(state, "")
        if not back or not code:
            return ()
        endpoints, ours = self._discovered(), (self._client.id, self._client.secret)
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": back}
        token = self._ask("POST", endpoints["token_endpoint"], data=form, auth=ours)
        bearer = {"authorization": f"Bearer {token['access_token']}"}
        user = self._ask("GET", endpoints["userinfo_endpoint"], headers=bearer)
        return str(user.get("preferred_username", "")), str(user["sub"])

    def _discovered(self) -> dict[str, Any]:  # Any: JSON
        place = f"{self._client.issuer.rstrip('/')}/.well-known/openid-configuration"
        return self._ask("GET", place)

    def _ask(self, method: str, url: str, **more: Any) -> dict[str, Any]:  # Any: httpx', JSON
        try:
            answer = httpx.request(method, url, timeout=_TIMEOUT_S, **more).raise_for_status()
            claims: dict[str, Any] = answer.json()
        except (httpx.HTTPError, ValueError) as exc:
            raise SetupError(f"the identity provider at {url} does not answer: {exc}") from exc
        return claims

"""The OpenID Connect provider: pending log-ins, a code exchanged for claims, and who they make."""

import asyncio
import base64
import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from urllib.parse import quote, urlencode, urlsplit

import httpx
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from litestar.di import NamedDependency
from litestar.params import SkipValidation
from pydantic import BaseModel, ConfigDict, ValidationError

from appliance.config import OidcSettings
from appliance.core.clock import Clock
from appliance.core.secrets import learn
from appliance.server.callers import Caller, Role
from appliance.server.identity.errors import NotLetIn, Reason
from appliance.server.identity.tokens import Claims, Expected, UnknownKeyError, claims_of
from appliance.system.network.clients import async_client
from appliance.system.network.faults import explain
from appliance.system.network.network import Network
from appliance.system.secret_references import SecretReference

LASTS_S = 600
"""Seconds that a log-in may take: enough to find a password and a second factor."""
_MOST = 10_000
_BYTES = 32


@dataclass(frozen=True, slots=True)
class Flow:
    """A log-in that is under way."""

    state: str = field(repr=False)
    nonce: str = field(repr=False)
    verifier: str = field(repr=False)
    """The PKCE verifier: only the browser that began the log-in can redeem the code."""
    redirect_uri: str
    next: str
    """Path on this server to go to after the log-in."""
    until: float

    @property
    def challenge(self) -> str:
        """The PKCE challenge that the provider is given: the verifier's SHA-256 hash."""
        hashed = hashlib.sha256(self.verifier.encode()).digest()
        return base64.urlsafe_b64encode(hashed).rstrip(b"=").decode()


class Flows:
    """Pending log-ins of a server, kept in memory: after a restart, people start over."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._under_way: OrderedDict[str, Flow] = OrderedDict()

    def begin(self, redirect_uri: str, next: str) -> Flow:
        """Start a log-in; beyond `_MOST` pending ones the oldest is dropped."""
        state, nonce, verifier = (secrets.token_urlsafe(_BYTES) for _ in range(3))
        until = self._clock.monotonic() + LASTS_S
        flow = Flow(state, nonce, verifier, redirect_uri, next, until)
        self._under_way[state] = flow
        if len(self._under_way) > _MOST:
            self._under_way.popitem(last=False)
        return flow

    def finish(self, state: str, cookie_state: str) -> Flow:
        """End the log-in with this state and return it.

        Args:
            state: As the provider sent it back.
            cookie_state: The state in the cookie of the browser that began the log-in.

        Raises:
            NotLetIn: No log-in has this state, or another browser began it.
        """
        is_same = bool(state) and secrets.compare_digest(state.encode(), cookie_state.encode())
        flow = self._under_way.pop(state, None) if is_same else None
        if flow is None or flow.until <= self._clock.monotonic():
            raise NotLetIn(Reason.USED_UP, "the state is of no log-in that is under way here")
        return flow


_KNOWN_FOR_S = 3600.0
"""How long a discovery document and keys are used before they are asked for again."""
_AGAIN_AFTER_S = 10.0
"""Least time between two requests for the keys, whatever tokens name."""


def provider_name(settings: OidcSettings) -> str:
    """The provider's name as people see it."""
    return settings.name or urlsplit(settings.issuer).hostname or settings.issuer


def client_secret(settings: OidcSettings) -> str:
    """The client secret; empty if none is configured.

    Raises:
        SetupError: A secret is configured, but cannot be read or is empty.
    """
    reference = SecretReference(settings.client_secret_env, settings.client_secret_file)
    return reference.require("the client's secret of server.oidc").strip() if reference else ""


class _Discovery(BaseModel):
    """What we need of `/.well-known/openid-configuration`."""

    model_config = ConfigDict(frozen=True)

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None = None
    token_endpoint_auth_methods_supported: tuple[str, ...] = ("client_secret_basic",)

    @property
    def addresses(self) -> tuple[str, ...]:
        """Every address that requests are sent to."""
        required_endpoints = (self.authorization_endpoint, self.token_endpoint, self.jwks_uri)
        return (
            (*required_endpoints, self.userinfo_endpoint)
            if self.userinfo_endpoint
            else required_endpoints
        )


@dataclass(frozen=True, slots=True)
class _ProviderMetadata:
    """The discovery document and keys that were fetched last."""

    discovery: _Discovery
    keys: KeySet
    fetched_at_s: float


class IdentityProvider:
    """The provider in the settings. Its discovery document and keys are cached for an hour."""

    def __init__(self, settings: OidcSettings, clock: Clock, network: Network) -> None:
        """Raises `SetupError` where the client's secret is named and cannot be read."""
        self.flows = Flows(clock)
        self._settings = settings
        self._clock = clock
        self._network = network
        self._secret = client_secret(settings)
        self._metadata: _ProviderMetadata | None = None
        # Invariant: one fetch at a time; concurrent callers wait for its result.
        self._asking = asyncio.Lock()

    async def authorization_url(self, flow: Flow) -> str:
        """The address where the browser logs in; `NotLetIn` if the provider cannot be used."""
        discovery = (await self._look_up()).discovery
        parameters = {
            "response_type": "code",
            "client_id": self._settings.client_id,
            "redirect_uri": flow.redirect_uri,
            "scope": " ".join(self._settings.scopes),
            "state": flow.state,
            "nonce": flow.nonce,
            "code_challenge": flow.challenge,
            "code_challenge_method": "S256",
        }
        mark = "&" if urlsplit(discovery.authorization_endpoint).query else "?"
        return f"{discovery.authorization_endpoint}{mark}{urlencode(parameters)}"

    async def claims(self, code: str, flow: Flow) -> Claims:
        """Exchange the code for claims about who logged in; `NotLetIn` says why that failed."""
        provider = await self._look_up()
        async with async_client(self._network, timeout=self._settings.timeout_s) as client:
            tokens = await self._exchange(client, provider.discovery, code, flow)
            claims = await self._verified(str(tokens.get("id_token", "")), flow)
            endpoint, access = provider.discovery.userinfo_endpoint, tokens.get("access_token")
            if claim_at(claims, self._settings.roles_claim) is None and endpoint and access:
                headers = {"Authorization": f"Bearer {learn(str(access), for_s=_KNOWN_FOR_S)}"}
                more = await _json(client.get(endpoint, headers=headers))
                if more.get("sub") != claims["sub"]:
                    raise NotLetIn(Reason.NOT_GENUINE, "userinfo is about somebody else")
                claims = {**more, **claims}
            return claims

    async def check(self) -> None:
        """Check that the provider can be used; `NotLetIn` says why not."""
        await self._look_up()

    async def _exchange(
        self, client: httpx.AsyncClient, discovery: _Discovery, code: str, flow: Flow
    ) -> Mapping[str, Any]:  # Any: JSON
        data = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": flow.redirect_uri,
            "code_verifier": flow.verifier,
        }
        auth = httpx.Auth()  # none
        if self._secret and self._takes_basic(discovery):
            id, secret = (
                quote(credential, safe="")
                for credential in (self._settings.client_id, self._secret)
            )
            auth = httpx.BasicAuth(id, secret)
        else:
            data["client_id"] = self._settings.client_id
            if self._secret:
                data["client_secret"] = self._secret
        return await _json(client.post(discovery.token_endpoint, data=data, auth=auth))

    @staticmethod
    def _takes_basic(discovery: _Discovery) -> bool:
        methods = discovery.token_endpoint_auth_methods_supported
        return "client_secret_basic" in methods or "client_secret_post" not in methods

    async def _verified(self, token: str, flow: Flow) -> Claims:
        expected = Expected(
            issuer=self._settings.issuer,
            client_id=self._settings.client_id,
            nonce=flow.nonce,
            now_s=int(self._clock.now().timestamp()),
            skew_s=int(self._settings.clock_skew_s),
        )
        provider = await self._look_up()
        try:
            return claims_of(token, provider.keys, expected)
        except UnknownKeyError:
            provider = await self._look_up(_AGAIN_AFTER_S)  # it may have a new one
        try:
            return claims_of(token, provider.keys, expected)
        except UnknownKeyError:
            why = "the ID token is signed with a key that the identity provider does not name"
            raise NotLetIn(Reason.UNKNOWN_KEY, why) from None

    async def _look_up(self, max_age_s: float = _KNOWN_FOR_S) -> _ProviderMetadata:
        async with self._asking:
            provider = self._metadata
            if provider is None or self._clock.monotonic() - provider.fetched_at_s >= max_age_s:
                provider = self._metadata = await self._ask()
            return provider

    async def _ask(self) -> _ProviderMetadata:
        issuer = self._settings.issuer
        async with async_client(self._network, timeout=self._settings.timeout_s) as client:
            discovery_url = f"{issuer.rstrip('/')}/.well-known/openid-configuration"
            try:
                discovery = _Discovery.model_validate(await _json(client.get(discovery_url)))
            except ValidationError:
                why = f"{discovery_url} is no discovery document of OpenID Connect"
                raise NotLetIn(Reason.MISCONFIGURED, why) from None
            if discovery.issuer != issuer:
                raise NotLetIn(
                    Reason.MISCONFIGURED,
                    f"the identity provider calls itself {discovery.issuer!r}, and"
                    f" server.oidc.issuer says {issuer!r}",
                )
            scheme = f"{urlsplit(issuer).scheme}://"
            if not all(address.startswith(("https://", scheme)) for address in discovery.addresses):
                why = "the identity provider's discovery document names addresses without TLS"
                raise NotLetIn(Reason.MISCONFIGURED, why)
            try:
                keys = KeySet.import_key_set(await _json(client.get(discovery.jwks_uri)))  # type: ignore[arg-type]  # it looks itself
            except (JoseError, ValueError, LookupError, TypeError):
                why = f"{discovery.jwks_uri} has no keys that can be used"
                raise NotLetIn(Reason.MISCONFIGURED, why) from None
        return _ProviderMetadata(discovery, keys, self._clock.monotonic())


async def _json(request: Awaitable[httpx.Response]) -> dict[str, Any]:  # Any: JSON
    """Return the JSON object of an answer. Of an error only its short code is passed on."""
    try:
        response = await request
    except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
        why = f"the identity provider cannot be reached: {explain(error)}"
        raise NotLetIn(Reason.UNREACHABLE, why) from None
    try:
        body = response.json()
    except ValueError:
        body = None
    if response.is_success and isinstance(body, dict):
        return body
    path = urlsplit(str(response.url)).path
    code = body.get("error", "") if isinstance(body, dict) else ""
    why = f"the identity provider answers {response.status_code} at {path} {code}".rstrip()
    is_ours = code in ("invalid_client", "unauthorized_client")
    raise NotLetIn(Reason.MISCONFIGURED if is_ours else Reason.UNREACHABLE, why)


TheProvider: TypeAlias = NamedDependency[SkipValidation[IdentityProvider | None]]
"""For handlers: `provider: TheProvider`; None: the settings name none."""


_NAMES = ("email", "preferred_username", "name", "sub")
_LONGEST = 200


def claim_at(claims: Claims, name: str) -> object:
    """Return a claim by name or dotted path (`realm_access.roles`); None if it is missing."""
    if name in claims:  # some have dots in their names, as addresses do
        return claims[name]
    value: object = claims
    for part in name.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value


def person_of(claims: Claims, settings: OidcSettings) -> Caller:
    """Return the caller whom the claims describe, in the highest role that they grant.

    Raises:
        NotLetIn: They grant no role.
    """
    subject = f"oidc:{claims['sub']}"
    name = next(filter(None, (_text(claims.get(name)) for name in _NAMES)), subject)
    values = [name for name in _values(claims, settings) if name in settings.roles]
    roles = [Role(settings.roles[name]) for name in values]
    if not roles and settings.default_role:
        roles = [Role(settings.default_role)]
    if not roles:
        raise NotLetIn(
            Reason.NO_ROLE,
            f"{name} ({subject}): no value of the claim {settings.roles_claim!r} gives a role",
        )
    role = max(roles, key=tuple(Role).index)
    return Caller(name=name, role=role, key_id=subject, session=True)


def _values(claims: Claims, settings: OidcSettings) -> Iterator[str]:
    claim = claim_at(claims, settings.roles_claim)
    for value in claim if isinstance(claim, list) else [claim]:
        if isinstance(value, str):
            yield value


def _text(value: object) -> str:
    if not isinstance(value, str):
        return ""
    return "".join(char for char in value if char.isprintable()).strip()[:_LONGEST]

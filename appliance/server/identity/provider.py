"""The identity provider: log-ins under way, a code exchanged for claims, who somebody is then."""

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
"""Somebody finds their password and their second factor."""
_MOST = 10_000
_BYTES = 32


@dataclass(frozen=True, slots=True)
class Flow:
    """A log-in that is under way."""

    state: str = field(repr=False)
    nonce: str = field(repr=False)
    verifier: str = field(repr=False)
    """Of PKCE: only who began can use the code."""
    redirect_uri: str
    next: str
    """Where to go then: a path of ours."""
    until: float

    @property
    def challenge(self) -> str:
        """What the provider is told of the verifier."""
        hashed = hashlib.sha256(self.verifier.encode()).digest()
        return base64.urlsafe_b64encode(hashed).rstrip(b"=").decode()


class Flows:
    """Those of a server, in memory: after a restart people begin anew."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._under_way: OrderedDict[str, Flow] = OrderedDict()

    def begin(self, redirect_uri: str, next: str) -> Flow:
        """A new one."""
        state, nonce, verifier = (secrets.token_urlsafe(_BYTES) for _ in range(3))
        until = self._clock.monotonic() + LASTS_S
        flow = Flow(state, nonce, verifier, redirect_uri, next, until)
        self._under_way[state] = flow
        if len(self._under_way) > _MOST:
            self._under_way.popitem(last=False)
        return flow

    def finish(self, state: str, kept: str) -> Flow:
        """The one of that state, which is over now.

        Args:
            state: As the provider sent it back.
            kept: As the browser that began has it in its cookie.

        Raises:
            NotLetIn: There is none, or another browser began it.
        """
        is_same = bool(state) and secrets.compare_digest(state.encode(), kept.encode())
        flow = self._under_way.pop(state, None) if is_same else None
        if flow is None or flow.until <= self._clock.monotonic():
            raise NotLetIn(Reason.USED_UP, "the state is of no log-in that is under way here")
        return flow


_KNOWN_FOR_S = 3600.0
"""How long a discovery document and keys are used before they are asked for again."""
_AGAIN_AFTER_S = 10.0
"""Least time between two requests for the keys, whatever tokens name."""


def provider_name(settings: OidcSettings) -> str:
    """What people know it by."""
    return settings.name or urlsplit(settings.issuer).hostname or settings.issuer


def client_secret(settings: OidcSettings) -> str:
    """The client's secret; empty: it has none.

    Raises:
        SetupError: One is named, and cannot be read or is empty.
    """
    named = SecretReference(settings.client_secret_env, settings.client_secret_file)
    return named.require("the client's secret of server.oidc").strip() if named else ""


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
        """Where something is sent to."""
        named = (self.authorization_endpoint, self.token_endpoint, self.jwks_uri)
        return (*named, self.userinfo_endpoint) if self.userinfo_endpoint else named


@dataclass(frozen=True, slots=True)
class _Known:
    """What was asked for last."""

    discovery: _Discovery
    keys: KeySet
    at: float


class IdentityProvider:
    """One that the settings name. What it is asked for is kept for an hour."""

    def __init__(self, settings: OidcSettings, clock: Clock, network: Network) -> None:
        """Raises `SetupError` where the client's secret is named and cannot be read."""
        self.flows = Flows(clock)
        self._settings = settings
        self._clock = clock
        self._network = network
        self._secret = client_secret(settings)
        self._known: _Known | None = None
        # Invariant: one request for the same at a time; the others wait for what it brings.
        self._asking = asyncio.Lock()

    async def authorization_url(self, flow: Flow) -> str:
        """Where the browser goes to log in; `NotLetIn` where the provider cannot be used."""
        discovery = (await self._look_up()).discovery
        asked = {
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
        return f"{discovery.authorization_endpoint}{mark}{urlencode(asked)}"

    async def claims(self, code: str, flow: Flow) -> Claims:
        """Who logged in, as the provider says; `NotLetIn` says why nothing is known."""
        known = await self._look_up()
        async with async_client(self._network, timeout=self._settings.timeout_s) as client:
            tokens = await self._exchange(client, known.discovery, code, flow)
            claims = await self._verified(str(tokens.get("id_token", "")), flow)
            endpoint, access = known.discovery.userinfo_endpoint, tokens.get("access_token")
            if claim_at(claims, self._settings.roles_claim) is None and endpoint and access:
                headers = {"Authorization": f"Bearer {learn(str(access), for_s=_KNOWN_FOR_S)}"}
                more = await _json(client.get(endpoint, headers=headers))
                if more.get("sub") != claims["sub"]:
                    raise NotLetIn(Reason.NOT_GENUINE, "userinfo is about somebody else")
                claims = {**more, **claims}
            return claims

    async def check(self) -> None:
        """Whether it can be used; `NotLetIn` says why not."""
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
            id, secret = (quote(one, safe="") for one in (self._settings.client_id, self._secret))
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
        known = await self._look_up()
        try:
            return claims_of(token, known.keys, expected)
        except UnknownKeyError:
            known = await self._look_up(_AGAIN_AFTER_S)  # it may have a new one
        try:
            return claims_of(token, known.keys, expected)
        except UnknownKeyError:
            why = "the ID token is signed with a key that the identity provider does not name"
            raise NotLetIn(Reason.UNKNOWN_KEY, why) from None

    async def _look_up(self, known_for_s: float = _KNOWN_FOR_S) -> _Known:
        async with self._asking:
            known = self._known
            if known is None or self._clock.monotonic() - known.at >= known_for_s:
                known = self._known = await self._ask()
            return known

    async def _ask(self) -> _Known:
        issuer = self._settings.issuer
        async with async_client(self._network, timeout=self._settings.timeout_s) as client:
            place = f"{issuer.rstrip('/')}/.well-known/openid-configuration"
            try:
                discovery = _Discovery.model_validate(await _json(client.get(place)))
            except ValidationError:
                why = f"{place} is no discovery document of OpenID Connect"
                raise NotLetIn(Reason.MISCONFIGURED, why) from None
            if discovery.issuer != issuer:
                raise NotLetIn(
                    Reason.MISCONFIGURED,
                    f"the identity provider calls itself {discovery.issuer!r}, and"
                    f" server.oidc.issuer says {issuer!r}",
                )
            scheme = f"{urlsplit(issuer).scheme}://"
            if not all(one.startswith(("https://", scheme)) for one in discovery.addresses):
                why = "the identity provider's discovery document names addresses without TLS"
                raise NotLetIn(Reason.MISCONFIGURED, why)
            try:
                keys = KeySet.import_key_set(await _json(client.get(discovery.jwks_uri)))  # type: ignore[arg-type]  # it looks itself
            except (JoseError, ValueError, LookupError, TypeError):
                why = f"{discovery.jwks_uri} has no keys that can be used"
                raise NotLetIn(Reason.MISCONFIGURED, why) from None
        return _Known(discovery, keys, self._clock.monotonic())


async def _json(request: Awaitable[httpx.Response]) -> dict[str, Any]:  # Any: JSON
    """What the provider answers; its own words for an error are short codes."""
    try:
        answer = await request
    except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
        why = f"the identity provider cannot be reached: {explain(error)}"
        raise NotLetIn(Reason.UNREACHABLE, why) from None
    try:
        told = answer.json()
    except ValueError:
        told = None
    if answer.is_success and isinstance(told, dict):
        return told
    path = urlsplit(str(answer.url)).path
    code = told.get("error", "") if isinstance(told, dict) else ""
    why = f"the identity provider answers {answer.status_code} at {path} {code}".rstrip()
    is_ours = code in ("invalid_client", "unauthorized_client")
    raise NotLetIn(Reason.MISCONFIGURED if is_ours else Reason.UNREACHABLE, why)


TheProvider: TypeAlias = NamedDependency[SkipValidation[IdentityProvider | None]]
"""For handlers: `provider: TheProvider`; None: the settings name none."""


_NAMES = ("email", "preferred_username", "name", "sub")
_LONGEST = 200


def claim_at(claims: Claims, name: str) -> object:
    """A claim by its name, or by the way to it (`realm_access.roles`); None: there is none."""
    if name in claims:  # some have dots in their names, as addresses do
        return claims[name]
    found: object = claims
    for part in name.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    return found


def person_of(claims: Claims, settings: OidcSettings) -> Caller:
    """Whoever the claims are of, in the highest role that they give.

    Raises:
        NotLetIn: They give none.
    """
    subject = f"oidc:{claims['sub']}"
    name = next(filter(None, (_text(claims.get(one)) for one in _NAMES)), subject)
    values = [one for one in _values(claims, settings) if one in settings.roles]
    given = [Role(settings.roles[one]) for one in values]
    if not given and settings.default_role:
        given = [Role(settings.default_role)]
    if not given:
        raise NotLetIn(
            Reason.NO_ROLE,
            f"{name} ({subject}): no value of the claim {settings.roles_claim!r} gives a role",
        )
    role = max(given, key=tuple(Role).index)
    return Caller(name=name, role=role, key_id=subject, session=True)


def _values(claims: Claims, settings: OidcSettings) -> Iterator[str]:
    found = claim_at(claims, settings.roles_claim)
    for one in found if isinstance(found, list) else [found]:
        if isinstance(one, str):
            yield one


def _text(value: object) -> str:
    if not isinstance(value, str):
        return ""
    return "".join(char for char in value if char.isprintable()).strip()[:_LONGEST]

"""ActionTrail by Alibaba Cloud's OpenAPI: events of the last 90 days, looked up."""

import asyncio
import hashlib
import hmac
import random
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import quote, urlsplit

import httpx

from appliance.config import AuditSettings
from appliance.core.checks import AuditEvent
from appliance.core.errors import OutcomeError, SetupError
from appliance.outcome.sources.actiontrail import to_event
from appliance.outcome.sources.keys import AccessKey, keys_of
from appliance.outcome.sources.pacing import MOST_PAGES, CloudClock, RequestPacing, too_many_pages
from appliance.outcome.sources.reading import Json, mapping, text
from appliance.outcome.sources.trail_files import between
from appliance.system.network.clients import async_client
from appliance.system.network.faults import explain
from appliance.system.network.network import DIRECT, Network

ALGORITHM = "ACS3-HMAC-SHA256"
EMPTY_BODY_HASH = hashlib.sha256(b"").hexdigest()
"""Hash of a body that is not there."""


def canonical_query(query: Mapping[str, str]) -> str:
    """The parameters sorted, and quoted as RFC 3986 requires."""
    return "&".join(f"{_quote(key)}={_quote(query[key])}" for key in sorted(query))


@dataclass(frozen=True, slots=True, kw_only=True)
class RpcCall:
    """A POST to `/` that is to be signed."""

    host: str
    """As the request's `Host` has it."""
    action: str
    """Name of the operation."""
    version: str
    """Of the API."""
    query: Mapping[str, str]
    """All parameters."""


def signed_headers(call: RpcCall, key: AccessKey, *, at: datetime, nonce: str) -> dict[str, str]:
    """The headers of a call made now (`at`), with its signature; no `nonce` is used twice."""
    headers = {
        "host": call.host,
        "x-acs-action": call.action,
        "x-acs-content-sha256": EMPTY_BODY_HASH,
        "x-acs-date": at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "x-acs-signature-nonce": nonce,
        "x-acs-version": call.version,
    }
    names = ";".join(headers)
    lines = "".join(f"{name}:{value}\n" for name, value in headers.items())
    request = "\n".join(("POST", "/", canonical_query(call.query), lines, names, EMPTY_BODY_HASH))
    to_sign = f"{ALGORITHM}\n{hashlib.sha256(request.encode()).hexdigest()}"
    signature = hmac.new(key.secret.encode(), to_sign.encode(), hashlib.sha256).hexdigest()
    headers["authorization"] = (
        f"{ALGORITHM} Credential={key.id},SignedHeaders={names},Signature={signature}"
    )
    return headers


def _quote(text: str) -> str:
    return quote(text, safe="-_.~")


VERSION = "2020-07-06"
EVERY_S = 0.5
""""You can query the event details at most twice per second"."""
_ACTION = "LookupEvents"
_PAGE = "50"
_TIMEOUT_S = 20.0
_TRIES = 6
_BACK_OFF_S = 0.5
_RETRYABLE_CODES = ("Throttling", "ServiceUnavailable", "InternalError", "LastTokenProcessing")
"""Starts of the codes after which the same may be asked again."""


class ActionTrailApi:
    """Queries ActionTrail page by page, within its rate limit."""

    def __init__(
        self,
        settings: AuditSettings,
        region: str,
        late_s: float,
        *,
        network: Network = DIRECT,
        every_s: float = EVERY_S,
        back_off_s: float = _BACK_OFF_S,
    ) -> None:
        """Raises `SetupError` where neither an endpoint nor a region is known."""
        region = settings.region or region
        if not settings.endpoint and not region:
            raise SetupError("audit.region is missing: name the region of ActionTrail's API")
        self.late_s = late_s
        self._settings = settings
        self._url = settings.endpoint.rstrip("/") or f"https://actiontrail.{region}.aliyuncs.com"
        self._network = network
        self._client: httpx.AsyncClient | None = None
        self._pace = RequestPacing(every_s)
        self._back_off_s = back_off_s
        self._clock = CloudClock(settings.skew_s)

    async def check(self) -> None:
        """Look up one event."""
        await self._ask({"MaxResults": "1"})

    async def mark(self) -> None:
        """Do nothing: the log is late, so arrival times say nothing."""

    async def events(
        self, since: datetime, until: datetime | None = None, *, actor: str = ""
    ) -> tuple[AuditEvent, ...]:
        """See `AuditSource.events`."""
        skew = timedelta(seconds=self._settings.skew_s)
        query = {
            "StartTime": _stamp(since - skew),
            "EndTime": _stamp((until or datetime.now(UTC)) + skew),
            "MaxResults": _PAGE,
            "Direction": "FORWARD",
            "LookupAttribute.1.Key": "User" if actor else "EventRW",
            "LookupAttribute.1.Value": actor or "Write",
        }
        events_so_far: list[AuditEvent] = []
        for _ in range(MOST_PAGES):
            page = await self._ask(query)
            events = page.get("Events")
            for entry in events if isinstance(events, list) else ():
                if event := to_event(mapping(entry)):
                    events_so_far.append(event)
            token = text(page.get("NextToken"))
            if not token or not events:
                latest = self._clock.to_cloud_time(until) if until else None
                return between(events_so_far, self._clock.to_cloud_time(since), latest)
            query = {**query, "NextToken": token}
        raise too_many_pages("ActionTrail", since)

    async def close(self) -> None:
        """Release the connection."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def _ask(self, query: Mapping[str, str]) -> Json:
        """One response; repeated while the cloud is busy."""
        why = ""
        for attempt in range(_TRIES):
            if attempt:
                wait_s = self._back_off_s * 2 ** (attempt - 1)
                await asyncio.sleep(wait_s * random.uniform(0.75, 1.25))  # noqa: S311 - no secret
            await self._pace.turn()
            sent_at = datetime.now(UTC)
            try:
                response = await self._send(query)
            except httpx.HTTPError as exc:
                why = explain(exc)
                continue
            body = _json_object(response)
            if response.is_success:
                self._clock.note_date(response.headers.get("date", ""), sent_at)
                return body
            code = text(body.get("Code"))
            why = f"{response.status_code} {code}: {text(body.get('Message'))}"
            is_busy = response.status_code == 429 or response.status_code >= 500
            if not is_busy and not code.startswith(_RETRYABLE_CODES):
                raise OutcomeError(
                    f"ActionTrail refuses {_ACTION} at {self._url}: {why}; see that the key of"
                    " audit.key_id_env is good and may do actiontrail:LookupEvents"
                )
        raise OutcomeError(
            f"ActionTrail at {self._url} gave no answer in {_TRIES} tries: {why}; see"
            " audit.endpoint and audit.region"
        )

    async def _send(self, query: Mapping[str, str]) -> httpx.Response:
        keys = keys_of(self._settings)
        if keys is None:
            raise OutcomeError(
                "ActionTrail needs an access key: name the variables that hold it as"
                " audit.key_id_env and audit.key_secret_env"
            )
        if self._client is None:
            self._client = async_client(self._network, timeout=_TIMEOUT_S)
        host = urlsplit(self._url).netloc
        call = RpcCall(host=host, action=_ACTION, version=VERSION, query=query)
        headers = signed_headers(call, keys, at=datetime.now(UTC), nonce=secrets.token_hex(16))
        headers["accept"] = "application/json"
        return await self._client.post(f"{self._url}/?{canonical_query(query)}", headers=headers)


def _json_object(response: httpx.Response) -> Json:
    try:
        return mapping(response.json())
    except ValueError:
        return {}


def _stamp(time: datetime) -> str:
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

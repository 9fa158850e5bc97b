"""CloudTrail by AWS' APIs: events that it can look up, and log files in a bucket."""

import asyncio
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from appliance.config import AuditSettings
from appliance.core.checks import AuditEvent
from appliance.core.errors import OutcomeError, SetupError
from appliance.outcome.sources.base import AuditSource
from appliance.outcome.sources.cloudtrail import to_event
from appliance.outcome.sources.keys import keys_of
from appliance.outcome.sources.pacing import MOST_PAGES, CloudClock, RequestPacing, too_many_pages
from appliance.outcome.sources.reading import Json, mapping
from appliance.outcome.sources.trail_files import TrailFiles, TrailFolder, between, trail_files
from appliance.system.network.network import DIRECT, Network

Client = Any  # botocore is optional and has no types
Result = TypeVar("Result")

EVERY_S = 0.5
"""AWS: "the rate of lookup requests is limited to two per second, per account, per Region"."""
_TRIES = 6
_TIMEOUT_S = 20.0
_PAGE = 50


def open_cloudtrail(
    settings: AuditSettings, region: str, late_s: float, network: Network
) -> AuditSource:
    """The source that the settings name: a folder, a bucket, or else the lookup API.

    Raises:
        SetupError: It is an API, and the package that asks it is not installed.
    """
    if settings.path is not None:
        return TrailFolder(settings.path, late_s)
    try:
        import botocore  # noqa: F401 - whether it is there
    except ImportError:
        raise SetupError(
            "audit.kind cloudtrail asks AWS through the package botocore, which is not installed:"
            " `pip install 'console-docs-appliance[aws]'`; or copy the trail's files to this"
            " machine and name their folder as audit.path"
        ) from None
    if settings.bucket:
        return TrailBucket(settings, region, late_s, network=network)
    return CloudTrailApi(settings, region, late_s, network=network)


class _Aws:
    """Base of sources that call AWS; keys are read for each request."""

    def __init__(
        self, settings: AuditSettings, region: str, late_s: float, network: Network = DIRECT
    ) -> None:
        from botocore.session import Session

        self.late_s = late_s
        self._settings = settings
        self._region = settings.region or region
        self._session = Session()
        self._network = network
        self._clock = CloudClock(settings.skew_s)
        # Invariant: one client is made at a time: botocore's session takes no two.
        self._making = asyncio.Lock()

    async def mark(self) -> None:
        """Do nothing: the log is late, so arrival times say nothing."""

    async def close(self) -> None:
        """Nothing to close: a client lives for one request only."""

    async def _client(self, service: str) -> Client:
        async with self._making:
            return await asyncio.to_thread(_as_outcome_error, lambda: self._make(service))

    def _make(self, service: str) -> Client:
        from botocore.config import Config

        keys = keys_of(self._settings)
        key_arguments = (
            {"aws_access_key_id": keys.id, "aws_secret_access_key": keys.secret} if keys else {}
        )
        return self._session.create_client(
            service,
            region_name=self._region or None,
            endpoint_url=self._settings.endpoint or None,
            verify=self._network.bundle(),
            config=Config(
                connect_timeout=_TIMEOUT_S,
                read_timeout=_TIMEOUT_S,
                proxies=self._proxies(service),
                # throttled and failed requests are sent again, each later still
                retries={"total_max_attempts": _TRIES, "mode": "standard"},
            ),
            **key_arguments,
        )

    def _proxies(self, service: str) -> dict[str, str]:
        """Proxies by scheme; empty for none, whatever the environment says."""
        public = f"https://{service}.{self._region}.amazonaws.com"
        proxy = self._network.proxy_for(self._settings.endpoint or public)
        address = proxy.with_password() if proxy else ""
        return {"http": address, "https": address} if address else {}


class CloudTrailApi(_Aws):
    """Management events of the last 90 days, looked up."""

    def __init__(
        self,
        settings: AuditSettings,
        region: str,
        late_s: float,
        every_s: float = EVERY_S,
        network: Network = DIRECT,
    ) -> None:
        super().__init__(settings, region, late_s, network)
        self._pace = RequestPacing(every_s)

    async def check(self) -> None:
        """Look up one event."""
        client = await self._client("cloudtrail")
        await self._ask(client, MaxResults=1)

    async def events(
        self, since: datetime, until: datetime | None = None, *, actor: str = ""
    ) -> tuple[AuditEvent, ...]:
        """See `AuditSource.events`."""
        client = await self._client("cloudtrail")
        events: list[AuditEvent] = []
        query: dict[str, object] = {
            "StartTime": since - timedelta(seconds=self._settings.skew_s),
            "MaxResults": _PAGE,
            "LookupAttributes": [_attribute(actor)],
        }
        if until is not None:
            query["EndTime"] = until + timedelta(seconds=self._settings.skew_s)
        for _ in range(MOST_PAGES):
            page = await self._ask(client, **query)
            events += [
                event for entry in page.get("Events", ()) if (event := to_event(_record(entry)))
            ]
            if not page.get("NextToken"):
                latest = self._clock.to_cloud_time(until) if until else None
                return between(events, self._clock.to_cloud_time(since), latest)
            query["NextToken"] = page["NextToken"]
        raise too_many_pages("CloudTrail", since)

    async def _ask(self, client: Client, **query: object) -> Json:
        await self._pace.turn()
        sent_at = datetime.now(UTC)
        page: Json = await asyncio.to_thread(
            _as_outcome_error, lambda: client.lookup_events(**query)
        )
        headers = mapping(mapping(page.get("ResponseMetadata")).get("HTTPHeaders"))
        self._clock.note_date(headers.get("date", ""), sent_at)
        return page


class TrailBucket(_Aws):
    """The log files of a trail, where it delivers them."""

    def __init__(
        self, settings: AuditSettings, region: str, late_s: float, network: Network = DIRECT
    ) -> None:
        super().__init__(settings, region, late_s, network)
        self._files = TrailFiles()
        # Invariant: one at a time looks into the files that are kept.
        self._reading = asyncio.Lock()

    async def check(self) -> None:
        """List one file."""
        client = await self._client("s3")
        bucket, _, prefix = self._settings.bucket.partition("/")
        arguments = {"Bucket": bucket, "Prefix": prefix, "MaxKeys": 1}
        listing = await asyncio.to_thread(
            _as_outcome_error, lambda: client.list_objects_v2(**arguments)
        )
        if not listing.get("KeyCount"):
            raise OutcomeError(
                f"nothing is in {self._settings.bucket}; correct audit.bucket: the bucket and the"
                " prefix of a trail's files"
            )

    async def events(
        self, since: datetime, until: datetime | None = None, *, actor: str = ""
    ) -> tuple[AuditEvent, ...]:
        """See `AuditSource.events`."""
        client = await self._client("s3")
        latest = until + timedelta(seconds=self.late_s) if until else datetime.now(UTC)
        async with self._reading:
            events = await asyncio.to_thread(
                _as_outcome_error,
                lambda: self._files.events(self._delivered_files(client, since, latest)),
            )
        return between(events, self._clock.to_cloud_time(since), until)

    def _delivered_files(self, client: Client, since: datetime, latest: datetime) -> Iterator[Any]:
        return trail_files(
            client, self._settings.bucket, self._settings.region, since, max(latest, since)
        )


def _attribute(actor: str) -> dict[str, str]:
    """The only condition that a lookup may have."""
    if actor:
        return {"AttributeKey": "Username", "AttributeValue": actor}
    return {"AttributeKey": "ReadOnly", "AttributeValue": "false"}


def _record(event: Json) -> Json:
    """An event of the API in the format of the log files."""
    record = dict(mapping(event.get("CloudTrailEvent")))
    resources = event.get("Resources")
    if isinstance(resources, list) and resources and not record.get("resources"):
        record["resources"] = [
            {"type": resource.get("ResourceType"), "ARN": resource.get("ResourceName")}
            for resource in resources
        ]
    return record


def _as_outcome_error(call: Callable[[], Result]) -> Result:
    """Call AWS, and turn its errors and those of botocore into an `OutcomeError`."""
    from botocore.exceptions import BotoCoreError, ClientError

    try:
        return call()
    except ClientError as exc:
        error = mapping(exc.response.get("Error"))
        code, reason = error.get("Code", ""), error.get("Message", "")
        raise OutcomeError(
            f"AWS refuses {exc.operation_name}: {code}: {reason}; see that the key of"
            " audit.key_id_env is good and may do that (cloudtrail:LookupEvents, or s3:ListBucket"
            " and s3:GetObject)"
        ) from exc
    except BotoCoreError as exc:
        raise OutcomeError(
            f"AWS cannot be asked: {exc}; see audit.endpoint, audit.region and the keys"
        ) from exc

"""Where in a bucket a trail puts its files: by account, region and day of delivery."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from appliance.core.errors import OutcomeError
from appliance.outcome.sources.trail_files import LARGEST, TrailFile

Client = Any  # botocore is optional and has no types

_REGION = re.compile(r"(?:^|/)CloudTrail/([a-z0-9-]+)/$")
_OTHER = ("CloudTrail-Digest/", "CloudTrail-Insight/", "CloudTrail-Aggregated/")
_MOST_FOLDERS = 500
_MOST_FILES = 5000


def trail_files(
    client: Client, bucket: str, region: str, since: datetime, until: datetime
) -> Iterator[TrailFile]:
    """The log files that were delivered between these times.

    Raises:
        OutcomeError: There are more than can be read.
    """
    name, _, prefix = bucket.partition("/")
    prefix = f"{prefix.strip('/')}/" if prefix.strip("/") else ""
    count = 0
    for folder in _regions(client, name, prefix, region):
        for day in _days(since, until):
            for entry in _entries(client, name, f"{folder}{day:%Y/%m/%d}/"):
                if entry["LastModified"] < since.replace(microsecond=0):
                    continue
                count += 1
                if count > _MOST_FILES:
                    raise OutcomeError(
                        f"{bucket} has more than {_MOST_FILES} log files since"
                        f" {since:%Y-%m-%d %H:%M} UTC; name audit.region, or a longer prefix"
                    )
                yield _file(client, name, entry)


def _regions(client: Client, bucket: str, prefix: str, region: str) -> Iterator[str]:
    """The folders of regions below a prefix; one that is a region's already is the only one."""
    left, looked = [prefix], 0
    while left:
        folder = left.pop()
        if matched := _REGION.search(folder):
            if region in ("", matched[1]):
                yield folder
            continue
        looked += 1
        if looked > _MOST_FOLDERS:
            raise OutcomeError(
                f"{bucket}/{prefix} has more than {_MOST_FOLDERS} folders; make the prefix in"
                " audit.bucket longer: up to AWSLogs, or to an account"
            )
        pages = client.get_paginator("list_objects_v2").paginate(
            Bucket=bucket, Prefix=folder, Delimiter="/"
        )
        below = [one["Prefix"] for page in pages for one in page.get("CommonPrefixes", ())]
        left += [one for one in below if not one.endswith(_OTHER)]


def _days(since: datetime, until: datetime) -> Iterator[datetime]:
    day = since.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    while day <= until:
        yield day
        day += timedelta(days=1)


def _entries(client: Client, bucket: str, prefix: str) -> Iterator[Any]:  # Any: botocore's
    for page in client.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix):
        yield from page.get("Contents", ())


def _file(client: Client, bucket: str, entry: Any) -> TrailFile:  # Any: botocore's
    key: str = entry["Key"]

    def read() -> bytes:
        answer = client.get_object(Bucket=bucket, Key=key)
        with answer["Body"] as body:
            data: bytes = body.read(LARGEST)
        return data

    return TrailFile(f"s3://{bucket}/{key}", (key, str(entry.get("ETag"))), read)

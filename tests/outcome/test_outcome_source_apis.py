"""Audit logs behind APIs: small servers that speak them, over real sockets."""

import gzip
import hashlib
import hmac
import json
import os
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit
from xml.sax.saxutils import escape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.config import AuditSettings
from appliance.core.errors import OutcomeError, SetupError
from appliance.core.secrets import without_secrets
from appliance.outcome.sources import aws, open_source
from appliance.outcome.sources.actiontrail_api import ActionTrailApi, RpcCall, signed_headers
from appliance.outcome.sources.aws import CloudTrailApi
from appliance.outcome.sources.keys import AccessKey
from appliance.outcome.sources.trail_files import records_of

FIXTURES = Path(__file__).parent / "fixtures"
START = datetime(2026, 11, 22, 2, 0, tzinfo=UTC)
KEY, SECRET = "LTAI5tEXAMPLE", "an-example-secret-key-9"


class Cloud:
    """A server whose answers a test gives, and what it was asked."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.answer: Callable[[dict[str, Any]], tuple[int, bytes]] = lambda asked: (200, b"{}")
        self.ahead_s = 0.0
        cloud = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                asked = {"path": self.path, "headers": headers, "body": body}
                cloud.asked.append(asked)
                status, data = cloud.answer(asked)
                self.send_response(status)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST

            def date_time_string(self, timestamp: float | None = None) -> str:
                now = datetime.now(UTC) + timedelta(seconds=cloud.ahead_s)
                return format_datetime(now, usegmt=True)

            def log_message(self, *arguments: object) -> None:
                """Nothing is said."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture(scope="module")
def serving() -> Iterator[Cloud]:
    cloud = Cloud()
    thread = threading.Thread(target=cloud.server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield cloud
    cloud.server.shutdown()
    thread.join()
    cloud.server.server_close()


@pytest.fixture
def cloud(serving: Cloud, monkeypatch: pytest.MonkeyPatch) -> Cloud:
    serving.asked, serving.ahead_s = [], 0.0
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("KEY_ID", KEY)
    monkeypatch.setenv("KEY_SECRET", SECRET)
    monkeypatch.setattr(aws, "_TRIES", 3)
    return serving


def settings_of(kind: str, cloud: Cloud, **more: Any) -> AuditSettings:
    keys = {"key_id_env": "KEY_ID", "key_secret_env": "KEY_SECRET"}
    return AuditSettings(kind=kind, endpoint=cloud.url, region="eu-x-1", **keys | more)


def test_the_signature_is_that_of_alibaba_cloud_s_own_example() -> None:
    """From "Request syntax and signature method V3", the fixed parameters' example."""
    call = RpcCall(
        host="ecs.cn-shanghai.aliyuncs.com",
        action="RunInstances",
        version="2014-05-26",
        query={
            "RegionId": "cn-shanghai",
            "ImageId": "win2019_1809_x64_dtc_zh-cn_40G_alibase_20230811.vhd",
        },
    )
    headers = signed_headers(
        call,
        AccessKey("YourAccessKeyId", "YourAccessKeySecret"),
        at=datetime(2023, 10, 26, 10, 22, 32, tzinfo=UTC),
        nonce="3156853299f313e23d1673dc12e1703d",
    )
    assert headers["authorization"] == (
        "ACS3-HMAC-SHA256 Credential=YourAccessKeyId,SignedHeaders=host;x-acs-action;"
        "x-acs-content-sha256;x-acs-date;x-acs-signature-nonce;x-acs-version,"
        "Signature=06563a9e1b43f5dfe96b81484da74bceab24a1d853912eee15083a6f0f3283c0"
    )


def signs_well(asked: dict[str, Any]) -> bool:
    """As the server does it: from what came over the wire."""
    headers, split = asked["headers"], urlsplit(asked["path"])
    algorithm, _, rest = headers["authorization"].partition(" ")
    told = dict(part.split("=", 1) for part in rest.split(","))
    names = told["SignedHeaders"].split(";")
    assert {"host", "x-acs-action", "x-acs-date", "x-acs-signature-nonce"} <= set(names)
    query = sorted(parse_qsl(split.query, keep_blank_values=True))
    written = "&".join(f"{quote(k, safe='-_.~')}={quote(v, safe='-_.~')}" for k, v in query)
    lines = "".join(f"{name}:{headers[name]}\n" for name in sorted(names))
    body = hashlib.sha256(asked["body"]).hexdigest()
    request = "\n".join(("POST", split.path, written, lines, ";".join(sorted(names)), body))
    to_sign = f"{algorithm}\n{hashlib.sha256(request.encode()).hexdigest()}"
    expected = hmac.new(SECRET.encode(), to_sign.encode(), hashlib.sha256).hexdigest()
    return told == {"Credential": KEY, "SignedHeaders": ";".join(names), "Signature": expected}


def action(number: int, second: float, **more: Any) -> dict[str, Any]:
    time = (START + timedelta(seconds=second)).strftime("%Y-%m-%dT%H:%M:%SZ")
    who = {"type": "ram-user", "userName": "alice"}
    told = {"eventId": f"E{number}", "eventName": f"Create{number}", "eventTime": time}
    return {**told, "userIdentity": who, "serviceName": "Ecs", "eventRW": "Write", **more}


def paged(events: list[Any], size: int, key: str = "Events") -> Callable[[int], dict[str, Any]]:
    """The page that begins at a number; the last one has no token."""

    def page(begin: int) -> dict[str, Any]:
        more = {"NextToken": str(begin + size)} if begin + size < len(events) else {}
        return {key: events[begin : begin + size], **more}

    return page


def actiontrail(cloud: Cloud, **more: Any) -> ActionTrailApi:
    chosen = settings_of("actiontrail", cloud, **more)
    return ActionTrailApi(chosen, "", 600, every_s=0, back_off_s=0.01)


async def test_actiontrail_is_asked_page_by_page_signed_and_again_when_busy(cloud: Cloud) -> None:
    page = paged([action(n, n) for n in (2, 1, 3, 2)] + [action(9, -5), action(8, 99)], 2)
    busy = [(400, "Throttling.User"), (503, "ServiceUnavailable"), (429, "")]

    def answer(asked: dict[str, Any]) -> tuple[int, bytes]:
        assert signs_well(asked)
        if busy:
            status, code = busy.pop()
            return status, json.dumps({"Code": code, "Message": "slow down"}).encode()
        query = dict(parse_qsl(urlsplit(asked["path"]).query))
        return 200, json.dumps(page(int(query.get("NextToken", 0)))).encode()

    cloud.answer = answer
    found = actiontrail(cloud)
    events = await found.events(START, START + timedelta(seconds=60), actor="ali+ce &co")
    await found.close()
    assert [event.name for event in events] == ["Create1", "Create2", "Create3"]
    assert found.late_s == 600
    query = dict(parse_qsl(urlsplit(cloud.asked[-1]["path"]).query))
    assert query["StartTime"] == "2026-11-22T01:59:55Z", "earlier by what clocks may differ"
    assert (query["LookupAttribute.1.Key"], query["NextToken"]) == ("User", "4")
    assert cloud.asked[-1]["headers"]["x-acs-version"] == "2020-07-06"
    nonces = {asked["headers"]["x-acs-signature-nonce"] for asked in cloud.asked}
    assert len(nonces) == len(cloud.asked) == 6


async def test_what_actiontrail_refuses_is_told_and_not_asked_again(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusal = {"Code": "SignatureDoesNotMatch", "Message": f"Specified {SECRET} is not matched"}
    cloud.answer = lambda asked: (403, json.dumps(refusal).encode())
    found = actiontrail(cloud)
    with pytest.raises(OutcomeError, match=r"403 SignatureDoesNotMatch.*audit\.key_id_env") as told:
        await found.check()
    assert len(cloud.asked) == 1
    assert SECRET not in without_secrets(str(told.value)), "the secret is known and masked"
    cloud.answer = lambda asked: (500, b"<html>")
    with pytest.raises(OutcomeError, match="gave no answer in 6 tries: 500"):
        await found.events(START)
    page = {"Events": [action(1, 1)], "NextToken": "again"}
    cloud.answer = lambda asked: (200, json.dumps(page).encode())
    monkeypatch.setattr("appliance.outcome.sources.actiontrail_api.MOST_PAGES", 3)
    with pytest.raises(OutcomeError, match="ActionTrail has more than 200 pages"):
        await found.events(START)
    monkeypatch.delenv("KEY_SECRET")
    with pytest.raises(OutcomeError, match=r"audit\.key_secret_env: .* KEY_SECRET is empty"):
        await found.check()
    await found.close()
    with pytest.raises(SetupError, match=r"audit\.region is missing"):
        open_source("lab", AuditSettings(kind="actiontrail"))


async def test_times_are_compared_by_the_cloud_s_clock(cloud: Cloud) -> None:
    now = datetime.now(UTC)
    events = [action(n, (now - START).total_seconds() + n) for n in (-8, -3, 2)]
    cloud.answer = lambda asked: (200, json.dumps({"Events": events}).encode())

    async def names(ahead_s: float) -> list[str]:
        cloud.ahead_s = ahead_s
        found = actiontrail(cloud, skew_s=10)
        try:
            return [event.name for event in await found.events(now)]
        finally:
            await found.close()

    assert await names(0) == ["Create2"]
    assert await names(-6) == ["Create-3", "Create2"], "its clock is behind, and so are its times"
    assert await names(6) == [], "its clock is ahead: what bears a time after ours was before"
    with pytest.raises(OutcomeError, match=r"this machine's clock is \d+ s behind the cloud's"):
        await names(40)


def record(number: int, second: float, user: str = "alice") -> dict[str, Any]:
    return {
        "eventID": f"R{number}",
        "eventName": f"Create{number}",
        "eventSource": "ec2.amazonaws.com",
        "eventTime": (START + timedelta(seconds=second)).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "userIdentity": {"type": "IAMUser", "userName": user},
        "readOnly": False,
    }


def looked_up(entry: dict[str, Any]) -> dict[str, Any]:
    about = [{"ResourceType": "AWS::EC2::Volume", "ResourceName": "vol-1"}]
    return {"EventId": entry["eventID"], "CloudTrailEvent": json.dumps(entry), "Resources": about}


async def test_cloudtrail_is_looked_up_page_by_page_and_again_when_busy(cloud: Cloud) -> None:
    page = paged([looked_up(record(n, n)) for n in (3, 2, 2, 1)] + [looked_up(record(9, -9))], 2)
    busy = [1]

    def answer(asked: dict[str, Any]) -> tuple[int, bytes]:
        assert asked["headers"]["x-amz-target"].endswith(".LookupEvents")
        assert f"Credential={KEY}/" in asked["headers"]["authorization"]
        if busy.pop() if busy else 0:
            return 400, b'{"__type": "ThrottlingException", "message": "Rate exceeded"}'
        return 200, json.dumps(page(int(json.loads(asked["body"]).get("NextToken", 0)))).encode()

    cloud.answer = answer
    found = CloudTrailApi(settings_of("cloudtrail", cloud), "", 900, every_s=0)
    events = await found.events(START + timedelta(seconds=1, milliseconds=900), actor="alice")
    assert [event.name for event in events] == ["Create1", "Create2", "Create3"], "to the second"
    assert (events[0].target_type, events[0].target_id) == ("AWS::EC2::Volume", "vol-1")
    wanted = json.loads(cloud.asked[0]["body"])["LookupAttributes"]
    assert wanted == [{"AttributeKey": "Username", "AttributeValue": "alice"}]
    assert len(cloud.asked) == 4
    cloud.answer = lambda asked: (400, b'{"__type": "AccessDeniedException", "message": "no"}')
    with pytest.raises(OutcomeError, match=r"AccessDeniedException: no; .*audit\.key_id_env"):
        await found.check()
    await found.close()


async def test_requests_keep_their_distance(cloud: Cloud) -> None:
    page = paged([looked_up(record(n, n)) for n in range(3)], 1)
    cloud.answer = lambda asked: (
        200,
        json.dumps(page(int(json.loads(asked["body"]).get("NextToken", 0)))).encode(),
    )
    found = CloudTrailApi(settings_of("cloudtrail", cloud), "", 900, every_s=0.15)
    began = datetime.now(UTC)
    assert len(await found.events(START)) == 3
    assert (datetime.now(UTC) - began).total_seconds() >= 0.3


def packed(*records: dict[str, Any]) -> bytes:
    return gzip.compress(json.dumps({"Records": records}).encode())


async def test_a_trail_s_files_are_found_in_its_bucket(cloud: Cloud) -> None:
    day = datetime.now(UTC)
    root = "AWSLogs/123456789012/"
    here = f"{root}CloudTrail/eu-x-1/{day:%Y/%m/%d}/"
    since = day - timedelta(seconds=20)
    offset = (since - START).total_seconds()
    files = {
        f"{here}a.json.gz": (day, packed(record(1, offset + 1), record(2, offset + 5))),
        f"{here}b.json.gz": (day, packed(record(2, offset + 5), record(9, offset - 60))),
        f"{here}old.json.gz": (since - timedelta(minutes=5), b"is not asked for"),
        f"{here}torn.json.gz": (day, packed(record(3, offset))[:-9]),
        f"{root}CloudTrail/us-y-2/{day:%Y/%m/%d}/c.json.gz": (day, packed(record(4, offset + 2))),
        f"{root}CloudTrail-Digest/eu-x-1/d.json.gz": (day, b"is not asked for"),
    }

    def answer(asked: dict[str, Any]) -> tuple[int, bytes]:
        split = urlsplit(asked["path"])
        assert split.path.startswith("/trail")
        query = dict(parse_qsl(split.query, keep_blank_values=True))
        if "list-type" not in query:
            return 200, files[split.path.removeprefix("/trail/")][1]
        return 200, listing(files, query).encode()

    cloud.answer = answer
    chosen = settings_of("cloudtrail", cloud, bucket="trail/AWSLogs")
    found = open_source("lab", chosen)
    assert found is not None and found.late_s == 900
    assert [event.name for event in await found.events(since)] == ["Create1", "Create2"]
    asked = len(cloud.asked)
    assert len(await found.events(since)) == 2
    again = [urlsplit(one["path"]).path for one in cloud.asked[asked:]]
    assert "/trail/" + here + "a.json.gz" not in again, "a file that was read is not fetched again"
    everywhere = open_source("lab", chosen.model_copy(update={"region": ""}), region="")
    assert everywhere is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_DEFAULT_REGION", "eu-x-1")
        names = [event.name for event in await everywhere.events(since)]
    assert names == ["Create1", "Create4", "Create2"]
    files.clear()
    with pytest.raises(OutcomeError, match=r"nothing is in trail/AWSLogs; correct audit\.bucket"):
        await found.check()


def listing(files: dict[str, tuple[datetime, bytes]], query: dict[str, str]) -> str:
    """An answer of ListObjectsV2."""
    prefix, cut = query.get("prefix", ""), query.get("delimiter", "")
    keys = sorted(key for key in files if key.startswith(prefix))
    below = {
        key[: key.index(cut, len(prefix)) + 1] for key in keys if cut and cut in key[len(prefix) :]
    }
    plain = [key for key in keys if not cut or cut not in key[len(prefix) :]]
    contents = "".join(
        f"<Contents><Key>{escape(key)}</Key><ETag>x{len(files[key][1])}</ETag><Size>1</Size>"
        f"<LastModified>{files[key][0]:%Y-%m-%dT%H:%M:%S.000Z}</LastModified></Contents>"
        for key in plain
    )
    common = "".join(
        f"<CommonPrefixes><Prefix>{p}</Prefix></CommonPrefixes>" for p in sorted(below)
    )
    return (
        '<?xml version="1.0"?><ListBucketResult>'
        f"<KeyCount>{len(plain) + len(below)}</KeyCount><IsTruncated>false</IsTruncated>"
        f"{contents}{common}</ListBucketResult>"
    )


async def test_a_trail_s_files_can_be_copied_to_a_folder(tmp_path: Path) -> None:
    found = open_source("lab", AuditSettings(kind="cloudtrail", path=tmp_path / "logs"))
    assert found is not None
    with pytest.raises(OutcomeError, match="there is no folder"):
        await found.check()
    folder = tmp_path / "logs" / "CloudTrail" / "us-east-1"
    folder.mkdir(parents=True)
    (folder / "a.json.gz").write_bytes(gzip.compress((FIXTURES / "cloudtrail.json").read_bytes()))
    (folder / "digest.json").write_text('{"digestStartTime": "x"}')
    (folder / "torn.json.gz").write_bytes(packed(record(1, 1))[:-5])
    await found.check()
    since = datetime(2023, 7, 19, 21, 34, tzinfo=UTC)
    names = [event.name for event in await found.events(since)]
    assert names == ["RunInstances", "CreateBucket", "ConsoleLogin"]
    (folder / "torn.json.gz").write_bytes(packed(record(1, 1)))
    os.utime(folder / "a.json.gz", (0, 0))
    names = [event.name for event in await found.events(since)]
    assert names == ["Create1"], "what is whole by now; and not what was written before"


def test_what_unpacks_to_too_much_is_no_log_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("appliance.outcome.sources.trail_files.LARGEST", 1 << 16)
    with pytest.raises(OutcomeError, match="unpacks to more than"):
        records_of(gzip.compress(b" " * (1 << 17)), "bomb.json.gz")


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 7), st.permutations(range(9)), st.lists(st.integers(0, 8), max_size=6))
async def test_however_pages_are_cut_the_events_are_the_same(
    size: int, order: list[int], doubles: list[int]
) -> None:
    page = paged([action(n, n) for n in (*order, *doubles)], size)
    found = ActionTrailApi(
        AuditSettings(kind="actiontrail", endpoint="http://unused"), "", 600, every_s=0
    )

    async def ask(query: dict[str, str]) -> dict[str, Any]:
        return page(int(query.get("NextToken", 0)))

    found._ask = ask  # type: ignore[method-assign] # the wire is tested above
    events = await found.events(START)
    assert [event.name for event in events] == [f"Create{n}" for n in range(9)]

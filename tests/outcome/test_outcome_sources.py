import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.core.checks import AuditEvent, EventOutcome
from appliance.core.errors import OutcomeError
from appliance.outcome.sources import (
    CadfSource,
    offset_at,
    parse_time,
    practice_events,
)
from appliance.outcome.sources.openstack import to_event

RECORDED = Path(__file__).parent / "data" / "openstack.jsonl"
"""Lines of a real Zed control plane, cut to what matters."""
START = datetime(2026, 11, 21, 2, 50, tzinfo=UTC)


def time_of(record: Any) -> datetime | None:
    return parse_time(record.get("time"))


def write(path: Path, seconds: list[int]) -> Path:
    lines = [
        json.dumps({"time": (START + timedelta(seconds=s)).isoformat(), "n": s}) for s in seconds
    ]
    path.write_text("".join(line + "\n" for line in lines))
    return path


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(OutcomeError, match=r"gone\.jsonl"):
        offset_at(tmp_path / "gone.jsonl", START, time_of)


@settings(max_examples=60)
@given(st.lists(st.integers(0, 50), max_size=30), st.integers(-1, 51), st.booleans())
def test_halving_finds_what_a_scan_finds(
    tmp_path_factory: pytest.TempPathFactory, seconds: list[int], asked: int, torn: bool
) -> None:
    path = write(tmp_path_factory.mktemp("log") / "a.jsonl", sorted(seconds))
    if torn:
        path.write_bytes(path.read_bytes() + b'{"time": "20')
    begin = offset_at(path, START + timedelta(seconds=asked), time_of)
    whole = path.read_bytes()[begin:].splitlines(keepends=True)
    found = [json.loads(line)["n"] for line in whole if line.endswith(b"\n")]
    assert found == [s for s in sorted(seconds) if s >= asked]


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2026-11-21 02:50:29.5", START + timedelta(seconds=29.5)),
        ("2026-11-21T02:50:29.500000+0000", START + timedelta(seconds=29.5)),
        ("2026-11-21T03:50:00+01:00", START),
        ("2026-11-21T02:50:00Z", START),
        ("yesterday", None),
        (None, None),
    ],
)
def test_time_stamps(text: str | None, time: datetime | None) -> None:
    assert parse_time(text) == time


def recorded(name: str) -> list[AuditEvent]:
    return [e for e in CadfSource(RECORDED).read(START) if e.name == name]


def test_a_notification_without_a_user_gets_the_one_of_its_request() -> None:
    (volume,) = recorded("volume.create.end")
    assert volume.raw["user"] is None
    assert (volume.actor, volume.service, volume.target_name) == ("demo", "cinder", "zz-v")
    assert volume.outcome is EventOutcome.SUCCESS
    assert volume.parameters["size"] == 1


def test_the_owner_of_a_resource_is_not_taken_for_the_one_who_acted(tmp_path: Path) -> None:
    lines = RECORDED.read_text().splitlines()
    sync = next(line for line in lines if '"event": "instance.create.end"' in line)
    path = tmp_path / "a.jsonl"
    lost = json.loads(sync) | {
        "user": None,
        "request_id": "req-periodic",
        "event": "instance.update",
    }
    path.write_text("\n".join([*lines, json.dumps(lost)]) + "\n")
    (update,) = [e for e in CadfSource(path).read(START) if e.name == "instance.update"]
    assert lost["user_id"]
    assert update.actor == ""


def test_a_notification_with_a_request_id_of_its_own_goes_to_the_request_it_fits(
    tmp_path: Path,
) -> None:
    def response(second: int, user: str, path: str) -> dict[str, Any]:
        return {
            "time": f"2026-11-21T03:00:{second:02}Z",
            "service": "nova-api",
            "event": "audit.http.response",
            "request_id": f"req-{user}",
            "user": user,
            "action": "create",
            "outcome": "success",
            "path": path,
            "http_status": "200",
        }

    flavor = {"flavorid": "f1", "name": "small"}
    created = {
        "time": "2026-11-21 03:00:05",
        "service": "nova-api",
        "event": "flavor.create",
        "request_id": "req-internal",
        "outcome": "success",
        "target_name": "small",
        "raw": {"payload": {"nova_object.data": flavor}},
    }
    lines = [
        response(1, "ann", "/v2.1/flavors"),
        response(3, "bob", "/v2.1/flavors"),
        response(4, "cat", "/v2.1/servers"),
        created,
        response(6, "dan", "/v2.1/flavors"),
    ]
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    events = CadfSource(path).read(START)
    (adopted,) = [e for e in events if e.name == "flavor.create"]
    assert (adopted.actor, adopted.request_id, adopted.target_id) == ("bob", "req-bob", "f1")
    assert [e.target_name for e in events if e.request_id == "req-bob"] == ["small", "small"]


def test_wrapped_payloads_of_other_services_are_unwrapped_too(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    kind = {"id": "t1", "name": "gold"}
    line = {
        "time": "2026-11-21 03:00:05",
        "service": "cinder-api",
        "event": "volume_type.create",
        "raw": {"payload": {"volume_types": kind}},
    }
    path.write_text(json.dumps(line) + "\n")
    (created,) = CadfSource(path).read(START)
    assert (created.target_id, created.target_name) == ("t1", "gold")


def test_a_response_gets_the_name_and_id_of_the_resource_of_its_request() -> None:
    by_path = {e.parameters["path"]: e for e in recorded("audit.http.response")}
    networks = by_path["/v2.0/networks"]
    assert networks.target_name == "zz-net"
    assert networks.target_id == "fa3c3da6-65f0-4cf2-bee2-b605fced5183"
    assert networks.parameters["http_status"] == "201"


def test_the_payload_becomes_parameters_without_its_wrapping() -> None:
    (network,) = recorded("network.create.end")
    assert network.parameters["router:external"] is False
    assert network.parameters["id"] == network.target_id
    (interface,) = recorded("router.interface.create")
    assert interface.parameters["subnet_id"] == "dfc554e8-9960-4c23-bcba-ff2b3ee48070"
    (instance,) = recorded("instance.create.end")
    assert instance.parameters["flavor"]["name"] == "m1.tiny"
    assert (instance.service, instance.target_name) == ("nova", "zz-i")


def test_a_snapshot_has_its_own_id_and_not_its_volume_s() -> None:
    (snapshot,) = recorded("snapshot.create.end")
    assert snapshot.target_id == snapshot.parameters["snapshot_id"]
    assert snapshot.parameters["volume_id"] == recorded("volume.create.end")[0].target_id


def test_object_paths_tell_the_container_and_the_object() -> None:
    objects = [e.parameters for e in recorded("audit.http.response") if e.service == "swift"]
    assert [(p["container"], p.get("object")) for p in objects] == [
        ("zz-c", None),
        ("zz-c", "zz-o"),
    ]


def test_identity_events_get_names_that_were_learnt_elsewhere() -> None:
    log = CadfSource(RECORDED)
    log.learn({"e7c69d51c2b34cc09ab34f9d29a31339": "docs project"})
    (created,) = [
        e for e in log.read(START - timedelta(hours=1)) if e.name == "identity.project.created"
    ]
    assert (created.actor, created.target_name) == ("admin", "docs project")
    assert "typeURI" not in created.parameters


def test_older_events_and_starts_of_requests_are_left_out() -> None:
    events = CadfSource(RECORDED).read(START + timedelta(seconds=40))
    assert events
    assert all(e.time >= START + timedelta(seconds=40) for e in events)
    assert not [e for e in events if e.name == "audit.http.request"]


def test_a_refused_request_is_a_failure_with_its_status() -> None:
    record = {
        "time": "2026-11-21T02:50:29Z",
        "service": "neutron",
        "event": "audit.http.response",
        "outcome": "success",
        "http_status": "409",
        "raw": {"payload": {}},
    }
    refused = to_event(record)
    assert refused is not None
    assert (refused.outcome, refused.error_code) == (EventOutcome.FAILURE, "409")


@given(
    st.dictionaries(
        st.sampled_from(
            [
                "time",
                "event",
                "service",
                "raw",
                "user",
                "outcome",
                "target_id",
                "http_status",
                "path",
            ]
        ),
        st.none()
        | st.text(max_size=5)
        | st.sampled_from(["2026-11-21 02:50:29", "audit.http.response", "a.b.end"])
        | st.dictionaries(st.just("payload"), st.none() | st.lists(st.integers(), max_size=2)),
    )
)
def test_no_line_of_any_shape_breaks_the_reader(record: dict[str, Any]) -> None:
    event = to_event(record)
    assert event is None or event.name


PRACTICE = {
    "time": "2026-01-02T03:04:05.678Z",
    "service": "buckets",
    "name": "CreateBucket",
    "actor": "ada",
    "outcome": "failure",
    "target_type": "bucket",
    "target_id": "b-1",
    "target_name": "docs",
    "request_id": "r-1",
    "parameters": {"class": "standard"},
    "error_code": "QuotaExceeded",
}


def test_practice_records_become_events() -> None:
    (event,) = practice_events([PRACTICE])
    assert event.time == datetime(2026, 1, 2, 3, 4, 5, 678000, tzinfo=UTC)
    assert event.outcome is EventOutcome.FAILURE
    assert (event.actor, event.target_name, event.error_code) == ("ada", "docs", "QuotaExceeded")
    assert event.parameters == {"class": "standard"}
    assert event.raw == PRACTICE


def test_a_practice_record_may_lack_everything_but_time_and_name() -> None:
    (event,) = practice_events([{"time": "2026-01-02T03:04:05Z", "name": "X", "error_code": None}])
    assert (event.outcome, event.error_code, event.parameters) == (EventOutcome.UNKNOWN, "", {})
    with pytest.raises(OutcomeError, match="no usable time or name"):
        practice_events([{"name": "X"}])

"""The audit log of an attempt, written and read."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.core.audit_json import AuditLog, audit_lines, read_audit
from appliance.core.checks import AuditEvent, EventOutcome
from appliance.core.errors import OutcomeError
from appliance.core.secrets import learn

texts = st.text(max_size=12)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
events = st.builds(
    AuditEvent,
    time=st.datetimes(timezones=st.just(UTC)),
    service=texts,
    name=texts,
    outcome=st.sampled_from(EventOutcome),
    target_id=texts,
    parameters=st.dictionaries(texts, values, max_size=3),
)


@given(st.lists(events, max_size=3), st.dictionaries(texts, texts, max_size=3))
def test_a_log_comes_back_as_it_was(log: list[AuditEvent], bindings: dict[str, str]) -> None:
    written = audit_lines(AuditLog(events=tuple(log), bindings=bindings))
    assert written.count(b"\n") == len(log) + 1
    back = read_audit(written)
    assert (list(back.events), dict(back.bindings)) == (log, bindings)


def test_secrets_are_not_in_it() -> None:
    secret = learn("very-secret-\"word'")
    event = AuditEvent(
        time=datetime(2026, 1, 2, tzinfo=UTC), service="s", name="n", raw={"body": secret}
    )
    written = audit_lines(AuditLog(events=(event,), bindings={"Password": secret}))
    assert b"very-secret" not in written
    assert read_audit(written).events[0].raw == {"body": "***"}


def test_lines_of_events_alone_are_a_log_too() -> None:
    line = {"time": "2026-01-02T00:00:00Z", "service": "s", "name": "n", "outcome": "success"}
    log = read_audit(f"{json.dumps(line)}\n\n{json.dumps(line)}".encode())
    assert [event.name for event in log.events] == ["n", "n"]
    assert log.bindings == {}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "a.jsonl, line 2: not valid JSON: "),
        ("[" * 100_000, "a.jsonl, line 2: "),
        ("[]", "a.jsonl, line 2: no audit event: "),
        ('{"time": "2026-01-02T00:00:00Z", "service": "s"}', "no audit event: name: "),
        ('{"time": "2026-01-02T00:00:00", "service": "s", "name": "n"}', "has no time zone"),
        ('{"schema_version": 2}', "schema version 2; this appliance reads 1"),
        ('{"schema_version": "x"}', "line 2: no audit event: schema_version"),
    ],
)
def test_what_is_no_log_is_named_with_its_line(line: str, said: str) -> None:
    with pytest.raises(OutcomeError) as caught:
        read_audit(f"\n{line}\n".encode(), "a.jsonl")
    assert said in str(caught.value)
    assert len(str(caught.value)) < 300

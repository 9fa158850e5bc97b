import json
import runpy
from datetime import UTC, datetime, timedelta, timezone
from importlib.resources import files
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from appliance.core.errors import SetupError
from appliance.core.result import (
    ArtifactRef,
    Cost,
    Evidence,
    Finding,
    Goal,
    ProcedureResult,
    RunResult,
    StepResult,
    TierResult,
)
from appliance.core.result_json import load_finding, load_procedure, load_result, result_document

TIMES = st.datetimes(
    datetime(2000, 1, 1),  # noqa: DTZ001 - hypothesis adds the zone
    datetime(2100, 1, 1),  # noqa: DTZ001
    timezones=st.sampled_from(
        [UTC, timezone(timedelta(hours=8)), timezone(timedelta(minutes=-210))]
    ),
)
NUMBERS = st.floats(0, 1e9)
COSTS = st.builds(
    Cost,
    wall_s=NUMBERS,
    browser_s=NUMBERS,
    model_s=NUMBERS,
    model_calls=st.integers(0, 99),
    tokens=st.integers(0, 10**9),
)
ARTIFACTS = st.builds(
    ArtifactRef, st.text("0123456789abcdef", min_size=64, max_size=64), size=st.integers(0, 2**40)
)
FINDINGS = st.builds(
    Finding,
    confidence=st.floats(0, 1),
    line=st.integers(1, 10**6),
    column=st.integers(1, 10**4),
    end_line=st.integers(1, 10**6),
    end_column=st.integers(1, 10**4),
    evidence=st.lists(st.builds(Evidence, artifact=st.none() | ARTIFACTS), max_size=2).map(tuple),
)
STEPS = st.builds(
    StepResult,
    line=st.integers(1, 10**6),
    before=st.none() | ARTIFACTS,
    after=st.none() | ARTIFACTS,
)
PROCEDURES = st.builds(
    ProcedureResult,
    line=st.integers(1, 10**6),
    end_line=st.integers(1, 10**6),
    path=st.sampled_from(["as_written", "diverged", "stuck"]),
    goal=st.builds(Goal),
    attempts=st.integers(0, 5),
    cost=COSTS,
    steps=st.lists(STEPS, max_size=2).map(tuple),
    findings=st.lists(FINDINGS, max_size=2).map(tuple),
    trajectory=st.none() | ARTIFACTS,
    tiers=st.lists(st.builds(TierResult, attempts=st.integers(0, 5), cost=COSTS), max_size=2).map(
        tuple
    ),
    audit=st.none() | ARTIFACTS,
    pending_until=st.none() | TIMES,
)
RUNS = st.builds(
    RunResult,
    started_at=TIMES,
    ended_at=TIMES,
    procedures=st.lists(PROCEDURES, max_size=2).map(tuple),
    config=st.dictionaries(st.text(), st.none() | st.booleans() | st.text()),
    schema_version=st.just(1),
)


@pytest.fixture(scope="module")
def validator() -> Any:  # Any: jsonschema's own protocol
    schema = json.loads((files("appliance.reports") / "result.schema.json").read_text("utf-8"))
    cls = jsonschema.validators.validator_for(schema)
    cls.check_schema(schema)
    return cls(schema, format_checker=cls.FORMAT_CHECKER)


@pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisWarning")
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(run=RUNS)
def test_a_run_survives_the_way_to_json_and_back(validator: Any, run: RunResult) -> None:
    text = json.dumps(result_document(run), allow_nan=False)
    validator.validate(json.loads(text))
    assert load_result(json.loads(text)) == run


def document(**changes: object) -> dict[str, Any]:
    now = datetime(2026, 1, 2, tzinfo=UTC)
    run = RunResult(
        id="r1",
        appliance_version="1",
        commit="c",
        console="practice",
        policy="literal",
        started_at=now,
        ended_at=now,
        procedures=(),
    )
    return result_document(run) | changes


def test_the_outside_has_the_shape_of_the_design() -> None:
    plain = document()
    assert list(plain) == [
        "schema_version",
        "id",
        "appliance",
        "console",
        "policy",
        "started_at",
        "ended_at",
        "summary",
        "not_reached",
        "procedures",
        "documents",
        "config",
    ]
    assert plain["appliance"] == {"version": "1", "commit": "c"}
    assert plain["summary"]["procedures"] == 0


def test_the_published_schema_is_the_one_that_is_made(validator: Any) -> None:
    made = runpy.run_path("scripts/result-schema")["result_schema"]()
    assert validator.schema == made, "run scripts/result-schema"


def test_every_field_is_in_the_published_schema_and_nothing_else(validator: Any) -> None:
    fields = {
        "Procedure": ProcedureResult,
        "Step": StepResult,
        "Finding": Finding,
        "Cost": Cost,
        "Tier": TierResult,
        "Evidence": Evidence,
        "Artifact": ArtifactRef,
        "Goal": Goal,
    }
    for name, type_ in fields.items():
        definition = validator.schema["$defs"][name]
        ours = list(type_.__dataclass_fields__)
        assert list(definition["properties"]) == ours, name
        assert definition["required"] == ours, name
        assert definition["additionalProperties"] is False


def test_the_schema_refuses_what_is_not_a_result(validator: Any) -> None:
    with pytest.raises(jsonschema.ValidationError):
        validator.validate(document(surprise=1))
    with pytest.raises(jsonschema.ValidationError):
        validator.validate(document(started_at="yesterday"))


@pytest.mark.parametrize(
    ("version", "words"),
    [
        (2, "schema version 2; this appliance reads 1. It comes from a newer appliance"),
        (None, "schema version None; this appliance reads 1. Run the verification again"),
        ("1", "schema version '1'"),
    ],
)
def test_another_schema_version_is_refused_in_words(version: object, words: str) -> None:
    with pytest.raises(SetupError, match=words):
        load_result(document(schema_version=version))


@pytest.mark.parametrize(
    ("load", "bad", "words"),
    [
        (load_result, document(started_at="yesterday"), "not a result.*started_at"),
        (load_result, document(appliance=None), "not a result.*appliance_version"),
        (load_procedure, {}, "not a procedure's result: id"),
        (load_finding, {}, "not a finding: id"),
    ],
)
def test_what_is_not_a_result_is_refused_with_its_place(load: Any, bad: Any, words: str) -> None:
    with pytest.raises(SetupError, match=words):
        load(bad)

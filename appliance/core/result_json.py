"""A run as JSON and back: the one shape of `result.json`, `verify --json` and REST.

The shape is described by `appliance/reports/result.schema.json`.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from appliance.core.causes import kind_of
from appliance.core.errors import SetupError
from appliance.core.jsonable import Json, json_object, to_jsonable
from appliance.core.result import SCHEMA_VERSION, Finding, ProcedureResult, RunResult


def result_document(run: RunResult) -> dict[str, Json]:
    """The run as plain JSON data, in section 4 of the design's order of keys."""
    plain = json_object(run)
    return {
        "schema_version": plain["schema_version"],
        "id": plain["id"],
        "appliance": {"version": plain["appliance_version"], "commit": plain["commit"]},
        "console": plain["console"],
        "policy": plain["policy"],
        "started_at": plain["started_at"],
        "ended_at": plain["ended_at"],
        "summary": to_jsonable(run.summary),
        "not_reached": plain["not_reached"],
        "procedures": plain["procedures"],
        "documents": plain["documents"],
        "config": plain["config"],
    }


def load_result(document: Mapping[str, Any]) -> RunResult:  # Any: JSON from a file
    """The run that `result_document` wrote.

    Raises:
        SetupError: when it is not such a document, or one of another version.
    """
    check_schema_version(document.get("schema_version"), "The result")
    appliance = document.get("appliance")
    flat = dict(document)
    if isinstance(appliance, Mapping):
        flat |= {"appliance_version": appliance.get("version"), "commit": appliance.get("commit")}
    if isinstance(procedures := document.get("procedures"), list):
        flat["procedures"] = [_with_cause(procedure) for procedure in procedures]
    try:
        return _runs().validate_python(flat)
    except ValidationError as error:
        raise SetupError(f"This is not a result of the appliance: {_first(error)}.") from error


def load_procedure(document: Mapping[str, Any]) -> ProcedureResult:  # Any: JSON from the store
    """One entry of `procedures`; `SetupError` when it is not one."""
    try:
        return _procedures().validate_python(_with_cause(document))
    except ValidationError as error:
        raise SetupError(f"This is not a procedure's result: {_first(error)}.") from error


def load_finding(document: Mapping[str, Any]) -> Finding:  # Any: JSON from the store
    """One entry of `findings`; `SetupError` when it is not one."""
    try:
        return _findings().validate_python(document)
    except ValidationError as error:
        raise SetupError(f"This is not a finding: {_first(error)}.") from error


def check_schema_version(version: object, what: str) -> None:
    """Raise `SetupError` unless this version of the program reads that schema version."""
    if version == SCHEMA_VERSION:
        return
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise SetupError(
            f"{what} has schema version {version}; this appliance reads {SCHEMA_VERSION}. "
            "It comes from a newer appliance: use that one, or a newer one."
        )
    raise SetupError(
        f"{what} has schema version {version!r}; this appliance reads {SCHEMA_VERSION}. "
        "Run the verification again."
    )


def _with_cause(procedure: object) -> object:
    """Older appliances said in `blocked_by` only what kind of thing it was."""
    if not isinstance(procedure, Mapping) or procedure.get("cause"):
        return procedure
    blocked_by = procedure.get("blocked_by")
    return {**procedure, "cause": kind_of(blocked_by) if isinstance(blocked_by, str) else None}


@cache
def _runs() -> TypeAdapter[RunResult]:
    return TypeAdapter(RunResult)


@cache
def _procedures() -> TypeAdapter[ProcedureResult]:
    return TypeAdapter(ProcedureResult)


@cache
def _findings() -> TypeAdapter[Finding]:
    return TypeAdapter(Finding)


def _first(error: ValidationError) -> str:
    """The first complaint, with its place in the document."""
    detail = error.errors(include_url=False)[0]
    location = ".".join(str(part) for part in detail["loc"])
    return f"{location}: {detail['msg']}" if location else detail["msg"]

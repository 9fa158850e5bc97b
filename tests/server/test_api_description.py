"""The description of the API: what a stranger makes a client from."""

import json
import re
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
import yaml

from appliance.server.api.openapi import complete

_OURS = "/api/v1/"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TOLD: dict[str, Any] = {}
_OF_HEALTH = ("Alive", "Missing", "Readiness")


@pytest.fixture
def told(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Made once: an application takes longer than to read what it says."""
    if not _TOLD:
        _TOLD.update(complete(request.getfixturevalue("app").openapi_schema.to_schema()))
    return _TOLD


def operations(told: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in told["paths"].items():
        for method, operation in methods.items():
            if path.startswith(_OURS):
                yield path, method, operation


def nodes(value: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(value, dict):
        yield path, value
        for name, inner in value.items():
            yield from nodes(inner, f"{path}/{name}")
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from nodes(inner, f"{path}/{place}")


def found(told: dict[str, Any], reference: str) -> Any:
    for name in reference.removeprefix("#/").split("/"):
        told = told[name.replace("~1", "/")]
    return told


async def test_json_and_yaml_say_the_same(local):
    told = (await local.get("/schema/openapi.json")).json()
    assert yaml.load((await local.get("/schema/openapi.yaml")).text, _LOADER) == told
    assert told["openapi"].startswith("3.1.")


def test_every_name_that_is_used_is_explained(told):
    references = [node["$ref"] for _, node in nodes(told) if "$ref" in node]
    assert references
    for reference in references:
        assert found(told, reference)


def test_every_schema_is_one_and_every_field_is_described(told):
    for name, schema in told["components"]["schemas"].items():
        jsonschema.Draft202012Validator.check_schema(schema)
        for field, part in schema.get("properties", {}).items():
            assert part.get("description") or name in _OF_HEALTH, f"{name}.{field}"


def test_every_operation_is_named_and_described_and_says_its_errors(told):
    ids = []
    for path, method, operation in operations(told):
        where = f"{method} {path}"
        ids.append(operation["operationId"])
        assert operation["summary"] and operation["description"] and operation["tags"], where
        responses = operation["responses"]
        assert {"400", "401", "429", "503"} <= responses.keys(), where
        for status, response in responses.items():
            assert response["description"], where
            assert all("schema" in one for one in response.get("headers", {}).values()), where
            if status >= "400":
                (media_type,) = response["content"]
                assert media_type == "application/problem+json", where
        for parameter in operation.get("parameters", ()):
            assert parameter.get("description"), where
        if method != "get" and operation.get("security") != [{}]:
            assert "403" in responses, where
    assert len(ids) == len(set(ids)) > 50
    assert {tag for *_, o in operations(told) for tag in o["tags"]} <= {
        tag["name"] for tag in told["tags"]
    }


def test_paths_name_their_parameters(told):
    for path, method, operation in operations(told):
        named = [p["name"] for p in operation.get("parameters", ()) if p["in"] == "path"]
        assert re.findall(r"{(\w+)}", path) == named, f"{method} {path}"


def test_every_body_has_examples_that_are_right(told):
    bodies = 0
    for path, method, operation in operations(told):
        content = operation.get("requestBody", {}).get("content", {})
        if "application/json" not in content:
            continue
        bodies += 1
        schema = content["application/json"]["schema"]
        whole = found(told, schema["$ref"]) if "$ref" in schema else schema
        assert whole["examples"], f"{method} {path}"
        validator = jsonschema.Draft202012Validator(schema | {"components": told["components"]})
        for example in whole["examples"]:
            validator.validate(example)
    assert bodies >= 6


def test_what_can_be_repeated_resumed_and_compared_says_so(told):
    def headers(operation: dict[str, Any]) -> set[str]:
        return {p["name"] for p in operation.get("parameters", ()) if p["in"] == "header"}

    for path, method, operation in operations(told):
        others = ("createKey", "rotateKey", "receiveAuditEvents")
        is_repeatable = method == "post" and operation["operationId"] not in others
        assert ("Idempotency-Key" in headers(operation)) is is_repeatable, path
        assert ("Last-Event-ID" in headers(operation)) is path.endswith("/events"), path
        is_json = "application/json" in operation["responses"].get("200", {}).get("content", {})
        assert ("If-None-Match" in headers(operation)) is (method == "get" and is_json), path
    triage = told["paths"]["/api/v1/findings/{finding_id}/triage"]["post"]
    assert "If-Match" in headers(triage)


def test_no_page_of_the_dashboard_is_in_it(told):
    others = [path for path in told["paths"] if not path.startswith(_OURS)]
    assert sorted(others) == ["/healthz", "/metrics", "/readyz"]


def test_nothing_in_it_is_of_this_machine(told, tmp_path):
    assert str(tmp_path) not in json.dumps(told)

"""The API's description of itself is one, and what it says is so."""

import jsonschema
import pytest

from appliance.practice.openapi import openapi_view
from appliance.practice.releases import catalogue, releases

_METHODS = {"get", "post", "patch", "delete"}


def references(value):
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for inner in value.values():
            yield from references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from references(inner)


def resolved(document, reference):
    assert reference.startswith("#/")
    for part in reference[2:].split("/"):
        document = document[part]
    return document


def validator(document, name):
    schema = document["components"]["schemas"][name] | {"components": document["components"]}
    return jsonschema.Draft202012Validator(schema)


@pytest.fixture(scope="module", params=["lab", *releases()])
def offered(request, lab_catalogue):
    return lab_catalogue if request.param == "lab" else catalogue(request.param)


def test_it_is_a_description_of_every_resource(offered):
    document = openapi_view(offered)
    assert document["openapi"] == "3.1.0"
    assert {"title", "version"} <= document["info"].keys()
    for reference in references(document):
        resolved(document, reference)
    for schema in document["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)
    names = []
    for path, item in document["paths"].items():
        given = [p["$ref"].endswith("/id") for p in item.get("parameters", ())]
        assert any(given) == ("{id}" in path)
        for method in _METHODS & item.keys():
            operation = item[method]
            names.append(operation["operationId"])
            assert operation["responses"]["default"]["$ref"] == "#/components/responses/problem"
            has_scheme = set(document["components"]["securitySchemes"]) == {"basic", "bearer"}
            assert has_scheme
    assert len(set(names)) == len(names)
    for service, _, resource in offered.resources():
        at = f"/api/{service}/{resource.collection}"
        for word, action in resource.actions.items():
            match action.kind:
                case "create":
                    operation = document["paths"][at]["post"]
                case "delete":
                    operation = document["paths"][at + "/{id}"]["delete"]
                case "spawn":
                    assert f"{at}/{{id}}/{word}" not in document["paths"]
                    continue
                case _:
                    operation = document["paths"][f"{at}/{{id}}/{word}"]["post"]
            assert operation["x-event"] == action.event


def test_answers_and_bodies_are_as_described(lab_api):
    alice = lab_api()
    document = alice.get("/api/openapi.json").json()
    body = {"name": "rack-1", "height": 4, "locked": True, "pin": "1234"}
    answer = alice.post("/api/lab/racks", json=body)
    rack = answer.json()
    validator(document, "RackCreate").validate(body)
    validator(document, "Rack").validate(rack)
    part = alice.post("/api/lab/parts", json={"name": "part-1", "rack": rack["id"]}).json()
    validator(document, "Part").validate(part)
    key = alice.post("/api/lab/keys", json={"name": "key-1"}).json()
    validator(document, "Key").validate(key)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": "rack-1", "height": 41},
        {"name": "rack-1", "height": "4"},
        {"name": "rack-1", "colour": "blue"},
        {"name": "Rack"},
        {"name": "rack-1", "address": "1.2.3.4"},
        {"name": "rack-1", "locked": "yes"},
    ],
)
def test_what_the_description_forbids_is_refused(lab_api, body):
    alice = lab_api()
    document = alice.get("/api/openapi.json").json()
    problem = alice.post("/api/lab/racks", json=body)
    assert problem.status_code == 400
    validator(document, "Problem").validate(problem.json())
    assert not validator(document, "RackCreate").is_valid(body)

"""The description of the API as it is served: with what Litestar leaves out, without its noise."""

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any, TypeAlias

import yaml
from litestar.openapi.plugins import JsonRenderPlugin, YamlRenderPlugin

from appliance.server.problems import AnyRequest

Told: TypeAlias = dict[str, Any]  # Any: JSON

_API = "/api/"
_PLAIN = r"^[!-~]+$"
_NOT_REPEATED = ("createKey", "receiveAuditEvents")
"""An answer that must not be kept; and senders without a key, whose events have ids."""
_REPEAT: Told = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "Any text of your own. The request is done once, however often it is sent with"
    " it, and the first answer comes again.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": _PLAIN},
    "example": "release-4.2-build-1711",
}
_MATCH: Told = {
    "name": "If-Match",
    "in": "header",
    "description": "The `ETag` that it was read with: 412 where somebody was quicker.",
    "schema": {"type": "string"},
}
_KNOWN: Told = {
    "name": "If-None-Match",
    "in": "header",
    "description": "An `ETag` that you have: 304 where nothing has changed since.",
    "schema": {"type": "string"},
}
_RESUME: Told = {
    "name": "Last-Event-ID",
    "in": "header",
    "description": "Id of the last event that came: the stream goes on behind it.",
    "schema": {"type": "string", "maxLength": 255, "pattern": _PLAIN},
}
_IDS = {
    "run_id": "Id of the run: `Location` said it, and lists do.",
    "question_id": "Id of the question, as lists have it.",
    "finding_id": "Id of the finding, as lists have it.",
    "procedure_id": "Id of the procedure, as lists have it, with its slashes (as such or `%2F`).",
    "key_id": "Id of the key, as the list has it.",
    "delivery_id": "Id of the message, as the list has it.",
    "console": "Name of the console in the settings.",
    "name": "Its name, as the list has it.",
}
_TAG: Told = {"description": "Changes with the body.", "schema": {"type": "string"}}
_UNCHANGED: Told = {"description": "Nothing has changed since that `ETag`."}


def tidied(told: Told) -> Told:
    """A copy that says everything."""
    told = deepcopy(told)
    for path, operations in told["paths"].items():
        for method, operation in operations.items():
            for parameter in operation.get("parameters", ()):
                _without_null(parameter)
                if parameter["in"] == "path":
                    parameter.setdefault("description", _IDS.get(parameter["name"], ""))
            for response in operation["responses"].values():
                for header in response.get("headers", {}).values():
                    header.setdefault("schema", {"type": "string"})
            if path.startswith(_API):
                operation.setdefault("parameters", []).extend(_headers(method, operation))
                _versioned(method, operation)
    for schema in told["components"]["schemas"].values():
        for part in schema.get("properties", {}).values():
            part.pop("title", None)  # its name once more, with capitals
    return told


class AsJson(JsonRenderPlugin):
    """`/schema/openapi.json`."""

    _made = b""

    def render(self, request: AnyRequest, openapi_schema: Told) -> bytes:
        """The description as JSON; made once."""
        self._made = self._made or json.dumps(tidied(openapi_schema), ensure_ascii=False).encode()
        return self._made


class AsYaml(YamlRenderPlugin):
    """`/schema/openapi.yaml`."""

    _made = b""

    def render(self, request: AnyRequest, openapi_schema: Told) -> bytes:
        """The description as YAML; made once."""
        self._made = self._made or _yaml(json.loads(json.dumps(tidied(openapi_schema))))
        return self._made


def _yaml(told: Told) -> bytes:
    """With the parser in C, where there is one: the other takes a second, in which all wait."""
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    text: str = yaml.dump(told, Dumper=dumper, sort_keys=False, allow_unicode=True)
    return text.encode()


def _headers(method: str, operation: Told) -> Iterator[Told]:
    """What is taken by a whole kind of operations."""
    if method == "post" and operation["operationId"] not in _NOT_REPEATED:
        yield _REPEAT
    if "412" in operation["responses"]:
        yield _MATCH
    if method == "get":
        content = operation["responses"]["200"].get("content", {})
        if "text/event-stream" in content:
            yield _RESUME
        if "application/json" in content:
            yield _KNOWN


def _versioned(method: str, operation: Told) -> None:
    """What comes with an `ETag`."""
    if method != "get":
        return
    success = operation["responses"]["200"]
    if "application/json" in success.get("content", {}):
        success.setdefault("headers", {})["ETag"] = _TAG
        operation["responses"]["304"] = _UNCHANGED


def _without_null(parameter: Told) -> None:
    """What may be left out is not sent as null: an address has no such thing."""
    schema = parameter.get("schema", {})
    kinds = schema.get("oneOf", [])
    if {"type": "null"} in kinds and len(kinds) == 2:
        kept = next(kind for kind in kinds if kind != {"type": "null"})
        rest = {name: value for name, value in schema.items() if name != "oneOf"}
        parameter["schema"] = kept | ({} if "$ref" in kept else rest)

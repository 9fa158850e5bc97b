"""A module's resources, held against the schema of their provider, kept as data.

`terraform/CONSOLE/schema.json` has the shape of `terraform providers schema -json`, for the
resources that our modules use, and says which version it is of. A type that is not in it is let be
in a module that stands elsewhere: we know nothing of it.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from appliance.config import did_you_mean
from appliance.environment.modules.hcl import Block, Parsed, unquote
from appliance.environment.modules.reading import Problem
from appliance.environment.modules.types import Module

SCHEMA_FILE = "schema.json"
_META = frozenset(
    {"count", "for_each", "depends_on", "lifecycle", "provider", "connection", "provisioner"}
)
"""Arguments that Terraform takes in every resource."""
_KINDS = {"resource": "resource_schemas", "data": "data_source_schemas"}

Raw = Mapping[str, Any]  # Any: the provider's own JSON


class _Used(NamedTuple):
    """A resource or data source in a module."""

    kind: str
    """`resource` or `data`."""
    type: str
    name: str
    body: Block


def wrong_resources(module: Module, parsed: Parsed, ours: Path) -> Iterator[Problem]:
    """What the provider would not take, as far as its schema tells without running Terraform."""
    schema = _schemas(ours / module.console / SCHEMA_FILE)
    if not schema:
        return
    is_ours = module.folder.is_relative_to(ours)
    for used in _used(parsed):
        type_schema = schema[used.kind]
        at = parsed.place(used.kind, used.type, used.name)
        if used.type in type_schema:
            for says in _wrong_block(used.body, type_schema[used.type]["block"]):
                yield Problem(*at, f"{used.type}: {says}")
        elif is_ours:
            yield Problem(*at, f"there is no {used.type}{did_you_mean(used.type, type_schema)}")
    yield from _wrong_references(parsed, schema)


@cache
def _schemas(file: Path) -> Mapping[str, Raw]:
    """Types by kind; empty where nothing is known of the console's provider."""
    if not file.is_file():
        return {}
    data = json.loads(file.read_text(encoding="utf-8"))
    schemas: dict[str, dict[str, Any]] = {kind: {} for kind in _KINDS}  # Any: as above
    for provider in data["provider_schemas"].values():
        for kind, key in _KINDS.items():
            schemas[kind] |= provider.get(key, {})
    return schemas


def _used(parsed: Parsed) -> Iterator[_Used]:
    for kind in _KINDS:
        for block in parsed.blocks.get(kind, ()):
            for label, named in block.items():
                for name, body in named.items() if isinstance(named, dict) else ():
                    yield _Used(kind, unquote(label), unquote(name), body)


def _wrong_block(body: Block, schema: Raw) -> Iterator[str]:
    arguments = {unquote(key): value for key, value in body.items() if not key.startswith("__")}
    dynamic_blocks = {
        unquote(name) for dynamic in _several(arguments.pop("dynamic", [])) for name in dynamic
    }
    for name, value in arguments.items():
        yield from _wrong_argument(name, value, schema)
    for name, attribute in schema.get("attributes", {}).items():
        if attribute.get("required") and name not in arguments:
            yield f"needs {name}"
    for name, block in schema.get("block_types", {}).items():
        if block.get("min_items") and name not in arguments and name not in dynamic_blocks:
            yield f"needs a block {name}"


def _wrong_argument(name: str, value: Any, schema: Raw) -> Iterator[str]:  # Any: as above
    attributes, blocks = schema.get("attributes", {}), schema.get("block_types", {})
    if name in blocks and _is_block(value):
        for inner in _several(value):
            yield from (f"{name}: {says}" for says in _wrong_block(inner, blocks[name]["block"]))
    elif name in blocks:
        yield f"{name} is a block: write `{name} {{ … }}`"
    elif name in attributes:
        if says := _wrong_value(name, value, attributes[name]):
            yield says
    elif name not in _META:
        yield f"takes no {name}{did_you_mean(name, (*attributes, *blocks))}"


def _is_block(value: Any) -> bool:  # Any: what python-hcl2 makes of HCL
    return isinstance(value, list | dict) and all(
        isinstance(v, dict) and "__is_block__" in v for v in _several(value)
    )


def _several(value: Any) -> list[Block]:  # Any: as above
    """Blocks of one kind: in JSON, a single one needs no list."""
    return value if isinstance(value, list) else [value]


def _wrong_value(name: str, value: Any, attribute: Raw) -> str:  # Any: as above
    if not {"required", "optional"} & attribute.keys():
        return f"{name} is told by the provider and cannot be given"
    expected = attribute["type"]
    match value:
        case bool():
            fits = expected in ("bool", "string")
        case int() | float():
            fits = expected in ("number", "string")
        case list():
            fits = isinstance(expected, list) and expected[0] in ("list", "set", "tuple")
        case dict():
            fits = isinstance(expected, list) and expected[0] in ("map", "object")
        case str() if value.startswith('"') and "${" not in value:
            fits = expected == "string" or (expected in ("number", "bool") and _reads_as(value))
        case _:
            fits = True  # an expression: only Terraform knows
    return "" if fits else f"{name} must be a {_shown(expected)}"


def _reads_as(text: str) -> bool:
    return re.fullmatch(r'"(true|false|-?\d+(\.\d+)?)"', text) is not None


def _shown(kind: Any) -> str:  # Any: the provider's own JSON
    return kind if isinstance(kind, str) else f"{kind[0]} of {_shown(kind[1])}"


_REFERENCE = re.compile(r"(?<![\w.])(data\.)?([a-z]+_\w+)\.([A-Za-z_][\w-]*)\.([a-z]\w*)")


def _wrong_references(parsed: Parsed, schema: Mapping[str, Raw]) -> Iterator[Problem]:
    """`aws_vpc.this.idd`: of a block that is not there, or an attribute that it does not have."""
    declared = {(used.kind, used.type, used.name) for used in _used(parsed)}
    for file, text in parsed.texts.items():
        for number, line in enumerate(text.splitlines(), 1):
            for data, kind, name, attribute in _REFERENCE.findall(line.split("#")[0]):
                where = "data" if data else "resource"
                if (where, kind, name) not in declared:
                    yield Problem(file, number, f"there is no {where} {kind}.{name}")
                elif kind in schema[where]:
                    block = schema[where][kind]["block"]
                    schema_names = (*block.get("attributes", ()), *block.get("block_types", ()))
                    if attribute not in schema_names:
                        says = f"{kind} has no {attribute}{did_you_mean(attribute, schema_names)}"
                        yield Problem(file, number, says)

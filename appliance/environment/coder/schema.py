"""The provider's schema, as far as one has to know it to write for it and to look at what was."""

import fnmatch
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from appliance.core.errors import SetupError
from appliance.environment.modules import OURS

Raw = Mapping[str, Any]  # Any: JSON of a provider's schema

_MOST_DESCRIBED = 60
"""Attributes of a type in a prompt: some clouds have hundreds, the required ones come first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One attribute."""

    name: str
    type: str
    is_required: bool = False
    is_settable: bool = True
    """Whether a configuration may set it; False: it is known afterwards."""
    note: str = ""
    """What values it takes."""

    def __str__(self) -> str:
        words = [self.type]
        if not self.is_settable:
            words.append("known afterwards")
        elif self.is_required:
            words.append("required")
        return f"{self.name}: {', '.join(words)}{f'; {self.note}' if self.note else ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceType:
    """One type of resource or data source."""

    name: str
    fields: Mapping[str, Field]
    blocks: Mapping[str, "ResourceType"]
    """Nested blocks by name."""
    is_data: bool = False

    def described(self) -> Iterator[str]:
        """Lines for a prompt."""
        shown = (field for field in self.fields.values() if field.name != "id")  # all have one
        ordered = sorted(shown, key=lambda f: (not f.is_required, not f.is_settable))
        yield from map(str, ordered[:_MOST_DESCRIBED])
        for name, block in self.blocks.items():
            yield f"block {name} {{ {'; '.join(block.described())} }}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderSchema:
    """What can be written for one console."""

    resources: Mapping[str, ResourceType]
    data: Mapping[str, ResourceType]

    def matching(self, patterns: Sequence[str]) -> "ProviderSchema":
        """Only what one of these shell patterns names."""
        return ProviderSchema(
            resources={n: t for n, t in self.resources.items() if _matches(n, patterns)},
            data={n: t for n, t in self.data.items() if _matches(n, patterns)},
        )


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def load_schema(console: str, folder: Path = OURS) -> ProviderSchema:
    """The schema of the provider for this kind of console, kept as data.

    Raises:
        SetupError: There is none, or it cannot be read.
    """
    practice = folder / "provider" / "practice_provider" / "schema.json"
    file = practice if console == "practice" else folder / console / "schema.json"
    try:
        raw = json.loads(file.read_text(encoding="utf-8"))
        return _practice(raw) if console == "practice" else _terraform(raw)
    except OSError as exc:
        raise SetupError(
            f"nothing can be written for {console}: its provider's schema {file} is not there"
        ) from exc
    except (ValueError, KeyError, TypeError, AttributeError) as exc:
        raise SetupError(f"the provider's schema {file} cannot be read: {exc!r}") from exc


def _terraform(raw: Raw) -> ProviderSchema:
    """As `terraform providers schema -json` writes it."""
    providers: list[Raw] = list(raw["provider_schemas"].values())
    return ProviderSchema(
        resources={
            name: _type(name, each["block"])
            for provider in providers
            for name, each in provider.get("resource_schemas", {}).items()
        },
        data={
            name: _type(name, each["block"], is_data=True)
            for provider in providers
            for name, each in provider.get("data_source_schemas", {}).items()
        },
    )


def _type(name: str, block: Raw, *, is_data: bool = False) -> ResourceType:
    return ResourceType(
        name=name,
        fields={
            attribute: Field(
                name=attribute,
                type=_type_name(each.get("type", "object")),
                is_required=bool(each.get("required")),
                is_settable=bool(each.get("required") or each.get("optional")),
                note=" ".join(str(each.get("description", "")).split())[:120],
            )
            for attribute, each in block.get("attributes", {}).items()
            if not each.get("deprecated")
        },
        blocks={n: _type(n, b["block"]) for n, b in block.get("block_types", {}).items()},
        is_data=is_data,
    )


def _type_name(type_json: Any) -> str:  # Any: Terraform's JSON for a type
    if isinstance(type_json, str):
        return type_json
    kind, element_type = type_json
    return (
        f"{kind}({_type_name(element_type)})" if isinstance(element_type, str | list) else str(kind)
    )


_PRACTICE_TYPES = {
    "number": "number",
    "boolean": "bool",
    "tags": "map(string)",
    "choices": "set(string)",
    "references": "set(string)",
}
_TAKEN = frozenset({"count", "for_each", "depends_on", "lifecycle", "provider", "connection"})


def _practice(raw: Raw) -> ProviderSchema:
    """As the practice cloud's product data says it."""
    resources = {
        f"practice_{kind.replace('-', '_')}": ResourceType(
            name=f"practice_{kind.replace('-', '_')}",
            fields={f.name: f for f in (*_practice_fields(kind, each), *_OWN)},
            blocks={},
        )
        for kind, each in raw["resources"].items()
    }
    return ProviderSchema(resources=resources, data={"practice_item": _ITEM})


def _practice_fields(kind: str, each: Raw) -> Iterator[Field]:
    for field, raw in each["fields"].items():
        name = field.replace("-", "_")
        name = f"{kind}_{name}" if name in _TAKEN or name in _OWN_NAMES else name
        is_given = not raw.get("generated")
        yield Field(
            name=name,
            type=_PRACTICE_TYPES.get(raw["kind"], "string"),
            is_required=bool(raw.get("required")) and "default" not in raw and is_given,
            is_settable=is_given,
            note="; ".join(_practice_notes(raw)),
        )
        if raw["kind"] == "file":
            yield Field(name=f"{name}_name", type="string", note="what the file is called")


def _practice_notes(raw: Raw) -> Iterator[str]:
    if raw["kind"] == "file":
        yield "base64"
    if to := raw.get("refers_to"):
        yield f"{'ids' if raw['kind'] == 'references' else 'id'} of practice_{to}"
    if options := raw.get("options"):
        yield f"one of {', '.join(map(str, options))}"
    if "default" in raw:
        yield f"{json.dumps(raw['default'])} when left out"
    if message := raw.get("pattern_message"):
        yield message
    if condition := raw.get("shown_if"):
        yield f"only where {condition['field']} is {' or '.join(map(str, condition['values']))}"
    if example := raw.get("example"):
        yield f"such as {example}"


_OWN_NAMES = ("id", "region", "state")
_OWN = (
    Field(name="id", type="string", is_settable=False),
    Field(name="region", type="string", is_settable=False),
    Field(name="state", type="string", note="leave it out, unless a certain state is asked for"),
)
_ITEM = ResourceType(
    name="practice_item",
    fields={
        f.name: f
        for f in (
            Field(name="kind", type="string", is_required=True, note="such as network"),
            Field(name="name", type="string", note="this or id"),
            Field(name="id", type="string"),
            Field(name="values", type="map(string)", is_settable=False),
        )
    },
    blocks={},
    is_data=True,
)
"""Finds an item of any kind that is there already."""

"""What there is, read from `schema.json`: resource types, their fields and actions."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SCHEMA = Path(__file__).with_name("schema.json")
OWN = ("id", "region", "state")
"""Attributes that every resource has beside its fields."""
_META = frozenset(
    {"count", "for_each", "depends_on", "lifecycle", "provider", "connection", "provisioner"}
)
"""Words that Terraform keeps for itself."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Holds while another field has one of some values."""

    field: str
    values: tuple[Any, ...]  # Any: texts and booleans


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field of a resource type."""

    name: str
    attribute: str
    """Its name in Terraform."""
    kind: str
    label: str
    required: bool = False
    default: Any = None  # Any: as the field's kind has it
    options: tuple[str, ...] = ()
    pattern: str = ""
    pattern_message: str = ""
    min_length: int = 0
    max_length: int = 1 << 20
    min: int = 0
    max: int = 0
    language: str = ""
    accept: tuple[str, ...] = ()
    unique: bool = False
    refers_to: str = ""
    within: str = ""
    example: str = ""
    generated: str = ""
    shown_if: Condition | None = None
    is_set_later: bool = False
    """Whether an edit sets it, after the creation."""

    @property
    def is_secret(self) -> bool:
        """Whether the cloud never answers its value."""
        return self.kind == "secret" or self.generated == "secret"


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """Something that changes an item: an edit sets fields, a transition may clear some."""

    name: str
    sources: tuple[str, ...]
    """States in which it is allowed; empty: all."""
    to: str
    """The state afterwards; empty: as before."""
    sets: frozenset[str] = frozenset()
    clears: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One resource type."""

    name: str
    title: str
    path: str
    is_global: bool
    created: str
    """The state of a new one."""
    fields: tuple[Field, ...]
    actions: tuple[Action, ...]
    """Edits come first."""
    deleted_from: tuple[str, ...]
    """States in which it can be deleted; empty: all."""

    def field(self, name: str) -> Field:
        """The field of that name."""
        return next(field for field in self.fields if field.name == name)

    @property
    def states(self) -> tuple[str, ...]:
        """The states that an item can be brought into."""
        found = [self.created, *(action.to for action in self.actions)]
        return tuple(dict.fromkeys(state for state in found if state))

    def is_editable(self, name: str) -> bool:
        """Whether some edit sets a field."""
        return any(name in action.sets for action in self.actions)


def kinds() -> dict[str, Kind]:
    """All resource types by name."""
    data = json.loads(SCHEMA.read_text(encoding="utf-8"))
    return {name: _kind(name, raw) for name, raw in data["resources"].items()}


def _kind(name: str, raw: dict[str, Any]) -> Kind:  # Any: our own JSON
    actions = [_action(each, inner) for each, inner in raw["actions"].items()]
    return Kind(
        name=name,
        title=raw["title"],
        path=raw["path"],
        is_global=raw["is_global"],
        created=raw["created"],
        fields=tuple(_fields(name, raw["fields"])),
        actions=tuple(sorted(actions, key=lambda action: not action.sets)),
        deleted_from=tuple(raw["deleted_from"]),
    )


def _fields(kind: str, raw: dict[str, Any]) -> Iterator[Field]:  # Any: our own JSON
    for name, inner in raw.items():
        values: dict[str, Any] = {
            key: tuple(value) if key in ("options", "accept") else value
            for key, value in inner.items()
        }
        if condition := values.get("shown_if"):
            values["shown_if"] = Condition(condition["field"], tuple(condition["values"]))
        yield Field(name=name, attribute=attribute_name(kind, name), **values)


def attribute_name(kind: str, field: str) -> str:
    """The name of a field in Terraform; words that are taken get the kind in front."""
    name = field.replace("-", "_")
    return f"{kind}_{name}" if name in _META or name in OWN else name


def _action(name: str, raw: dict[str, Any]) -> Action:  # Any: our own JSON
    return Action(
        name=name,
        sources=tuple(raw["from"]),
        to=raw["to"],
        sets=frozenset(raw.get("sets", ())),
        clears=frozenset(raw.get("clears", ())),
    )

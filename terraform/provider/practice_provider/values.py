"""Values on both sides: as Terraform holds them and as the cloud does.

A field is one attribute in Terraform; a file is two, its content in base64 and its name.
"""

import base64
import binascii
from collections.abc import Mapping
from typing import Any, NamedTuple

from tf.types import Unknown

from practice_provider.spec import Field, Kind

# Any: values of every kind, and Unknown; what they may be follows from the kind of their field.
Values = dict[str, Any]

_AS_GIVEN = frozenset({"code", "secret"})
"""Kinds whose blanks at the ends count."""
_UNORDERED = frozenset({"choices", "references"})


class Attribute(NamedTuple):
    """An attribute of a resource in Terraform."""

    name: str
    field: Field
    is_file_name: bool = False

    @property
    def default(self) -> Any:  # Any: as above
        """What it is when nothing is given; None: nothing."""
        return None if self.field.kind == "file" else self.field.default


def attributes(kind: Kind) -> list[Attribute]:
    """The attributes of a resource type, without those that all have."""
    found = []
    for field in kind.fields:
        found.append(Attribute(field.attribute, field))
        if field.kind == "file":
            found.append(Attribute(f"{field.attribute}_name", field, is_file_name=True))
    return found


def is_known(value: Any) -> bool:  # Any: as above
    """Whether a value holds nothing that is only known after an apply."""
    if isinstance(value, list):
        return all(map(is_known, value))
    if isinstance(value, dict):
        return all(map(is_known, value.values()))
    return value is not Unknown


def is_same(attribute: Attribute, one: Any, other: Any) -> bool:  # Any: as above
    """Whether two values mean the same to the cloud; nothing unknown does."""
    if not is_known(one) or not is_known(other):
        return False
    return bool(_meaning(attribute, one) == _meaning(attribute, other))


def _meaning(attribute: Attribute, value: Any) -> Any:  # Any: as above
    kind = attribute.field.kind
    if isinstance(value, str) and kind not in _AS_GIVEN:
        value = value.strip()
    if value in (None, "", [], {}):
        return None
    if kind == "file" and not attribute.is_file_name:
        return decoded(value)
    if kind == "tags":
        return {key.strip(): inner.strip() for key, inner in value.items()}
    return frozenset(value) if kind in _UNORDERED else value


def decoded(text: str) -> bytes | None:
    """The bytes of a text in base64; None when it is not such a text."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def to_cloud(field: Field, values: Mapping[str, Any]) -> Any:  # Any: as above, and JSON
    """The value of a field as the cloud takes it; None: there is none."""
    value = values.get(field.attribute)
    if value is Unknown:
        return None
    if field.kind == "file" and value is not None:
        return {"name": values.get(f"{field.attribute}_name") or "", "content": value}
    if field.kind in _UNORDERED:
        return list(value or ())
    if field.kind == "tags":
        return dict(value or {})
    return value


def from_cloud(
    kind: Kind, item: Mapping[str, Any], kept: Mapping[str, Any], contents: Mapping[str, bytes]
) -> Values:  # Any: JSON
    """The state of a resource in Terraform.

    Args:
        kind: Its type.
        item: What the cloud answered.
        kept: The state or plan so far. A value that means the same keeps its spelling there, and
            a secret, which the cloud does not answer, its value.
        contents: The bytes of its files by field.
    """
    state: Values = {"id": item["id"], "region": item.get("region", ""), "state": item["state"]}
    revealed = item.get("revealed", {})
    for attribute in attributes(kind):
        before = kept.get(attribute.name)
        if attribute.field.is_secret:
            now = revealed.get(attribute.field.name, before)
        else:
            now = _answered(attribute, item["values"].get(attribute.field.name), contents)
        if is_same(attribute, now, before):
            now = before
        state[attribute.name] = None if now is Unknown or now == "" != before else now
    return state


def _answered(attribute: Attribute, value: Any, contents: Mapping[str, bytes]) -> Any:  # Any: JSON
    field = attribute.field
    if field.kind == "file":
        if value is None:
            return None
        if attribute.is_file_name:
            return value["name"]
        return base64.b64encode(contents.get(field.name, b"")).decode()
    if value in ("", [], {}):
        return None
    return value

"""From our types to what `json.dumps` takes. The way back lives with each type.

Numbers and texts have bounds that the JSON schema tells. They are told, not enforced: what is in
the store is loaded and goes out as it is.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from enum import Enum
from functools import cache
from pathlib import PurePath
from typing import Annotated, TypeAlias

from pydantic import WithJsonSchema

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


def to_jsonable(value: object) -> Json:
    """Plain JSON data for dataclasses, enums, dates, paths, mappings and sequences, nested at will.

    Sets are sorted, so that equal values give equal text. A number that JSON has no word for (NaN,
    infinity) becomes null.

    Raises:
        TypeError: for anything else: what must not be written (secrets, handles) has no JSON form.
    """
    match value:
        case Enum():  # before str: a StrEnum is one
            return to_jsonable(value.value)
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else None
        case date():
            return _time(value)
        case PurePath():
            return value.as_posix()
        case Mapping():
            return {_key(key): to_jsonable(item) for key, item in value.items()}
        case set() | frozenset():
            return [to_jsonable(item) for item in sorted(value, key=str)]
        case list() | tuple():
            return _items(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {name: to_jsonable(getattr(value, name)) for name in field_names(type(value))}
    raise TypeError(f"a {type(value).__name__} has no JSON form")


def json_object(value: object) -> dict[str, Json]:
    """`to_jsonable` for what is known to be an object: a dataclass or a mapping."""
    plain = to_jsonable(value)
    if not isinstance(plain, dict):
        raise TypeError(f"a {type(value).__name__} is not a JSON object")
    return plain


@cache
def field_names(dataclass: type) -> tuple[str, ...]:
    """The names of a dataclass's fields, in order."""
    return tuple(field.name for field in fields(dataclass))


def _items(values: Iterable[object]) -> list[Json]:
    return [to_jsonable(item) for item in values]


def _time(value: date) -> str:
    if isinstance(value, datetime) and value.tzinfo is None:
        raise TypeError(f"{value.isoformat()} has no time zone: it means another time elsewhere")
    return value.isoformat()


def _key(key: object) -> str:
    plain = to_jsonable(key)
    return plain if isinstance(plain, str) else str(key)


Count: TypeAlias = Annotated[int, WithJsonSchema({"type": "integer", "minimum": 0})]
Amount: TypeAlias = Annotated[float, WithJsonSchema({"type": "number", "minimum": 0})]
Share: TypeAlias = Annotated[float, WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1})]
Place: TypeAlias = Annotated[int, WithJsonSchema({"type": "integer", "minimum": 1})]
"""A line or column, from 1."""
Digest: TypeAlias = Annotated[str, WithJsonSchema({"type": "string", "pattern": "^[0-9a-f]{64}$"})]
"""SHA-256, in hexadecimal."""

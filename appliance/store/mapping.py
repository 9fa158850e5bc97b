"""Dataclasses as rows, in one way for every table: each field is the column of its name."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields, is_dataclass
from datetime import datetime
from enum import StrEnum
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from appliance.core.jsonable import to_jsonable
from appliance.store.paging import Paged, Paging, Where
from appliance.store.rows import clean
from appliance.store.times import as_known, as_stored

if TYPE_CHECKING:  # of a row one can know without the database
    import duckdb

T = TypeVar("T")
Connection: TypeAlias = "duckdb.DuckDBPyConnection"
Read: TypeAlias = Callable[[Any], Any]  # Any: as DuckDB gives it, and of the field's type


class RowMap(Generic[T]):
    """How a dataclass stands in its table: columns follow from the fields, values from their types.

    Args:
        kind: The dataclass.
        table: Its table.
        json: Fields whose column holds JSON, and what makes a value of it.
        besides: Fields that are no columns: `read` is given them.
    """

    def __init__(
        self,
        kind: type[T],
        table: str,
        json: Mapping[str, Read] | None = None,
        besides: Sequence[str] = (),
    ) -> None:
        self._kind = kind
        self._table = table
        self._json = json or {}
        self.names = tuple(
            field.name
            for field in fields(kind)  # type: ignore[arg-type]  # a dataclass, as said
            if field.name not in besides
        )
        hints = get_type_hints(kind)
        self._readers: dict[str, Read] = {}
        for name in self.names:
            reader = self._of_json(self._json[name]) if name in self._json else _reader(hints[name])
            if reader is not None:
                self._readers[name] = reader
        self.columns = ", ".join(f'"{name}"' for name in self.names)

    def read(self, row: Sequence[Any], **besides: object) -> T:  # Any: as DuckDB gives it
        """What stands in a row of `columns`."""
        known = dict(zip(self.names, row, strict=True))
        for name, reader in self._readers.items():
            if known[name] is not None:
                known[name] = reader(known[name])
        return self._kind(**known, **besides)

    def select(
        self, connection: Connection, which: str = "", values: Sequence[object] = ()
    ) -> tuple[T, ...]:
        """The rows that `which` (`WHERE … ORDER BY …`, in words of ours) chooses."""
        rows = connection.execute(
            f"SELECT {self.columns} FROM {self._table} {which}",  # noqa: S608 - our names
            as_columns(values),
        ).fetchall()
        return tuple(map(self.read, rows))

    def find(self, connection: Connection, which: str, values: Sequence[object] = ()) -> T | None:
        """The first of the rows that `select` gives."""
        rows = self.select(connection, which, values)
        return rows[0] if rows else None

    def page(self, connection: Connection, where: Where, order: str, paging: Paging) -> Paged[T]:
        """A part of those for which `where` holds, and how many they are."""
        items = self.select(
            connection,
            f"WHERE {where.sql} ORDER BY {order} LIMIT ? OFFSET ?",
            [*where.values, paging.limit, paging.offset],
        )
        return Paged(items, where.count(connection, self._table))

    def insert(self, connection: Connection, one: T, **instead: object) -> None:
        """One more row; with other values than the fields', or more, where they are named."""
        values = {name: self._column(name, getattr(one, name)) for name in self.names} | instead
        columns = ", ".join(f'"{name}"' for name in values)
        marks = ", ".join("?" * len(values))
        connection.execute(
            f"INSERT INTO {self._table} ({columns}) VALUES ({marks})",  # noqa: S608 - our names
            list(values.values()),
        )

    def _column(self, name: str, value: object) -> object:
        if name in self._json:
            return None if value is None else json_text(value)
        return as_column(value)

    @staticmethod
    def _of_json(read: Read) -> Read:
        return lambda text: read(json.loads(text))


def json_text(value: object) -> str:
    """A value for a column that holds JSON."""
    return clean(json.dumps(to_jsonable(value), ensure_ascii=False))


def as_column(value: object) -> object:
    """A value for any other column, as DuckDB takes it."""
    match value:
        case datetime():
            return as_stored(value)
        case StrEnum():
            return value.value
        case str():
            return clean(value)
        case tuple() | list():
            return as_columns(value)
        case _ if is_dataclass(value) and not isinstance(value, type):
            return asdict(value)
        case _:
            return value


def as_columns(values: Sequence[object]) -> list[object]:
    """The parameters of a query, as DuckDB takes them."""
    return [as_column(value) for value in values]


def _reader(hint: Any) -> Read | None:  # Any: a type
    """What makes a value of that type of a column's; None: it is one already."""
    if get_origin(hint) in (Union, UnionType):
        hint = next(kind for kind in get_args(hint) if kind is not NoneType)
    if hint is datetime:
        return as_known
    if get_origin(hint) is tuple:
        return tuple
    if not isinstance(hint, type):
        return None
    if is_dataclass(hint):
        return lambda columns: hint(**columns)
    return hint if issubclass(hint, StrEnum) else None

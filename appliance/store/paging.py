"""Lists: which part of which rows, and how many there are in all."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Self, TypeVar

from appliance.store.rows import clean

if TYPE_CHECKING:  # of a row one can know without the database
    import duckdb

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Paging:
    """Which part of a list is wanted."""

    offset: int = 0
    limit: int = 50


@dataclass(frozen=True, slots=True)
class Paged(Generic[T]):
    """A part of a list."""

    items: tuple[T, ...]
    total: int
    """Of the whole list."""


def part_of(items: Sequence[T], paging: Paging) -> Paged[T]:
    """The part of a list that is short enough to be made whole."""
    part = items[paging.offset : paging.offset + paging.limit]
    return Paged(tuple(part), len(items))


class Where:
    """Conditions that hold all together. Columns are named in the code, values are parameters."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self.values: list[object] = []

    @property
    def sql(self) -> str:
        """The conditions, joined by AND, as SQL."""
        return " AND ".join(self._parts) or "true"

    def equal(self, **wanted: object) -> Self:
        """Every column that is asked for has that value; None: it is not asked for."""
        for column, value in wanted.items():
            if value is not None:
                self.that(f'"{column}" = ?', value)
        return self

    def that(self, condition: str, *values: object) -> Self:
        """Add a condition given as SQL."""
        self._parts.append(condition)
        self.values.extend(clean(v) if isinstance(v, str) else v for v in values)
        return self

    def mentions(self, query: str | None, columns: Sequence[str]) -> Self:
        """Each of these words is in one of the columns, in capitals or not."""
        one = " OR ".join(f"contains(lower({column}), lower(?))" for column in columns)
        for word in (query or "").split():
            self.that(f"({one})", *[word] * len(columns))
        return self

    def count(self, connection: "duckdb.DuckDBPyConnection", table: str) -> int:
        """The number of rows that fulfil the conditions."""
        row = connection.execute(
            f"SELECT count(*) FROM {table} WHERE {self.sql}",  # noqa: S608 - see the class
            self.values,
        ).fetchone()
        return int(row[0]) if row else 0

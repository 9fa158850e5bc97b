"""What the tables of a store have in common: each read a snapshot, each change a transaction."""

from collections.abc import Sequence
from typing import Any, ClassVar, TypeVar

from appliance.store.mapping import RowMap, as_columns
from appliance.store.paging import Paged, Paging, Where
from appliance.store.session import Session

T = TypeVar("T")


class Tables:
    """Tables of an open store. SQL and names of columns are ours, values are parameters."""

    about: ClassVar[str]
    """What they hold, as messages call it."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def _select(
        self, rows: RowMap[T], which: str = "", values: Sequence[object] = ()
    ) -> tuple[T, ...]:
        with self._session.reading(f"reading {self.about}") as connection:
            return rows.select(connection, which, values)

    def _find(self, rows: RowMap[T], which: str, values: Sequence[object]) -> T | None:
        return next(iter(self._select(rows, which, values)), None)

    def _page(self, rows: RowMap[T], where: Where, order: str, paging: Paging) -> Paged[T]:
        with self._session.reading(f"listing {self.about}") as connection:
            return rows.page(connection, where, order, paging)

    def _read(self, query: str, values: Sequence[object] = ()) -> list[Any]:  # Any: rows
        with self._session.reading(f"reading {self.about}") as connection:
            return connection.execute(query, as_columns(values)).fetchall()

    def _first(self, query: str, values: Sequence[object] = ()) -> Any:  # Any: a row, or None
        return next(iter(self._read(query, values)), None)

    def _insert(self, rows: RowMap[T], one: T, **more: object) -> None:
        with self._session.transaction(f"keeping {self.about}") as connection:
            rows.insert(connection, one, **more)

    def _write(self, change: str, values: Sequence[object] = ()) -> list[Any]:  # Any: rows
        """One change, in a transaction of its own; what it returns."""
        with self._session.transaction(f"changing {self.about}") as connection:
            return connection.execute(change, as_columns(values)).fetchall()

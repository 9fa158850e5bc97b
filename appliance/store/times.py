"""Times as the columns have them: UTC without saying so, as DuckDB's TIMESTAMP holds it."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import overload


@overload
def as_stored(moment: datetime) -> datetime: ...
@overload
def as_stored(moment: None) -> None: ...
@overload
def as_stored(moment: datetime | None) -> datetime | None: ...
def as_stored(moment: datetime | None) -> datetime | None:
    """For a column."""
    return None if moment is None else moment.astimezone(UTC).replace(tzinfo=None)


def as_column(value: object) -> object:
    """Any value for a column: times and words of ours as DuckDB takes them."""
    match value:
        case datetime():
            return as_stored(value)
        case StrEnum():
            return value.value
        case _:
            return value


@overload
def as_known(moment: datetime) -> datetime: ...
@overload
def as_known(moment: None) -> None: ...
@overload
def as_known(moment: datetime | None) -> datetime | None: ...
def as_known(moment: datetime | None) -> datetime | None:
    """From a column."""
    return None if moment is None else moment.replace(tzinfo=UTC)

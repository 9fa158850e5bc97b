"""Times as the columns have them: UTC without saying so, as DuckDB's TIMESTAMP holds it."""

from datetime import UTC, datetime
from typing import overload


@overload
def as_stored(moment: datetime) -> datetime: ...
@overload
def as_stored(moment: None) -> None: ...
@overload
def as_stored(moment: datetime | None) -> datetime | None: ...
def as_stored(moment: datetime | None) -> datetime | None:
    """A time as the store keeps it: UTC without a zone."""
    return None if moment is None else moment.astimezone(UTC).replace(tzinfo=None)


@overload
def as_known(moment: datetime) -> datetime: ...
@overload
def as_known(moment: None) -> None: ...
@overload
def as_known(moment: datetime | None) -> datetime | None: ...
def as_known(moment: datetime | None) -> datetime | None:
    """A time of the store with its zone, UTC."""
    return None if moment is None else moment.replace(tzinfo=UTC)

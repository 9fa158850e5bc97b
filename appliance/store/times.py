"""Times as the columns have them: UTC without saying so, as DuckDB's TIMESTAMP holds it."""

from datetime import UTC, datetime
from typing import TypeVar

M = TypeVar("M", datetime, None, datetime | None)


def as_stored(moment: M) -> M:
    """A time as the store keeps it: UTC without a zone."""
    return None if moment is None else moment.astimezone(UTC).replace(tzinfo=None)


def as_known(moment: M) -> M:
    """A time of the store with its zone, UTC."""
    return None if moment is None else moment.replace(tzinfo=UTC)

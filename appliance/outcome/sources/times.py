"""The time stamps of audit logs."""

from datetime import UTC, datetime


def parse_time(text: object) -> datetime | None:
    """A time stamp in ISO form, with `T` or a space; UTC where it has no zone. None: it is none."""
    if not isinstance(text, str):
        return None
    try:
        time = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)

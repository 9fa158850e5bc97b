"""What was made in clouds, as a server tells of it."""

from collections.abc import Mapping
from typing import Any

from appliance.cli._output import talk
from appliance.cli._remote import Server, read_as
from appliance.core.resources import Lifetime, Receipt
from appliance.environment.janitor import Reaped


def left_by(server: Server, *, is_all: bool) -> list[tuple[Lifetime, tuple[Receipt, ...]]]:
    """Attempts whose clean-up is not known to be complete, with what they made and removed."""
    if is_all:
        talk("What is long gone is not listed while the server runs.")
    return [
        (_lifetime(row), tuple(read_as(Receipt, one) for one in row["receipts"]))
        for row in server.get("/resources")["items"]
    ]


def reaped_by(server: Server, console: str | None, *, dry_run: bool) -> tuple[Reaped, ...]:
    """What the server's janitor has removed, or would remove."""
    asked = server.post("/resources/reap", console=console, dry_run=str(dry_run).lower())
    return tuple(_reaped(one) for one in asked["items"])


def _reaped(told: Mapping[str, Any]) -> Reaped:  # Any: JSON
    attempt = told["attempt"]
    return read_as(Reaped, dict(told) | {"attempt": _lifetime(attempt) if attempt else None})


def _lifetime(told: Mapping[str, Any]) -> Lifetime:  # Any: JSON
    """What the account held before is not told: it is long."""
    return read_as(Lifetime, {"baseline": None, **told})

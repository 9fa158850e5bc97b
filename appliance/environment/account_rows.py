"""How it stands with accounts: as rows to list, and as a sentence that says why none is free."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from appliance.config import AccountSettings
from appliance.core.resources import AccountHealth
from appliance.store.accounts import AccountState, LeaseRow


class Standing(StrEnum):
    """Whether an account can be leased."""

    FREE = "free"
    LEASED = "leased"
    LEFT_OVER = "left over"  # whoever leased it died: the janitor has to look at it first
    QUARANTINED = "quarantined"


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountRow:
    """An account with all that is known of it, without secrets."""

    console: str
    name: str
    """Its name in the settings."""
    username: str
    """The name that it logs in with."""
    role: str
    """What it may do, in the console's word."""
    region: str
    """Where it works; empty: the console's first region."""
    is_shareable: bool
    """Whether several attempts may use it at once."""
    standing: Standing
    """Whether it can be used now."""
    leases: tuple[LeaseRow, ...]
    """Who uses it, and who used it when the process died."""
    quarantined_at: datetime | None
    """None: it is not in quarantine."""
    quarantine_reason: str
    """Why it is."""
    quarantined_by: str
    """`clean-up`, `health`, or who did it."""
    checked_at: datetime | None
    """When it was looked at last."""
    health: AccountHealth | None
    """What that look said."""
    last_leased_at: datetime | None
    """When it was last taken or given back."""


def account_row(
    console: str,
    name: str,
    settings: AccountSettings,
    state: AccountState,
    held: Sequence[LeaseRow],
    left: Sequence[LeaseRow],
) -> AccountRow:
    """All that is known of one account."""
    return AccountRow(
        console=console,
        name=name,
        username=settings.username,
        role=settings.role,
        region=settings.region,
        is_shareable=settings.is_shareable,
        standing=standing(state, held, left),
        leases=(*left, *held),
        quarantined_at=state.quarantined_at,
        quarantine_reason=state.quarantine_reason,
        quarantined_by=state.quarantined_by,
        checked_at=state.checked_at,
        health=state.health,
        last_leased_at=state.last_leased_at,
    )


def standing(state: AccountState, held: Sequence[LeaseRow], left: Sequence[LeaseRow]) -> Standing:
    """What keeps it from being leased: the gravest thing."""
    if state.quarantined_at is not None:
        return Standing.QUARANTINED
    if left:
        return Standing.LEFT_OVER
    return Standing.LEASED if held else Standing.FREE


def what_to_do(console: str, rows: Sequence[AccountRow]) -> str:
    """What a person can do so that an account is free again."""
    quarantined = [row.name for row in rows if row.standing is Standing.QUARANTINED]
    if quarantined:
        name = quarantined[0]
        return (
            f"put it right, then `appliance account release {name}`,"
            f" or add an account to consoles.{console}.accounts"
        )
    return f"add an account to consoles.{console}.accounts, or let fewer run in parallel"


def in_words(row: AccountRow) -> str:
    """The state of one account, as a clause."""
    match row.standing:
        case Standing.QUARANTINED:
            since = f"{row.quarantined_at:%Y-%m-%d %H:%M} UTC"
            return (
                f"{row.name} is in quarantine since {since} by {row.quarantined_by}:"
                f" {row.quarantine_reason.rstrip('.')}"
            )
        case Standing.LEFT_OVER:
            return (
                f"{row.name} was left by {_holders(row)} and has to be cleaned up first"
                " (`appliance resource reap`)"
            )
        case Standing.LEASED:
            return f"{row.name} is used by {_holders(row)}"
        case Standing.FREE:
            return f"{row.name} is free"


def _holders(row: AccountRow) -> str:
    return ", ".join(f"{lease.holder} since {lease.taken_at:%H:%M} UTC" for lease in row.leases)

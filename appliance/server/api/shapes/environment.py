"""Accounts of consoles, and what was made in the clouds behind them."""

from typing import Annotated

from pydantic import ConfigDict, Field

from appliance.core.resources import Phase, ReceiptKind
from appliance.environment.account_rows import Standing
from appliance.server.api.shapes.base import Given, Moment, Page, Shown


class Lease(Shown):
    """An account in use, or left in use by a process that died."""

    id: str
    """Of the lease."""
    console: str
    """Name of the console in the settings."""
    account: str
    """Name of the account in the settings."""
    holder: str
    """What it is for: `RUN/PROCEDURE`."""
    taken_at: Moment
    """When it began."""
    heartbeat_at: Moment
    """Its last sign of life."""
    expires_at: Moment
    """When it ends without another one."""


class Quota(Shown):
    """How many of a kind an account may have."""

    used: int
    """How many there are."""
    limit: int | None
    """Null: as many as it likes."""


class Health(Shown):
    """What a look at an account said."""

    can_log_in: bool
    """Whether it can."""
    problem: str
    """Why not, in the console's words."""
    quota: dict[str, Quota]
    """By kind, where the console tells."""
    balance: str
    """Money left with its currency, where the console tells."""


class Account(Shown):
    """An account with all that is known of it, without secrets."""

    console: str
    """Name of the console in the settings."""
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
    leases: tuple[Lease, ...]
    """Who uses it."""
    quarantined_at: Moment | None
    """Null: it is not in quarantine."""
    quarantine_reason: str
    """Why it is."""
    quarantined_by: str
    """`clean-up`, `health`, or who did it."""
    checked_at: Moment | None
    """When it was looked at last."""
    health: Health | None
    """What that look said."""
    last_leased_at: Moment | None
    """When it was last taken or given back."""


class Accounts(Shown):
    """Accounts of a console."""

    items: tuple[Account, ...]
    """In the order of the settings."""


class Quarantine(Given):
    """Why nobody may use an account any more."""

    reason: Annotated[str, Field(min_length=1, max_length=1000)]
    """In a sentence."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"reason": "Its quota is being raised."}]}
    )


class Receipt(Shown):
    """One thing that was made or removed, or could not be."""

    deed: ReceiptKind
    """What was done."""
    kind: str
    """Of the thing."""
    id: str
    """Of the thing, as the cloud has it."""
    name: str
    """Of the thing."""
    why: str
    """Of a failure: the cloud's own words."""


class Lifetime(Shown):
    """An attempt as the cloud sees it: from before the first resource is made."""

    id: str
    """Of the attempt."""
    run_id: str
    """Run that it belongs to."""
    procedure_id: str
    """Empty: made by hand, ahead of a sweep, or to be shared."""
    number: int
    """Which attempt of its procedure."""
    console: str
    """Name of the console in the settings."""
    account: str
    """Name of the account in the settings."""
    unique: str
    """In the names of what is made for it."""
    phase: Phase
    """How far it is."""
    since: Moment
    """What is younger was made by it, or for it."""
    problem: str
    """Why something is left."""
    expires_at: Moment
    """When what was made for it is destroyed at the latest."""
    started_at: Moment
    """When it began."""
    ended_at: Moment | None
    """Null: it is under way, or was killed."""
    ends_with_run: bool
    """Whether the console itself was started for the run."""


class Resource(Lifetime):
    """What was made for an attempt, or by hand, and is not known to be gone."""

    receipts: tuple[Receipt, ...]
    """What was made and removed, oldest first."""
    is_alive: bool
    """Whether somebody works with it now."""


class Resources(Shown):
    """What stands in the clouds."""

    items: tuple[Resource, ...]
    """Oldest first."""


class Reaped(Shown):
    """One attempt, or one account's strays, and what became of it."""

    account: str
    """Name of the account in the settings."""
    attempt: Lifetime | None
    """Null: strays, which nobody remembers."""
    receipts: tuple[Receipt, ...]
    """What was removed, or would be."""
    problem: str
    """What is left, and why."""


class AllReaped(Shown):
    """What the janitor did, or would do."""

    items: tuple[Reaped, ...]
    """By attempt."""


class ConsoleLabel(Shown):
    """What a console calls something, as attempts saw it."""

    console: str
    """Name of the console in the settings."""
    release: str
    """As the settings call it; empty: they do not."""
    locale: str = Field(examples=["en"])
    """Language of the page."""
    page: str = Field(examples=["/console/storage/buckets/*"])
    """Its path, with * for what is a thing's own."""
    dialog: str
    """Title of the dialog it stands in; empty: in none."""
    parent: str
    """The menu that has it, or the field that offers it; empty: neither."""
    role: str = Field(examples=["button"])
    """ARIA role, or kind of text; `place` for all that stands there together."""
    name: str
    """Its words; empty for a place."""
    seen: int
    """By how many attempts."""
    first_seen: Moment
    """When it was seen first."""
    last_seen: Moment
    """When it was seen last."""


class ConsoleLabelPage(Page[ConsoleLabel]):
    """Labels of a console, in the order of its pages."""

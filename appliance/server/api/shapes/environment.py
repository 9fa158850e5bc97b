"""Accounts of consoles, and what was made in the clouds behind them."""

from typing import Annotated

from pydantic import ConfigDict, Field

from appliance.core import resources
from appliance.environment import account_rows, janitor
from appliance.server.api.shapes.base import Given, Items, Page, Shown, shape_of
from appliance.store import accounts, labels


@shape_of(accounts.LeaseRow)
class Lease(Shown):
    """An account in use, or left in use by a process that died."""


@shape_of(resources.AccountHealth)
class Health(Shown):
    """What a look at an account said."""


@shape_of(account_rows.AccountRow)
class Account(Shown):
    """An account with all that is known of it, without secrets."""


class Accounts(Items[Account]):
    """Accounts of a console, in the order of the settings."""


class Quarantine(Given):
    """Why nobody may use an account any more."""

    reason: Annotated[str, Field(min_length=1, max_length=1000)]
    """In a sentence."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"reason": "Its quota is being raised."}]}
    )


@shape_of(resources.Receipt)
class Receipt(Shown):
    """One thing that was made or removed, or could not be."""


@shape_of(resources.Lifetime, without=("baseline",))
class Lifetime(Shown):
    """An attempt as the cloud sees it: from before the first resource is made."""


class Resource(Lifetime):
    """What was made for an attempt, or by hand, and is not known to be gone."""

    receipts: tuple[Receipt, ...]
    """What was made and removed, oldest first."""
    is_alive: bool
    """Whether somebody works with it now."""


class Resources(Items[Resource]):
    """What stands in the clouds, oldest first."""


@shape_of(janitor.Reaped)
class Reaped(Shown):
    """One attempt, or one account's strays, and what became of it."""


class AllReaped(Items[Reaped]):
    """What the janitor did, or would do, by attempt."""


@shape_of(labels.ConsoleLabel)
class ConsoleLabel(Shown):
    """What a console calls something, as attempts saw it."""

    locale: str = Field(examples=["en"])
    """Language of the page."""
    page: str = Field(examples=["/console/storage/buckets/*"])
    """Its path, with * for what is a thing's own."""
    role: str = Field(examples=["button"])
    """ARIA role, or kind of text; `place` for all that stands there together."""


class ConsoleLabelPage(Page[ConsoleLabel]):
    """Labels of a console, in the order of its pages."""

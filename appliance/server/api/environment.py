"""`/accounts`, `/labels` and `/resources`: who may be logged in as, and what is in consoles."""

import asyncio
from typing import Annotated

from litestar import Controller
from litestar.params import FromPath, JSONBody, QueryParameter
from pydantic import ConfigDict, Field

from appliance.core import resources
from appliance.environment import account_rows, janitor
from appliance.server.activity import about
from appliance.server.api._consoles import OfConsole, console_of
from appliance.server.api._operations import acts, reads
from appliance.server.api._pages import page_of
from appliance.server.api.shapes.base import Items, Page, RequestShape, ResponseShape, shape_of
from appliance.server.callers import TheCaller
from appliance.server.paging import ThePaging
from appliance.server.parts import TheService
from appliance.server.permissions import Permission
from appliance.server.problems import AnyRequest
from appliance.store import accounts, labels


@shape_of(accounts.LeaseRow)
class Lease(ResponseShape):
    """An account in use, or left in use by a process that died."""


@shape_of(resources.AccountHealth)
class Health(ResponseShape):
    """What a look at an account said."""


@shape_of(account_rows.AccountRow)
class Account(ResponseShape):
    """An account with all that is known of it, without secrets."""


class Accounts(Items[Account]):
    """Accounts of a console, in the order of the settings."""


class Quarantine(RequestShape):
    """Why nobody may use an account any more."""

    reason: Annotated[str, Field(min_length=1, max_length=1000)]
    """In a sentence."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"reason": "Its quota is being raised."}]}
    )


@shape_of(resources.Receipt)
class Receipt(ResponseShape):
    """One thing that was made or removed, or could not be."""


@shape_of(resources.Lifetime, without=("baseline",))
class Lifetime(ResponseShape):
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
class Reaped(ResponseShape):
    """One attempt, or one account's strays, and what became of it."""


class AllReaped(Items[Reaped]):
    """What the janitor did, or would do, by attempt."""


@shape_of(labels.ConsoleLabel)
class ConsoleLabel(ResponseShape):
    """What a console calls something, as attempts saw it."""

    locale: str = Field(examples=["en"])
    """Language of the page."""
    page: str = Field(examples=["/console/storage/buckets/*"])
    """Its path, with * for what is a thing's own."""
    role: str = Field(examples=["button"])
    """ARIA role, or kind of text; `place` for all that stands there together."""


class ConsoleLabelPage(Page[ConsoleLabel]):
    """Labels of a console, in the order of its pages."""


class AccountsOfConsole(Controller):
    """Look at accounts, check them, keep them out."""

    path = "/accounts"
    tags = ("Environment",)

    @reads("", "listAccounts", "List accounts", fails=(404,))
    async def list(self, service: TheService, console: OfConsole = None) -> Accounts:
        """Of one console, without secrets."""
        name = console_of(service, console)
        rows = await asyncio.to_thread(service.engine.clouds.accounts, name)
        return Accounts.model_validate({"items": rows})

    @acts(
        "/{name:str}/check",
        "checkAccount",
        "Check an account",
        Permission.CHECK_ACCOUNT,
        fails=(404, 409, 422, 502),
        answers="The account as it stands now.",
    )
    async def check(
        self, service: TheService, name: FromPath[str], console: OfConsole = None
    ) -> Account:
        """Tries the log-in and asks for quotas; who cannot log in goes into quarantine."""
        on = console_of(service, console)
        about(f"{on}/{name}")
        return Account.model_validate(await service.engine.clouds.check_account(on, name))

    @acts(
        "/{name:str}/log-in",
        "recordLogIn",
        "Record the log-in of an account",
        Permission.RECORD_LOG_IN,
        fails=(404, 409, 422, 502),
        answers="The account as it stands now.",
    )
    async def record_log_in(
        self, service: TheService, name: FromPath[str], console: OfConsole = None
    ) -> Account:
        """Asks a person, who logs in by the page's picture (`/questions`), and waits for them."""
        on = console_of(service, console)
        about(f"{on}/{name}")
        return Account.model_validate(await service.engine.clouds.record_log_in(on, name))

    @acts(
        "/{name:str}/quarantine",
        "quarantineAccount",
        "Put an account into quarantine",
        Permission.QUARANTINE_ACCOUNT,
        fails=(404, 409, 413, 422, 502),
        answers="The account as it stands now.",
    )
    async def quarantine(
        self,
        service: TheService,
        caller: TheCaller,
        name: FromPath[str],
        data: JSONBody[Quarantine],
        console: OfConsole = None,
    ) -> Account:
        """Nobody uses it from now on, until it is released."""
        on = console_of(service, console)
        about(f"{on}/{name}", data.reason)
        row = await service.engine.clouds.quarantine(on, name, data.reason, caller.name)
        return Account.model_validate(row)

    @acts(
        "/{name:str}/release",
        "releaseAccount",
        "Release an account",
        Permission.RELEASE_ACCOUNT,
        fails=(404, 409, 422, 502),
        answers="The account as it stands now.",
    )
    async def release(
        self, service: TheService, name: FromPath[str], console: OfConsole = None
    ) -> Account:
        """It may be used again."""
        on = console_of(service, console)
        about(f"{on}/{name}")
        return Account.model_validate(await service.engine.clouds.release(on, name))


class LabelsOfConsole(Controller):
    """Look at labels."""

    path = "/labels"
    tags = ("Environment",)

    @reads("", "listLabels", "List labels", fails=(404,))
    async def list(
        self,
        request: AnyRequest,
        service: TheService,
        paging: ThePaging,
        console: OfConsole = None,
        release: Annotated[
            str | None, QueryParameter(max_length=200, description="Only of that release.")
        ] = None,
    ) -> ConsoleLabelPage:
        """Of one console, page by page: no words of people's own."""
        name = console_of(service, console)
        table = service.store.labels
        labels = await asyncio.to_thread(table.page, paging, console=name, release=release)
        return page_of(ConsoleLabelPage, labels, paging, request)


class ResourcesInClouds(Controller):
    """Look at what stands, and have it removed."""

    path = "/resources"
    tags = ("Environment",)

    @reads("", "listResources", "List resources", fails=(404,))
    async def list(self, service: TheService, console: OfConsole = None) -> Resources:
        """Attempts whose clean-up is not known to be complete; those under way among them."""
        name = console_of(service, console) if console else None
        rows = await service.engine.clouds.resources(name)
        return Resources(
            items=tuple(
                Resource.of(row.lifetime, receipts=row.receipts, is_alive=row.is_alive)
                for row in rows
            )
        )

    @acts(
        "/reap",
        "reapResources",
        "Remove what is left over",
        Permission.REMOVE_LEFTOVERS,
        fails=(404, 409, 422, 502),
        answers="What was removed, or would be.",
    )
    async def reap(
        self,
        service: TheService,
        console: OfConsole = None,
        is_dry_run: Annotated[
            bool, QueryParameter(name="dry_run", description="Only say what would be removed.")
        ] = False,
    ) -> AllReaped:
        """What a crash left, what is past its time, and what nobody remembers.

        What an attempt works with now is left alone.
        """
        on = console_of(service, console)
        about(on, "only looked" if is_dry_run else "")
        reaped = await service.engine.clouds.reap(on, is_dry_run)
        return AllReaped.model_validate({"items": reaped})

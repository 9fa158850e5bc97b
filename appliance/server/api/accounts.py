"""`/accounts`: who may be logged in as, how they are, who is kept out and why."""

import asyncio

from litestar import Controller
from litestar.params import FromPath, JSONBody

from appliance.server.activity import about
from appliance.server.api._consoles import OfConsole, console_of
from appliance.server.api._operations import acts, reads
from appliance.server.api.shapes.environment import Account, Accounts, Quarantine
from appliance.server.callers import TheCaller
from appliance.server.parts import TheService
from appliance.server.permissions import Permission


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

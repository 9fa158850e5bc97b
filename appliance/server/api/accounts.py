"""`/accounts`: who may be logged in as, how they are, who is kept out and why."""

import asyncio

from litestar import Controller, get, post
from litestar.params import FromPath, JSONBody

from appliance.server.activity import about
from appliance.server.api._consoles import OfConsole, console_of
from appliance.server.api._operations import problems
from appliance.server.api.shapes.environment import Account, Accounts, Quarantine
from appliance.server.callers import TheCaller
from appliance.server.parts import TheService
from appliance.server.permissions import Permission, needs


class AccountsOfConsole(Controller):
    """Look at accounts, check them, keep them out."""

    path = "/accounts"
    tags = ("Environment",)

    @get(operation_id="listAccounts", summary="List accounts", responses=problems(404))
    async def list(self, service: TheService, console: OfConsole = None) -> Accounts:
        """Of one console, without secrets."""
        name = console_of(service, console)
        rows = await asyncio.to_thread(service.engine.clouds.accounts, name)
        return Accounts.model_validate({"items": rows})

    @post(
        "/{name:str}/check",
        operation_id="checkAccount",
        summary="Check an account",
        status_code=200,
        opt=needs(Permission.CHECK_ACCOUNT),
        response_description="The account as it stands now.",
        responses=problems(403, 404, 409, 422, 502),
    )
    async def check(
        self, service: TheService, name: FromPath[str], console: OfConsole = None
    ) -> Account:
        """Tries the log-in and asks for quotas; who cannot log in goes into quarantine."""
        on = console_of(service, console)
        about(f"{on}/{name}")
        return Account.model_validate(await service.engine.clouds.check_account(on, name))

    @post(
        "/{name:str}/quarantine",
        operation_id="quarantineAccount",
        summary="Put an account into quarantine",
        status_code=200,
        opt=needs(Permission.QUARANTINE_ACCOUNT),
        response_description="The account as it stands now.",
        responses=problems(403, 404, 409, 413, 422, 502),
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

    @post(
        "/{name:str}/release",
        operation_id="releaseAccount",
        summary="Release an account",
        status_code=200,
        opt=needs(Permission.RELEASE_ACCOUNT),
        response_description="The account as it stands now.",
        responses=problems(403, 404, 409, 422, 502),
    )
    async def release(
        self, service: TheService, name: FromPath[str], console: OfConsole = None
    ) -> Account:
        """It may be used again."""
        on = console_of(service, console)
        about(f"{on}/{name}")
        return Account.model_validate(await service.engine.clouds.release(on, name))

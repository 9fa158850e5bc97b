"""`/consoles`: which there are, and those that are made here."""

import asyncio

from litestar import Controller, delete, put
from litestar.params import FromPath, JSONBody
from pydantic import ConfigDict

from appliance.config import ConsoleSettings
from appliance.engine import console_editing
from appliance.server.activity import about
from appliance.server.api._operations import acts, problems, reads
from appliance.server.api.shapes.base import Items, RequestShape, ResponseShape, shape_of
from appliance.server.parts import TheService
from appliance.server.permissions import Permission, needs


@shape_of(console_editing.ConsoleState)
class Console(ResponseShape):
    """A console, and how it stands with it."""


class Consoles(Items[Console]):
    """Consoles, in the order of the settings."""


class ConsoleAsked(ConsoleSettings, RequestShape):
    """A console to be set, as the settings file would have it; secrets are named, never sent."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "kind": "generic",
                    "url": "https://console.example/login",
                    "accounts": {"docs": {"username": "docs", "password_env": "LAB_PASSWORD"}},
                }
            ]
        }
    )


class ConsoleShown(ResponseShape):
    """A console as it was set."""

    name: str
    """Its name."""
    settings: ConsoleSettings
    """As it was set; secrets are names of variables and files."""


@shape_of(console_editing.AccountTrial)
class AccountTrial(ResponseShape):
    """Whether an account got in."""


class ConsoleTrial(Items[AccountTrial]):
    """Each account in its turn, or why the console itself does not answer."""


class EditableConsoles(Controller):
    """Look at consoles, set them, try them."""

    path = "/consoles"
    tags = ("Environment",)

    @reads("", "listConsoles", "List consoles")
    async def list(self, service: TheService) -> Consoles:
        """With where they stand, and why one cannot be worked in."""
        states = await asyncio.to_thread(service.engine.consoles.list)
        return Consoles.model_validate({"items": states})

    @reads(
        "/{name:str}",
        "getConsole",
        "Get a console",
        fails=(403, 404),
        opt=needs(Permission.READ_CONSOLES),
    )
    async def show(self, service: TheService, name: FromPath[str]) -> ConsoleShown:
        """As it is set; no secret is in it."""
        await asyncio.to_thread(service.engine.consoles.get, name)
        return ConsoleShown(name=name, settings=service.settings.consoles[name])

    @put(
        "/{name:str}",
        operation_id="putConsole",
        summary="Set a console",
        opt=needs(Permission.SET_CONSOLE),
        response_description="The console as it stands now.",
        responses=problems(403, 413, 422),
    )
    async def put(
        self, service: TheService, name: FromPath[str], data: JSONBody[ConsoleAsked]
    ) -> Console:
        """A new one, or in place of one that was made here. It is kept, and opened.

        Its hosts, files and variables have to be among those that `server.consoles` names in the
        settings.
        """
        about(name, f"kind={data.kind}, url={data.url}")
        return Console.of(await service.engine.consoles.put(name, _plain(data)))

    @delete(
        "/{name:str}",
        operation_id="deleteConsole",
        summary="Remove a console",
        opt=needs(Permission.REMOVE_CONSOLE),
        response_description="It is gone; what was found in it is kept.",
        responses=problems(403, 404, 422),
    )
    async def delete(self, service: TheService, name: FromPath[str]) -> None:
        """Only one that was made here, and has no run that is not over."""
        await service.engine.consoles.remove(name)

    @acts(
        "/{name:str}/trial",
        "tryConsole",
        "Try a console",
        Permission.TRY_CONSOLE,
        fails=(413, 422),
        answers="Whether it answers, and lets each account in.",
    )
    async def try_out(
        self, service: TheService, name: FromPath[str], data: JSONBody[ConsoleAsked]
    ) -> ConsoleTrial:
        """Before it is set: nothing is kept. A browser logs in for real."""
        about(name, f"url={data.url}")
        trials = await service.engine.consoles.try_out(name, _plain(data))
        return ConsoleTrial.model_validate({"items": trials})


def _plain(data: ConsoleAsked) -> ConsoleSettings:
    return ConsoleSettings.model_validate(data.model_dump(exclude_unset=True))

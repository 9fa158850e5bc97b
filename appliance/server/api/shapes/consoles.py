"""Consoles, and whether accounts get in."""

from pydantic import ConfigDict

from appliance.config import ConsoleSettings
from appliance.engine import console_editing
from appliance.server.api.shapes.base import Given, Items, Shown, shape_of


@shape_of(console_editing.ConsoleState)
class Console(Shown):
    """A console, and how it stands with it."""


class Consoles(Items[Console]):
    """Consoles, in the order of the settings."""


class ConsoleAsked(ConsoleSettings, Given):
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


class ConsoleShown(Shown):
    """A console as it was set."""

    name: str
    """Its name."""
    settings: ConsoleSettings
    """As it was set; secrets are names of variables and files."""


@shape_of(console_editing.AccountTrial)
class AccountTrial(Shown):
    """Whether an account got in."""


class ConsoleTrial(Items[AccountTrial]):
    """Each account in its turn, or why the console itself does not answer."""

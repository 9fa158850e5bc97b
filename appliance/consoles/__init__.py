"""Consoles under verification, one adapter for each kind."""

from typing import assert_never

from appliance.config import ConsoleSettings
from appliance.consoles.base import Account, Console, Provided, TerraformAccess, Trace
from appliance.core.errors import SetupError

__all__ = ["Account", "Console", "Provided", "TerraformAccess", "Trace", "open_console"]


def open_console(name: str, settings: ConsoleSettings) -> Console:
    """The adapter of a console. Nothing is connected to yet.

    Raises:
        SetupError: The settings lack an address, or name a kind that has no adapter.
    """
    if not settings.url:
        raise SetupError(f"consoles.{name}.url is empty: give the address of the console")
    match settings.kind:
        case "practice":
            from appliance.consoles.practice import PracticeConsole

            return PracticeConsole(name, settings)
        case "openstack":
            from appliance.consoles.openstack import OpenStackConsole

            return OpenStackConsole(name, settings)
        case "generic":
            raise SetupError(
                f"consoles.{name}.kind: there is no adapter for generic consoles yet; "
                "choose practice or openstack"
            )
        case _:
            assert_never(settings.kind)

"""The adapter for a console's settings."""

from collections.abc import Mapping, Sequence
from typing import assert_never

from appliance.config import BrowserSettings, ConsoleSettings, Settings
from appliance.consoles.base import Console
from appliance.consoles.recorded import RecordedLogIns
from appliance.core.checks import AnyOf, EventRule
from appliance.core.errors import SetupError
from appliance.store.store import Store
from appliance.system.network.network import DIRECT, Network


def configured_console(settings: Settings, name: str, store: Store | None = None) -> Console:
    """The adapter of a console of the settings, as all of them say; see `open_console`. Blocks.

    Raises:
        SetupError: The settings lack something, or the key of recorded log-ins cannot be read.
    """
    return open_console(
        name,
        settings.consoles[name],
        store=store,
        browser=settings.browser,
        network=settings.network_of(name),
        recorded=RecordedLogIns.of(settings),
    )


def open_console(
    name: str,
    settings: ConsoleSettings,
    *,
    store: Store | None = None,
    browser: BrowserSettings | None = None,
    network: Network = DIRECT,
    recorded: RecordedLogIns | None = None,
) -> Console:
    """The adapter of a console. Nothing is connected to yet.

    The store has the audit events that a backend posted to us. The browser is for the health checks
    of generic consoles, the recorded log-ins for those that have no other; the network says how all
    of it is reached.

    Raises:
        SetupError: The settings lack an address, or something for the audit log.
    """
    if not settings.url:
        raise SetupError(f"consoles.{name}.url is empty: give the address of the console")
    match settings.kind:
        case "practice":
            from appliance.consoles.practice.console import PracticeConsole

            return PracticeConsole(name, settings, network)
        case "openstack":
            from appliance.consoles.openstack.console import OpenStackConsole

            return OpenStackConsole(name, settings, network)
        case "generic":
            from appliance.consoles.generic.console import GenericConsole

            return GenericConsole(
                name, settings, network, store=store, browser=browser, recorded=recorded
            )
        case _:
            assert_never(settings.kind)


async def cause_events(
    rules: Sequence[EventRule | AnyOf],
    console: ConsoleSettings,
    username: str,
    bindings: Mapping[str, str],
) -> None:
    """Do by the practice cloud's API what audit rules expect; see `practice/causing.py`."""
    from appliance.consoles.practice.causing import cause_events as cause

    await cause(rules, console, username, bindings)

"""Makes a missing prerequisite while an attempt waits: `request_resource`."""

from collections.abc import Mapping
from typing import Protocol

from appliance.consoles.base import Account
from appliance.core.checks import Need
from appliance.core.errors import AttemptError
from appliance.core.page import Performed
from appliance.core.resources import Lifetime
from appliance.environment.needs import find_module
from appliance.environment.provisioning import Provisioner


class Coder(Protocol):
    """Makes what no module provides: see `environment.coder`."""

    async def supply(self, request: str, lifetime: Lifetime, account: Account) -> Performed:
        """Make it, and say what was made or why not."""
        ...


class Requests:
    """What an agent may ask for."""

    def __init__(self, provisioner: Provisioner, coder: Coder | None) -> None:
        self._provisioner = provisioner
        self._coder = coder

    async def supply(
        self, words: str, lifetime: Lifetime, account: Account, values: Mapping[str, str]
    ) -> Performed:
        """Make what the words ask for: by the module that provides it, else by the coder.

        Never raises: that it cannot be made is for the agent to know.
        """
        module = find_module(words, self._provisioner.modules)
        if module is None and self._coder is not None:
            return await self._coder.supply(words, lifetime, account)
        if module is None:
            known = ", ".join(sorted(self._provisioner.modules)) or "nothing"
            return Performed(
                ok=False, error=f"no resource module provides {words!r}; there are: {known}"
            )
        need = Need(kind=module.name)
        try:
            supply = await self._provisioner.provide(lifetime, account, [need], values)
        except AttemptError as exc:
            return Performed(ok=False, error=f"{words} could not be made: {exc}")
        made = ", ".join(f"{word}: {name}" for word, name in supply.bindings.items())
        return Performed(ok=True, report=f"Made on request: {made}.")

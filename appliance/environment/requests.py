"""Makes a missing prerequisite while an attempt waits: `request_resource`."""

from collections.abc import Mapping

from appliance.consoles.base import Account
from appliance.core.checks import Need
from appliance.core.errors import AttemptError
from appliance.core.page import Performed
from appliance.core.resources import Lifetime
from appliance.environment.needs import find_module
from appliance.environment.provisioning import Provisioner


class Requests:
    """What an agent may ask for."""

    def __init__(self, provisioner: Provisioner) -> None:
        self._provisioner = provisioner

    async def supply(
        self, words: str, lifetime: Lifetime, account: Account, values: Mapping[str, str]
    ) -> Performed:
        """Make what the words ask for: by the module that provides it, else by the coder.

        Never raises: that it cannot be made is for the agent to know.
        """
        module = find_module(words, self._provisioner.modules)
        if module is None and self._provisioner.coder is not None:
            return await self._provisioner.coder.supply(words, lifetime, account)
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

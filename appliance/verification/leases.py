"""One attempt an account at a time; whoever waits takes the first account that becomes free."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from appliance.consoles.base import Account, Console


class Leases:
    """Locks by account name."""

    def __init__(self) -> None:
        self._busy: set[str] = set()
        self._freed = asyncio.Condition()

    @asynccontextmanager
    async def account(self, console: Console, wanted: str | None) -> AsyncIterator[Account]:
        """A free account that fits, waited for; `ConsoleError` when the console has none."""
        fitting = console.accounts(wanted)
        async with self._freed:
            await self._freed.wait_for(lambda: any(a.name not in self._busy for a in fitting))
            taken = next(a for a in fitting if a.name not in self._busy)
            self._busy.add(taken.name)
        try:
            yield taken
        finally:
            async with self._freed:
                self._busy.discard(taken.name)
                self._freed.notify_all()

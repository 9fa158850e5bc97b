"""vLLM as a child: what it says, its end."""

import asyncio
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Self

from appliance.core.errors import ModelError
from appliance.inference.server._log import BoundedLog
from appliance.system.processes import GuardedProcess

_KILLED_WITHIN_S = 10.0
"""From SIGKILL until the kernel has taken it away: a driver may hold on to GPU memory."""


class NotStartedError(ModelError):
    """The program could not be started, or ended before it answered."""


class VllmProcess(GuardedProcess):
    """A running vLLM and all that it started."""

    def __init__(self, log: BoundedLog) -> None:
        super().__init__()
        self._log = log

    @classmethod
    async def start(
        cls, command: Sequence[str], environment: Mapping[str, str], log: BoundedLog
    ) -> Self:
        """Start it; `NotStartedError` where it is no program."""
        child = cls(log)
        try:
            await child.begin(command, environment, mixes_errors=True)
        except OSError as exc:
            raise NotStartedError(f"{command[0]} cannot be started: {exc}") from exc
        return child

    @property
    def ended(self) -> str:
        """How the process ended, as a clause: with which code or signal."""
        code = self.returncode
        if code is None:
            return "runs"
        if code >= 0:
            return f"ended with {code}"
        hint = ", as a system does that is out of memory" if self.was_killed else ""
        return f"was ended by {_signal(-code)}{hint}"

    @property
    def was_killed(self) -> bool:
        """Whether somebody else ended it, without asking."""
        return self.returncode == -signal.SIGKILL

    async def stop(self, within_s: float) -> None:
        """Ask it to end, then kill what is left of the group."""
        self.send(signal.SIGTERM)  # it ends its engine and workers, in order
        with suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                await self.exited.wait()
        await self.kill(_KILLED_WITHIN_S)

    def receive(self, fd: int, data: bytes) -> None:
        """Write all output into the log."""
        self._log.feed(data)


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"

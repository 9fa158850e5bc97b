"""vLLM as a child: its process group, what it says, its end."""

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Self

from appliance.core.errors import ModelError
from appliance.inference.server._log import BoundedLog

_KILLED_WITHIN_S = 10.0
"""From SIGKILL until the kernel has taken it away: a driver may hold on to GPU memory."""

# The shell becomes the program, and leaves a guard behind in the program's process group. The guard
# reads from a pipe that this process holds: when this process dies, however it dies, the pipe
# closes and the guard ends the whole group. (PR_SET_PDEATHSIG would reach the program only, and
# vLLM's engine and its workers, which hold the GPUs, would be orphans.)
_GUARDED = """
exec 3<&0
{ trap '' TERM INT; read -r line <&3; kill -KILL $$; kill -KILL 0; } >/dev/null 2>&1 &
exec "$@" 3<&- </dev/null
"""


class NotStartedError(ModelError):
    """The program could not be started, or ended before it answered."""


class Child(asyncio.SubprocessProtocol):
    """A running vLLM and all that it started."""

    def __init__(self, log: BoundedLog) -> None:
        self.exited = asyncio.Event()
        """Set once the program itself has ended; what it started may still be there."""
        self._log = log
        self._closed = asyncio.Event()
        self._transport: asyncio.SubprocessTransport

    @classmethod
    async def start(
        cls, command: Sequence[str], environment: Mapping[str, str], log: BoundedLog
    ) -> Self:
        """Start it; `NotStartedError` where it is no program."""
        child = cls(log)
        starting = asyncio.ensure_future(
            asyncio.get_running_loop().subprocess_exec(
                lambda: child,
                *("/bin/sh", "-c", _GUARDED, "sh", *command),
                env=dict(environment),
                stderr=asyncio.subprocess.STDOUT,
                start_new_session=True,
            )
        )
        try:
            # Not to be interrupted: asyncio would wait for ever for pipes that it has not yet.
            await asyncio.shield(starting)
        except asyncio.CancelledError:
            await starting
            await child.stop(0)
            raise
        except OSError as exc:
            raise NotStartedError(f"{command[0]} cannot be started: {exc}") from exc
        return child

    @property
    def pid(self) -> int:
        """Of the program, which leads its process group."""
        return self._transport.get_pid()

    @property
    def ended(self) -> str:
        """How it ended, in words."""
        code = self._transport.get_returncode()
        if code is None:
            return "runs"
        if code >= 0:
            return f"ended with {code}"
        hint = ", as a system does that is out of memory" if self.was_killed else ""
        return f"was ended by {_signal(-code)}{hint}"

    @property
    def was_killed(self) -> bool:
        """Whether somebody else ended it, without asking."""
        return self._transport.get_returncode() == -signal.SIGKILL

    async def stop(self, within_s: float) -> None:
        """Ask it to end, then kill what is left of the group."""
        if not self.exited.is_set():
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGTERM)  # it ends its engine and workers, in order
            with suppress(TimeoutError):
                async with asyncio.timeout(within_s):
                    await self.exited.wait()
        with suppress(ProcessLookupError, PermissionError):  # the guard keeps the number taken
            os.killpg(self.pid, signal.SIGKILL)
        with suppress(TimeoutError):
            async with asyncio.timeout(_KILLED_WITHIN_S):
                await self.exited.wait()
                await self._closed.wait()
        self._transport.close()
        _bury(self.pid)

    # What asyncio calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """It was started."""
        assert isinstance(transport, asyncio.SubprocessTransport)  # noqa: S101 - for the type checker
        self._transport = transport

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """It says something."""
        self._log.feed(data)

    def process_exited(self) -> None:
        """The program has ended."""
        self.exited.set()

    def connection_lost(self, exc: Exception | None) -> None:
        """All its pipes are closed."""
        self._closed.set()


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _bury(group: int) -> None:
    """Wait for what was left to us of a killed group: a container's first process inherits it."""
    with suppress(ChildProcessError):
        while os.waitpid(-group, os.WNOHANG)[0]:
            pass

"""A program in a process group of its own that does not outlive this process."""

import asyncio
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

from appliance.core.errors import ProvisioningError

LINE_LIMIT = 16 << 20
"""Bytes of a line that are kept: a plan as JSON is one line."""
SAID_LIMIT = 16 << 10
"""Bytes of the standard error that are kept: its end."""
END_TIMEOUT_S = 5.0
"""From being killed until all its pipes are closed."""

# The shell becomes the program, and leaves a guard behind in the program's process group. The guard
# reads from a pipe that this process holds: when this process dies, however it dies, the pipe
# closes and the guard ends the whole group, so that neither Terraform nor a provider goes on
# writing. (PR_SET_PDEATHSIG would reach the program only, and its providers would be orphans.)
GUARDED = """
exec 3<&0
{ read -r line <&3; kill -KILL $$; kill -KILL 0; } >/dev/null 2>&1 &
exec "$@" 3<&- </dev/null
"""


class Guarded(asyncio.SubprocessProtocol):
    """A running program and all that it started."""

    def __init__(self, on_line: Callable[[str], None]) -> None:
        self.exited = asyncio.Event()
        """Set once the program itself has ended; what it started may still be there."""
        self._closed = asyncio.Event()
        self._on_line = on_line
        self._line, self._said = bytearray(), bytearray()
        self._is_overlong = False
        self._transport: asyncio.SubprocessTransport

    @classmethod
    async def start(
        cls,
        command: Sequence[str],
        *,
        folder: Path,
        environment: Mapping[str, str],
        on_line: Callable[[str], None],
    ) -> Self:
        """Start it; `on_line` is given each line of its standard output."""
        if not os.access(command[0], os.X_OK):
            raise ProvisioningError(f"{command[0]} cannot be started: it is no program")
        started = cls(on_line)
        try:
            await asyncio.get_running_loop().subprocess_exec(
                lambda: started,
                *("/bin/sh", "-c", GUARDED, "sh", *command),
                cwd=folder,
                env=dict(environment),
                start_new_session=True,
            )
        except OSError as exc:
            raise ProvisioningError(f"{command[0]} cannot be started in {folder}: {exc}") from exc
        return started

    @property
    def pid(self) -> int:
        """Of the program, which leads its process group."""
        return self._transport.get_pid()

    @property
    def code(self) -> int:
        """Its exit status, once it has ended."""
        code = self._transport.get_returncode()
        return -1 if code is None else code

    @property
    def stderr(self) -> str:
        """The end of its standard error."""
        return self._said.decode(errors="replace").strip()

    def interrupt(self) -> None:
        """Ask it to stop: only it. A provider that is interrupted forgets what it was making."""
        if not self.exited.is_set():
            # The guard is in the group, so that its number belongs to nobody else yet.
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGINT)

    async def end(self) -> None:
        """Kill what is left of the group, and wait for it."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        with suppress(TimeoutError):
            async with asyncio.timeout(END_TIMEOUT_S):
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
        if fd == 1:
            self._hear(data)
            return
        self._said += data
        del self._said[:-SAID_LIMIT]

    def process_exited(self) -> None:
        """The program has ended."""
        self.exited.set()

    def connection_lost(self, exc: Exception | None) -> None:
        """All its pipes are closed."""
        if self._line:
            self._tell(bytes(self._line))
        self._closed.set()

    def _hear(self, data: bytes) -> None:
        *complete, rest = data.split(b"\n")
        for part in complete:
            line, self._line = bytes(self._line) + part, bytearray()
            if not self._is_overlong:
                self._tell(line)
            self._is_overlong = False
        if not self._is_overlong:
            self._line += rest
            if len(self._line) > LINE_LIMIT:
                self._line, self._is_overlong = bytearray(), True

    def _tell(self, line: bytes) -> None:
        self._on_line(line.decode(errors="replace").removesuffix("\r"))


def _bury(group: int) -> None:
    """Wait for what was left to us of a killed group: a container's first process inherits it."""
    with suppress(ChildProcessError):
        while os.waitpid(-group, os.WNOHANG)[0]:
            pass

"""Programs in a process group of their own that do not outlive this process, and their end."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")

# The shell becomes the program, and leaves a guard behind in the program's process group. The guard
# reads from a pipe that this process holds: when this process dies, however it dies, the pipe
# closes and the guard ends the whole group. No pid is guessed: $$ cannot be given to another
# process while the guard is in its group. (PR_SET_PDEATHSIG would reach the program only, and what
# it started - providers, engines that hold GPUs - would be orphans.) A folder that is named goes
# with it.
_GUARDED = """
exec 3<&0
{
  trap '' TERM INT; read -r line <&3; kill -KILL $$
  [ -z "$0" ] || rm -rf -- "$0"
  kill -KILL 0
} >/dev/null 2>&1 &
exec "$@" 3<&- </dev/null
"""


def guarded(command: Sequence[str], folder: Path | None = None) -> list[str]:
    """The command that runs another one with a guard.

    It is to lead a process group, with a pipe as its standard input that only this process holds.

    The folder is removed when this process dies first.
    """
    return ["/bin/sh", "-c", _GUARDED, "" if folder is None else str(folder), *command]


def kill_group(group: int) -> None:
    """Kill all processes of a group, if there are any; whoever started its leader waits for it."""
    with suppress(ProcessLookupError, PermissionError):  # macOS may not signal the dead
        os.killpg(group, signal.SIGKILL)


def reap_group(group: int, *, waits: bool = False) -> None:
    """Take up what a killed group left to us: a container's first process inherits orphans.

    Whether it `waits` for those that have not ended yet: never on the event loop.
    """
    with suppress(ChildProcessError):
        while os.waitpid(-group, 0 if waits else os.WNOHANG)[0]:
            pass


class GuardedProcess(asyncio.SubprocessProtocol):
    """A running program and all that it started. Override `receive` for what it says."""

    def __init__(self) -> None:
        self.exited = asyncio.Event()
        """Set once the program itself has ended; what it started may still be there."""
        self._closed = asyncio.Event()
        self._transport: asyncio.SubprocessTransport

    async def begin(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        *,
        folder: Path | None = None,
        mixes_errors: bool = False,
    ) -> None:
        """Start it; `OSError` where the shell cannot be. Interrupted, it leaves nothing."""
        starting = asyncio.get_running_loop().subprocess_exec(
            lambda: self,
            *guarded(command),
            cwd=folder,
            env=dict(environment),
            stderr=asyncio.subprocess.STDOUT if mixes_errors else asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        await start_whole(starting, lambda _: self.kill(0.5))

    @property
    def pid(self) -> int:
        """Of the program, which leads its process group."""
        return self._transport.get_pid()

    @property
    def returncode(self) -> int | None:
        """Its exit status; negative: the signal that ended it; None: it runs."""
        return self._transport.get_returncode()

    def send(self, number: signal.Signals) -> None:
        """A signal to the program alone."""
        if not self.exited.is_set():
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    async def kill(self, within_s: float) -> None:
        """Kill what is left of the group, and wait that long until all its pipes are closed."""
        kill_group(self.pid)  # the guard keeps the number taken
        with suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                await self.exited.wait()
                await self._closed.wait()
        self._transport.close()
        reap_group(self.pid)

    def receive(self, fd: int, data: bytes) -> None:
        """It says something: on 1, or on 2 where that is not mixed in."""

    # What asyncio calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport: the program was started."""
        assert isinstance(transport, asyncio.SubprocessTransport)  # noqa: S101 - for the type checker
        self._transport = transport

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Data came from a pipe of the program."""
        self.receive(fd, data)

    def process_exited(self) -> None:
        """The program has ended."""
        self.exited.set()

    def connection_lost(self, exc: Exception | None) -> None:
        """All its pipes are closed."""
        self._closed.set()


async def start_whole(
    starting: Coroutine[Any, Any, T],  # Any: what a coroutine is sent is nobody's affair
    undo: Callable[[T], Awaitable[None]],
) -> T:
    """Start a child to its end, also when interrupted: it is undone then.

    asyncio (3.11) that is interrupted in the start of a child waits for ever for pipes that it has
    not yet, where the child leaves another one behind that holds them.
    """
    task = asyncio.ensure_future(starting)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await undo(await task)
        raise

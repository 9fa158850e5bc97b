"""One Chromium, started by us: its process group, its temporary folder, its end."""

import asyncio
import os
import re
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

import psutil

from appliance.browser._folder import OwnedFolder, folder_barred_to_others, profile_flag, temporary
from appliance.browser._trust import lay_down
from appliance.core.errors import SetupError
from appliance.system.child_environment import Child, child_environment
from appliance.system.processes import guarded, kill_group, reap_group, start_whole

START_TIMEOUT_S = 60.0
END_TIMEOUT_S = 2.0  # after being asked to end; then it is killed
KEPT_LINES = 20
LINE_LIMIT = 1 << 20  # a page may log long lines
LISTENING = re.compile(rb"DevTools listening on (ws://\S+)")


class NotStartedError(Exception):
    """The browser ended, or said nothing, before it listened."""


class NotAsUserError(NotStartedError):
    """It cannot be run as another user, who may not go where it is, or whom we may not become."""


class BrowserProcess:
    """A running Chromium and all that belongs to it."""

    def __init__(self, process: Process, folder: OwnedFolder, executable: Path) -> None:
        self.ws_url = ""
        self.executable = executable
        self.is_sandboxed = True
        """Whether Chromium's own sandbox holds its pages."""
        self._process = process
        self._folder = folder
        self._stderr_lines: deque[str] = deque(maxlen=KEPT_LINES)
        self._draining: asyncio.Task[None] | None = None

    @classmethod
    async def start(
        cls,
        executable: Path,
        flags: list[str],
        user: int | None = None,
        trusted: Sequence[str] = (),
    ) -> Self:
        """Start it and wait until its DevTools listen; `NotStartedError` when they do not.

        Args:
            executable: The Chromium.
            flags: Of it.
            user: Whom it runs as; None: as we do. Its guard runs as we do.
            trusted: Certificates, in PEM, that it trusts besides its own.
        """
        if user is not None and (
            closed := folder_barred_to_others(executable) or folder_barred_to_others(temporary())
        ):
            raise NotAsUserError(f"{closed} is closed to others")
        folder = await asyncio.to_thread(OwnedFolder)
        try:
            if trusted:
                await asyncio.to_thread(lay_down, trusted, folder.own)
            await asyncio.to_thread(folder.hand_over, user)
            command = [*_as(user), str(executable), *flags]
            command += ["--remote-debugging-port=0", profile_flag(folder.path)]
            starting = asyncio.create_subprocess_exec(
                *guarded(command, folder.path),
                stdin=PIPE,
                stdout=DEVNULL,
                stderr=PIPE,
                limit=LINE_LIMIT,
                start_new_session=True,
                cwd=folder.path,
                env=_environment(folder, user, has_home=user is not None or bool(trusted)),
            )
            process = await start_whole(
                starting, lambda child: cls(child, folder, executable).close()
            )
        except SetupError:
            folder.remove()
            raise
        except OSError as exc:
            folder.remove()
            raise (NotStartedError if user is None else NotAsUserError)(str(exc)) from exc
        started = cls(process, folder, executable)
        try:
            async with asyncio.timeout(START_TIMEOUT_S):
                await started._listen()
        except BaseException as exc:
            await started.close()
            if isinstance(exc, TimeoutError):
                raise NotStartedError(f"nothing within {START_TIMEOUT_S:.0f} s") from exc
            raise
        return started

    @property
    def pid(self) -> int:
        """Of the browser, which leads its process group."""
        return self._process.pid

    @property
    def folder(self) -> Path:
        """Removed at the end, with everything in it."""
        return self._folder.path

    @property
    def own_folder(self) -> Path:
        """Within `folder`: what the browser may write."""
        return self._folder.own

    @property
    def user(self) -> int:
        """The id of the user as whom the process runs."""
        return self._folder.own.stat().st_uid

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self._process.returncode is None

    async def memory_mib(self) -> int:
        """Of the whole group, what several processes share counted once."""
        return await asyncio.to_thread(_memory_mib, self.pid)

    def kill(self) -> None:
        """End it at once; what it leaves is removed by `close`."""
        if self.is_running:
            kill_group(self.pid)

    async def _listen(self) -> None:
        """Read what it says until it tells its address, then go on reading in the background."""
        while line := await self._line():
            if match := LISTENING.search(line):
                self.ws_url = match[1].decode()
                self._draining = asyncio.create_task(self._drain())
                return
        await self._process.wait()
        reason = self._reason()
        raise NotAsUserError(reason) if "setpriv:" in reason else NotStartedError(reason)

    def _reason(self) -> str:
        lines = [line for line in self._stderr_lines if line]
        fatal = [line for line in lines if "FATAL" in line]  # a stack trace follows it
        ended = f"ended with {self._process.returncode}"
        return f"{(fatal or lines)[-1]} ({ended})" if lines else ended

    async def _line(self) -> bytes:
        """The next line of its standard error; empty at the end."""
        if self._process.stderr is None:
            return b""
        try:
            line = await self._process.stderr.readline()
        except ValueError:  # longer than LINE_LIMIT: dropped
            return b"\n"
        self._stderr_lines.append(line.decode(errors="replace").strip())
        return line

    async def _drain(self) -> None:
        """A browser whose pipe is full would stop."""
        while await self._line():
            pass

    async def close(self) -> None:
        """End the browser and its group, and remove the folder."""
        await self._end()
        if self._draining is not None:
            self._draining.cancel()
            await asyncio.wait((self._draining,))
        await asyncio.to_thread(self._folder.remove)
        if self._process.stdin is not None:
            self._process.stdin.close()

    async def _end(self) -> None:
        # Asked first: then it waits for its children, and they do not stay behind as zombies of a
        # container's first process.
        if self.is_running:
            self._process.terminate()
        with suppress(TimeoutError):
            async with asyncio.timeout(END_TIMEOUT_S):
                await self._process.wait()
        kill_group(self.pid)  # the guard keeps the group's number taken until now
        await self._process.wait()
        await asyncio.to_thread(reap_group, self.pid, waits=True)


def _as(user: int | None) -> tuple[str, ...]:
    """What makes a program another user's, who has no rights and gets none."""
    if user is None:
        return ()
    ids = (f"--reuid={user}", f"--regid={user}", "--clear-groups")
    return ("setpriv", *ids, "--no-new-privs", "--bounding-set=-all")


def _environment(folder: OwnedFolder, user: int | None, *, has_home: bool) -> dict[str, str]:
    environment = {"TMPDIR": str(folder.own)}  # what it leaves goes with ours
    if has_home:
        environment["HOME"] = str(folder.own)
    if user is not None:
        environment |= {"USER": str(user), "LOGNAME": str(user)}
    return child_environment(Child.BROWSER, environment)


def _memory_mib(group: int) -> int:
    total = 0
    for pid in psutil.pids():
        with suppress(OSError, psutil.Error):  # it ended, or is not ours
            if os.getpgid(pid) == group:
                memory = psutil.Process(pid).memory_full_info()
                total += getattr(memory, "pss", memory.uss)  # macOS knows no PSS
    return total >> 20

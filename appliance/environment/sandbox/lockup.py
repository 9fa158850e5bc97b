"""A `Launcher` that runs programs within walls: what all walls have in common.

The walls themselves (a container, namespaces, limits only) are in modules of their own.
"""

import asyncio
import os
import signal
from asyncio import to_thread
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import structlog

from appliance.config import SandboxSettings
from appliance.core.errors import ProvisioningError
from appliance.environment.sandbox.door import Door, Job
from appliance.environment.sandbox.egress import Egress, Ways, ways
from appliance.environment.sandbox.files import drop_links
from appliance.environment.sandbox.room import (
    SCRATCH,
    Room,
    Walls,
    python_folders,
    shown,
    temporary,
)
from appliance.environment.terraform import GRACE_S, Exit, HostLauncher, Launcher

MARGIN_S = 30.0
"""For the lock-up itself to be put up and taken down, beyond the program's own time."""
_log = structlog.get_logger()


class LockUp:
    """Runs programs within walls; a `Launcher`."""

    def __init__(
        self,
        walls: Walls,
        settings: SandboxSettings,
        *,
        read_only: Sequence[Path] = (),
        hosts: frozenset[str] = frozenset(),
        host: Launcher | None = None,
        stop_s: float = GRACE_S,
    ) -> None:
        """Nothing is started yet.

        Args:
            walls: What keeps the program in.
            settings: Limits.
            read_only: Files and folders that may be read inside, at the same path. This Python's
                own are among them.
            hosts: `host:port` of the provider's API.
            host: What starts programs on this machine.
            stop_s: From being asked to stop until being killed.

        Raises:
            SetupError: An address is none.
        """
        self.name = walls.name
        self.refused: Mapping[str, int] = {}
        """Addresses that the last program asked for and may not reach, with how often."""
        self._walls, self._settings = walls, settings
        self._read_only = tuple(
            dict.fromkeys((*python_folders(), *(p.absolute() for p in read_only)))
        )
        self._hosts, self._ways = hosts, ways(hosts)
        self._host = host or HostLauncher()
        self._stop_s = stop_s

    async def run(
        self,
        command: Sequence[str],
        *,
        folder: Path,
        environment: Mapping[str, str],
        timeout_s: float,
        on_line: Callable[[str], None] = lambda line: None,
    ) -> Exit:
        """Run a program to its end: see `Launcher`. What it changed in the folder comes back."""
        folder = folder.resolve()
        async with AsyncExitStack() as stack:
            place = stack.enter_context(temporary())
            egress = await stack.enter_async_context(Egress(place / "egress.sock", self._hosts))
            job = self._job(command, folder, environment, timeout_s)
            door = await stack.enter_async_context(Door(place / "door.sock", job, self._read_only))
            room = Room(
                id=place.parent.name,
                place=place,
                folder=folder,
                read_only=(
                    await to_thread(shown, self._read_only, place, self.name)
                    if self._walls.is_copied
                    else {}
                ),
                names=self._ways.names,
            )
            stack.push_async_callback(self._take_down, room)
            command_outside = await self._walls.put_up(room)
            ended = await self._watch(door, command_outside, job, on_line)
        if not self._walls.is_copied:
            door.refused = await to_thread(drop_links, folder, self._read_only)
        self.refused = dict(egress.refused)
        if door.refused or egress.refused:
            _log.warning("refused", sandbox=self.name, files=door.refused, addresses=egress.refused)
        return self._exit(command, door, ended)

    def _job(
        self, command: Sequence[str], folder: Path, environment: Mapping[str, str], timeout_s: float
    ) -> Job:
        settings = self._settings
        ways: Ways = Ways((), (), {}) if self._walls.has_network else self._ways
        scratch = {name: SCRATCH for name in ("HOME", "TMPDIR", "APPLIANCE_PROVIDER_HOME")}
        return Job(
            command=list(command),
            environment={
                "PATH": os.defpath,
                **({} if self._walls.has_network else scratch),
                **ways.environment,
                **environment,
            },
            folder=str(folder),
            timeout_s=min(timeout_s, settings.timeout_s),
            stop_s=self._stop_s,
            memory=settings.memory_mib << 20,
            processes=settings.processes,
            disk=settings.disk_mib << 20,
            is_copied=self._walls.is_copied,
            has_cgroup=self._walls.has_cgroup,
            listen=ways.listen,
        )

    async def _watch(
        self, door: Door, command: Sequence[str], job: Job, on_line: Callable[[str], None]
    ) -> Exit:
        running = asyncio.create_task(
            self._host.run(
                command,
                folder=door.path.parent,
                environment=self._walls.environment(),
                timeout_s=job.timeout_s + job.stop_s + MARGIN_S,
                on_line=on_line,
            )
        )
        try:
            ended = await asyncio.shield(running)
        except asyncio.CancelledError:
            # Asked inside, so that a state that is being written comes back.
            door.stop()
            await asyncio.wait((running,), timeout=job.stop_s + MARGIN_S)
            running.cancel()
            await asyncio.wait((running,))
            await door.wait_closed()
            raise
        await door.wait_closed()
        return ended

    async def _take_down(self, room: Room) -> None:
        await asyncio.shield(self._walls.take_down(room))

    def _exit(self, command: Sequence[str], door: Door, ended: Exit) -> Exit:
        if door.exit is not None:
            return Exit(code=door.exit.code, stderr=ended.stderr, stopped_by=door.exit.stopped_by)
        if not door.has_come:
            reason = ended.stderr.splitlines()[-1:] or [f"it ended with code {ended.code}"]
            raise ProvisioningError(f"the sandbox {self.name} cannot be started: {reason[0]}")
        killed = ended.code in (-signal.SIGKILL, 128 + signal.SIGKILL)
        if killed or not door.failed:
            # The one inside was killed with its charge: only the kernel does that to it.
            why = "memory" if killed and self._walls.has_cgroup else ended.stopped_by
            return Exit(code=ended.code or -signal.SIGKILL, stderr=ended.stderr, stopped_by=why)
        raise ProvisioningError(f"{command[0]} in the sandbox {self.name}: {door.failed}")

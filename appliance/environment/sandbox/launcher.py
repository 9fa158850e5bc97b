"""A `Launcher` that runs programs in a sandbox: what all isolation methods have in common.

The isolation methods themselves (a container, namespaces, limits only) are in modules of their own.
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
from appliance.environment.sandbox.channel import HostChannel, Job
from appliance.environment.sandbox.egress import HostRoutes, route_hosts
from appliance.environment.sandbox.files import drop_links
from appliance.environment.sandbox.layout import (
    SCRATCH,
    Isolation,
    SandboxLayout,
    python_folders,
    shown,
    temporary,
)
from appliance.environment.terraform import GRACE_S, Exit, HostLauncher
from appliance.system.network.network import DIRECT, PROXY_VARIABLES, Network
from appliance.system.network.relay import Relay

MARGIN_S = 30.0
"""For the sandbox itself to be prepared and cleaned up, beyond the program's own time."""
_log = structlog.get_logger()


class SandboxLauncher:
    """Runs programs in a sandbox; a `Launcher`."""

    def __init__(
        self,
        isolation: Isolation,
        settings: SandboxSettings,
        *,
        read_only: Sequence[Path] = (),
        hosts: frozenset[str] = frozenset(),
        network: Network = DIRECT,
        stop_s: float = GRACE_S,
    ) -> None:
        """Nothing is started yet.

        `read_only` may be read inside, at the same path; `hosts` are `host:port` of the provider's
        API, and `network` how they are reached.

        Raises:
            SetupError: An address is none.
        """
        self.name = isolation.name
        self.refused: Mapping[str, int] = {}
        """Addresses that the last program asked for and may not reach, with how often."""
        self._isolation, self._settings = isolation, settings
        self._read_only = tuple(
            dict.fromkeys((*python_folders(), *(p.absolute() for p in read_only)))
        )
        self._hosts, self._routes = hosts, route_hosts(hosts)
        self._network = network
        self._host = HostLauncher()
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
            egress = Relay(self._hosts, self._network)
            await stack.enter_async_context(egress.at_path(place / "egress.sock"))
            job = self._job(command, folder, environment, timeout_s)
            channel = await stack.enter_async_context(
                HostChannel(place / "door.sock", job, self._read_only)
            )
            layout = SandboxLayout(
                id=place.parent.name,
                place=place,
                folder=folder,
                read_only=(
                    await to_thread(shown, self._read_only, place, self.name)
                    if self._isolation.is_copied
                    else {}
                ),
                names=self._routes.names,
            )
            stack.push_async_callback(self._take_down, layout)
            command_outside = await self._isolation.prepare(layout)
            ended = await self._watch(channel, command_outside, job, on_line)
        if not self._isolation.is_copied:
            channel.refused = await to_thread(drop_links, folder, self._read_only)
        self.refused = dict(egress.refused)
        if channel.refused or egress.refused:
            _log.warning(
                "refused", sandbox=self.name, files=channel.refused, addresses=egress.refused
            )
        return self._exit(command, channel, ended)

    def _job(
        self, command: Sequence[str], folder: Path, environment: Mapping[str, str], timeout_s: float
    ) -> Job:
        settings = self._settings
        route_hosts: HostRoutes = (
            HostRoutes((), (), {}) if self._isolation.has_network else self._routes
        )
        scratch = {name: SCRATCH for name in ("HOME", "TMPDIR", "APPLIANCE_PROVIDER_HOME")}
        if not self._isolation.has_network:
            # The way out is ours, and the password of the company's proxy stays outside.
            environment = {n: v for n, v in environment.items() if n not in PROXY_VARIABLES}
        return Job(
            command=list(command),
            environment={
                "PATH": os.defpath,
                **({} if self._isolation.has_network else scratch),
                **environment,
                **route_hosts.environment,
            },
            folder=str(folder),
            timeout_s=min(timeout_s, settings.timeout_s),
            stop_s=self._stop_s,
            memory=settings.memory_mib << 20,
            processes=settings.processes,
            disk=settings.disk_mib << 20,
            is_copied=self._isolation.is_copied,
            has_cgroup=self._isolation.has_cgroup,
            listen=route_hosts.listen,
        )

    async def _watch(
        self, channel: HostChannel, command: Sequence[str], job: Job, on_line: Callable[[str], None]
    ) -> Exit:
        running = asyncio.create_task(
            self._host.run(
                command,
                folder=channel.path.parent,
                environment=self._isolation.environment(),
                timeout_s=job.timeout_s + job.stop_s + MARGIN_S,
                on_line=on_line,
            )
        )
        try:
            ended = await asyncio.shield(running)
        except asyncio.CancelledError:
            # Asked inside, so that a state that is being written comes back.
            channel.stop()
            await asyncio.wait((running,), timeout=job.stop_s + MARGIN_S)
            running.cancel()
            await asyncio.wait((running,))
            await channel.wait_closed()
            raise
        await channel.wait_closed()
        return ended

    async def _take_down(self, layout: SandboxLayout) -> None:
        await asyncio.shield(self._isolation.clean_up(layout))

    def _exit(self, command: Sequence[str], channel: HostChannel, ended: Exit) -> Exit:
        if channel.exit is not None:
            return Exit(
                code=channel.exit.code, stderr=ended.stderr, stopped_by=channel.exit.stopped_by
            )
        if not channel.has_come:
            reason = ended.stderr.splitlines()[-1:] or [f"it ended with code {ended.code}"]
            raise ProvisioningError(f"the sandbox {self.name} cannot be started: {reason[0]}")
        killed = ended.code in (-signal.SIGKILL, 128 + signal.SIGKILL)
        if killed or not channel.failed:
            # The one inside was killed with its charge: only the kernel does that to it.
            why = "memory" if killed and self._isolation.has_cgroup else ended.stopped_by
            return Exit(code=ended.code or -signal.SIGKILL, stderr=ended.stderr, stopped_by=why)
        raise ProvisioningError(f"{command[0]} in the sandbox {self.name}: {channel.failed}")

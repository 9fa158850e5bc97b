"""Run programs on this machine without a sandbox."""

import asyncio
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Self

from appliance.core.errors import ProvisioningError
from appliance.environment.terraform.types import Exit
from appliance.system.processes import GuardedProcess

LINE_LIMIT = 16 << 20
"""Bytes of a line that are kept: a plan as JSON is one line."""
STDERR_LIMIT = 16 << 10
"""Bytes of the standard error that are kept: its end."""
END_TIMEOUT_S = 5.0
"""From being killed until all its pipes are closed."""


class TerraformProcess(GuardedProcess):
    """A running program with its process group, read line by line."""

    def __init__(self, on_line: Callable[[str], None]) -> None:
        super().__init__()
        self._on_line = on_line
        self._line, self._stderr = bytearray(), bytearray()
        self._is_overlong = False

    @classmethod
    async def start(
        cls,
        command: Sequence[str],
        *,
        folder: Path,
        environment: Mapping[str, str],
        on_line: Callable[[str], None],
    ) -> Self:
        """Start it; `on_line` is called with each line of standard output."""
        if not os.access(command[0], os.X_OK):
            raise ProvisioningError(f"{command[0]} cannot be started: it is no program")
        started = cls(on_line)
        try:
            await started.begin(command, environment, folder=folder)
        except OSError as exc:
            raise ProvisioningError(f"{command[0]} cannot be started in {folder}: {exc}") from exc
        return started

    @property
    def code(self) -> int:
        """The exit status, once it has ended."""
        return -1 if self.returncode is None else self.returncode

    @property
    def stderr(self) -> str:
        """The end of standard error."""
        return self._stderr.decode(errors="replace").strip()

    def interrupt(self) -> None:
        """Interrupt the program only: an interrupted provider would forget what it was creating."""
        self.send(signal.SIGINT)

    async def end(self) -> None:
        """Kill the rest of the group, and wait for its end."""
        await self.kill(END_TIMEOUT_S)

    def receive(self, fd: int, data: bytes) -> None:
        """Lines of the standard output, the end of the standard error."""
        if fd != 1:
            self._stderr += data
            del self._stderr[:-STDERR_LIMIT]
            return
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

    def connection_lost(self, exc: Exception | None) -> None:
        """What stands after the last line break is a line as well."""
        if self._line:
            self._tell(bytes(self._line))
        super().connection_lost(exc)

    def _tell(self, line: bytes) -> None:
        self._on_line(line.decode(errors="replace").removesuffix("\r"))


GRACE_S = 20.0
"""From being asked to stop until being killed: what is under way gets into the state meanwhile."""


class HostLauncher:
    """Runs programs in their own process groups, which end with them, with us, or by timeout."""

    name = "host"

    def __init__(self, grace_s: float = GRACE_S) -> None:
        self._grace_s = grace_s

    async def run(
        self,
        command: Sequence[str],
        *,
        folder: Path,
        environment: Mapping[str, str],
        timeout_s: float,
        on_line: Callable[[str], None] = lambda line: None,
    ) -> Exit:
        """Run a program to its end: see `Launcher`."""
        program = await TerraformProcess.start(
            command, folder=folder, environment=environment, on_line=on_line
        )
        stopped_by = ""
        try:
            try:
                async with asyncio.timeout(timeout_s):
                    await program.exited.wait()
            except TimeoutError:
                stopped_by = "time"
                await self._stop(program)
            except asyncio.CancelledError:
                await self._stop(program)
                raise
        finally:
            # Also when it is cancelled once more while it is given time to stop.
            await asyncio.shield(program.end())
        return Exit(code=program.code, stderr=program.stderr, stopped_by=stopped_by)

    async def _stop(self, program: TerraformProcess) -> None:
        program.interrupt()
        try:
            async with asyncio.timeout(self._grace_s):
                await program.exited.wait()
        except TimeoutError:
            pass  # `end` kills it

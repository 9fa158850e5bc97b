"""Runs programs on this machine as they are."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from appliance.environment.terraform._guarded import TerraformProcess
from appliance.environment.terraform.types import Exit

GRACE_S = 20.0
"""From being asked to stop until being killed: what is under way gets into the state meanwhile."""


class HostLauncher:
    """A program in its own process group, which ends with it, with us, or out of time."""

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

"""Processes of the practice provider, kept for later commands.

Terraform starts a provider several times for one command, and a provider in Python takes a quarter
of a second to start. One that runs on (`--dev`) is named to Terraform in `TF_REATTACH_PROVIDERS`.
"""

import asyncio
import hashlib
import json
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from appliance.core.errors import ProvisioningError
from appliance.environment.terraform.host import TerraformProcess

START_TIMEOUT_S = 15.0
MOST = 8
"""Kept at the same time; each takes some 50 MB."""
MOST_IDLE = 4
_NAMED = re.compile(r"TF_REATTACH_PROVIDERS='(.*)'")


@dataclass(slots=True)
class _IdleProvider:
    """A provider process, used by one run at a time because a run configures it."""

    key: str
    process: TerraformProcess
    reattach: str
    ending: asyncio.TimerHandle | None = None

    @property
    def is_alive(self) -> bool:
        return not self.process.exited.is_set()


@dataclass(slots=True)
class Reattached:
    """Environment of a command for reattaching to a kept process."""

    variables: Mapping[str, str]
    """None where there is no process: Terraform starts its own."""
    is_spoilt: bool = False
    """Until the command has come to its end: one that was stopped may have left a request under
    way in the process."""


class KeptProviders:
    """Lends provider processes to runs, and ends those idle for long."""

    def __init__(self, program: Path, folder: Path, keep_s: float) -> None:
        self._program, self._folder, self._keep_s = program, folder, keep_s
        self._idle: list[_IdleProvider] = []
        self._ending: set[asyncio.Task[None]] = set()
        self._count = 0

    @asynccontextmanager
    async def reattach(self, environment: Mapping[str, str]) -> AsyncIterator[Reattached]:
        """Lend a kept process to one command.

        It is used for the same variables only: another account is another process.
        """
        provider = await self._take_idle(environment) if self._keep_s else None
        if provider is None:
            yield Reattached({})
            return
        reattached = Reattached({"TF_REATTACH_PROVIDERS": provider.reattach}, is_spoilt=True)
        try:
            yield reattached
        finally:
            if reattached.is_spoilt:
                await asyncio.shield(self._end(provider))
            else:
                self._put_back(provider)

    async def close(self) -> None:
        """End them all."""
        idle, self._idle = self._idle, []
        for provider in idle:
            await self._end(provider)
        if self._ending:
            await asyncio.wait(self._ending)

    async def _take_idle(self, environment: Mapping[str, str]) -> _IdleProvider | None:
        key = hashlib.sha256(json.dumps(sorted(environment.items())).encode()).hexdigest()
        for provider in [
            candidate for candidate in self._idle if candidate.key == key or not candidate.is_alive
        ]:
            self._leave_idle(provider)
            if provider.is_alive:
                return provider
            await self._end(provider)
        if self._count >= MOST:
            if not self._idle:
                return None
            oldest = self._idle[0]
            self._leave_idle(oldest)
            await self._end(oldest)
        self._count += 1
        started = None
        try:
            started = await self._start(key, environment)
        finally:
            if started is None:
                self._count -= 1
        return started

    async def _start(self, key: str, environment: Mapping[str, str]) -> _IdleProvider | None:
        """Start a process; None if it does not listen, so that Terraform starts its own."""
        named: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        def on_line(line: str) -> None:
            if (match := _NAMED.search(line)) and not named.done():
                named.set_result(match[1])

        try:
            process = await TerraformProcess.start(
                [str(self._program), "--dev"],
                folder=self._folder,
                environment=environment,
                on_line=on_line,
            )
        except ProvisioningError:
            return None
        ended = asyncio.ensure_future(process.exited.wait())
        try:
            await asyncio.wait(
                (named, ended), timeout=START_TIMEOUT_S, return_when=asyncio.FIRST_COMPLETED
            )
            if named.done() and not process.exited.is_set():
                return _IdleProvider(key, process, named.result())
        except BaseException:
            await asyncio.shield(process.end())
            raise
        finally:
            ended.cancel()
        await process.end()
        return None

    def _put_back(self, provider: _IdleProvider) -> None:
        if len(self._idle) >= MOST_IDLE:
            self._expire(self._idle[0])
        self._idle.append(provider)
        provider.ending = asyncio.get_running_loop().call_later(
            self._keep_s, self._expire, provider
        )

    def _leave_idle(self, provider: _IdleProvider) -> None:
        self._idle.remove(provider)
        if provider.ending is not None:
            provider.ending.cancel()

    def _expire(self, provider: _IdleProvider) -> None:
        if provider in self._idle:
            self._idle.remove(provider)
            task = asyncio.get_running_loop().create_task(self._end(provider))
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)

    async def _end(self, provider: _IdleProvider) -> None:
        if provider.ending is not None:
            provider.ending.cancel()
        await provider.process.end()
        self._count -= 1

"""A store on a slow disk, and a pulse that shows whether the event loop goes on meanwhile."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path

import duckdb

from appliance.store.session import Session
from appliance.store.store import Store

STATEMENT_S = 0.1
"""Of each use: for long enough that somebody would notice."""
STANDSTILL_S = 3.0
"""A loop that has not gone on for so long waits for the store."""
BEAT_S = 0.005


class Pulse:
    """Beats on an event loop."""

    def __init__(self) -> None:
        self.beats = 0
        self.uses = set[str]()
        """What was done with the store meanwhile."""
        self.stood_still = set[str]()
        """What of that the loop waited for."""
        self._is_beating = False

    @asynccontextmanager
    async def beating(self) -> AsyncIterator[None]:
        task = asyncio.create_task(self._beat())
        await asyncio.sleep(0)
        self._is_beating = True
        try:
            yield
        finally:
            self._is_beating = False
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _beat(self) -> None:
        while True:
            self.beats += 1
            await asyncio.sleep(BEAT_S)

    def take(self, doing: str) -> None:
        """A use of the store takes its time; on a machine that is busy, until the loop goes on."""
        before, since = self.beats, time.monotonic()
        time.sleep(STATEMENT_S)
        while self._is_beating and self.beats == before:
            if time.monotonic() - since > STANDSTILL_S:
                self.stood_still.add(doing)
                return
            time.sleep(BEAT_S)
        self.uses.add(doing)


class SlowSession(Session):
    """Every read and every write of it takes its time."""

    pulse: Pulse

    @contextmanager
    def reading(self, doing: str) -> Iterator[duckdb.DuckDBPyConnection]:
        self.pulse.take(doing)
        with super().reading(doing) as connection:
            yield connection

    @contextmanager
    def exclusive(self, doing: str) -> Iterator[duckdb.DuckDBPyConnection]:
        with super().exclusive(doing) as connection:
            self.pulse.take(doing)
            yield connection


def slow_store(data_dir: Path, pulse: Pulse) -> Store:
    """The store of that folder, which is there, as from a disk that takes its time."""
    session = SlowSession.open(data_dir / "store.duckdb")
    session.pulse = pulse
    return Store(session)

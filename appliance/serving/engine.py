"""One process that verifies: what can be asked of it, whoever asks."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime

from appliance.config import Settings
from appliance.core.clock import Clock
from appliance.core.events import Events, Subscriber
from appliance.core.jsonable import Json
from appliance.core.procedure import Document
from appliance.core.resources import Lifetime, Receipt
from appliance.environment.account_rows import AccountRow
from appliance.environment.janitor import Reaped
from appliance.serving.asks import SweepAsk, VerificationAsk
from appliance.serving.live import Live
from appliance.serving.problems import NotReady
from appliance.store import Store
from appliance.store.sweeps import SweepRow
from appliance.sweep import Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceRow:
    """What was made in a cloud for an attempt, or by hand, and is not known to be gone."""

    lifetime: Lifetime
    receipts: tuple[Receipt, ...]
    is_alive: bool
    """Whether this process works in it now."""


class Engine:
    """The process. Methods that are no coroutines are quick or block: `documents` reads files."""

    settings: Settings
    store: Store
    live: Live
    events: Events
    clock: Clock

    async def plan(self, asked: SweepAsk) -> Plan:
        """What a sweep would do."""
        raise NotImplementedError

    async def start_sweep(
        self, asked: SweepAsk, by: str, closes: datetime | None = None
    ) -> SweepRow:
        """Keep a sweep and carry it out in its time, or go on with the equal one that is not over.

        Args:
            asked: What it is about.
            by: Who asks.
            closes: When it has to stop, whatever the settings' window says; it then begins now.

        Raises:
            SetupError: Nothing is due, or the equal one is paused; or the asking is wrong.
        """
        raise NotImplementedError

    async def verify(self, asked: VerificationAsk, by: str) -> SweepRow:
        """Keep a verification; it is carried out as soon as there is room.

        Raises:
            SetupError: The asking is wrong: no procedure, no such document or console.
        """
        raise NotImplementedError

    async def pause(self, run_id: str, by: str) -> None:
        """Let it finish what is under way, and stop until it is resumed.

        Raises:
            UnknownRun: There is none.
            SetupError: It is over.
        """
        raise NotImplementedError

    async def resume(self, run_id: str, by: str) -> None:
        """Go on with what was paused; see `pause`."""
        raise NotImplementedError

    async def cancel(self, run_id: str, by: str) -> None:
        """Stop it at once and for ever; what it made is removed. See `pause`."""
        raise NotImplementedError

    def status(self, run_id: str) -> dict[str, Json]:
        """How far a run is: `sweep.status_document`, with `kind` and `requested_by`.

        Raises:
            UnknownRun: There is none.
        """
        raise NotImplementedError

    def documents(self) -> tuple[Document, ...]:
        """The configured documentation as it stands now; read again when files have changed.

        Raises:
            DocumentError: One cannot be read.
        """
        raise NotImplementedError

    def accounts(self, console: str) -> tuple[AccountRow, ...]:
        """All accounts of a console, as they stand; `SetupError` where there is no such console."""
        raise NotImplementedError

    async def check_account(self, console: str, name: str) -> AccountRow:
        """Try the log-in and ask for quotas; who cannot log in goes into quarantine.

        Raises:
            SetupError: There is no such console or account.
            ConsoleError: The console does not answer.
        """
        raise NotImplementedError

    async def quarantine(self, console: str, name: str, reason: str, by: str) -> AccountRow:
        """Nobody uses it from now on."""
        raise NotImplementedError

    async def release(self, console: str, name: str) -> AccountRow:
        """It may be used again."""
        raise NotImplementedError

    async def resources(self, console: str | None = None) -> tuple[ResourceRow, ...]:
        """What was made and is not known to be gone; None: in all consoles."""
        raise NotImplementedError

    async def reap(self, console: str, dry_run: bool = False) -> tuple[Reaped, ...]:
        """Remove what a crash left, what is past its time, and strays; or only say what.

        Raises:
            SetupError: There is no such console.
            ConsoleError: It does not answer.
        """
        raise NotImplementedError

    async def prepare(self, console: str) -> int:
        """Make ahead what the procedures of the coming sweep share; how many there are now."""
        raise NotImplementedError

    def problems(self) -> tuple[NotReady, ...]:
        """What does not work now; empty: ready."""
        raise NotImplementedError

    async def drain(self, timeout_s: float) -> None:
        """Begin nothing new and stop what is under way, in order: it waits for the next start."""
        raise NotImplementedError


@asynccontextmanager
async def open_engine(
    settings: Settings,
    store: Store,
    subscribers: Sequence[Subscriber] = (),
    clock: Clock | None = None,
) -> AsyncIterator[Engine]:
    """An engine that goes on by itself with what the store has; drained at the end.

    Args:
        settings: All settings; every console has an address.
        store: Open, and nobody else's.
        subscribers: Told of everything, after the store.
        clock: The time.

    Raises:
        BrowserError: No browser can be started.
    """
    raise NotImplementedError
    yield Engine()

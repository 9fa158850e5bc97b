"""The desk of one attempt, beside its run's store and accounts."""

from dataclasses import dataclass

from appliance.browser import Page, Person
from appliance.consoles import Console
from appliance.core.errors import ConsoleError
from appliance.core.events import Event
from appliance.core.harm import HarmfulAction
from appliance.core.page import Performed
from appliance.core.people import People
from appliance.core.result import ArtifactRef
from appliance.environment.lifecycle import Ready
from appliance.verification.case import Case
from appliance.verification.context import RunContext


@dataclass(frozen=True, slots=True, kw_only=True)
class RunDesk:
    """See `Desk`. What a seat in another process needs besides is here, too."""

    context: RunContext
    case: Case
    ready: Ready
    locale: str

    @property
    def people(self) -> People:
        """Whoever can be asked."""
        return self.context.people

    def put(self, data: bytes, media_type: str) -> ArtifactRef:
        """See `Desk`."""
        return self.context.store.artifacts.put(data, media_type)

    def emit(self, event: Event) -> None:
        """See `Desk`."""
        self.context.events.emit(event)

    def keep_deeds(self, deeds: frozenset[HarmfulAction]) -> None:
        """See `Desk`."""
        self.case.done.replace(deeds)

    async def begin(self) -> None:
        """See `Desk`."""
        self.ready.seen.receipts = None

    async def supply(self, words: str) -> Performed:
        """See `Desk`."""
        return await self.ready.supply(words)

    async def log_in(self, console: Console, page: Page, person: Person) -> None:
        """See `Desk`."""
        await self.context.environment.log_in(page, self.ready.account, self.locale, person)

    async def keep_log_in(self, console: Console, page: Page) -> None:
        """See `Desk`."""
        await console.keep_log_in(page, self.ready.account)

    # -- for a seat in another process: what `log_in` does here ------------------------------------

    async def lend_log_in(self) -> str | None:
        """The log-in that is kept, as good as a password; None: there is none."""
        return await self.context.environment.lend_log_in(self.ready.account, self.locale)

    async def take_log_in(self, kept: str | None, *, was_good: bool | None) -> None:
        """The log-in as it is now; whether the one that was lent opened the console."""
        await self.context.environment.take_log_in(
            self.ready.account, self.locale, kept, was_good=was_good
        )

    async def log_in_failed(self, why: str) -> None:
        """See `Environment.log_in_failed`."""
        await self.context.environment.log_in_failed(self.ready.account, ConsoleError(why))

    async def code(self) -> str:
        """A code of the account's second factor: its secret stays here."""
        return await self.context.console.code(self.ready.account)

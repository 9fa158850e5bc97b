"""The worker's proxies for what stays with the head: its desk, model and log-ins."""

import hashlib
from collections.abc import Sequence

from appliance.browser import Page, Person
from appliance.consoles import Console, RecordedLogIns
from appliance.core.clock import SystemClock
from appliance.core.errors import ConsoleError
from appliance.core.events import Event
from appliance.core.harm import HarmfulAction
from appliance.core.page import Performed
from appliance.core.people import Question, Reply
from appliance.core.result import ArtifactRef
from appliance.engine.cluster.line import Line
from appliance.environment.sessions import Sessions
from appliance.inference.client import ModelClient
from appliance.inference.messages import Message, ModelReply, Schema, ServedModel
from appliance.verification import Order


class FarPeople:
    """The people who can be asked at the head."""

    def __init__(self, line: Line) -> None:
        self._line = line

    async def ask(self, question: Question) -> Reply | None:
        """See `People`."""
        reply: Reply | None = await self._line.call("ask", question)
        return reply


class FarDesk:
    """The desk of one attempt, at the head's end of the line; see `Desk`."""

    def __init__(self, line: Line, order: Order) -> None:
        self.people = FarPeople(line)
        self._line, self._order = line, order
        self._sessions = Sessions.of(order.settings, SystemClock(), data_dir=None, key=None)

    def put(self, data: bytes, media_type: str) -> ArtifactRef:
        """See `Desk`: artifacts that the head has are not sent again."""
        ref = ArtifactRef(hashlib.sha256(data).hexdigest(), media_type, len(data))
        if not self._line.call_from_thread("keeps", ref):
            self._line.call_from_thread("put", data, media_type)
        return ref

    def emit(self, event: Event) -> None:
        """See `Desk`."""
        self._line.tell("emit", event)

    def keep_deeds(self, deeds: frozenset[HarmfulAction]) -> None:
        """See `Desk`."""
        self._line.call_from_thread("keep_deeds", deeds)

    async def begin(self) -> None:
        """See `Desk`."""
        await self._line.call("begin")

    async def supply(self, words: str) -> Performed:
        """See `Desk`."""
        supplied: Performed = await self._line.call("supply", words)
        return supplied

    async def log_in(self, console: Console, page: Page, person: Person) -> None:
        """See `Desk`: uses the log-in that the head keeps and stores none here."""
        account, locale = self._order.account, self._order.locale
        lent = await self._line.call("lend_log_in")
        if lent is not None:
            await self._sessions.take(console, account, locale, lent, was_usable=None)
        try:
            was_good = await self._sessions.log_in(console, page, account, locale, person)
        except ConsoleError as exc:
            await self._line.call("log_in_failed", str(exc))
            raise
        session = None if was_good else await self._sessions.lend(console, account, locale)
        await self._line.call("take_log_in", session, was_good if lent is not None else None)

    async def keep_log_in(self, console: Console, page: Page) -> None:
        """See `Desk`."""
        await console.keep_log_in(page, self._order.account)


class FarModel(ModelClient):
    """The head's model, shared by all workers; its address and key stay with the head."""

    def __init__(self, line: Line, order: Order) -> None:
        super().__init__(order.settings.model)
        self._line = line

    async def ask(
        self,
        messages: Sequence[Message],
        *,
        schema: Schema | None = None,
        max_tokens: int,
        temperature: float = 0.0,
        model: str = "",
    ) -> ModelReply:
        """See `ModelClient`."""
        reply: ModelReply = await self._line.call(
            "ask_model", tuple(messages), schema, max_tokens, temperature, model
        )
        return reply

    async def served(self, model: str = "") -> ServedModel:
        """See `ModelClient`."""
        served: ServedModel = await self._line.call("served_model", model)
        return served

    async def count_tokens(self, prompt: str | Sequence[Message], model: str = "") -> int:
        """See `ModelClient`."""
        count: int = await self._line.call("count_tokens", prompt, model)
        return count


class FarLogIns(RecordedLogIns):
    """The recorded log-ins kept by the head. Calls block."""

    def __init__(self, line: Line) -> None:
        self._line = line

    def read(self, console: str, account: str) -> str | None:
        """See `RecordedLogIns`."""
        state: str | None = self._line.call_from_thread("read_recorded", console, account)
        if state is not None:
            self.learn(state)
        return state

    def keep(self, console: str, account: str, state: str) -> None:
        """See `RecordedLogIns`."""
        self.learn(state)
        self._line.call_from_thread("keep_recorded", console, account, state)

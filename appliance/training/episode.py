"""An attempt in the live console whose answers come from somebody else's RL engine."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

from appliance.benchmark.suite import Task
from appliance.inference.client import ModelClient
from appliance.inference.messages import Message, Schema
from appliance.training.attempts import AttemptMaker
from appliance.training.offline import OfflineClient
from appliance.training.rollouts import RolledOut

_CONTEXT = 32768
"""Tokens that a prompt and its answer may have: whoever asks us for it has a model of their own."""


class QuestionsClient(OfflineClient):
    """Hands every question on, and waits for the answer."""

    def __init__(self) -> None:
        super().__init__(_CONTEXT)
        self.questions: asyncio.Queue[Sequence[Message]] = asyncio.Queue()
        self.answers: asyncio.Queue[str] = asyncio.Queue()

    async def said(self, messages: Sequence[Message], schema: Schema | None) -> str:
        """What somebody else answers."""
        await self.questions.put(messages)
        return await self.answers.get()


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """Where an attempt is."""

    messages: Sequence[Message] = ()
    """What is asked, exactly as the agent would be; none: it is over."""
    end: RolledOut | None = None
    """What became of it; None: it goes on."""


Maker = Callable[[ModelClient], AttemptMaker]


class Episode:
    """One attempt, question by question; `close()` it, or use it `async with`."""

    def __init__(self, make: Maker, task: Task) -> None:
        """Nothing is begun yet.

        Args:
            make: Has an engine make the attempt, with that client as the model.
            task: What is tried.
        """
        self.task = task
        self.steps = 0
        """Answers so far."""
        self._client = QuestionsClient()
        self._make = make
        self._attempt: asyncio.Future[RolledOut] | None = None

    async def __aenter__(self) -> Self:
        """The episode itself."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Give the attempt up."""
        await self.close()

    async def begin(self) -> Seen:
        """The console in its first state, and the first question.

        Raises:
            ApplianceError: The console or the browser does not start.
        """
        self._attempt = asyncio.ensure_future(self._make(self._client).attempt(self.task))
        return await self._next(self._attempt)

    async def step(self, answer: str) -> Seen:
        """Carry an answer out; what is asked then.

        Raises:
            ValueError: It is not begun, or over.
        """
        if self._attempt is None or self._attempt.done():
            raise ValueError("no attempt is under way: reset first")
        self.steps += 1
        await self._client.answers.put(answer)
        return await self._next(self._attempt)

    async def close(self) -> None:
        """Give the attempt up, where it is under way; the console is taken down."""
        if self._attempt is not None:
            self._attempt.cancel()
            await asyncio.gather(self._attempt, return_exceptions=True)

    async def _next(self, attempt: asyncio.Future[RolledOut]) -> Seen:
        question = asyncio.ensure_future(self._client.questions.get())
        try:
            either: list[asyncio.Future[Any]] = [question, attempt]  # Any: of two types
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            return (
                Seen(end=attempt.result()) if attempt.done() else Seen(messages=question.result())
            )
        finally:
            question.cancel()

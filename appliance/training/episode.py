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
from appliance.training.rollouts import RolledOutAttempt

_CONTEXT_TOKENS = 32768
"""Tokens that a prompt and its answer may have: whoever asks us for it has a model of their own."""


class QuestionsClient(OfflineClient):
    """Passes every question to an external client and waits for its answer."""

    def __init__(self) -> None:
        super().__init__(_CONTEXT_TOKENS)
        self.questions: asyncio.Queue[Sequence[Message]] = asyncio.Queue()
        self.answers: asyncio.Queue[str] = asyncio.Queue()

    async def answer_to(self, messages: Sequence[Message], schema: Schema | None) -> str:
        """Return the external client's answer."""
        await self.questions.put(messages)
        return await self.answers.get()


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeState:
    """The state of an episode after a step."""

    messages: Sequence[Message] = ()
    """The next prompt, exactly as the agent would get it; empty once the attempt is over."""
    end: RolledOutAttempt | None = None
    """The finished attempt; None while it is under way."""


MakerFactory = Callable[[ModelClient], AttemptMaker]


class Episode:
    """One attempt, question by question; `close()` it, or use it `async with`."""

    def __init__(self, make_maker: MakerFactory, task: Task) -> None:
        """Nothing is begun yet.

        Args:
            make_maker: Has an engine make the attempt, with that client as the model.
            task: What is tried.
        """
        self.task = task
        self.steps = 0
        """Answers so far."""
        self._client = QuestionsClient()
        self._make_maker = make_maker
        self._attempt: asyncio.Future[RolledOutAttempt] | None = None

    async def __aenter__(self) -> Self:
        """The episode itself."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Give the attempt up."""
        await self.close()

    async def begin(self) -> EpisodeState:
        """Start the attempt in a freshly reset console and return the first question.

        Raises:
            ApplianceError: The console or the browser does not start.
        """
        self._attempt = asyncio.ensure_future(self._make_maker(self._client).attempt(self.task))
        return await self._next(self._attempt)

    async def step(self, answer: str) -> EpisodeState:
        """Carry out an answer and return the next state.

        Raises:
            ValueError: The attempt has not begun or is over.
        """
        if self._attempt is None or self._attempt.done():
            raise ValueError("no attempt is under way: reset first")
        self.steps += 1
        await self._client.answers.put(answer)
        return await self._next(self._attempt)

    async def close(self) -> None:
        """Cancel the attempt if it is under way; this also shuts its console down."""
        if self._attempt is not None:
            self._attempt.cancel()
            await asyncio.gather(self._attempt, return_exceptions=True)

    async def _next(self, attempt: asyncio.Future[RolledOutAttempt]) -> EpisodeState:
        question = asyncio.ensure_future(self._client.questions.get())
        try:
            first_done: list[asyncio.Future[Any]] = [question, attempt]  # Any: of two types
            await asyncio.wait(first_done, return_when=asyncio.FIRST_COMPLETED)
            return (
                EpisodeState(end=attempt.result())
                if attempt.done()
                else EpisodeState(messages=question.result())
            )
        finally:
            question.cancel()

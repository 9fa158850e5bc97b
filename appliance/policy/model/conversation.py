"""Asks a model and uses its answer; if it is unusable, asks once more and says why."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from appliance.core.errors import AnswerError
from appliance.core.tokens import estimate_tokens
from appliance.inference.client import ModelClient
from appliance.inference.messages import Message, ModelReply
from appliance.policy.base import Exchange, Spent
from appliance.policy.model.prompts import render, version
from appliance.policy.model.reading import UnusableError

UsedT = TypeVar("UsedT")
Use = Callable[[ModelReply, bool], Awaitable[UsedT]]
"""Makes something of an answer, or raises `UnusableError`; true: it is the last that is asked
for."""
_QUOTED_BACK = 2000
"""Characters of an answer that could not be used, as the model is shown it again."""


class BudgetError(Exception):
    """The attempt's token budget is exhausted; the message gives the figures."""


@dataclass(slots=True)
class Purse:
    """What an attempt has spent and may spend, and the exchanges of the current turn."""

    budget: int
    """Most tokens."""
    spent: Spent = field(default_factory=Spent)
    turn: Spent = field(default_factory=Spent)
    exchanges: list[Exchange] = field(default_factory=list)

    def begin(self) -> None:
        """Begin a new turn."""
        self.turn, self.exchanges = Spent(), []

    def reserve(self, tokens: int) -> None:
        """Check that the budget has room for a question of so many tokens.

        Raises:
            BudgetError: It cannot.
        """
        if self.spent.tokens + tokens > self.budget:
            raise BudgetError(
                f"budget: {self.spent.tokens} of {self.budget} tokens are used, and the next"
                f" question takes about {tokens}; agent.budget_tokens is the limit"
            )

    def pay(self, reply: ModelReply, exchange: Exchange) -> None:
        """Record an answered question."""
        spent = Spent(
            model_s=reply.took_s,
            calls=1,
            tokens_in=reply.tokens_in,
            tokens_out=reply.tokens_out,
            unusable=1 if exchange.problem else 0,
        )
        self.spent, self.turn = self.spent + spent, self.turn + spent
        self.exchanges.append(exchange)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """Asks one role's questions of a model."""

    role: str
    """`agent`, `planner` or `grounder`."""
    client: ModelClient
    purse: Purse
    model: str
    """Name of the adapter; empty: the model itself."""
    language: str
    max_tokens: int
    temperature: float

    async def ask(
        self,
        messages: tuple[Message, ...],
        tokens: int,
        schema: Mapping[str, Any],  # Any: a JSON schema
        use: Use[UsedT],
    ) -> UsedT:
        """What was made of the first answer that can be used, of two.

        Args:
            messages: What is asked.
            tokens: About how many they are.
            schema: What the answer has to keep to.
            use: Makes something of it.

        Raises:
            ModelError: The endpoint is away, or refuses.
            AnswerError: Neither of two answers could be used.
            BudgetError: There is nothing left to pay with.
        """
        problem = ""
        for is_last in (False, True):
            self.purse.reserve(tokens + self.max_tokens)
            reply = await self.client.ask(
                messages,
                schema=schema,
                max_tokens=self.max_tokens,
                temperature=self.temperature,
                model=self.model,
            )
            try:
                result = await use(reply, is_last)
            except UnusableError as exc:
                problem = str(exc)
                self.purse.pay(reply, self._exchange(messages, reply, problem))
                correction = self._correction(reply, problem)
                messages, tokens = (*messages, *correction), tokens + _estimate(correction)
            else:
                self.purse.pay(reply, self._exchange(messages, reply, ""))
                return result
        raise AnswerError(f"the model's answer could not be used twice: {problem}")

    def _correction(self, reply: ModelReply, problem: str) -> tuple[Message, ...]:
        return (
            {"role": "assistant", "content": reply.text[:_QUOTED_BACK] or "…"},
            {"role": "user", "content": render(self.language, "again", problem=problem)},
        )

    def _exchange(self, messages: tuple[Message, ...], reply: ModelReply, problem: str) -> Exchange:
        return Exchange(
            role=self.role,
            version=version(self.language),
            messages=without_pictures(messages),
            answer=reply.text,
            problem=problem,
            trace=reply.trace,
        )


def without_pictures(messages: tuple[Message, ...]) -> tuple[Mapping[str, object], ...]:
    """The messages for storage: pictures are replaced by a marker."""
    return tuple(
        {**message, "content": _content_without_pictures(message["content"])}
        for message in messages
    )


def _content_without_pictures(content: Any) -> object:  # Any: OpenAI's own shape, text or parts
    if isinstance(content, str):
        return content
    return [p if p.get("type") == "text" else {"type": "image_url"} for p in content]


def _estimate(messages: tuple[Message, ...]) -> int:
    return sum(estimate_tokens(str(message["content"])) for message in messages)

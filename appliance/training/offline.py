"""A model client without an endpoint: subclasses produce the answers."""

import json
from collections.abc import Mapping, Sequence

from appliance.config import ModelSettings
from appliance.core.jsonable import Json
from appliance.core.tokens import estimate_tokens
from appliance.inference.client import ModelClient
from appliance.inference.messages import (
    Message,
    ModelReply,
    Schema,
    ServedModel,
    TokenTrace,
    text_of,
)


class OfflineClient(ModelClient):
    """Answers locally; nothing is sent over the network."""

    def __init__(self, context_tokens: int) -> None:
        super().__init__(ModelSettings(endpoint="http://127.0.0.1"))
        self._context_tokens = context_tokens

    async def answer_to(self, messages: Sequence[Message], schema: Schema | None) -> str:
        """Return the answer to a prompt."""
        raise NotImplementedError

    async def ask(
        self,
        messages: Sequence[Message],
        *,
        schema: Schema | None = None,
        max_tokens: int,
        temperature: float = 0.0,
        model: str = "",
    ) -> ModelReply:
        """Return the local answer as a model's reply."""
        text = await self.answer_to(messages, schema)
        return ModelReply(
            text=text,
            parsed=_parse_object(text) if schema is not None else None,
            tokens_in=estimate_tokens(text_of(messages)),
            tokens_out=estimate_tokens(text),
            took_s=0.0,
            trace=TokenTrace(prompt=(), answer=(), logprobs=()),
        )

    async def served(self, model: str = "") -> ServedModel:
        """Describe a text-only model."""
        return ServedModel(name="", context_tokens=self._context_tokens, takes_images=False)

    async def count_tokens(self, prompt: str | Sequence[Message], model: str = "") -> int:
        """Estimate the tokens without a tokenizer."""
        return estimate_tokens(prompt if isinstance(prompt, str) else text_of(prompt))


def _parse_object(text: str) -> Mapping[str, Json] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None

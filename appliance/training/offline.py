"""A client of no endpoint: what the agent asks is answered here."""

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
    """Answers by itself. Nothing is sent to anybody."""

    def __init__(self, context_tokens: int) -> None:
        super().__init__(ModelSettings(endpoint="http://127.0.0.1"))
        self._longest = context_tokens

    async def said(self, messages: Sequence[Message], schema: Schema | None) -> str:
        """What is answered."""
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
        """That, as if a model had said it."""
        text = await self.said(messages, schema)
        return ModelReply(
            text=text,
            parsed=_object(text) if schema is not None else None,
            tokens_in=estimate_tokens(text_of(messages)),
            tokens_out=estimate_tokens(text),
            took_s=0.0,
            trace=TokenTrace(prompt=(), answer=(), logprobs=()),
        )

    async def served(self, model: str = "") -> ServedModel:
        """A model that takes text."""
        return ServedModel(name="", context_tokens=self._longest, takes_images=False)

    async def count_tokens(self, prompt: str | Sequence[Message], model: str = "") -> int:
        """An estimate."""
        return estimate_tokens(prompt if isinstance(prompt, str) else text_of(prompt))


def _object(text: str) -> Mapping[str, Json] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None

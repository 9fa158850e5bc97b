"""Asks a model and says what it answered."""

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from appliance.config import ModelSettings
from appliance.core.errors import ModelError
from appliance.core.jsonable import Json
from appliance.inference._endpoint import blamed_on_model, connect

if TYPE_CHECKING:
    import openai
    from openai.types.chat import ChatCompletionMessageParam

Message = Mapping[str, Any]  # Any: OpenAI's own shape: role, and content as text or parts
Schema = Mapping[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a model said, and what it took."""

    text: str
    """Its words; empty where it said none."""
    parsed: Mapping[str, Json] | None
    """The JSON object that they are; None: no schema was given, or it did not keep to one."""
    tokens_in: int
    tokens_out: int
    took_s: float


class ModelClient:
    """A model behind an OpenAI-compatible endpoint."""

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings
        self._first = ""  # the name of the first that it serves, once asked

    async def ask(
        self, messages: Sequence[Message], *, schema: Schema | None = None, max_tokens: int
    ) -> Answer:
        """One answer to these messages, at temperature 0.

        Args:
            messages: As OpenAI has them, oldest first.
            schema: JSON schema that the answer has to keep to; the endpoint is told, and one that
                does not know how may still answer otherwise: `parsed` is None then.
            max_tokens: How long it may be.

        Raises:
            ModelError: It cannot be reached, refuses, takes too long, or answers nonsense.
        """
        import openai

        began = time.monotonic()
        with blamed_on_model(self._settings):
            async with asyncio.timeout(self._settings.timeout_s), connect(self._settings) as api:
                completion = await api.chat.completions.create(
                    model=self._settings.name or await self._first_served(api),
                    # cast: the shape is the caller's; the endpoint says what is wrong with it
                    messages=cast("list[ChatCompletionMessageParam]", list(messages)),
                    temperature=0,
                    max_tokens=max_tokens,
                    response_format=openai.omit if schema is None else _keeping_to(schema),
                )
        return self._answer(completion, schema is not None, time.monotonic() - began)

    async def names(self) -> tuple[str, ...]:
        """The models that the endpoint serves; `ModelError`."""
        with blamed_on_model(self._settings):
            async with asyncio.timeout(self._settings.timeout_s), connect(self._settings) as api:
                return await _served(api)

    async def _first_served(self, api: "openai.AsyncOpenAI") -> str:
        if not self._first:
            names = await _served(api)
            if not names:
                raise ModelError(f"the endpoint {self._settings.endpoint} serves no model at all")
            self._first = names[0]
        return self._first

    def _answer(self, completion: object, is_json: bool, took_s: float) -> Answer:
        from openai.types.chat import ChatCompletion

        # The package hands on what is not JSON as text, and leaves holes where keys are missing.
        choices = completion.choices if isinstance(completion, ChatCompletion) else None
        if not isinstance(completion, ChatCompletion) or not choices or not choices[0].message:
            raise ModelError(
                f"the model at {self._settings.endpoint} answered what is no chat completion;"
                " model.endpoint must be the address of the API, up to and with /v1"
            )
        text, usage = choices[0].message.content or "", completion.usage
        return Answer(
            text=text,
            parsed=_object(text) if is_json else None,
            tokens_in=usage.prompt_tokens if usage else 0,
            tokens_out=usage.completion_tokens if usage else 0,
            took_s=took_s,
        )


async def _served(api: "openai.AsyncOpenAI") -> tuple[str, ...]:
    listed: object = await api.models.list()
    models = getattr(listed, "data", None)
    if not isinstance(models, list):
        raise ModelError(f"{api.base_url}models is no list of models; look at model.endpoint")
    return tuple(model.id for model in models)


def _keeping_to(schema: Schema) -> Any:  # Any: one of the package's many typed dicts
    return {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": dict(schema), "strict": True},
    }


def _object(text: str) -> Mapping[str, Json] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None

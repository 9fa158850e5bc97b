"""Asks a model and says what it answered."""

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from appliance.config import ModelSettings
from appliance.core.errors import ModelError
from appliance.core.secrets import without_secrets
from appliance.core.tokens import estimate_tokens
from appliance.inference.endpoint import blamed_on_model, check_address, connect, open_pool
from appliance.inference.messages import (
    IMAGE_TOKENS,
    Message,
    ModelReply,
    Schema,
    ServedModel,
    TokenTrace,
    images_in,
    text_of,
    unspoken,
    without_images,
)
from appliance.inference.openai_api import (
    Completion,
    ListedModel,
    complete,
    count_tokens,
    image_probe,
    is_refused,
    knows_no_schema,
    list_models,
)
from appliance.system.network.network import DIRECT, Network

if TYPE_CHECKING:
    import httpx2  # which of its kind carries the questions is the package's affair
    import openai

_DEFAULT_CONTEXT = 32768
"""Tokens, where nobody says how many; as `model.context_tokens` has it."""
_MESSAGE_TOKENS = 5
"""What a chat template puts around a message."""
_LONGEST_TOKEN = 20
"""Characters: an answer that is longer than so many for each token asked for is cut off there."""

_FENCED = re.compile(r"```(?:json)?\s*\n(.*)\n\s*```", re.DOTALL)
"""As models write JSON where nothing holds them to a schema."""


class ModelClient:
    """A model behind an OpenAI-compatible endpoint; `close()` it, or use it `async with`."""

    def __init__(
        self, settings: ModelSettings, *, traces: bool = False, network: Network = DIRECT
    ) -> None:
        """A client of the endpoint that the settings name.

        Args:
            settings: Where it is.
            traces: Whether replies have their tokens, as vLLM gives them.
            network: How it is reached.
        """
        self._settings, self._traces = settings, traces
        self._network = network
        self._pool: httpx2.AsyncClient | None = None
        self._models: tuple[ListedModel, ...] = ()  # as the endpoint listed them, once asked
        self._served: dict[str, ServedModel] = {}
        self._is_probing = asyncio.Lock()  # invariant: one question finds out what is served
        self._can_count_tokens = True  # until the endpoint turns out to have no /tokenize
        self._knows_schemas = True  # until it refuses one

    async def __aenter__(self) -> Self:
        """The client itself."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the connections."""
        await self.close()

    async def close(self) -> None:
        """Close the connections; a later question opens new ones."""
        if self._pool is not None:
            pool, self._pool = self._pool, None
            await pool.aclose()

    async def ask(
        self,
        messages: Sequence[Message],
        *,
        schema: Schema | None = None,
        max_tokens: int,
        temperature: float = 0.0,
        model: str = "",
    ) -> ModelReply:
        """Ask for one completion of these messages.

        Args:
            messages: As OpenAI has them, oldest first; `image_part` makes a picture a part of one.
            schema: JSON schema that the answer has to keep to; the endpoint is told, and one that
                does not know how may still answer otherwise: `parsed` is None then.
            max_tokens: How long it may be; what is much longer nevertheless is cut off.
            temperature: 0 for the likeliest words.
            model: A LoRA adapter's or another model's name there; empty: as the settings say.

        Raises:
            ModelError: It cannot be reached, refuses, takes too long, or answers nonsense.
        """
        started_at = time.monotonic()
        async with self._connection() as api:
            name = model or await self._name(api)
            completion = await self._complete(
                api, name, messages, schema, max_tokens=max_tokens, temperature=temperature
            )
        return _reply(completion, max_tokens, schema is not None, time.monotonic() - started_at)

    async def names(self) -> tuple[str, ...]:
        """The models and adapters that the endpoint serves now; `ModelError`."""
        async with self._connection() as api:
            return tuple(listed_model.id for listed_model in await list_models(api))

    async def served(self, model: str = "") -> ServedModel:
        """The model served under a name, asked once: context length, and whether it takes pictures.

        Raises:
            ModelError: As for a question.
        """
        async with self._is_probing:
            if model not in self._served:
                self._served[model] = await self._probe(model)
            return self._served[model]

    async def count_tokens(self, prompt: str | Sequence[Message], model: str = "") -> int:
        """How many tokens a text, or messages as a prompt, take.

        By vLLM's `/tokenize` where there is one, else by an estimate for cl100k. Pictures count as
        a screenshot each.

        Raises:
            ModelError: As for a question.
        """
        messages = () if isinstance(prompt, str) else tuple(prompt)
        pictures = images_in(messages) * IMAGE_TOKENS
        if self._can_count_tokens:
            payload: dict[str, object] = (
                {"prompt": without_secrets(prompt)}
                if isinstance(prompt, str)
                else {"messages": [unspoken(without_images(message)) for message in messages]}
            )
            async with self._connection() as api:
                count = await count_tokens(
                    api, {"model": model or await self._name(api), **payload}
                )
            if count is not None:
                return count + pictures
            self._can_count_tokens = False
        text = prompt if isinstance(prompt, str) else text_of(messages)
        return estimate_tokens(text) + _MESSAGE_TOKENS * len(messages) + pictures

    async def _complete(
        self,
        api: "openai.AsyncOpenAI",
        name: str,
        messages: Sequence[Message],
        schema: Schema | None,
        *,
        max_tokens: int,
        temperature: float,
    ) -> Completion:
        """One completion; an endpoint that knows no schemas is asked without one from then on."""
        import openai

        ask = partial(
            complete,
            api,
            name,
            messages,
            max_tokens=max_tokens,
            temperature=temperature,
            traces=self._traces,
        )
        if schema is not None and self._knows_schemas:
            try:
                return await ask(schema=schema)
            except openai.APIStatusError as exc:
                if not knows_no_schema(exc):
                    raise
            self._knows_schemas = False
        return await ask()

    @asynccontextmanager
    async def _connection(self) -> "AsyncIterator[openai.AsyncOpenAI]":
        """A connection to the endpoint for one question, within its time limit."""
        with blamed_on_model(self._settings):
            check_address(self._settings)
            if self._pool is None:
                self._pool = open_pool(self._settings, self._network)
            async with asyncio.timeout(self._settings.timeout_s):
                yield connect(self._settings, self._pool)

    async def _probe(self, model: str) -> ServedModel:
        async with self._connection() as api:
            name = model or await self._name(api)
            return ServedModel(
                name=name,
                context_tokens=self._settings.context_tokens or await self._context(api, name),
                takes_images=await self._takes_images(api, name),
            )

    async def _name(self, api: "openai.AsyncOpenAI") -> str:
        if self._settings.name:
            return self._settings.name
        if not self._models:
            self._models = await list_models(api)
        if not self._models:
            raise ModelError(f"the endpoint {self._settings.endpoint} serves no model at all")
        return self._models[0].id

    async def _context(self, api: "openai.AsyncOpenAI", name: str) -> int:
        by_id = {listed_model.id: listed_model for listed_model in await list_models(api)}
        served = by_id.get(name)
        if served and served.max_model_len is None and served.parent:  # an adapter is as its model
            served = by_id.get(served.parent) or next(iter(by_id.values()))
        return (served.max_model_len if served else None) or _DEFAULT_CONTEXT

    async def _takes_images(self, api: "openai.AsyncOpenAI", name: str) -> bool:
        import openai

        if self._settings.takes_images != "auto":
            return self._settings.takes_images == "yes"
        try:
            await complete(api, name, image_probe(), max_tokens=1)
        except openai.APIStatusError as exc:
            if is_refused(exc.status_code):
                return False
            raise
        return True


def _reply(completion: Completion, max_tokens: int, is_json: bool, took_s: float) -> ModelReply:
    choice, usage = completion.choices[0], completion.usage
    text, max_chars = choice.message.content or "", max_tokens * _LONGEST_TOKEN
    is_truncated = len(text) > max_chars
    return ModelReply(
        text=text[:max_chars],
        parsed=_json_object(text) if is_json and not is_truncated else None,
        finish_reason="length" if is_truncated else choice.finish_reason or "stop",
        tokens_in=usage.prompt_tokens if usage else 0,
        tokens_out=(usage.completion_tokens or 0) if usage else 0,
        took_s=took_s,
        trace=_trace(completion),
    )


def _trace(completion: Completion) -> TokenTrace | None:
    choice = completion.choices[0]
    token_logprobs = choice.logprobs and choice.logprobs.content
    if not (token_logprobs and choice.token_ids and completion.prompt_token_ids):
        return None
    return TokenTrace(
        prompt=completion.prompt_token_ids,
        answer=choice.token_ids,
        logprobs=tuple(token.logprob for token in token_logprobs),
    )


def _json_object(text: str) -> Any:  # Any: JSON, an object
    fenced = _FENCED.fullmatch(text.strip())
    try:
        value = json.loads(fenced[1] if fenced else text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None

"""The questions themselves, as they go over the wire."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pydantic import ValidationError

from appliance.core.jsonable import Json
from appliance.inference._probing import is_refused
from appliance.inference._shapes import Completion, Counted, Model, Models, parsed
from appliance.inference.answers import Message, Schema, unspoken

if TYPE_CHECKING:
    import openai

_COMPLETION = "chat completion; model.endpoint must be the address of the API, up to and with /v1"


async def complete(
    api: "openai.AsyncOpenAI",
    model: str,
    messages: Sequence[Message],
    *,
    schema: Schema | None = None,
    max_tokens: int,
    temperature: float = 0.0,
) -> Completion:
    """One answer. Whoever asks: no secret that we know is told."""
    asked: dict[str, object] = {
        "model": model,
        "messages": [unspoken(message) for message in messages],
        "temperature": temperature,
        "max_tokens": max_tokens,
    }
    if schema is not None:
        asked["response_format"] = _keeping_to(schema)
    sent = await api.post("/chat/completions", cast_to=str, body=asked)
    return parsed(sent, Completion, _COMPLETION)


def knows_no_schema(exc: "openai.APIStatusError") -> bool:
    """Whether an endpoint refuses a question for the schema that it came with."""
    words = exc.response.text[:2000]
    return exc.status_code in (400, 422) and any(
        word in words for word in ("response_format", "json_schema")
    )


async def listed(api: "openai.AsyncOpenAI") -> tuple[Model, ...]:
    """What is served now."""
    sent = await api.get("/models", cast_to=str)
    return parsed(sent, Models, "list of models; look at model.endpoint").data


async def counted(api: "openai.AsyncOpenAI", asked: dict[str, object]) -> int | None:
    """Tokens, by vLLM's `/tokenize`; None: the endpoint has nothing that counts."""
    import openai

    root = str(api.base_url).rstrip("/").removesuffix("/v1")
    try:
        sent = await api.post(f"{root}/tokenize", cast_to=str, body=asked)
        return Counted.model_validate_json(sent).count
    except ValidationError:
        return None
    except openai.APIStatusError as exc:
        if is_refused(exc.status_code):
            return None
        raise


def _keeping_to(schema: Schema) -> Json:
    return {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": dict(schema), "strict": True},
    }

"""Calls of an OpenAI-compatible API: request bodies, and what we read of the responses."""

import base64
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, Field, ValidationError

from appliance.core.errors import ModelError
from appliance.core.jsonable import Json
from appliance.inference.messages import Message, Schema, image_part, unspoken

if TYPE_CHECKING:
    import openai

_COMPLETION = "chat completion; model.endpoint must be the address of the API, up to and with /v1"
_WHITE_PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAATUlEQVR42u3PQQ0AAAgEILV/5zOFDzdoQCepz6aeExAQEB"
    "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQELi3cqoDfaKuZM4AAAAASUVORK5CYII="
)
"""64 by 64 white pixels, PNG: more than one patch of any model that we know."""
_UNRELATED_REFUSALS = (401, 403, 408, 409, 429, 502, 503, 504)
"""Refusals of any question; all others of a picture mean that it is not taken, also the 500 of
servers that have no code for pictures."""
_Shape = TypeVar("_Shape", bound=BaseModel)


class Usage(BaseModel):
    """Tokens that a question took."""

    prompt_tokens: int = 0
    completion_tokens: int | None = 0


class CompletionMessage(BaseModel):
    """One message of a model."""

    content: str | None = None


class TokenLikelihood(BaseModel):
    """The log-probability of a token."""

    logprob: float


class Likelihoods(BaseModel):
    """Log-probabilities of the tokens of an answer."""

    content: tuple[TokenLikelihood, ...] | None = None


class CompletionChoice(BaseModel):
    """One answer of several."""

    message: CompletionMessage
    finish_reason: str | None = None
    logprobs: Likelihoods | None = None
    token_ids: tuple[int, ...] | None = None  # vLLM's


class Completion(BaseModel):
    """A chat completion, as far as we read it."""

    choices: tuple[CompletionChoice, ...] = Field(min_length=1)
    usage: Usage | None = None
    prompt_token_ids: tuple[int, ...] | None = None  # vLLM's


class ListedModel(BaseModel):
    """One entry of a list of models."""

    id: str
    max_model_len: int | None = None  # vLLM's
    parent: str | None = None  # vLLM's, of an adapter


class ModelList(BaseModel):
    """A list of models."""

    data: tuple[ListedModel, ...]


class TokenCount(BaseModel):
    """What vLLM's `/tokenize` says."""

    count: int


async def complete(
    api: "openai.AsyncOpenAI",
    model: str,
    messages: Sequence[Message],
    *,
    schema: Schema | None = None,
    max_tokens: int,
    temperature: float = 0.0,
    traces: bool = False,
) -> Completion:
    """Ask for one completion; known secrets are removed from the messages."""
    body: dict[str, object] = {
        "model": model,
        "messages": [unspoken(message) for message in messages],
        "temperature": temperature,
        "max_tokens": max_tokens,
    }
    if schema is not None:
        body["response_format"] = _response_format(schema)
    if traces:
        body |= {"logprobs": True, "top_logprobs": 0, "return_token_ids": True}
    response_text = await api.post("/chat/completions", cast_to=str, body=body)
    return parse_response(response_text, Completion, _COMPLETION)


def knows_no_schema(exc: "openai.APIStatusError") -> bool:
    """Whether an endpoint refused a question because of its schema."""
    words = exc.response.text[:2000]
    return exc.status_code in (400, 422) and any(
        word in words for word in ("response_format", "json_schema")
    )


async def list_models(api: "openai.AsyncOpenAI") -> tuple[ListedModel, ...]:
    """The models that are served now."""
    response_text = await api.get("/models", cast_to=str)
    return parse_response(response_text, ModelList, "list of models; look at model.endpoint").data


async def count_tokens(api: "openai.AsyncOpenAI", body: dict[str, object]) -> int | None:
    """Number of tokens, by vLLM's `/tokenize`; None if the endpoint cannot count."""
    import openai

    root = str(api.base_url).rstrip("/").removesuffix("/v1")
    try:
        response_text = await api.post(f"{root}/tokenize", cast_to=str, body=body)
        return TokenCount.model_validate_json(response_text).count
    except ValidationError:
        return None
    except openai.APIStatusError as exc:
        if is_refused(exc.status_code):
            return None
        raise


def _response_format(schema: Schema) -> Json:
    return {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": dict(schema), "strict": True},
    }


def image_probe() -> tuple[Message, ...]:
    """A question with a minimal picture, to find out whether pictures are taken."""
    content = [{"type": "text", "text": "Say one word."}, image_part(_WHITE_PNG)]
    return ({"role": "user", "content": content},)


def is_refused(status: int) -> bool:
    """Whether a refusal concerns the question itself, rather than the state of the endpoint."""
    return status not in _UNRELATED_REFUSALS


def parse_response(response_text: str, shape: type[_Shape], expected: str) -> _Shape:
    """Parse a response as the expected shape.

    Args:
        response_text: Its words.
        shape: What is asked of it.
        expected: What that is in words, and what to look at where it is something else.

    Raises:
        ModelError: It is something else.
    """
    try:
        return shape.model_validate_json(response_text)
    except ValidationError as exc:
        raise ModelError(f"the model's endpoint answered what is no {expected}") from exc

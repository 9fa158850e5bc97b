"""What an endpoint sends, as far as we read it."""

from typing import TypeVar

from pydantic import BaseModel, Field, ValidationError

from appliance.core.errors import ModelError


class Usage(BaseModel):
    """What a question took."""

    prompt_tokens: int = 0
    completion_tokens: int | None = 0


class Said(BaseModel):
    """One message of a model."""

    content: str | None = None


class Choice(BaseModel):
    """One answer of several."""

    message: Said
    finish_reason: str | None = None


class Completion(BaseModel):
    """A chat completion, as far as we read it."""

    choices: tuple[Choice, ...] = Field(min_length=1)
    usage: Usage | None = None


class Model(BaseModel):
    """One entry of a list of models."""

    id: str
    max_model_len: int | None = None  # vLLM's
    parent: str | None = None  # vLLM's, of an adapter


class Models(BaseModel):
    """A list of models."""

    data: tuple[Model, ...]


class Counted(BaseModel):
    """What vLLM's `/tokenize` says."""

    count: int


_Shape = TypeVar("_Shape", bound=BaseModel)


def parsed(sent: str, shape: type[_Shape], wanted: str) -> _Shape:
    """What an endpoint sent, as what it should be.

    Args:
        sent: Its words.
        shape: What is asked of it.
        wanted: What that is in words, and what to look at where it is something else.

    Raises:
        ModelError: It is something else.
    """
    try:
        return shape.model_validate_json(sent)
    except ValidationError as exc:
        raise ModelError(f"the model's endpoint answered what is no {wanted}") from exc

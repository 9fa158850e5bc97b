"""What goes to a model and comes back from it."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from appliance.core.jsonable import Json
from appliance.core.secrets import without_secrets

Message = Mapping[str, Any]  # Any: OpenAI's own shape: role, and content as text or parts
Schema = Mapping[str, Json]

IMAGE_TOKENS: Final = 1400
"""About what a screenshot of 1280 by 800 pixels takes: patches of 28 by 28, as Qwen's models cut
it, and some."""
_SIGNATURES = {b"\x89PNG": "image/png", b"RIFF": "image/webp", b"GIF8": "image/gif"}


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenTrace:
    """An exchange as the model itself has it, for training on it."""

    prompt: tuple[int, ...]
    answer: tuple[int, ...]
    logprobs: tuple[float, ...]
    """How likely each token of the answer was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReply:
    """What a model said, and what it took."""

    text: str
    """Its words; empty where it said none."""
    parsed: Mapping[str, Json] | None
    """The JSON object that they are; None: no schema was given, or it is none."""
    finish_reason: str = "stop"
    """Why it ended: `stop`, `length` (it is not whole), or another word of the endpoint."""
    tokens_in: int
    tokens_out: int
    took_s: float
    trace: TokenTrace | None = None
    """None: it was not asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedModel:
    """What an endpoint serves under one name."""

    name: str
    context_tokens: int
    """Longest prompt and answer together."""
    takes_images: bool


def image_part(data: bytes) -> Mapping[str, Any]:  # Any: OpenAI's own shape
    """A picture as a part of a message's content."""
    kind = _SIGNATURES.get(data[:4], "image/jpeg")
    url = f"data:{kind};base64,{base64.b64encode(data).decode()}"
    return {"type": "image_url", "image_url": {"url": url}}


def text_of(messages: Sequence[Message]) -> str:
    """All the words of messages, without pictures."""
    return "\n\n".join(_words(message.get("content")) for message in messages)


def images_in(messages: Sequence[Message]) -> int:
    """How many pictures they hold."""
    return sum(
        part.get("type") == "image_url"
        for message in messages
        for part in _parts(message.get("content"))
    )


def without_images(message: Message) -> Message:
    """The message with its words only."""
    if isinstance(message.get("content"), str):
        return message
    return {**message, "content": _words(message.get("content"))}


def unspoken(message: Message) -> Message:
    """The message without any secret that we know; its pictures are made without."""
    content = message.get("content")
    if isinstance(content, str):
        return {**message, "content": without_secrets(content)}
    parts = [
        {**part, "text": without_secrets(part["text"])} if "text" in part else part
        for part in _parts(content)
    ]
    return {**message, "content": parts}


def _words(content: object) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text") or "") for part in _parts(content) if "text" in part)


def _parts(content: object) -> list[Mapping[str, Any]]:  # Any: OpenAI's own shape
    if not isinstance(content, list | tuple):
        return []
    return [part for part in content if isinstance(part, Mapping)]

"""What is asked of the script, and what it answers."""

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, assert_never

from appliance.inference.messages import text_of

NAME: Final = "scripted"
"""The model that it serves where nothing else is said."""


class Fault(StrEnum):
    """One thing that is wrong with an answer."""

    NONE = "none"
    SLOW = "slow"  # it takes `delay_s`, or half a minute
    WRONG = "wrong"  # JSON, and nonsense
    PROSE = "prose"  # a polite sentence in place of JSON
    TRUNCATED = "truncated"  # the first half; finish_reason is `length`
    HUGE = "huge"  # 200 kB of text
    RATE_LIMITED = "rate_limited"  # 429, with Retry-After where `retry_after_s` is set
    ERROR = "error"  # 500
    HANG_UP = "hang_up"  # the connection ends without an answer
    CUT_OFF = "cut_off"  # the connection ends in mid-sentence
    GONE = "gone"  # from now on nobody listens


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A call of one of the tools that came with the question."""

    name: str
    arguments: str
    """JSON, or what is none on purpose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptedReply:
    """One answer of the script, or a failure."""

    text: str = ""
    fault: Fault = Fault.NONE
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: str = "stop"
    status: int = 200
    body: str | None = None
    """Sent as it is, in place of a chat completion."""
    delay_s: float = 0.0
    """Before anything is sent."""
    chunk_s: float = 0.0
    """Between two words of a stream."""
    retry_after_s: float | None = None
    """What a refusal says about when to ask again; None: at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedRequest:
    """One request as the server received it."""

    model: str
    messages: tuple[Mapping[str, Any], ...]  # Any: OpenAI's own shape
    schema: Mapping[str, Any] | None  # Any: a JSON schema
    max_tokens: int
    temperature: float | None
    tools: tuple[Mapping[str, Any], ...]  # Any: OpenAI's own shape
    is_stream: bool
    says_usage: bool
    """Whether the end of a stream says what it took."""
    headers: Mapping[str, str]
    """By name in lower case."""
    traces: bool = False
    """Whether tokens are wanted, too, as vLLM gives them."""

    @property
    def text(self) -> str:
        """All that was said, as one text."""
        return text_of(self.messages)

    @property
    def last(self) -> str:
        """The text of the latest message of the user."""
        user_messages = [each for each in self.messages if each.get("role") == "user"]
        return text_of(user_messages[-1:])

    @property
    def turn(self) -> int:
        """1, and one more for every answer that the question quotes."""
        return 1 + sum(1 for each in self.messages if each.get("role") == "assistant")

    @property
    def images(self) -> tuple[bytes, ...]:
        """The pictures in it, in order."""
        parts = [
            part
            for message in self.messages
            if isinstance(message.get("content"), list)
            for part in message["content"]
            if part.get("type") == "image_url"
        ]
        return tuple(base64.b64decode(p["image_url"]["url"].partition(",")[2]) for p in parts)

    @property
    def is_probe(self) -> bool:
        """Whether nobody wants to know the answer: a question after health, or after pictures."""
        return self.max_tokens == 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What the server says that it serves."""

    models: tuple[str, ...] = (NAME,)
    context_tokens: int = 32768
    takes_images: bool = True
    adapters: Mapping[str, Path] = field(default_factory=dict)
    """LoRA adapters that are loaded from the start."""
    key: str = ""
    """The API key that it wants; empty: none."""
    has_tokenizer: bool = True
    """Whether it knows vLLM's `/tokenize`."""
    can_load_adapters: bool = True
    """As vLLM with VLLM_ALLOW_RUNTIME_LORA_UPDATING."""
    can_sleep: bool = True
    """As vLLM with VLLM_SERVER_DEV_MODE and `--enable-sleep-mode`."""


Script = Sequence[str | ScriptedReply] | Callable[[ReceivedRequest], str | ScriptedReply]


SLOW_S: Final = 30.0
"""How long a slow answer takes where nothing else is said."""
HUGE_BYTES: Final = 200_000
PROSE: Final = (
    "Certainly! I have had a good look at the page, and I would say that the next thing to do"
    " is to click on the button. Let me know if there is anything else!"
)
WRONG: Final = '{"action": "fly_to_the_moon", "element": 999999, "reached": "perhaps"}'
"""JSON that keeps to no schema of ours."""


def with_fault(reply: ScriptedReply) -> ScriptedReply:
    """The reply as its fault makes it; what the connection does is left to the server."""
    match reply.fault:
        case Fault.NONE | Fault.HANG_UP | Fault.CUT_OFF | Fault.GONE:
            return reply
        case Fault.SLOW:
            return replace(reply, delay_s=reply.delay_s or SLOW_S)
        case Fault.WRONG:
            return replace(reply, text=WRONG)
        case Fault.PROSE:
            return replace(reply, text=PROSE)
        case Fault.TRUNCATED:
            half = reply.text[: len(reply.text) // 2]
            return replace(reply, text=half, finish_reason="length")
        case Fault.HUGE:
            return replace(reply, text=(PROSE * (HUGE_BYTES // len(PROSE) + 1))[:HUGE_BYTES])
        case Fault.RATE_LIMITED:
            return replace(reply, status=429)
        case Fault.ERROR:
            return replace(reply, status=500)
        case _:
            assert_never(reply.fault)

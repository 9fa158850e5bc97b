"""OpenAI's shapes: a question as it comes, an answer as it goes, whole or in pieces."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from appliance.inference.scripted.script import ReceivedRequest, ScriptedReply

_ID = "chatcmpl-scripted"

Shape = Mapping[str, Any]  # Any: OpenAI's own shapes


def parse_request(sent: Shape, headers: Mapping[str, str]) -> ReceivedRequest:
    """The question in the body of a request; `KeyError`, `TypeError` where it is none."""
    form = sent.get("response_format") or {}
    return ReceivedRequest(
        model=str(sent.get("model", "")),
        messages=tuple(sent["messages"]),
        schema=(form.get("json_schema") or {}).get("schema"),
        max_tokens=sent.get("max_tokens") or sent.get("max_completion_tokens") or 0,
        temperature=sent.get("temperature"),
        tools=tuple(sent.get("tools") or ()),
        is_stream=bool(sent.get("stream")),
        says_usage=bool((sent.get("stream_options") or {}).get("include_usage")),
        headers=headers,
        traces=bool(sent.get("return_token_ids")),
    )


def count(text: str) -> int:
    """Words stand for tokens: near enough, quick, and the same each time."""
    return len(text.split())


def completion(request: ReceivedRequest, reply: ScriptedReply) -> Shape:
    """A whole chat completion."""
    message: dict[str, object] = {"role": "assistant", "content": reply.text}
    if reply.tool_calls:
        message["tool_calls"] = _calls(reply)
    choice: dict[str, object] = {"index": 0, "finish_reason": _reason(reply), "message": message}
    told: dict[str, object] = {}
    if request.traces:
        told["prompt_token_ids"] = list(range(count(request.text)))
        choice["token_ids"] = ids = list(range(count(reply.text) + 1))  # with what ends it
        choice["logprobs"] = {"content": [{"logprob": -0.5} for _ in ids]}
    return {
        **_frame(request, "chat.completion"),
        **told,
        "choices": [choice],
        "usage": usage(request, reply),
    }


def chunks(request: ReceivedRequest, reply: ScriptedReply) -> Iterator[str]:
    """The same in pieces, word by word, as data of server-sent events."""
    frame = _frame(request, "chat.completion.chunk")

    def piece(delta: Shape, reason: str | None = None) -> str:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        return json.dumps({**frame, "choices": [choice]})

    yield piece({"role": "assistant", "content": ""})
    for line in reply.text.splitlines(keepends=True):
        for number, word in enumerate(line.split(" ")):
            yield piece({"content": f" {word}" if number else word})
    if reply.tool_calls:
        yield piece({"tool_calls": _calls(reply)})
    yield piece({}, _reason(reply))
    if request.says_usage:
        yield json.dumps({**frame, "choices": [], "usage": usage(request, reply)})
    yield "[DONE]"


def usage(request: ReceivedRequest, reply: ScriptedReply) -> Mapping[str, int]:
    """The tokens of the request and of the reply."""
    tokens_in, tokens_out = count(request.text), count(reply.text)
    return {
        "prompt_tokens": tokens_in,
        "completion_tokens": tokens_out,
        "total_tokens": tokens_in + tokens_out,
    }


def refusal(message: str, kind: str = "BadRequestError", code: int = 400) -> str:
    """An error as vLLM says it."""
    error = {"message": message, "type": kind, "param": None, "code": code}
    return json.dumps({"error": error})


def _frame(request: ReceivedRequest, kind: str) -> Shape:
    return {"id": _ID, "object": kind, "created": 0, "model": request.model}


def _reason(reply: ScriptedReply) -> str:
    return "tool_calls" if reply.tool_calls else reply.finish_reason


def _calls(reply: ScriptedReply) -> list[Shape]:
    return [
        {
            "index": number,
            "id": f"call-{number}",
            "type": "function",
            "function": {"name": call.name, "arguments": call.arguments},
        }
        for number, call in enumerate(reply.tool_calls)
    ]

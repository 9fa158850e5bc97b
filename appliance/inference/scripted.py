"""A server that speaks the OpenAI protocol and answers from a script.

It stands in for a model wherever an answer has to be the same each time. It listens on the loopback
interface only, and knows `/v1/models` and `/v1/chat/completions`.
"""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

NAME: Final = "scripted"
"""The one model that it serves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One answer of the script, or a failure."""

    text: str = ""
    status: int = 200
    body: str | None = None
    """Sent as it is, in place of a chat completion."""
    delay_s: float = 0.0
    is_cut_off: bool = False
    """Whether the connection ends without an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question that came."""

    messages: tuple[Mapping[str, Any], ...]  # Any: OpenAI's own shape
    schema: Mapping[str, Any] | None  # Any: a JSON schema
    max_tokens: int
    headers: Mapping[str, str]
    """By name in lower case."""

    @property
    def text(self) -> str:
        """All that was said, as one text."""
        return "\n\n".join(str(message.get("content", "")) for message in self.messages)


Script = Sequence[str | Reply] | Callable[[Asked], str | Reply]


@dataclass(slots=True)
class Scripted:
    """A server that answers."""

    url: str
    """Up to and with `/v1`."""
    asked: list[Asked] = field(default_factory=list)
    """All questions, oldest first."""


@contextmanager
def serving(script: Script) -> Iterator[Scripted]:
    """Answer while the block runs, each question with the next line of the script.

    Args:
        script: Answers in order, or a function of the question. A question after the last line is
            refused with HTTP 500.
    """
    scripted = Scripted(url="")
    lines = iter(()) if callable(script) else iter(script)
    turn = threading.Lock()  # invariant: each line of the script answers one question

    def answer(asked: Asked) -> Reply:
        with turn:
            scripted.asked.append(asked)
            if callable(script):
                said = script(asked)
            else:
                said = next(lines, Reply(status=500, body='{"error": "the script is over"}'))
        return said if isinstance(said, Reply) else Reply(text=said)

    class Handler(_Handler):
        to_reply = staticmethod(answer)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    scripted.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), name="scripted model")
    thread.start()
    try:
        yield scripted
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    to_reply: Callable[[Asked], Reply]

    def do_GET(self) -> None:
        if self.path == "/v1/models":
            self._send(200, json.dumps({"object": "list", "data": [_model()]}))
        else:
            self._send(404, json.dumps({"error": {"message": f"no such path: {self.path}"}}))

    def do_POST(self) -> None:
        sent = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))))
        if self.path != "/v1/chat/completions":
            self._send(404, json.dumps({"error": {"message": f"no such path: {self.path}"}}))
            return
        asked = _asked(sent, {k.lower(): v for k, v in self.headers.items()})
        reply = self.to_reply(asked)
        time.sleep(reply.delay_s)
        if reply.is_cut_off:
            self.close_connection = True
        elif reply.body is not None:
            self._send(reply.status, reply.body)
        elif reply.status != 200:
            self._send(reply.status, json.dumps({"error": {"message": "as the script says"}}))
        else:
            self._send(200, json.dumps(_completion(asked, reply.text)))

    def _send(self, status: int, body: str) -> None:
        data = body.encode()
        is_json = body.startswith(("{", "["))
        try:
            self.send_response(status)
            self.send_header("content-type", "application/json" if is_json else "text/html")
            self.send_header("content-length", str(len(data)))
            self.send_header("retry-after-ms", "1")  # nobody has to wait for a script
            self.end_headers()
            self.wfile.write(data)
        except OSError:  # who asked has left: a time limit is being tried out
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: what is asked is kept instead."""


def _asked(sent: Mapping[str, Any], headers: Mapping[str, str]) -> Asked:  # Any: OpenAI's shape
    form = sent.get("response_format") or {}
    return Asked(
        messages=tuple(sent["messages"]),
        schema=form.get("json_schema", {}).get("schema"),
        max_tokens=sent.get("max_tokens") or 0,
        headers=headers,
    )


def _model() -> Mapping[str, Any]:  # Any: OpenAI's own shape
    return {"id": NAME, "object": "model", "created": 0, "owned_by": "appliance"}


def _completion(asked: Asked, text: str) -> Mapping[str, Any]:  # Any: OpenAI's own shape
    """Words stand for tokens: near enough, and the same each time."""
    tokens_in, tokens_out = len(asked.text.split()), len(text.split())
    return {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": 0,
        "model": NAME,
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": text},
            }
        ],
        "usage": {
            "prompt_tokens": tokens_in,
            "completion_tokens": tokens_out,
            "total_tokens": tokens_in + tokens_out,
        },
    }

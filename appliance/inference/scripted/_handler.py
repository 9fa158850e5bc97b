"""One connection: reads questions, and answers or fails as the script says."""

import json
import socket
import time
from http.server import BaseHTTPRequestHandler
from typing import Protocol
from urllib.parse import urlsplit

from appliance.inference.scripted._extras import ServerExtras, answer_get, answer_post
from appliance.inference.scripted._protocol import chunks, completion, parse_request, refusal, usage
from appliance.inference.scripted.script import Fault, ReceivedRequest, ScriptedReply


class ScriptPlayer(Protocol):
    """The server, as a connection sees it."""

    state: ServerExtras

    def reply_to(self, request: ReceivedRequest) -> ScriptedReply:
        """What the script says."""
        ...

    def vanish(self) -> None:
        """Stop listening without a word, as a crashed server does."""
        ...


class Handler(BaseHTTPRequestHandler):
    """Serves the requests of one connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else each answer waits for a delayed acknowledgement
    wbufsize = -1  # head and body in one packet
    answering: ScriptPlayer

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        reply = answer_get(self.answering.state, path)
        if reply is None:
            self._refuse(404, f"no such path: {path}", "NotFoundError")
        else:
            self._send(*reply)

    def do_POST(self) -> None:
        parts = urlsplit(self.path)
        state = self.answering.state
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        try:
            sent = json.loads(raw) if raw else {}
            if parts.path == "/v1/chat/completions":
                request = parse_request(sent, {k.lower(): v for k, v in self.headers.items()})
                self._answer(state, request)
                return
            reply = answer_post(state, parts.path, parts.query, sent)
        except (ValueError, KeyError, TypeError, AttributeError) as exc:
            self._refuse(400, f"no question of OpenAI's shape: {exc!r}")
            return
        if reply is None:
            self._refuse(404, f"no such path: {parts.path}", "NotFoundError")
        else:
            self._send(*reply)

    def _answer(self, state: ServerExtras, request: ReceivedRequest) -> None:
        if (refused := _refusal_of(state, request)) is not None:
            self._refuse(*refused)
            return
        with state.lock:
            state.running += 1
        try:
            reply = self.answering.reply_to(request)
            took = usage(request, reply)
            with state.lock:
                state.tokens_in += took["prompt_tokens"]
                state.tokens_out += took["completion_tokens"]
            time.sleep(reply.delay_s)
            self._play(request, reply)
        finally:
            with state.lock:
                state.running -= 1

    def _play(self, request: ReceivedRequest, reply: ScriptedReply) -> None:
        if reply.fault in (Fault.HANG_UP, Fault.GONE):
            self.close_connection = True
            hang_up(self.connection)
            if reply.fault is Fault.GONE:
                self.answering.vanish()
        elif reply.body is not None:
            self._send(reply.status, reply.body, reply)
        elif reply.status != 200:
            self._send(reply.status, refusal("as the script says", code=reply.status), reply)
        elif request.is_stream:
            self._stream(request, reply)
        else:
            self._send(200, json.dumps(completion(request, reply)), reply)

    def _refuse(self, status: int, message: str, kind: str = "BadRequestError") -> None:
        self._send(status, refusal(message, kind, status))

    def _send(self, status: int, body: str, reply: ScriptedReply | None = None) -> None:
        data = body.encode()
        try:
            self._head(status, _kind(body), reply or ScriptedReply())
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            if reply and reply.fault is Fault.CUT_OFF:
                self.wfile.write(data[: len(data) // 2])
                self._break_off()
            else:
                self.wfile.write(data)
                self.wfile.flush()
        except OSError:  # who asked has left: a time limit is being tried out
            self.close_connection = True

    def _stream(self, request: ReceivedRequest, reply: ScriptedReply) -> None:
        """Server-sent events, each sent as it comes."""
        events = [f"data: {data}\n\n".encode() for data in chunks(request, reply)]
        if reply.fault is Fault.CUT_OFF:
            events = events[: len(events) // 2]
        try:
            self._head(200, "text/event-stream", reply)
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            for event in events:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(event), event))
                self.wfile.flush()
                time.sleep(reply.chunk_s)
            if reply.fault is Fault.CUT_OFF:
                self._break_off()
            else:
                self.wfile.write(b"0\r\n\r\n")
                self.wfile.flush()
        except OSError:
            self.close_connection = True

    def _head(self, status: int, kind: str, reply: ScriptedReply) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        if reply.retry_after_s is not None:
            self.send_header("retry-after", f"{reply.retry_after_s:g}")
        else:
            self.send_header("retry-after-ms", "1")  # nobody has to wait for a script

    def _break_off(self) -> None:
        self.wfile.flush()
        self.close_connection = True
        hang_up(self.connection)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing: the requests themselves are kept."""


def _refusal_of(state: ServerExtras, request: ReceivedRequest) -> tuple[int, str, str] | None:
    """Why a server like vLLM does not take a question at all."""
    offer = state.offer
    if offer.key and request.headers.get("authorization") != f"Bearer {offer.key}":
        return 401, "Unauthorized", "AuthenticationError"
    if not state.knows(request.model):
        return 404, f"The model `{request.model}` does not exist.", "NotFoundError"
    if state.sleep_level:
        return 503, "The model sleeps; wake it up.", "ServiceUnavailableError"
    if request.images and not offer.takes_images:
        return 400, f"{request.model} is not a multimodal model", "BadRequestError"
    if (length := usage(request, ScriptedReply())["prompt_tokens"]) > offer.context_tokens:
        message = (
            f"This model's maximum context length is {offer.context_tokens} tokens. However, your"
            f" request has {length} input tokens."
        )
        return 400, message, "BadRequestError"
    return None


def _kind(body: str) -> str:
    if body.startswith(("{", "[")):
        return "application/json"
    return "text/html" if body.startswith("<") else "text/plain"


def hang_up(connection: socket.socket) -> None:
    """End a connection at once, whoever waits at either side."""
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:  # it has hung up already
        return

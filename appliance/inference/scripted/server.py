"""Listens, answers, and fails as the script says."""

import json
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from appliance.inference.scripted._extras import ServerExtras, answer_get, answer_post
from appliance.inference.scripted._protocol import chunks, completion, parse_request, refusal, usage
from appliance.inference.scripted.scenario import Scenario
from appliance.inference.scripted.script import (
    Fault,
    Offer,
    ReceivedRequest,
    Script,
    ScriptedReply,
    with_fault,
)


class Handler(BaseHTTPRequestHandler):
    """Serves the requests of one connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else each answer waits for a delayed acknowledgement
    wbufsize = -1  # head and body in one packet
    answering: "_Server"

    def do_GET(self) -> None:
        """Whatever is asked of vLLM beside questions."""
        path = urlsplit(self.path).path
        reply = answer_get(self.answering.state, path)
        if reply is None:
            self._refuse(404, f"no such path: {path}", "NotFoundError")
        else:
            self._send(*reply)

    def do_POST(self) -> None:
        """A question, or what vLLM is told to do."""
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


_PROBE = ScriptedReply(text="Well.")
_OVER = ScriptedReply(status=500, body=refusal("the script is over", "InternalServerError", 500))


@dataclass(slots=True)
class Scripted:
    """A running scripted server."""

    url: str
    """Up to and with `/v1`."""
    state: ServerExtras
    requests: list[ReceivedRequest] = field(default_factory=list)
    """All questions but probes, oldest first."""
    is_gone: bool = False
    """Whether the script made it go."""


@contextmanager
def serving(
    script: Script | Scenario,
    offer: Offer | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    on_gone: Callable[[], None] = lambda: None,
) -> Iterator[Scripted]:
    """Answer while the block runs, each question with the next line of the script.

    Args:
        script: Answers in order, a function of the question, or a scenario. A question after the
            last line is refused with HTTP 500. Probes (questions for one token: a client finds out
            whether pictures are taken, a supervisor whether all is well) are the scenario's affair
            only; elsewhere they are answered and not counted.
        offer: What is served; None: as the scenario says, else one model `scripted`.
        host: Where it listens.
        port: 0: any that is free.
        on_gone: Called where the script makes it go.
    """
    if offer is None:
        offer = script.offer if isinstance(script, Scenario) else Offer()
    server = _Server((host, port), script, offer, on_gone)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), name="scripted model")
    thread.start()
    try:
        yield server.scripted
    finally:
        server.leave()
        thread.join()


def run(
    scenario: Scenario,
    offer: Offer,
    *,
    host: str,
    port: int,
    over: threading.Event,
    say: Callable[[str], None],
) -> int:
    """Serve a scenario until `over` is set or its script makes it go; the exit code."""
    if over.wait(scenario.start_delay_s):
        return 0
    if scenario.start_fails:
        say(scenario.start_fails)
        return 1
    with serving(scenario, offer, host=host, port=port, on_gone=over.set) as scripted:
        say(scripted.url)
        over.wait()
    return 1 if scripted.is_gone else 0


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128  # sixteen who knock at once are not sent away for a second

    def __init__(
        self,
        address: tuple[str, int],
        script: Script | Scenario,
        offer: Offer,
        on_gone: Callable[[], None],
    ) -> None:
        of_this = type("_Handler", (Handler,), {"answering": self})
        super().__init__(address, of_this)
        self._on_gone = on_gone
        self._script = script
        self._lines = iter(()) if callable(script) else iter(script)
        self._turn = threading.Lock()  # invariant: each line of the script answers one question
        self._open: set[socket.socket] = set()
        self.state = ServerExtras(offer=offer, adapters=dict(offer.adapters))
        url = f"http://{address[0]}:{self.server_port}/v1"
        self.scripted = Scripted(url=url, state=self.state)

    def reply_to(self, request: ReceivedRequest) -> ScriptedReply:
        """What the script says."""
        if request.is_probe and not isinstance(self._script, Scenario):
            return _PROBE
        with self._turn:
            if not request.is_probe:
                self.scripted.requests.append(request)
            reply = self._script(request) if callable(self._script) else next(self._lines, _OVER)
        return with_fault(reply if isinstance(reply, ScriptedReply) else ScriptedReply(text=reply))

    def get_request(self) -> tuple[socket.socket, Any]:  # Any: as the standard library has it
        """Accept a connection, and remember it until it ends."""
        connection, address = super().get_request()
        self._open.add(connection)
        return connection, address

    def shutdown_request(self, request: Any) -> None:  # Any: as the standard library has it
        """Forget a connection that has ended."""
        self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:  # Any: as above
        """A connection that broke is nothing to talk about: whoever asked has left."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)

    def vanish(self) -> None:
        """Stop listening without a word, as a crashed server does."""
        self.scripted.is_gone = True
        self._on_gone()
        threading.Thread(target=self.leave, name="scripted model leaves").start()

    def leave(self) -> None:
        """End, and every connection with it; a second time changes nothing."""
        self.shutdown()
        self.server_close()
        for connection in tuple(self._open):
            hang_up(connection)

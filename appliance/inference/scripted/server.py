"""Listens, answers, and fails as the script says."""

import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import ThreadingHTTPServer
from typing import Any

from appliance.inference.scripted._extras import ServerExtras
from appliance.inference.scripted._handler import Handler, hang_up
from appliance.inference.scripted._protocol import refusal
from appliance.inference.scripted.scenario import Scenario
from appliance.inference.scripted.script import (
    Offer,
    ReceivedRequest,
    Script,
    ScriptedReply,
    with_fault,
)

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

"""The console of the cases; what is done in it is written down, so that it is the witness."""

import json
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, quote, urlsplit

from tests.traps import pages
from tests.traps.cases import Case, Console, Control, controls_of

PASSWORD = "let-me-in-please"
USERS = ("alice", "bob")


@dataclass
class State:
    """A case as it stands."""

    case: Case
    console: Console
    rows: dict[str, list[tuple[str, ...]]] = field(default_factory=dict)
    """By page."""
    message: str = ""

    @classmethod
    def fresh(cls, case: Case, console: Console | None = None) -> "State":
        chosen = console or case.page
        rows = {
            name: list(block.table.rows)
            for name, blocks in chosen.pages.items()
            for block in blocks
            if block.table
        }
        return cls(case, chosen, rows)


class Witness:
    """All cases, and what was posted."""

    def __init__(self, cases: tuple[Case, ...]) -> None:
        self.cases = cases
        self.states = {case.id: State.fresh(case) for case in cases}
        self.posted: list[tuple[int, str]] = []
        """Case and `control@target`, oldest first; nothing is ever taken out."""
        self.lock = threading.Lock()  # invariant: what is posted and the rows belong together
        self.url = ""

    def of(self, case: int) -> list[str]:
        """What was posted in a case."""
        with self.lock:
            return [what for number, what in self.posted if number == case]

    def turn(self) -> None:
        """From now on the pages are as they are later; what was done is forgotten."""
        with self.lock:
            self.posted.clear()
            self.states = {c.id: State.fresh(c, c.later) for c in self.cases}

    def take(self, number: int, page: str, control: str, target: str) -> None:
        """Something was clicked that changes something."""
        with self.lock:
            self.posted.append((number, f"{control}@{target}"))
            state = self.states[number]
            found = _control_of(state.console, page, control)
            if found.fails:
                state.message = found.fails
                return
            state.message = (found.says or "✓ {row}").replace("{row}", target)
            if found.removes:
                gone = set(target.split("+"))
                for name, rows in state.rows.items():
                    state.rows[name] = [row for row in rows if row[0] not in gone]
            if found.adds:
                state.rows[found.adds].append((target,))


def _control_of(console: Console, page: str, key: str) -> Control:
    return next((c for c in controls_of(console, page) if key in c.keys), Control(label=key))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    witness: Witness

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        if "user=" not in self.headers.get("cookie", ""):
            return self._send(pages.login(refused="refused" in parts.query))
        names = parts.path.strip("/").split("/")
        query = {k: v[0] for k, v in parse_qs(parts.query, keep_blank_values=True).items()}
        if names[0] == "posted":
            return self._send(json.dumps(self.witness.posted), "application/json")
        if names[0] != "case":
            return self._send(pages.home(self.witness.cases))
        return self._case(int(names[1]), names[2], query)

    def _case(self, number: int, name: str, query: Mapping[str, str]) -> None:
        state = self.witness.states.get(number)
        if state is None or name not in (*state.console.pages, "do"):
            return self._send("<h1>404</h1>", status=404)
        if name == "do":
            where = urlsplit(self.headers.get("referer", "")).path.rpartition("/")[2] or "main"
            self.witness.take(number, where, query["control"], query["target"])
            return self._redirect(where)
        row = query.get("row", "")
        with self.witness.lock:
            message, state.message = state.message, ""
            html = pages.page(state.case, state.console, name, row, state.rows, message)
        return self._send(html)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
        names = urlsplit(self.path).path.strip("/").split("/")
        if names[0] == "login":
            given = {k: v[0] for k, v in parse_qs(body).items()}
            user = given.get("username", "")
            if user in USERS and given.get("password") == PASSWORD:
                return self._redirect("/", f"user={user}; Path=/")
            return self._redirect("/?refused")
        sent = json.loads(body)
        self.witness.take(int(names[1]), names[2], sent["control"], sent["target"])
        return self._send("{}", "application/json")

    def _redirect(self, to: str, cookie: str = "") -> None:
        self.send_response(303)
        self.send_header("location", quote(to, safe="/?=&"))
        if cookie:
            self.send_header("set-cookie", cookie)
        self.send_header("content-length", "0")
        self.end_headers()

    def _send(self, text: str, kind: str = "text/html", status: int = 200) -> None:
        data = text.encode()
        self.send_response(status)
        self.send_header("content-type", f"{kind}; charset=utf-8")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: what counts is in the witness."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A connection that broke is nothing to talk about: a page was left."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


@contextmanager
def serving(cases: tuple[Case, ...]) -> Iterator[Witness]:
    """The console while the block runs."""
    witness = Witness(cases)
    handler = type("Handler", (_Handler,), {"witness": witness})
    server = _Server(("127.0.0.1", 0), handler)
    witness.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield witness
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

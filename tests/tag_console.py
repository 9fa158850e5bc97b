"""A console that has lists and nothing else: no log-in, no API, no audit log."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Protocol
from urllib.parse import parse_qs


class Door(Protocol):
    """A log-in before all of its pages."""

    def opens(self, handler: BaseHTTPRequestHandler) -> bool:
        """Whether the request may pass; else it has been answered."""


class OpenDoor:
    """There is none."""

    def opens(self, handler: BaseHTTPRequestHandler) -> bool:
        return True


@dataclass
class Tags:
    """What it has, and how it misbehaves."""

    names: dict[int, str] = field(default_factory=dict)
    url: str = ""
    forgets: bool = False
    """Whether what is added is not kept, and said to be added all the same."""
    keeps: bool = False
    """Whether what is deleted stays."""
    deletions: int = 0
    """How often one was asked for."""
    has_menus: bool = False
    """Whether the control that deletes stands in a menu behind an icon."""
    deletes: bool = True
    """Whether rows have a control that deletes."""
    has_pages: bool = False
    """Whether every tag has a page of its own, which goes on showing one that was deleted."""
    late_ms: int = 0
    """How long its list takes to come, after a deletion, once the page is there."""
    errors: int = 0
    """Pages that it answers with an error of the server's, from now on."""
    last: int = 0
    known: dict[int, str] = field(default_factory=dict)
    """Also those that were deleted."""

    def add(self, name: str) -> None:
        self.last += 1
        self.names[self.last] = self.known[self.last] = name

    def page(self, path: str, said: str) -> str:
        notice = f'<div role="status" class="alert-success">{said}</div>' if said else ""
        return (
            f"<title>{self.title(path)} | Tag console</title><nav><a href='/'>Home</a>"
            f"<a href='/tags'>Tags</a></nav><main>{notice}{self.content(path)}</main>"
        )

    def title(self, path: str) -> str:
        others = "Delete tag" if path.endswith("/delete") else "Tag"
        return {"/": "Home", "/tags": "Tags", "/tags/add": "Add tag"}.get(path, others)

    def content(self, path: str) -> str:
        match path:
            case "/":
                return "<h1>Welcome</h1>"
            case "/tags":
                return f"<h1>Tags</h1><a href='/tags/add'>Add tag</a>{self.late(self.table())}"
            case "/tags/add":
                return (
                    "<h1>Add tag</h1><form method=post><label>Name <input name=name></label>"
                    "<button>Save</button></form>"
                )
        number = int(path.split("/")[2])
        name = escape(self.known[number])
        if not path.endswith("/delete"):
            return f"<h1>{name}</h1><a href='/tags/{number}/delete'>Delete</a>"
        return (
            f"<h1>Delete tag</h1><p>Are you sure you want to delete “{name}”?</p>"
            "<form method=post><button>Yes, delete</button></form><a href='/tags'>No</a>"
        )

    def late(self, html: str) -> str:
        if not self.late_ms or not self.deletions:
            return html
        draw = f"setTimeout(() => at.innerHTML = list.innerHTML, {self.late_ms})"
        return f"<div id=at></div><template id=list>{html}</template><script>{draw}</script>"

    def table(self) -> str:
        if not self.names:
            return "<p>There are no tags.</p>"
        rows = "".join(
            f"<tr><td>{self.cell(number)}</td><td>{self.control(number)}</td></tr>"
            for number in self.names
        )
        return f"<table><tr><th>Name</th><th>Actions</th></tr>{rows}</table>"

    def cell(self, number: int) -> str:
        name = escape(self.names[number])
        return f"<a href='/tags/{number}'>{name}</a>" if self.has_pages else name

    def control(self, number: int) -> str:
        if not self.deletes or self.has_pages:
            return ""
        if self.has_menus:
            return (
                "<button aria-haspopup=menu onclick='this.nextSibling.hidden=false'>"
                "<svg width=16 height=16></svg></button><div role=menu hidden>"
                f"<a role=menuitem href='/tags/{number}/delete'>Delete</a></div>"
            )
        return f"<a href='/tags/{number}/delete'>Delete</a>"


def _handler(tags: Tags, door: Door) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        said = ""

        def parse_request(self) -> bool:
            return super().parse_request() and door.opens(self)

        def do_GET(self) -> None:
            path, _, said = self.path.partition("?said=")
            known = path in ("/", "/tags", "/tags/add") or path.startswith("/tags/")
            status = 200 if known else 404
            if tags.errors and known:
                tags.errors, status = tags.errors - 1, 500
            page = tags.page(path, said.replace("+", " ")) if status == 200 else "<h1>Error</h1>"
            self.answer(status, page)

        def do_POST(self) -> None:
            size = int(self.headers["content-length"])
            form = parse_qs(self.rfile.read(size).decode())
            if self.path == "/tags/add":
                said = "Tag+added"
                if not tags.forgets:
                    tags.add(form["name"][0])
            else:
                said = "Tag+deleted"
                tags.deletions += 1
                if not tags.keeps:
                    del tags.names[int(self.path.split("/")[2])]
            self.send_response(303)
            self.send_header("location", f"/tags?said={said}")
            self.end_headers()

        def answer(self, status: int, page: str) -> None:
            self.send_response(status)
            self.send_header("content-type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, format: str, *arguments: object) -> None:
            """Nothing is said."""

    return Handler


@contextmanager
def tag_console(door: Door | None = None) -> Iterator[Tags]:
    """A console that answers; behind a door, if there is one."""
    tags = Tags()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(tags, door or OpenDoor()))
    tags.url = f"http://127.0.0.1:{server.server_port}/"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield tags
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

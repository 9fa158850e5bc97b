"""The bare limits: what the database and the web framework need when nothing of ours is there."""

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import uvicorn
from litestar import Litestar, get

from appliance.store.store import FILE_NAME
from tests.benchmarks.server.asking import Times, ask, times
from tests.benchmarks.server.pages import Page


def bare_queries(data_dir: Path, pages: tuple[Page, ...], rounds: int) -> dict[str, Times]:
    """By SQL text: the query alone, with nobody else at the database."""
    found: dict[str, Times] = {}
    with duckdb.connect(str(data_dir / FILE_NAME), read_only=True) as connection:
        for page in pages:
            if page.sql and page.sql not in found:
                took = []
                for _ in range(rounds):
                    began = time.perf_counter()
                    connection.execute(page.sql, list(page.values)).fetchall()
                    took.append(time.perf_counter() - began)
                found[page.sql] = times(page.sql, took)
    return found


def empty_route(rounds: int) -> Times:
    """A route of Litestar's that answers with a constant, on uvicorn, over HTTP."""
    with _served() as url:
        return ask(url, ["/"], rounds)[0]


@contextmanager
def _served() -> Iterator[str]:
    @get("/", sync_to_thread=False)
    def nothing() -> str:
        return ""

    app = Litestar([nothing], logging_config=None, openapi_config=None)
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False))
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        thread = threading.Thread(
            target=lambda: asyncio.run(server.serve(sockets=[listener])), name="empty route"
        )
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()

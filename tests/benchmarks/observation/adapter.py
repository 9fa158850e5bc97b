"""Our observation behind the adapter protocol of a harness that compares observers side by side.

One JSON object per line comes on stdin: `attach`, `observe`, `elements`, `click`, `quit`. One JSON
object per line goes to the file descriptor that `BENCH_OUT` names, with `ok`. An observation is
`Page.look`: what `Page.observe` does, without its wait until the page is quiet, since no other
observer waits in its own.
"""

import asyncio
import json
import os
import sys
import time
import traceback
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any, TextIO
from urllib.parse import urlsplit

from appliance.browser import Page
from appliance.config import BrowserSettings
from appliance.core import actions
from appliance.core.page import Observation
from tests.benchmarks.observation.attach import attached
from tests.benchmarks.observation.ours import nodes, shown, view_form

LINE_LIMIT = 1 << 20  # bytes of one question
Message = dict[str, Any]  # Any: the harness's JSON


class NoPageError(Exception):
    """The harness asked for something before it said `attach`."""


class Adapter:
    """One page of a foreign browser, as the harness asks for it."""

    def __init__(self, *, is_whole: bool) -> None:
        self._is_whole = is_whole  # every element counts as shown, not only those in the text
        self._stack = AsyncExitStack()
        self._page: Page | None = None
        self._seen: Observation | None = None
        self._text = ""

    @property
    def _open(self) -> Page:
        if self._page is None:
            raise NoPageError("attach first")
        return self._page

    async def attach(self, asked: Message) -> Message:
        """Take the browser's one page, and load an address in it."""
        page = await self._stack.enter_async_context(
            attached(asked["ws"], _hosts(asked["url"]), BrowserSettings())
        )
        await page.raw.goto(asked["url"], wait_until="load")
        self._page = page
        return {}

    async def observe(self, asked: Message) -> Message:
        """One look and its text; the time is ours, from the call to the finished text."""
        began = time.perf_counter()
        self._seen = await self._open.look()
        self._text = view_form(self._seen)
        answer: Message = {"ms": (time.perf_counter() - began) * 1000}
        return answer | ({"text": self._text} if asked.get("want_text") else {})

    async def elements(self, _: Message) -> Message:
        """Every number with the node it stands for."""
        if self._seen is None:
            raise NoPageError("observe first")
        numbers = [e.id for e in self._seen.elements]
        listed = set(numbers) if self._is_whole else shown(self._seen, self._text)
        found = await nodes(self._open, numbers)
        return {
            "elements": [
                {"h": node.number, "bid": node.backend_id, "frame": node.frame}
                for node in found
                if node.number in listed
            ]
        }

    async def click(self, asked: Message) -> Message:
        """The action that a policy would take."""
        began = time.perf_counter()
        done = await self._open.perform(actions.Click(asked["h"]))
        if not done.ok:
            raise RuntimeError(done.error)
        return {"ms": (time.perf_counter() - began) * 1000}

    async def close(self) -> None:
        """Let go of the browser."""
        await self._stack.aclose()


def _hosts(url: str) -> frozenset[str]:
    return frozenset({urlsplit(url).netloc})


def serve(*, is_whole: bool) -> int:
    """Answer until stdin ends or `quit` comes."""
    with os.fdopen(int(os.environ["BENCH_OUT"]), "w", buffering=1) as out:
        asyncio.run(_serve(Adapter(is_whole=is_whole), out))
    return 0


async def _serve(adapter: Adapter, out: TextIO) -> None:
    questions = asyncio.StreamReader(limit=LINE_LIMIT)
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(questions), sys.stdin
    )
    try:
        while line := await questions.readline():
            asked = json.loads(line)
            answer = {"ok": True} if asked["op"] == "quit" else await _answer(adapter, asked)
            out.write(json.dumps(answer) + "\n")
            if asked["op"] == "quit":
                return
    finally:
        await adapter.close()


async def _answer(adapter: Adapter, asked: Message) -> Message:
    known: dict[str, Callable[[Message], Awaitable[Message]]] = {
        "attach": adapter.attach,
        "observe": adapter.observe,
        "elements": adapter.elements,
        "click": adapter.click,
    }
    try:
        return {"ok": True, **await known[asked["op"]](asked)}
    except Exception as exc:  # noqa: BLE001 - the harness is told, and its log has the trace
        traceback.print_exc()
        return {"ok": False, "error": f"{type(exc).__name__}: {str(exc)[:500]}"}

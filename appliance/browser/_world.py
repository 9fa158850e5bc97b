"""Our own JavaScript world in a page, which its scripts can neither see nor break."""

import asyncio
import base64
import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from playwright.async_api import CDPSession, Error, Page

from appliance.core.errors import BrowserError

WORLD = "appliance"
BINDING = "__appliance_tell"
PARTS = ("base", "names", "context", "texts", "bare", "observe", "watch", "act", "export")
FRAME_BOX = "function (show) { return globalThis.__appliance.frameBox(this, show); }"
CALL_TIMEOUT_S = 10.0  # one evaluation; a page whose script never yields is given up after this

# Names of the events between the worlds: not to be guessed by a page.
ASK, TELL = f"ask-{secrets.token_hex(8)}", f"tell-{secrets.token_hex(8)}"


def _read(name: str) -> str:
    source = files("appliance.browser").joinpath("js", f"{name}.js").read_text("utf-8")
    return source.replace("__ASK__", ASK).replace("__TELL__", TELL).replace("__BINDING__", BINDING)


@cache
def observer_source() -> str:
    """The script of our world: all parts in one scope, installed once per document."""
    body = "\n".join(_read(part) for part in PARTS)
    return f"(() => {{ 'use strict'; if (globalThis.__appliance) return;\n{body}\n}})();"


@cache
def hook_source() -> str:
    """The small script that runs in the page's own world before its first script."""
    return _read("hook")


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame of the page, by the protocol's id."""

    id: str
    parent: str | None
    url: str


class GoneError(Exception):
    """The document went away while it was asked: a navigation."""


class World:
    """One page's isolated world, in all of its frames."""

    def __init__(self, session: CDPSession) -> None:
        self._session = session
        self._crash: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @classmethod
    async def open(
        cls,
        page: Page,
        on_notice: Callable[[dict[str, str]], None],
        on_window: Callable[[], None],
    ) -> "World":
        """Install the observer in a page, now and in every document to come."""
        session = await page.context.new_cdp_session(page)

        def told(event: dict[str, Any]) -> None:  # Any: the protocol's JSON
            if event.get("name") == BINDING:
                on_notice(json.loads(event["payload"]))

        session.on("Runtime.bindingCalled", told)
        # Heard long before the new tab itself can be seen.
        session.on("Page.windowOpen", lambda _: on_window())
        await session.send("Page.enable")
        await session.send("DOM.enable")
        await session.send("Runtime.enable")
        await session.send("Runtime.addBinding", {"name": BINDING, "executionContextName": WORLD})
        await session.send(
            "Page.addScriptToEvaluateOnNewDocument",
            {"source": observer_source(), "worldName": WORLD, "runImmediately": True},
        )
        return cls(session)

    async def send(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """One protocol call, bounded; `GoneError` when its document or frame went away."""
        call = asyncio.ensure_future(self._session.send(method, params or {}))
        done, _ = await asyncio.wait(
            (call, self._crash), timeout=CALL_TIMEOUT_S, return_when=asyncio.FIRST_COMPLETED
        )
        if call not in done:
            call.cancel()
            what = (
                "crashed"
                if self._crash.done()
                else f"did not answer within {CALL_TIMEOUT_S:.0f} s; its script may be stuck"
            )
            raise BrowserError(f"the page {what}")
        try:
            answer: dict[str, Any] = call.result()
        except Error as exc:
            raise GoneError(str(exc)) from exc
        return answer

    def crashed(self) -> None:
        """The page's process died: nothing will be answered any more."""
        if not self._crash.done():
            self._crash.set_result(None)

    async def frames(self) -> list[Frame]:
        """The frames, the main one first, parents before children."""
        tree = (await self.send("Page.getFrameTree"))["frameTree"]
        found: list[Frame] = []

        def add(node: dict[str, Any], parent: str | None) -> None:
            frame = node["frame"]
            found.append(Frame(frame["id"], parent, frame["url"]))
            for child in node.get("childFrames", ()):
                add(child, frame["id"])

        add(tree, None)
        return found

    async def context(self, frame_id: str) -> int:
        """The execution context of our world in a frame."""
        answer = await self.send(
            "Page.createIsolatedWorld", {"frameId": frame_id, "worldName": WORLD}
        )
        return int(answer["executionContextId"])

    async def call(self, frame_id: str, function: str, *args: object) -> Any:  # Any: JSON
        """Call one of the exported functions in a frame."""
        context = await self.context(frame_id)
        arguments = ",".join(json.dumps(arg) for arg in args)
        call = f"globalThis.__appliance.{function}({arguments})"
        result = await self._evaluate(context, f"globalThis.__appliance ? {call} : '__missing__'")
        if result == "__missing__":
            await self._evaluate(context, observer_source())
            result = await self._evaluate(context, call)
        return result

    async def _evaluate(self, context: int, expression: str) -> Any:  # Any: JSON
        answer = await self.send(
            "Runtime.evaluate",
            {
                "contextId": context,
                "expression": expression,
                "returnByValue": True,
                "awaitPromise": True,
            },
        )
        if details := answer.get("exceptionDetails"):
            thrown = details.get("exception", {}).get("description") or details.get("text", "")
            raise BrowserError(f"observing the page failed: {thrown}")
        return answer["result"].get("value")

    async def owner(self, frame: Frame, *, show: bool = False) -> dict[str, float]:
        """Where a child frame lies in its parent, and the id of its iframe there."""
        owner = await self.send("DOM.getFrameOwner", {"frameId": frame.id})
        context = await self.context(frame.parent or "")
        node = await self.send(
            "DOM.resolveNode",
            {"backendNodeId": owner["backendNodeId"], "executionContextId": context},
        )
        answer = await self.send(
            "Runtime.callFunctionOn",
            {
                "objectId": node["object"]["objectId"],
                "functionDeclaration": FRAME_BOX,
                "arguments": [{"value": show}],
                "returnByValue": True,
            },
        )
        value: dict[str, float] = answer["result"]["value"]
        return value

    async def picture(self) -> bytes:
        """The viewport as PNG; little packed, which is much faster than Playwright's."""
        answer = await self.send(
            "Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True}
        )
        return base64.b64decode(answer["data"])

    async def set_files(self, frame_id: str, element: int, paths: list[str]) -> None:
        """Put files into a file input."""
        context = await self.context(frame_id)
        answer = await self.send(
            "Runtime.evaluate",
            {"contextId": context, "expression": f"globalThis.__appliance.node({element})"},
        )
        await self.send(
            "DOM.setFileInputFiles",
            {"objectId": answer["result"]["objectId"], "files": paths},
        )

    async def close(self) -> None:
        """Let go of the session."""
        await self._session.detach()

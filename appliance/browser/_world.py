"""Our own JavaScript world in a page, which its scripts can neither see nor break."""

import asyncio
import base64
import json
from collections.abc import Callable
from typing import Any, NamedTuple

from appliance.browser._cdp import Connection, Json, ProtocolError, Session
from appliance.browser._frames import Frame, Frames
from appliance.browser._scripts import BINDING, observer_source
from appliance.browser._traffic import Traffic
from appliance.core.errors import BrowserError

WORLD = "appliance"
NO_BUFFERS = {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0}  # only events are wanted
CALL_TIMEOUT_S = 10.0  # one evaluation; a page whose script never yields is given up after this


class GoneError(Exception):
    """The document went away while it was asked: a navigation."""


class Chooser(NamedTuple):
    """An open file chooser: the field that it fills."""

    session: Session
    field: int
    takes_many: bool


def _call_of(function: str, args: tuple[object, ...]) -> str:
    """JavaScript that calls an exported function."""
    return f"globalThis.__appliance.{function}({','.join(json.dumps(arg) for arg in args)})"


class World:
    """One page's isolated world, in all of its frames and their processes."""

    def __init__(
        self,
        session: Session,
        on_notice: Callable[[dict[str, str]], None],
        on_window: Callable[[], None],
        on_chooser: Callable[[bool], None],
    ) -> None:
        self._session = session
        self._on_notice = on_notice
        self._on_window = on_window
        self._on_chooser = on_chooser
        self._frames = Frames(WORLD)
        self._joining: set[asyncio.Task[None]] = set()
        self._chooser: asyncio.Future[Chooser] | None = None
        self.traffic = Traffic(self._main_id, self._is_there)

    @classmethod
    async def open(
        cls,
        connection: Connection,
        target: str,
        on_notice: Callable[[dict[str, str]], None],
        on_window: Callable[[], None],
        on_chooser: Callable[[bool], None],
    ) -> "World":
        """Install the observer in a page, now and in every document to come."""
        session = await connection.attach(target)
        world = cls(session, on_notice, on_window, on_chooser)
        await world._join(session)
        return world

    def _main_id(self) -> str | None:
        return next((frame.id for frame in self._frames), None)

    def _is_there(self, frame_id: str) -> bool:
        return self._frames.get(frame_id) is not None

    async def _join(self, session: Session) -> None:
        """Set one session up; all calls are posted at once, the last lets a new frame begin."""
        self._frames.follow(session)
        self.traffic.follow(session)
        session.on(
            {
                "Runtime.bindingCalled": self._on_binding,
                "Page.windowOpen": lambda *_: self._on_window(),  # long before the tab is seen
                "Page.fileChooserOpened": self._choose,
                "Inspector.targetCrashed": lambda s, _: self.on_crash(s),
                "Target.attachedToTarget": self._on_attached,
                "Target.detachedFromTarget": self._on_detached,
            }
        )
        install = {"source": observer_source(), "worldName": WORLD, "runImmediately": True}
        follow = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}
        _, tree, *answers = await asyncio.gather(
            session.post("Page.enable"),
            session.post("Page.getFrameTree"),
            session.post("DOM.enable"),
            session.post("Network.enable", NO_BUFFERS),
            session.post("Runtime.enable"),
            session.post("Runtime.addBinding", {"name": BINDING, "executionContextName": WORLD}),
            session.post("Page.addScriptToEvaluateOnNewDocument", install),
            session.post("Page.setInterceptFileChooserDialog", {"enabled": True}),
            session.post("Target.setAutoAttach", follow),
            session.post("Runtime.runIfWaitingForDebugger"),
            return_exceptions=True,
        )
        if isinstance(tree, BaseException):
            raise BrowserError(f"the page cannot be looked into: {tree}") from tree
        for answer in answers:
            if isinstance(answer, BrowserError):
                raise answer
        self._frames.plant(tree["frameTree"], session)

    def _on_attached(self, session: Session, params: Json) -> None:
        """A frame of another site got a process, or a worker began."""
        child = session.connection.session(params["sessionId"])
        info = params["targetInfo"]
        if info["type"] != "iframe":
            self._let_go(session, child, info["type"])
            return
        self._frames.move(info["targetId"], child)
        joining = asyncio.get_running_loop().create_task(self._join_frame(child))
        self._joining.add(joining)
        joining.add_done_callback(self._joining.discard)

    def _let_go(self, session: Session, child: Session, kind: str) -> None:
        """Workers run as they like; only a page's own tell of their requests."""
        if kind == "worker":
            self.traffic.follow(child)
            first = child.post("Network.enable", NO_BUFFERS)
            last = child.post("Runtime.runIfWaitingForDebugger")
        else:
            first = child.post("Runtime.runIfWaitingForDebugger")
            last = session.post("Target.detachFromTarget", {"sessionId": child.id})
        asyncio.gather(first, last, return_exceptions=True).add_done_callback(lambda _: None)

    async def _join_frame(self, child: Session) -> None:
        try:
            await self._join(child)
        except BrowserError:
            return  # it left again at once

    def _on_detached(self, session: Session, params: Json) -> None:
        session.connection.end(params["sessionId"], ProtocolError("the frame went away"))

    def _on_binding(self, _session: Session, params: Json) -> None:
        if params.get("name") == BINDING:
            self._on_notice(json.loads(params["payload"]))

    def on_crash(self, session: Session | None = None) -> None:
        """A process of the page died: nothing it was asked will be answered any more."""
        gone = session or self._session
        gone.connection.end(gone.id, BrowserError("the page crashed"))

    async def send(
        self, method: str, params: Json | None = None, session: Session | None = None
    ) -> Json:
        """One protocol call, bounded; `GoneError` when its document or frame went away."""
        try:
            async with asyncio.timeout(CALL_TIMEOUT_S):
                return await (session or self._session).send(method, params)
        except TimeoutError:
            raise BrowserError(
                f"the page did not answer within {CALL_TIMEOUT_S:.0f} s; its script may be stuck"
            ) from None
        except ProtocolError as exc:
            raise GoneError(str(exc)) from exc

    async def frames(self) -> list[Frame]:
        """The frames, the main one first, parents before children."""
        if self._joining:
            await asyncio.wait(self._joining, timeout=CALL_TIMEOUT_S)
        frames = list(self._frames)
        if not frames:
            raise GoneError("the page has no document")
        return frames

    def _frame(self, frame_id: str) -> Frame:
        frame = self._frames.get(frame_id)
        if frame is None:
            raise GoneError(f"there is no frame {frame_id} any more")
        return frame

    async def _context(self, frame: Frame) -> int:
        """The execution context of our world in a frame."""
        if frame.context is None:
            params = {"frameId": frame.id, "worldName": WORLD}
            answer = await self.send("Page.createIsolatedWorld", params, frame.session)
            frame.context = int(answer["executionContextId"])
        return frame.context

    async def call(self, frame_id: str, function: str, *args: object) -> Any:  # Any: JSON
        """Call one of the exported functions in a frame."""
        frame = self._frame(frame_id)
        call = _call_of(function, args)
        guarded = f"globalThis.__appliance ? {call} : '__missing__'"
        answer = await self._evaluate(frame, guarded)
        if answer == "__missing__":  # scripts are forbidden to its documents: not to us
            await self._evaluate(frame, observer_source())
            answer = await self._evaluate(frame, call)
        return answer

    async def tell(self, function: str, *args: object) -> None:
        """Call an exported function in the main frame, now and in every document to come."""
        await self.call(self._main_id() or "", function, *args)
        source = f"globalThis.__appliance && {_call_of(function, args)}"
        later = {"source": source, "worldName": WORLD}
        await self._session.post("Page.addScriptToEvaluateOnNewDocument", later)

    async def _evaluate(self, frame: Frame, expression: str) -> Any:  # Any: JSON
        context = await self._context(frame)
        params = {
            "contextId": context,
            "expression": expression,
            "returnByValue": True,
            "awaitPromise": True,
        }
        try:
            answer = await self.send("Runtime.evaluate", params, frame.session)
        except GoneError:
            if frame.context == context:
                frame.context = None
            raise
        if details := answer.get("exceptionDetails"):
            thrown = details.get("exception", {}).get("description") or details.get("text", "")
            raise BrowserError(f"observing the page failed: {thrown}")
        return answer["result"].get("value")

    async def owner(self, frame: Frame, *, show: bool = False) -> tuple[float, float]:
        """Where a child frame's viewport begins in its parent's; `show` scrolls it into view."""
        parent = self._frames.get(frame.parent)
        if parent is None:
            raise GoneError("its parent is gone")
        box = await self.call(parent.id, "frameBox", await self.owner_id(frame), show)
        if box is None:
            raise GoneError("its iframe is gone")
        return box["x"], box["y"]

    async def owner_id(self, frame: Frame) -> int:
        """The number of a child frame's iframe in its parent's world; asked for once."""
        if frame.owner is None:
            parent = self._frames.get(frame.parent)
            if parent is None:
                raise GoneError("its parent is gone")
            owner = await self.send("DOM.getFrameOwner", {"frameId": frame.id}, parent.session)
            frame.owner = await self._number(parent, owner["backendNodeId"])
        return frame.owner

    async def _number(self, frame: Frame, backend_node: int) -> int:
        """Our world's number of a node that the protocol names."""
        source = "function () { return globalThis.__appliance.idOf(this); }"
        return int(await self._on_node(frame, backend_node, source))

    async def adopt(self, frame_id: str, backend_node: int, source: str, argument: str) -> None:
        """Call a function on a node that the protocol names, with another node in its world."""
        frame = self._frames.get(frame_id)
        if frame is not None:
            await self._on_node(frame, backend_node, source, {"objectId": argument})

    async def _on_node(
        self, frame: Frame, backend_node: int, source: str, *arguments: Json
    ) -> Any:  # Any: JSON
        params = {"backendNodeId": backend_node, "executionContextId": await self._context(frame)}
        node = await self.send("DOM.resolveNode", params, frame.session)
        answer = await self.send(
            "Runtime.callFunctionOn",
            {
                "objectId": node["object"]["objectId"],
                "functionDeclaration": source,
                "arguments": arguments,
                "returnByValue": True,
            },
            frame.session,
        )
        return answer["result"].get("value")

    async def node(self, frame_id: str, element: int) -> tuple[str, Session]:
        """The protocol's object of one of our numbers, and the session it belongs to."""
        frame = self._frame(frame_id)
        params: Json = {
            "contextId": await self._context(frame),
            "expression": f"globalThis.__appliance.node({element})",
        }
        answer = await self.send("Runtime.evaluate", params, frame.session)
        object_id = answer["result"].get("objectId")
        if object_id is None:
            raise GoneError("the element is gone")
        return str(object_id), frame.session

    async def backend_node(self, frame_id: str, element: int) -> int:
        """The protocol's number of the node behind one of ours."""
        object_id, session = await self.node(frame_id, element)
        answer = await self.send("DOM.describeNode", {"objectId": object_id}, session)
        return int(answer["node"]["backendNodeId"])

    async def picture(self, **options: object) -> bytes:
        """The viewport as a picture; little packed, which is much faster than Playwright's."""
        params: Json = {"format": "png", "optimizeForSpeed": True, **options}
        answer = await self.send("Page.captureScreenshot", params)
        return base64.b64decode(answer["data"])

    def _choose(self, session: Session, params: Json) -> None:
        takes_many = params["mode"] == "selectMultiple"
        self._on_chooser(takes_many)
        field = params.get("backendNodeId")  # none where a script asks for files without a field
        if self._chooser is not None and not self._chooser.done() and field is not None:
            self._chooser.set_result(Chooser(session, field, takes_many))

    def chooser(self) -> asyncio.Future[Chooser]:
        """The next file chooser that opens."""
        self._chooser = asyncio.get_running_loop().create_future()
        return self._chooser

    async def fill(self, chooser: Chooser, paths: list[str]) -> None:
        """Choose files in an open chooser."""
        params = {"backendNodeId": chooser.field, "files": paths}
        await self.send("DOM.setFileInputFiles", params, chooser.session)

    async def set_files(self, frame_id: str, element: int, paths: list[str]) -> None:
        """Put files into a file input."""
        object_id, session = await self.node(frame_id, element)
        await self.send("DOM.setFileInputFiles", {"objectId": object_id, "files": paths}, session)

    async def close(self) -> None:
        """Let go of the session."""
        for joining in self._joining:
            joining.cancel()
        self._session.connection.end(self._session.id, ProtocolError("the page was closed"))

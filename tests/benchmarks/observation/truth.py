"""Which controls a page really has, asked of the page itself and not of our observer.

The rules stand in `truth.js`. It runs in the page's own world, over Playwright's sessions, in every
frame that can be seen.
"""

from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from playwright.async_api import CDPSession, Error, Frame
from playwright.async_api import Page as RawPage

from tests.benchmarks.observation.ours import Node

Json = dict[str, Any]  # Any: the protocol's JSON
INSIDE = """function () {
  const box = this.getBoundingClientRect();
  const x = box.left + this.clientLeft, y = box.top + this.clientTop;
  return { left: -x, top: -y, right: innerWidth - x, bottom: innerHeight - y,
    isSeen: this.checkVisibility() && box.width > 1 && box.height > 1 };
}"""
KEEP = """function (...roots) {
  globalThis.__roots = roots.filter((root) => root.host.ownerDocument === document);
}"""
MATCH = "function () { return __truth.match(this); }"
EVERYWHERE = {"left": 0, "top": 0, "right": 1e9, "bottom": 1e9}


@dataclass(frozen=True, slots=True)
class Control:
    """A control that is really there."""

    frame: str
    index: int
    is_in_view: bool
    counts: bool
    """Whether a person can tell that it is one; others are no miss when left out."""
    text: str


@dataclass(slots=True)
class _Place:
    """A frame: the session that reaches it, and the context of the page's own world in it."""

    session: CDPSession
    context: int
    clip: dict[str, float]


class Truth:
    """The true controls of one page, and what nodes stand for."""

    def __init__(self, raw: RawPage) -> None:
        self._raw = raw
        self._places: dict[str, _Place] = {}
        self.controls: list[Control] = []
        self.nodes = 0

    @property
    def frames(self) -> int:
        """How many frames can be seen."""
        return len(self._places)

    @classmethod
    async def of(cls, raw: RawPage) -> "Truth":
        """Ask the page."""
        truth = cls(raw)
        await truth._session(raw, None, EVERYWHERE)
        for frame in raw.frames[1:]:
            await truth._elsewhere(frame)
        for frame_id, place in truth._places.items():
            await truth._ask(frame_id, place)
        return truth

    async def _session(
        self, of: RawPage | Frame, parent: CDPSession | None, clip: dict[str, float]
    ) -> None:
        """All frames that one process holds."""
        session = await self._raw.context.new_cdp_session(of)
        contexts: dict[str, int] = {}

        def created(event: Json) -> None:
            about = event["context"].get("auxData", {})
            if about.get("isDefault"):
                contexts[about["frameId"]] = event["context"]["id"]

        session.on("Runtime.executionContextCreated", created)
        for domain in ("Runtime.enable", "DOM.enable"):
            await session.send(domain)
        tree = (await session.send("Page.getFrameTree"))["frameTree"]
        if parent is not None:
            inside = await self._inside(parent, tree["frame"]["id"])
            if inside is None:
                return
            clip = inside
        await self._plant(session, contexts, tree, clip)

    async def _plant(
        self, session: CDPSession, contexts: dict[str, int], tree: Json, clip: dict[str, float]
    ) -> None:
        frame_id = tree["frame"]["id"]
        if frame_id not in contexts:
            return
        self._places[frame_id] = _Place(session, contexts[frame_id], clip)
        for child in tree.get("childFrames", ()):
            inside = await self._inside(session, child["frame"]["id"], clip)
            if inside is not None:
                await self._plant(session, contexts, child, inside)

    async def _elsewhere(self, frame: Frame) -> None:
        """A frame in a process of its own; the others were reached through their parent's."""
        for place in list(self._places.values()):
            try:
                await self._session(frame, place.session, place.clip)
            except Error:  # in its parent's process, or not a child of this one
                continue
            return

    async def _inside(
        self, session: CDPSession, frame_id: str, outer: dict[str, float] | None = None
    ) -> dict[str, float] | None:
        """The part of a child frame that is seen, in its own coordinates; `None` when none is."""
        owner = await session.send("DOM.getFrameOwner", {"frameId": frame_id})
        node = {"backendNodeId": owner["backendNodeId"]}
        found = await session.send("DOM.resolveNode", node)
        box = await _called(session, found["object"]["objectId"], INSIDE)
        if not box.pop("isSeen"):
            return None
        if outer is not None:
            box["right"] = min(box["right"], box["left"] + outer["right"])
            box["bottom"] = min(box["bottom"], box["top"] + outer["bottom"])
        return dict(box)

    async def _ask(self, frame_id: str, place: _Place) -> None:
        roots = await self._roots(place)
        source = files(__package__).joinpath("truth.js").read_text("utf-8")
        await place.session.send(
            "Runtime.callFunctionOn",
            {
                "functionDeclaration": KEEP,
                "executionContextId": place.context,
                "arguments": [{"objectId": root} for root in roots],
            },
        )
        clip = ",".join(f"{side}:{value}" for side, value in place.clip.items())
        answer = await place.session.send(
            "Runtime.evaluate",
            {
                "expression": f"({source.strip().removesuffix(';')})({{{clip}}}, __roots)",
                "contextId": place.context,
                "includeCommandLineAPI": True,
                "returnByValue": True,
            },
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(f"truth.js: {answer['exceptionDetails']}")
        found = answer["result"]["value"]
        self.nodes += found["nodes"]
        self.controls += [
            Control(frame_id, index, c["inView"], c["counts"], f"{c['tag']} {c['why']} {c['said']}")
            for index, c in enumerate(found["controls"])
        ]

    async def _roots(self, place: _Place) -> list[str]:
        """All shadow roots of a process's documents that pages make, closed ones too."""
        tree = await place.session.send("DOM.getDocument", {"depth": -1, "pierce": True})
        waiting, roots = [tree["root"]], []
        while waiting:
            node = waiting.pop()
            own = [r for r in node.get("shadowRoots", ()) if r["shadowRootType"] != "user-agent"]
            roots += own
            inner = [node["contentDocument"]] if "contentDocument" in node else []
            waiting += [*node.get("children", ()), *own, *inner]
        found = []
        for root in roots:
            asked = {"backendNodeId": root["backendNodeId"], "executionContextId": place.context}
            try:
                answer = await place.session.send("DOM.resolveNode", asked)
            except Error:  # of another frame of this process
                continue
            found.append(answer["object"]["objectId"])
        return found

    async def matched(self, node: Node) -> Control | None:
        """The control that a node stands for."""
        place = self._places.get(node.frame)
        if place is None:
            return None
        asked = {"backendNodeId": node.backend_id, "executionContextId": place.context}
        found = await place.session.send("DOM.resolveNode", asked)
        index = await _called(place.session, found["object"]["objectId"], MATCH)
        return next((c for c in self.controls if (c.frame, c.index) == (node.frame, index)), None)


async def _called(session: CDPSession, object_id: str, function: str) -> Any:  # Any: JSON
    answer = await session.send(
        "Runtime.callFunctionOn",
        {"objectId": object_id, "functionDeclaration": function, "returnByValue": True},
    )
    return answer["result"].get("value")

"""The frames of a page, wherever their processes are, kept up to date by the protocol's events."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from appliance.browser._cdp import Json, Session


@dataclass(slots=True)
class Frame:
    """A frame of the page, by the protocol's id."""

    id: str
    parent: str | None
    session: Session
    context: int | None = None
    """The execution context of our world in it; `None` while its document is being replaced."""
    owner: int | None = None
    """The number of its iframe in the parent's world, once it was asked for."""
    children: list[str] = field(default_factory=list)


class Frames:
    """Follows the frames of one page through navigations and process swaps."""

    def __init__(self, world: str) -> None:
        self._world = world
        self._frames: dict[str, Frame] = {}
        self._early: dict[str, tuple[Session, int]] = {}

    def __iter__(self) -> Iterator[Frame]:
        """The main frame first, parents before their children, siblings as they came."""
        roots = [f.id for f in self._frames.values() if f.parent is None]
        waiting = roots[:1]
        while waiting:
            frame = self._frames.get(waiting.pop(0))
            if frame is not None:
                yield frame
                waiting[:0] = frame.children

    def get(self, frame_id: str | None) -> Frame | None:
        """The frame of that id, while it is there."""
        return self._frames.get(frame_id or "")

    def follow(self, session: Session) -> None:
        """Listen to what a session tells of its frames."""
        session.on(
            {
                "Page.frameAttached": lambda s, p: self._add(p["frameId"], p["parentFrameId"], s),
                "Page.frameNavigated": self._on_navigated,
                "Page.frameDetached": self._on_detached,
                "Runtime.executionContextCreated": self._on_context_created,
                "Runtime.executionContextDestroyed": self._on_context_destroyed,
                "Runtime.executionContextsCleared": self._on_contexts_cleared,
            }
        )

    def plant(self, tree: Json, session: Session) -> None:
        """What was there before anybody listened: the answer of `Page.getFrameTree`."""
        frame = tree["frame"]
        self._add(frame["id"], frame.get("parentId"), session)
        for child in tree.get("childFrames", ()):
            self.plant(child, session)

    def move(self, frame_id: str, session: Session) -> None:
        """The frame lives in another process from now on."""
        frame = self._frames.get(frame_id)
        if frame is not None and frame.session is not session:
            frame.session, frame.context = session, None

    def _add(self, frame_id: str, parent: str | None, session: Session) -> None:
        if frame_id in self._frames:
            return
        frame = self._frames[frame_id] = Frame(frame_id, parent, session)
        if parent in self._frames:
            self._frames[parent].children.append(frame_id)
        if early := self._early.pop(frame_id, None):
            frame.session, frame.context = early

    def _on_navigated(self, session: Session, params: Json) -> None:
        frame = params["frame"]
        for child in self._children(frame["id"]):
            self._remove(child)
        self._add(frame["id"], frame.get("parentId"), session)

    def _children(self, frame_id: str) -> list[str]:
        known = self._frames.get(frame_id)
        return list(known.children) if known else []

    def _on_detached(self, _session: Session, params: Json) -> None:
        if params.get("reason") != "swap":  # then only its process is another one
            self._remove(params["frameId"])

    def _remove(self, frame_id: str) -> None:
        frame = self._frames.pop(frame_id, None)
        if frame is None:
            return
        for child in frame.children:
            self._remove(child)
        if frame.parent in self._frames:
            siblings = self._frames[frame.parent].children
            if frame_id in siblings:
                siblings.remove(frame_id)

    def _on_context_created(self, session: Session, params: Json) -> None:
        context = params["context"]
        if context["name"] != self._world:
            return
        frame_id = context["auxData"]["frameId"]
        frame = self._frames.get(frame_id)
        if frame is None:
            self._early[frame_id] = session, context["id"]
            return
        frame.session, frame.context = session, context["id"]

    def _on_context_destroyed(self, session: Session, params: Json) -> None:
        for frame in self._frames.values():
            if frame.session is session and frame.context == params["executionContextId"]:
                frame.context = None

    def _on_contexts_cleared(self, session: Session, _params: Json) -> None:
        for frame in self._frames.values():
            if frame.session is session:
                frame.context = None

"""What an action changed: a glance before it and one after it, compared."""

import asyncio
from collections.abc import Iterator
from typing import Any

from appliance.browser._tab import Tab
from appliance.browser._tabs import Tabs
from appliance.browser._world import GoneError
from appliance.browser.acting.target import Target
from appliance.browser.observation.identity import Handle, Identity
from appliance.core.errors import BrowserError
from appliance.core.page import Change, ChangeKind

GLANCE_PATIENCE_S = 0.5  # a page that is just going elsewhere answers when it has arrived

Glance = dict[str, Any]  # Any: the observer's JSON


class Watch:
    """Compares the page before and after one action."""

    def __init__(self, tabs: Tabs) -> None:
        self._tabs = tabs
        self._tab: Tab | None = None
        self._target: Target | None = None
        self._before: dict[str, Glance] = {}
        self._notices = 0

    async def begin(self, tab: Tab, target: Target | None) -> None:
        """Note what is there, in the main frame and in the target's."""
        self._tab, self._target = tab, target
        frames: dict[str, None] = {(await tab.main_frame()).id: None}
        if target is not None:
            frames[target.handle.frame] = None
        self._before = await _glances(tab, list(frames), target, is_first=True)
        self._notices = len(tab.notices)

    async def end(self) -> tuple[Change, ...]:
        """The changes since `begin`."""
        tab = self._tab
        if tab is None:
            return ()
        await self._tabs.ready()  # a window that was asked for
        if not self._tabs.is_active(tab):
            return tuple(self._other_tab())
        after = await _glances(tab, list(self._before), None, is_first=False)
        identity = self._tabs.active_identity
        changes = list(_of_page(self._before, after))
        for frame, now in after.items():
            changes += _of_controls(frame, now, self._target, identity)
        changes += [Change(kind=ChangeKind.NOTICE, text=text) for text in self._notices_since(tab)]
        return tuple(dict.fromkeys(changes))

    def _other_tab(self) -> Iterator[Change]:
        if self._tabs.is_open:
            yield Change(kind=ChangeKind.TAB, text=self._tabs.active.raw.url)
        else:
            yield Change(kind=ChangeKind.TAB, text="")

    def _notices_since(self, tab: Tab) -> list[str]:
        return [notice["text"] for notice in tab.notices[self._notices :]]


async def _glances(
    tab: Tab, frames: list[str], target: Target | None, *, is_first: bool
) -> dict[str, Glance]:
    async def one(frame: str) -> Glance | None:
        is_its = target is not None and target.handle.frame == frame
        local = target.handle.local if target is not None and is_its else None
        try:
            async with asyncio.timeout(GLANCE_PATIENCE_S):
                return dict(await tab.call_frame(frame, "glance", is_first, local))
        except (GoneError, BrowserError, TimeoutError):
            return None

    glances = await asyncio.gather(*(one(frame) for frame in frames))
    return {
        frame: glance for frame, glance in zip(frames, glances, strict=True) if glance is not None
    }


def _of_page(before: dict[str, Glance], after: dict[str, Glance]) -> Iterator[Change]:
    main = next(iter(before), "")
    was, now = before.get(main), after.get(main)
    if was is not None and now is not None:
        for key, kind in (("url", ChangeKind.URL), ("title", ChangeKind.TITLE)):
            if was[key] != now[key]:
                yield Change(kind=kind, text=now[key])
    for frame, now in after.items():
        yield from _of_dialogs(before[frame]["dialogs"], now["dialogs"])


def _of_dialogs(was: list[str], now: list[str]) -> Iterator[Change]:
    for kind, these, those in (
        (ChangeKind.DIALOG_CLOSED, was, now),
        (ChangeKind.DIALOG_OPENED, now, was),
    ):
        left = list(those)
        for title in these:
            if title in left:
                left.remove(title)
            else:
                yield Change(kind=kind, text=title)


def _of_controls(
    frame: str, now: Glance, target: Target | None, identity: Identity
) -> Iterator[Change]:
    def number(local: int) -> int | None:
        handle = Handle(frame, now["document"], local)
        if target is not None and handle == target.handle:  # perhaps on a node made since
            return target.element.id
        return identity.number_of(handle)

    for kind, key in ((ChangeKind.VALUE, "values"), (ChangeKind.STATE, "states")):
        for local, text in now.get(key, ()):
            yield Change(kind=kind, text=text, element=number(local))
    focus = now.get("focus")
    if focus is None:
        return
    handle = Handle(frame, now["document"], focus[0])
    if target is None or handle != target.handle:  # what is clicked takes the focus anyway
        yield Change(kind=ChangeKind.FOCUS, text=focus[1], element=number(focus[0]))

"""Finds what an action changed, by comparing a glance before it with one after it."""

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
        self._notice_count = 0

    async def begin(self, tab: Tab, target: Target | None) -> None:
        """Record the state of the main frame and the target's frame."""
        self._tab, self._target = tab, target
        frames: dict[str, None] = {(await tab.main_frame()).id: None}
        if target is not None:
            frames[target.handle.frame] = None
        self._before = await _glances(tab, list(frames), target, is_first=True)
        self._notice_count = len(tab.notices)

    async def end(self) -> tuple[Change, ...]:
        """The changes since `begin`."""
        tab = self._tab
        if tab is None:
            return ()
        await self._tabs.ready()  # a window that was asked for
        if not self._tabs.is_active(tab):
            return tuple(self._tab_changes())
        after = await _glances(tab, list(self._before), None, is_first=False)
        identity = self._tabs.active_identity
        changes = list(_page_changes(self._before, after))
        for frame, glance in after.items():
            changes += _control_changes(frame, glance, self._target, identity)
        changes += [Change(kind=ChangeKind.NOTICE, text=text) for text in self._notices_since(tab)]
        return tuple(dict.fromkeys(changes))

    def _tab_changes(self) -> Iterator[Change]:
        if self._tabs.is_open:
            yield Change(kind=ChangeKind.TAB, text=self._tabs.active.raw.url)
        else:
            yield Change(kind=ChangeKind.TAB, text="")

    def _notices_since(self, tab: Tab) -> list[str]:
        return [notice["text"] for notice in tab.notices[self._notice_count :]]


async def _glances(
    tab: Tab, frames: list[str], target: Target | None, *, is_first: bool
) -> dict[str, Glance]:
    async def glance_at(frame: str) -> Glance | None:
        is_target_frame = target is not None and target.handle.frame == frame
        local = target.handle.local if target is not None and is_target_frame else None
        try:
            async with asyncio.timeout(GLANCE_PATIENCE_S):
                return dict(await tab.call_frame(frame, "glance", is_first, local))
        except (GoneError, BrowserError, TimeoutError):
            return None

    glances = await asyncio.gather(*(glance_at(frame) for frame in frames))
    return {
        frame: glance for frame, glance in zip(frames, glances, strict=True) if glance is not None
    }


def _page_changes(before: dict[str, Glance], after: dict[str, Glance]) -> Iterator[Change]:
    main = next(iter(before), "")
    main_before, glance = before.get(main), after.get(main)
    if main_before is not None and glance is not None:
        for key, kind in (("url", ChangeKind.URL), ("title", ChangeKind.TITLE)):
            if main_before[key] != glance[key]:
                yield Change(kind=kind, text=glance[key])
    for frame, glance in after.items():
        yield from _dialog_changes(before[frame]["dialogs"], glance["dialogs"])


def _dialog_changes(before: list[str], after: list[str]) -> Iterator[Change]:
    for kind, titles, others in (
        (ChangeKind.DIALOG_CLOSED, before, after),
        (ChangeKind.DIALOG_OPENED, after, before),
    ):
        unmatched = list(others)
        for title in titles:
            if title in unmatched:
                unmatched.remove(title)
            else:
                yield Change(kind=kind, text=title)


def _control_changes(
    frame: str, glance: Glance, target: Target | None, identity: Identity
) -> Iterator[Change]:
    def element_number(local: int) -> int | None:
        handle = Handle(frame, glance["document"], local)
        if target is not None and handle == target.handle:  # perhaps on a node made since
            return target.element.id
        return identity.number_of(handle)

    for kind, key in ((ChangeKind.VALUE, "values"), (ChangeKind.STATE, "states")):
        for local, text in glance.get(key, ()):
            yield Change(kind=kind, text=text, element=element_number(local))
    focus = glance.get("focus")
    if focus is None:
        return
    handle = Handle(frame, glance["document"], focus[0])
    if target is None or handle != target.handle:  # what is clicked takes the focus anyway
        yield Change(kind=ChangeKind.FOCUS, text=focus[1], element=element_number(focus[0]))

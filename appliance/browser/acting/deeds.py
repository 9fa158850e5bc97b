"""Which function does which action."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from playwright.async_api import Error

from appliance.browser._tab import Tab
from appliance.browser.acting.choices import select
from appliance.browser.acting.dragging import drag
from appliance.browser.acting.fields import check, type_text
from appliance.browser.acting.keys import press
from appliance.browser.acting.pointer import Check, click, click_at, hover, scroll
from appliance.browser.acting.target import NotDoneError, Target
from appliance.browser.acting.uploads import upload
from appliance.core.page import Action, ActionKind

Deed = Callable[[], Awaitable[None]]


def on_element(
    action: Action, tab: Tab, target: Target, to: Target | None, before: Check | None = None
) -> Deed | None:
    """The action on an element, ready to be awaited; `None` when it needs none.

    `before` is awaited by a click when it has aimed, and may raise.
    """
    match action.kind:
        case ActionKind.CLICK:
            return lambda: click(tab, target, action.text, before)
        case ActionKind.TYPE:
            return lambda: type_text(tab, target, action.text)
        case ActionKind.SELECT:
            return lambda: select(tab, target, action.text)
        case ActionKind.CHECK:
            return lambda: check(tab, target, action.checked)
        case ActionKind.UPLOAD:
            return lambda: upload(tab, target, action.text)
        case ActionKind.HOVER:
            return lambda: hover(tab, target)
        case ActionKind.DRAG if to is not None:
            return lambda: drag(tab, target, to, action.text)
        case _:
            return None


def without_element(action: Action, tab: Tab, target: Target | None) -> Deed | None:
    """The action on the page as a whole, or on an element where one is given."""
    match action.kind:
        case ActionKind.PRESS:
            return lambda: press(tab, target, action.text)
        case ActionKind.SCROLL:
            return lambda: scroll(tab, target, action.text)
        case ActionKind.GO_BACK:
            return lambda: _go_back(tab)
        case ActionKind.WAIT:
            return lambda: _wait(action.text)
        case ActionKind.CLICK if action.point is not None:
            at = action.point
            return lambda: click_at(tab, at, action.text)
        case (
            ActionKind.COMPLETE
            | ActionKind.UNACHIEVABLE
            | ActionKind.REQUEST_RESOURCE
            | ActionKind.HAND_OVER
        ):
            return lambda: asyncio.sleep(0)  # nothing to do in the browser
        case _:
            return None


async def _go_back(tab: Tab) -> None:
    with contextlib.suppress(Error):  # the page may take longer: observing waits for it
        await tab.raw.go_back(wait_until="commit", timeout=5000)


async def _wait(text: str) -> None:
    try:
        seconds = float(text or 1)
    except ValueError:
        raise NotDoneError(f"cannot wait {text!r}: say a number of seconds") from None
    await asyncio.sleep(min(max(seconds, 0.0), 30.0))

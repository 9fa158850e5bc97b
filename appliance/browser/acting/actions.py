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
from appliance.browser.acting.target import Target
from appliance.browser.acting.uploads import upload
from appliance.core import actions
from appliance.core.actions import Action

ActionCall = Callable[[], Awaitable[None]]
_LONGEST_WAIT_S = 30.0


def on_element(
    action: Action, tab: Tab, target: Target, to: Target | None, before: Check | None = None
) -> ActionCall | None:
    """The action on an element, ready to be awaited; `None` when it needs none.

    `before` is awaited by a click when it has aimed, and may raise.
    """
    match action:
        case actions.Click():
            return lambda: click(tab, target, action.how, before)
        case actions.Type():
            return lambda: type_text(tab, target, action.text)
        case actions.Select():
            return lambda: select(tab, target, action.option)
        case actions.Check():
            return lambda: check(tab, target, action.checked)
        case actions.Upload():
            return lambda: upload(tab, target, action.path)
        case actions.Hover():
            return lambda: hover(tab, target)
        case actions.Drag() if to is not None:
            return lambda: drag(tab, target, to, action.where)
        case _:
            return None


def without_element(action: Action, tab: Tab, target: Target | None) -> ActionCall | None:
    """The action on the page as a whole, or on an element where one is given."""
    match action:
        case actions.Press():
            return lambda: press(tab, target, action.keys)
        case actions.Scroll():
            return lambda: scroll(tab, target, action.direction)
        case actions.GoBack():
            return lambda: _go_back(tab)
        case actions.Wait():
            return lambda: asyncio.sleep(min(max(action.seconds, 0.0), _LONGEST_WAIT_S))
        case actions.ClickAt():
            return lambda: click_at(tab, action.point, action.how)
        case (
            actions.Complete()
            | actions.Unachievable()
            | actions.RequestResource()
            | actions.HandOver()
        ):
            return lambda: asyncio.sleep(0)  # nothing to do in the browser
        case _:
            return None


async def _go_back(tab: Tab) -> None:
    with contextlib.suppress(Error):  # the page may take longer: observing waits for it
        await tab.raw.go_back(wait_until="commit", timeout=5000)

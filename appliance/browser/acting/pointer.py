"""The mouse: aiming, clicking, hovering, scrolling."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Literal, NamedTuple

from appliance.browser._tab import Tab
from appliance.browser._world import GoneError
from appliance.browser.acting.target import NotDoneError, Target, VanishedError

COVER_PATIENCE_S = 1.5  # a toast or closing dialog may lie over an element for a moment
CLICK_PATIENCE_S = 3.0  # for a page that draws something else where it was just aimed at
STILL_S = 0.025  # between two looks at where it stands
STILL_TRIES = 40
OTHER_TEXT = "another text"  # as the observer says it
HOVER_S = 0.1  # for what a page changes when the mouse comes
TIP_TRIES = 8  # looks for a tooltip: libraries wait up to half a second before they show it


class ClickStyle(NamedTuple):
    """How a button of the mouse is pressed."""

    button: Literal["left", "right"]
    times: int


Aim = dict[str, Any]  # Any: the observer's JSON
Check = Callable[[], Awaitable[None]]
"""Raises `NotDoneError` where the page is not what it was."""


async def ready(tab: Tab, target: Target, *, arms: bool = False) -> Aim:
    """Scroll the element into view and find a point that reaches it; wait for passing covers.

    `arms`: the next click is swallowed unless it hits the element; check `click_hit`
    afterwards.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + COVER_PATIENCE_S
    while True:
        aim = await aim_at(tab, target, arms=arms)
        if aim.get("gone"):
            raise VanishedError(target)
        if aim["disabled"]:
            raise NotDoneError(f"{target} is disabled")
        if aim["ok"]:
            aim = await _on_page(tab, target, aim)
        if aim["ok"]:
            return aim
        if loop.time() > end:
            why = f"covered by {aim['cover']}" if aim["rendered"] else "not visible any more"
            raise NotDoneError(f"{target} is {why}")
        await tab.raw.mouse.move(0, 0)  # what only shows while the mouse rests there goes away
        await asyncio.sleep(0.1)


async def aim_at(tab: Tab, target: Target, *, arms: bool = False) -> Aim:
    """Scroll the element into view and aim at it once it stands still, as dialogs slide in."""
    aim: Aim = await tab.call(target.handle, "prepare", True, arms)
    for _ in range(STILL_TRIES):
        if aim.get("gone") or aim["calm"]:
            break
        before = aim["box"]
        await asyncio.sleep(STILL_S)
        aim = await tab.call(target.handle, "prepare", True, arms)
        if aim.get("box") == before:
            break
    return aim


async def _on_page(tab: Tab, target: Target, frame_aim: Aim) -> Aim:
    """The point in the page's coordinates; child frames are scrolled into view, too."""
    if target.handle.frame == (await tab.main_frame()).id:
        return frame_aim
    return {
        **frame_aim,
        **await tab.show_point(target.handle.frame, frame_aim["x"], frame_aim["y"]),
    }


async def click(tab: Tab, target: Target, how: str = "", check: Check | None = None) -> None:
    """Click where the element can be reached: `how` is empty, `double` or `right`.

    The click is swallowed if it would hit something else, or the words on the element change.
    With a `check`, the mouse rests on it first, so that what shows only then is looked at as well;
    and the click is swallowed unless the element, its row and its dialog still say what they said.
    """
    style = _click_style(how)
    loop = asyncio.get_running_loop()
    end = loop.time() + CLICK_PATIENCE_S
    while True:
        aim = await ready(tab, target, arms=True)
        if check is not None:
            await tab.call(target.handle, "seal", target.element.role)
            await tab.raw.mouse.move(aim["x"], aim["y"], steps=2)
            await asyncio.sleep(HOVER_S)
            await check()
        await tab.raw.mouse.click(aim["x"], aim["y"], button=style.button, click_count=style.times)
        hit = await click_hit(tab, target)
        if hit["ok"] is not False:
            return
        element = target.element
        if check is None and hit["on"] == OTHER_TEXT:
            current = await tab.call(target.handle, "same", element.role, element.name, None)
            if not current.get("same"):
                raise NotDoneError(f"{target} says something else when the mouse comes")
        if loop.time() > end:
            raise NotDoneError(f"{target} does not stand still: {hit['on']} comes in its place")


async def click_at(tab: Tab, point: tuple[float, float], how: str = "") -> None:
    """Click at a point of the viewport, in CSS pixels: on what is drawn and has no element."""
    style, (x, y) = _click_style(how), point
    size = tab.raw.viewport_size
    if size and not (0 <= x < size["width"] and 0 <= y < size["height"]):
        raise NotDoneError(
            f"the point ({x:.0f}, {y:.0f}) is not in view: it is {size['width']} by"
            f" {size['height']} pixels"
        )
    await tab.raw.mouse.click(x, y, button=style.button, click_count=style.times)


def _click_style(how: str) -> ClickStyle:
    match how.strip().lower():
        case "":
            return ClickStyle("left", 1)
        case "double":
            return ClickStyle("left", 2)
        case "right":
            return ClickStyle("right", 1)
        case _:
            raise NotDoneError(f"cannot click {how!r}: say double or right, or nothing")


async def click_hit(tab: Tab, target: Target) -> Aim:
    """Whether the armed click hit; one that made the page navigate did."""
    try:
        return dict(await tab.call(target.handle, "landed"))
    except GoneError:
        return {"ok": None, "on": ""}


async def hover(tab: Tab, target: Target) -> None:
    """Move the mouse over the element and leave it there.

    The tooltip of an icon without words becomes its name from now on.
    """
    aim = await ready(tab, target)
    if aim["under"]:  # a page hears of it only when the mouse comes
        await tab.raw.mouse.move(0, 0)
        await asyncio.sleep(HOVER_S)
    is_named = not target.element.is_wordless
    before = None if is_named else await tab.call(target.handle, "tip", None)
    await tab.raw.mouse.move(aim["x"], aim["y"], steps=3)
    for _ in range(0 if is_named else TIP_TRIES):
        await asyncio.sleep(HOVER_S)
        tip = await tab.call(target.handle, "tip", before)
        if tip["text"]:
            await tab.know_tip(tip["address"], tip["text"])
            break


STEPS = {
    "": (0, 0.8), "down": (0, 0.8), "up": (0, -0.8), "right": (0.8, 0), "left": (-0.8, 0),
    "top": (0, -1000), "bottom": (0, 1000),
}  # fmt: skip


async def scroll(tab: Tab, target: Target | None, text: str) -> None:
    """Scroll by most of a screen, or bring an element into view."""
    step = STEPS.get(text.strip().lower())
    if step is None:
        raise NotDoneError(f"cannot scroll {text!r}: say up, down, left, right, top or bottom")
    if target is None:
        await tab.call_main("scrollBy", None, *step)
    elif text:
        await tab.call(target.handle, "scrollBy", *step)
    else:
        aim = await aim_at(tab, target)
        if aim.get("gone"):
            raise VanishedError(target)
        await _on_page(tab, target, aim)

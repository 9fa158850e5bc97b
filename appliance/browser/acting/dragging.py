"""Drag and drop, and what only a mouse can move."""

from appliance.browser._tab import Tab
from appliance.browser.acting.pointer import aim_at, click_hit, ready
from appliance.browser.acting.target import NotDoneError, Target, VanishedError

PARTS = {
    "": (0.5, 0.5), "before": (0.5, 0.12), "after": (0.5, 0.88), "above": (0.5, 0.12),
    "below": (0.5, 0.88), "left": (0.12, 0.5), "right": (0.88, 0.5),
}  # fmt: skip


async def drag(tab: Tab, target: Target, to: Target, text: str) -> None:
    """Drag one element onto another; `text` says where on it: before, after, left, right."""
    part = PARTS.get(text.strip().lower())
    if part is None:
        raise NotDoneError(f"cannot drop {text!r}: say before, after, left or right, or nothing")
    begin = await ready(tab, target, arms=True)
    mouse = tab.raw.mouse
    await mouse.move(begin["x"], begin["y"])
    await mouse.down()
    try:
        hit = await click_hit(tab, target)
        if hit["ok"] is False:
            raise NotDoneError(f"{target} does not stand still: {hit['on']} comes in its place")
        await mouse.move(begin["x"] + 6, begin["y"] + 6, steps=3)
        x, y = await _end(tab, to, part)
        await mouse.move(x, y, steps=12)
        await mouse.move(x + 1, y + 1)  # lists to be sorted look twice before they make room
        await mouse.move(x, y)
    finally:
        await mouse.up()


async def _end(tab: Tab, to: Target, part: tuple[float, float]) -> tuple[float, float]:
    end = await aim_at(tab, to)
    if end.get("gone"):
        raise VanishedError(to)
    x, y = await tab.offset(to.handle.frame)
    left, top, width, height = end["box"]
    if part == PARTS[""]:
        return end["x"] + x, end["y"] + y
    return left + x + width * part[0], top + y + height * part[1]


async def pull(tab: Tab, begin: tuple[float, float], end: tuple[float, float]) -> None:
    """Take hold of something at one point and let go of it at another."""
    mouse = tab.raw.mouse
    await mouse.move(*begin)
    await mouse.down()
    try:
        await mouse.move(*end, steps=8)
    finally:
        await mouse.up()

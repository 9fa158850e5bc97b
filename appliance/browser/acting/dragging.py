"""Drag and drop, and what only a mouse can move."""

from appliance.browser._tab import Tab
from appliance.browser.acting.pointer import aim_at, click_hit, ready
from appliance.browser.acting.target import NotDoneError, Target, VanishedError

PARTS = {
    "": (0.5, 0.5), "before": (0.5, 0.12), "after": (0.5, 0.88), "above": (0.5, 0.12),
    "below": (0.5, 0.88), "left": (0.12, 0.5), "right": (0.88, 0.5),
}  # fmt: skip


async def drag(tab: Tab, target: Target, drop_target: Target, text: str) -> None:
    """Drag one element onto another; `text` says where on it: before, after, left, right."""
    part = PARTS.get(text.strip().lower())
    if part is None:
        raise NotDoneError(f"cannot drop {text!r}: say before, after, left or right, or nothing")
    start = await ready(tab, target, arms=True)
    mouse = tab.raw.mouse
    await mouse.move(start["x"], start["y"])
    await mouse.down()
    try:
        hit = await click_hit(tab, target)
        if hit["ok"] is False:
            raise NotDoneError(f"{target} does not stand still: {hit['on']} comes in its place")
        await mouse.move(start["x"] + 6, start["y"] + 6, steps=3)
        x, y = await _drop_point(tab, drop_target, part)
        await mouse.move(x, y, steps=12)
        await mouse.move(x + 1, y + 1)  # lists to be sorted look twice before they make room
        await mouse.move(x, y)
    finally:
        await mouse.up()


async def _drop_point(
    tab: Tab, drop_target: Target, part: tuple[float, float]
) -> tuple[float, float]:
    aim = await aim_at(tab, drop_target)
    if aim.get("gone"):
        raise VanishedError(drop_target)
    x, y = await tab.offset(drop_target.handle.frame)
    left, top, width, height = aim["box"]
    if part == PARTS[""]:
        return aim["x"] + x, aim["y"] + y
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

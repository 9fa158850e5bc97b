"""Sliders and steppers that are no native fields: by keys, else with the mouse."""

from typing import Any

from appliance.browser._tab import Tab
from appliance.browser.acting.dragging import pull
from appliance.browser.acting.target import NotDoneError, Target, VanishedError

KEY_LIMIT = 400  # presses; what is farther away is dragged
CLOSE = 1e-6


async def set_step(tab: Tab, target: Target, text: str) -> None:
    """Bring a slider or stepper to a value."""
    try:
        wanted = float(text)
    except ValueError:
        raise NotDoneError(f"{target} does not take {text!r}: say a number") from None
    at = await _at(tab, target)
    if at["now"] is None:
        raise NotDoneError(f"{target} does not say at which value it stands")
    low, high = at["min"], at["max"]
    if (low is not None and wanted < low) or (high is not None and wanted > high):
        raise NotDoneError(f"{target} does not take {text}: it goes from {low:g} to {high:g}")
    await tab.call(target.handle, "focusOn")
    if await _by_keys(tab, target, wanted):
        return
    if low is not None and high is not None and await _by_mouse(tab, target, wanted):
        return
    raise NotDoneError(f"{target} stands at {(await _at(tab, target))['now']:g}, not at {text}")


async def _at(tab: Tab, target: Target) -> dict[str, Any]:  # Any: the observer's JSON
    position: dict[str, Any] = await tab.call(target.handle, "stepped")
    if position.get("gone"):
        raise VanishedError(target)
    return position


async def _now(tab: Tab, target: Target) -> float:
    return float((await _at(tab, target))["now"] or 0)


async def _by_keys(tab: Tab, target: Target, wanted: float) -> bool:
    at = await _at(tab, target)
    keyboard = tab.raw.keyboard
    for end, key in (("min", "Home"), ("max", "End")):
        if at[end] is not None and wanted == at[end]:
            await keyboard.press(key)
            if abs(await _now(tab, target) - wanted) < CLOSE:
                return True
    pressed = 0
    now = await _now(tab, target)
    while abs(now - wanted) > CLOSE and pressed < KEY_LIMIT:
        key = "ArrowUp" if wanted > now else "ArrowDown"
        await keyboard.press(key)
        after = await _now(tab, target)
        step = after - now
        if step == 0 or (step > 0) != (wanted > now):
            return False
        pressed += 1
        # The rest at once, one press before the end: the last step shows whether it fits.
        for _ in range(min(int(abs(wanted - after) / abs(step) + CLOSE) - 1, KEY_LIMIT - pressed)):
            await keyboard.press(key)
            pressed += 1
        now = await _now(tab, target)
        if abs(now - wanted) < abs(step) - CLOSE and abs(now - wanted) > CLOSE:
            return False
    return abs(now - wanted) <= CLOSE


async def _by_mouse(tab: Tab, target: Target, wanted: float) -> bool:
    """Pull its thumb along the track, twice where the first pull is a little off."""
    off = 0.0
    for _ in range(4):
        at = await _at(tab, target)
        if abs(float(at["now"]) - wanted) < CLOSE:
            return True
        left, top, width, height = at["track"]
        x, y = await tab.offset(target.handle.frame)
        share = (wanted + off - at["min"]) / (at["max"] - at["min"])
        begin = at["thumb"] or _point(at, (at["now"] - at["min"]) / (at["max"] - at["min"]))
        end = (left + width * share, begin[1])
        if at["upright"]:
            end = (begin[0], top + height * (1 - share))
        await pull(tab, (begin[0] + x, begin[1] + y), (end[0] + x, end[1] + y))
        off += wanted - await _now(tab, target)
    return abs(await _now(tab, target) - wanted) < CLOSE


def _point(at: dict[str, Any], share: float) -> tuple[float, float]:  # Any: the observer's JSON
    left, top, width, height = at["track"]
    if at["upright"]:
        return left + width / 2, top + height * (1 - share)
    return left + width * share, top + height / 2

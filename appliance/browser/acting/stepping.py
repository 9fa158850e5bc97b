"""Sliders and steppers that are no native fields: by keys, else with the mouse."""

from typing import Any

from appliance.browser._tab import Tab
from appliance.browser.acting.dragging import pull
from appliance.browser.acting.target import NotDoneError, Target, VanishedError

KEY_LIMIT = 400  # presses; what is farther away is dragged
CLOSE = 1e-6


async def set_step(tab: Tab, target: Target, text: str) -> None:
    """Set a slider or stepper to a value."""
    try:
        goal = float(text)
    except ValueError:
        raise NotDoneError(f"{target} does not take {text!r}: say a number") from None
    position = await _position(tab, target)
    if position["now"] is None:
        raise NotDoneError(f"{target} does not say at which value it stands")
    low, high = position["min"], position["max"]
    if (low is not None and goal < low) or (high is not None and goal > high):
        raise NotDoneError(f"{target} does not take {text}: it goes from {low:g} to {high:g}")
    await tab.call(target.handle, "focusOn")
    if await _step_by_keys(tab, target, goal):
        return
    if low is not None and high is not None and await _drag_thumb(tab, target, goal):
        return
    raise NotDoneError(
        f"{target} stands at {(await _position(tab, target))['now']:g}, not at {text}"
    )


async def _position(tab: Tab, target: Target) -> dict[str, Any]:  # Any: the observer's JSON
    position: dict[str, Any] = await tab.call(target.handle, "stepped")
    if position.get("gone"):
        raise VanishedError(target)
    return position


async def _value(tab: Tab, target: Target) -> float:
    return float((await _position(tab, target))["now"] or 0)


async def _step_by_keys(tab: Tab, target: Target, goal: float) -> bool:
    position = await _position(tab, target)
    keyboard = tab.raw.keyboard
    for end, key in (("min", "Home"), ("max", "End")):
        if position[end] is not None and goal == position[end]:
            await keyboard.press(key)
            if abs(await _value(tab, target) - goal) < CLOSE:
                return True
    pressed = 0
    value = await _value(tab, target)
    while abs(value - goal) > CLOSE and pressed < KEY_LIMIT:
        key = "ArrowUp" if goal > value else "ArrowDown"
        await keyboard.press(key)
        next_value = await _value(tab, target)
        step = next_value - value
        if step == 0 or (step > 0) != (goal > value):
            return False
        pressed += 1
        # The rest at once, one press before the end: the last step shows whether it fits.
        for _ in range(
            min(int(abs(goal - next_value) / abs(step) + CLOSE) - 1, KEY_LIMIT - pressed)
        ):
            await keyboard.press(key)
            pressed += 1
        value = await _value(tab, target)
        if abs(value - goal) < abs(step) - CLOSE and abs(value - goal) > CLOSE:
            return False
    return abs(value - goal) <= CLOSE


async def _drag_thumb(tab: Tab, target: Target, goal: float) -> bool:
    """Drag the thumb along the track, again if it ends a little off."""
    correction = 0.0
    for _ in range(4):
        position = await _position(tab, target)
        if abs(float(position["now"]) - goal) < CLOSE:
            return True
        left, top, width, height = position["track"]
        x, y = await tab.offset(target.handle.frame)
        share = (goal + correction - position["min"]) / (position["max"] - position["min"])
        begin = position["thumb"] or _point(
            position, (position["now"] - position["min"]) / (position["max"] - position["min"])
        )
        end = (left + width * share, begin[1])
        if position["upright"]:
            end = (begin[0], top + height * (1 - share))
        await pull(tab, (begin[0] + x, begin[1] + y), (end[0] + x, end[1] + y))
        correction += goal - await _value(tab, target)
    return abs(await _value(tab, target) - goal) < CLOSE


def _point(
    position: dict[str, Any], share: float
) -> tuple[float, float]:  # Any: the observer's JSON
    left, top, width, height = position["track"]
    if position["upright"]:
        return left + width / 2, top + height * (1 - share)
    return left + width * share, top + height / 2

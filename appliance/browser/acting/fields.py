"""Typing into fields and editors, ticking boxes."""

import asyncio

from appliance.browser._tab import Tab
from appliance.browser.acting.dates import as_date, pick_date, type_date
from appliance.browser.acting.pointer import Aim, click, click_hit, ready
from appliance.browser.acting.stepping import set_step
from appliance.browser.acting.target import NotDoneError, Target, VanishedError

LONG_TEXT = 300  # longer texts are inserted at once instead of key by key


async def type_text(tab: Tab, target: Target, text: str) -> None:
    """Replace the content of a field."""
    aim = await ready(tab, target)
    date = as_date(text)
    if aim["kind"] == "valued":
        await _set_value(tab, target, text)
    elif aim["kind"] == "stepped":
        await set_step(tab, target, text)
    elif aim["kind"] == "editor":
        await _type_code(tab, target, text)
    elif date is not None and (aim["readonly"] or aim["kind"] in ("none", "outer")):
        await pick_date(tab, target, date)
    elif aim["readonly"]:
        raise NotDoneError(f"{target} is read-only")
    elif aim["kind"] == "outer":
        inner = await tab.call(target.handle, "inner")
        await _click_and_type(tab, target.within(inner, "the field"), text)
    elif aim["kind"] != "text":
        raise NotDoneError(f"{target} is not a text field")
    elif date is not None and await type_date(tab, target, date, fill):
        return
    else:
        await _click_and_type(tab, target, text)


async def _set_value(tab: Tab, target: Target, text: str) -> None:
    outcome = await tab.call(target.handle, "setValue", text)
    if outcome.get("gone"):
        raise VanishedError(target)
    if outcome["took"]:
        return
    bounds = [f"{word} {outcome[key]}" for word, key in _BOUNDS if outcome.get(key)]
    limits = f" (it takes {', '.join(bounds)})" if bounds else ""
    would_hold = f"; it would hold {outcome['held']!r}" if outcome["held"] else ""
    raise NotDoneError(f"{target} does not take {text!r}{would_hold}{limits}")


_BOUNDS = (("from", "min"), ("to", "max"), ("in steps of", "step"))


async def _click_and_type(tab: Tab, target: Target, text: str) -> None:
    aim = await ready(tab, target, arms=True)
    await _click_into(tab, target, aim)
    await fill(tab, target, text)
    state = await tab.call(target.handle, "state")
    value = state.get("value")
    if value is None or not text or value == text:
        return
    if value == "" or (len(value) < len(text) and text.startswith(value)):
        raise NotDoneError(f"{target} holds {value!r} after typing {_shown_text(text, state)!r}")


def _shown_text(text: str, state: Aim) -> str:
    return "•" * len(text) if state.get("secret") else text


async def _click_into(tab: Tab, target: Target, aim: Aim) -> None:
    await tab.raw.mouse.click(aim["x"], aim["y"])
    if (await click_hit(tab, target))["ok"] is False:
        await click(tab, target)


async def fill(tab: Tab, target: Target, text: str) -> None:
    """Replace the content of a field that has the focus."""
    keyboard = tab.raw.keyboard
    state = await tab.call(target.handle, "state")
    if state.get("gone"):
        raise VanishedError(target)
    if not state.get("focused"):
        await tab.call(target.handle, "focusOn")
    if (state.get("value") or state.get("numeric")) and not await tab.call(
        target.handle, "selectAll"
    ):
        raise VanishedError(target)
    if not text:
        await keyboard.press("Delete")
    elif len(text) > LONG_TEXT or "\n" in text:
        await keyboard.insert_text(text)
    else:
        await keyboard.type(text)


async def _type_code(tab: Tab, target: Target, text: str) -> None:
    """Replace the content of a code editor, and read back what it shows."""
    # Lines that are typed are indented and closed by the editor; lines that are pasted are not.
    methods = (_paste, _insert) if "\n" in text else (_insert, _paste)
    for enter_text in (*methods, *methods):  # a busy editor may take the focus away once more
        await click(tab, target)
        await tab.raw.keyboard.press("Control+a")
        await enter_text(tab, target, text)
        if await _holds_code(tab, target, text):
            return
    shown = (await tab.call(target.handle, "state")).get("value") or ""
    raise NotDoneError(f"{target} shows {shown[:200]!r} after typing {text[:200]!r}")


async def _insert(tab: Tab, _target: Target, text: str) -> None:
    if text:
        await tab.raw.keyboard.insert_text(text)
    else:
        await tab.raw.keyboard.press("Delete")


async def _paste(tab: Tab, target: Target, text: str) -> None:
    await tab.call(target.handle, "paste", text)


async def _holds_code(tab: Tab, target: Target, text: str) -> bool:
    """Whether the editor shows the text.

    Long texts are drawn only in part, and long lines wrapped: what is drawn must be part of the
    text.
    """
    expected = "".join(text.split())
    for _ in range(10):
        state = await tab.call(target.handle, "state")
        if state.get("gone"):
            raise VanishedError(target)
        shown = state["value"] or ""
        drawn = "".join(shown.split())
        is_part = 1 < len(shown.splitlines()) < len(text.splitlines()) and drawn in expected
        if drawn == expected or (drawn and is_part):
            return True
        await asyncio.sleep(0.03)
    return False


async def check(tab: Tab, target: Target, checked: bool) -> None:
    """Set a checkbox, radio button or switch."""
    if await _is_checked(tab, target) == checked:
        return
    if target.element.role in ("radio", "menuitemradio") and not checked:
        raise NotDoneError(f"{target} is a radio button: choose another one instead")
    await click(tab, target)
    for _ in range(20):
        if await _is_checked(tab, target) == checked:
            return
        await asyncio.sleep(0.05)
    raise NotDoneError(f"{target} did not change when clicked")


async def _is_checked(tab: Tab, target: Target) -> bool | None:
    state = await tab.call(target.handle, "state")
    if state.get("gone"):
        raise VanishedError(target)
    states = state["states"]
    return True if "checked" in states else False if "unchecked" in states else None

"""Typing into fields and editors, ticking boxes."""

import asyncio

from appliance.browser._tab import Tab
from appliance.browser.acting.dates import as_date, pick_date, type_date
from appliance.browser.acting.pointer import Aim, click, click_hit, ready
from appliance.browser.acting.stepping import set_step
from appliance.browser.acting.target import NotDoneError, Target, VanishedError

LONG_TEXT = 300  # longer texts are inserted at once instead of key by key


async def type_text(tab: Tab, target: Target, text: str) -> None:
    """Replace what a field holds."""
    at = await ready(tab, target)
    date = as_date(text)
    if at["kind"] == "valued":
        await _set(tab, target, text)
    elif at["kind"] == "stepped":
        await set_step(tab, target, text)
    elif at["kind"] == "editor":
        await _type_code(tab, target, text)
    elif date is not None and (at["readonly"] or at["kind"] in ("none", "outer")):
        await pick_date(tab, target, date)
    elif at["readonly"]:
        raise NotDoneError(f"{target} is read-only")
    elif at["kind"] == "outer":
        inner = await tab.call(target.handle, "inner")
        await _type(tab, target.within(inner, "the field"), text)
    elif at["kind"] != "text":
        raise NotDoneError(f"{target} is not a text field")
    elif date is not None and await type_date(tab, target, date, fill):
        return
    else:
        await _type(tab, target, text)


async def _set(tab: Tab, target: Target, text: str) -> None:
    done = await tab.call(target.handle, "setValue", text)
    if done.get("gone"):
        raise VanishedError(target)
    if done["took"]:
        return
    bounds = [f"{word} {done[key]}" for word, key in _BOUNDS if done.get(key)]
    limits = f" (it takes {', '.join(bounds)})" if bounds else ""
    held = f"; it would hold {done['held']!r}" if done["held"] else ""
    raise NotDoneError(f"{target} does not take {text!r}{held}{limits}")


_BOUNDS = (("from", "min"), ("to", "max"), ("in steps of", "step"))


async def _type(tab: Tab, target: Target, text: str) -> None:
    at = await ready(tab, target, arms=True)
    await _click_into(tab, target, at)
    await fill(tab, target, text)
    state = await tab.call(target.handle, "state")
    held = state.get("value")
    if held is None or not text or held == text:
        return
    if held == "" or (len(held) < len(text) and text.startswith(held)):
        raise NotDoneError(f"{target} holds {held!r} after typing {_shown_text(text, state)!r}")


def _shown_text(text: str, state: Aim) -> str:
    return "•" * len(text) if state.get("secret") else text


async def _click_into(tab: Tab, target: Target, at: Aim) -> None:
    await tab.raw.mouse.click(at["x"], at["y"])
    if (await click_hit(tab, target))["ok"] is False:
        await click(tab, target)


async def fill(tab: Tab, target: Target, text: str) -> None:
    """Replace the content of a field that has been clicked into."""
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
    """Replace what a code editor holds, and read back what it shows."""
    # Lines that are typed are indented and closed by the editor; lines that are pasted are not.
    ways = (_paste, _insert) if "\n" in text else (_insert, _paste)
    for way in (*ways, *ways):  # a busy editor may take the focus away once more
        await click(tab, target)
        await tab.raw.keyboard.press("Control+a")
        await way(tab, target, text)
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
    """Long texts are drawn in part, long lines on several: what is drawn must be of the text."""
    wanted = "".join(text.split())
    for _ in range(10):
        state = await tab.call(target.handle, "state")
        if state.get("gone"):
            raise VanishedError(target)
        shown = state["value"] or ""
        drawn = "".join(shown.split())
        is_part = 1 < len(shown.splitlines()) < len(text.splitlines()) and drawn in wanted
        if drawn == wanted or (drawn and is_part):
            return True
        await asyncio.sleep(0.03)
    return False


async def check(tab: Tab, target: Target, wanted: bool) -> None:
    """Bring a box, radio button or switch into a state."""
    if await _is_checked(tab, target) == wanted:
        return
    if target.element.role in ("radio", "menuitemradio") and not wanted:
        raise NotDoneError(f"{target} is a radio button: choose another one instead")
    await click(tab, target)
    for _ in range(20):
        if await _is_checked(tab, target) == wanted:
            return
        await asyncio.sleep(0.05)
    raise NotDoneError(f"{target} did not change when clicked")


async def _is_checked(tab: Tab, target: Target) -> bool | None:
    state = await tab.call(target.handle, "state")
    if state.get("gone"):
        raise VanishedError(target)
    states = state["states"]
    return True if "checked" in states else False if "unchecked" in states else None

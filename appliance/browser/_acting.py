"""Actions, as a person at mouse and keyboard does them."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.async_api import Error

from appliance.browser._tab import Tab
from appliance.browser.observation.identity import Handle
from appliance.core.page import Action, ActionKind, Element

COVER_PATIENCE_S = 1.5  # a toast or closing dialog may lie over an element for a moment
OPTION_PATIENCE_S = 3.0  # for a list of options to open or load
MENU_PATIENCE_S = 0.8  # for a menu whose options are in the page already
LONG_TEXT = 300  # longer texts are inserted at once instead of key by key
KEYS = {
    "esc": "Escape", "return": "Enter", "ctrl": "Control", "del": "Delete", "space": "Space",
    "up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight",
    "cmd": "Meta", "command": "Meta", "option": "Alt", "pgup": "PageUp", "pgdn": "PageDown",
    "spacebar": "Space", "page up": "PageUp", "page down": "PageDown",
}  # fmt: skip
VALUE_TYPES = frozenset({"date", "time", "datetime-local", "month", "week", "color", "range"})


class NotDoneError(Exception):
    """The action could not be carried out; the message is for the policy and the report."""


class VanishedError(NotDoneError):
    """The element went away before it could be acted on."""

    def __init__(self, target: "Target") -> None:
        super().__init__(f"{target} is no longer on the page")


@dataclass(frozen=True, slots=True)
class Target:
    """The element to act on: as last seen, and where it lives now."""

    element: Element
    handle: Handle

    def __str__(self) -> str:
        name = f" {self.element.name!r}" if self.element.name else ""
        return f"element {self.element.id} ({self.element.role}{name})"


async def _ready(tab: Tab, target: Target) -> dict[str, Any]:  # Any: the observer's JSON
    """Scroll it into view and find a point that reaches it; patient with what passes by."""
    loop = asyncio.get_running_loop()
    end = loop.time() + COVER_PATIENCE_S
    while True:
        ready: dict[str, Any] = await tab.call(target.handle, "prepare", True)
        if ready.get("gone"):
            raise VanishedError(target)
        if ready["disabled"]:
            raise NotDoneError(f"{target} is disabled")
        if ready["ok"]:
            x, y = await tab.offset(target.handle.frame, show=True)
            return {**ready, "x": ready["x"] + x, "y": ready["y"] + y}
        if loop.time() > end:
            why = f"covered by {ready['cover']}" if ready["rendered"] else "not visible any more"
            raise NotDoneError(f"{target} is {why}")
        await tab.raw.mouse.move(0, 0)  # what only shows while the mouse rests there goes away
        await asyncio.sleep(0.1)


async def click(tab: Tab, target: Target) -> None:
    """Click where the element can be reached."""
    ready = await _ready(tab, target)
    await tab.raw.mouse.click(ready["x"], ready["y"])


async def hover(tab: Tab, target: Target) -> None:
    """Rest the mouse on it."""
    ready = await _ready(tab, target)
    await tab.raw.mouse.move(ready["x"], ready["y"], steps=3)


async def type_text(tab: Tab, target: Target, text: str) -> None:
    """Replace a field's content."""
    ready = await _ready(tab, target)
    if ready["readonly"]:
        raise NotDoneError(f"{target} is read-only")
    if ready["tag"] == "input" and ready["type"] in VALUE_TYPES:
        held = await tab.call(target.handle, "setValue", text)
        if held != text:
            raise NotDoneError(f"{target} does not take {text!r}; it holds {held!r}")
        return
    if ready["tag"] == "select" or ready["type"] in ("checkbox", "radio", "file", "submit"):
        raise NotDoneError(f"{target} is not a text field")
    await tab.raw.mouse.click(ready["x"], ready["y"])
    await _fill(tab, target, text)
    held = (await tab.call(target.handle, "state")).get("value")
    if held is not None and text and held in ("", text[: len(held)]) and len(held) < len(text):
        raise NotDoneError(f"{target} holds {held!r} after typing {text!r}")


async def _fill(tab: Tab, target: Target, text: str) -> None:
    keyboard = tab.raw.keyboard
    state = await tab.call(target.handle, "state")
    if not state.get("focused"):
        await tab.call(target.handle, "focusOn")
    if state.get("value") and not await tab.call(target.handle, "selectAll"):
        raise VanishedError(target)
    if not text:
        await keyboard.press("Delete")
    elif len(text) > LONG_TEXT or "\n" in text:
        await keyboard.insert_text(text)
    else:
        await keyboard.type(text)


async def check(tab: Tab, target: Target, wanted: bool) -> None:
    """Bring a box, radio button or switch into a state."""
    if await _is_checked(tab, target) == wanted:
        return
    if target.element.role == "radio" and not wanted:
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


async def select(tab: Tab, target: Target, text: str) -> None:
    """Choose an option of a native or custom drop-down by its text."""
    ready = await tab.call(target.handle, "prepare", True)
    if ready.get("disabled"):
        raise NotDoneError(f"{target} is disabled")
    choice = await tab.call(target.handle, "choose", text)
    match choice.get("how"):
        case "done":
            return
        case "none":
            raise NotDoneError(_no_option(target, text, choice["options"]))
        case "disabled":
            raise NotDoneError(f"the option {text!r} of {target} is disabled")
        case None:
            raise VanishedError(target)
        case how:
            await _select_custom(tab, target, text, str(how))


async def _select_custom(tab: Tab, target: Target, text: str, how: str) -> None:
    state = await tab.call(target.handle, "state")
    if "expanded" not in state.get("states", ()):
        await click(tab, target)
    patience_s = OPTION_PATIENCE_S if how == "popup" else MENU_PATIENCE_S
    found = await _await_option(tab, target, text, patience_s)
    offered = found["options"]
    if found["option"] is None and how == "typeahead":
        await _fill(tab, target, text)
        found = await _await_option(tab, target, text, OPTION_PATIENCE_S)
    if found["option"] is None:
        await _close_list(tab, target)
        raise NotDoneError(_no_option(target, text, offered or found["options"]))
    try:
        await _click_option(tab, target, found["option"])
    except VanishedError:  # the list was filtered once more while it was aimed at
        found = await _await_option(tab, target, text, OPTION_PATIENCE_S)
        if found["option"] is None:
            raise
        await _click_option(tab, target, found["option"])


async def _close_list(tab: Tab, target: Target) -> None:
    """Close an open list; the Escape key would close a dialog around it that has none open."""
    if (await tab.call(target.handle, "findOption", ""))["options"]:
        await click(tab, target)
    if (await tab.call(target.handle, "findOption", ""))["options"]:
        await tab.raw.keyboard.press("Escape")


async def _click_option(tab: Tab, target: Target, option: int) -> None:
    handle = Handle(target.handle.frame, target.handle.document, option)
    await click(tab, Target(target.element, handle))


async def _await_option(
    tab: Tab, target: Target, text: str, patience_s: float
) -> dict[str, Any]:  # Any: the observer's JSON
    loop = asyncio.get_running_loop()
    end = loop.time() + patience_s
    while True:
        found: dict[str, Any] = await tab.call(target.handle, "findOption", text)
        if found.get("gone"):
            raise VanishedError(target)
        if found["option"] is not None or loop.time() > end:
            return found
        await asyncio.sleep(0.08)


def _no_option(target: Target, wanted: str, options: list[str]) -> str:
    offered = ", ".join(repr(o) for o in options[:12]) or "nothing"
    more = f" and {len(options) - 12} more" if len(options) > 12 else ""
    return f"{target} has no option {wanted!r}; it offers {offered}{more}"


async def upload(tab: Tab, target: Target, text: str) -> None:
    """Give a file to a file field, or to the chooser that a button opens."""
    paths = [line.strip() for line in text.splitlines() if line.strip()]
    missing = [path for path in paths if not Path(path).is_file()]
    if missing or not paths:
        raise NotDoneError(f"there is no file {missing[0] if missing else text!r} to upload")
    if target.element.tag == "input" and target.element.type == "file":
        await tab.set_files(target.handle, paths)
        return
    try:
        async with tab.raw.expect_file_chooser(timeout=3000) as chooser:
            await click(tab, target)
        await (await chooser.value).set_files(paths)
    except Error as exc:
        raise NotDoneError(f"{target} did not open a file chooser") from exc


async def press(tab: Tab, target: Target | None, text: str) -> None:
    """Press a key or chord, on an element where given."""
    if target is not None and not await tab.call(target.handle, "focusOn"):
        raise VanishedError(target)
    parts = [part.strip() for part in text.split("+")] if len(text) > 1 else [text]
    keys = [KEYS.get(part.lower(), part) for part in parts if part]
    if len(keys) == 1 and len(keys[0]) > 1:
        keys = [keys[0][0].upper() + keys[0][1:]]
    try:
        await tab.raw.keyboard.press("+".join(keys))
    except Error as exc:
        raise NotDoneError(f"there is no key {text!r}") from exc


async def scroll(tab: Tab, target: Target | None, text: str) -> None:
    """Scroll by most of a screen, or bring an element into view."""
    steps = {"": (0, 0.8), "down": (0, 0.8), "up": (0, -0.8), "right": (0.8, 0), "left": (-0.8, 0),
             "top": (0, -1000), "bottom": (0, 1000)}  # fmt: skip
    step = steps.get(text.strip().lower())
    if step is None:
        raise NotDoneError(f"cannot scroll {text!r}: say up, down, left, right, top or bottom")
    if target is None:
        await tab.call_main("scrollBy", None, *step)
    elif text:
        await tab.call(target.handle, "scrollBy", *step)
    else:
        await tab.call(target.handle, "prepare", True)


async def drag(tab: Tab, target: Target, to: Target) -> None:
    """Drag one element onto another."""
    begin = await _ready(tab, target)
    mouse = tab.raw.mouse
    await mouse.move(begin["x"], begin["y"])
    await mouse.down()
    try:
        end = await tab.call(to.handle, "prepare", False)
        if end.get("gone"):
            raise VanishedError(to)
        x, y = await tab.offset(to.handle.frame)
        await mouse.move(begin["x"] + 6, begin["y"] + 6, steps=3)
        await mouse.move(end["x"] + x, end["y"] + y, steps=12)
    finally:
        await mouse.up()


async def go_back(tab: Tab) -> None:
    """The browser's back button."""
    with contextlib.suppress(Error):  # the page may take longer: observing waits for it
        await tab.raw.go_back(wait_until="commit", timeout=5000)


async def wait(text: str) -> None:
    """Wait some seconds, at most 30."""
    try:
        seconds = float(text or 1)
    except ValueError:
        raise NotDoneError(f"cannot wait {text!r}: say a number of seconds") from None
    await asyncio.sleep(min(max(seconds, 0.0), 30.0))


def on_element(
    action: Action, tab: Tab, target: Target, to: Target | None
) -> Callable[[], Awaitable[None]] | None:
    """The action on an element, ready to be awaited; `None` when it needs none."""
    match action.kind:
        case ActionKind.CLICK:
            return lambda: click(tab, target)
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
            return lambda: drag(tab, target, to)
        case _:
            return None

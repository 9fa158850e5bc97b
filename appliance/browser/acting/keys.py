"""Keys and chords."""

from playwright.async_api import Error

from appliance.browser._tab import Tab
from appliance.browser.acting.target import NotDoneError, Target, VanishedError

KEYS = {
    "esc": "Escape", "return": "Enter", "ctrl": "Control", "del": "Delete", "ins": "Insert",
    "up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight",
    "cmd": "Meta", "command": "Meta", "win": "Meta", "option": "Alt", "space": "Space",
    "spacebar": "Space", "pgup": "PageUp", "pgdn": "PageDown", "page up": "PageUp",
    "page down": "PageDown", "arrow up": "ArrowUp", "arrow down": "ArrowDown",
    "arrow left": "ArrowLeft", "arrow right": "ArrowRight", "plus": "+",
    "arrowup": "ArrowUp", "arrowdown": "ArrowDown", "arrowleft": "ArrowLeft",
    "arrowright": "ArrowRight", "pageup": "PageUp", "pagedown": "PageDown",
}  # fmt: skip


async def press(tab: Tab, target: Target | None, text: str) -> None:
    """Press a key or chord, on an element where given."""
    if target is not None and not await tab.call(target.handle, "focusOn"):
        raise VanishedError(target)
    try:
        await tab.raw.keyboard.press("+".join(chord(text)))
    except Error as exc:
        raise NotDoneError(f"there is no key {text!r}") from exc


def chord(text: str) -> list[str]:
    """The keys of `ctrl + shift + k`, as the browser calls them."""
    if len(text) == 1:
        return [text]
    if text.endswith("++"):
        return [*chord(text[:-2]), "+"]
    return [_key(part.strip()) for part in text.split("+") if part.strip()]


def _key(name: str) -> str:
    known = KEYS.get(name.lower())
    return known or (name[0].upper() + name[1:] if len(name) > 1 else name)

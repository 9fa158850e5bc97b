"""Keyboard keys by the names that texts use."""

import re

_NAMES = {
    "Enter": r"enter|return|回车",
    "Escape": r"esc(?:ape)?",
    "Tab": r"tab|制表",
    "Delete": r"del(?:ete)?|删除",
    "Backspace": r"back ?space|退格",
    "Space": r"space(?: ?bar)?|空格",
    "Control": r"(?:ctrl|control|cmd|command|⌘|⌃)(?:/(?:ctrl|control|cmd|command|⌘))?",
    "Shift": r"shift|⇧",
    "Alt": r"alt|⌥",
    "ArrowUp": r"up(?: arrow)?|↑|上箭头",
    "ArrowDown": r"down(?: arrow)?|↓|下箭头",
    "ArrowLeft": r"left(?: arrow)?|←|左箭头",
    "ArrowRight": r"right(?: arrow)?|→|右箭头",
    "Home": r"home",
    "End": r"end",
    "PageUp": r"page ?up",
    "PageDown": r"page ?down",
}
"""Patterns of the names in texts, by the browser's name."""
_ONE_KEY = rf"(?:{'|'.join(_NAMES.values())}|f\d{{1,2}}|[a-z0-9/?])"
KEYS = rf"{_ONE_KEY}(?:(?: ?[+\-] ?|(?<=[⌘⇧⌥⌃])){_ONE_KEY})*"
"""A pattern for a key, or keys pressed together."""
_JOINED = re.compile(r" ?\+ ?|(?<=[⌘⇧⌥⌃])(?=\w)|(?<=\w) ?- ?(?=\w)")


def keys_of(text: str) -> str:
    """The keys in the browser's notation (`Control+S`); empty if the text names none."""
    key_text = text.strip().removesuffix("键").removesuffix(" key").strip()
    keys = [_key(part) for part in _JOINED.split(key_text)]
    return "+".join(keys) if all(keys) else ""


def _key(part: str) -> str:
    name = part.strip()
    matching_keys = (key for key, pattern in _NAMES.items() if re.fullmatch(pattern, name, re.I))
    if key := next(matching_keys, ""):
        return key
    if re.fullmatch(r"f\d{1,2}", name, re.I):
        return name.upper()
    return name if re.fullmatch(r"[\w/?]", name, re.A) else ""

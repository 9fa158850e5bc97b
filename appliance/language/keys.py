"""Keys of the keyboard, by the names that texts give them."""

import re

_NAMES = {
    "Enter": r"enter|return|回车",
    "Escape": r"esc(?:ape)?",
    "Tab": r"tab|制表",
    "Delete": r"del(?:ete)?|删除",
    "Backspace": r"back ?space|退格",
    "Space": r"space(?: ?bar)?|空格",
    "Control": r"ctrl|control|cmd|command|⌘|⌃",
    "Shift": r"shift|⇧",
    "Alt": r"alt|option|⌥",
    "ArrowUp": r"up(?: arrow)?|↑|上箭头",
    "ArrowDown": r"down(?: arrow)?|↓|下箭头",
    "ArrowLeft": r"left(?: arrow)?|←|左箭头",
    "ArrowRight": r"right(?: arrow)?|→|右箭头",
    "Home": r"home",
    "End": r"end",
    "PageUp": r"page ?up",
    "PageDown": r"page ?down",
}
"""As a browser calls them, and as texts do."""
_ONE = rf"(?:{'|'.join(_NAMES.values())}|f\d{{1,2}}|[a-z0-9/?])"
KEYS = rf"{_ONE}(?: ?[+\-] ?{_ONE})*"
"""A pattern for a key, or keys pressed together."""
_JOINED = re.compile(r" ?\+ ?|(?<=\w) ?- ?(?=\w)")


def keys_of(text: str) -> str:
    """The keys as a browser takes them (`Control+S`); empty where the text names none."""
    said = text.strip().removesuffix("键").removesuffix(" key").strip()
    found = [_key(part) for part in _JOINED.split(said)]
    return "+".join(found) if all(found) else ""


def _key(part: str) -> str:
    name = part.strip()
    known = (key for key, pattern in _NAMES.items() if re.fullmatch(pattern, name, re.I))
    if key := next(known, ""):
        return key
    if re.fullmatch(r"f\d{1,2}", name, re.I):
        return name.upper()
    return name if re.fullmatch(r"[\w/?]", name, re.A) else ""

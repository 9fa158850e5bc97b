"""Texts between quotation marks: what they say, and how that is written."""

import re

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}
_ESCAPES = {character: f"\\{letter}" for letter, character in _ESCAPED.items()}
_CONTROL = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ud800-\udfff\ufeff]"
)
"""Characters that no text needs, among them those that hide others or turn the line around."""


def is_name(text: str) -> bool:
    """Whether it may be the name of a block or an attribute."""
    return _NAME.fullmatch(text) is not None


def control(text: str) -> re.Match[str] | None:
    """The first character in it that no text needs."""
    return _CONTROL.search(text)


def decoded(text: str) -> str:
    """What a text says.

    Raises:
        ValueError: It has an escape that HCL does not know, or one of a character to refuse.
    """

    def one(found: re.Match[str]) -> str:
        code = found[1]
        if len(code) > 1:
            number = int(code[1:], 16)
            character = chr(number) if number <= 0x10FFFF else "\0"
            if control(character):
                raise ValueError(f"\\{code} is no character to write")
            return character
        if code not in _ESCAPED:
            raise ValueError(f"unknown escape \\{code} in a text")
        return _ESCAPED[code]

    return _ESCAPE.sub(one, text)


def escaped(text: str) -> str:
    """Nothing in it begins an interpolation, whatever comes before or after it."""
    written = []
    for place, character in enumerate(text, 1):
        if character in "$%" and text[place : place + 1] in ("{", ""):
            written.append(f"\\u{ord(character):04x}")
        else:
            written.append(_ESCAPES.get(character, character))
    return "".join(written)

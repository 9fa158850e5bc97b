"""Titles to ids."""

import re
import unicodedata


def slug(text: str) -> str:
    """Lower-case words joined by hyphens; letters of any script are kept."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"[^\w]+|_+", "-", folded).strip("-")


def unique(name: str, taken: set[str]) -> str:
    """The name, with `-2`, `-3`, … where it is taken; it is then taken too."""
    candidate = name
    number = 1
    while candidate in taken:
        number += 1
        candidate = f"{name}-{number}"
    taken.add(candidate)
    return candidate

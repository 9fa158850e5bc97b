"""`${name}` in texts of checks files; `$${name}` is a plain `${name}`."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

_PLACEHOLDER = re.compile(r"(\$?)\$\{([^{}]*)\}")


class Placeholder(NamedTuple):
    """A name in a text, which a value takes the place of."""

    name: str


def parts(text: str) -> Iterator[str | Placeholder]:
    """The text in pieces: names, and what stands between them."""
    end = 0
    for match in _PLACEHOLDER.finditer(text):
        yield text[end : match.start()]
        yield match.group(0)[1:] if match.group(1) else Placeholder(match.group(2))
        end = match.end()
    yield text[end:]


def names_in(text: str) -> tuple[str, ...]:
    """The names in a text, in order."""
    return tuple(part.name for part in parts(text) if isinstance(part, Placeholder))


def fill_in(text: str, value_of: Callable[[str], str]) -> str:
    """The text with values in place of names; `value_of` may raise."""
    return "".join(
        value_of(part.name) if isinstance(part, Placeholder) else part for part in parts(text)
    )


def as_written(text: str) -> str:
    """What to write into a checks file for a text that happens to hold `${…}`."""
    return _PLACEHOLDER.sub(lambda match: f"${match.group(0)}", text)

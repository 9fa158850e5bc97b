"""HTML built from a source in another format; each character maps to its source offset."""

import html
import re
from collections.abc import Sequence

from appliance.documents._blocks import Block
from appliance.documents._limits import TooMuch
from appliance.documents._source import Source
from appliance.documents.html import parse_markup

_MOST_OFTEN = 4
"""Longest markup, as a multiple of the source: references may repeat text."""
_AT_LEAST = 100_000
_SPECIAL = re.compile(r"[&<>]|[^&<>]+")
LEFT_OUT = "…"
"""Placeholder for text from another file."""


def outside_text_problem(source: Source, places: Sequence[int], what: str) -> tuple[str, ...]:
    """The problem, reported once, that a document takes text from other files.

    Args:
        source: The document.
        places: Offsets at which such text stands.
        what: The constructs that take it in, for the message.
    """
    return tuple(
        f"{source.path}:{source.line_of(offset)}: takes text from elsewhere ({what}), which is not"
        f" read: {LEFT_OUT} stands for it"
        for offset in sorted(places)[:1]
    )


class HtmlBuilder:
    """Collects markup piece by piece, with the source offset of each character."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._markup: list[str] = []
        self._places: list[int] = []
        self._max_length = max(_AT_LEAST, _MOST_OFTEN * len(source.text))

    @property
    def pieces(self) -> int:
        """Number of pieces so far."""
        return len(self._markup)

    def blank(self, piece: int) -> None:
        """Replace a piece of markup with spaces."""
        self._markup[piece] = " " * len(self._markup[piece])

    def put(self, markup: str, at: int) -> None:
        """Add markup whose characters all map to one offset."""
        self._markup.append(markup)
        self._places += [at] * len(markup)
        self._check(at)

    def text(self, text: str, places: Sequence[int]) -> None:
        """Add text, escaped; `places[i]` is the source offset of `text[i]`."""
        for part in _SPECIAL.finditer(text):
            run, at = part.group(), places[part.start()]
            if len(run) == 1 and run in "&<>":
                self.put(html.escape(run, quote=False), at)
            else:
                self._markup.append(run)
                self._places += places[part.start() : part.end()]
                self._check(at)

    def raw(self, markup: str, at: int) -> None:
        """Add markup taken unchanged from the source, starting at an offset."""
        self._markup.append(markup)
        self._places += range(at, at + len(markup))

    def _check(self, at: int) -> None:
        if len(self._places) > self._max_length:
            raise TooMuch(
                at, "what it refers to would grow it to many times its size: no more is read"
            )

    def blocks(self) -> Sequence[Block]:
        """Parse the markup into blocks."""
        return parse_markup("".join(self._markup), self._source, self._places)

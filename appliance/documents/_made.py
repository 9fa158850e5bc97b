"""HTML that is made of a source in another format: each of its characters knows its place."""

import html
import re
from collections.abc import Sequence

from appliance.documents._blocks import Block
from appliance.documents._limits import TooMuch
from appliance.documents._source import Source
from appliance.documents.html import parse_markup

_MOST_OFTEN = 4
"""Times the source: what references to text may grow it to."""
_AT_LEAST = 100_000
_SPECIAL = re.compile(r"[&<>]|[^&<>]+")
LEFT_OUT = "…"
"""Stands for text that another file holds."""


def elsewhere(source: Source, places: Sequence[int], of: str) -> tuple[str, ...]:
    """The problem that a document takes text from elsewhere (`of`), at its first place."""
    return tuple(
        f"{source.path}:{source.line_of(at)}: takes text from elsewhere ({of}), which is not read:"
        f" {LEFT_OUT} stands for it"
        for at in sorted(places)[:1]
    )


class Made:
    """Markup, piece by piece."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._markup: list[str] = []
        self._places: list[int] = []
        self._most = max(_AT_LEAST, _MOST_OFTEN * len(source.text))

    @property
    def pieces(self) -> int:
        """How many there are so far."""
        return len(self._markup)

    def blank(self, piece: int) -> None:
        """Take a piece of markup back: nothing stands there."""
        self._markup[piece] = " " * len(self._markup[piece])

    def put(self, markup: str, at: int) -> None:
        """Markup that all stands for one place."""
        self._markup.append(markup)
        self._places += [at] * len(markup)
        self._check(at)

    def text(self, text: str, places: Sequence[int]) -> None:
        """Text, escaped; `places[i]` is that of `text[i]`."""
        for part in _SPECIAL.finditer(text):
            run, at = part.group(), places[part.start()]
            if len(run) == 1 and run in "&<>":
                self.put(html.escape(run, quote=False), at)
            else:
                self._markup.append(run)
                self._places += places[part.start() : part.end()]
                self._check(at)

    def raw(self, markup: str, at: int) -> None:
        """Markup as it stands in the source from a place on."""
        self._markup.append(markup)
        self._places += range(at, at + len(markup))

    def _check(self, at: int) -> None:
        if len(self._places) > self._most:
            raise TooMuch(
                at, "what it refers to would grow it to many times its size: no more is read"
            )

    def blocks(self) -> Sequence[Block]:
        """What a reader of the page sees."""
        return parse_markup("".join(self._markup), self._source, self._places)

"""Source offsets of the text of HTML: a scan for text, tags and comments, without a tree."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass

_PIECES = re.compile(
    r"<!--(?P<comment>.*?)(?:-->|\Z)"
    r"|<(?P<raw>script|style|title|textarea)\b[^>]*(?:>.*?(?:</(?P=raw)\s*>|\Z)|\Z)"
    r"|<[!?/]?[A-Za-z][^<>\"']*(?:(?:\"[^\"]*\"|'[^']*')[^<>\"']*)*>"
    r"|<[!?][^>]*(?:>|\Z)",
    re.S | re.I,
)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});?")

# How far stray text in a table can be from what it is joined with.
_FAR = 2000


@dataclass(frozen=True, slots=True)
class Scan:
    """All text of a source, decoded, with the place of each character; and its comments."""

    text: str
    offsets: tuple[int, ...]
    comments: tuple[tuple[str, int], ...]

    def places(self, nodes: Sequence[tuple[int, str]]) -> dict[int, tuple[int, ...]]:
        """The places of the characters of each text node, which come in document order."""
        places_by_id: dict[int, tuple[int, ...]] = {}
        position = 0
        for key, text in nodes:
            at = self._indices(text, position)
            places_by_id[key] = tuple(self.offsets[i] for i in at)
            position = max(position, at[-1] + 1) if at and text.strip() else position
        return places_by_id

    def _indices(self, text: str, position: int) -> Sequence[int]:
        at = self.text.find(text, position)
        if at < 0 and (pieced := self._scattered_indices(text, position)):
            return pieced
        at = at if at >= 0 else self.text.find(text)
        if at >= 0:
            return range(at, at + len(text))
        return [min(position, len(self.offsets) - 1)] * len(text) if self.offsets else []

    def _scattered_indices(self, text: str, position: int) -> Sequence[int]:
        """Offsets of characters found in order with gaps: the parser joins text that it moves."""
        places = []
        for char in text:
            at = self.text.find(char, position, position + _FAR)
            if at < 0:
                return ()
            places.append(at)
            position = at + 1
        return places


def scan(source: str, start: int, end: int) -> Scan:
    """Scan a part of a source."""
    chars: list[str] = []
    offsets: list[int] = []
    comments: list[tuple[str, int]] = []
    position = start
    for piece in _PIECES.finditer(source, start, end):
        _decode(source, position, piece.start(), chars, offsets)
        if piece["comment"] is not None:
            comments.append((piece["comment"], piece.start("comment")))
        position = piece.end()
    _decode(source, position, end, chars, offsets)
    return Scan("".join(chars), tuple(offsets), tuple(comments))


def _decode(source: str, start: int, end: int, chars: list[str], offsets: list[int]) -> None:
    position = start
    for entity in _ENTITY.finditer(source, start, end):
        chars += source[position : entity.start()]
        offsets += range(position, entity.start())
        decoded = html.unescape(entity.group())
        chars += decoded
        offsets += [entity.start()] * len(decoded)
        position = entity.end()
    chars += source[position:end]
    offsets += range(position, end)

"""Map the characters of parsed text to their positions in the raw text."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass

from appliance.documents._source import Source

# How far markup can push the next character away; beyond it the two texts have lost each other.
_LOOK_AHEAD = 120
# The rows of a csv-table all claim to stand where the table starts.
_FAR_LINES = 200
_FOLDED = re.compile(r"\s\s|&")
"""Where a text may stand for another one in the source: white space in a row, and entities."""
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


@dataclass(frozen=True, slots=True)
class Raw:
    """Raw text of one block with the source offset of each character."""

    text: str
    offsets: tuple[int, ...]

    def place(self, index: int) -> int:
        """Source offset of the character at `index`; beyond the end, one past the last."""
        if index < len(self.offsets):
            return self.offsets[index]
        return self.offsets[-1] + 1 if self.offsets else 0


def align(plain: str, raw: str, position: int, *, entities: bool = False) -> tuple[list[int], int]:
    """Indices in `raw`, from `position` on, of the characters of `plain`, and where the last ends.

    Escapes and markup in `raw` are stepped over; white space matches white space. With `entities`,
    `&amp;` in `raw` is an ampersand.
    """
    same = _same_length(plain, raw, position)
    indices = list(range(position, position + same))
    position += same
    for previous, char in zip(("x" + plain)[same:], plain[same:], strict=False):
        if previous.isspace() and char.isspace() and char != "\n":
            indices.append(indices[-1])  # the first of a run has taken them all
            continue
        index, position = _next_place(char, raw, position, entities)
        indices.append(index)
    return indices, position


def _same_length(plain: str, raw: str, position: int) -> int:
    """How many characters of `plain` stand in `raw` as they are: nearly always all of its words."""
    words = plain.rstrip()
    is_same = raw.startswith(words, position) and not _FOLDED.search(words)
    return len(words) if is_same else 0


def _next_place(char: str, raw: str, position: int, entities: bool) -> tuple[int, int]:
    entity = _ENTITY.match(raw, position) if entities else None
    if entity and html.unescape(entity.group()).startswith(char):
        return position, entity.end()
    if char.isspace():
        return _next_space(char, raw, position)
    index = raw.find(char, position, position + _LOOK_AHEAD)
    behind = index if index >= 0 else position + _LOOK_AHEAD
    for other in _ENTITY.finditer(raw, position, behind) if entities else ():
        if html.unescape(other.group()).startswith(char):
            return other.start(), other.end()
    if index < 0:
        return min(position, max(len(raw) - 1, 0)), position
    return index, index + 1


def _next_space(char: str, raw: str, position: int) -> tuple[int, int]:
    """Match white space; include a line break only if the break is what became the space."""
    end = position
    while end < len(raw) and raw[end].isspace() and raw[end] != "\n":
        end += 1
    is_break = raw[end : end + 1] == "\n" and (char == "\n" or end == position)
    while is_break and end < len(raw) and raw[end].isspace():
        end += 1
    return min(position, max(len(raw) - 1, 0)), end


def locate(source: Source, raw: str, line: int, columns: tuple[int, int] | None = None) -> Raw:
    """Find the lines of a block's raw text from a source line on, within 0-based columns."""
    offsets: list[int] = []
    number = line
    for index, text in enumerate(raw.split("\n")):
        if index:
            offsets.append(offsets[-1] + 1 if offsets else source.start_of(number))
        number, places = _locate_line(source, text, number, columns, is_first=index == 0)
        offsets.extend(places)
        number += 1
    return Raw(raw, tuple(offsets))


def _locate_line(
    source: Source, text: str, number: int, columns: tuple[int, int] | None, *, is_first: bool
) -> tuple[int, Sequence[int]]:
    stripped = text.strip()
    lead = len(text) - len(text.lstrip())
    # docutils names the line of a title's underline, and is a line or two off in odd corners.
    line_shifts = (0, -1, -2, *range(1, _FAR_LINES)) if is_first else (0, 1, -1)
    if not source.has_within(stripped, number + min(line_shifts), number + max(line_shifts)):
        line_shifts = ()  # a parser wrote it anew, such as tabs as spaces: no line has it
    for candidate in (number + d for d in line_shifts):
        column = _column_of(source.line(candidate), stripped, columns)
        if column is not None:
            start = source.start_of(candidate) + column
            raw_start = start - lead
            places = range(raw_start, raw_start + len(text))
            return candidate, places if raw_start >= 0 else [max(place, 0) for place in places]
    low = columns[0] if columns else 0
    line_text = source.line(number)
    indices, _ = align(text, line_text, min(low, len(line_text)))
    return number, [source.start_of(number) + i for i in indices]


def _column_of(line: str, stripped: str, columns: tuple[int, int] | None) -> int | None:
    low, high = columns or (0, len(line))
    part = line[low:high].rstrip()
    if not stripped:
        return low if not part.strip() or columns else None
    if columns is None and part.endswith(stripped):
        return low + len(part) - len(stripped)
    column = part.find(stripped)
    return low + column if column >= 0 else None

"""Text with the source offset of each character; ids made from titles."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from appliance.core.procedure import InlineRole

# Ideographs, kana and full-width forms: a line break between two of them is no space.
CJK = "\u2e80-\u303f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef"
_CJK_CHAR = re.compile(f"[{CJK}]")
_PARTS = re.compile(r"\s+|\S+")


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked stretch of a `RichText`."""

    role: InlineRole
    start: int
    end: int
    target: str | None = None
    parts: tuple[str, ...] = ()


@dataclass(frozen=True)  # without slots: `cached_property` needs a dictionary
class RichText:
    """Text with white space folded; `offsets[i]` is the place of `text[i]` in the source."""

    text: str
    offsets: tuple[int, ...]
    marks: tuple[Mark, ...] = ()

    @property
    def start(self) -> int:
        """Offset of the first character in the source."""
        return self.offsets[0]

    @property
    def end(self) -> int:
        """Offset just after the last character in the source."""
        return self.offsets[-1] + 1

    def cut(self, start: int, end: int | None = None) -> "RichText":
        """The part from `start` to `end` without white space around it."""
        end = len(self.text) if end is None else end
        while start < end and self.text[start].isspace():
            start += 1
        while end > start and self.text[end - 1].isspace():
            end -= 1
        if (start, end) == (0, len(self.text)):
            return self
        marks = tuple(
            replace(m, start=max(m.start, start) - start, end=min(m.end, end) - start)
            for m in self.marks
            if m.start < end and m.end > start
        )
        return RichText(self.text[start:end], self.offsets[start:end], marks)

    def mark_at(self, index: int) -> Mark | None:
        """The first mark that covers a character."""
        starts, marks = self._covering
        index_of_mark = bisect_right(starts, index) - 1
        return (
            marks[index_of_mark]
            if index_of_mark >= 0 and index < marks[index_of_mark].end
            else None
        )

    def is_marked(self, start: int, end: int) -> bool:
        """Whether some mark covers a character of a stretch."""
        starts, marks = self._covering
        index_of_mark = bisect_left(starts, end) - 1
        return index_of_mark >= 0 and marks[index_of_mark].end > start

    @cached_property
    def _covering(self) -> tuple[list[int], list[Mark]]:
        """The start of what each mark is the first to cover, and those marks."""
        starts: list[int] = []
        marks: list[Mark] = []
        covered = 0
        for mark in self.marks:
            if mark.end > covered:
                starts.append(max(mark.start, covered))
                marks.append(mark)
                covered = mark.end
        return starts, marks


class TextBuilder:
    """Puts a `RichText` together, word by word, folding white space as it goes."""

    def __init__(self) -> None:
        self._chars: list[str] = []
        self._offsets: list[int] = []
        self._marks: list[Mark] = []
        self._gap: tuple[str, int] | None = None

    @property
    def length(self) -> int:
        """Characters so far, white space at the end not counted."""
        return len(self._chars)

    def add(self, text: str, offsets: Sequence[int]) -> None:
        """Append characters with their source offsets."""
        for part in _PARTS.finditer(text):
            words, start, end = part.group(), part.start(), part.end()
            if words.isspace():
                before, place = self._gap or ("", offsets[start])
                self._gap = before + words, place
            else:
                self._close_gap(words[0])
                self._chars += words
                self._offsets += offsets[start:end]

    def _close_gap(self, following: str) -> None:
        gap, self._gap = self._gap, None
        if gap is None or not self._chars:
            return
        is_break = "\n" in gap[0]
        if is_break and _CJK_CHAR.match(self._chars[-1]) and _CJK_CHAR.match(following):
            return
        self._chars.append(" ")
        self._offsets.append(gap[1])

    def mark(self, role: InlineRole, start: int, target: str | None = None) -> None:
        """Mark the characters added since the length was `start`."""
        while start < self.length and self._chars[start] == " ":
            start += 1
        if start < self.length:
            self._marks.append(Mark(role, start, self.length, target))

    def build(self) -> RichText:
        """The text so far."""
        marks = tuple(sorted(self._marks, key=lambda m: (m.start, -m.end)))
        return RichText("".join(self._chars), tuple(self._offsets), marks)


def slug(text: str) -> str:
    """Lower-case words joined by hyphens; letters of any script are kept."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"[^\w]+|_+", "-", folded).strip("-")


def unique(name: str, taken: set[str]) -> str:
    """The name, with `-2`, `-3`, … if it is taken; the result is added to `taken`."""
    candidate = name
    number = 1
    while candidate in taken:
        number += 1
        candidate = f"{name}-{number}"
    taken.add(candidate)
    return candidate

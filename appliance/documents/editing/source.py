"""A document's text with its lines, and the location of a finding's words in it."""

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from appliance.core.result import Finding

_MARK = "\ufeff"
"""Byte order mark, with which some editors begin a file."""


class Stretch(NamedTuple):
    """Characters of a source, the end exclusive."""

    start: int
    end: int


class LineColumn(NamedTuple):
    """A line and a column, both from 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class SourceText:
    """A document's text with its lines."""

    text: str
    lines: tuple[str, ...]
    """With line ends, so that joining them gives the text."""
    starts: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> "SourceText":
        """Split at line feeds only, as editors and diffs count lines."""
        lines = tuple(re.findall(r"[^\n]*\n|[^\n]+", text))
        return cls(text, lines, tuple(accumulate(map(len, lines), initial=0)))

    def offset(self, line: int, column: int) -> int | None:
        """The offset of a line and column; None outside the text."""
        if not self.lines and (line, column) == (1, 1):
            return 0
        if not 1 <= line <= len(self.lines) or column < 1:
            return None
        offset = self.starts[line - 1] + column - 1
        if line == 1 and self.text.startswith(_MARK):
            offset += 1  # readers of documents do not see it
        return offset if offset <= self.starts[line] else None

    def place(self, offset: int) -> LineColumn:
        """The line and column of an offset."""
        line = max(min(bisect_right(self.starts, offset), len(self.lines)), 1)
        lead = line == 1 and offset > 0 and self.text.startswith(_MARK)
        return LineColumn(line, offset - self.starts[line - 1] + 1 - lead)

    def line(self, number: int) -> str:
        """A line without its end; "" outside the text."""
        return self.lines[number - 1].rstrip("\r\n") if 1 <= number <= len(self.lines) else ""

    def find(self, finding: Finding) -> Stretch | None:
        """The stretch of a finding's quote; None if the text there is different.

        White space in the quote matches any white space, since a quote may span lines.
        """
        start = self.offset(finding.line, finding.column)
        if start is None:
            return None
        words = finding.quote.split()
        if not words:
            end = self.offset(finding.end_line, finding.end_column)
            return Stretch(start, start) if end == start else None
        lead = r"\s*" if finding.quote[0].isspace() else ""
        tail = r"\s+" if finding.quote[-1].isspace() else ""
        pattern = lead + r"\s+".join(map(re.escape, words)) + tail
        match = re.compile(pattern).match(self.text, start)
        return Stretch(match.start(), match.end()) if match else None

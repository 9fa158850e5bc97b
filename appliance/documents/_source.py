"""The text of a document, and conversion between offsets, lines and columns."""

import re
from bisect import bisect_right
from pathlib import Path

from appliance.core.source import Span

# What Python calls a line break but editors do not: they would shift docutils' line numbers.
_ODD_BREAKS = dict.fromkeys(map(ord, "\v\f\x1c\x1d\x1e\x85\u2028\u2029"), " ")

# What stands for other text: an entity, or an attribute of AsciiDoc.
_REFERENCE = re.compile(
    r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});|\{[A-Za-z0-9_][\w-]{1,99}\}"
)


class Source:
    """A document's text with line breaks made equal; offsets are offsets in `text`."""

    def __init__(self, path: str, text: str, root: Path | None = None) -> None:
        """A source.

        Args:
            path: Its name.
            text: Its content.
            root: Folder below which files that it refers to may be opened; None to open none.
        """
        text = text.removeprefix("\ufeff").replace("\x00", "\ufffd")
        self.path, self.root = path, root
        self.read_also: dict[Path, bytes] = {}
        """Content of the other files it was read from, empty for files that do not exist: a change
        there makes another revision of the document."""
        self.lines: tuple[str, ...] = tuple(re.split(r"\r\n|\n|\r", text))
        self.text = "\n".join(self.lines)
        self._starts = [0]
        for line in self.lines[:-1]:
            self._starts.append(self._starts[-1] + len(line) + 1)
        self.plain = self.text.translate(_ODD_BREAKS)
        """The text, of the same length, where any parser sees the line breaks that we see."""

    def start_of(self, line: int) -> int:
        """Offset of the first character of a line (from 1); the text's end beyond the last."""
        if line < 1:
            return 0
        return self._starts[line - 1] if line <= len(self._starts) else len(self.text)

    def end_of(self, line: int) -> int:
        """Offset just behind the last character of a line that is not white space."""
        if not 1 <= line <= len(self.lines):
            return self.start_of(line)
        return self._starts[line - 1] + len(self.lines[line - 1].rstrip())

    def line_of(self, offset: int) -> int:
        """The line (from 1) an offset lies in."""
        return bisect_right(self._starts, offset)

    def line(self, number: int) -> str:
        """What a parser sees of a line; empty outside the document."""
        if not 1 <= number <= len(self.lines):
            return ""
        start = self._starts[number - 1]
        return self.plain[start : start + len(self.lines[number - 1])]

    def has_within(self, text: str, first: int, last: int) -> bool:
        """Whether a parser sees the text anywhere in these lines."""
        return self.plain.find(text, self.start_of(first), self.start_of(last + 1)) >= 0

    def span(self, start: int, end: int) -> Span:
        """The place of the characters from `start` up to, not including, `end`."""
        start = max(0, min(start, len(self.text)))
        end = max(start, min(end, len(self.text)))
        if end > start and (reference := _REFERENCE.match(self.text, end - 1)):
            end = reference.end()  # the last character is written as `&amp;`: all of it belongs
        line, last = self.line_of(start), self.line_of(end)
        return Span(
            self.path,
            line,
            start - self._starts[line - 1] + 1,
            last,
            end - self._starts[last - 1] + 1,
        )

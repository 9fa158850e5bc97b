"""Lines of AsciiDoc after preprocessing: conditions decided, attributes set.

https://docs.asciidoctor.org/asciidoc/latest/directives/conditionals/ and the pages beside it.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from appliance.documents._asciidoc_inline import value_of
from appliance.documents._limits import check_paragraph
from appliance.documents._made import LEFT_OUT
from appliance.documents._source import Source

_CONDITION = re.compile(r"(ifdef|ifndef|ifeval|endif)::([^\[\s]*)\[(.*)\]\s*$")
_COMPARISON = re.compile(r"\s*(\"[^\"]*\"|'[^']*'|\S+)\s*([=!]=)\s*(\"[^\"]*\"|'[^']*'|\S+)\s*$")
_INCLUDE = re.compile(r"include::[^\[]*\[.*\]\s*$")
_ENTRY = re.compile(r":(!?)([A-Za-z0-9_][\w-]*)(!?):(?:[ \t]+(.*))?$")


class Line(NamedTuple):
    """A stretch of one line of the source."""

    text: str
    at: int
    """Offset of its first character."""

    def cut(self, start: int, end: int | None = None) -> "Line":
        """A part of it."""
        return Line(self.text[start:end], self.at + start)


class AttributeEntry(NamedTuple):
    """An attribute set from here on, or unset when the value is None."""

    name: str
    value: str | None


@dataclass(slots=True)
class Lines:
    """Iterates over the lines of a source."""

    source: Source
    elsewhere: Callable[[int], None]
    """Called with the offset of text that another file or the publisher of the page holds."""
    attributes: dict[str, str] = field(default_factory=dict)
    _open: list[bool] = field(default_factory=list)
    """For each open condition, whether it holds."""

    def __iter__(self) -> Iterator[Line | AttributeEntry]:
        number = 0
        lines = self.source.lines
        while number < len(lines):
            number += 1
            line = Line(self.source.line(number).rstrip(), self.source.start_of(number))
            if condition := _CONDITION.match(line.text):
                yield from self._condition(condition, line)
            elif not all(self._open):
                continue
            elif line.text.startswith((r"\ifdef::", r"\ifndef::", r"\ifeval::", r"\include::")):
                yield line.cut(1)
            elif _INCLUDE.match(line.text):
                self.elsewhere(line.at)
                yield Line(LEFT_OUT, line.at)
            elif entry := _ENTRY.match(line.text):
                value = entry[4] or ""
                while value.endswith(" \\") and number < len(lines):
                    number += 1
                    value = value[:-1] + self.source.line(number).strip()
                yield self._set(entry, value.removesuffix("\\"), line.at)
            else:
                yield line

    def _condition(self, match: re.Match[str], line: Line) -> Iterator[Line]:
        kind, names, rest = match.groups()
        if kind == "endif":
            if self._open:
                self._open.pop()
            return
        holds = self._compares(rest) if kind == "ifeval" else self._is_set(names, kind, line.at)
        if kind != "ifeval" and rest:  # `ifdef::x[text]` is one line
            if holds and all(self._open):
                yield line.cut(match.start(3), match.end(3))
            return
        self._open.append(holds)

    def _is_set(self, names: str, kind: str, at: int) -> bool:
        needs_all = "+" in names
        are_set = [name.lower() in self.attributes for name in re.split(r"[,+]", names)]
        if not all(are_set) and all(self._open):
            self.elsewhere(at)
        is_set = all(are_set) if needs_all else any(are_set)
        return is_set == (kind == "ifdef")

    def _compares(self, text: str) -> bool:
        """Decide `"{a}" == "b"`; an unset attribute equals nothing, other forms never hold."""
        match = _COMPARISON.match(text)
        if match is None:
            return False
        left, right = (
            value_of(operand.strip("\"'"), self.attributes) for operand in match.group(1, 3)
        )
        return (left == right) == (match[2] == "==")

    def _set(self, entry: re.Match[str], value: str, at: int) -> AttributeEntry:
        name = entry[2].lower()
        if entry[1] or entry[3]:
            self.attributes.pop(name, None)
            return AttributeEntry(name, None)
        self.attributes[name] = value_of(value, self.attributes)
        check_paragraph(self.attributes[name], lambda: at)
        return AttributeEntry(name, self.attributes[name])

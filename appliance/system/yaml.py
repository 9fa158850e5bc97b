"""YAML with the place of every value, and limits that hold while it is read.

A few hundred bytes of YAML can stand for gigabytes: an alias repeats what an anchor names, and so
may name again what repeats it. So anchors, aliases and merge keys are refused where they stand,
and what is nested too deeply, has too many values or is too long. Only what comes with the program
itself may refer (`is_ours`).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn

import yaml
from yaml.composer import Composer
from yaml.reader import Reader

from appliance.core.errors import SetupError
from appliance.core.source import Span

MAX_CHARACTERS = 1024 * 1024
"""The longest file of ours has 40,000."""
MAX_DEPTH = 50
"""Levels of lists and mappings."""
MAX_VALUES = 200_000
"""Keys, values and what holds them."""

Path = tuple[str | int, ...]
Value = str | None | list["Value"] | dict[str, "Value"]

_DIRECTIVE = re.compile(r"(?:\A|(?<=[\r\n\x85\u2028\u2029]))%(?!YAML\s)\S*")
"""The library compares each with all before it: 30,000 take seconds. Nothing of ours needs one."""
_NULL = "tag:yaml.org,2002:null"
_INT = "tag:yaml.org,2002:int"
_LONGEST_NUMBER = 1_000
"""Characters of a whole number: one in base 60 (`1:30:00`) takes the square of its length."""
_OF_TAGS = (AttributeError, IndexError, KeyError, TypeError)
"""What the library raises where a value does not fit the tag before it: `!!bool x`."""


class YamlError(SetupError):
    """A text that is no YAML, or none that is read here."""

    def __init__(
        self, says: str, line: int = 1, column: int = 1, *, is_limit: bool = False
    ) -> None:
        """`line` and `column` count from 1; `is_limit`: it may well be YAML, but is not read."""
        super().__init__(says)
        self.says, self.line, self.column, self.is_limit = says, line, column, is_limit


class Dumper(yaml.SafeDumper):
    """Writes what `compose` reads: what stands twice is written twice, without anchors."""

    def ignore_aliases(self, data: object) -> bool:
        """All of them."""
        return True


def compose(text: str, *, is_ours: bool = False) -> yaml.Node | None:
    """The nodes of the one document in a text; None where there is nothing in it.

    Args:
        text: It may come from anybody.
        is_ours: It comes with the program, and may refer to its own parts.

    Raises:
        YamlError: It is no YAML, refers to its own parts, or is beyond a limit.
    """
    if len(text) > MAX_CHARACTERS:
        raise YamlError(
            f"{len(text):,} characters of YAML: at most {MAX_CHARACTERS:,} are read; divide it",
            is_limit=True,
        )
    if odd := Reader.NON_PRINTABLE.search(text):
        says = f"not valid YAML: the character U+{ord(odd[0]):04X}"
        raise YamlError(says, *_line_and_column(text, odd.start()))
    if directive := _DIRECTIVE.search(text):
        raise YamlError(
            f"`{directive[0][:20]}` is a directive, and directives are not read: leave it out; a"
            " line of text that begins with % is indented",
            *_line_and_column(text, directive.start()),
            is_limit=True,
        )
    try:
        loader = _Loader(text, is_ours=is_ours)
        try:
            node: yaml.Node | None = loader.get_single_node()
            return node
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        line = min(line, text.count("\n") + 1)
        raise YamlError(
            f"not valid YAML: {error.problem or error.context}", line, column
        ) from error
    except yaml.YAMLError as error:
        raise YamlError(f"not valid YAML: {_first_line(error)}") from error


def construct(node: yaml.Node, *, is_ours: bool = False) -> Any:  # Any: what YAML gives
    """What a node stands for, in plain types.

    Raises:
        YamlError: It is not of plain types, or has a key twice.
    """
    try:
        return _Loader(is_ours=is_ours).construct_document(node)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark or node.start_mark
        raise YamlError(
            f"not valid YAML: {error.problem or error.context}", mark.line + 1, mark.column + 1
        ) from error
    except (yaml.YAMLError, ValueError, OverflowError, *_OF_TAGS) as error:
        start = node.start_mark
        raise YamlError(
            f"not valid YAML: {_first_line(error)}", start.line + 1, start.column + 1
        ) from error


def load(text: str) -> Any:  # Any: what YAML gives
    """What a text stands for, in plain types; None where there is nothing in it. `YamlError`."""
    node = compose(text)
    return construct(node) if node is not None else None


@dataclass
class LocatedText:
    """A text in YAML as plain data. Scalars stay the text that was written."""

    file: str
    value: Value
    places: dict[Path, Span] = field(default_factory=dict)

    def place(self, path: Path) -> Span:
        """Where a value, or the nearest thing around it, stands."""
        while path and path not in self.places:
            path = path[:-1]
        return self.places.get(path, Span(self.file, 1, 1, 1, 1))

    def at(self, path: Path) -> Value:
        """The value at a path; None where there is none."""
        value = self.value
        for part in path:
            value = entry(value, part)
        return value


def entry(value: Value, part: str | int) -> Value:
    """What a value holds under a key or at a place; None where it holds nothing there."""
    if isinstance(value, dict) and isinstance(part, str):
        return value.get(part)
    if isinstance(value, list) and isinstance(part, int) and part < len(value):
        return value[part]
    return None


def read_located(text: str, file: str, lines_before: int = 0) -> LocatedText:
    """Read a text that starts behind `lines_before` lines of a file.

    Raises:
        YamlError: It is not read (see `compose`), or has a key twice. Lines are those of the file.
    """
    try:
        root = compose(text)
        located = LocatedText(file, None)
        if root is not None:
            located.value = _TextLocator(located, lines_before).to_plain(root, ())
    except YamlError as error:
        line = error.line + lines_before
        raise YamlError(error.says, line, error.column, is_limit=error.is_limit) from error
    return located


# `Composer` stands in for the parser's own one, which is in C and asks nobody.
_BASES: Any = (  # Any: either may be missing from what yaml's types know
    (Composer, yaml.CSafeLoader) if yaml.__with_libyaml__ else (yaml.SafeLoader,)
)


class _Loader(*_BASES):  # type: ignore[misc]  # as above
    """Looks at every value before it is read, and at the keys of a mapping before it is made."""

    def __init__(self, text: str = "", *, is_ours: bool = False) -> None:
        _BASES[-1].__init__(self, text)
        Composer.__init__(self)
        self._is_ours = is_ours
        self._depth = self._count = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:  # Any: yaml's
        event = self.peek_event()
        if not self._is_ours:
            self._check(event, is_key=isinstance(parent, yaml.MappingNode) and index is None)
        self._count += 1
        if self._count > MAX_VALUES:
            _refuse(event, f"more than {MAX_VALUES:,} values: divide the file")
        self._depth += 1
        if self._depth > MAX_DEPTH:
            _refuse(event, f"nested too deeply: at most {MAX_DEPTH} levels are read")
        node: yaml.Node | None = super().compose_node(parent, index)
        self._depth -= 1
        return node

    def _check(self, event: Any, *, is_key: bool) -> None:  # Any: yaml's
        if isinstance(event, yaml.AliasEvent):
            _refuse(
                event,
                f"`*{event.anchor}` is an alias, and aliases are not read: write the value out;"
                " text that begins with * goes between quotes",
            )
        if event.anchor is not None:
            _refuse(
                event,
                f"`&{event.anchor}` is an anchor, and anchors are not read: write the value out;"
                " text that begins with & goes between quotes",
            )
        if is_key and isinstance(event, yaml.ScalarEvent) and event.value == "<<":
            _refuse(event, "`<<` is a merge key, which is not read: write the values out")

    def construct_yaml_int(self, node: yaml.ScalarNode) -> int:
        if len(node.value) > _LONGEST_NUMBER:
            raise YamlError(
                f"a number of more than {_LONGEST_NUMBER:,} characters: text goes between quotes",
                node.start_mark.line + 1,
                node.start_mark.column + 1,
                is_limit=True,
            )
        return int(super().construct_yaml_int(node))

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> Any:  # Any: yaml's
        keys: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value in keys and not self._is_ours:
                raise _twice(key)
            keys.add(str(key.value))
        return super().construct_mapping(node, deep)


_Loader.add_constructor(_INT, _Loader.construct_yaml_int)


class _TextLocator:
    """Nodes to plain data, each place noted."""

    def __init__(self, located: LocatedText, lines_before: int) -> None:
        self._located = located
        self._before = lines_before

    def to_plain(self, node: yaml.Node, path: Path) -> Value:
        self._located.places.setdefault(path, self._span(node))
        if isinstance(node, yaml.MappingNode):
            return dict(self._entries(node, path))
        if isinstance(node, yaml.SequenceNode):
            return [self.to_plain(n, (*path, i)) for i, n in enumerate(node.value)]
        return None if node.tag == _NULL else str(node.value)

    def _entries(self, node: yaml.MappingNode, path: Path) -> Iterator[tuple[str, Value]]:
        keys: set[str] = set()
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                mark = key_node.start_mark
                raise YamlError("a key must be plain text", mark.line + 1, mark.column + 1)
            key = str(key_node.value)
            if key in keys:
                raise _twice(key_node)
            keys.add(key)
            self._located.places[(*path, key)] = self._span(key_node)
            yield key, self.to_plain(value_node, (*path, key))

    def _span(self, node: yaml.Node) -> Span:
        start, end = node.start_mark, node.end_mark
        return Span(
            self._located.file,
            start.line + 1 + self._before,
            start.column + 1,
            end.line + 1 + self._before,
            end.column + 1,
        )


def _line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Line and column."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def _refuse(event: Any, says: str) -> NoReturn:  # Any: yaml's
    mark = event.start_mark
    raise YamlError(says, mark.line + 1, mark.column + 1, is_limit=True)


def _twice(key: yaml.ScalarNode) -> YamlError:
    mark = key.start_mark
    return YamlError(f"the key {key.value!r} stands here twice", mark.line + 1, mark.column + 1)


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or ["unreadable"])[0].rstrip(".")

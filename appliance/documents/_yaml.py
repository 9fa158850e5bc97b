"""YAML with the place of every key and value. Scalars stay the text that was written."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml

from appliance.core.errors import DocumentError
from appliance.core.source import Span

Path = tuple[str | int, ...]
Value = str | None | list["Value"] | dict[str, "Value"]


@dataclass
class Located:
    """A YAML document as plain data."""

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


def read_yaml(text: str, file: str, lines_before: int = 0) -> Located:
    """Read one YAML document that starts behind `lines_before` lines of a file.

    Raises:
        DocumentError: it is no YAML, has a key twice or refers to itself.
    """
    reader = _Reader(file, lines_before)
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = reader.where(mark) if mark else file
        raise DocumentError(f"{where}: not valid YAML: {error.problem or error.context}") from error
    except yaml.YAMLError as error:
        raise DocumentError(f"{file}:{lines_before + 1}: not valid YAML: {error}") from error
    if root is not None:
        reader.located.value = reader.read(root, (), ())
    return reader.located


class _Reader:
    def __init__(self, file: str, lines_before: int) -> None:
        self._before = lines_before
        self.located = Located(file, None)

    def where(self, mark: yaml.Mark) -> str:
        return f"{self.located.file}:{mark.line + 1 + self._before}:{mark.column + 1}"

    def _span(self, node: yaml.Node) -> Span:
        start, end = node.start_mark, node.end_mark
        return Span(
            self.located.file,
            start.line + 1 + self._before,
            start.column + 1,
            end.line + 1 + self._before,
            end.column + 1,
        )

    def read(self, node: yaml.Node, path: Path, around: tuple[int, ...]) -> Value:
        self.located.places.setdefault(path, self._span(node))
        if id(node) in around:
            raise DocumentError(f"{self.where(node.start_mark)}: this value contains itself")
        around = (*around, id(node))
        if isinstance(node, yaml.MappingNode):
            return dict(self._entries(node, path, around))
        if isinstance(node, yaml.SequenceNode):
            return [self.read(n, (*path, i), around) for i, n in enumerate(node.value)]
        return None if node.tag == "tag:yaml.org,2002:null" else str(node.value)

    def _entries(
        self, node: yaml.MappingNode, path: Path, around: tuple[int, ...]
    ) -> Iterator[tuple[str, Value]]:
        seen: set[str] = set()
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise DocumentError(f"{self.where(key_node.start_mark)}: a key must be plain text")
            key = str(key_node.value)
            if key in seen:
                raise DocumentError(
                    f"{self.where(key_node.start_mark)}: the key {key!r} stands here twice"
                )
            seen.add(key)
            self.located.places[(*path, key)] = self._span(key_node)
            yield key, self.read(value_node, (*path, key), around)

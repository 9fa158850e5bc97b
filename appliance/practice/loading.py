"""YAML files with the lines that their values stand on."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from appliance.core.errors import SetupError
from appliance.system.yaml import YamlError, compose, construct

Tree = dict[str, Any]  # Any: a YAML file before it is checked
Path_ = tuple[str | int, ...]


class SourceFile(NamedTuple):
    """A file's content, and where in it each value stands."""

    file: Path
    data: Tree
    lines: dict[Path_, int]

    def line(self, path: Path_) -> int:
        """The line of a value, or of the nearest thing around it."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)

    def place(self, path: Path_) -> str:
        """`file:line` of a value."""
        return f"{self.file}:{self.line(path)}"


def read_source(file: Path, *, is_ours: bool = False) -> SourceFile:
    """Read a YAML file that holds a mapping; `SetupError` with file and line where it does not.

    One of ours may refer to its own parts.
    """
    try:
        text = file.read_text(encoding="utf-8")
        node = compose(text, is_ours=is_ours)
        data = construct(node, is_ours=is_ours) if node is not None else {}
    except OSError as exc:
        raise SetupError(f"cannot read {file}: {exc.strerror or exc}") from exc
    except UnicodeDecodeError as exc:
        raise SetupError(f"{file} is not a text file in UTF-8") from exc
    except YamlError as exc:
        raise SetupError(f"{file}:{exc.line}: {exc.says}") from exc
    if not isinstance(data, dict):
        raise SetupError(f"{file}:1: expected a mapping, found a {type(data).__name__}")
    return SourceFile(file, data, dict(_lines(node, ())) if node is not None else {})


def _lines(node: yaml.Node, path: Path_) -> Iterator[tuple[Path_, int]]:
    yield path, node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            for inner, line in _lines(value, (*path, str(key.value))):
                at_key = inner == (*path, str(key.value))
                yield inner, key.start_mark.line + 1 if at_key else line
    elif isinstance(node, yaml.SequenceNode):
        for number, value in enumerate(node.value):
            yield from _lines(value, (*path, number))

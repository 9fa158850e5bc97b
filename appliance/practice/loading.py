"""YAML files with the lines that their values stand on."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from appliance.core.errors import SetupError

Tree = dict[str, Any]  # Any: a YAML file before it is checked
Path_ = tuple[str | int, ...]

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Source(NamedTuple):
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


def read_source(file: Path) -> Source:
    """Read a YAML file that holds a mapping; `SetupError` with file and line where it does not."""
    try:
        text = file.read_text(encoding="utf-8")
        loader = _LOADER(text)
        try:
            node = loader.get_single_node()
            data = loader.construct_document(node) if node is not None else {}
        finally:
            loader.dispose()
    except OSError as exc:
        raise SetupError(f"cannot read {file}: {exc.strerror or exc}") from exc
    except UnicodeDecodeError as exc:
        raise SetupError(f"{file} is not a text file in UTF-8") from exc
    except yaml.MarkedYAMLError as exc:
        line = min(exc.problem_mark.line + 1, text.count("\n") + 1) if exc.problem_mark else 1
        raise SetupError(f"{file}:{line}: not valid YAML: {exc.problem}") from exc
    except yaml.reader.ReaderError as exc:
        line = text.count("\n", 0, exc.position) + 1
        raise SetupError(f"{file}:{line}: not valid YAML: {exc.reason}") from exc
    if not isinstance(data, dict):
        raise SetupError(f"{file}:1: expected a mapping, found a {type(data).__name__}")
    return Source(file, data, dict(_lines(node, ())) if node is not None else {})


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

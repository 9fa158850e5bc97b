"""YAML files with the lines that their values stand on."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from appliance.core.errors import SetupError
from appliance.core.near import nearest
from appliance.practice.catalogue import Located
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


_KEYS = ("id", "value", "field")
"""What names an entry of a list: `navigation.data`, `options.standard`, `columns.state`."""


class NotThere(Exception):
    """A path that leads nowhere; the message names the nearest one that exists."""


class TreeNode(NamedTuple):
    """A value in the tree and what holds it."""

    holder: Any  # Any: a mapping or list of the tree
    key: str | int
    value: Any  # Any: as in the file


def find(tree: Tree, path: str) -> TreeNode:
    """The value at a dotted path; entries of lists go by their id. `NotThere` when there is none.

    Product names may stand first: `storage.resources…` is `products.storage.resources…`.
    """
    parts = path.split(".")
    if parts[0] in tree["products"]:
        parts.insert(0, "products")
    place, number = TreeNode(None, "", tree), 0
    while number < len(parts):
        names = _names(place.value)
        length = _length_of_name(parts[number:], names)
        if not length:
            around = ".".join(parts[:number])
            raise NotThere(_message(around, parts[number], names, number == 0, tree))
        key = names[".".join(parts[number : number + length])]
        place = TreeNode(place.value, key, place.value[key])
        number += length
    return place


def _length_of_name(parts: list[str], names: dict[str, str | int]) -> int:
    """How many parts the next name has: the value of an option may hold dots. 0: there is none."""
    lengths = (n for n in range(1, len(parts) + 1) if ".".join(parts[:n]) in names)
    return next(lengths, 0)


def _names(value: object) -> dict[str, str | int]:
    if isinstance(value, dict):
        return {str(key): key for key in value}
    if isinstance(value, list):
        return {name: number for number, item in enumerate(value) if (name := name_of(item))}
    return {}


def name_of(item: object) -> str:
    """What an entry of a list goes by; empty: it has no name."""
    if isinstance(item, str):
        return item
    if isinstance(item, dict):
        return next((str(item[key]) for key in _KEYS if key in item), "")
    return ""


def _message(
    around: str, part: str, names: dict[str, str | int], is_first: bool, tree: Tree
) -> str:
    known_names = [*tree["products"], "console"] if is_first else list(names)
    where = f" in {around.removeprefix('products.')}" if around else ""
    return f"there is no {part!r}{where}; {nearest(part, known_names)}"


SPECIAL = frozenset({"state", "created", "id", "region"})
"""Columns and detail lines that every item has."""


class CatalogueNames(NamedTuple):
    """What is around a resource."""

    kinds: Mapping[str, Located]
    permissions: set[str]


def unknown_names(where: str, names: Iterable[str], known: Iterable[str]) -> Iterator[str]:
    """A sentence for each name that is not known, with the nearest one that is."""
    known = list(known)
    for name in names:
        if name not in known:
            yield f"{where}: there is no {name!r}; {nearest(name, known)}"

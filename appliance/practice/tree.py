"""Finds a place in the product data by its dotted path, or says what may have been meant."""

import difflib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from appliance.practice.catalogue import Located
from appliance.practice.loading import Tree

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


def nearest(word: str, known: Iterable[str]) -> str:
    """`did you mean …?`, or the list of what there is."""
    names = sorted(known)
    close = difflib.get_close_matches(word, names, n=1, cutoff=0.5)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"there is {', '.join(names)}" if names else "there is nothing"


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
    known = [*tree["products"], "console"] if is_first else list(names)
    where = f" in {around.removeprefix('products.')}" if around else ""
    return f"there is no {part!r}{where}; {nearest(part, known)}"


SPECIAL = frozenset({"state", "created", "id", "region"})
"""Columns and detail lines that every item has."""


class Surroundings(NamedTuple):
    """What is around a resource."""

    kinds: Mapping[str, Located]
    permissions: set[str]


def unknown_names(where: str, names: Iterable[str], known: Iterable[str]) -> Iterator[str]:
    """A sentence for each name that is not known, with the nearest one that is."""
    known = list(known)
    for name in names:
        if name not in known:
            yield f"{where}: there is no {name!r}; {nearest(name, known)}"

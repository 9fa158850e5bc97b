"""The settings tree as data: what stands under a path, and under which names it can be set."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

from appliance.config.section import Section
from appliance.config.settings import Settings

PREFIX = "APPLIANCE_"
KEY_VARIABLE = "APPLIANCE_KEY"
"""No setting: the key with which commands ask a running server."""
SERVER_VARIABLE = "APPLIANCE_SERVER"
"""No setting: the address of the server that commands ask."""
SEPARATOR = "__"

Path = tuple[str, ...]
"""Keys from the root of the tree, list positions as text."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What may stand at a place of the tree."""

    annotation: Any  # Any: a type annotation, of which typing knows no common type
    section: type[Section] | None = None
    """The keys it has, where they are fixed."""
    is_table: bool = False
    """Whether its keys are names that the user chooses."""

    @property
    def is_leaf(self) -> bool:
        """Whether it is a value, and not a group of keys."""
        return self.section is None and not self.is_table

    def under(self, key: str) -> "Shape | None":
        """What stands under a key; None where there is no such key."""
        if self.is_table:
            return shape_of(get_args(self.annotation)[1])
        if self.section is None or key not in self.section.model_fields:
            return None
        return shape_of(self.section.model_fields[key].annotation)


def shape_of(annotation: Any) -> Shape:  # Any: as above
    """The shape that an annotation describes."""
    if get_origin(annotation) in (Union, UnionType):
        rest = [part for part in get_args(annotation) if part is not NoneType]
        annotation = rest[0] if len(rest) == 1 else annotation
    if get_origin(annotation) is dict:
        return Shape(annotation, is_table=True)
    if isinstance(annotation, type) and issubclass(annotation, Section):
        return Shape(annotation, section=annotation)
    return Shape(annotation)


ROOT = shape_of(Settings)


def shape_at(path: Path) -> Shape | None:
    """What stands at a path; None where there is no such place."""
    shape: Shape | None = ROOT
    for key in path:
        if shape is None or shape.is_leaf:
            return None
        shape = shape.under(key)
    return shape


def keys_at(path: Path) -> tuple[str, ...]:
    """The keys that may stand at a path; none where the user chooses them."""
    shape = shape_at(path)
    return tuple(shape.section.model_fields) if shape and shape.section else ()


def leaves(tables: Mapping[Path, tuple[str, ...]]) -> Iterator[Path]:
    """Paths of all values, with the names that `tables` gives for chosen keys."""
    yield from _leaves((), ROOT, tables)


def _leaves(path: Path, shape: Shape, tables: Mapping[Path, tuple[str, ...]]) -> Iterator[Path]:
    if shape.is_leaf:
        yield path
        return
    names = shape.section.model_fields if shape.section else tables.get(path, ())
    for name in names:
        below = shape.under(name)
        if below is not None:
            yield from _leaves((*path, name), below, tables)


def variable(path: Path) -> str:
    """The environment variable that sets a path."""
    return PREFIX + SEPARATOR.join(path).upper().replace("-", "_")

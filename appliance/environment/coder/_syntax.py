"""What a configuration is made of. What has no type here cannot be said."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias, assert_never


@dataclass(frozen=True, slots=True)
class Text:
    """A text; `parts` that are no strings are put in."""

    parts: tuple["str | Expression", ...]

    @property
    def plain(self) -> str | None:
        """What it says, where nothing is put in."""
        if any(not isinstance(part, str) for part in self.parts):
            return None
        return "".join(part for part in self.parts if isinstance(part, str))


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it was written."""

    text: str


@dataclass(frozen=True, slots=True)
class Word:
    """A name at the beginning of a reference, or `true`, `false`, `null`."""

    name: str


@dataclass(frozen=True, slots=True)
class Get:
    """`of.name`."""

    of: "Expression"
    name: str


@dataclass(frozen=True, slots=True)
class Index:
    """`of[key]`."""

    of: "Expression"
    key: "Expression"


@dataclass(frozen=True, slots=True)
class Splat:
    """`of[*]`."""

    of: "Expression"


@dataclass(frozen=True, slots=True)
class Call:
    """`function(arguments)`."""

    function: str
    arguments: tuple["Expression", ...]
    is_spread: bool
    """Whether the last argument is a list of arguments (`...`)."""


@dataclass(frozen=True, slots=True)
class Several:
    """A list."""

    items: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Pairs:
    """A map. A key that is a `Text` without parts put in is meant literally."""

    items: tuple[tuple["Expression", "Expression"], ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """`condition ? yes : no`."""

    condition: "Expression"
    yes: "Expression"
    no: "Expression"


@dataclass(frozen=True, slots=True)
class Operation:
    """Two operands, or one behind its operator."""

    operator: str
    left: "Expression | None"
    right: "Expression"


@dataclass(frozen=True, slots=True)
class Each:
    """`[for names in over : value if condition]`, or a map with `key => value`."""

    names: tuple[str, ...]
    over: "Expression"
    key: "Expression | None"
    value: "Expression"
    condition: "Expression | None"
    is_grouped: bool


Expression: TypeAlias = (
    Text | Number | Word | Get | Index | Splat | Call | Several | Pairs | Choice | Operation | Each
)


@dataclass(frozen=True, slots=True)
class Attribute:
    """`name = value`."""

    name: str
    value: Expression
    line: int


@dataclass(frozen=True, slots=True)
class Block:
    """`kind "label" { … }`."""

    kind: str
    labels: tuple[str, ...]
    attributes: tuple[Attribute, ...]
    blocks: tuple["Block", ...]
    line: int

    def get(self, name: str) -> Expression | None:
        """The value of an attribute; None: it has none."""
        return next((a.value for a in self.attributes if a.name == name), None)

    @property
    def address(self) -> str:
        """What it is called in diagnostics."""
        return (
            ".".join((self.kind, *self.labels))
            if self.kind != "resource"
            else ".".join(self.labels)
        )


def inner(expression: Expression) -> Iterator[Expression]:  # noqa: C901 - one case a type
    """The expressions that it is directly made of."""
    match expression:
        case Text(parts):
            yield from (part for part in parts if not isinstance(part, str))
        case Number() | Word():
            pass
        case Get(of) | Splat(of):
            yield of
        case Index(of, key):
            yield from (of, key)
        case Call(_, items) | Several(items):
            yield from items
        case Pairs(pairs):
            for pair in pairs:
                yield from pair
        case Choice(condition, yes, no):
            yield from (condition, yes, no)
        case Operation(_, left, right):
            yield from (right,) if left is None else (left, right)
        case Each(_, over, key, value, condition):
            yield from (each for each in (over, key, value, condition) if each is not None)
        case _:
            assert_never(expression)

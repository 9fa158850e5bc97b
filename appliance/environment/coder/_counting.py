"""How many a `count` or `for_each` makes, as far as one can tell on sight."""

from collections.abc import Mapping

from appliance.environment.coder._syntax import (
    Call,
    Choice,
    Each,
    Expression,
    Get,
    Number,
    Pairs,
    Several,
    Splat,
    Text,
    Word,
)

_PASSING = frozenset({"toset", "tolist", "tomap", "keys", "values", "sort", "distinct", "compact"})
"""Functions whose result has no more items than their argument."""
_DEEPEST = 20
"""Names behind names: more, and they go in a circle."""


class Counter:
    """Counts with the values of variables and locals."""

    def __init__(self, known: Mapping[str, Expression]) -> None:
        """`known` has defaults of variables and locals by address: `var.sizes`, `local.names`."""
        self._known = known

    def number(self, value: Expression, depth: int = 0) -> int | None:
        """The most that a number can be; None: cannot be told."""
        if depth > _DEEPEST:
            return None
        match value:
            case Number(text):
                return int(text) if text.isdecimal() and len(text) < 10 else None
            case Choice(_, yes, no):
                return _most(self.number(yes, depth + 1), self.number(no, depth + 1))
            case Call("length", (of,), False):
                return self.items(of, depth + 1)
            case Get(Word("var" | "local" as kind), name):
                found = self._known.get(f"{kind}.{name}")
                return None if found is None else self.number(found, depth + 1)
        return None

    def items(self, value: Expression, depth: int = 0) -> int | None:  # noqa: C901 - flat
        """How many items a list, set or map has at most; None: cannot be told."""
        if depth > _DEEPEST:
            return None
        match value:
            case Several(items) | Pairs(items):
                return len(items)
            case Choice(_, yes, no):
                return _most(self.items(yes, depth + 1), self.items(no, depth + 1))
            case Call(function, (of,), False) if function in _PASSING:
                return self.items(of, depth + 1)
            case Call("range", (end,), False):
                return self.number(end, depth + 1)
            case Call("split", (Text() as at, Text() as whole), False):
                if not at.plain or whole.plain is None:
                    return None
                return whole.plain.count(at.plain) + 1
            case Each(over=over, is_grouped=False):
                return self.items(over, depth + 1)
            case Splat(of):
                return self.items(of, depth + 1)
            case Get(Word("var" | "local" as kind), name):
                found = self._known.get(f"{kind}.{name}")
                return None if found is None else self.items(found, depth + 1)
        return None


def _most(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else max(one, other)

"""What an expression may name and call."""

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from appliance.environment.coder._syntax import (
    Call,
    Each,
    Expression,
    Get,
    Index,
    Splat,
    Word,
    inner,
)

_NUMBERS = {"abs", "ceil", "floor", "max", "min", "parseint", "range", "signum", "sum", "tonumber"}
_ADDRESSES = {"cidrhost", "cidrnetmask", "cidrsubnet"}
_TEXTS = {
    *("base64encode", "chomp", "endswith", "format", "formatlist", "indent", "join", "jsonencode"),
    *("lower", "replace", "split", "startswith", "strrev", "substr", "title", "tostring", "trim"),
    *("trimprefix", "trimspace", "trimsuffix", "upper"),
}
_COLLECTIONS = {
    *("coalesce", "coalescelist", "compact", "concat", "contains", "distinct", "element"),
    *("flatten", "index", "keys", "length", "lookup", "merge", "one", "reverse", "slice", "sort"),
    *("tolist", "tomap", "toset", "values", "zipmap"),
}
_CONDITIONS = {"alltrue", "anytrue", "can", "tobool", "try"}
FUNCTIONS = frozenset(_NUMBERS | _ADDRESSES | _TEXTS | _COLLECTIONS | _CONDITIONS)
"""Those that make values of values. None reads a file, the time, chance or the machine."""
_LITERALS = frozenset({"true", "false", "null"})
_MOST_LOOPS = 2
"""`for` within `for`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """The names that may be used at a place."""

    addresses: frozenset[str]
    """`var.name`, `local.sizes`, `practice_disk.this`, `data.practice_item.it`."""
    words: frozenset[str] = frozenset()
    """Those that stand alone: `each`, `count`, variables of loops."""
    loops: int = 0

    def with_words(self, names: Iterable[str], *, loops: int = 0) -> "Scope":
        """The same with further words."""
        return Scope(
            addresses=self.addresses, words=self.words | set(names), loops=self.loops + loops
        )

    def problems(self, value: Expression) -> Iterator[str]:
        """What it names or calls that it may not."""
        match value:
            case Word() | Get() | Index() | Splat():
                yield from self._reference(value)
            case Call(function, arguments):
                if function not in FUNCTIONS:
                    yield f"the function {function}() is not allowed{_near(function, FUNCTIONS)}"
                for each in arguments:
                    yield from self.problems(each)
            case Each(names, over, key, result, condition):
                if self.loops >= _MOST_LOOPS:
                    yield f"more than {_MOST_LOOPS} `for` within one another"
                    return
                yield from self.problems(over)
                inside = self.with_words(names, loops=1)
                for part in (key, result, condition):
                    if part is not None:
                        yield from inside.problems(part)
            case _:
                for each in inner(value):
                    yield from self.problems(each)

    def _reference(self, value: Expression) -> Iterator[str]:
        """A chain of steps from a word, or from any other value."""
        names: list[str] = []  # of the steps so far, the first one last
        while not isinstance(value, Word):
            match value:
                case Get(of, name):
                    value = of
                    names.append(name)
                case Index(of, key):
                    yield from self.problems(key)
                    value = of
                    names.clear()
                case Splat(of):
                    value = of
                    names.clear()
                case _:
                    yield from self.problems(value)
                    return
        names.append(value.name)
        if says := self._wrong(names[::-1]):
            yield says

    def _wrong(self, names: list[str]) -> str:
        """What is wrong with a reference that begins with these names."""
        first = names[0]
        if first in self.words or (first in _LITERALS and len(names) == 1):
            return ""
        wanted = ".".join(names[: 3 if first == "data" else 2])
        if wanted in self.addresses:
            return ""
        return f"there is no `{wanted}` to refer to{_near(wanted, self.addresses)}"


def _near(name: str, known: Iterable[str]) -> str:
    found = difflib.get_close_matches(name, known, n=1)
    return f"; is {found[0]} meant?" if found else ""

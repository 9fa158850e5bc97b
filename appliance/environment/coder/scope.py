"""What the texts of a configuration may name and call, and how much they stand for."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from appliance.core.jsonable import Json
from appliance.core.near import meant
from appliance.environment.coder.templates import Call, Reference, Unreadable, Value, template

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
_LITERALS = frozenset({("true",), ("false",), ("null",)})
_PASSING = frozenset({"toset", "tolist", "tomap", "keys", "values", "sort", "distinct", "compact"})
"""Functions whose result has no more items than their argument."""
_DEEPEST = 20
"""Names behind names: more, and they go in a circle."""

_Counted: TypeAlias = "Json | Value"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """The names that may be used at a place."""

    addresses: frozenset[str]
    """`var.name`, `local.sizes`, `practice_disk.this`, `data.practice_item.it`."""
    values: Mapping[str, Json]
    """Defaults of variables, and locals, by address."""
    words: frozenset[str] = frozenset()
    """Those that stand alone: `each`, `count`, the names of `dynamic` blocks."""

    def with_word(self, name: str) -> "Scope":
        """The same scope with one more name."""
        return replace(self, words=self.words | {name})

    def problems(self, value: Json) -> Iterator[str]:
        """What the texts in a value name or call that they may not; keys are texts as well."""
        for text in texts(value):
            try:
                parsed = template(text)
            except Unreadable as exc:
                yield str(exc)
                continue
            for function in parsed.functions:
                if function not in FUNCTIONS:
                    yield f"the function {function}() is not allowed{_near(function, FUNCTIONS)}"
            for reference in parsed.references:
                yield from self._wrong(reference.names)

    def wrong_addresses(self, value: Json) -> Iterator[str]:
        """What is wrong with the list of a `depends_on`: Terraform takes its texts for names."""
        for each in value if isinstance(value, list) else [None]:
            if not isinstance(each, str):
                yield "depends_on is no list of addresses"
            elif each not in self.addresses:
                yield f"there is no `{each}` to depend on{_near(each, self.addresses)}"

    def number(self, value: _Counted, depth: int = 0) -> int | None:
        """The most that a number can be; None: cannot be told."""
        match self._resolve(value, depth):
            case bool():
                return None
            case int(number) if number >= 0:
                return number
            case Call("length", (of,)):
                return self.items(of, depth + 1)
        return None

    def items(self, value: _Counted, depth: int = 0) -> int | None:
        """How many items a list, set or map has at most; None: cannot be told."""
        match self._resolve(value, depth):
            case list(items) | tuple(items) | dict(items):
                return len(items)
            case Call(function, (of,)) if function in _PASSING:
                return self.items(of, depth + 1)
            case Call("range", (end,)):
                return self.number(end, depth + 1)
        return None

    def _resolve(self, value: _Counted, depth: int) -> _Counted:
        """The value behind texts and names."""
        while depth < _DEEPEST:
            depth += 1
            match value:
                case str(text):
                    try:
                        value = template(text).value
                    except Unreadable:
                        return None
                case Reference((("var" | "local") as kind, name)):
                    value = self.values.get(f"{kind}.{name}")
                case _:
                    return value
        return None

    def _wrong(self, names: tuple[str, ...]) -> Iterator[str]:
        """What is wrong with a reference that begins with these names."""
        address = ".".join(names[: 3 if names[0] == "data" else 2])
        is_known = names[0] in self.words or names in _LITERALS or address in self.addresses
        if not is_known:
            yield f"there is no `{address}` to refer to{_near(address, self.addresses)}"


def texts(value: Json) -> Iterator[str]:
    """All texts in a value, keys among them."""
    match value:
        case str():
            yield value
        case list():
            for each in value:
                yield from texts(each)
        case dict():
            for key, each in value.items():
                yield key
                yield from texts(each)


def _near(name: str, names: Iterable[str]) -> str:
    near = meant(name, names)
    return f"; is {near} meant?" if near else ""

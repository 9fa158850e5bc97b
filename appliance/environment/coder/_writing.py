"""Writes HCL from the types of `_syntax`.

Terraform never sees a model's own text, only what is written here from what was understood of it,
so that no trick with quotation, comments or characters can mean one thing to us and another to it.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import assert_never

from appliance.environment.coder._syntax import (
    Block,
    Call,
    Choice,
    Each,
    Expression,
    Get,
    Index,
    Number,
    Operation,
    Pairs,
    Several,
    Splat,
    Text,
    Word,
)
from appliance.environment.coder._texts import escaped, is_name

_RESERVED = frozenset({"for", "true", "false", "null"})
"""Words that mean something else at the place of a key."""


def written(blocks: tuple[Block, ...]) -> str:
    """The blocks as HCL."""
    return "\n".join("".join(_block(block, "")) for block in blocks)


def _block(block: Block, indent: str) -> Iterator[str]:
    labels = "".join(f" {_quoted(label)}" for label in block.labels)
    if not block.attributes and not block.blocks:
        yield f"{indent}{block.kind}{labels} {{}}\n"
        return
    yield f"{indent}{block.kind}{labels} {{\n"
    deeper = indent + "  "
    yield from _attributes([(a.name, _top(a.value, deeper)) for a in block.attributes], deeper)
    for number, each in enumerate(block.blocks):
        if block.attributes or number:
            yield "\n"
        yield from _block(each, deeper)
    yield f"{indent}}}\n"


def _attributes(pairs: list[tuple[str, str]], indent: str) -> Iterator[str]:
    """A line each, the signs of neighbours under one another, as `terraform fmt` has it."""
    for is_long, run in groupby(pairs, key=lambda pair: "\n" in pair[1]):
        lines = list(run)
        width = 0 if is_long else max(len(name) for name, _ in lines)
        for name, value in lines:
            yield f"{indent}{name:<{width}} = {value}\n"


def _top(value: Expression, indent: str) -> str:
    """An attribute's value: without outer brackets, a map on lines of its own."""
    match value:
        case Pairs(items) if len(items) > 1:
            deeper = indent + "  "
            pairs = [(_key(k), _top(v, deeper)) for k, v in items]
            return "{\n" + "".join(_attributes(pairs, deeper)) + indent + "}"
        case Operation() | Choice():
            return as_hcl(value)[1:-1]
    return as_hcl(value)


def as_hcl(value: Expression) -> str:  # noqa: C901 - one case a type
    """An expression as HCL, on one line."""
    match value:
        case Text(parts):
            return _quoted(*parts)
        case Number(text) | Word(text):
            return text
        case Get(of, name):
            return f"{_operand(of)}.{name}"
        case Index(of, key):
            return f"{_operand(of)}[{as_hcl(key)}]"
        case Splat(of):
            return f"{_operand(of)}[*]"
        case Call(function, arguments, is_spread):
            return f"{function}({_listed(arguments)}{'...' if is_spread else ''})"
        case Several(items):
            return f"[{_listed(items)}]"
        case Pairs(pairs):
            return "{" + ", ".join(f"{_key(k)} = {as_hcl(v)}" for k, v in pairs) + "}"
        case Choice(condition, yes, no):
            return f"({as_hcl(condition)} ? {as_hcl(yes)} : {as_hcl(no)})"
        case Operation(operator, left, right):
            before = "" if left is None else f"{as_hcl(left)} "
            after = "" if left is None else " "
            return f"({before}{operator}{after}{as_hcl(right)})"
        case Each(names, over, key, result, condition, is_grouped):
            head = f"for {', '.join(names)} in {as_hcl(over)} : "
            tail = f" if {as_hcl(condition)}" if condition is not None else ""
            if key is None:
                return f"[{head}{as_hcl(result)}{tail}]"
            dots = "..." if is_grouped else ""
            return f"{{{head}{as_hcl(key)} => {as_hcl(result)}{dots}{tail}}}"
        case _:
            assert_never(value)


def _operand(value: Expression) -> str:
    """What a step follows: only references and calls go without brackets."""
    text = as_hcl(value)
    return text if isinstance(value, Word | Get | Index | Splat | Call) else f"({text})"


def _listed(values: tuple[Expression, ...]) -> str:
    return ", ".join(map(as_hcl, values))


def _key(key: Expression) -> str:
    if not isinstance(key, Text) or key.plain is None:
        return f"({as_hcl(key)})"
    return key.plain if is_name(key.plain) and key.plain not in _RESERVED else as_hcl(key)


def _quoted(*parts: str | Expression) -> str:
    return '"' + "".join(escaped(p) if isinstance(p, str) else _put_in(p) for p in parts) + '"'


def _put_in(value: Expression) -> str:
    return "${" + as_hcl(value) + "}"

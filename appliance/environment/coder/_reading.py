"""Reads HCL into the types of `_syntax`; what they cannot say is refused."""

import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

from lark import Token, Tree
from lark.exceptions import LarkError, UnexpectedInput

from appliance.environment.coder._syntax import (
    Attribute,
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
from appliance.environment.coder._texts import control, decoded, is_name
from appliance.environment.terraform.types import Diagnostic

FILE = "main.tf"
"""What a model's text is called in diagnostics."""
_MOST_CHARACTERS = 32_768
_DEEPEST = 40
"""Brackets within brackets."""
_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?")

Node: TypeAlias = "Tree[Token] | Token"


def problem(block: Block | None, summary: str, detail: str = "", line: int = 0) -> Diagnostic:
    """Something wrong with what a model wrote, and where."""
    return Diagnostic(
        severity="error",
        summary=summary,
        detail=detail,
        address=block.address if block else "",
        file=FILE,
        line=line or (block.line if block else 0),
    )


class Unreadable(Exception):
    """The text is no HCL, or says what nothing here can say."""

    def __init__(self, summary: str, detail: str = "", line: int = 0) -> None:
        super().__init__(summary)
        self.diagnostic = problem(None, summary, detail, line)


def read(text: str) -> tuple[Block, ...]:
    """The blocks of a configuration in HCL's native syntax.

    Raises:
        Unreadable: It is none, or has a construct that is refused whatever is in it.
    """
    if len(text) > _MOST_CHARACTERS:
        raise Unreadable(f"longer than {_MOST_CHARACTERS} characters", "Write less.")
    if found := control(text):
        line = text.count("\n", 0, found.start()) + 1
        raise Unreadable(f"has the control character U+{ord(found[0]):04X}", line=line)
    if _depth(text) > _DEEPEST:
        raise Unreadable(f"has more than {_DEEPEST} brackets within brackets", "Write less.")
    attributes, blocks = _body(_tree(text))
    for attribute in attributes:
        raise Unreadable(
            f"`{attribute.name}` stands outside of a block",
            "Only blocks may stand at the top.",
            attribute.line,
        )
    return blocks


def _depth(text: str) -> int:
    """At most so many brackets are open anywhere, those in texts and comments counted too."""
    deepest = depth = 0
    for character in text:
        if character in "([{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in ")]}":
            depth = max(0, depth - 1)
    return deepest


def _tree(text: str) -> Tree[Token]:
    import hcl2  # the grammar takes a moment to load

    try:
        start = hcl2.parses_to_tree(text)
    except UnexpectedInput as exc:
        lines = text.splitlines() or [""]
        line = exc.line if 0 < exc.line <= len(lines) else len(lines)
        shown = lines[line - 1].strip()
        raise Unreadable("syntax error", f"at `{shown}`", line) from exc
    except (LarkError, RecursionError) as exc:
        raise Unreadable("syntax error", str(exc).splitlines()[0]) from exc
    body = start.children[0]
    if not isinstance(body, Tree):
        raise Unreadable("syntax error")
    return body


def _body(body: Tree[Token]) -> tuple[tuple[Attribute, ...], tuple[Block, ...]]:
    attributes, blocks = [], []
    for child in _trees(body):
        match child.data:
            case "attribute":
                name, _, value = child.children
                attributes.append(Attribute(_name(name), _expression(value), child.meta.line))
            case "block":
                blocks.append(_block(child))
            case _:
                raise _refused(child)
    names = [attribute.name for attribute in attributes]
    for attribute in attributes:
        if names.count(attribute.name) > 1:
            raise Unreadable(f"`{attribute.name}` is set twice", line=attribute.line)
    return tuple(attributes), tuple(blocks)


def _block(tree: Tree[Token]) -> Block:
    children = [child for child in tree.children if not _is(child, "new_line_or_comment")]
    *head, _, body, _ = children
    assert isinstance(body, Tree)  # noqa: S101 - by the grammar
    kind, *labels = (_label(each) for each in head)
    attributes, blocks = _body(body)
    return Block(kind, tuple(labels), attributes, blocks, tree.meta.line)


def _label(node: Node) -> str:
    if not _is(node, "string"):
        return _name(node)
    plain = _text(_as_tree(node)).plain
    if plain is None or not is_name(plain):
        raise Unreadable("a label of a block is no plain name", line=_as_tree(node).meta.line)
    return plain


def _name(node: Node) -> str:
    """An identifier, or a word of the language in the place of one."""
    if isinstance(node, Token):
        raise Unreadable(f"`{node}` is no name", line=node.line or 0)
    if node.data not in ("identifier", "keyword", "literal_value"):
        raise _refused(node)
    return str(node.children[0])


def _expression(node: Node) -> Expression:
    tree = _as_tree(node)
    if read_as := _READERS.get(str(tree.data)):
        return read_as(tree)
    raise _refused(tree)


def _term(tree: Tree[Token]) -> Expression:
    parts = [c for c in tree.children if not _is(c, "new_line_or_comment")]
    if parts and parts[0] == "(":
        parts = parts[1:-1]
    (only,) = parts
    return _expression(only)


def _text(tree: Tree[Token]) -> Text:
    parts: list[str | Expression] = []
    for part in _trees(tree):
        (content,) = part.children
        if isinstance(content, Token):
            text = str(content)
            # `$${…}` and `%%{…}` stand for themselves without the first character.
            is_escaped = content.type in ("ESCAPED_INTERPOLATION", "ESCAPED_DIRECTIVE")
            try:
                parts.append(decoded(text[1:] if is_escaped else text))
            except ValueError as exc:
                raise Unreadable(str(exc), line=content.line or 0) from exc
        elif content.data == "interpolation":
            parts.append(_expression(content.children[1]))
        else:
            raise Unreadable(
                "`%{…}` in a text", "Use `for` or a condition outside of it.", content.meta.line
            )
    return Text(tuple(parts))


def _number(tree: Tree[Token]) -> Number:
    text = str(tree.children[0])
    if not _NUMBER.fullmatch(text):
        raise Unreadable(f"{text} is no number", line=tree.meta.line)
    return Number(text)


def _call(tree: Tree[Token]) -> Call:
    if any(child == "::" for child in tree.children):
        raise Unreadable("functions of providers are not allowed", line=tree.meta.line)
    arguments: tuple[Expression, ...] = ()
    is_spread = False
    for child in _trees(tree):
        if child.data == "arguments":
            is_spread = any(each == "..." for each in child.children)
            arguments = tuple(map(_expression, _trees(child)))
    return Call(_name(tree.children[0]), arguments, is_spread)


def _step(of: Expression, step: Node) -> Expression:
    tree = _as_tree(step)
    match tree.data:
        case "get_attr":
            return Get(of, _name(tree.children[1]))
        case "braces_index":
            (key,) = _trees(tree)
            return Index(of, _expression(key))
        case "short_index":
            return Index(of, Number(str(tree.children[1])))
        case "full_splat" | "attr_splat":
            result: Expression = Splat(of)
            for each in tree.children[1:]:
                result = _step(result, each)
            return result
    raise _refused(tree)


def _followed(tree: Tree[Token]) -> Expression:
    of, step = tree.children
    return _step(_expression(of), step)


def _pairs(tree: Tree[Token]) -> Pairs:
    pairs = []
    for element in _trees(tree):
        key, _, value = element.children
        pairs.append((_key(_as_tree(key)), _expression(value)))
    return Pairs(tuple(pairs))


def _key(tree: Tree[Token]) -> Expression:
    """A bare word or number is meant literally; what is computed stands in brackets."""
    (node,) = tree.children
    term = _as_tree(node)
    if term.data == "keyword":
        return Text((_name(term),))
    if term.data == "expr_term":
        if term.children[0] == "(":
            return _term(term)
        match _term(term):
            case Word(name) | Number(name):
                return Text((name,))
            case Text() as text:
                return text
    raise Unreadable("a key of a map is computed", "Put it in brackets.", tree.meta.line)


def _choice(tree: Tree[Token]) -> Choice:
    condition, yes, no = map(_expression, _trees(tree))
    return Choice(condition, yes, no)


def _binary(tree: Tree[Token]) -> Operation:
    left, term = _trees(tree)
    operator, right = _trees(term)
    return Operation(str(operator.children[0]).strip(), _expression(left), _expression(right))


def _unary(tree: Tree[Token]) -> Operation:
    operator, right = tree.children
    return Operation(str(operator).strip(), None, _expression(right))


def _each(tree: Tree[Token]) -> Each:
    intro, *rest = _trees(tree)
    *names, over = _trees(intro)
    conditions = [child for child in rest if child.data == "for_cond"]
    values = [_expression(child) for child in rest if child.data != "for_cond"]
    condition = None
    if conditions:
        (asked,) = _trees(conditions[0])
        condition = _expression(asked)
    key = values[0] if len(values) > 1 else None
    is_grouped = any(child == "..." for child in tree.children)
    return Each(tuple(map(_name, names)), _expression(over), key, values[-1], condition, is_grouped)


_READERS: dict[str, Callable[[Tree[Token]], Expression]] = {
    "expr_term": _term,
    "string": _text,
    "int_lit": _number,
    "float_lit": _number,
    "identifier": lambda tree: Word(_name(tree)),
    "literal_value": lambda tree: Word(_name(tree)),
    "function_call": _call,
    "tuple": lambda tree: Several(tuple(map(_expression, _trees(tree)))),
    "object": _pairs,
    "index_expr_term": _followed,
    "get_attr_expr_term": _followed,
    "attr_splat_expr_term": _followed,
    "full_splat_expr_term": _followed,
    "conditional": _choice,
    "binary_op": _binary,
    "unary_op": _unary,
    "for_tuple_expr": _each,
    "for_object_expr": _each,
}
"""By rule of the grammar. Heredocs and template directives are not among them, on purpose."""


def _trees(tree: Tree[Token]) -> Iterator[Tree[Token]]:
    """The children that mean something."""
    for child in tree.children:
        if isinstance(child, Tree) and child.data != "new_line_or_comment":
            yield child


def _as_tree(node: Node) -> Tree[Token]:
    if isinstance(node, Token):
        raise Unreadable("syntax error", f"at `{node}`", node.line or 0)
    return node


def _is(node: Node, rule: str) -> bool:
    return isinstance(node, Tree) and node.data == rule


def _refused(tree: Tree[Token]) -> Unreadable:
    is_heredoc = str(tree.data).startswith("heredoc")
    what = "a heredoc (`<<`)" if is_heredoc else str(tree.data).replace("_", " ")
    return Unreadable(
        f"{what} is not allowed here",
        'Write texts between quotation marks, lines ended by "\\n".' if is_heredoc else "",
        getattr(tree.meta, "line", 0),
    )

"""What a text of the configuration names and calls: Terraform takes every text for a template.

The grammar is a small part of Terraform's; whatever is not in it is refused. Terraform gets the
very text that was looked at, so nothing in it may mean one thing here and another there: letters
are ASCII, texts within expressions are plain, comments and line ends are not known.
"""

import re
from dataclasses import dataclass, field
from typing import TypeAlias

_OPENING = re.compile(r"(?<![$%])[$%]+\{")
_ESCAPED = ("$${", "%%{")
"""They stand for themselves, without the first character."""
_TOKEN = re.compile(
    r"""\ *(?:
      (?P<name>[A-Za-z_][A-Za-z0-9_-]*)
    | (?P<number>[0-9]+(?:\.[0-9]+)?)
    | (?P<text>"(?:[^"\\$%\x00-\x1f]|%(?=[-+.0-9a-z])|\\[nrt"\\])*")
    | (?P<sign>==|!=|<=|>=|&&|\|\||[-+*/%<>!?:.,()\[\]}])
    )""",
    re.VERBOSE,
)
_OPERATORS = frozenset({"==", "!=", "<=", ">=", "&&", "||", *"-+*/%<>"})
_DEEPEST = 20
"""Brackets within brackets."""
_LONGEST = 1000
"""Characters of one expression."""


class Unreadable(ValueError):
    """A text has something in it that the grammar does not know."""


@dataclass(frozen=True, slots=True)
class Reference:
    """The names that a reference begins with, up to its first index: `practice_disk.this`."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """`function(arguments)`."""

    function: str
    arguments: tuple["Value", ...]


Value: TypeAlias = "int | tuple[Value, ...] | Reference | Call | None"
"""As far as one has to count with it; None: something else."""


@dataclass(slots=True)
class Template:
    """The references and function calls in a text."""

    references: list[Reference] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)
    is_plain: bool = True
    """Whether Terraform takes it as it stands, wherever it is."""
    value: Value = None
    """Of the expression that the whole text is."""


def template(text: str) -> Template:
    """What a text names and calls; `Unreadable`: it cannot be told."""
    result = Template()
    place = 0
    while opening := _OPENING.search(text, place):
        result.is_plain = False
        place = opening.end()
        if opening[0] in _ESCAPED:
            continue
        if opening[0] != "${":
            raise Unreadable(f"`{opening[0]}` in a text is not allowed: only `${{…}}` is")
        parser = _Parser(text, place, result)
        value = parser.expression()
        parser.expect("}")
        if opening.start() == 0 and parser.place == len(text):
            result.value = value
        place = parser.place
    return result


class _Parser:
    """Reads one expression; what it names and calls is added to `result`."""

    def __init__(self, text: str, place: int, result: Template) -> None:
        self.place = place
        self._text = text
        self._last = place + _LONGEST
        self._template = result
        self._depth = 0

    def expression(self) -> Value:
        """Operands with operators between them. Which of these binds first is all one here."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise Unreadable(f"an expression has more than {_DEEPEST} brackets within brackets")
        value = self._operand()
        while self._take_if(*_OPERATORS):
            self._operand()
            value = None
        if self._take_if("?"):
            self.expression()
            self.expect(":")
            self.expression()
            value = None
        self._depth -= 1
        return value

    def expect(self, sign: str) -> None:
        """Consume a token that must come next."""
        if not self._take_if(sign):
            raise self._error()

    def _operand(self) -> Value:
        is_signed = False
        while self._take_if("-", "!"):
            is_signed = True
        value = self._term()
        is_followed = self._steps()
        return None if is_signed or is_followed else value

    def _term(self) -> Value:
        if self._take_if("("):
            value = self.expression()
            self.expect(")")
            return value
        if self._take_if("["):
            return self._read_list("]")
        token = self._token()
        if token is None or token["sign"]:
            raise self._error()
        self.place = token.end()
        if token["name"]:
            return self._read_call(token["name"])
        is_count = token["number"] and token["number"].isdecimal()
        return int(token["number"]) if is_count else None

    def _read_call(self, name: str) -> Value:
        if self._take_if("("):
            self._template.functions.append(name)
            return Call(name, self._read_list(")"))
        names = [name]
        while self._take_if("."):
            names.append(self._name())
        self._template.references.append(Reference(tuple(names)))
        return self._template.references[-1]

    def _steps(self) -> bool:
        """`.name`, `[key]` and `[*]` behind a term; whether there are any."""
        start = self.place
        while self._take_if(".", "["):
            if self._text[self.place - 1] == ".":
                self._name()
            elif not self._take_if("*"):
                self.expression()
                self.expect("]")
            else:
                self.expect("]")
        return self.place != start

    def _read_list(self, end: str) -> tuple[Value, ...]:
        items: list[Value] = []
        while not self._take_if(end):
            items.append(self.expression())
            if not self._take_if(","):
                self.expect(end)
                break
        return tuple(items)

    def _name(self) -> str:
        token = self._token()
        if token is None or not token["name"]:
            raise self._error()
        self.place = token.end()
        return token["name"]

    def _take_if(self, *signs: str) -> bool:
        token = self._token()
        if token is None or token["sign"] not in signs:
            return False
        self.place = token.end()
        return True

    def _token(self) -> re.Match[str] | None:
        return _TOKEN.match(self._text, self.place, self._last)

    def _error(self) -> Unreadable:
        rest = self._text[self.place : self.place + 20].strip()
        return Unreadable(
            f"syntax error at `{rest}`: in `${{…}}` there may be references, numbers, plain texts, "
            f"lists, operators and calls of functions, in at most {_LONGEST} characters"
        )

"""A docutils parser that accepts what Sphinx accepts: every role and directive, known or not.

Nothing global is changed: the roles and directives are found through subclasses of docutils' own
inline parser and states, not through its registries.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, TypeVar

from docutils import frontend, nodes, utils
from docutils.parsers import rst
from docutils.parsers.rst import Directive, directives, states
from docutils.parsers.rst.languages import en
from docutils.statemachine import StringList, string2lines

from appliance.documents._limits import check_paragraph, check_problems
from appliance.documents._rst_directives import directive_for
from appliance.documents._source import Source

# docutils' levels are 1 (info) to 4 (severe); above them nothing is printed and nothing raised.
_NEVER = 5

_T = TypeVar("_T")


class _Inliner(states.Inliner):
    """Keeps the text of every role and leaves its meaning to the tree walk."""

    def __init__(self, source: Source) -> None:
        super().__init__()
        self._source = source

    def parse(self, text: str, lineno: int, memo: Any, parent: nodes.Element) -> Any:  # docutils'
        """The inline nodes of a text; raises `TooMuch` if it is too long."""
        check_paragraph(text, lambda: self._source.start_of(lineno))
        return super().parse(text, lineno, memo, parent)

    def interpreted(
        self, rawsource: str, text: str, role: str, lineno: int
    ) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """One inline node that carries the role's name."""
        shown = utils.unescape(text)
        # docutils loses the raw text of a default role behind certain characters.
        quoted = f"`{utils.unescape(text, True)}`"
        raw = rawsource if quoted in rawsource else quoted
        return [nodes.inline(raw, shown, sphinx_role=(role or "").lower())], []


# docutils fills its patterns from the attributes of the class itself, not from inherited ones.
for _name, _pattern in vars(states.Inliner).items():
    if isinstance(_pattern, str) and not _name.startswith("__"):
        setattr(_Inliner, _name, _pattern)


def _constructs() -> Any:  # Any: docutils' Struct
    """The constructs that `..` can open, with our handling of directives."""
    docutils_own = states.Body.explicit
    constructs = [
        (_Tolerant.directive if method is states.Body.directive else method, pattern)
        for method, pattern in docutils_own.constructs
    ]
    return type(docutils_own)(patterns=docutils_own.patterns, constructs=constructs)


class _Tail(Sequence[_T]):
    """A view of a sequence from an index on, without copying it."""

    _items: Sequence[_T]

    def __init__(self, items: Sequence[_T], start: int) -> None:
        self._start = min(start, len(items))
        if isinstance(items, _Tail):
            self._start += items._start
            items = items._items
        self._items = items

    def __len__(self) -> int:
        return len(self._items) - self._start

    def __getitem__(self, at: Any) -> Any:  # an index, or a slice
        if isinstance(at, slice):
            start, stop, step = at.indices(len(self))
            return self._items[self._start + start : self._start + stop : step]
        if not -len(self) <= at < len(self):
            raise IndexError(at)
        return self._items[self._start + at if at >= 0 else at]


class _Lines(StringList):
    """The input lines of a state machine.

    docutils slices the remaining lines at each list and each `::`. Copying them would take time
    quadratic in their number.
    """

    data: Any  # a list, or the rest of one
    items: Any

    def __init__(self, lines: Any) -> None:  # Any: docutils' StringList, whose parent is any other
        super().__init__(parent=lines.parent, parent_offset=lines.parent_offset)
        self.data, self.items = lines.data, lines.items

    def __getitem__(self, at: Any) -> Any:  # Any: a line, or lines
        if not isinstance(at, slice):
            return self.data[at]
        if at.start is None or at.stop is not None:  # lines that may be changed
            data, items = self.data[at], self.items[at]
            return StringList(data, items=items, parent=self, parent_offset=at.start or 0)
        tail = _Lines(self)
        tail.data, tail.items = _Tail(self.data, at.start), _Tail(self.items, at.start)
        tail.parent, tail.parent_offset = self, at.start
        return tail

    def replace(self, old: str, new: str) -> None:
        """Replace in a copy: an unclosed table takes all lines and changes them."""
        self.data = list(self.data)
        super().replace(old, new)


class _States(dict[str, states.RSTState]):
    """The states of a machine, each created when it is first entered.

    docutils creates all fifteen, with their eighty transitions, for each list and each item.
    """

    def __init__(self, machine: Any, classes: Iterable[type[states.RSTState]]) -> None:  # as below
        super().__init__()
        self._machine = machine
        self._classes = {c.__name__: c for c in classes}

    def __missing__(self, name: str) -> states.RSTState:
        state = self[name] = self._classes[name](self._machine)
        if hasattr(self._machine, "memo"):  # a machine not yet running initialises states itself
            state.runtime_init()
        return state


class _Nested(states.NestedStateMachine):
    """docutils' state machine for nested content."""

    states: Any

    def add_states(self, state_classes: Any) -> None:  # Any: docutils' own
        self.states = _States(self, state_classes)

    def run(self, input_lines: Any, *args: Any, **kwargs: Any) -> Any:  # Any: docutils' own
        return super().run(_Lines(input_lines), *args, **kwargs)


class _Tolerant:
    """A docutils state with our directives and with tables that know their columns."""

    nested_sm = _Nested
    explicit: Any  # Any: docutils' Struct; set below, when there is a `directive` to put into it

    def __init__(self, state_machine: Any, debug: bool = False) -> None:  # Any: docutils' machine
        super().__init__(state_machine, debug)  # type: ignore[call-arg]
        self.nested_sm_kwargs = {"state_classes": _STATES, "initial_state": "Body"}

    def directive(self, match: Any, **presets: Any) -> Any:  # Any: docutils' own signature
        name = match.group(1)
        directive_class: type[Directive] = directive_for(name) or _docutils_directive(name)
        return self.run_directive(directive_class, match, name, presets)  # type: ignore[attr-defined]

    def build_table(self, tabledata: Any, tableline: int, *args: Any, **kwargs: Any) -> nodes.table:
        """The table, with its column widths and first line."""
        table: nodes.table = super().build_table(  # type: ignore[misc]
            tabledata, tableline, *args, **kwargs
        )
        table["widths"] = tuple(int(w) for w in tabledata[0])
        table["first_line"] = tableline
        return table


_Tolerant.explicit = _constructs()


def _docutils_directive(name: str) -> type[Directive]:
    directive_class, _ = directives.directive(name, en, None)  # type: ignore[arg-type]
    assert directive_class is not None  # noqa: S101 - `directive_for` only passes on names that docutils has
    return directive_class


def _tolerant_states() -> tuple[type[states.RSTState], ...]:
    # A cache of their own: docutils keeps finished state machines, with their states, in a class
    # attribute for everybody.
    names: dict[str, list[Any]] = {"nested_sm_cache": []}  # Any: docutils' machines
    return tuple(type(s.__name__, (_Tolerant, s), dict(names)) for s in states.state_classes)


_STATES = _tolerant_states()


class _Document(nodes.document):
    """A document tree in which titles are not registered as targets of links."""

    def note_implicit_target(
        self, target: nodes.Element, msgnode: nodes.Element | None = None
    ) -> None:
        """Do nothing: titles need no names, and making them unique takes half of the time."""


def parse_tree(source: Source) -> tuple[nodes.document, tuple[tuple[int, str], ...]]:
    """The document tree, and docutils' warnings as line and message. Prints nothing.

    Raises:
        TooMuch: A paragraph or a line of it is too long, or it is full of mistakes.
    """
    for number, line in enumerate(source.lines, 1):
        check_paragraph(line, partial(source.start_of, number))
    settings = frontend.get_default_settings(rst.Parser)
    settings.report_level = settings.halt_level = _NEVER
    settings.warning_stream = False
    settings.file_insertion_enabled = settings.raw_enabled = False
    settings.syntax_highlight = "none"
    document = _Document(settings, utils.new_reporter(source.path, settings), source=source.path)
    document.note_source(source.path, -1)
    problems: list[tuple[int, str]] = []

    def note(message: nodes.system_message) -> None:
        if message["level"] >= document.reporter.WARNING_LEVEL:
            line = message.get("line") or 1
            text = message.children[0].astext() if message.children else message.astext()
            problems.append((int(line), " ".join(text.split())))
            check_problems(problems, lambda: source.start_of(int(line)))

    document.reporter.attach_observer(note)
    machine = states.RSTStateMachine(state_classes=_STATES, initial_state="Body")
    lines = string2lines(source.plain, tab_width=settings.tab_width, convert_whitespace=True)
    machine.run(_Lines(StringList(lines, source=source.path)), document, inliner=_Inliner(source))
    return document, tuple(problems)

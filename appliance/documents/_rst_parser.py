"""docutils, made to accept what Sphinx accepts: every role and directive, known or not.

Nothing global is changed: the roles and directives are found through subclasses of docutils' own
inline parser and states, not through its registries.
"""

from functools import partial
from typing import Any

from docutils import frontend, nodes, utils
from docutils.parsers import rst
from docutils.parsers.rst import Directive, directives, states
from docutils.parsers.rst.languages import en

from appliance.documents._limits import see_paragraph
from appliance.documents._rst_directives import directive_for
from appliance.documents._source import Source

# docutils' levels are 1 (info) to 4 (severe); above them nothing is printed and nothing raised.
_NEVER = 5
# The default of docutils (10,000) makes it refuse a whole page for one long line.
_LINE_LIMIT = 1_000_000


class _Inliner(states.Inliner):
    """Keeps the text of every role and leaves its meaning to the tree walk."""

    def __init__(self, source: Source) -> None:
        super().__init__()
        self._source = source

    def parse(self, text: str, lineno: int, memo: Any, parent: nodes.Element) -> Any:  # docutils'
        """The inline nodes of a text that is not too long to be one; `TooMuch`."""
        see_paragraph(text, lambda: self._source.start_of(lineno))
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
    """What `..` can open, with our way to a directive in the place of docutils' own."""
    own = states.Body.explicit
    constructs = [
        (_Tolerant.directive if method is states.Body.directive else method, pattern)
        for method, pattern in own.constructs
    ]
    return type(own)(patterns=own.patterns, constructs=constructs)


class _Tolerant:
    """A docutils state whose directives come from us and whose tables know their columns."""

    explicit: Any  # Any: docutils' Struct; set below, when there is a `directive` to put into it

    def __init__(self, state_machine: Any, debug: bool = False) -> None:  # Any: docutils' machine
        super().__init__(state_machine, debug)  # type: ignore[call-arg]
        self.nested_sm_kwargs = {"state_classes": _STATES, "initial_state": "Body"}

    def directive(self, match: Any, **presets: Any) -> Any:  # Any: docutils' own signature
        name = match.group(1)
        found: type[Directive] = directive_for(name) or _docutils_directive(name)
        return self.run_directive(found, match, name, presets)  # type: ignore[attr-defined]

    def build_table(self, tabledata: Any, tableline: int, *args: Any, **kwargs: Any) -> nodes.table:
        """The table, with the line it starts on."""
        table: nodes.table = super().build_table(  # type: ignore[misc]
            tabledata, tableline, *args, **kwargs
        )
        table["widths"] = tuple(int(w) for w in tabledata[0])
        table["first_line"] = tableline
        return table


_Tolerant.explicit = _constructs()


def _docutils_directive(name: str) -> type[Directive]:
    found, _ = directives.directive(name, en, None)  # type: ignore[arg-type]
    assert found is not None  # noqa: S101 - `directive_for` only passes on names that docutils has
    return found


def _tolerant_states() -> tuple[type[states.RSTState], ...]:
    # A cache of their own: docutils keeps finished state machines, with their states, in a class
    # attribute for everybody.
    names: dict[str, list[Any]] = {"nested_sm_cache": []}  # Any: docutils' machines
    return tuple(type(s.__name__, (_Tolerant, s), dict(names)) for s in states.state_classes)


_STATES = _tolerant_states()


def parse_tree(source: Source) -> tuple[nodes.document, tuple[tuple[int, str], ...]]:
    """The document tree, and docutils' complaints as line and sentence. Prints nothing.

    Raises:
        TooMuch: A paragraph or a line of it is too long.
    """
    for number, line in enumerate(source.lines, 1):
        see_paragraph(line, partial(source.start_of, number))
    settings = frontend.get_default_settings(rst.Parser)
    settings.report_level = settings.halt_level = _NEVER
    settings.warning_stream = False
    settings.file_insertion_enabled = settings.raw_enabled = False
    settings.line_length_limit = _LINE_LIMIT
    settings.syntax_highlight = "none"
    document = utils.new_document(source.path, settings)
    problems: list[tuple[int, str]] = []

    def note(message: nodes.system_message) -> None:
        if message["level"] >= document.reporter.WARNING_LEVEL:
            line = message.get("line") or 1
            said = message.children[0].astext() if message.children else message.astext()
            problems.append((int(line), " ".join(said.split())))

    document.reporter.attach_observer(note)
    parser = rst.Parser(inliner=_Inliner(source))
    parser.state_classes = _STATES
    parser.parse(source.plain, document)
    return document, tuple(problems)

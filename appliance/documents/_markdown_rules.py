"""Block rules for what MkDocs, MDX, MDC and their like add to Markdown: notes, tabs, steps."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

# The indentation of a block below `!!! note`, `??? note` or `=== "Tab"`.
_INDENT = 4
_OPENING = re.compile(
    r"(?P<marker>!!!|\?\?\?\+?|===[!+]?)[ \t]+(?P<kind>[\w-]+(?:[ \t]+[\w-]+)*)?[ \t]*"
    r"(?:\"(?P<title>.*)\")?[ \t]*$"
)
_COLONS = re.compile(
    r"(?P<marker>:{3,}|:{2}(?=[a-z][\w-]*(?:\[[^\]]*\])?(?:\{.*\})?[ \t]*$)"
    r"|`{3,}(?=\{(?:note|tip|hint|important|warning|caution|attention|danger|seealso"
    r"|admonition|tab-item)\}))[ \t]*\{?(?P<kind>[A-Za-z][\w-]*)\}?[ \t]*(?P<title>.*)$",
    re.I,
)
_PROPERTIES = re.compile(r"-{3,}[ \t]*$")
"""What stands around the properties of a component in MDC, just below its opening line."""
_COMPONENT = re.compile(r"<(?P<kind>[A-Z][a-z]\w*)(?P<attributes>(?:\s[^<>]*)?)>[ \t]*$")
_BEGINS = re.compile(r"<[A-Z][a-z]\w*(?:\s[^<>]*)?$")
_OPENS = re.compile(r"<(?P<kind>[A-Z][a-z]\w*)(?=[\s>]|$)")
_CLOSES = re.compile(r"</(?P<kind>[A-Z][a-z]\w*)>")
_FOLDS = re.compile(r"<details(?:\s[^<>]*)?>")
_FOLD = re.compile(r"</?details\b")
_FOLDED = "folded"
_SUMMARY = re.compile(r"<summary>(?P<title>.+?)</summary>[ \t]*$")
_TAG = re.compile(r"<[^<>]*>")
_PAIRS = "components"
"""Key under which the lines of components are kept while a document is parsed."""
_MOST_LINES = 10
"""Most lines of a component's opening tag."""
_TITLES = tuple(
    re.compile(rf"\b(?:{names})=\{{?[\"'](?P<title>[^\"'\n]+)")
    for names in ("label|title", "value|name")
)
_COMPONENTS = {
    **dict.fromkeys(("tab", "tabitem", "tabpanel"), "tab"),
    **dict.fromkeys(("step",), "step"),
    **dict.fromkeys(
        ("note", "tip", "info", "warning", "caution", "danger", "callout", "aside", "admonition"),
        "admonition",
    ),
    **dict.fromkeys(("accordion", "details", "expandable"), "admonition"),
}
"""Token by component name; any other component only shows its content."""
_ARRANGES = frozenset(
    (
        "tabs",
        "tab-group",
        "steps",
        "code-group",
        "code-tabs",
        "card",
        "cards",
        "card-group",
        "columns",
    )
)
"""Blocks between colons that stand for no note."""


def mkdocs_plugin(parser: MarkdownIt) -> None:
    """Add the rules to a parser."""
    options = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    parser.block.ruler.before("fence", "mkdocs", _indented, options)  # type: ignore[arg-type]
    parser.block.ruler.before("fence", "colons", _fenced, options)  # type: ignore[arg-type]
    parser.block.ruler.before("html_block", "component", _component, options)  # type: ignore[arg-type]
    parser.block.ruler.before("html_block", "details", _details, options)  # type: ignore[arg-type]


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]


def _indented(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`!!! note "Title"`, `??? note`, `=== "Tab"` with everything indented below."""
    if state.is_code_block(start):
        return False
    match = _OPENING.match(_line(state, start))
    is_tab = match is not None and match["marker"].startswith("===")
    if match is None or not (match["title"] if is_tab else match["kind"] or match["title"]):
        return False
    if silent:
        return True
    indent = state.sCount[start] + _INDENT
    stop = start + 1
    while stop < end and (state.isEmpty(stop) or state.sCount[stop] >= indent):
        stop += 1
    kind = "tab" if is_tab else (match["kind"] or "note").split()[0].lower()
    name = "tab" if is_tab else "admonition"
    outer, inner = (start, stop), (start + 1, stop)
    _push(state, outer, inner, indent, _Heading(name, kind, match["title"] or ""))
    state.line = stop
    return True


def _fenced(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`:::note Title`, MDC's `::note{title="…"}`, or MyST's ```` ```{note} ````, up to its like."""
    if state.is_code_block(start):
        return False
    match = _COLONS.match(_line(state, start))
    if match is None:
        return False
    marker = match["marker"]
    closing_line = _closing_fence(state, marker, start + 1, end)
    if closing_line is None and marker == "::":
        return False
    if silent:
        return True
    stop = end if closing_line is None else closing_line
    kind, title = match["kind"].lower(), match["title"].strip()
    if title.startswith("{"):
        named = (pattern.search(title) for pattern in _TITLES)
        title = next((name["title"] for name in named if name), "")
    first = _below_properties(state, start + 1, stop) if marker.startswith(":") else start + 1
    name = _COMPONENTS.get(
        kind, "component" if marker == "::" or kind in _ARRANGES else "admonition"
    )
    _push(
        state,
        (start, stop),
        (first, stop),
        state.sCount[start],
        _Heading(name, kind, title.strip(" []")),
    )
    state.line = min(stop + 1, end)
    return True


def _closing_fence(state: StateBlock, marker: str, first: int, end: int) -> int | None:
    """The line that is the marker alone, past those of blocks of the same marker within."""
    depth = 1
    for number in range(first, end):
        text = _line(state, number).strip()
        if text == marker:
            depth -= 1
        elif marker.startswith(":") and (inner := _COLONS.match(text)):
            depth += inner["marker"] == marker
        if depth == 0:
            return number
    return None


def _below_properties(state: StateBlock, first: int, stop: int) -> int:
    """The first line of a component's content."""
    if first >= stop or not _PROPERTIES.match(_line(state, first)):
        return first
    ends = (n for n in range(first + 1, stop) if _PROPERTIES.match(_line(state, n)))
    return next(ends, first - 1) + 1


def _component(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`<Step title="…">` up to `</Step>`, each on lines of its own, as in MDX."""
    if state.is_code_block(start):
        return False
    first, opening = start, _line(state, start)
    while _BEGINS.match(opening) and first + 1 < min(end, start + _MOST_LINES):
        first += 1
        opening = f"{opening} {_line(state, first).strip()}"
    match = _COMPONENT.match(opening)
    closing_line = _closing_line(state, first + 1, end) if match else None
    if match is None or closing_line is None or match["attributes"].endswith("/"):
        return False
    if silent:
        return True
    filled = (line for line in range(first + 1, closing_line) if not state.isEmpty(line))
    indent = min((state.sCount[line] for line in filled), default=0)
    title_matches = (title.search(match["attributes"]) for title in _TITLES)
    title = next((title_match["title"] for title_match in title_matches if title_match), "")
    kind = match["kind"].lower()
    name = _COMPONENTS.get(kind, "component")
    _push(
        state,
        (start, closing_line + 1),
        (first + 1, closing_line),
        indent,
        _Heading(name, kind, title),
    )
    state.line = closing_line + 1
    return True


def _details(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`<details>` with its `<summary>`, up to `</details>`; Markdown stands in it."""
    if state.is_code_block(start) or not _FOLDS.match(_line(state, start)):
        return False
    summary_line = next(
        (n for n in range(start, min(end, start + 3)) if _SUMMARY.search(_line(state, n))), None
    )
    if summary_line is None:
        return False
    folds = state.env.get(_FOLDED)
    if folds is None:
        folds = state.env[_FOLDED] = _pair_details(state.src.split("\n"))
    closing_line = folds.get(start, end)
    match = _SUMMARY.search(_line(state, summary_line))
    if match is None or not summary_line < closing_line < end:
        return False
    if silent:
        return True
    title = _TAG.sub("", match["title"]).strip()
    indent = state.sCount[start]
    _push(
        state,
        (summary_line, closing_line + 1),
        (summary_line + 1, closing_line),
        indent,
        _Heading("admonition", "details", title),
    )
    state.line = closing_line + 1
    return True


def _pair_details(lines: Sequence[str]) -> dict[int, int]:
    """Map each line that opens `<details>` to the line that closes it."""
    open_lines: list[int] = []
    pairs = dict[int, int]()
    for number, line in enumerate(lines):
        for tag in _FOLD.findall(line):
            if not tag.startswith("</"):
                open_lines.append(number)
            elif open_lines:
                pairs[open_lines.pop()] = number
    return pairs


def _closing_line(state: StateBlock, first: int, end: int) -> int | None:
    """The line that closes the component opened just before `first`."""
    pairs = state.env.get(_PAIRS)
    if pairs is None:
        pairs = state.env[_PAIRS] = _pair_components(state.src.split("\n"))
    closing: int | None = pairs.get(first - 1)
    return closing if closing is not None and first <= closing < end else None


def _pair_components(lines: Sequence[str]) -> dict[int, int]:
    """Map each line that opens a component to the line that closes it."""
    open_lines: dict[str, list[int]] = {}
    pairs = dict[int, int]()
    opening: str | None = None
    for number, line in enumerate(lines):
        text = line.strip(" \t>") + ">" if line.rstrip().endswith(">") else line.strip(" \t>")
        if closing := _CLOSES.fullmatch(text):
            if starts := open_lines.get(closing["kind"]):
                pairs[starts.pop()] = number
            continue
        if opens := _OPENS.match(text):
            opening = opens["kind"]
        if opening is not None and text.endswith(">"):
            if not text.endswith("/>"):
                open_lines.setdefault(opening, []).append(number)
            opening = None
    return pairs


class _Heading(NamedTuple):
    """Token name, kind and title of a block."""

    name: str
    kind: str
    title: str


def _push(
    state: StateBlock, outer: tuple[int, int], inner: tuple[int, int], indent: int, head: _Heading
) -> None:
    token = state.push(f"{head.name}_open", "div", 1)
    token.map = list(outer)
    token.info, token.content, token.block = head.kind, head.title, True
    saved = state.parentType, state.lineMax, state.blkIndent
    state.parentType, state.lineMax, state.blkIndent = "admonition", inner[1], indent
    state.md.block.tokenize(state, *inner)
    state.parentType, state.lineMax, state.blkIndent = saved
    state.push(f"{head.name}_close", "div", -1).block = True

"""Block rules for what MkDocs and its like add to Markdown: admonitions, collapsibles and tabs."""

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

# The indentation of a block below `!!! note`, `??? note` or `=== "Tab"`.
_INDENT = 4
_OPENING = re.compile(
    r"(?P<marker>!!!|\?\?\?\+?|===[!+]?)[ \t]+(?P<kind>[\w-]+(?:[ \t]+[\w-]+)*)?[ \t]*"
    r"(?:\"(?P<title>.*)\")?[ \t]*$"
)
_COLONS = re.compile(
    r"(?P<marker>:{3,}|`{3,}(?=\{(?:note|tip|hint|important|warning|caution|attention|danger|seealso"
    r"|admonition|tab-item)\}))[ \t]*\{?(?P<kind>[A-Za-z][\w-]*)\}?[ \t]*(?P<title>.*)$",
    re.I,
)


def mkdocs_plugin(parser: MarkdownIt) -> None:
    """Add the rules to a parser."""
    options = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    parser.block.ruler.before("fence", "mkdocs", _indented, options)  # type: ignore[arg-type]
    parser.block.ruler.before("fence", "colons", _fenced, options)  # type: ignore[arg-type]


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
    behind = start + 1
    while behind < end and (state.isEmpty(behind) or state.sCount[behind] >= indent):
        behind += 1
    kind = "tab" if is_tab else (match["kind"] or "note").split()[0].lower()
    _push(state, (start, behind), (start + 1, behind), indent, kind, match["title"] or "")
    state.line = behind
    return True


def _fenced(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`:::note Title`, or MyST's ```` ```{note} ````, up to the next `:::` or fence."""
    if state.is_code_block(start):
        return False
    match = _COLONS.match(_line(state, start))
    if match is None:
        return False
    if silent:
        return True
    behind = start + 1
    depth = 1
    marker = match["marker"] if match["marker"].startswith("`") else ""
    while behind < end:
        text = _line(state, behind).strip()
        if marker and text == marker:
            break
        depth += bool(_COLONS.match(text)) - bool(re.fullmatch(r":{3,}", text))
        if depth == 0:
            break
        behind += 1
    title = match["title"].strip(" []")
    inner = (start + 1, behind)
    _push(state, (start, behind), inner, state.sCount[start], match["kind"].lower(), title)
    state.line = min(behind + 1, end)
    return True


def _push(
    state: StateBlock,
    outer: tuple[int, int],
    inner: tuple[int, int],
    indent: int,
    kind: str,
    title: str,
) -> None:
    name = "tab" if kind == "tab" else "admonition"
    token = state.push(f"{name}_open", "div", 1)
    token.map = list(outer)
    token.info, token.content, token.block = kind, title, True
    kept = state.parentType, state.lineMax, state.blkIndent
    state.parentType, state.lineMax, state.blkIndent = "admonition", inner[1], indent
    state.md.block.tokenize(state, *inner)
    state.parentType, state.lineMax, state.blkIndent = kept
    state.push(f"{name}_close", "div", -1).block = True

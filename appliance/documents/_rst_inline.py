"""The inline markup of reStructuredText: text with marks and the place of every character."""

import re

from docutils import nodes, utils

from appliance.core.procedure import InlineRole
from appliance.documents._align import Raw, align, locate
from appliance.documents._marks import interpret
from appliance.documents._source import Source
from appliance.documents._text import RichText, TextBuilder

Columns = tuple[int, int]

_OPENING = re.compile(r"(?::[\w:+.-]+:)?[`*_|]*")
TITLE_AND_TARGET = re.compile(r"(?s)(?P<title>.+?)\s*<(?P<target>[^<>]+)>$")
ROLES = {
    "guilabel": InlineRole.UI_LABEL,
    "uilabel": InlineRole.UI_LABEL,
    "gui": InlineRole.UI_LABEL,
    "button": InlineRole.UI_LABEL,
    "menuselection": InlineRole.MENU_PATH,
    "kbd": InlineRole.KEY,
    "command": InlineRole.COMMAND,
    "program": InlineRole.COMMAND,
    "strong": InlineRole.UI_LABEL,
    "emphasis": InlineRole.EMPHASIS,
    "dfn": InlineRole.EMPHASIS,
    "": InlineRole.EMPHASIS,
    "title-reference": InlineRole.EMPHASIS,
    **dict.fromkeys(
        ("file", "samp", "code", "literal", "option", "envvar", "mimetype", "regexp", "makevar"),
        InlineRole.LITERAL,
    ),
    **dict.fromkeys(("ref", "doc", "numref", "any", "download", "term", "xref"), InlineRole.LINK),
}
_NODES: tuple[tuple[type[nodes.Element], InlineRole], ...] = (
    (nodes.strong, InlineRole.UI_LABEL),
    (nodes.emphasis, InlineRole.EMPHASIS),
    (nodes.literal, InlineRole.LITERAL),
    (nodes.reference, InlineRole.LINK),
)
_ACCELERATED = (InlineRole.UI_LABEL, InlineRole.MENU_PATH)


class RstInline:
    """Builds `RichText` from docutils' text elements."""

    def __init__(self, source: Source, tree: nodes.document) -> None:
        self._source = source
        self._substitutions = {name: node.astext() for name, node in tree.substitution_defs.items()}
        self._pictures = {
            name: image
            for name, node in tree.substitution_defs.items()
            for image in node.children
            if isinstance(image, nodes.image)
        }

    def picture(self, element: nodes.Element) -> nodes.image | None:
        """The picture if the paragraph is just a reference to one: `|Overview|`."""
        parts = [part for part in element.children if part.astext().strip()]
        name = parts[0].astext() if len(parts) == 1 else ""
        is_named = name and isinstance(parts[0], nodes.substitution_reference)
        return self._pictures.get(name) if is_named else None

    def plain(self, text: str, line: int) -> RichText:
        """Text without markup that stands on a line, or just after it."""
        builder = TextBuilder()
        builder.add(text, locate(self._source, text, line).offsets)
        return interpret(builder.build())

    def text(self, element: nodes.Element, line: int, columns: Columns | None) -> RichText:
        """The text of a paragraph, title or term that starts on `line`."""
        raw_text = element.rawsource or element.astext()
        raw = locate(self._source, raw_text, line, columns)
        builder = TextBuilder()
        position = 0
        for child in element.children:
            position = self._child(child, raw, position, builder)
        return interpret(builder.build())

    def _child(self, child: nodes.Node, raw: Raw, position: int, builder: TextBuilder) -> int:
        if isinstance(child, nodes.Text):
            # In terms, docutils leaves its own marks of escapes in the text.
            shown = utils.unescape(str(child))
            indices, position = align(shown, raw.text, position)
            builder.add(shown, [raw.place(i) for i in indices])
            return position
        if not isinstance(child, nodes.Element) or isinstance(child, nodes.target):
            return position
        start = raw.text.find(child.rawsource, position) if child.rawsource else position
        start = max(start, position)
        self._marked(child, raw, start, builder)
        return max(position, start + len(child.rawsource)) if child.rawsource else position

    def _marked(self, node: nodes.Element, raw: Raw, start: int, builder: TextBuilder) -> None:
        inner = start + _opening_length(node)
        before = builder.length
        shown, target, role = self._meaning(node)
        if isinstance(node, nodes.substitution_reference):
            indices = [start] * len(shown)  # from its first bar to its last
            indices[1:] = [*indices[2:], start + len(node.rawsource) - 1] if len(shown) > 1 else []
        else:
            indices, _ = align(shown, raw.text, inner)
        pairs = list(zip(shown, indices, strict=True))
        if role in _ACCELERATED and "sphinx_role" in node:
            pairs = _without_accelerators(pairs)
        builder.add("".join(c for c, _ in pairs), [raw.place(i) for _, i in pairs])
        if role is not None:
            builder.mark(role, before, target)

    def _meaning(self, node: nodes.Element) -> tuple[str, str | None, InlineRole | None]:
        shown = node.astext()
        if isinstance(node, nodes.substitution_reference):
            return self._substitutions.get(shown, shown), None, None
        if "sphinx_role" not in node:
            role = next((r for kind, r in _NODES if isinstance(node, kind)), None)
            target = node.get("refuri") or node.get("refname")
            return shown, str(target) if target else None, role
        name = str(node["sphinx_role"]).rpartition(":")[2]
        role = ROLES.get(name)
        if role is not InlineRole.LINK:
            return shown, None, role
        titled = TITLE_AND_TARGET.match(shown)
        if titled:
            return titled["title"], titled["target"], role
        return shown.lstrip("~!"), shown.lstrip("~!"), role


def _opening_length(node: nodes.Element) -> int:
    """Length of the opening characters of a piece of markup."""
    match node:
        case nodes.problematic():
            return 0
        case nodes.literal() | nodes.strong():
            return 2
        case nodes.emphasis():
            return 1
    opening = _OPENING.match(node.rawsource)
    return opening.end() if opening else 0


def _without_accelerators(pairs: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Sphinx shows `&File` as an underlined F, and `&&` as an ampersand."""
    result = []
    index = 0
    while index < len(pairs):
        if pairs[index][0] == "&" and index + 1 < len(pairs) and not pairs[index + 1][0].isspace():
            index += 1
        result.append(pairs[index])
        index += 1
    return result

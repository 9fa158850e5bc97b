"""Parse Markdown with markdown-it-py: CommonMark, tables, and MkDocs and GitHub extensions."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby, pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.front_matter import front_matter_plugin

from appliance.documents._blocks import (
    Admonition,
    Block,
    BulletList,
    Cell,
    CodeBlock,
    Comment,
    Definition,
    DefinitionList,
    FigureBlock,
    Heading,
    Item,
    OrderedList,
    Paragraph,
    Parsed,
    Quote,
    Tab,
    Table,
    Tabs,
    extent,
)
from appliance.documents._limits import TooMuch, check_cells, check_paragraph
from appliance.documents._markdown_inline import MarkdownInline
from appliance.documents._markdown_rules import mkdocs_plugin
from appliance.documents._source import Source
from appliance.documents._text import RichText
from appliance.documents.html import parse_fragment
from appliance.system.yaml import YamlError, load

_ALERT = re.compile(r"\[!(?P<kind>[A-Za-z]+)\][+-]?[ \t]*")
_COMMENT = re.compile(r"<!--(?P<text>.*?)-->", re.S)
_ATTRIBUTES = re.compile(r"\s*\{:?\s*[#.][^{}]*\}$")
_LEAVES = ("paragraph_open", "heading_open", "dt_open")
_SHORTCODE = re.compile(
    r"\{\{[<%].*[>%]\}\}|\{%.*%\}|:::.*|::?[a-z][\w-]*(?:\[[^\]]*\])?(?:\{.*\})?"
)


def parse_markdown(source: Source) -> Parsed:
    """The blocks of a Markdown document."""
    parser = MarkdownIt("commonmark").enable("table")
    parser.use(front_matter_plugin).use(deflist_plugin).use(mkdocs_plugin)
    parser.core.ruler.before(
        "inline", "paragraphs", lambda state: _check_paragraphs(state.tokens, source)
    )
    tokens = parser.parse(source.text)
    _check_depth(tokens, parser.options["maxNesting"], source)
    tree = SyntaxTreeNode(tokens)
    walk = _Walk(source)
    blocks = walk.blocks(tree.children)
    return Parsed(
        blocks=tuple(blocks),
        title=walk.title,
        comments=tuple(walk.comments),
        problems=tuple(walk.problems),
    )


def _check_paragraphs(tokens: Sequence[Token], source: Source) -> None:
    """Raise `TooMuch` for a paragraph that is too long, before its text is parsed."""
    for token in tokens:
        if token.type == "inline":
            check_paragraph(token.content, partial(source.start_of, (token.map or [0])[0] + 1))


def _check_depth(tokens: Sequence[Token], max_nesting: int, source: Source) -> None:
    """Raise `TooMuch` where the parser would silently drop content nested too deeply."""
    for token in tokens:
        if token.nesting == 1 and token.level + 1 >= max_nesting and token.type not in _LEAVES:
            raise TooMuch(
                source.start_of((token.map or [0])[0] + 1),
                f"nested too deeply: at most {max_nesting // 2} lists in each other are read",
            )


class _Walk:
    """Turns markdown-it's tree into blocks."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._inline = MarkdownInline(source)
        self.comments: list[Comment] = []
        self.problems: list[str] = []
        self.title = ""
        self._readers: dict[str, Callable[[SyntaxTreeNode], list[Block]]] = {
            "heading": self._heading,
            "paragraph": self._paragraph,
            "bullet_list": self._list,
            "ordered_list": self._list,
            "dl": self._definitions,
            "table": self._table,
            "fence": self._code,
            "code_block": self._code,
            "admonition": self._admonition,
            "blockquote": self._quote,
            "html_block": self._html,
        }

    def blocks(self, children: Sequence[SyntaxTreeNode]) -> list[Block]:
        result: list[Block] = []
        for kind, nodes in groupby(children, lambda node: node.type):
            match kind:
                case "tab":
                    result += _tabs([self._tab(node) for node in nodes])
                case "step":
                    result += _steps([self._step(node) for node in nodes])
                case "component":
                    result += (b for node in nodes for b in self.blocks(node.children))
                case _:
                    result += (b for node in nodes for b in self._block(node))
        return result

    def _block(self, node: SyntaxTreeNode) -> list[Block]:
        if node.type == "front_matter":
            self._front_matter(node)
            return []
        read = self._readers.get(node.type)
        return read(node) if read is not None else []

    def _range(self, node: SyntaxTreeNode) -> tuple[int, int]:
        first, end_line = node.map or (0, 1)
        last = end_line
        while last > first + 1 and not self._source.line(last).strip():
            last -= 1
        return self._source.start_of(first + 1), self._source.end_of(last)

    def _heading(self, node: SyntaxTreeNode) -> list[Block]:
        text = self._text(node)
        attributes = _ATTRIBUTES.search(text.text)
        text = text.cut(0, attributes.start()) if attributes else text
        if not text.text:
            return []
        level = int(node.tag[1:])
        return [Heading(text=text, level=level, start=text.start, end=text.end)]

    def _text(self, node: SyntaxTreeNode) -> RichText:
        inline = next((c for c in node.children if c.type == "inline"), None)
        if inline is None:
            return RichText("", ())
        line = (inline.map or node.map or (0, 1))[0] + 1
        return self._inline.text(inline, line)

    def _paragraph(self, node: SyntaxTreeNode) -> list[Block]:
        inline = node.children[0] if node.children else None
        images = [c for c in inline.children if c.type == "image"] if inline else []
        text = self._text(node)
        start, end = self._range(node)
        figures: list[Block] = [
            FigureBlock(target=str(i.attrs.get("src", "")), caption=i.content, start=start, end=end)
            for i in images
        ]
        if not text.text or _SHORTCODE.fullmatch(text.text):
            return figures
        return [Paragraph(text=text, start=text.start, end=text.end), *figures]

    def _list(self, node: SyntaxTreeNode) -> list[Block]:
        items = []
        for child in node.children:
            blocks = tuple(self.blocks(child.children))
            start, end = extent(blocks, self._range(child)[0])
            items.append(Item(blocks=blocks, start=start, end=end))
        start, end = extent(items, self._range(node)[0])
        if node.type == "bullet_list":
            return [BulletList(items=tuple(items), start=start, end=end)]
        first = int(node.attrs.get("start", 1))
        return [OrderedList(items=tuple(items), first=first, start=start, end=end)]

    def _definitions(self, node: SyntaxTreeNode) -> list[Block]:
        items: list[Definition] = []
        for child in node.children:
            if child.type == "dt":
                term = self._text(child)
                if term.text:
                    items.append(
                        Definition(terms=(term,), blocks=(), start=term.start, end=term.end)
                    )
            elif items:
                last = items.pop()
                more = self.blocks(child.children)
                end = max(last.end, extent(more, last.end)[1])
                blocks = (*last.blocks, *more)
                items.append(Definition(terms=last.terms, blocks=blocks, start=last.start, end=end))
        if not items:
            return []
        start, end = extent(items, 0)
        return [DefinitionList(items=tuple(items), start=start, end=end)]

    def _table(self, node: SyntaxTreeNode) -> list[Block]:
        header: tuple[str, ...] = ()
        rows = []
        count = 0
        for part in node.children:
            for row in part.children:
                count += len(row.children)
                check_cells(count, lambda: self._range(node)[0])
                cells = self._row(row)
                if part.type == "thead":
                    header = tuple(t.text for t in cells)
                else:
                    rows.append(tuple(_cell(t) for t in cells))
        if not rows:
            return []
        start, end = self._range(node)
        return [Table(header=header, rows=tuple(rows), start=start, end=end)]

    def _row(self, row: SyntaxTreeNode) -> list[RichText]:
        line = (row.map or (0, 1))[0] + 1
        ranges = _cell_ranges(self._source.line(line))
        texts = []
        for index, cell in enumerate(row.children):
            inline = next((c for c in cell.children if c.type == "inline"), None)
            columns = ranges[index] if index < len(ranges) else None
            texts.append(self._inline.text(inline, line, columns) if inline else RichText("", ()))
        return texts

    def _code(self, node: SyntaxTreeNode) -> list[Block]:
        start, end = self._range(node)
        language = node.info.split(maxsplit=1)[0] if node.info.strip() else ""
        return [CodeBlock(text=node.content, language=language, start=start, end=end)]

    def _admonition(self, node: SyntaxTreeNode) -> list[Block]:
        blocks = tuple(self.blocks(node.children))
        start, end = self._range(node)
        line = (node.map or (0, 1))[0] + 1
        title = self._inline.plain(node.content, line) if node.content else None
        return [Admonition(kind=node.info, title=title, blocks=blocks, start=start, end=end)]

    def _tab(self, node: SyntaxTreeNode) -> Tab:
        start, end = self._range(node)
        title = self._inline.plain(node.content, (node.map or (0, 1))[0] + 1)
        return Tab(title=title, blocks=tuple(self.blocks(node.children)), start=start, end=end)

    def _step(self, node: SyntaxTreeNode) -> Item:
        start, end = self._range(node)
        title = self._inline.plain(node.content, (node.map or (0, 1))[0] + 1)
        blocks = tuple(self.blocks(node.children))
        return Item(title=title if title.text else None, blocks=blocks, start=start, end=end)

    def _quote(self, node: SyntaxTreeNode) -> list[Block]:
        blocks = self.blocks(node.children)
        if not blocks:
            return []
        start, end = extent(blocks, 0)
        first = blocks[0]
        alert = _ALERT.match(first.text.text) if isinstance(first, Paragraph) else None
        if alert is None or not isinstance(first, Paragraph):
            return [Quote(blocks=tuple(blocks), start=start, end=end)]
        rest = first.text.cut(alert.end())
        body = [Paragraph(text=rest, start=rest.start, end=rest.end)] if rest.text else []
        kind = alert["kind"].lower()
        return [
            Admonition(kind=kind, title=None, blocks=(*body, *blocks[1:]), start=start, end=end)
        ]

    def _html(self, node: SyntaxTreeNode) -> list[Block]:
        start, end = self._range(node)
        raw = self._source.text[start:end]
        for match in _COMMENT.finditer(raw, 0, raw.rfind("-->") + 3):
            self.comments.append(Comment(text=match["text"], start=start + match.start("text")))
        return list(parse_fragment(self._source, start, end))

    def _front_matter(self, node: SyntaxTreeNode) -> None:
        try:
            data = load(node.content)
        except YamlError as error:
            self.problems.append(
                f"{self._source.path}:{error.line + 1}: front matter: {error.says}"
            )
            return
        title = data.get("title") if isinstance(data, dict) else None
        self.title = " ".join(str(title).split()) if title else ""


def _tabs(tabs: Sequence[Tab]) -> list[Block]:
    if not tabs:
        return []
    start, end = extent(tabs, 0)
    return [Tabs(tabs=tuple(tabs), start=start, end=end)]


def _steps(items: Sequence[Item]) -> list[Block]:
    items = tuple(item for item in items if item.blocks or item.title)
    if not items:
        return []
    start, end = extent(items, 0)
    return [OrderedList(items=items, first=1, start=start, end=end)]


def _cell(text: RichText) -> Cell:
    if not text.text:
        return Cell(blocks=())
    return Cell(blocks=(Paragraph(text=text, start=text.start, end=text.end),))


def _cell_ranges(line: str) -> list[tuple[int, int]]:
    """The 0-based columns of a row's cells; a pipe behind a backslash separates nothing."""
    pipes = [m.start() for m in re.finditer(r"(?<!\\)\|", line)]
    edges = [-1, *pipes, len(line)]
    ranges = [(a + 1, b) for a, b in pairwise(edges)]
    return ranges if line[: ranges[0][1]].strip() else ranges[1:]

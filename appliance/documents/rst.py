"""reStructuredText to blocks, with docutils."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from docutils import nodes

from appliance.core.procedure import InlineRole
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
    paragraphs,
)
from appliance.documents._limits import Depth, check_cells
from appliance.documents._rst_inline import Columns, RstInline
from appliance.documents._rst_parser import parse_tree
from appliance.documents._source import Source
from appliance.documents._text import Mark

_Kinds = tuple[type[nodes.Element], ...]
_UNREAD = (nodes.system_message, nodes.substitution_definition, nodes.footnote, nodes.citation)


def parse_rst(source: Source) -> Parsed:
    """The blocks of a reStructuredText document."""
    tree, complaints = parse_tree(source)
    walk = _Walk(source, RstInline(source, tree))
    blocks = walk.blocks(tree.children, level=0)
    problems = tuple(f"{source.path}:{line}: {text}" for line, text in sorted(complaints))
    return Parsed(blocks=tuple(blocks), comments=tuple(walk.comments), problems=problems)


class _Walk:
    """Turns the doctree into blocks, in reading order."""

    def __init__(self, source: Source, inline: RstInline) -> None:
        self._source = source
        self._inline = inline
        self._columns: Columns | None = None
        self._depth = Depth()
        self.comments: list[Comment] = []
        self._readers: tuple[tuple[_Kinds, Callable[[nodes.Element], list[Block]]], ...] = (
            ((nodes.paragraph, nodes.rubric, nodes.line), self._paragraph),
            ((nodes.bullet_list, nodes.enumerated_list), self._list),
            ((nodes.definition_list, nodes.field_list), self._definitions),
            ((nodes.table,), self._table),
            ((nodes.admonition,), self._admonition),
            ((nodes.literal_block, nodes.doctest_block), self._code),
            ((nodes.figure,), self._figure),
            ((nodes.block_quote,), self._quote),
        )

    def blocks(self, children: Iterable[nodes.Node], level: int) -> list[Block]:
        result: list[Block] = []
        children = list(children)
        with self._depth.below(lambda: self._here(children[0]) if children else 0):
            for node in children:
                if isinstance(node, nodes.section):
                    result += self.blocks(node.children, level + 1)
                elif isinstance(node, nodes.title):
                    result += self._heading(node, level)
                else:
                    result += self._block(node, level)
        return result

    def _block(self, node: nodes.Node, level: int) -> list[Block]:
        if isinstance(node, nodes.comment):
            self._comment(node)
            return []
        if not isinstance(node, nodes.Element) or isinstance(node, _UNREAD):
            return []
        if node.get("tabs"):
            return self._tabs(node)
        for kinds, read in self._readers:
            if isinstance(node, kinds):
                return read(node)
        return [] if isinstance(node, nodes.TextElement) else self.blocks(node.children, level)

    def _heading(self, node: nodes.Element, level: int) -> list[Block]:
        text = self._inline.text(node, _line(node), None)
        if not text.text:
            return []
        return [Heading(text=text, level=max(level, 1), start=text.start, end=text.end)]

    def _paragraph(self, node: nodes.Element) -> list[Block]:
        text = self._inline.text(node, _line(node), self._columns)
        if text.text and (image := self._inline.picture(node)) is not None:
            uri, caption = str(image.get("uri", "")), text.text
            return [FigureBlock(target=uri, caption=caption, start=text.start, end=text.end)]
        if isinstance(node, nodes.rubric) and text.text:
            text = replace(text, marks=(Mark(InlineRole.UI_LABEL, 0, len(text.text)),))
        return [Paragraph(text=text, start=text.start, end=text.end)] if text.text else []

    def _here(self, node: nodes.Node) -> int:
        return self._source.start_of(_line(node))

    def _list(self, node: nodes.Element) -> list[Block]:
        items = []
        for child in node.children:
            if isinstance(child, nodes.list_item):
                blocks = tuple(self.blocks(child.children, 0))
                start, end = extent(blocks, self._here(child))
                items.append(Item(blocks=blocks, start=start, end=end))
        if not items:
            return []
        start, end = extent(items, self._here(node))
        if isinstance(node, nodes.bullet_list):
            return [BulletList(items=tuple(items), start=start, end=end)]
        first = int(node.get("start", 1))
        return [OrderedList(items=tuple(items), first=first, start=start, end=end)]

    def _definitions(self, node: nodes.Element) -> list[Block]:
        items = []
        for entry in node.children:
            line = _line(entry)
            terms = [
                text
                for child in entry.children
                if isinstance(child, nodes.term | nodes.field_name)
                and (text := self._inline.text(child, _line(child, line), self._columns)).text
            ]
            bodies = [
                c for c in entry.children if isinstance(c, nodes.definition | nodes.field_body)
            ]
            blocks = tuple(b for body in bodies for b in self.blocks(body.children, 0))
            if terms:
                _, end = extent(blocks, terms[-1].end)
                items.append(
                    Definition(terms=tuple(terms), blocks=blocks, start=terms[0].start, end=end)
                )
        if not items:
            return []
        start, end = extent(items, 0)
        return [DefinitionList(items=tuple(items), start=start, end=end)]

    def _table(self, node: nodes.Element) -> list[Block]:
        columns = self._column_ranges(node)
        header: list[str] = []
        rows: list[tuple[Cell, ...]] = []
        outer = self._columns
        count = 0
        for row in node.findall(nodes.row):
            count += len(row.children)
            check_cells(count, lambda: self._here(node))
            cells = self._row(row, columns)
            if isinstance(row.parent, nodes.thead):
                header = [" ".join(t.text for t in paragraphs(c.blocks)) for c in cells]
            else:
                rows.append(cells)
        self._columns = outer
        parts = [b for row in rows for cell in row for b in cell.blocks]
        if not parts:
            return []
        start, end = extent(parts, 0)
        end = self._table_end(end) if columns else end
        return [Table(header=tuple(header), rows=tuple(rows), start=start, end=end)]

    def _row(self, row: nodes.row, columns: Sequence[Columns]) -> tuple[Cell, ...]:
        cells = []
        index = 0
        for entry in row.children:
            if not isinstance(entry, nodes.entry):
                continue
            width = 1 + int(entry.get("morecols", 0))
            if columns and index < len(columns):
                last = columns[min(index + width, len(columns)) - 1]
                self._columns = (columns[index][0], last[1])
            blocks = tuple(self.blocks(entry.children, 0))
            cells.append(Cell(blocks=blocks, rows=1 + int(entry.get("morerows", 0))))
            index += width
        return tuple(cells)

    def _column_ranges(self, table: nodes.Element) -> list[Columns]:
        """The 0-based source columns of a grid or simple table's columns; none for other tables."""
        line = self._source.line(int(table.get("first_line", 0)))
        simple = [m.span() for m in re.finditer(r"=+", line)] if re.search(r"=\s+=", line) else []
        if simple:  # the text of the last column may run over its ruler
            starts = [start for start, _ in simple]
            return [(s, e) for s, e in zip(starts, [*starts[1:], 10**6], strict=True)]
        corner = line.find("+-")
        if corner < 0:
            return []
        ranges = []
        column = corner + 1
        widths: tuple[int, ...] = table.get("widths", ())
        for width in widths:
            ranges.append((column, column + width))
            column += width + 1
        return ranges

    def _table_end(self, end: int) -> int:
        """The end of a table's lower border."""
        line = self._source.line_of(end)
        while re.match(r"\s*[|+=]", self._source.line(line + 1)):
            line += 1
        return max(end, self._source.end_of(line))

    def _admonition(self, node: nodes.Element) -> list[Block]:
        blocks = tuple(self.blocks(node.children, 0))
        here = self._here(node)
        title = None
        if node.get("title"):
            title = self._inline.plain(str(node["title"]), _line(node))
        if not blocks and title is None:
            return []
        start, end = extent(blocks, title.end if title else here)
        start = title.start if title else start
        kind = str(node.get("kind", "note"))
        return [Admonition(kind=kind, title=title, blocks=blocks, start=start, end=end)]

    def _code(self, node: nodes.Element) -> list[Block]:
        text = node.astext()
        classes = [str(c) for c in node["classes"] if c != "code"]
        language = str(node.get("language") or (classes[0] if classes else ""))
        line = _line(node)
        first = text.split("\n", 1)[0].strip()
        while line < len(self._source.lines) and first not in self._source.line(line):
            line += 1
        last = line + text.rstrip().count("\n")
        start, end = self._source.start_of(line), self._source.end_of(last)
        indent = len(self._source.line(line)) - len(self._source.line(line).lstrip())
        start = min(start + indent, end)
        return [CodeBlock(text=text, language=language, start=start, end=end)]

    def _figure(self, node: nodes.Element) -> list[Block]:
        inner = self.blocks(node.children, 0)
        caption = inner[0].text.text if inner and isinstance(inner[0], Paragraph) else ""
        line = _line(node)
        start, end = self._source.start_of(line), self._source.end_of(line)
        start += len(self._source.line(line)) - len(self._source.line(line).lstrip())
        _, end = extent(inner, max(start, end))
        target = str(node.get("uri", ""))
        caption = caption or str(node.get("alt", ""))
        return [FigureBlock(target=target, caption=caption, start=start, end=end)]

    def _quote(self, node: nodes.Element) -> list[Block]:
        # An indented list is to docutils a list in a quote; to its author it is a list.
        blocks = tuple(self.blocks(node.children, 0))
        if not blocks or any(isinstance(b, OrderedList | BulletList | Table) for b in blocks):
            return list(blocks)
        start, end = extent(blocks, 0)
        return [Quote(blocks=blocks, start=start, end=end)]

    def _tabs(self, node: nodes.Element) -> list[Block]:
        tabs = []
        for child in node.children:
            if not (isinstance(child, nodes.container) and child.get("tab")):
                continue
            title = self._inline.plain(str(child["tab"]).split("\n", 1)[0], _line(child))
            blocks = tuple(self.blocks(child.children, 0))
            if title.text:
                _, end = extent(blocks, title.end)
                tabs.append(Tab(title=title, blocks=blocks, start=title.start, end=end))
        if not tabs:
            return self.blocks(node.children, 0)
        start, end = extent(tabs, 0)
        return [Tabs(tabs=tuple(tabs), start=start, end=end)]

    def _comment(self, node: nodes.Element) -> None:
        # docutils gives the line behind a comment; its first words stand above that.
        text = node.astext()
        first = text.split("\n", 1)[0]
        line = min(_line(node), len(self._source.lines))
        while line > 1 and first not in self._source.line(line):
            line -= 1
        self.comments.append(Comment(text=text, start=self._source.start_of(line)))


def _line(node: nodes.Node, default: int = 1) -> int:
    """The line of a node, or of the nearest one around it that knows."""
    current: nodes.Node | None = node
    while current is not None:
        if current.line:
            return int(current.line)
        current = current.parent
    return default

"""A document as its reader sees it, block by block, with the place of each character.

Addresses, pictures and the document's markup are left out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from appliance.core.procedure import Document, InlineRole
from appliance.documents import _blocks as blocks
from appliance.documents._source import Source
from appliance.documents._text import RichText
from appliance.documents.load import parse_again


class BlockKind(StrEnum):
    """What a block looks like."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"  # of a list, or what a term is said to be
    NOTE = "note"  # the title of an admonition
    CODE = "code"
    FIGURE = "figure"
    ROW = "row"  # of a table


@dataclass(frozen=True, slots=True)
class Run:
    """Consecutive characters with the same role."""

    text: str
    role: InlineRole | None
    places: tuple[tuple[int, int, int], ...]
    """Line (from 1) and column (from 0) of its characters, and how many stand there in a row; empty
    if not in the source as such."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedBlock:
    """A block of the text, in reading order."""

    kind: BlockKind
    line: int
    """First line, from 1."""
    depth: int = 0
    """Number of lists and notes around it; for a heading, its level."""
    marker: str = ""
    """Text before it: `3.`, `•`, or the kind of a note."""
    cells: tuple[tuple[Run, ...], ...]
    """Its text; several for a table row."""


def rendered(document: Document) -> tuple[RenderedBlock, ...]:
    """All blocks of a document, which is parsed again: posted documents only in a child process.

    Raises:
        LimitError: It is beyond a limit.
    """
    parsed, source = parse_again(document)
    return tuple(_Renderer(source).render(parsed.blocks, 0))


class _Renderer:
    def __init__(self, source: Source) -> None:
        self._source = source

    def render(
        self, blocks_in: Sequence[blocks.Block], depth: int, marker: str = ""
    ) -> Iterator[RenderedBlock]:
        """Render consecutive blocks; the marker stands before the first."""
        for block in blocks_in:
            yield from self._block(block, depth, marker)
            marker = ""

    def _block(self, block: blocks.Block, depth: int, marker: str) -> Iterator[RenderedBlock]:
        match block:
            case blocks.Heading():
                yield self._text(BlockKind.HEADING, block.text, block.level)
            case blocks.Paragraph():
                kind = BlockKind.ITEM if marker else BlockKind.PARAGRAPH
                yield self._text(kind, block.text, depth, marker)
            case blocks.Table():
                yield from self._table(block, depth)
            case blocks.Tabs():
                for tab in block.tabs:
                    yield self._text(BlockKind.NOTE, tab.title, depth + 1)
                    yield from self.render(tab.blocks, depth + 1)
            case blocks.OrderedList() | blocks.BulletList() | blocks.DefinitionList():
                yield from self._list(block, depth + 1)
            case _:
                yield from self._other_block(block, depth)

    def _list(
        self, list_block: blocks.OrderedList | blocks.BulletList | blocks.DefinitionList, depth: int
    ) -> Iterator[RenderedBlock]:
        match list_block:
            case blocks.OrderedList():
                for number, item in enumerate(list_block.items, list_block.first):
                    yield from self._item(item, depth, f"{number}.")
            case blocks.BulletList():
                for item in list_block.items:
                    yield from self._item(item, depth, "•")
            case blocks.DefinitionList():
                for definition in list_block.items:
                    for term in definition.terms:
                        yield self._text(BlockKind.ITEM, term, depth, "•")
                    yield from self.render(definition.blocks, depth + 1)

    def _other_block(self, block: blocks.Block, depth: int) -> Iterator[RenderedBlock]:
        match block:
            case blocks.Admonition():
                title = (self._runs(block.title),) if block.title else ()
                yield self._plain(BlockKind.NOTE, block.start, depth + 1, block.kind, title)
                yield from self.render(block.blocks, depth + 1)
            case blocks.Quote():
                yield from self.render(block.blocks, depth + 1)
            case blocks.CodeBlock():
                yield self._plain(
                    BlockKind.CODE, block.start, depth, "", _words(block.text.rstrip())
                )
            case blocks.FigureBlock():
                yield self._plain(BlockKind.FIGURE, block.start, depth, "", _words(block.caption))

    def _item(self, item: blocks.Item, depth: int, marker: str) -> Iterator[RenderedBlock]:
        if item.title is not None:
            yield self._text(BlockKind.ITEM, item.title, depth, marker)
            marker = ""
        yield from self.render(item.blocks, depth, marker)

    def _table(self, table: blocks.Table, depth: int) -> Iterator[RenderedBlock]:
        header = tuple(_words(name)[0] if name else () for name in table.header)
        if any(header):
            yield self._plain(BlockKind.ROW, table.start, depth, "th", header)
        for row in table.rows:
            cells = [list(blocks.paragraphs(cell.blocks)) for cell in row]
            starts = [text.start for cell in cells for text in cell if text.offsets]
            runs = tuple(tuple(run for text in cell for run in self._runs(text)) for cell in cells)
            yield self._plain(BlockKind.ROW, min(starts, default=table.start), depth, "", runs)

    def _text(self, kind: BlockKind, text: RichText, depth: int, marker: str = "") -> RenderedBlock:
        start = text.start if text.offsets else 0
        return self._plain(kind, start, depth, marker, (self._runs(text),))

    def _plain(
        self,
        kind: BlockKind,
        start: int,
        depth: int,
        marker: str,
        cells: tuple[tuple[Run, ...], ...],
    ) -> RenderedBlock:
        line = self._source.line_of(start)
        return RenderedBlock(kind=kind, line=line, depth=depth, marker=marker, cells=cells)

    def _runs(self, text: RichText) -> tuple[Run, ...]:
        """Split a text into runs of one role each."""
        roles = [mark.role if (mark := text.mark_at(n)) else None for n in range(len(text.text))]
        runs, start = [], 0
        for end in range(1, len(roles) + 1):
            if end == len(roles) or roles[end] is not roles[start]:
                places = tuple(self._places(text.offsets[start:end]))
                runs.append(Run(text.text[start:end], roles[start], places))
                start = end
        return tuple(runs)

    def _places(self, offsets: Sequence[int]) -> Iterator[tuple[int, int, int]]:
        start = 0
        for end in range(1, len(offsets) + 1):
            last = offsets[end - 1]
            is_row = end < len(offsets) and offsets[end] == last + 1
            if not is_row or self._source.text[last] == "\n":
                line = self._source.line_of(offsets[start])
                yield line, offsets[start] - self._source.start_of(line), end - start
                start = end


def _words(text: str) -> tuple[tuple[Run, ...], ...]:
    return ((Run(text, None, ()),),)

"""The block tree that every format is turned into. Places are offsets in the source text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from appliance.documents._text import RichText


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Running text."""

    text: RichText
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading; the title of the document has the lowest level."""

    text: RichText
    level: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """An entry of a list."""

    title: RichText | None = None
    """Its heading, where it has one."""
    blocks: tuple["Block", ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderedList:
    """A numbered or lettered list."""

    items: tuple[Item, ...]
    first: int
    """The number of the first item."""
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BulletList:
    """A list without numbers."""

    items: tuple[Item, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """Terms with what is said about them."""

    terms: tuple[RichText, ...]
    blocks: tuple["Block", ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DefinitionList:
    """A list of definitions."""

    items: tuple[Definition, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A cell of a table."""

    blocks: tuple["Block", ...]
    rows: int = 1
    """Rows it spans."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table without its header rows, whose texts stand in `header`."""

    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Admonition:
    """A note, tip, warning and the like."""

    kind: str
    title: RichText | None
    blocks: tuple["Block", ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeBlock:
    """Code or output, as it stands."""

    text: str
    language: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureBlock:
    """A picture."""

    target: str
    caption: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """A block quote."""

    blocks: tuple["Block", ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Tab:
    """One of several alternatives."""

    title: RichText
    blocks: tuple["Block", ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Tabs:
    """Alternatives of which a reader sees one."""

    tabs: tuple[Tab, ...]
    start: int
    end: int


Block = (
    Paragraph
    | Heading
    | OrderedList
    | BulletList
    | DefinitionList
    | Table
    | Admonition
    | CodeBlock
    | FigureBlock
    | Quote
    | Tabs
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A comment: nobody reads it but this program."""

    text: str
    start: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """What a format's parser gives."""

    blocks: tuple[Block, ...]
    title: str = ""
    """From front matter or `<title>`; counts only where no heading does."""
    comments: tuple[Comment, ...] = ()
    problems: tuple[str, ...] = ()


def extent(parts: Sequence["Block | Item | Definition | Tab"], default: int) -> tuple[int, int]:
    """From the start of the first to the end of the last part; `default` twice without parts."""
    if not parts:
        return default, default
    return min(p.start for p in parts), max(p.end for p in parts)


def paragraphs(blocks: Sequence[Block]) -> Iterator[RichText]:
    """All running text in blocks, however deep, in reading order; no code and no pictures."""
    for block in blocks:
        if isinstance(block, Paragraph | Heading):
            yield block.text
            continue
        for part in _inside(block):
            if isinstance(part, RichText):
                yield part
            else:
                yield from paragraphs(part)


def _inside(block: Block) -> Iterator["RichText | Sequence[Block]"]:
    match block:
        case OrderedList() | BulletList():
            yield from (item.blocks for item in block.items)
        case DefinitionList():
            for definition in block.items:
                yield from definition.terms
                yield definition.blocks
        case Table():
            yield from (cell.blocks for row in block.rows for cell in row)
        case Admonition() | Quote():
            yield block.blocks
        case Tabs():
            yield from (tab.blocks for tab in block.tabs)
        case _:
            pass

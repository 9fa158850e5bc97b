"""Read the body of a step: sentences, fields, notes, code, figures and nested steps."""

import re
from collections.abc import Sequence
from dataclasses import replace

from appliance.core.procedure import (
    Code,
    Field,
    Figure,
    InlineRole,
    Note,
    Sentence,
    Step,
)
from appliance.documents._acting import asks_for_fields
from appliance.documents._blocks import (
    Admonition,
    Block,
    BulletList,
    CodeBlock,
    DefinitionList,
    FigureBlock,
    Heading,
    Item,
    OrderedList,
    Paragraph,
    Quote,
    Tab,
    Table,
    Tabs,
    paragraphs,
)
from appliance.documents._fields import FieldReader, is_field_table, lists_fields
from appliance.documents._language import (
    condition_of,
    is_command_line,
    is_instruction,
    is_optional,
    is_sequential,
    starts_with_verb,
)
from appliance.documents._limits import check_steps
from appliance.documents._sentences import sentences
from appliance.documents._source import Source
from appliance.documents._text import RichText
from appliance.language import nouns
from appliance.language.words import one_of

Part = Sentence | Field | Note | Code | Figure | Step

_NOTE = re.compile(
    rf"[^\w(（]{{0,3}}(?P<kind>{one_of(nouns.NOTES)})(?:事项|信息)?[】\]]?\s*[:：]\s*", re.I
)


class StepReader:
    """Reads steps from blocks of one document."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.fields = FieldReader(source)
        self._count = 0

    def begin(self) -> None:
        """Start counting the steps of another procedure."""
        self._count = 0

    def step(self, index: str, blocks: Sequence[Block], title: RichText | None = None) -> Step:
        """A step with everything that belongs to it; `title` is its heading, if any."""
        parts = _Body(self, index).read(blocks)
        if title is not None and _repeats_title(title, parts):
            parts.insert(0, self.summary(title))
        elif title is not None:
            parts[:0] = self.sentences(title)
        return self.make_step(index, parts, blocks, title)

    def make_step(
        self,
        index: str,
        parts: Sequence[Part],
        blocks: Sequence[Block],
        title: RichText | None = None,
    ) -> Step:
        """A step made of parts that have been read already."""
        self._count += 1
        check_steps(self._count, blocks[0].start if blocks else 0)
        starts = [b.start for b in blocks] + ([title.start] if title else [])
        ends = [b.end for b in blocks] + ([title.end] if title else [])
        first = _opening(parts)
        return Step(
            index=index,
            body=tuple(parts),
            span=self._source.span(min(starts, default=0), max(ends, default=0)),
            is_optional=is_optional(first),
            condition=condition_of(first),
        )

    def sentences(self, text: RichText) -> tuple[Sentence, ...]:
        """The sentences of a text."""
        return sentences(text, self._source)

    def note(self, kind: str, blocks: Sequence[Block]) -> Note:
        """A note of blocks that inform without instructing."""
        note_sentences = tuple(s for t in paragraphs(blocks) for s in self.sentences(t))
        start, end = min(b.start for b in blocks), max(b.end for b in blocks)
        return Note(kind=kind, sentences=note_sentences, span=self._source.span(start, end))

    def summary(self, text: RichText) -> Note:
        """A note with the heading of a step whose instructions follow it."""
        bare = text.cut(0, len(text.text.rstrip(" :：")))
        span = self._source.span(bare.start, bare.end)
        return Note(kind="summary", sentences=self.sentences(bare), span=span)

    def code(self, block: CodeBlock) -> Code:
        """A code block."""
        span = self._source.span(block.start, block.end)
        return Code(text=block.text, language=block.language, span=span)

    def figure(self, block: FigureBlock) -> Figure:
        """A picture."""
        span = self._source.span(block.start, block.end)
        return Figure(target=block.target, caption=block.caption, span=span)


class _Body:
    """Collects the parts of one step."""

    def __init__(self, reader: StepReader, index: str) -> None:
        self._reader = reader
        self._index = index
        self._parts: list[Part] = []
        self._nested = 0

    def read(self, blocks: Sequence[Block]) -> list[Part]:
        """All parts of the blocks, in order."""
        for position, block in enumerate(blocks):
            following = blocks[position + 1] if position + 1 < len(blocks) else None
            if isinstance(block, Paragraph) and _is_caption(block, following):
                self._parts.append(self._reader.note("caption", (block,)))
            else:
                self._block(block, is_lead=position == 0 and len(blocks) > 1)
        return self._parts

    def _block(self, block: Block, *, is_lead: bool = False) -> None:
        match block:
            case Paragraph():
                self._paragraph(block, is_lead=is_lead)
            case OrderedList():
                for item in block.items:
                    self._step(item.blocks)
            case BulletList():
                self._bullets(block)
            case DefinitionList():
                self._parts += [self._reader.fields.from_definition(d) for d in block.items]
            case Tabs():
                self._tabs(block)
            case Heading():
                self._parts += self._reader.sentences(block.text)
            case _:
                self._parts += self._parts_of_block(block)

    def _parts_of_block(
        self, block: Table | Admonition | CodeBlock | FigureBlock | Quote
    ) -> Sequence[Part]:
        match block:
            case Table():
                rows = self._reader.fields.from_table(block)
                return rows or [self._reader.note("table", (block,))]
            case Admonition():
                return [self._reader.fields.note(block)]
            case CodeBlock():
                return [self._reader.code(block)]
            case FigureBlock():
                return [self._reader.figure(block)]
            case Quote():
                return [self._reader.note("quote", (block,))]

    def _step(self, blocks: Sequence[Block], condition: str | None = None) -> None:
        step = self._reader.step(f"{self._index}.{self._nested + 1}", blocks)
        if not step.body:
            return
        self._nested += 1
        self._parts.append(replace(step, condition=condition) if condition else step)

    def _paragraph(self, block: Paragraph, *, is_lead: bool) -> None:
        note_match = _NOTE.match(block.text.text)
        if note_match and not is_lead:
            kind = note_match["kind"].lower()
            rest = block.text.cut(note_match.end())
            note_sentences = self._reader.sentences(rest) if rest.text else ()
            span = self._reader.note("", (block,)).span
            self._parts.append(Note(kind=nouns.NOTES[kind], sentences=note_sentences, span=span))
            return
        summary = _summary_end(block.text)
        rest = block.text.cut(summary) if summary else block.text
        if summary and (rest.text or is_lead):
            self._parts.append(self._reader.summary(block.text.cut(0, summary)))
            self._parts += self._reader.sentences(rest) if rest.text else ()
            return
        field = self._reader.fields.from_paragraph(block.text, (), is_item=False)
        self._parts += [field] if field is not None else self._reader.sentences(block.text)

    def _bullets(self, block: BulletList) -> None:
        last = self._parts[-1] if self._parts else None
        if isinstance(last, Field):
            extended = self._reader.fields.with_options(last, block.items)
            if extended is not None:
                self._parts[-1] = extended
                return
        texts = [_first_text(item) for item in block.items]
        if is_sequential(texts) and all(is_instruction(t) for t in texts):
            for item in block.items:
                self._step(item.blocks)
            return
        are_asked_for = isinstance(last, Sentence) and asks_for_fields(last)
        are_fields = lists_fields(block.items, are_asked_for=are_asked_for)
        for item in block.items:
            self._bullet(item, is_field=are_fields)

    def _bullet(self, item: Item, *, is_field: bool) -> None:
        """Read a list entry; among fields, "**Keep it open**: Check this box" is a field too."""
        first = item.blocks[0] if item.blocks else None
        if isinstance(first, Paragraph) and (is_field or not _summary_end(first.text)):
            more = item.blocks[1:]
            field = self._reader.fields.from_paragraph(first.text, more, is_item=True)
            if field is None and is_field:
                field = self._reader.fields.from_sentence(first.text, more)
            if field is not None:
                self._parts.append(field)
                return
        for block in item.blocks:
            self._block(block)

    def _tabs(self, block: Tabs) -> None:
        """Read alternatives: each console tab is a step with the tab's title as its condition."""
        tabs = [t for t in block.tabs if t.blocks]
        console = [t for t in tabs if not is_command_line(t.title.text) and not _is_code(t)]
        for tab in tabs:
            if tab not in console:
                self._parts.append(self._reader.note("tab", tab.blocks))
            elif len(console) == 1:
                self.read(tab.blocks)
            else:
                self._step(tab.blocks, condition=tab.title.text)


def _is_code(tab: Tab) -> bool:
    """Whether a tab shows code and names no control: an alternative to the console."""
    has_code = any(isinstance(block, CodeBlock) for block in tab.blocks)
    marks = (mark for text in paragraphs(tab.blocks) for mark in text.marks)
    controls = (InlineRole.UI_LABEL, InlineRole.MENU_PATH)
    return has_code and not any(mark.role in controls for mark in marks)


def _repeats_title(title: RichText, parts: Sequence[Part]) -> bool:
    """Whether the text below a heading says what to do, so that the heading only sums it up."""
    below = [part for part in parts if isinstance(part, Sentence | Step)]
    labels = (InlineRole.UI_LABEL, InlineRole.MENU_PATH)
    if starts_with_verb(title.text) and any(mark.role in labels for mark in title.marks):
        return any(isinstance(part, Step) or is_instruction(part.text) for part in below)
    return bool(below)


def _is_caption(block: Paragraph, following: Block | None) -> bool:
    """Whether a bold line is the caption of code, or of a table other than a field table."""
    is_shown = isinstance(following, CodeBlock) or (
        isinstance(following, Table) and not is_field_table(following)
    )
    text = block.text.text.rstrip(" :：")
    return is_shown and any(m.start == 0 and m.end >= len(text) for m in block.text.marks)


def _opening(parts: Sequence[Part]) -> str:
    """The first sentence or summary, which says whether the step is optional."""
    for part in parts:
        if isinstance(part, Sentence):
            return part.text
        if isinstance(part, Note) and part.kind == "summary" and part.sentences:
            return part.sentences[0].text
    return ""


def _first_text(item: Item) -> str:
    first = item.blocks[0] if item.blocks else None
    return first.text.text if isinstance(first, Paragraph) else ""


def _summary_end(text: RichText) -> int:
    """The end of a bold instruction that sums a paragraph up (`**Open the console**: Go to …`)."""
    mark = text.marks[0] if text.marks else None
    if mark is None or mark.start or mark.role is not InlineRole.UI_LABEL:
        return 0
    words = text.text[mark.start : mark.end]
    lower = [w for w in words.split()[1:] if w[:1].islower()]
    if not starts_with_verb(words) or (words.isascii() and not lower):
        return 0
    if not words.isascii() and len(words) < 6:
        return 0
    rest = text.text[mark.end :].lstrip()
    if rest and rest[0] not in ":：":
        return 0
    if not is_instruction(rest[1:].strip() or words):  # "**Record type**: **A**" is a field
        return 0
    return len(text.text) - len(rest[1:])

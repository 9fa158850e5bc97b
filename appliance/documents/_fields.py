"""Field entries: rows of field tables, definitions, `Label: text` items, and their options."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from appliance.core.procedure import Field, Inline, InlineRole, Note, Sentence
from appliance.documents._blocks import (
    Admonition,
    Block,
    BulletList,
    Cell,
    Definition,
    DefinitionList,
    Item,
    OrderedList,
    Paragraph,
    Table,
    paragraphs,
)
from appliance.documents._language import starts_with_verb
from appliance.documents._sentences import label, sentences
from appliance.documents._source import Source
from appliance.documents._text import CJK, RichText

# Longest first cell of a row that is still taken for the name of a field.
_MAX_LABEL = 60
_MAX_LABEL_WORDS = 7
_MAX_ZH_VERB_LABEL = 12
_FEWEST_FIELDS = 2
"""Fewest fields of a list recognised by its form alone."""
_SHARE, _SHARE_ASKED_FOR = 0.6, 0.4
"""Least share of such a list's entries with a colon or dash after the name."""
_GOES_ON = re.compile(
    r"\s+(?:is|are|can|may|must|should|will|has|have|allows?|lets?|sets?|defines?|determines?"
    r"|controls?|specif(?:y|ies)|contains?|holds?|says?|tells?|(?!need|seed|feed)[a-z]{2,}ed)\b"
    r"|\s*(?:是|为|用于|表示|必须|可以|决定|指)",
)
"""How a sentence continues when it describes what it names first."""
_LABEL_ROLES = (InlineRole.UI_LABEL, InlineRole.LITERAL)
_BETWEEN = re.compile(r"\s*(?:,?\s+(?:or|and)\s+|,\s*|/|、|或者?|和|及|以及)\s*", re.I)
_ASIDE = r"\s*\*?(?:[(（][^()（）]{1,40}[)）])?\*?\s*"
_COLON = re.compile(_ASIDE + r"[:：]\s*")
_COLON_OR_DASH = re.compile(_ASIDE + r"(?:[:：]\s*|\s[-–—]{1,2}\s+)")
_PLAIN = re.compile(
    rf"(?P<label>[^:：.。!?！？;；]{{1,{_MAX_LABEL}}}?)"
    + _ASIDE
    + rf"(?:：|:(?:\s+|$|(?=[{CJK}])))"
)
_NO_LABEL = re.compile(
    r"(?:notes?|tip|example|for example|e\.g|warning|important|caution|see also|result|where"
    r"|optional"
    r"|注意|说明|提示|示例|例如|警告|重要|其中|可选|如下|以下)$",
    re.I,
)
_AIM = re.compile(r"to [a-z]+ ", re.I)
"""As in "**To copy a list**: open its menu …"."""
_SMALL = frozenset(("a", "an", "and", "as", "at", "by", "for", "in", "of", "on", "or", "the", "to"))
_OR = re.compile(r"\s+or\s+(?=[A-Z])|\s*或\s*")
_CHOICES = re.compile(
    r"[:：]$|\b(?:options?|choices?|one of|following|either|values?)\b"
    r"|选项|以下|如下|取值|包括|可选",
    re.I,
)
_END_ASIDE = re.compile(
    r"(?:\s*[(（](?:optional|required|可选|必选|必填|选填)[)）]|[\s*:：])+$", re.I
)


@dataclass(frozen=True, slots=True)
class Labelled:
    """A paragraph of the form `Label: text`."""

    labels: tuple[RichText, ...]
    rest: RichText


def split_label(text: RichText, *, is_item: bool) -> Labelled | None:
    """Split `Label: text`; a label without markup is accepted only in list entries."""
    stressed = (InlineRole.EMPHASIS,) if is_item else ()  # "*Interval*: how often to check"
    end, labels = _leading_labels(text, (*_LABEL_ROLES, *stressed))
    if labels:
        separator = (_COLON_OR_DASH if is_item else _COLON).match(text.text, end)
        if separator is None:
            return None
        if _NO_LABEL.match(labels[0].text) or _AIM.match(labels[0].text):
            return None
        return Labelled(labels, text.cut(separator.end()))
    return _plain_labelled(text) if is_item else None


def _leading_labels(
    text: RichText, roles: Sequence[InlineRole] = _LABEL_ROLES
) -> tuple[int, tuple[RichText, ...]]:
    labels: list[RichText] = []
    position = 0
    for mark in text.marks:
        gap = text.text[position : mark.start]
        if mark.role not in roles or (labels and not _BETWEEN.fullmatch(gap)):
            break
        if not labels and gap.strip():
            break
        labels.append(text.cut(mark.start, mark.end))
        position = mark.end
    return position, tuple(labels)


def _plain_labelled(text: RichText) -> Labelled | None:
    match = _PLAIN.match(text.text)
    if match is None:
        return None
    name, rest = match["label"].strip(), text.text[match.end() :]
    if _NO_LABEL.match(name) or len(name.split()) > _MAX_LABEL_WORDS or name[:1].islower():
        return None
    if not name or (starts_with_verb(name) and not _is_name(name, rest)):
        return None
    if any(m.start < match.end() for m in text.marks):
        return None
    return Labelled((text.cut(match.start("label"), match.end("label")),), text.cut(match.end()))


def _is_name(name: str, rest: str) -> bool:
    """Whether a text that starts with a verb is still a name: `Enable DHCP`."""
    words = [w for w in name.split() if w not in _SMALL]
    if re.search(f"[{CJK}]", name):
        return bool(rest) and len(name) <= _MAX_ZH_VERB_LABEL
    return bool(rest) and all(w[:1].isupper() for w in words)


@dataclass
class _Described:
    sentences: list[Sentence] = field(default_factory=list)
    options: list[Field] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    def offers_choices(self) -> bool:
        return bool(self.sentences) and _CHOICES.search(self.sentences[-1].text) is not None


class FieldReader:
    """Reads fields from blocks of one document."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def from_paragraph(
        self, text: RichText, more: Sequence[Block], *, is_item: bool
    ) -> Field | None:
        """The field of a `Label: text` paragraph and the blocks that belong to it."""
        label_and_text = split_label(text, is_item=is_item)
        if label_and_text is None:
            label_and_text = self._label_alone(text) if more and is_item else None
        if label_and_text is None:
            return None
        return self._labelled(label_and_text, text, more)

    def from_sentence(self, text: RichText, more: Sequence[Block]) -> Field | None:
        """The field of "**Owner** is who may edit it.", in a list of fields."""
        labelled = _split_described_names(text)
        return self._labelled(labelled, text, more) if labelled else None

    def _labelled(self, labelled: Labelled, text: RichText, more: Sequence[Block]) -> Field:
        described = _Described()
        if labelled.rest.text:
            described.sentences += sentences(labelled.rest, self._source)
        self._describe(more, described)
        end = max([text.end, *(b.end for b in more)])
        return self._field(labelled.labels, described, text.start, end)

    def _label_alone(self, text: RichText) -> Labelled | None:
        """A list entry that is a label with its description in the paragraphs below."""
        end, labels = _leading_labels(text)
        if labels and re.fullmatch(_ASIDE + "[:：]?", text.text[end:]):
            return Labelled(labels, text.cut(len(text.text)))
        return None

    def from_definition(self, definition: Definition) -> Field:
        """A term and its definition."""
        described = _Described()
        self._describe(definition.blocks, described)
        labels = tuple(name for term in definition.terms for name in names(term))
        return self._field(labels, described, definition.start, definition.end)

    def from_table(self, table: Table) -> list[Field]:
        """The fields of a table; empty if it is not a field table."""
        if not is_field_table(table):
            return []
        fields = []
        for row in table.rows:
            name = _cell_text(row[0])
            described = _Described()
            for cell in row[1:]:
                self._describe(cell.blocks, described)
            is_described = described.sentences or described.options
            if (
                name is None or not is_described
            ):  # a continued row, or the heading of a group of rows
                continue
            end = max(b.end for cell in row for b in cell.blocks)
            fields.append(self._field(names(name), described, name.start, end))
        return fields

    def options(self, items: Sequence[Item]) -> list[Field]:
        """List entries as the choices of the field above them."""
        return [o for item in items if (o := self._option(item)) is not None]

    def _option(self, item: Item) -> Field | None:
        if not item.blocks or not isinstance(item.blocks[0], Paragraph):
            return None
        text, more = item.blocks[0].text, item.blocks[1:]
        labelled_option = self.from_paragraph(text, more, is_item=True)
        if labelled_option is not None:
            return labelled_option
        described = _Described()
        self._describe(more, described)
        end, labels = _leading_labels(text)
        if not labels or len(text.text) <= _MAX_LABEL:
            labels = labels or (text.cut(0, len(text.text.rstrip(".。;；,，"))),)
        rest = text.cut(end) if labels[0].text != text.text.rstrip(".。;；,，") else None
        if rest is not None and rest.text.strip(" .。;；,，-–—"):
            described.sentences[:0] = sentences(rest, self._source)
        return self._field(labels, described, text.start, max([text.end, *(b.end for b in more)]))

    def with_options(self, owner: Field, items: Sequence[Item]) -> Field | None:
        """The field with the list after it as its options, if it asks for a choice."""
        if not owner.description or not _CHOICES.search(owner.description[-1].text):
            return None
        end = self._source.span(items[-1].start, items[-1].end)
        span = replace(owner.span, end_line=end.end_line, end_column=end.end_column)
        if not _are_choices(items):
            more = tuple(
                s for i in items for t in paragraphs(i.blocks) for s in sentences(t, self._source)
            )
            return replace(owner, description=owner.description + more, span=span)
        return replace(owner, options=owner.options + tuple(self.options(items)), span=span)

    def _field(
        self, labels: Sequence[RichText], described: _Described, start: int, end: int
    ) -> Field:
        inlines: tuple[Inline, ...] = tuple(label(t, self._source) for t in labels)
        return Field(
            labels=inlines,
            description=tuple(described.sentences),
            options=tuple(described.options),
            notes=tuple(described.notes),
            span=self._source.span(start, end),
        )

    def _describe(self, blocks: Sequence[Block], described: _Described) -> None:
        for block in blocks:
            match block:
                case Admonition():
                    described.notes.append(self.note(block))
                case DefinitionList():
                    described.options += [self.from_definition(d) for d in block.items]
                case BulletList() | OrderedList() if _are_choices(block.items) and (
                    described.offers_choices() or _are_labelled(block.items)
                ):
                    described.options += self.options(block.items)
                case Table() if is_field_table(block):
                    described.options += self.from_table(block)
                case _:
                    for text in paragraphs((block,)):
                        described.sentences += sentences(text, self._source)

    def note(self, block: Admonition) -> Note:
        """An admonition as a note."""
        note_sentences = tuple(
            s for t in paragraphs(block.blocks) for s in sentences(t, self._source)
        )
        span = self._source.span(block.start, block.end)
        return Note(kind=block.kind, sentences=note_sentences, span=span)


def _first_texts(items: Sequence[Item]) -> list[RichText]:
    return [i.blocks[0].text for i in items if i.blocks and isinstance(i.blocks[0], Paragraph)]


def _are_labelled(items: Sequence[Item]) -> bool:
    """Whether all entries of a list are `Label: text`."""
    firsts = _first_texts(items)
    return bool(firsts) and all(split_label(t, is_item=True) for t in firsts)


def _are_choices(items: Sequence[Item]) -> bool:
    """Whether the entries of a list are names rather than sentences."""
    firsts = _first_texts(items)
    return bool(firsts) and all(
        split_label(t, is_item=True) or len(t.text) <= _MAX_LABEL or _leading_labels(t)[0]
        for t in firsts
    )


def lists_fields(items: Sequence[Item], *, are_asked_for: bool = False) -> bool:
    """Whether list entries are the fields of a form.

    Entries mostly named by verbs ("**Edit**: …", "**Delete**: …") are a menu instead. Some fields
    may be described by a sentence ("**Owner** is who may edit it."), more of them if the text above
    asks for fields.
    """
    firsts = _first_texts(items)
    entries = [(text, split_label(text, is_item=True)) for text in firsts]
    labelled_entries = [
        labelled_entry for _, labelled_entry in entries if labelled_entry is not None
    ]
    others = (text for text, labelled_entry in entries if labelled_entry is None)
    if len(firsts) < len(items) or not all(map(_split_described_names, others)):
        return False
    share = _SHARE_ASKED_FOR if are_asked_for else _SHARE
    verbs = sum(
        starts_with_verb(labelled_entry.labels[0].text) for labelled_entry in labelled_entries
    )
    are_enough = len(labelled_entries) >= max(_FEWEST_FIELDS, share * len(items))
    return are_enough and verbs * 2 <= len(labelled_entries)


def _split_described_names(text: RichText) -> Labelled | None:
    """Split a sentence into the names at its head and what it says of them: "**A, B** are …"."""
    end, labels = _leading_labels(text, (InlineRole.UI_LABEL,))
    if not labels or not _GOES_ON.match(text.text, end):
        return None
    listed = tuple(part for label_text in labels for part in _listed_names(label_text))
    return Labelled(listed, text.cut(end))


def _listed_names(text: RichText) -> Iterator[RichText]:
    start = 0
    for comma in re.finditer(r",\s+|、", text.text):
        yield text.cut(start, comma.start())
        start = comma.end()
    yield text.cut(start)


def with_field_lists(blocks: Sequence[Block]) -> list[Block]:
    """Turn runs of paragraphs that each describe a field into lists.

    For example "**Title** - Shown above the page.", then "**Owner** - Who may edit it.".
    """
    merged: list[Block] = []
    for is_entry, group in groupby(blocks, _names_field):
        group_blocks = list(group)
        items = [Item(blocks=(block,), start=block.start, end=block.end) for block in group_blocks]
        if is_entry and lists_fields(items):
            start, end = group_blocks[0].start, group_blocks[-1].end
            merged.append(BulletList(items=tuple(items), start=start, end=end))
        else:
            merged += group_blocks
    return merged


def _names_field(block: Block) -> bool:
    if not isinstance(block, Paragraph) or not _leading_labels(block.text)[1]:
        return False
    return split_label(block.text, is_item=True) is not None


def names(text: RichText) -> tuple[RichText, ...]:
    """The labels in a cell or term: the marked ones, else all of it; `A or B` is two."""
    labels = [text.cut(m.start, m.end) for m in text.marks if m.role in _LABEL_ROLES]
    if labels:
        return tuple(labels)
    aside = _END_ASIDE.search(text.text)
    without_aside = text.cut(0, aside.start()) if aside and aside.start() else text
    parts = []
    start = 0
    for match in _OR.finditer(without_aside.text):
        parts.append(without_aside.cut(start, match.start()))
        start = match.end()
    return tuple(p for p in (*parts, without_aside.cut(start)) if p.text)


def names_fields(block: Block) -> bool:
    """Whether the block is a definition list or a field table."""
    return isinstance(block, DefinitionList) or (isinstance(block, Table) and is_field_table(block))


def is_field_table(table: Table) -> bool:
    """Whether each row names something in its first column and says something about it."""
    if not table.rows or any(len(row) < 2 for row in table.rows):
        return False
    if any(cell.rows > 1 for row in table.rows for cell in row):
        return False
    firsts = [_cell_text(row[0]) for row in table.rows]
    return any(firsts) and all(t is None or len(t.text) <= _MAX_LABEL for t in firsts)


def _cell_text(cell: Cell) -> RichText | None:
    first = cell.blocks[0] if cell.blocks else None
    return first.text if isinstance(first, Paragraph) and first.text.text else None

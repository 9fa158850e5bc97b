"""From a finding to the smallest edit of its document, in the document's own style."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from pathlib import PurePath
from typing import NamedTuple, TypeVar

from appliance.core.errors import DocumentError
from appliance.core.procedure import Document, Inline, InlineRole, Sentence
from appliance.core.result import Finding
from appliance.core.source import Span
from appliance.documents._text import CJK
from appliance.documents.editing.held import Edited, is_kept
from appliance.documents.editing.replacement import Surroundings, objection
from appliance.documents.editing.source import SourceText, Stretch
from appliance.documents.editing.style import (
    Wrapping,
    escape_markup,
    parts_of,
    path_style,
    style_of,
    wrapping_of,
)
from appliance.documents.editing.tables import in_markdown_table, refit_tables
from appliance.documents.editing.words import BREAK, plain
from appliance.documents.load import FORMATS, parse_unchecked

_LABELS = (InlineRole.UI_LABEL, InlineRole.MENU_PATH)
_MARKED = re.compile(r"(?:\*\*|:\w+:`|`{1,2})(?P<words>[^*`]+)(?:\*\*|`{1,2})")
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Edit:
    """One replacement in a document."""

    at: Stretch
    new: str
    """With its markup."""
    finding: Finding
    quote: str
    """The untrue words as a reader sees them."""
    words: str
    """What a reader sees instead."""


@dataclass(frozen=True)  # without slots: `cached_property` needs a dictionary
class Editable:
    """A document's text and how it is read."""

    source: SourceText
    document: Document

    @classmethod
    def of(cls, text: str, path: str) -> "Editable | None":
        """None where it is none of the formats that are read.

        Raises:
            DocumentError: It cannot be read.
        """
        format = FORMATS.get(PurePath(path).suffix.lower())
        if format is None:
            return None
        return cls(SourceText.of(text), parse_unchecked(text, path, format))

    @property
    def format(self) -> str:
        """`markdown`, `rst` or `html`."""
        return self.document.format

    @cached_property
    def inlines(self) -> tuple[tuple[Inline, Stretch], ...]:
        """Everything marked in its procedures."""
        inlines = (
            (inline, at)
            for inline in _walk(self.document.all_procedures, Inline)
            if (at := self._stretch(inline.span)) is not None
        )
        return tuple(dict(((i.role, at), (i, at)) for i, at in inlines).values())

    @cached_property
    def sentences(self) -> tuple[Stretch, ...]:
        """Where its sentences stand."""
        stretches = (self._stretch(s.span) for s in _walk(self.document.all_procedures, Sentence))
        return tuple(at for at in stretches if at is not None)

    def label_at(self, at: Stretch) -> tuple[Inline, Stretch] | None:
        """The narrowest marked text around a stretch."""
        around = [
            (inline, there)
            for inline, there in self.inlines
            if there.start <= at.start and at.end <= there.end
        ]
        return min(around, key=lambda one: one[1].end - one[1].start, default=None)

    def with_edits(self, edits: Sequence[Edit]) -> str | None:
        """The text with edits that do not touch each other; None where a table would break."""
        edits = sorted(edits, key=lambda edit: edit.at)
        tables = refit_tables(self.source, [(e.at, e.new) for e in edits], self.format)
        if tables is None:
            return None
        parts, done = [], 0
        for start, end, new in _merge_edits(self.source, edits, tables):
            parts += [self.source.text[done:start], new]
            done = end
        return "".join(parts) + self.source.text[done:]

    def read_with(self, edits: Sequence[Edit]) -> "Editable | None":
        """The document with the edits; None unless it is the same but for the words edited."""
        text, new = self.with_edits(edits), None
        if text is not None:
            with suppress(DocumentError):
                new = Editable.of(text, self.document.path)
        edited = [
            Edited(
                e.quote,
                e.words,
                self.source.place(e.at.start).line,
                self.source.place(e.at.end).line,
            )
            for e in edits
        ]
        return new if new and is_kept(self.document, new.document, edited) else None

    def _stretch(self, span: Span) -> Stretch | None:
        start = self.source.offset(span.line, span.column)
        end = self.source.offset(span.end_line, span.end_column)
        return None if start is None or end is None else Stretch(start, end)


def edit_for(document: Editable, finding: Finding) -> Edit | str | None:
    """The edit of a finding, why there is none, or None where it is made already.

    Args:
        document: As it stands now.
        finding: One that suggests something.
    """
    source, format = document.source, document.format
    at = source.find(finding)
    if at is None:
        return "the source does not say this there (any more)"
    quote = plain(source.text[at.start : at.end], format)
    new = _strip_markup(finding.suggestion or "")
    if quote == new:
        return None
    label = document.label_at(at)
    if why := objection(quote, new, _surroundings(document, at, label)):
        return why
    row = source.place(at.start).line - 1
    replacement = _replacement(
        document, at, new, label, in_table=format == "markdown" and in_markdown_table(source, row)
    )
    if isinstance(replacement, str):
        return replacement
    where, text = replacement
    fitted = place_words(source, where, text)
    if fitted is None:
        return "its lines in the table have no room for it"
    if fitted.new == source.text[fitted.at.start : fitted.at.end]:
        return None
    return Edit(fitted.at, fitted.new, finding, quote, new)


def _strip_markup(suggestion: str) -> str:
    """On one line, without markup around the whole of it."""
    folded = " ".join(suggestion.split())
    marked = _MARKED.fullmatch(folded)
    return marked["words"] if marked else folded


def _replacement(
    document: Editable,
    at: Stretch,
    new: str,
    label: tuple[Inline, Stretch] | None,
    *,
    in_table: bool,
) -> tuple[Stretch, str] | str:
    """What stands where then, in the document's markup; or why it cannot."""
    source, format = document.source, document.format
    there = label[1] if label else at
    around = wrapping_of(source, there, format)
    parts = parts_of(new)
    is_label = label is not None and label[0].role in _LABELS
    if len(parts) < 2 or not is_label or label is None:
        text = escape_markup(new, format, around, in_table=in_table)
        return (at, text) if text is not None else "it cannot be written in this markup"
    inline = label[0]
    style = style_of(source, format, inline, there)
    if style is not None:
        if at != there and _stands_before(inline, source, there, at, parts[0], format):
            return "the path has its first entry there already"
    else:
        style = path_style(source, format, document.inlines, around)
    inner = style.around if style.around.opening else around
    texts = [escape_markup(part, format, inner, in_table=in_table) for part in parts]
    if None in texts:
        return "it cannot be written in this markup"
    text = style.join(filter(None, texts))
    if style.around in (around, Wrapping("", "")) or at != there:
        return at, text
    hull = Stretch(at.start - len(around.opening), at.end + len(around.closing))
    return hull, f"{style.around.opening}{text}{style.around.closing}"


def _stands_before(
    inline: Inline, source: SourceText, there: Stretch, at: Stretch, first: str, format: str
) -> bool:
    """Whether the entry before this one of the path is the first of the suggested ones."""
    before = parts_of(plain(source.text[there.start : at.start], format).rstrip("->→ "))
    return bool(inline.parts) and before[-1].casefold() == first.casefold()


def _surroundings(
    document: Editable, at: Stretch, label: tuple[Inline, Stretch] | None
) -> Surroundings:
    source = document.source
    first, last = source.place(at.start), source.place(at.end)
    row = source.starts[first.line - 1]
    rest = source.line(last.line)[at.end - source.starts[last.line - 1] :]
    return Surroundings(
        is_label=label is not None,
        is_sentence=label is None
        and any(at.start <= one.start and one.end <= at.end for one in document.sentences),
        before=plain(source.text[row : at.start], document.format),
        after=plain(rest, document.format),
    )


def _merge_edits(
    source: SourceText, edits: Iterable[Edit], tables: dict[int, str]
) -> Iterator[tuple[int, int, str]]:
    """What is replaced by what, in the order of the text: whole lines in tables."""
    changes = [
        (edit.at.start, edit.at.end, edit.new)
        for edit in edits
        if source.place(edit.at.start).line - 1 not in tables
    ]
    for line, text in tables.items():
        start = source.starts[line]
        old = source.line(line + 1)
        if text != old:
            changes.append((start, start + len(old), text))
    yield from sorted(changes)


def _walk(node: object, kind: type[_T]) -> Iterator[_T]:
    if isinstance(node, kind):
        yield node
    if isinstance(node, tuple):
        for one in node:
            yield from _walk(one, kind)
    elif is_dataclass(node) and not isinstance(node, Span):
        for one in fields(node):
            yield from _walk(getattr(node, one.name), kind)


_SPACE = re.compile(r"(?<=\S) (?=\S)")
_CJK_GAP = re.compile(rf"(?<=[{CJK}])(?=[{CJK}])")
_REST = re.compile(r"[^\s|]*(?P<space> )(?=\S)")


class Placed(NamedTuple):
    """What stands in the source instead of which characters."""

    at: Stretch
    new: str


def place_words(source: SourceText, at: Stretch, new: str) -> Placed | None:
    """The new words in the lines of the old ones; None where a table has no room for that.

    A line break between old words is kept at the nearest gap between new ones; where there is none,
    behind what follows on the last line.
    """
    breaks = list(BREAK.finditer(source.text[at.start : at.end]))
    done, text, taken = 0, "", 0
    for number, match in enumerate(breaks):
        target = max(match.start() - taken, done)
        taken += len(match.group()) - 1
        gap = _nearest(new, done, target)
        if gap is None:
            return _after(source, at, text + new[done:], [m.group() for m in breaks[number:]])
        start, end = gap
        text += new[done:start] + match.group()
        done = end
    return Placed(at, text + new[done:])


def _nearest(new: str, done: int, target: int) -> tuple[int, int] | None:
    spaces = [m.span() for m in _SPACE.finditer(new, done)]
    gaps = spaces or [m.span() for m in _CJK_GAP.finditer(new, done + 1)]
    return min(gaps, key=lambda gap: abs(gap[0] - target), default=None)


def _after(source: SourceText, at: Stretch, text: str, left: list[str]) -> Placed | None:
    """With the breaks that had no room in it behind the words that follow."""
    if any("|" in one for one in left):
        return None  # each line of a cell stands where it stands
    rest = _REST.match(source.text, at.end)
    if rest is None or not text.strip():
        return Placed(at, text)
    break_ = left[-1].lstrip(" \t")
    return Placed(Stretch(at.start, rest.end()), text + rest.group()[:-1] + break_)

"""From a finding to the smallest edit of its document, in the document's own style."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property, lru_cache
from pathlib import PurePath
from typing import NamedTuple, TypeVar

from appliance.core.errors import DocumentError
from appliance.core.procedure import Document, Inline, InlineRole, Sentence
from appliance.core.result import Finding
from appliance.core.source import Span
from appliance.documents._text import CJK
from appliance.documents.editing.held import Edited, is_same_document
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
_PICTURE = re.compile(r"(?<![\w:]):[a-z][\w-]*\{[^{}\n]*\}|!\[[^\[\]\n]*\]\(|<img\b[^<>]*>")
_MARKED = re.compile(r"(?:\*\*|:\w+:`|`{1,2})(?P<words>[^*`]+)(?:\*\*|`{1,2})")
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Edit:
    """One replacement in a document."""

    at: Stretch
    new: str
    """Replacement text with its markup."""
    finding: Finding
    quote: str
    """The replaced words as a reader sees them."""
    words: str
    """The new words as a reader sees them."""


@dataclass(frozen=True)  # without slots: `cached_property` needs a dictionary
class Editable:
    """A document's text and how it is read."""

    source: SourceText
    document: Document

    @classmethod
    @lru_cache(maxsize=16)
    def of(cls, text: str, path: str) -> "Editable | None":
        """Parse a text; None if its suffix is not that of a known format.

        The last few are kept: pages and trials ask for one with and without edits again and again.

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
        """All marked texts of its procedures."""
        inlines = (
            (inline, at)
            for inline in _walk(self.document.all_procedures, Inline)
            if (at := self._stretch(inline.span)) is not None
        )
        return tuple(dict(((i.role, at), (i, at)) for i, at in inlines).values())

    @cached_property
    def sentences(self) -> tuple[Stretch, ...]:
        """The stretches of its sentences."""
        stretches = (self._stretch(s.span) for s in _walk(self.document.all_procedures, Sentence))
        return tuple(at for at in stretches if at is not None)

    def label_at(self, stretch: Stretch) -> tuple[Inline, Stretch] | None:
        """The narrowest marked text around a stretch."""
        around = [
            (inline, label_at)
            for inline, label_at in self.inlines
            if label_at.start <= stretch.start and stretch.end <= label_at.end
        ]
        return min(
            around, key=lambda candidate: candidate[1].end - candidate[1].start, default=None
        )

    def with_edits(self, edits: Sequence[Edit]) -> str | None:
        """The text with non-overlapping edits applied; None if a table would break."""
        edits = sorted(edits, key=lambda edit: edit.at)
        tables = refit_tables(self.source, [(e.at, e.new) for e in edits], self.format)
        if tables is None:
            return None
        parts, position = [], 0
        for start, end, new in _merge_edits(self.source, edits, tables):
            parts += [self.source.text[position:start], new]
            position = end
        return "".join(parts) + self.source.text[position:]

    def read_with(self, edits: Sequence[Edit]) -> "Editable | None":
        """The edited document; None if anything but the edited words would change."""
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
        return new if new and is_same_document(self.document, new.document, edited) else None

    def _stretch(self, span: Span) -> Stretch | None:
        start = self.source.offset(span.line, span.column)
        end = self.source.offset(span.end_line, span.end_column)
        return None if start is None or end is None else Stretch(start, end)


def edit_for(document: Editable, finding: Finding) -> Edit | str | None:
    """The edit for a finding, the reason why there is none, or None if it is already made.

    Args:
        document: The document in its present state.
        finding: A finding with a suggestion.
    """
    source, format = document.source, document.format
    at = source.find(finding)
    if at is None:
        return "the source does not say this there (any more)"
    if _is_in_picture(source, at):
        return "it is what the markup of a picture says"
    quote = plain(source.text[at.start : at.end], format)
    new = _strip_markup(finding.suggestion or "")
    if quote == new:
        return None
    label = document.label_at(at)
    if reason := objection(quote, new, _surroundings(document, at, label)):
        return reason
    row = source.place(at.start).line - 1
    replacement = _replacement(
        document, at, new, label, in_table=format == "markdown" and in_markdown_table(source, row)
    )
    if isinstance(replacement, str):
        return replacement
    stretch, text = replacement
    fitted = place_words(source, stretch, text)
    if fitted is None:
        return "its lines in the table have no room for it"
    if fitted.new == source.text[fitted.at.start : fitted.at.end]:
        return None
    return Edit(fitted.at, fitted.new, finding, quote, new)


def _is_in_picture(source: SourceText, at: Stretch) -> bool:
    """Whether the words are the name of an icon or what stands for an image, where no label can."""
    place = source.place(at.start)
    begins = source.starts[place.line - 1]
    pictures = _PICTURE.finditer(source.line(place.line))
    return any(
        begins + picture.start() < at.start and at.end < begins + picture.end()
        for picture in pictures
    )


def _strip_markup(suggestion: str) -> str:
    """Fold a suggestion to one line, without markup around all of it."""
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
    """The stretch to replace and its new text in the document's markup, or why it cannot be."""
    source, format = document.source, document.format
    label_stretch = label[1] if label else at
    wrapping = wrapping_of(source, label_stretch, format)
    parts = parts_of(new)
    is_label = label is not None and label[0].role in _LABELS
    if len(parts) < 2 or not is_label or label is None:
        text = escape_markup(new, format, wrapping, in_table=in_table)
        return (at, text) if text is not None else "it cannot be written in this markup"
    inline = label[0]
    style = style_of(source, format, inline, label_stretch)
    if style is not None:
        if at != label_stretch and _stands_before(
            inline, source, label_stretch, at, parts[0], format
        ):
            return "the path has its first entry there already"
    else:
        style = path_style(source, format, document.inlines, wrapping)
    inner = style.around if style.around.opening else wrapping
    texts = [escape_markup(part, format, inner, in_table=in_table) for part in parts]
    if None in texts:
        return "it cannot be written in this markup"
    text = style.join(filter(None, texts))
    if style.around in (wrapping, Wrapping("", "")) or at != label_stretch:
        return at, text
    hull = Stretch(at.start - len(wrapping.opening), at.end + len(wrapping.closing))
    return hull, f"{style.around.opening}{text}{style.around.closing}"


def _stands_before(
    inline: Inline, source: SourceText, there: Stretch, at: Stretch, first: str, format: str
) -> bool:
    """Whether the path entry before this one already is the first suggested entry."""
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
        and any(
            at.start <= sentence.start and sentence.end <= at.end for sentence in document.sentences
        ),
        before=plain(source.text[row : at.start], document.format),
        after=plain(rest, document.format),
    )


def _merge_edits(
    source: SourceText, edits: Iterable[Edit], tables: dict[int, str]
) -> Iterator[tuple[int, int, str]]:
    """The replacements in text order; in tables, whole lines."""
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
        for child in node:
            yield from _walk(child, kind)
    elif is_dataclass(node) and not isinstance(node, Span):
        for child in fields(node):
            yield from _walk(getattr(node, child.name), kind)


_SPACE = re.compile(r"(?<=\S) (?=\S)")
_CJK_GAP = re.compile(rf"(?<=[{CJK}])(?=[{CJK}])")
_REST = re.compile(r"[^\s|]*(?P<space> )(?=\S)")


class Placement(NamedTuple):
    """A stretch of the source and the text that replaces it."""

    at: Stretch
    new: str


def place_words(source: SourceText, at: Stretch, new: str) -> Placement | None:
    """Fit new words into the lines of the old ones; None if a table has no room for them.

    A line break between old words moves to the nearest gap between new ones, or, if there is none,
    after the words that follow on the last line.
    """
    breaks = list(BREAK.finditer(source.text[at.start : at.end]))
    position, text, break_length = 0, "", 0
    for number, match in enumerate(breaks):
        wanted_at = max(match.start() - break_length, position)
        break_length += len(match.group()) - 1
        gap = _nearest_gap(new, position, wanted_at)
        if gap is None:
            return _with_breaks_after(
                source, at, text + new[position:], [m.group() for m in breaks[number:]]
            )
        start, end = gap
        text += new[position:start] + match.group()
        position = end
    return Placement(at, text + new[position:])


def _nearest_gap(new: str, position: int, target: int) -> tuple[int, int] | None:
    spaces = [m.span() for m in _SPACE.finditer(new, position)]
    gaps = spaces or [m.span() for m in _CJK_GAP.finditer(new, position + 1)]
    return min(gaps, key=lambda gap: abs(gap[0] - target), default=None)


def _with_breaks_after(
    source: SourceText, at: Stretch, text: str, remaining_breaks: list[str]
) -> Placement | None:
    """Put the remaining line breaks after the words that follow the new text."""
    if any("|" in gap for gap in remaining_breaks):
        return None  # lines of a cell cannot move
    rest = _REST.match(source.text, at.end)
    if rest is None or not text.strip():
        return Placement(at, text)
    break_ = remaining_breaks[-1].lstrip(" \t")
    return Placement(Stretch(at.start, rest.end()), text + rest.group()[:-1] + break_)

"""Split text into sentences."""

import re
from collections.abc import Iterator
from dataclasses import replace

from appliance.core.procedure import Inline, InlineRole, Sentence
from appliance.documents._limits import MAX_SENTENCE, TooMuch
from appliance.documents._source import Source
from appliance.documents._text import Mark, RichText

_END = re.compile(
    r"[。！？；]+[”’」』）】)\"]*"
    r"|[.!?]+[)\]\"'”’]*(?=\s|$)"
)
_ABBREVIATION = re.compile(
    r"(?:e\.?g|i\.?e|etc|vs|cf|approx|resp|incl|no|nos|fig|figs|sec|ver|dr|mr|mrs|ms|inc|ltd|co|corp"
    r"|dept|min|max|st|est|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|(?:[a-z]\.)+[a-z]|\d+)\.",
    re.I,
)
# After these a full stop does end a sentence when a capital letter follows.
_MAY_END = re.compile(r"(?:etc|inc|ltd|co|corp|no|max|min|mar|may|\d+)\.", re.I)
_BEFORE_WORD = re.compile(r"[\s(\[]")
_SECOND_WORD = re.compile(r"\s*\S+\s+(?=\S)")
_NOT_SPACE = re.compile(r"\S")
_OPENERS = "(（["
_CLOSERS = ")）]"
_UNSPLIT_ROLES = (InlineRole.LITERAL, InlineRole.COMMAND, InlineRole.KEY)


def sentences(text: RichText, source: Source) -> tuple[Sentence, ...]:
    """The sentences of a text; a paragraph that ends in a colon is one."""
    return tuple(sentence(part, source) for part in split(text))


def split_or_nothing(text: RichText) -> list[RichText]:
    """As `split`, but empty if a sentence is too long: no procedure depends on such a text."""
    try:
        return split(text)
    except TooMuch:
        return []


def split(text: RichText) -> list[RichText]:
    """The text, cut into sentences.

    Raises:
        TooMuch: One is too long to be a sentence.
    """
    if not _END.search(text.text) and len(text.text) <= MAX_SENTENCE:
        sentence_text = text.cut(0, len(text.text))
        return [sentence_text] if sentence_text.text else []
    parts = []
    start = 0
    marks = iter((*text.marks, None))
    next_mark = next(marks)
    open_marks: list[Mark] = []
    for end in _Ends(text).offsets():
        if end - start > MAX_SENTENCE:
            raise TooMuch(
                text.offsets[start],
                f"a sentence of more than {MAX_SENTENCE:,} characters: no more are read; end it"
                " with a full stop, or break the paragraph up",
            )
        while next_mark is not None and next_mark.start < end:
            open_marks.append(next_mark)
            next_mark = next(marks)
        part = replace(text, marks=tuple(open_marks)).cut(start, end)
        if part.text:
            parts.append(part)
        open_marks = [m for m in open_marks if m.end > end]
        start = end
    return parts


class _Ends:
    """Finds the ends of sentences in a single pass over the text."""

    def __init__(self, text: RichText) -> None:
        self._rich, self._text = text, text.text
        self._last_closer = max(self._text.rfind(c) for c in _CLOSERS)
        second = _SECOND_WORD.match(self._text)
        self._second_word = second.end() if second else len(self._text)
        self._depth = self._behind = 0

    def offsets(self) -> Iterator[int]:
        """The offset just after each sentence."""
        for match in _END.finditer(self._text):
            stretch = self._text[self._behind : match.end()]
            self._depth += sum(map(stretch.count, _OPENERS)) - sum(map(stretch.count, _CLOSERS))
            if match.end() < len(self._text) and self._is_end(match):
                yield match.end()
            self._behind = match.end()
        yield len(self._text)

    def _is_end(self, match: re.Match[str]) -> bool:
        mark = self._rich.mark_at(match.start())
        if mark is not None and mark.end > match.end():
            return False  # inside a label or literal
        if mark is not None and mark.role in _UNSPLIT_ROLES and mark.end > match.start():
            return False
        if self._depth > 0 and self._last_closer >= match.end():
            return False  # in a parenthesis that is closed at all
        if match.group()[0] in "。！？；":
            return True
        next_character = _NOT_SPACE.search(self._text, match.end())
        following = next_character.group() if next_character else ""
        starts_sentence = not following.islower() or self._rich.mark_at(match.end() + 1) is not None
        last_mark = self._rich.mark_at(match.start() - 1)
        is_value = last_mark is not None and last_mark.role in _UNSPLIT_ROLES
        if match.group() == "." and not is_value:
            word = self._word(match)
            if _ABBREVIATION.fullmatch(word):
                is_complete = self._second_word < match.end()
                return bool(_MAY_END.fullmatch(word)) and following.isupper() and is_complete
        return starts_sentence

    def _word(self, match: re.Match[str]) -> str:
        """The word that ends with the match, if it begins the text or follows a space."""
        word_starts = [
            m.end() for m in _BEFORE_WORD.finditer(self._text, self._behind, match.start())
        ]
        start = word_starts[-1] if word_starts else self._behind
        is_word = start == 0 or _BEFORE_WORD.match(self._text, start - 1)
        return self._text[start : match.end()] if is_word else ""


def sentence(text: RichText, source: Source) -> Sentence:
    """One sentence."""
    start = text.start
    return Sentence(
        text=text.text,
        span=source.span(start, text.end),
        inlines=tuple(inline(m, text, source) for m in text.marks),
        verbatim=next(
            (n for n, offset in enumerate(text.offsets) if offset != start + n), len(text.offsets)
        ),
    )


def inline(mark: Mark, text: RichText, source: Source) -> Inline:
    """A marked stretch of a sentence."""
    return Inline(
        role=mark.role,
        text=text.text[mark.start : mark.end],
        start=mark.start,
        end=mark.end,
        span=source.span(text.offsets[mark.start], text.offsets[mark.end - 1] + 1),
        target=mark.target,
        parts=mark.parts,
    )


def label(text: RichText, source: Source) -> Inline:
    """A whole text taken as a UI label."""
    return inline(Mark(InlineRole.UI_LABEL, 0, len(text.text)), text, source)

"""Text to sentences."""

import re
from collections.abc import Iterator

from appliance.core.procedure import Inline, InlineRole, Sentence
from appliance.documents._source import Source
from appliance.documents._text import Mark, RichText

_END = re.compile(
    r"[。！？；]+[”’」』）】)\"]*"
    r"|[.!?]+[)\]\"'”’]*(?=\s|$)"
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[])(?:e\.?g|i\.?e|etc|vs|cf|approx|resp|incl|no|nos|fig|figs|sec|ver|dr|mr|mrs|ms|inc|ltd|co|corp"
    r"|dept|min|max|st|est|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|(?:[a-z]\.)+[a-z]|\d+)\.$",
    re.I,
)
# After these a full stop does end a sentence when a capital letter follows.
_MAY_END = re.compile(r"(?:^|[\s(\[])(?:etc|inc|ltd|co|corp|no|max|min|mar|may|\d+)\.$", re.I)
_OPENERS = {"(": ")", "（": "）", "[": "]"}
_WHOLE = (InlineRole.LITERAL, InlineRole.COMMAND, InlineRole.KEY)


def sentences(text: RichText, source: Source) -> tuple[Sentence, ...]:
    """The sentences of a text; a paragraph that ends in a colon is one."""
    return tuple(sentence(part, source) for part in split(text))


def split(text: RichText) -> list[RichText]:
    """The text, cut into sentences."""
    parts = []
    start = 0
    for end in _ends(text):
        part = text.cut(start, end)
        if part.text:
            parts.append(part)
        start = end
    return parts


def _ends(text: RichText) -> Iterator[int]:
    for match in _END.finditer(text.text):
        if match.end() < len(text.text) and _is_end(text, match):
            yield match.end()
    yield len(text.text)


def _is_end(text: RichText, match: re.Match[str]) -> bool:
    mark = text.mark_at(match.start())
    if mark is not None and mark.end > match.end():
        return False  # inside a label or literal
    if mark is not None and mark.role in _WHOLE and mark.end > match.start():
        return False
    if _depth(text.text[: match.end()]) > 0 and _closes(text.text[match.end() :]):
        return False
    if match.group()[0] in "。！？；":
        return True
    before, after = text.text[: match.end()], text.text[match.end() :].lstrip()
    is_new = not after[:1].islower() or text.mark_at(match.end() + 1) is not None
    is_value = (last := text.mark_at(match.start() - 1)) is not None and last.role in _WHOLE
    if match.group() == "." and not is_value and _ABBREVIATION.search(before):
        return bool(_MAY_END.search(before)) and after[:1].isupper() and len(before.split()) > 1
    return is_new


def _depth(text: str) -> int:
    return sum(text.count(o) - text.count(c) for o, c in _OPENERS.items())


def _closes(rest: str) -> bool:
    """Whether an open parenthesis is closed at all."""
    return any(c in rest for c in _OPENERS.values())


def sentence(text: RichText, source: Source) -> Sentence:
    """One sentence."""
    return Sentence(
        text=text.text,
        span=source.span(text.start, text.end),
        inlines=tuple(inline(m, text, source) for m in text.marks),
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

"""What changes between two texts, word by word; Chinese character by character."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from enum import StrEnum
from typing import NamedTuple

# A word, a run of white space, or one character of anything else (an ideograph, a sign).
_TOKENS = re.compile(r"[A-Za-z0-9À-ɏ_]+|\s+|.", re.DOTALL)
_ALIKE = 0.4
"""Share of tokens in common below which one text in place of the other reads better."""


class WordChange(StrEnum):
    """Whether a stretch is kept, removed or added."""

    SAME = "same"
    OLD = "old"  # goes
    NEW = "new"  # comes


class Stretch(NamedTuple):
    """Consecutive words with the same change."""

    change: WordChange
    text: str


def word_diff(old: str, new: str) -> tuple[Stretch, ...]:
    """The stretches in reading order: what goes stands before what comes in its place."""
    return tuple(_join_spaces(_stretches(old, new)))


def _stretches(old: str, new: str) -> Iterator[Stretch]:
    a, b = _TOKENS.findall(old), _TOKENS.findall(new)
    matcher = SequenceMatcher(lambda token: token.isspace(), a, b, autojunk=False)
    if matcher.ratio() < _ALIKE:
        yield Stretch(WordChange.OLD, old)
        yield Stretch(WordChange.NEW, new)
        return
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag == "equal":
            yield Stretch(WordChange.SAME, "".join(a[i:j]))
        else:
            yield Stretch(WordChange.OLD, "".join(a[i:j]))
            yield Stretch(WordChange.NEW, "".join(b[k:m]))


def _join_spaces(stretches: Iterator[Stretch]) -> Iterator[Stretch]:
    """Single spaces between two changes belong to them: `a b` is one change, not two."""
    old = new = ""
    held = ""
    for change, text in stretches:
        if change is WordChange.SAME and text.isspace() and (old or new):
            held += text
        elif change is WordChange.SAME:
            yield from _flush(old, new)
            if held:
                yield Stretch(WordChange.SAME, held)
            old = new = held = ""
            yield Stretch(change, text)
        else:
            if text:
                old, new, held = old + held, new + held, ""
            if change is WordChange.OLD:
                old += text
            else:
                new += text
    yield from _flush(old, new)
    if held:
        yield Stretch(WordChange.SAME, held)


def _flush(old: str, new: str) -> Iterator[Stretch]:
    if old:
        yield Stretch(WordChange.OLD, old)
    if new:
        yield Stretch(WordChange.NEW, new)

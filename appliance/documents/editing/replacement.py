"""Decide whether a suggestion can replace the quote, or is a remark to a person."""

import re
from dataclasses import dataclass

from appliance.documents._language import is_instruction

_ITEM = re.compile(r"\s*(?:\d{1,3}[.)、]|#\.|[-*+•])\s")
_ENDS = re.compile(r"(?<![.。…])[.!?。！？；]$")
_INNER_END = re.compile(r"[a-z\u4e00-\u9fff)][.!?]\s+[A-Z]|[。！？](?=.)")
_QUOTES = re.compile(r"[\"“”「」【】]|(?<!\w)'|'(?!\w)")
_NEVER_A_LABEL = re.compile(
    r"(?:(?:double-|right-)?click|press|tap|go to|navigate|scroll|hover|it is|it's|there (?:is|are)"
    r"|instead|no longer|now called|should (?:be|say))\b"
    r"|点击|单击|双击|右击|按下|依次|应为|改为|已改名",
    re.I,
)
_IN_LOWER_CASE = re.compile(
    r"(?:the|an?|choose|select|open|use|type|enter|find|look|see|leave|remove|replace|delete|say"
    r"|write|add|mention|rename|change|this|now|not|skip)\b"
)
_WORD = re.compile(r"[^\W_]{3,}")
_MOST_WORDS, _MOST_CHARS = 12, 90
"""Longest label."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The surroundings of the quote."""

    is_label: bool
    """Whether it is marked as a label, value or path."""
    is_sentence: bool
    """Whether it is a whole sentence."""
    before: str
    """The plain words before it on its line."""
    after: str


def objection(quote: str, suggestion: str, there: Surroundings) -> str:
    """Why the suggestion cannot replace the quote; empty if it can.

    Args:
        quote: Without markup.
        suggestion: Without markup.
        there: Surroundings of the quote.
    """
    if _ITEM.match(suggestion) and not _ITEM.match(quote):
        return "the suggestion is an item of a list"
    if bool(_ENDS.search(suggestion)) != bool(_ENDS.search(quote)):
        return "of quote and suggestion only one is a sentence"
    if _INNER_END.search(suggestion) and not _INNER_END.search(quote):
        return "the suggestion is more than a sentence"
    if there.is_sentence and is_instruction(quote) != is_instruction(suggestion):
        return "of quote and suggestion only one is an instruction"
    if not there.is_sentence and _is_remark(quote, suggestion):
        return "the suggestion says what to do, and not what stands there"
    if there.is_label and _is_long(suggestion) and not _is_long(quote):
        return "the suggestion is too long for a label"
    if _repeats_neighbour(quote, suggestion, there):
        return "the suggestion repeats words that stand beside the quote"
    return ""


def _is_remark(quote: str, suggestion: str) -> bool:
    """Whether the suggestion is an instruction or a remark instead of a label."""
    if _NEVER_A_LABEL.match(suggestion) and not _NEVER_A_LABEL.match(quote):
        return True
    lead = _IN_LOWER_CASE.match(suggestion)
    if lead and quote[:1].isupper():
        return True
    return bool(_QUOTES.search(suggestion)) and not _QUOTES.search(quote)


def _is_long(text: str) -> bool:
    return len(text.split()) > _MOST_WORDS or len(text) > _MOST_CHARS


def _repeats_neighbour(quote: str, suggestion: str, there: Surroundings) -> bool:
    """Whether words would be doubled: `press press Add`, `the Hosted zones tab tab`."""
    before = _WORD.findall(there.before.casefold())[-1:]
    after = _WORD.findall(there.after.casefold())[:1]
    old, new = _WORD.findall(quote.casefold()), _WORD.findall(suggestion.casefold())
    if not new or len(new) < 2:
        return False
    is_before = before == new[:1] != old[:1] and there.before.rstrip().casefold().endswith(new[0])
    is_after = after == new[-1:] != old[-1:] and there.after.lstrip().casefold().startswith(new[-1])
    return is_before or is_after

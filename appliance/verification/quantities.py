"""Compares figures with units in two texts about the same thing.

Only like is held against like: the same unit, one figure of that unit in each, both exact, both the
same bound, or one beyond the other's bound. Roundings, examples and ranges contradict nothing.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from appliance.language.names import words

_NUMBER_WORDS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "twelve": 12, "sixteen": 16, "twenty": 20, "fifty": 50, "hundred": 100,
    "一": 1, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10,
}  # fmt: skip
_UNIT_SECONDS = {
    "s": 1, "second": 1, "秒": 1, "minute": 60, "分钟": 60, "hour": 3600, "小时": 3600,
    "day": 86400, "天": 86400, "日": 86400, "week": 604800, "周": 604800, "month": 2592000,
    "月": 2592000,
}  # fmt: skip
_SCALE = re.compile(r"(?P<prefix>[kmgtp]?)i?(?P<unit>b|bytes?|bits?|bps)", re.IGNORECASE)
_THOUSANDS = "kmgtp"
_UNIT_STOP = (
    r"(?:and|or|to|for|of|with|in|on|at|by|from|that|which|is|are|can|will|per|an?|each|every)\b"
)
_FIGURE = re.compile(
    r"(?P<zhper>每(?:秒|分钟|小时|天|日|周|月))?[^\d,;.，；。]{0,8}?"
    r"(?P<bound>\b(?:up to|at most|no more than|a maximum of|max\.?)|最多|至多|不超过"
    r"|\b(?:at least|no less than|a minimum of|min\.?|more than|from|starting at)"
    r"|至少|不少于|超过)?"
    rf"\s*(?<![\w.,:/-])(?P<number>\d{{1,3}}(?:,\d{{3}})+|\d+(?:\.\d+)?|(?:{'|'.join(_NUMBER_WORDS)})(?![a-z]))"
    r"(?![\d.,:]*\d)"
    rf"(?P<unit>(?:[ -]?(?!{_UNIT_STOP})(?:[a-z%]+|[\u4e00-\u9fff]{{1,8}})){{0,3}})"
    r"(?:\s*(?:/|\b(?:an?|per|each|every)\s)\s*(?P<per>s|second|minute|hour|day|week|month)\b)?"
    r"(?P<range>\s*(?:to|[-–~～至到])\s*\d)?",
    re.IGNORECASE,
)
_UPPER_BOUND = re.compile(r"up|most|no more|max|最多|至多|不超过", re.IGNORECASE)
_EXAMPLE = re.compile(
    r"\b(?:for example|for instance|e\.g|such as|say)\b|例如|比如|譬如", re.IGNORECASE
)
_ROUNDING = 1.25
"""Factor within which two figures may be the same: GB and GiB, "about"."""


_MEASURE_UNITS = frozenset({"byte", "bit", "%", *_UNIT_SECONDS})
_IMPLIED_WORDS = frozenset(
    {"memory", "ram", "内存", "it", "the", "of", "a", "an", "for", "is", "has", "with"}
)
"""Words that the other text may leave out beside a measure."""
_CLAUSE_ENDS = re.compile(r"[,;.，；。]|\band\b|[和与]", re.IGNORECASE)


class _Figure(NamedTuple):
    number: float
    unit: frozenset[str]
    bound: str
    is_rate: bool
    clause_words: frozenset[str]
    """Other words of its clause, if the unit alone does not say what is counted."""

    def is_like(self, other: "_Figure") -> bool:
        return bool(self.unit & other.unit) and self.is_rate == other.is_rate


def differ(text: str, shown: str) -> bool:
    """Whether the text and `shown` have different figures for the same thing."""
    if _EXAMPLE.search(text):
        return False
    text_figures, shown_figures = list(_figures(text)), list(_figures(shown))
    for shown_figure in shown_figures:
        alike_in_text = [other for other in text_figures if other.is_like(shown_figure)]
        alike_in_shown = [other for other in shown_figures if other.is_like(shown_figure)]
        if len(alike_in_text) == len(alike_in_shown) == 1 and _contradicts(
            alike_in_text[0], shown_figure, words(shown)
        ):
            return True
    return False


def _contradicts(text_figure: _Figure, shown_figure: _Figure, shown_words: frozenset[str]) -> bool:
    smaller, larger = sorted((text_figure.number, shown_figure.number))
    is_apart = (
        larger > smaller * _ROUNDING and text_figure.clause_words <= shown_words | _IMPLIED_WORDS
    )
    if text_figure.bound or not shown_figure.bound:
        return is_apart and text_figure.bound == shown_figure.bound
    return is_apart and (text_figure.number > shown_figure.number) is (shown_figure.bound == "most")


def _figures(text: str) -> Iterator[_Figure]:
    is_end_of_range = False
    for match in _FIGURE.finditer(text):
        was_in_range, is_end_of_range = is_end_of_range, match.group("range") is not None
        number, unit = _scaled(match)
        if was_in_range or is_end_of_range or not unit:
            continue
        per = match.group("per") or (match.group("zhper") or "").removeprefix("每")
        bound = (
            ""
            if not match.group("bound")
            else "most"
            if _UPPER_BOUND.match(match.group("bound"))
            else "least"
        )
        clause_words = _clause_words(text, match) if unit & _MEASURE_UNITS else frozenset[str]()
        yield _Figure(
            number / _UNIT_SECONDS.get(per.casefold(), 1), unit, bound, bool(per), clause_words
        )


def _clause_words(text: str, match: re.Match[str]) -> frozenset[str]:
    """The other words of a figure's clause."""
    words_before = _CLAUSE_ENDS.split(text[: match.start("number")])[-1]
    words_after = _CLAUSE_ENDS.split(text[match.end("unit") :])[0]
    return (
        words(words_before)
        | words(words_after)
        | (words(match.group("unit")) - {_first_unit_word(match)})
    )


def _first_unit_word(match: re.Match[str]) -> str:
    """The first word after the number."""
    return match.group("unit").strip(" -").casefold().split(" ")[0]


def _scaled(match: re.Match[str]) -> tuple[float, frozenset[str]]:
    digits = match.group("number").casefold()
    number = float(_NUMBER_WORDS.get(digits) or digits.replace(",", ""))
    unit = {word.removesuffix("s") for word in words(match.group("unit"))} - {""}
    if scale := _SCALE.fullmatch(_first_unit_word(match)):
        number *= 1024 ** (_THOUSANDS.find(scale.group("prefix") or " ") + 1)
        unit = {"bit" if scale.group("unit") in ("bit", "bits", "bps") else "byte"}
    return number, frozenset(unit)

"""Figures with a unit in two texts about the same thing: whether one says another figure.

Only like is held against like: the same unit, one figure of that unit in each, both exact, both the
same bound, or one beyond the other's bound. Roundings, examples and ranges contradict nothing.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from appliance.language.names import words

_COUNTS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "twelve": 12, "sixteen": 16, "twenty": 20, "fifty": 50, "hundred": 100,
    "一": 1, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10,
}  # fmt: skip
_PER_S = {
    "s": 1, "second": 1, "秒": 1, "minute": 60, "分钟": 60, "hour": 3600, "小时": 3600,
    "day": 86400, "天": 86400, "日": 86400, "week": 604800, "周": 604800, "month": 2592000,
    "月": 2592000,
}  # fmt: skip
_SCALE = re.compile(r"(?P<prefix>[kmgtp]?)i?(?P<unit>b|bytes?|bits?|bps)", re.IGNORECASE)
_THOUSANDS = "kmgtp"
_END = r"(?:and|or|to|for|of|with|in|on|at|by|from|that|which|is|are|can|will|per|an?|each|every)\b"
_FIGURE = re.compile(
    r"(?P<zhper>每(?:秒|分钟|小时|天|日|周|月))?[^\d,;.，；。]{0,8}?"
    r"(?P<bound>\b(?:up to|at most|no more than|a maximum of|max\.?)|最多|至多|不超过"
    r"|\b(?:at least|no less than|a minimum of|min\.?|more than|from|starting at)"
    r"|至少|不少于|超过)?"
    rf"\s*(?<![\w.,:/-])(?P<number>\d{{1,3}}(?:,\d{{3}})+|\d+(?:\.\d+)?|(?:{'|'.join(_COUNTS)})(?![a-z]))"
    r"(?![\d.,:]*\d)"
    rf"(?P<unit>(?:[ -]?(?!{_END})(?:[a-z%]+|[\u4e00-\u9fff]{{1,8}})){{0,3}})"
    r"(?:\s*(?:/|\b(?:an?|per|each|every)\s)\s*(?P<per>s|second|minute|hour|day|week|month)\b)?"
    r"(?P<range>\s*(?:to|[-–~～至到])\s*\d)?",
    re.IGNORECASE,
)
_MOST = re.compile(r"up|most|no more|max|最多|至多|不超过", re.IGNORECASE)
_EXAMPLE = re.compile(
    r"\b(?:for example|for instance|e\.g|such as|say)\b|例如|比如|譬如", re.IGNORECASE
)
_ROUNDING = 1.25
"""GB and GiB, "about": so much apart, two figures may be the same."""


_MEASURES = frozenset({"byte", "bit", "%", *_PER_S})
_UNSAID = frozenset(
    {"memory", "ram", "内存", "it", "the", "of", "a", "an", "for", "is", "has", "with"}
)
"""What a measure may be of without being called so."""
_CLAUSE_ENDS = re.compile(r"[,;.，；。]|\band\b|[和与]", re.IGNORECASE)


class _Figure(NamedTuple):
    number: float
    unit: frozenset[str]
    bound: str
    is_rate: bool
    around: frozenset[str]
    """Other words of its clause, where the unit alone does not tell what is counted."""

    def is_like(self, other: "_Figure") -> bool:
        return bool(self.unit & other.unit) and self.is_rate == other.is_rate


def differ(text: str, shown: str) -> bool:
    """Whether the text has another figure for something of which `shown` has one, too."""
    if _EXAMPLE.search(text):
        return False
    said, known = list(_figures(text)), list(_figures(shown))
    for one in known:
        mine = [other for other in said if other.is_like(one)]
        theirs = [other for other in known if other.is_like(one)]
        if len(mine) == len(theirs) == 1 and _is_another(mine[0], one, words(shown)):
            return True
    return False


def _is_another(said: _Figure, known: _Figure, shown: frozenset[str]) -> bool:
    least, most = sorted((said.number, known.number))
    is_apart = most > least * _ROUNDING and said.around <= shown | _UNSAID
    if said.bound or not known.bound:
        return is_apart and said.bound == known.bound
    return is_apart and (said.number > known.number) is (known.bound == "most")


def _figures(text: str) -> Iterator[_Figure]:
    is_end_of_range = False
    for m in _FIGURE.finditer(text):
        was_in_range, is_end_of_range = is_end_of_range, m.group("range") is not None
        number, unit = _scaled(m)
        if was_in_range or is_end_of_range or not unit:
            continue
        per = m.group("per") or (m.group("zhper") or "").removeprefix("每")
        bound = "" if not m.group("bound") else "most" if _MOST.match(m.group("bound")) else "least"
        around = _around(text, m) if unit & _MEASURES else frozenset[str]()
        yield _Figure(number / _PER_S.get(per.casefold(), 1), unit, bound, bool(per), around)


def _around(text: str, m: re.Match[str]) -> frozenset[str]:
    """The other words of its clause."""
    before = _CLAUSE_ENDS.split(text[: m.start("number")])[-1]
    after = _CLAUSE_ENDS.split(text[m.end("unit") :])[0]
    return words(before) | words(after) | (words(m.group("unit")) - {_first(m)})


def _first(m: re.Match[str]) -> str:
    """The first word behind the number."""
    return m.group("unit").strip(" -").casefold().split(" ")[0]


def _scaled(m: re.Match[str]) -> tuple[float, frozenset[str]]:
    said = m.group("number").casefold()
    number = float(_COUNTS.get(said) or said.replace(",", ""))
    unit = {word.removesuffix("s") for word in words(m.group("unit"))} - {""}
    if scale := _SCALE.fullmatch(_first(m)):
        number *= 1024 ** (_THOUSANDS.find(scale.group("prefix") or " ") + 1)
        unit = {"bit" if scale.group("unit") in ("bit", "bits", "bps") else "byte"}
    return number, frozenset(unit)

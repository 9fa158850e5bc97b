"""Reads facts about a field that marked words state: an option, a value, its section, its position."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from appliance.core.procedure import Inline, Sentence
from appliance.policy.literal.read.facts import Fact, FactKind, compile_all
from appliance.policy.literal.read.masking import LABEL, LITERAL, MARK, Masked, marked_words, mask

_FIELD = rf"(?P<field>{LABEL})"
_BOX = r"(?: field| list| box| drop-down(?: list)?)?"
_MARK = rf"(?P<mark>{MARK})"
_VALUE = rf"(?P<mark>{LITERAL})"
_THE = r"(?:the |a |an )?"


_PATTERNS = {
    FactKind.OFFERS: compile_all(
        rf"(?:^|\bthe ){_FIELD}{_BOX} (?:also |even )?(?:offers|supports|provides){' '}{_THE}{_MARK}",
        rf"(?:^|, )the list (?:also |even )?offers {_THE}{_MARK}",
        rf"{_MARK} is (?:also )?(?:offered|available|supported) (?:as|for|in|by) (?:the )?{_FIELD}",
        rf"^{_FIELD}(?:也|还)?(?:支持|提供|可以?选?择?)(?:选择)?{_MARK}",
    ),
    FactKind.TAKES: compile_all(
        rf"\b(?:enters?|uses?|types?|sets?) {_VALUE} (?:as|for|in) (?:the )?{_FIELD}",
        rf"{_VALUE} is (?:also )?(?:accepted|allowed|valid|possible) (?:as|for|in) (?:the )?{_FIELD}",
        rf"(?:^|(?<=\W))(?:\bthe )?{_FIELD}{_BOX} (?:also )?(?:accepts|takes|can be|may be) {_VALUE}",
        rf"(?:将|把)?{_FIELD}(?:也|还)?(?:可以?|支持|能)?(?:设置为|设为|填写|输入|使用){_VALUE}",
    ),
    FactKind.SECTION: compile_all(
        rf"{_FIELD}{_BOX} (?:stands|is|lies|is found|can be found|is located|appears)"
        rf" (?:in|under|below) the {_MARK} (?:section|group|area|part)\b",
        rf"{_FIELD}(?:位于|在){_MARK}(?:区域|部分|分组|区块)(?:中|内|下)?",
    ),
    FactKind.LAST: compile_all(
        rf"{_FIELD}{_BOX} is the last (?:field|entry|one)\b(?: of the form| in the form)?"
        r"(?:, at the bottom)?",
        rf"{_FIELD}(?:位于|在)表单的?(?:最下方|最底部|底部|末尾|最后)",
    ),
    FactKind.FIRST: compile_all(
        rf"{_FIELD}{_BOX} is the first (?:field|entry|one)\b(?: of the form| in the form)?"
        r"(?:, at the top)?",
        rf"{_FIELD}(?:位于|在)表单的?(?:最上方|最顶部|顶部|开头|最前)",
    ),
    FactKind.HOLDS: compile_all(
        rf"\bunless you change it, {_FIELD}{_BOX} is (?:set to )?(?P<n>\d+(?:\.\d+)?|{MARK})",
        rf"(?:如|若|如果)?不(?:做|作)?(?:修改|更改)，\s*{_FIELD}(?:则)?(?:为|是)\s*(?P<n>\d+(?:\.\d+)?|{MARK})",
        rf"^{_FIELD}(?:的)?默认(?:值)?(?:为|是)?\s*(?P<n>\d+(?:\.\d+)?|{MARK})",
    ),
    FactKind.BESIDE: compile_all(
        rf"^(?:also |then )?(?:fill in|complete|enter) (?:the )?(?P<mark>{LABEL}){_BOX} (?:as well|too)\b",
        rf"^请?同时(?:还)?(?:需要?)?填写(?P<mark>{LABEL})",
    ),
}  # fmt: skip
_DEPENDS = re.compile(
    r"\b(?:if|when|whenever|unless|only|not|never|no longer|cannot|until|some)\b(?! you change it)"
    r"|如果|(?<!如)若|(?<!适)当|仅|不能|不可|不支持|无法|时[，,]",
    re.IGNORECASE,
)
"""Words that limit a statement to some condition, or negate it."""


_NEGATION = re.compile(
    r"\b(?:not|never|no longer|cannot)\b|不能|不可|不支持|无法|不得", re.IGNORECASE
)
"""The limit for values: whether one is accepted does not depend on a condition."""


class MarkedFact(NamedTuple):
    """A fact, the field that it names (None for the field last spoken of), and its words."""

    fact: Fact
    field: Inline | None
    words: Inline


def marked_facts(sentence: Sentence) -> Iterator[MarkedFact]:
    """Read all facts that the marked words of a sentence state about fields."""
    masked = mask(sentence)
    text = re.sub(
        r"(?<=[\ue000-\ue2ff\u4e00-\u9fff]) (?=[\ue000-\ue2ff\u4e00-\u9fff])", "", masked.text
    )
    for kind, patterns in _PATTERNS.items():
        for m in (m for pattern in patterns for m in pattern.finditer(text)):
            exclusions = _NEGATION if kind is FactKind.TAKES else _DEPENDS
            if not exclusions.search(text[: m.end()]):
                yield _marked_fact(kind, m, masked)
                break


def _marked_fact(kind: FactKind, m: re.Match[str], masked: Masked) -> MarkedFact:
    groups = m.groupdict()
    field = masked.mark(groups["field"]) if groups.get("field") else None
    value = groups.get("mark") or groups.get("n") or ""
    if value and re.fullmatch(MARK, value):
        words = masked.mark(value)
    else:
        words = _plain_words(m, value, masked, field)
    fact = Fact(kind=kind, start=words.start, end=words.end, text=words.text)
    return MarkedFact(fact, field, words)


def _plain_words(m: re.Match[str], number: str, masked: Masked, field: Inline | None) -> Inline:
    """The unmarked words of a fact: a number, or all that follows the name of the field."""
    sentence = masked.sentence
    after_field = field.end if field is not None else 0
    if number:
        start = sentence.text.find(number, after_field)
        return marked_words(sentence, start, start + len(number))
    following = m.group().split(m.group("field"), 1)[-1].strip()
    start = sentence.text.find(following, after_field)
    return marked_words(sentence, start, start + len(following))

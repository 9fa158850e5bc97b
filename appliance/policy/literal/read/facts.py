"""What a sentence says of the values that a field takes: how long, which numbers and characters.

The same words are read in the text and on the page (help beside the field, its error), so that only
like is held against like. What is read is exact or nothing: "about 20 characters" is no limit.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

_NUMBER_WORDS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
]
_CLASSES = {
    "lower": r"lower-? ?case(?: latin| english)?(?: letters?)?|small letters?|小写(?:英文)?字母",
    "upper": r"upper-? ?case(?: latin| english)?(?: letters?)?|capital letters?|capitals"
    r"|大写(?:英文)?字母",
    "letter": r"(?:latin |english )?letters?|大小写(?:英文)?字母|(?:英文)?字母",
    "digit": r"digits?|numbers|numerals?|(?:阿拉伯)?数字",
    "alphanumeric": r"alphanumeric characters?|alphanumerics?",
    "hyphen": r"hyphens?|dashes|连字符|中划线|短横线|短划线",
    "underscore": r"underscores?|下划线",
    "dot": r"dots?|periods?|full stops?|(?:半角)?句点|(?:英文|半角)?句号|点号?",
    "space": r"spaces?|blanks?|空格",
    "slash": r"(?:forward )?slashes|斜杠|斜线",
    "chinese": r"chinese characters?|汉字|中文(?:字符)?",
}
"""Longer names come first, so that "lower-case letters" are not read as "letters"."""
_UNITS = (
    r"(?:[KMGTP]i?B|Mbit/s|Gbit/s|Mbps|Gbps|percent|%|days?|hours?|minutes?|seconds?|weeks?|months?"
    r"|years?|天|小时|分钟|秒|周|个月|年)(?![a-z])"
)
_ADVICE = re.compile(
    r"\b(?:usually|typically|normally|recommend\w*|suggest\w*|advis\w*|about|around|roughly"
    r"|approximately|for example|e\.g|such as|say|prefer\w*|better|best|should|enough|more than one"
    r"|preferably|ideally|average)\b"
    r"|建议|推荐|通常|一般|大约|左右|例如|比如|最好|如：",
    re.IGNORECASE,
)
"""Marks advice, to which neither the text nor the page is held."""
_BINDING = re.compile(
    r"\b(?:must|only|cannot|can't|may not|range|allowed|valid|permitted|limit\w*|minimum|maximum"
    r"|has to|have to|up to|at most|no more than)\b"
    r"|必须|只能|仅|不能|不得|不超过|取值|范围|最多|最大|最小|限制|支持",
    re.IGNORECASE,
)
_ASKS_FOR_ONE_VALUE = re.compile(
    r"^\W*(?:please )?(?:enter|type|specify|provide|give|use|choose|select|set|pick|change|assign|make"
    r"|add|define|fill|paste)\b|^\W*请?(?:输入|填写|使用|选择|设置|指定)",
    re.IGNORECASE,
)
"""Asks for one value, which does not rule out others unless the words say so."""
_REFUSED = re.compile(
    r"^\W*(?:is|are|will be) (?:not (?:possible|allowed|accepted|valid|permitted)|refused|rejected|invalid)",
    re.IGNORECASE,
)


class FactKind(StrEnum):
    """What a fact about a field is about."""

    LENGTH = "length"  # characters
    RANGE = "range"  # numbers
    CHARACTERS = "characters"
    BEGINNING = "beginning"
    ENDING = "ending"
    REQUIRED = "required"
    OPTIONAL = "optional"
    EMPTY = "empty"  # now, and may stay so
    OFFERS = "offers"  # an option
    TAKES = "takes"  # a value
    SECTION = "section"  # of the form
    FIRST = "first"  # in the form
    LAST = "last"  # in the form
    HOLDS = "holds"  # a default value
    BESIDE = "beside"  # another field to fill in as well


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One thing that a sentence says about a field."""

    kind: FactKind
    start: int
    end: int
    text: str
    least: float | None = None
    most: float | None = None
    unit: str = ""
    characters: frozenset[str] = frozenset()
    is_binding: bool = False
    """Whether the sentence rules out everything else."""

    @property
    def bounds(self) -> tuple[float | None, float | None]:
        """The least and the most value; None where there is no such bound."""
        return self.least, self.most


_NUMBER = rf"(?:\d{{1,3}}(?:,\d{{3}})+(?!\d)|\d+(?:\.\d+)?|\b(?:{'|'.join(_NUMBER_WORDS)})\b)"
_ANY_NUMBER = re.compile(_NUMBER, re.IGNORECASE)
_TO = r"\s*(?:to|and|through|[-–—~～]|到|至|和)\s*"
_CHARS = (
    r"\s*(?:(?:unicode |ascii |utf-8 )?(?:characters?|chars?)\b|letters? long\b|个?(?:英文)?字符)"
)
_LONG = r"(?: long\b| in length\b)?"
_NO = (
    r"(?P<no>\b(?:cannot|can't|must not|may not|can not|should not|is not|no|not|never)\b"
    r"(?: be| have| contain| exceed)? )?"
)
_THAN = r"(?P<cmp>more|longer|greater|larger|bigger|higher|fewer|less|shorter|smaller|lower) than "
_MOST = (
    r"(?:at most|up to|no more than|not more than|(?:a |the )?max(?:imum|\.)?(?: length)?(?: of| is|:)?"
    r"|(?:cannot|must not|may not|not|can't) exceed|not exceeding|limited to|"
    r"最多|至多|最长|最大(?:长度|值)?为?|不(?:能|得|可|要)?(?:超过|多于|长于|大于)|上限为?)"
    r"\s*(?:为|可输入|可包含|只能输入|只能|能|可以?|支持|包含|输入)?\s*"
)
_LEAST = (
    r"(?:at least|no fewer than|not fewer than|no less than|(?:a |the )?min(?:imum|\.)?(?: length)?(?: of| is|:)?"
    r"|至少|最少|最短|最小(?:长度)?为?|不(?:能|得|可)?(?:少于|小于|短于|低于))"
    r"\s*(?:为|包含|需要?|输入)?\s*"
)
_N, _N1, _N2 = rf"(?P<n>{_NUMBER})", rf"(?P<a>{_NUMBER})", rf"(?P<b>{_NUMBER})"


def compile_all(*patterns: str) -> tuple[re.Pattern[str], ...]:
    """Compile patterns that ignore case."""
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


_LENGTHS = compile_all(
    rf"(?:between |from )?{_N1}(?:{_CHARS})?{_TO}{_N2}{_CHARS}{_LONG}",
    rf"长度(?:限制|范围)?(?:为|是|在|:|：)?\s*{_N1}\s*(?:个?字符)?{_TO}{_N2}(?:\s*(?:之间|位))?",
    rf"{_NO}{_THAN}{_N}{_CHARS}{_LONG}",
    rf"(?P<most>{_MOST}){_N}{_CHARS}{_LONG}",
    rf"(?P<least>{_LEAST}){_N}{_CHARS}{_LONG}",
    rf"{_N}{_CHARS} (?:is|are) the (?:(?P<least>minimum)|(?P<most>maximum))",
    rf"{_N}{_CHARS} at (?:(?P<most>most)|(?P<least>least))",
    rf"{_N}(?P<least>(?: or more{_CHARS}|{_CHARS} or (?:more|longer)|{_CHARS}(?:以上|及以上)))",
    rf"{_N}(?P<most>(?: or (?:fewer|less){_CHARS}|{_CHARS} or (?:fewer|less|shorter)|{_CHARS}(?:以内|以下|之内|及以下)))",
    rf"(?P<both>exactly |must be |has to be |恰好|必须为){_N}{_CHARS}{_LONG}",
)
_NAME, _CONSUMED = "\ufffc", "\ufffd"
"""Placeholders for names and values, and for text that a fact was already read from."""
_OF_FIELD = rf"(?:(?: (?:[a-z]+|{_NAME}+)){{1,4}}? (?:is|has|are))? "
"""Matches "… value of X is" in "the largest value of X is 10"."""
_UNIT = rf"\s*(?P<unit>{_UNITS})?"
_RANGES = compile_all(
    rf"(?:between |from |取值范围(?:为|是|:|：)?\s*|范围(?:为|是|:|：)?\s*|介于\s*)?(?<![\w.:/\-]){_N1}(?:\s*{_UNITS})?{_TO}{_N2}(?![\w:/]|[-.]\d){_UNIT}",
    rf"{_NO}{_THAN}{_N}(?![\w:/]|[-.]\d){_UNIT}",
    rf"(?P<most>{_MOST}){_N}(?![\w:/]|[-.]\d){_UNIT}",
    rf"(?P<least>{_LEAST}){_N}(?![\w:/]|[-.]\d){_UNIT}",
    rf"(?P<most>\b(?:largest|greatest|highest|biggest|longest)\b{_OF_FIELD}){_N}(?![\w:/]|[-.]\d){_UNIT}",
    rf"(?P<least>\b(?:smallest|lowest|shortest)\b{_OF_FIELD}){_N}(?![\w:/]|[-.]\d){_UNIT}",
)
_LETTERS_AND_DIGITS = "alphanumeric"
_LESS_WORDS = frozenset({"fewer", "less", "shorter", "smaller", "lower"})

_ANY_CLASS = "|".join(f"(?P<{name}>{pattern})" for name, pattern in _CLASSES.items())
_CLASS = re.compile(_ANY_CLASS, re.IGNORECASE)
_ONE_CLASS = f"(?:{'|'.join(_CLASSES.values())})" + r"(?:\s*[(（][^()（）a-z0-9]{1,4}[)）])?"
_AND = r"\s*(?:,? (?:and|or) |,? as well as |[,/、，]\s*|和|及|与|或|以及)\s*(?:an? |the )?"
_LIST = rf"(?<![a-z]){_ONE_CLASS}(?:{_AND}{_ONE_CLASS})*(?![a-z])"
_BEGINS = re.compile(
    rf"\b(?P<begin>begin|start)(?:s|ning|ing)?(?P<end> and end(?:s|ing)?)? with (?:an? )?(?P<set>{_LIST})"
    rf"|\bend(?:s|ing)? with (?:an? )?(?P<last>{_LIST})"
    rf"|(?:必须|需要?|只能)?以(?P<zh>{_LIST})(?P<zh_begin>开头|开始|起始)?(?P<zh_end>(?:和|或|并|且|、)?(?:结尾|结束))?",
    re.IGNORECASE,
)
_SET = re.compile(
    rf"(?P<only>\bonly |只能(?:使用|包含|输入|由|是|为)?|仅(?:支持|能|可|限)?(?:使用|包含|输入)?)?"
    rf"(?P<set>{_LIST})(?P<after>\s+only\b)?",
    re.IGNORECASE,
)
_NEGATION = re.compile(r"\b(?:not|never)\b|不能|不得", re.IGNORECASE)
_MIXED = re.compile(
    r"(?:\bcontain(?:s|ing)?|\binclud(?:es?|ing)|\bat least (?:one|1)|\bmix(?:ture)? of|\bwithout|\bno"
    r"|\bnot|\bneither|\beach of|\bnumber of|包含|包括|至少|含有|同时|不能|不支持|不含)[^,;，；]{0,24}$",
    re.IGNORECASE,
)
_MAY = re.compile(
    r"\b(?:may|can|could|only) [a-z ]{0,12}$|可[^,;，；]{0,6}$|只能|仅", re.IGNORECASE
)
_NEED = re.compile(
    r"(?P<empty>\bleave (?:it|this(?: field)?|the field|that) (?:empty|blank)\b(?!\s+(?:if|when|unless))"
    r"|(?<![可不])留空(?!时|则|，|表示)|保持为空)"
    r"|(?P<optional>^\W*optional\b|\b(?:is|are) optional\b|[(\[（](?:optional|可选|选填)[)\]）]"
    r"|\bmay (?:also )?(?:be left|stay|remain) (?:empty|blank)\b|\bcan be left (?:empty|blank)\b"
    r"|\b(?:may|can) (?:also )?leave (?:it|this|this field) (?:empty|blank)\b|\bis not required\b|\bneed not be filled in\b"
    r"|非必填|非必选|选填|可不填|可以?不填|可以?留空|可以?为空|^\W*可选(?=[。，,；]|$)|为可选(?:项)?)"
    r"|(?P<required>^\W*(?:required|mandatory)\b(?! for\b)|\b(?:is|are) (?:required|mandatory)\b(?! (?:for|when|if|only|by)\b)"
    r"|[(\[（](?:required|必填|必选)[)\]）]|\bmust be filled in\b|\b(?:must not|cannot|may not) be (?:left )?(?:empty|blank)\b"
    r"|必填|必选(?!项目)|(?:不能|不可|不得)(?:为空|留空))",
    re.IGNORECASE,
)


def facts_of(text: str, marked: Iterable[tuple[int, int]] = ()) -> tuple[Fact, ...]:
    """Read all that a sentence says about the values of a field, in its order.

    Args:
        text: The sentence.
        marked: Where names and values stand in it: they say nothing of their own.
    """
    masked = list(text)
    for start, end in marked:
        masked[start:end] = _NAME * (end - start)
    reader = _FactReader("".join(masked), text)
    return tuple(sorted(reader.read(), key=lambda fact: fact.start))


class _FactReader:
    def __init__(self, masked: str, text: str) -> None:
        self._remaining, self._text = masked, text
        self._is_binding = bool(_BINDING.search(masked)) or not _ASKS_FOR_ONE_VALUE.match(masked)
        self._is_advice = bool(_ADVICE.search(masked))

    def read(self) -> Iterator[Fact]:
        yield from self._read_requirements()
        if self._is_advice:
            return
        kinds = ((FactKind.LENGTH, _LENGTHS), (FactKind.RANGE, _RANGES))
        for kind, patterns in kinds if _ANY_NUMBER.search(self._remaining) else ():
            for pattern in patterns:
                for m in list(pattern.finditer(self._remaining)):
                    yield from self._read_bounds(kind, m)
        yield from self._read_first_and_last()
        yield from self._read_character_sets()

    def _consume(self, m: re.Match[str], kind: FactKind, **fields: object) -> Fact:
        start, end = m.span()
        self._remaining = (
            self._remaining[:start] + _CONSUMED * (end - start) + self._remaining[end:]
        )
        text = self._text[start:end]
        start += len(text) - len(text.lstrip())
        return Fact(kind=kind, start=start, end=end, text=text.strip(), **fields)  # type: ignore[arg-type]  # its own fields

    def _read_bounds(self, kind: FactKind, m: re.Match[str]) -> Iterator[Fact]:
        if _CONSUMED in self._remaining[m.start() : m.end()]:
            return  # overlaps a fact that was read already
        groups = m.groupdict()
        least: float | None
        most: float | None
        if groups.get("a"):
            least, most = _number(groups["a"]), _number(groups["b"])
            if least >= most:
                return
        else:
            least = most = _number(groups["n"])
            if comparison := groups.get("cmp"):
                is_less = comparison.casefold() in _LESS_WORDS
                is_no = bool(groups.get("no")) or bool(_REFUSED.match(self._remaining[m.end() :]))
                if not is_no:
                    step = -1.0 if is_less else 1.0
                    least, most = least + step, most + step
                least, most = (None, most) if is_less != is_no else (least, None)
            elif groups.get("most"):
                least = None
            elif groups.get("least"):
                most = None
        unit = (groups.get("unit") or "").strip()
        yield self._consume(m, kind, least=least, most=most, unit=unit, is_binding=self._is_binding)

    def _read_first_and_last(self) -> Iterator[Fact]:
        for m in list(_BEGINS.finditer(self._remaining)):
            characters_text = m.group("set") or m.group("last") or m.group("zh")
            is_at_end = bool(m.group("end") or m.group("last") or m.group("zh_end"))
            is_at_start = bool(m.group("begin") or m.group("zh_begin"))
            if not (is_at_start or is_at_end) or _NEGATION.search(
                self._remaining[max(0, m.start() - 12) : m.start()]
            ):
                continue
            kinds = (FactKind.BEGINNING,) * is_at_start + (FactKind.ENDING,) * is_at_end
            for kind in kinds:
                yield self._consume(
                    m, kind, characters=_characters(characters_text), is_binding=True
                )

    def _read_character_sets(self) -> Iterator[Fact]:
        for m in list(_SET.finditer(self._remaining)):
            characters = _characters(m.group("set"))
            before = self._remaining[: m.start()]
            is_only = bool(m.group("only") or m.group("after"))
            if len(characters) < 2 and not is_only:
                continue
            if _MIXED.search(before) and not is_only and not _MAY.search(before):
                continue  # characters that are required are not all that are allowed
            yield self._consume(
                m,
                FactKind.CHARACTERS,
                characters=characters,
                is_binding=is_only or self._is_binding,
            )

    def _read_requirements(self) -> Iterator[Fact]:
        for m in list(_NEED.finditer(self._remaining)):
            if m.group("empty"):
                yield self._consume(m, FactKind.EMPTY)
            else:
                yield self._consume(
                    m, FactKind.OPTIONAL if m.group("optional") else FactKind.REQUIRED
                )


def _number(text: str) -> float:
    word = text.casefold()
    return (
        float(_NUMBER_WORDS.index(word)) if word in _NUMBER_WORDS else float(text.replace(",", ""))
    )


def _characters(text: str) -> frozenset[str]:
    classes = {m.lastgroup or "" for m in _CLASS.finditer(text)}
    return frozenset(
        classes - {_LETTERS_AND_DIGITS}
        | ({"letter", "digit"} if _LETTERS_AND_DIGITS in classes else set())
    )

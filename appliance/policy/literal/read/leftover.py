"""Finds the words of a sentence that no instruction and no claim that was read accounts for.

A sentence is only as good as its last word: "Click **Create**, which is in red." is confirmed by no
click. So whatever is left of it, once labels, values and the words of instructing are taken out, is
a claim of its own that nobody has checked. A word that is not known is never taken to say nothing.
"""

import re
from collections.abc import Collection

from appliance.core.claims import ClaimKind
from appliance.core.procedure import InlineRole, Sentence
from appliance.language import nouns, verbs
from appliance.language.names import words
from appliance.language.words import Words, in_text, longest_first, one_of
from appliance.language.words import words as words_of
from appliance.policy.literal.read.masking import MARK, mask

_INSTRUCTIONS: Words = sum(
    (verbs.OPEN, verbs.SELECT, verbs.COPY, verbs.CLOSE, verbs.FILL, verbs.TICK, verbs.UNTICK,
     verbs.UPLOAD, verbs.CONFIRM, verbs.WAIT, verbs.VERIFY, verbs.FIND, verbs.SEARCH, verbs.LOG_IN,
     verbs.MOVE, verbs.DRAG, verbs.ADD, words_of("use", "使用")),
    verbs.CLICK,
)  # fmt: skip
_MEANINGFUL_WORDS = words_of(
    "accept|assign|attach|follow|replace|over|that|until",
    "启用|开启|关闭|等待|拖动|移动",
)
"""Words among them that also say what happens to a thing."""
_ENGLISH_JOINTS = """
    a an the this that's your its it their in on at of from into to for with by under inside within
    through onto up down out off one or and then next now also again finally first please just go
    following each all any you here same these settings
"""
_SHOWING_WORDS = """
    is are appear appears open opens opened displayed display displays shown show shows message
    messages notice notification says say state states status becomes become changes change turns
    will be as default defaults selected has have been there leave keep already
"""
_ENGLISH = frozenset(
    {*_ENGLISH_JOINTS.split(), *nouns.IN_PROSE.en}
    | {word for verb in _INSTRUCTIONS.en for word in verb.split()} - {*_MEANINGFUL_WORDS.en}
)
_SHOWING = frozenset(_SHOWING_WORDS.split())
"""Words that add nothing where a claim about what is shown was read."""
_PURPOSE = re.compile(
    r"\bto (?!confirm\b|the\b|a\b|an\b|your\b|its\b|this\b|that\b)(?=[a-z])|\bso that\b|\bin order\b",
    re.I,
)
_WORD = re.compile(r"[A-Za-z][A-Za-z'’\-]*|\d+(?:[.,]\d+)*")
_CHINESE = re.compile(
    one_of(
        longest_first(
            {*_INSTRUCTIONS.zh, *nouns.IN_PROSE.zh} - {*_MEANINGFUL_WORDS.zh}
            | {"然后", "并且", "接着", "最后", "首先", "依次", "随后"}
            | {"以下", "下列", "如下", "参数", "配置", "目标", "长度", "组成", "可包含", "由"}
        ),
        ["[在从于到的中里上下列行框项栏并再后请和与或及该此其个一将把为]"],
    )
)
_CHINESE_SHOWING = re.compile(
    r"显示|出现|弹出|打开|提示|消息|状态|变为|变成|默认|选中|会|是|已|成功"
)

_KINDS = (
    (ClaimKind.LIMIT, r"\bat (?:most|least)\b|\bcharacters?\b|\bletters?\b|\bdigits?\b|\bno more than"
     r"|\bup to\b|\bmaximum\b|\bminimum\b|\bbetween \d|\blong\b|字符|不超过|最多|最少|至少|字母|数字|长度"),
    (ClaimKind.PERMISSION, r"\badministrators?\b|\bpermissions?\b|\bmay\b|\ballowed\b|\bowner\b"
     r"|\brole\b|管理员|权限|允许|只有"),
    (ClaimKind.DURATION, r"\bseconds?\b|\bminutes?\b|\bhours?\b|\bimmediately\b|\bat once\b"
     r"|\ba while\b|\bmoments?\b|秒|分钟|小时|立即|片刻"),
    (ClaimKind.REQUIREMENT, r"\bmust\b|\brequired\b|\boptional(?:ly)?\b|\bneed\b|\bcannot\b|\bonly\b"
     r"|\bempty\b|\bblank\b|必须|必填|可选|不能|只能|留空"),
    (ClaimKind.DEFAULT, r"\bdefaults?\b|默认"),
    (ClaimKind.POSITION, r"\b(?:top|bottom|left|right|upper|lower|corner|above|below|beside|red|green"
     r"|blue|grey|gr[ae]y)\b|左|右|顶部|底部|上方|下方|红色|绿色|蓝色|灰色"),
    (ClaimKind.STATE, r"\bstatus\b|\bstate\b|状态"),
    (ClaimKind.EFFECT, r"\bto \w+|\bwhich\b|\bso\b|\bwill\b|\bdeletes?\b|\bcreates?\b|\bis now\b"
     r"|\bhas been\b|将|会|已|以便|从而|用于"),
)  # fmt: skip
"""What a claim is about, by its words; the first that fits applies."""
_PATTERNS = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _KINDS)
_GENITIVE = re.compile(r"['’]s$")


def unaccounted_words(
    sentence: Sentence, topic: Collection[str], *, is_claim: bool, language: str
) -> str:
    """The first words that nothing accounts for; empty if all are.

    Args:
        sentence: What was read, and is confirmed as far as it was read.
        topic: Words of the procedure's title and of its labels: naming the thing claims nothing.
        is_claim: Whether something was read in it that the console is said to show.
        language: `en` or `zh`.
    """
    text = re.sub(MARK, " \ue000 ", mask(sentence, only_marked=True).text)
    if language == "zh":
        remaining = _CHINESE_SHOWING.sub(" ", text) if is_claim else text
        remaining = _CHINESE.sub(" ", remaining)
        runs = re.findall(r"[\u4e00-\u9fff]+|[A-Za-z0-9]+", remaining)
        return next((run for run in runs if not words(run) <= frozenset(topic)), "")
    if purpose := _PURPOSE.search(text):
        return text[purpose.start() :].split("\ue000")[0].strip() or "to"
    empty_words = _ENGLISH | _SHOWING if is_claim else _ENGLISH
    sentence_words = (_GENITIVE.sub("", word) for word in _WORD.findall(text))
    unknown_words = (w for w in sentence_words if w.casefold() not in empty_words)
    return next((w for w in unknown_words if not words(w) <= frozenset(topic)), "")


def kind_of_claim(sentence: Sentence) -> ClaimKind:
    """Guess from its words what an unchecked sentence is about."""
    fitting = (kind for kind, pattern in _PATTERNS if pattern.search(sentence.text))
    return next(fitting, ClaimKind.EXPLANATION)


_REFERRING_WORDS = frozenset(
    in_text(
        "see also refer to for in on about of and or more further information details "
        "learn read find out how next steps related topics documentation the this a an "
        "article page section guide note"
    )
)
_REFERRING_CHINESE = re.compile(
    r"另请|参见|参阅|参考|详见|更多|详细|详情|具体|信息|内容|文档|说明|操作|相关|有关|关于|了解|请|见|和|与|或|的|及|章节"
)


def only_refers(sentence: Sentence) -> bool:
    """Whether a sentence only refers to other documentation ("See also: …"), or says nothing."""
    text = list(sentence.text)
    links = [i for i in sentence.inlines if i.role is InlineRole.LINK]
    for link in links:
        text[link.start : link.end] = " " * (link.end - link.start)
    remaining = "".join(text)
    if re.search(r"[\u4e00-\u9fff]", remaining):
        remaining = _REFERRING_CHINESE.sub("", remaining) if links else remaining
    else:
        remaining = " ".join(
            w for w in remaining.split() if w.strip(".,:;()").casefold() not in _REFERRING_WORDS
        )
    return not any(c.isalpha() for c in remaining)

"""What English and Chinese console prose looks like: imperatives, conditions, results, titles."""

import re

from appliance.documents._text import CJK
from appliance.language import nouns, values, verbs
from appliance.language.words import one_of

_CJK = re.compile(f"[{CJK}]")
_LETTER = re.compile(r"[^\W\d_]")
# Share of CJK letters from which a text counts as Chinese: labels in it may well be English.
_ZH_SHARE = 0.15

_VERB = re.compile(rf"(?:{one_of(verbs.BEGIN_A_STEP.en)})\b", re.I)
_ZH_VERB = re.compile(
    rf"(?:请|再|然后|继续|接着|首先|先|最后|依次|直接|单独|手动|也?可以?){{0,8}}(?:{one_of(verbs.BEGIN_A_STEP.zh)})"
)

# What may stand before the verb of an instruction.
_EN_LEAD = re.compile(
    r"(?:(?:\(optional\)|optional(?:ly)?|then|next|now|finally|first|second|lastly|again|also|and"
    r"|please|simply|just|carefully|afterwards|alternatively|otherwise|repeat|once more|you can"
    r"|you must|you should|you may|you need to|you['’]ll need to|you will need to|you have to"
    r"|(?:be|make) sure to|remember to|(?:don['’]t|do not) forget to|go ahead and|let['’]s"
    r"|all you have to do is(?: to)?|you(?: simply| just)? have to|yes|an?(?=:)|answer(?=:)"
    r"|as an? [\w -]{2,40}?(?= (?:click|select|choose|go to|open)\b)"
    rf"|{nouns.SOMEBODY} (?:can|may|{verbs.OUGHT_TO}))\b[ ,:.)]*)+",
    re.I,
)
_EN_ADVERBIAL = re.compile(
    r"(?:in|on|at|from|to|under|below|above|within|for|with|by|using|after|before|when|if|once"
    r"|unless|as|inside|beside|next to|near|while|during|depending on|based on)\b",
    re.I,
)
_EN_AT_ONCE = re.compile(
    r"(?:from|in|on|at|under) (?:the|your) (?:[\w-]+ ){1,3}?(?=(?:click|select|choose|press)\b)",
    re.I,
)
"""What may stand before a verb without a comma: "From the menu select **Users**."."""
_EN_AIM = re.compile(verbs.AIM, re.I)
_ZH_LEAD = re.compile(r"(?:答[:：]\s*)?(?:您|你|用户)(?:还|也)?可以?(?:先|直接)?|答[:：]\s*")
_ZH_ADVERBIAL = re.compile(
    r"(?:在|从|若|如果|如需|当|对于|针对|通过|经由|待|于|到|左侧|右侧|页面|顶部)"
)
_OPTIONAL = re.compile(
    r"[(（\[【]?\s*(?:optional(?:ly)?|可选|选填|可选步骤)\s*(?:[)）\]】]|[:：,，.。\-–—]|(?=\s))",
    re.I,
)
_EN_CONDITION = re.compile(
    r"(?P<clause>(?:if|when(?:ever)?|unless|in case|provided that|only if)\b.*?)"
    r"(?:,(?=\s)|\bthen\b|:(?=\s|$)|$)",
    re.I,
)
_ZH_CONDITION = re.compile(
    r"(?P<clause>(?:如果|若|如需|如要|假如|倘若|当|除非|如(?=您|你|已|未|不|有|无)).*?)"
    r"(?:[,，:：]|$)"
)
_NO_CONDITION = re.compile(
    rf"^when(?:ever)?\b.*\b(?:{one_of(verbs.IS_OVER.en)})\b|^when(?:ever)? you hover\b|\?$"
    rf"|^当.*(?:{one_of(verbs.IS_OVER.zh)})(?:后|时)?$",
    re.I,
)
"""What only says that the step before is over; a question."""
PREREQUISITES = re.compile(
    r"(?:\W*\d[\d.]*\W*)?\W*(?:pre-?requisites?|before you (?:begin|start)|requirements?"
    r"|what you(?:'ll)? need|you(?:'ll| will) need|preconditions?|preparations?"
    r"|前提条件|先决条件|前置条件|使用前提|准备工作|准备事项|前期准备|开始之前|操作前提|前提)(?:\W+|$)",
    re.I,
)
RESULTS = re.compile(
    r"(?:\W*\d[\d.]*\W*)?\W*(?:(?:expected )?(?:results?|outcomes?)|verify the results?"
    r"|(?:执行|操作|预期|期望)?结果|结果验证|验证结果)\W*",
    re.I,
)
_MUST_HAVE = re.compile(
    r"(?:you (?:must|need to|should) (?:have|be|already)\b|(?:make|be) sure\b|ensure\b"
    r"|before you [^,]+, (?:make sure|ensure|verify|check|you must (?:have|be))"
    r"|this procedure (?:assumes|requires)"
    r"|(?:您?已经?|需要?|请先?)(?:先|提前)?(?:创建|拥有|开通|注册|准备|具有|具备|获取|完成)"
    r"|请?(?:先|提前)?确保)",
    re.I,
)
_OUTCOME = re.compile(
    r"\b(?:is|are|was|were|will be|has been|have been|should be)"
    r" (?:now |then |automatically |also )?"
    r"(?:\w+ed|shown|listed|in use|available|visible|active|running|gone)\b"
    r"|\bappears?\b|\b(?:shows?|displays?|lists?|registers?|indicates?|confirms?|reports?|says|reads)\b"
    r"|\b(?:changes?|turns?|returns?|goes(?: back)?|comes? back) to\b|\bbecomes?\b"
    r"|\b(?:goes|passes|moves|switches|changes) from .{1,40}? to\b"
    r"|\bsuccess(?:ful|fully)?\b|\bnow (?:has|have|appears?|shows?|accepts?|contains?)\b"
    r"|成功|即可|已(?:被|经|创建|删除|更新|启用|停用|绑定|保存)"
    r"|提示|显示|出现|变为|可以?(?:看到|查看)|生效",
    re.I,
)
_NO_OUTCOME = re.compile(
    r"(?:you can (?:also|now also)|for (?:more|details|further|information|example)|see |to \w+"
    r"|if |when (?!(?:it|this|that|everything|the \w+(?: \w+)?) (?:is|has|was)\b[^,]{0,30},)"
    r"|note\b|更多|详细|关于|如需|如果|若|您还|请参|参见)",
    re.I,
)
EXPLAINING = re.compile(
    r"(?:\W*\d[\d.]*\W*)?(?:overview|introduction|about\b.*|background|concepts?|what(?:'s| is)\b.*"
    r"|why\b.*|when to\b.*|limitations?|notes?|faqs?|troubleshooting|best practices|see also"
    r"|操作场景|应用场景|使用场景|背景信息|约束与限制|使用限制|概述|简介|说明|注意事项|须知|计费说明|相关操作|常见问题)\W*",
    re.I,
)
"""Titles of sections that explain, whatever they have the reader click."""
STEP_HEADING = re.compile(
    r"(?:step|步骤|第)\s*(?P<number>\d+|[一二三四五六七八九十]+)\s*步?"
    r"\s*(?:[:：.、．\-–—]\s*|\s+|$)",
    re.I,
)
NUMBERED_HEADING = re.compile(r"(?P<number>\d+)\s*[.、．)）]\s*(?=\D)")
LEAD_IN = re.compile(
    r"(?:to |how to |(?:follow|perform) (?:these|the following) steps to "
    r"|(?:要|如需|如要|若要|若需)?[\u4e00-\u9fff]{2,})",
    re.I,
)
_SEQUENTIAL = re.compile(
    r"(?:then|next|finally|first|lastly|after that|然后|接着|最后|首先|再)", re.I
)
_COMMAND_LINE = re.compile(
    r"\b(?:cli|api|sdk|terraform|powershell|curl|bash|python|java|go|gcloud|kubectl|helm|ansible"
    r"|pulumi|graphql|node(?:\.js)?|javascript|typescript|ruby|php|rust|shell|terminal"
    r"|command[- ]line|命令行|终端)\b",
    re.I,
)


_STATE = rf"(?:{one_of(values.STATES.en)})\b"
_EN_ASKS_FOR_STATE = re.compile(
    rf"only (?:an? |the |your )?"
    rf"(?:{_STATE} [\w -]+|[\w -]+ (?:that|which) [^.;]*{_STATE}) can\b"
    rf"|(?:you|an?|the|your|it)\b[^.;]*\bcan (?:only|[^.;]*\bonly (?:if|when|while|as long as))\b"
    rf"[^.;]*{_STATE}"
    rf"|(?:before [^,]+, )?(?:an?|the|your|it)\b[\w -]*? (?:must|has to|needs? to)"
    rf" (?:first |already )?be {_STATE}",
    re.IGNORECASE,
)
_ZH_STATE = rf"(?:{one_of(values.STATES.zh)})"
_ZH_ASKS_FOR_STATE = re.compile(
    rf"(?:只有|仅|只(?:支持|能|允许))[^，。]*?{_ZH_STATE}[^。]*?(?:才[能可会]|变更|修改|删除|进行|操作|$)"
    rf"|[^，。]{{1,12}}(?:必须|须|需要?)先?{_ZH_STATE}"
)


def language_of(text: str) -> str:
    """`zh` or `en`."""
    letters = len(_LETTER.findall(text))
    return "zh" if letters and len(_CJK.findall(text)) / letters >= _ZH_SHARE else "en"


def starts_with_verb(text: str) -> bool:
    """Whether a text begins with an imperative, `Optionally,` and the like aside."""
    lead = _OPTIONAL.match(text)
    text = text[lead.end() :].lstrip(" ,，:：)）") if lead else text
    more = _EN_LEAD.match(text)
    if more and _VERB.match(text[more.end() :]):
        return True
    return bool(_VERB.match(text) or _ZH_VERB.match(text))


def is_instruction(text: str) -> bool:
    """Whether a sentence asks the reader to do something."""
    if starts_with_verb(text):
        return True
    lead = _OPTIONAL.match(text)
    text = text[lead.end() :].lstrip(" ,，:：)）") if lead else text
    if _EN_AIM.match(text):
        return True
    if _EN_ADVERBIAL.match(text):
        pieces = re.split(r",\s*(?:and )?(?:then )?|:\s|\bthen ", text)
        at_once = [_EN_AT_ONCE.match(piece.strip()) for piece in pieces]
        return any(at_once) or any(starts_with_verb(piece.strip()) for piece in pieces[1:])
    text = text[lead.end() :] if (lead := _ZH_LEAD.match(text)) else text
    if _ZH_ADVERBIAL.match(text) or _CJK.search(text):
        return any(
            _ZH_VERB.match(piece.strip()) for piece in re.split(r"[,，、。;；:：]", text)
        ) or bool(_ZH_ADVERBIAL.match(text) and _ZH_VERB.search(text))
    return False


def is_optional(text: str) -> bool:
    """Whether a step says that it is optional."""
    match = _OPTIONAL.match(text)
    return match is not None and not re.match(r"\w*\s*(?:property|parameter)", text[match.end() :])


def condition_of(text: str) -> str | None:
    """The clause under which a step applies."""
    lead = _OPTIONAL.match(text)
    rest = text[lead.end() :].lstrip(" ,，:：)）") if lead else text
    match = _EN_CONDITION.match(rest) or _ZH_CONDITION.match(rest)
    clause = match["clause"].strip(" .。") if match else ""
    return None if _NO_CONDITION.search(clause) else clause or None


def asks_for_state(text: str) -> bool:
    """Whether it begins by saying which state is asked for ("Only a stopped instance can …")."""
    return bool(_EN_ASKS_FOR_STATE.match(text) or _ZH_ASKS_FOR_STATE.match(text))


def is_prerequisite(text: str) -> bool:
    """Whether an introductory sentence names something that must be there first."""
    return bool(
        _MUST_HAVE.match(text)
        or asks_for_state(text)
        or re.search(r"\byou must have\b|\bmust (?:already )?exist\b", text, re.I)
    )


_ZH_CONSOLE_SAYS = re.compile(
    r"(?:页面|控制台|系统|界面|右上角)[^，。]{0,6}(?:提示|显示|出现|弹出)"
)


def is_outcome(text: str) -> bool:
    """Whether a sentence behind the steps says what is now the case."""
    if _ZH_CONSOLE_SAYS.match(text):
        return True
    return bool(_OUTCOME.search(text)) and not _NO_OUTCOME.match(text) and not is_instruction(text)


def is_sequential(texts: list[str]) -> bool:
    """Whether list entries say in words that they follow each other."""
    return any(_SEQUENTIAL.match(text) for text in texts[1:])


def is_command_line(title: str) -> bool:
    """Whether a tab's title names another way than the console."""
    return _COMMAND_LINE.search(title) is not None

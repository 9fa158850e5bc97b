"""Finds names of controls that a text leaves unmarked, or marks otherwise than as labels."""

import re
from collections.abc import Iterator
from dataclasses import replace

from appliance.core.procedure import Inline, InlineRole, Sentence
from appliance.language import verbs
from appliance.language.words import one_of

R = InlineRole
_HIDDEN = "\ufffc"
_NOUN = (
    r"(?:[Tt]ab|button|category|menu item|menu entry|check ?box|switch|toggle|icon|field"
    r"|text box|input box|drop-?down(?: list)?|list|selector|menu|page|view|column|section|heading|panel|tile)"
)
_NAME = (
    r"[A-Z][\w&/+-]*(?: (?:[A-Z&][\w&/+-]*|of|and|to|for|(?!(?:in|on|at|from)\b)[a-z][\w-]*)){0,3}?"
)
_CAPITALS = r"[A-Z][\w&/+-]*(?: (?:(?:of|and) )?[A-Z&][\w&/+-]*)*"
_ARROW = r"\s*(?:>{1,3}|→|[-–=]{1,2}>|➔|»)\s*"
_CJK_ENTRY = r"[\w\u4e00-\u9fff]{1,12}"
_CLICK = r"(?:[Cc]lick|[Pp]ress|[Hh]it|[Tt]ap|[Pp]ush)(?: on)?"
_CLICKING = r"(?:[Cc]licking|[Pp]ressing|[Hh]itting|[Tt]apping)(?: on)?"
_TAIL = r"(?: (?!(?:you|we|it|they|will|can|is|are|that|which|and|then|to|in|on|at|from|of)\b)[\w-]+){0,3}?"
_END = (
    r"(?=\s*(?:[.,;:!(]|$|and\b|then\b|to\b|(?:in|on|at|from|of) (?:the|your|[A-Z][\w-]*['’]s)\b))"
)
_KEY = r"(?:Enter|Return|Tab|Esc(?:ape)?|Delete|Space|Backspace|Ctrl|Control|Alt|Shift|F\d+)"
_LEADING = r"(?:^|(?<=[.:;] ))(?:Click|Open|Select|Choose|Pick|Press|Hit|Tap|Expand|Use|Visit|Access|Find|In|On|Under|From|Via)(?: on)?"
"""Words before a path that are capitalized only because they begin the sentence."""
_ACTION_NAMES = one_of(
    w.lower() for w in (verbs.CREATES + verbs.DELETES + verbs.SAVES + verbs.GO_ON).en
)
_UNMARKED = (
    r"<(?P<name>[\u4e00-\u9fff][^<>\s]{0,12})>",
    rf"(?:{_LEADING} )?(?P<path>\b{_CAPITALS}(?:{_ARROW}{_CAPITALS})+(?:(?: (?!{_NOUN}\b|(?:and|or|to|then|in|on|for|from|with|where|if|when)\b)[a-z]+){{1,3}}(?=[.,;]|$))?)",
    rf"\b(?:[Uu]nder|[Ii]n|[Gg]o to|[Oo]pen|[Nn]avigate to) (?:the )?(?P<path>{_CAPITALS}(?: [-–] {_CAPITALS})+)",
    rf"(?:进入|打开|单击|点击|选择|依次|前往|点|在|从|到)*(?P<path>{_CJK_ENTRY}(?:{_ARROW}{_CJK_ENTRY})+)",
    rf"(?:进入|打开|前往)(?P<path>{_CJK_ENTRY}(?: - {_CJK_ENTRY})+)",
    rf"\b[Tt]he (?:[a-z]+ ){{0,3}}(?P<name>{_NAME}) {_NOUN}\b(?!['’]s)",
    rf"\b[Tt]he (?:tab|button|link|option|check ?box|box|switch|toggle) (?P<name>[A-Z][\w-]*{_TAIL})(?:{_END}|(?= (?:next to|beside)\b))",
    rf"\b[Tt]he (?:option|menu|field|check ?box|box|switch|toggle|section) (?P<name>{_CAPITALS})\b",
    rf"\bby {_CLICKING} (?P<name>{_CAPITALS}){_END}",
    r"\b[Tt]he (?P<name>(?!next|previous|same|new|other|first|last|right|left)[a-z]+) tab\b",
    rf"\b(?:[Cc]lick(?: on)?|{_CLICK} (?!{_KEY}(?! [A-Z])\b)) ?(?P<name>(?!{_HIDDEN})[A-Z][\w-]*[a-z][\w-]*…?(?: [\w-]+){{0,3}}?){_END}",
    rf"\b(?:{_CLICK}|[Ss]elect|[Cc]hoose) (?P<name>OK)\b",
    rf"\b(?:{_CLICK}|[Ss]elect|[Cc]hoose) the (?P<name>{_NAME}) (?:link|item|entry)\b",
    rf"\band then (?P<name>{_CAPITALS}){_END}",
    rf"\b{_CLICK} (?P<name>{_ACTION_NAMES}|done)(?=[.,;!]|$| and )",
    r"^(?P<name>[A-Z][\w()]*(?: [\w()]+){0,2}): (?=(?:choose|select|enter|type|pick)\b)",
    rf"(?:^|(?<=[，,；;。]))(?!在|将|把|从|请|并|再|如|若|当|先|输入|选择|填写|单击|点击|最后|然后|取消|勾选|对于|重复|否则|同时|分别|依次|继续|手动|自行|重新|再次|按需|直接|统一|建议|随后|接着)"
    rf"(?P<name>[\u4e00-\u9fffA-Za-z]{{2,9}}?(?<![可请需须将就再不要的框栏输先能会持勾也还只都]))(?:一栏|处|项)?\s*"
    rf"(?=(?:选择|选|输入|填写|填|写|写成|设置为|设为|置为|改成|改为|勾选)\s*(?:为)?\s*(?:[“「\"]?{_HIDDEN}|\d|https?:|[A-Za-z]))",
    rf"^(?P<name>[\u4e00-\u9fff]{{2,8}})(?=[：:]\s*(?:{_HIDDEN}|\d|选择|输入|填写))",
    r"\b[Tt]urn (?:the )?(?P<name>(?!on\b|off\b)[\w-]+(?: [\w-]+){0,2}?) (?:on|off)\b",
    rf"\b(?:Make sure|make sure|Ensure|ensure|Verify|verify)(?: that)? (?P<name>{_CAPITALS}) (?=is (?:enabled|disabled|on|off|selected)\b)",
    rf"(?:https?://\S+|{_HIDDEN}|\b\d\S*) (?:in|into|as|for|under|next to) (?:the )?(?P<name>{_CAPITALS})(?=[.,]|$| and | field| box)",
    rf"(?:\b(?:For|In|Under|Beside|At)|Next to) (?P<name>{_CAPITALS})(?=, (?:type|enter|choose|select|pick|specify|write|put|tick|set)\b)",
    rf"\b[Ss]et (?:the )?(?P<name>{_CAPITALS})(?: field)? to\b",
    rf"\b(?:[Gg]o to|[Hh]ead to|[Nn]avigate to|[Oo]pen|[Ss]elect|[Cc]hoose|[Pp]ick|[Ee]xpand|[Ss]witch to) (?P<name>{_CAPITALS}){_END}",
    rf"\b(?:[Ss]elect|[Cc]hoose|[Pp]ick) (?P<name>{_CAPITALS})(?= from the (?:drop-?down|(?:context |pop-?up )?menu)\b)",
    rf"\b[Ff]ind (?P<name>{_CAPITALS}) (?=(?:in|on|under) the\b)",
    rf"\b(?:[Ss]elect|[Cc]hoose|[Cc]lick(?: on)?|[Oo]pen) (?P<name>{_CAPITALS}(?:['’]s)?) (?=(?:under|in) (?:the )?(?:{_HIDDEN}|{_CAPITALS} heading\b))",
    rf"\s> (?P<name>{_CAPITALS})(?=[.,]|$)",
    r"\[(?P<name>[A-Z][^\[\]]{0,30})\]",
    r"(?:单击|点击|勾选|选择|打开|进入|找到|点|右上角的|左上角的|右侧的|左侧的)\s?(?P<name>[A-Z][A-Za-z]+(?: [A-Za-z]+){0,3})(?=\s?(?:[，,。]|$|按钮|页面|选项|页签))",
    r"在\s?(?P<name>[A-Z][A-Za-z]+(?: [A-Za-z]+){0,2})(?=\s?[中里])",
    r"『(?P<name>[^『』]{1,40})』",
)
_PATTERNS = tuple(re.compile(pattern) for pattern in _UNMARKED)
_PATH = re.compile(_ARROW)
_CJK_PATH = re.compile(r"(?<=[\u4e00-\u9fff])\s*(?:—+|[-–/](?= )| - )\s*(?=[\u4e00-\u9fff])")
_ACTED_ON = re.compile(
    r"\b(?:click(?:ing)?(?: on)?|hit|tap|press(?:ing)?|expand|set|open|select|choose|pick|toggle"
    r"|in|into|under|beside|next to|from|as|unticking|ticking|hook|->|→)"
    r"(?: the)?(?: (?:tab|button|link|option|check ?box|switch|toggle|menu|field))? ['\"“]?$|(?:单击|点击|双击|打开|展开|点|勾选|->|→)\s*[“「]?$",
    re.I,
)
_IS_FIELD = re.compile(
    r"['\"”]? (?:field|box|list|column|section|page|panel|input|option)s?\b", re.I
)


def in_role_of_use(inline: Inline, text: str) -> Inline:
    """Give a stretch the role that the words around it imply: "Click *Save*", "in *Name*"."""
    parts = tuple(_PATH.split(inline.text)) if inline.role is not R.LITERAL else ()
    if len(parts) < 2 and inline.role in (R.UI_LABEL, R.EMPHASIS):
        parts = tuple(_CJK_PATH.split(inline.text))
    if len(parts) > 1 and all(parts) and not inline.parts:
        return replace(inline, role=R.MENU_PATH, parts=parts)
    before = text[max(0, inline.start - 20) : inline.start]
    is_name = inline.text[:1].isupper() or not inline.text.isascii()
    if inline.role is R.EMPHASIS and is_name and not inline.target:
        is_label = bool(_ACTED_ON.search(before) or _IS_FIELD.match(text, inline.end))
    elif inline.role is R.LITERAL and re.match(r"\s*(?:处|栏|一栏|字段)", text[inline.end :]):
        is_label = True
    else:
        is_label = not inline.text.isascii() and bool(_ACTED_ON.search(before))
        is_label = is_label and inline.role is R.LITERAL
    return replace(inline, role=R.UI_LABEL) if is_label else inline


def find_unmarked(sentence: Sentence) -> Iterator[Inline]:
    """Find menu paths and names of controls outside of all marks."""
    text = sentence.text
    for inline in sentence.inlines:
        hidden = _HIDDEN * (inline.end - inline.start)
        text = f"{text[: inline.start]}{hidden}{text[inline.end :]}"
    for pattern in _PATTERNS:
        for m in list(pattern.finditer(text)):
            kind = m.lastgroup or "name"
            start, end = m.span(kind)
            if _HIDDEN in m[kind]:
                continue
            text = f"{text[:start]}{_HIDDEN * (end - start)}{text[end:]}"
            parts = tuple(re.split(rf"{_ARROW}| - ", m[kind])) if kind == "path" else ()
            role = R.MENU_PATH if parts else R.UI_LABEL
            yield Inline(
                role=role, text=m[kind], start=start, end=end, span=sentence.span, parts=parts
            )

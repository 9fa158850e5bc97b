"""What the words around a mark say about it, in English and Chinese.

Only used where the product data has the same text in several places.
"""

import re
from collections.abc import Sequence

from appliance.benchmark.drift.marks import TextMark
from appliance.benchmark.drift.spots import Spot, SpotRole

_AFTER = (
    (r"dialog|window|drawer|wizard|pop-?up|panel|pane\b|对话框|弹窗|窗口|抽屉|面板",
     {SpotRole.TITLE}),
    (r"tab\b|页签|标签页|选项卡", {SpotRole.TAB}),
    (r"step\b|section\b|步骤|区域|部分", {SpotRole.STEP}),
    (r"column\b|列", {SpotRole.COLUMN}),
    (r"(?:drop-?down )?(?:field|box|list|text box|menu|check ?box|switch|slider|toggle|calendar)\b",
     {SpotRole.FIELD, SpotRole.SEARCH, SpotRole.TICK}),
    (r"(?:中|框)?(?:输入|选择)|(?:字段|输入框|下拉|复选框|开关|列表|滑块)",
     {SpotRole.FIELD, SpotRole.SEARCH, SpotRole.TICK}),
    (r"button\b|按钮", {SpotRole.ACTION, SpotRole.SUBMIT}),
    (r"page\b|页面", {SpotRole.TITLE, SpotRole.NAV, SpotRole.STEP}),
)  # fmt: skip
_BEFORE = (
    (r"\bstep(?: called)?|步骤(?:中的)?", {SpotRole.STEP}),
    (r"\b(?:status|state)(?: \w+){0,3}|状态.{0,4}|变为", {SpotRole.STATE}),
    (r"\b(?:message|notice|notification|says?|reads?)\b.{0,12}|提示.{0,3}", {SpotRole.MESSAGE}),
    (r"\bsection|under", {SpotRole.STEP}),
    (r"\b(?:turn (?:on|off)|tick|clear|set|change)|(?:打开|关闭|勾选|将)", {SpotRole.FIELD}),
    (r"\b(?:dialog|window|drawer|wizard|page|panel)(?: called| named| titled)?|弹出的?",
     {SpotRole.TITLE, SpotRole.STEP}),
    (r"\band then", {SpotRole.SUBMIT, SpotRole.ACTION}),
    (r"\b(?:confirm|finish) (?:with|by clicking)|确认", {SpotRole.SUBMIT}),
    (r"(?:, |^|and |then )?\b(?:click|press|choose|select|hit|use|pick)(?: the)?|单击|点击|选择",
     {SpotRole.ACTION, SpotRole.SUBMIT, SpotRole.OPTION, SpotRole.NAV, SpotRole.TAB,
      SpotRole.MENU}),
)  # fmt: skip
_NAV_AFTER = re.compile(
    r"\s*(?:(?:in|from|on) the (?:side |left )?navigation|(?:on|to|at) the left|in the menu on the"
    r" left)|[^，。]{0,6}导航", re.I,
)  # fmt: skip
_NAV_BEFORE = re.compile(
    r"\b(?:left|navigation)[^.]{0,20}(?:click|choose|select|open)\s*(?:the )?$|导航.{0,12}$", re.I
)
_BATCH = re.compile(
    r"above the (?:list|table)|列表上方|表格上方|selected|所选|批量|check ?box|复选框|勾选", re.I
)
_ROW = re.compile(r"\brows?\b|所在行|操作列|右侧", re.I)
_DETAIL = re.compile(
    r"\b(?:click|open|select|choose|follow)\b[^.]{0,20}\b(?:name|ID|link)\b"
    r"|\b(?:click|open) (?:the|your|its|that) (?!\w* ?(?:menu|list|tab|dialog|drop|button|form))"
    r"|'s (?:own )?page|details? page|(?:单击|点击)[^，。]{0,14}(?:名称|ID)|详情页|进入详情"
    r"|(?:单击|点击)(?!.{0,8}(?:复选框|按钮|图标))(?:目标)?[\u4e00-\u9fff]{1,8}[。，]",
    re.I,
)
_DEFAULT_BEFORE = re.compile(
    r"\bdefaults?(?: value| setting| choice)?(?: is| to|:|,)?\s*(?:the )?$"
    r"|默认(?:值)?(?:为|是|选择|选中|选|：)?\s*$", re.I,
)  # fmt: skip
_DEFAULT_AFTER = re.compile(
    r"^[\s,]*(?:(?:which )?is (?:the default|preselected|selected by default|already selected)"
    r"|\(default\)"
    r"|（默认）|是默认|为默认|by default)", re.I,
)  # fmt: skip
_DEFAULT_ON = re.compile(
    r"\b(?:is|are) (?:already )?(?:selected|on|enabled|ticked|checked|encrypted"
    r"|turned on|switched on) by default|默认(?:已)?(?:开启|打开|勾选|选中|启用)|\bon by default",
    re.I,
)  # fmt: skip
_DEFAULT_OFF = re.compile(
    r"\b(?:is|are) (?:cleared|off|disabled|not \w+|turned off|switched off) by default"
    r"|默认(?:为)?(?:关闭|不勾选|未启用|未开启|未勾选|不启用|不开启)|\boff by default", re.I,
)  # fmt: skip
_DEFAULT_NUMBER = re.compile(
    r"\bdefault(?: value| size)? (?:is|of) (?P<en>\d+)\b(?![./]\d)"
    r"|默认(?:值)?(?:为|是) ?(?P<zh>\d+)(?![.\d/])",
    re.I,
)
_OPTIONAL = re.compile(r"\boptional(?:ly)?\b|可选(?!值|项|的)|选填|可不填", re.I)
_FOR_WHOM = re.compile(
    r"\W*(?:if|when|where|should|for (?:some|those|an?y)|in case|to \w+)\b|如果|如需|若|需要时",
    re.I,
)
_TYPES_NAME = re.compile(
    r"\b(?:type|enter)\b[^.]{0,40}\bname\b[^.]{0,40}|输入[^。，]{0,20}(?:名称|名)", re.I
)
_ON = re.compile(r"turn on|switch on|select|tick|enable|check\b|打开|开启|勾选|选中|启用", re.I)
_OFF = re.compile(r"turn off|switch off|clear|untick|disable|关闭|取消|清除|停用", re.I)


def narrow_spots(spots: Sequence[Spot], mark: TextMark) -> list[Spot]:
    """The spots that fit the words around a mark; all where the words say nothing."""
    remaining = list(spots)
    for pattern, roles in _AFTER:
        if re.match(rf"\s*(?:{pattern})", mark.after, re.IGNORECASE):
            remaining = _with_roles(remaining, roles)
            break
    for pattern, roles in _BEFORE:
        if re.search(rf"(?:{pattern})\s*[“\"「]?$", mark.before, re.IGNORECASE):
            remaining = _with_roles(remaining, roles)
            break
    if mark.is_field:
        remaining = _with_roles(remaining, {SpotRole.FIELD})
    return remaining


def _with_roles(spots: list[Spot], roles: set[SpotRole]) -> list[Spot]:
    return [spot for spot in spots if spot.role in roles] or spots


def says_navigation(mark: TextMark) -> bool:
    """Whether words speak of the side navigation."""
    return bool(_NAV_AFTER.match(mark.after) or _NAV_BEFORE.search(mark.before))


def says_row(text: str) -> bool:
    """Whether words speak of a row."""
    return bool(_ROW.search(text))


def says_batch(text: str) -> bool:
    """Whether words speak of what is selected in a list, or of what stands above it."""
    return bool(_BATCH.search(text))


def opens_item(text: str) -> bool:
    """Whether words lead to the page of an item."""
    return bool(_DETAIL.search(text))


def is_default(mark: TextMark) -> bool:
    """Whether the marked value is called the default."""
    return bool(_DEFAULT_BEFORE.search(mark.before) or _DEFAULT_AFTER.match(mark.after))


def default_said(sentence: str) -> bool | int | None:
    """The default that a sentence without a marked value names."""
    if _DEFAULT_OFF.search(sentence):
        return False
    if _DEFAULT_ON.search(sentence):
        return True
    number = _DEFAULT_NUMBER.search(sentence)
    return int(number["en"] or number["zh"]) if number else None


def says_optional(sentence: str) -> bool:
    """Whether a sentence says that what it names may be left out."""
    return bool(_OPTIONAL.search(sentence))


def says_for_whom(sentence: str) -> bool:
    """Whether a sentence holds for some readers only."""
    return bool(_FOR_WHOM.match(sentence))


def mentions(text: str, label: str) -> bool:
    """Whether words name a label, whatever the case."""
    if label.casefold() not in text.casefold():
        return False
    return not label.isascii() or bool(re.search(rf"\b{re.escape(label)}\b", text, re.IGNORECASE))


def types_name(sentence: str) -> bool:
    """Whether a sentence tells to type a name."""
    return bool(_TYPES_NAME.search(sentence))


def switch_in(sentence: str) -> bool | None:
    """Whether a sentence turns something on or off."""
    if _OFF.search(sentence):
        return False
    return True if _ON.search(sentence) else None

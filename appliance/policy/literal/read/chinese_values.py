"""Reads Chinese clauses that give values: 输入…, 将 A 设置为 X, 将 A 拖到 B."""

import re
from collections.abc import Iterator
from dataclasses import replace

from appliance.core.procedure import Inline
from appliance.language import nouns
from appliance.language.words import one_of
from appliance.policy.literal.read.chinese_gestures import drag
from appliance.policy.literal.read.intents import Intent, IntentKind, Place
from appliance.policy.literal.read.maker import IntentMaker
from appliance.policy.literal.read.masking import LABEL, LITERAL, MARK, VALUE, plain_value

K = IntentKind
NOUNS = one_of(nouns.CONTROLS.zh)
_LIST_SEPARATOR = re.compile(r"[、]|以及|[和与及]")


def split_list(rest: str) -> list[str]:
    """Split an enumeration ("名称和说明"); text with a comma or a long part is left whole."""
    names = [name.strip() for name in _LIST_SEPARATOR.split(rest)]
    is_list = "，" not in rest and all(0 < len(name) <= 8 for name in names)
    return names if is_list else [rest]


_GENERAL_FIELDS = re.compile(
    rf"(?!描述|备注|说明)[^{MARK[1:-1]}]*(?:信息|参数|配置|配置项|表单)[:：]?|[其它].*"
)
"""Introduces a table of fields, or goes on about the thing just chosen."""


_REGION = re.compile(rf"^地域[^{MARK[1:-1]}]{{0,6}}(?P<mark>{LABEL})")
_INTO = re.compile(
    rf"^(?P<what>[^，。]*?)(?:添加到|添加至|加入|移动到|移动至|移到|拖动到|拖到|拖拽到)\s*(?P<mark>{LABEL})\s*(?P<noun>{NOUNS})?"
)
_WORDS_SET_TO = re.compile(
    rf"^(?P<thing>[^{MARK[1:-1]}]+?)(?:设置为|设为|改为|调整为|为)\s*(?:(?P<mark>{MARK})|(?P<value>\d[\w:.\-/%]*))"
)
_LABEL_SET_TO = re.compile(
    rf"^(?P<field>{LABEL})\s*(?:字段|选项|滑块)?\s*(?:设置为|设为|改为|修改为|更改为|为|填写为|选择为|调整为|调整到|调整至|调到|拖动到|拖动至|拖到)\s*(?P<mark>{MARK})?(?P<thing>.*)$"
)


def fill(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    """Read what to enter, and into which fields."""
    if re.match(r"^(?:以下|下列|相应)", rest) or _GENERAL_FIELDS.fullmatch(rest):
        yield make(K.INFORM)
    elif m := _VALUE.match(rest):
        value = m.group("mark") or unmarked_value(m.group("plain"), make)
        yield make(K.FILL, value=value, place=replace(place, field=None))
    elif not place.field and (m := _IN_PLAIN.search(make.masked.text)):
        value_match = re.search(MARK, rest)
        yield make(
            K.FILL, thing=m.group("thing"), value=value_match.group() if value_match else None
        )
    elif re.search(r"拖|移[至到动]", rest) and not _TYPED_OR_CHOSEN.search(rest):
        yield from drag(rest, place, make)
    elif re.search(r"添加到|加入到?", rest) and not re.search(MARK, rest):
        is_list = re.search(r"列表|右侧|已选", rest)
        yield make(K.MOVE if is_list else K.UNCLEAR, thing=re.split("添加到|加入", rest)[0])
    elif m := _REGION.match(rest):
        yield make(K.OPEN, m.group("mark"), noun="region")
    elif m := _INTO.match(rest):
        yield from _put_into_list(m, place, make)
    else:
        yield from _fill_with_value(rest, place, make)


def _fill_with_value(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    """Read a field and its value, in either order."""
    if m := re.search(rf"(?:输入|填写|填入)[到至]\s*(?P<mark>{LABEL})?", rest):
        yield make(
            K.FILL if m.group("mark") else K.UNCLEAR, m.group("mark"), thing=rest[: m.start()]
        )
        return
    if m := _WORDS_SET_TO.match(rest):
        new_value = m.group("mark") or plain_value(make.masked, m.group("value"))
        yield make(K.FILL, place.field, thing=m.group("thing"), value=new_value, place=place)
        return
    if m := _LABEL_SET_TO.match(rest):
        field = make.masked.mark(m.group("field"))
        value = m.group("mark") or unmarked_value(m.group("thing"), make)
        yield make(K.FILL, field, value=value, thing=m.group("thing"), place=place)
        return
    value_match = re.search(VALUE, rest)
    marked_value = value_match.group() if value_match else None
    labels = re.findall(LABEL, rest)
    if place.field:
        entered = marked_value or (labels[0] if labels else unmarked_value(rest, make))
        yield make(K.FILL, place.field, value=entered, thing=_without_value(rest), place=place)
        return
    for mark in labels:
        own_value = marked_value if len(labels) == 1 else None
        yield make(K.FILL, mark, value=own_value, thing=rest, place=place)
    for thing in split_list(_without_value(rest)) if not labels else ():
        yield make(
            K.FILL, thing=thing, value=marked_value or unmarked_value(rest, make), place=place
        )


_VALUE = re.compile(rf"^值\s*(?:(?P<mark>{MARK})|(?P<plain>[\w.:/@-]+$))")
_IN_PLAIN = re.compile(
    rf"在(?P<thing>[^，。{MARK[1:-1]}]{{1,8}}?)(?:输入框|文本框|一栏|框|栏)(?:中|里|内)?(?:输入|填写)"
)
_TYPED_OR_CHOSEN = re.compile(
    rf"滑块|到\s*(?:{LITERAL}|\d)|(?:添加到|加入|移动到|拖到|拖拽到|拖动到)\s*{LABEL}\s*(?:列表|区域|框)"
)
_VALUE_WORD = re.compile(
    r"\s*为?\s*(?:不少于|不小于|不低于|至少|不超过|不大于|最多|至多)?\s*(?P<value>\d[\w.:/\-]*|[A-Za-z][\w.:/\-]*|https?://\S+)\s*(?:[KMGT]i?B|[%％]|分钟|小时|天|秒|个)?\s*"
)


def unmarked_value(rest: str, make: IntentMaker) -> Inline | None:
    """The unmarked value if the text is nothing else ("(输入)100 GB")."""
    m = _VALUE_WORD.fullmatch(rest)
    return plain_value(make.masked, m.group("value")) if m else None


def _without_value(rest: str) -> str:
    """The words for the field, up to the first comma, without marked values."""
    return re.split("[，,]", re.sub(rf"{VALUE}|后$", "", rest).strip())[0]


def _put_into_list(m: re.Match[str], place: Place, make: IntentMaker) -> Iterator[Intent]:
    """Read 将 A 添加到 B 列表: an entry of a transfer list, or a file into a drop zone."""
    value_match = re.search(MARK, m.group("what"))
    field_place = replace(place, field=make.masked.mark(m.group("mark")))
    if "文件" in m.group("what"):
        name = value_match.group() if value_match else None
        yield make(K.UPLOAD, value=name, thing="文件", place=field_place)
    elif value_match:
        yield make(K.CHOOSE, value=value_match.group(), place=field_place)
    else:
        yield make(K.INFORM)  # 将其移动到…: what the click before it has done

"""Reads Chinese clauses about keys, icons, dragging, forms and repetitions."""

import re
from collections.abc import Iterator
from dataclasses import replace

from appliance.core.procedure import InlineRole
from appliance.language import icons, keys, nouns
from appliance.language.words import one_of
from appliance.policy.literal.read.chinese_plain import NO_MARK
from appliance.policy.literal.read.intents import Gesture, Intent, IntentKind, Place
from appliance.policy.literal.read.maker import IntentMaker
from appliance.policy.literal.read.masking import LABEL, MARK, plain_value

K = IntentKind
_ASKS_TO_REPEAT = re.compile(
    r"^重复|(?:同样|相同|一样)的?(?:方法|方式|步骤|操作)|都[^，。]{1,6}一遍|同理|以此类推|依此类推|与此(?:相同|类似)|照着再|再来一遍|(?:方法|操作|步骤)(?:同上|相同|一样)"
    r"|(?:参考|参照|按照)(?:步骤|上述|以上|前面)[^，。]*[，,]\s*(?:为|对|给)其[余他它]|重复(?:此|该|上述|以上|执行)"
)
_FORM = re.compile(
    r"(?:根据|按照|依照|参考|参照)[^，。]*?(?:提示|信息|表格|表单|要求|说明|表\d|参数)[^，。]*?(?:配置|填写|设置|完成)[^，。]*"
    rf"|^(?:完成|完善|补全|补充|填写|填好|填完|设置|配置)(?!描述|备注|说明|联系){NO_MARK}{{0,6}}(?:资料|参数|表单|必填项|各项|配置项|相关信息|完整信息|基本信息)(?:后|完)?$"
    r"|(?:完成|填写|填好|设置|配置|输入)(?:完整|以下|如下|下列|相关|所有|必要|必填|各项|基本|表单)+的?(?:的?(?:信息|参数|配置|内容|选项|项))?"
    r"|^填写(?:完整)?(?:信息|表单|参数)?后?$"
)
_KEYS = re.compile(
    rf"^(?:按下?|敲|(?=回车))(?:一下)?(?:快捷键|组合键)?(?:键盘上?的?)?\s*(?P<keys>{MARK}(?:\s*\+\s*{MARK})*|{keys.KEYS})\s*键?"
    r"(?=$|[，,。;；]|[\u4e00-\u9fff])",
    re.I,
)
_NAME_ROLES = (InlineRole.UI_LABEL, InlineRole.EMPHASIS)
_LOOKS = one_of(look for words in icons.LOOKS.values() for look in words.zh)
_ICON = re.compile(
    rf"^(?:(?P<of>{NO_MARK}{{0,16}}?)(?:旁边?|右边|左边|上面|下面|右侧|左侧|前面?|后面?|后方|末尾|右上角|左上角|上(?=的))的?)?(?:那个|一个)?(?:[大小]+的)?"
    rf"(?P<name>{_LOOKS}|(?:{one_of(nouns.ICON_NAMES.zh)})(?=图标|按钮)|[\u4e00-\u9fff]{{1,5}}(?=图标))\s*(?:(?:图标|按钮){NO_MARK}*|菜单)?(?:\s*[(（][^()（）]*[)）])?"
    rf"(?:(?:菜单)?[里中](?:的|选择)?\s*(?P<next>{LABEL}))?(?:(?:进行|来|以|查看|关[掉闭]|打开|删除|进入|编辑|展开){NO_MARK}*)?$"
)
_DRAG = re.compile(
    rf"^(?P<what>[^，。]*?)(?:从\s*(?P<source>{MARK})[^，。]*?)?"
    r"(?:拖动到|拖拽到|拖放到|拖动至|拖拽至|拖到|拖至|拖进|拖入|移至|移动到|移到)\s*(?P<to>[^，。]+?)(?:即可.*|上|中|里|内|来)?$"
)
_FILES = re.compile(r"文件|附件|压缩包|安装包|图片|zip|Excel|csv", re.I)
_LISTS = re.compile(r"已选|待选|候选|列表|选中框|右侧框")
_ZONES = re.compile(r"虚线框|上传区|编辑框|拖拽区|此处|这里")
_LEFT_OPEN = re.compile(
    r"^(?P<thing>[^，。]{1,8}?)(?:信息)?(?:可填可不填|为?选填|可不填|可以?(?:根据|按)[^，。]*填写|按需填写)"
)
_NAME_IT = re.compile(
    r"^(?:(?:为|给)[^，。]{1,12}?)?(?:命名|取名|起名|(?:起|取|填|设置?)(?:个|一个)?(?:名字?|名称))$"
)


def read_special_clause(text: str, place: Place, make: IntentMaker) -> list[Intent] | None:
    """Read a clause that the verb rules do not cover; None if it is not such a clause."""
    if _ASKS_TO_REPEAT.search(text) and not re.search(LABEL, text):
        return [make(K.REPEAT)]
    if _NAME_IT.match(text):
        return [make(K.FILL, thing="名称")]
    if re.match(r"^(?:提交(?:申请|订单|表单|审核|信息)?|保存)$", text):
        return [make(K.CONFIRM)]
    if (m := _LEFT_OPEN.match(text)) and not re.search(MARK, text):
        return [replace(make(K.FILL, thing=m.group("thing")), is_optional=True)]
    if re.match(r"^(?:弹窗|窗口|对话框)(?:可以)?(?:直接)?(?:关掉|关闭)", text):
        return [make(K.CLOSE, thing=text[:2])]
    if re.match(rf"^(?:为{NO_MARK}{{1,10}})?添加(?:一个|新的?)?(?:标签|键值对[:：]?.*)$", text):
        return [make(K.SET_PAIR)]
    if _FORM.search(text) and not re.search(MARK, text):
        is_list = make.masked.text.rstrip().endswith(("：", ":"))
        return [make(K.INFORM if is_list else K.FORM)]
    if key_press := _press(text, make):
        return [key_press]
    return None


def _press(text: str, make: IntentMaker) -> Intent | None:
    m = _KEYS.match(text)
    if m is None:
        return None
    first_mark = re.match(MARK, m.group("keys"))
    is_label = first_mark and make.masked.mark(first_mark.group()).role in _NAME_ROLES
    if is_label and not m.group().rstrip().endswith("键"):
        return None
    keys_pressed = keys.keys_of(make.masked.unmask(m.group("keys")))
    is_key = bool(keys_pressed) and (first_mark is not None or len(keys_pressed) > 1)
    return replace(make(K.PRESS), thing=keys_pressed) if is_key else None


def icon_clicks(rest: str, place: Place, make: IntentMaker) -> list[Intent]:
    """Read a click on an icon named by its looks or purpose, and the choice made in it."""
    m = _ICON.match(rest)
    if m is None:
        return []
    icon_name = plain_value(make.masked, m.group("name"))
    owner = re.sub(r"(?:名称|的|列表|页面|卡片)+$", "", make.masked.unmask(m.group("of") or ""))
    clicks = [make(K.OPEN, icon_name, noun="icon", place=replace(place, field=None, row=owner))]
    return [*clicks, make(K.OPEN, m.group("next"))] if m.group("next") else clicks


_GESTURES = {"双击": Gesture.DOUBLE_CLICK, "右键单击": Gesture.RIGHT_CLICK, "悬停": Gesture.HOVER}


def gesture_of(verb: str) -> Gesture:
    """The gesture that a verb names."""
    return _GESTURES.get(verb, Gesture.CLICK)


def drag(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    """Read 将 A 拖到 B: a file into a drop zone, an entry of a transfer list, or one thing onto another."""
    m = _DRAG.match(rest)
    if m is None:
        yield make(K.UNCLEAR, thing=rest)
        return
    dragged, destination = re.sub(rf"从{NO_MARK}*$", "", m.group("what")), m.group("to")
    dragged_mark, destination_mark = re.search(MARK, dragged), re.search(MARK, destination)
    target = (
        make.masked.mark(destination_mark.group())
        if destination_mark
        else plain_value(make.masked, destination)
    )
    target_place = replace(place, field=target)
    if _FILES.search(dragged) or _ZONES.search(destination):
        name = dragged_mark.group() if dragged_mark else None
        thing = re.sub(rf"^{NO_MARK}*的|{MARK}", "", dragged) or "文件"
        yield make(
            K.UPLOAD, value=name, thing=thing, place=target_place if destination_mark else place
        )
    elif _LISTS.search(dragged + destination):
        yield make(K.MOVE, thing=dragged, place=target_place)
    else:
        source = m.group("source") or (dragged_mark.group() if dragged_mark else None)
        yield make(K.DRAG, source, thing=dragged, place=target_place)

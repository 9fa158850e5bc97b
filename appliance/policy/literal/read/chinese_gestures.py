"""Chinese clauses about keys, icons, dragging, forms and more of the same."""

import re
from collections.abc import Iterator
from dataclasses import replace

from appliance.core.procedure import InlineRole
from appliance.language import icons, keys, nouns
from appliance.language.words import one_of
from appliance.policy.literal.read.intents import Gesture, Intent, IntentKind, Place
from appliance.policy.literal.read.maker import Maker
from appliance.policy.literal.read.masking import LABEL, LITERAL, MARK, OTHER, plain_value

K = IntentKind
_NO_MARK = f"[^，。；{MARK[1:-1]}]"
_AGAIN = re.compile(
    r"^重复|同理|以此类推|依此类推|与此(?:相同|类似)|照着再|再来一遍|(?:方法|操作|步骤)(?:同上|相同|一样)"
    r"|(?:参考|参照|按照)(?:步骤|上述|以上|前面)[^，。]*[，,]\s*(?:为|对|给)其[余他它]|重复(?:此|该|上述|以上|执行)"
)
_FORM = re.compile(
    r"(?:根据|按照|依照|参考|参照)[^，。]*?(?:提示|信息|表格|表单|要求|说明|表\d|参数)[^，。]*?(?:配置|填写|设置|完成)[^，。]*"
    r"|(?:完成|填写|填好|设置|配置|输入)(?:完整|以下|如下|下列|相关|所有|必要|必填|各项|基本|表单)+的?(?:的?(?:信息|参数|配置|内容|选项|项))?"
    r"|^填写(?:完整)?(?:信息|表单|参数)?后?$"
)
_KEYS = re.compile(
    rf"^(?:按下?|敲|(?=回车))(?:一下)?(?:快捷键|组合键)?(?:键盘上?的?)?\s*(?P<keys>(?:{LITERAL}|{OTHER})(?:\s*\+\s*(?:{LITERAL}|{OTHER}))*|{keys.KEYS})\s*键?"
    r"(?=$|[，,。;；]|[\u4e00-\u9fff])",
    re.I,
)
_LOOKS = one_of(look for words in icons.LOOKS.values() for look in words.zh)
_ICON = re.compile(
    rf"^(?:(?P<of>{_NO_MARK}{{0,16}}?)(?:旁边?|右侧|左侧|前面?|后面?|后方|末尾|右上角|左上角|上)的?)?(?:那个|一个)?(?:[大小]+的)?"
    rf"(?P<name>{_LOOKS}|(?:{one_of(nouns.ICON_NAMES.zh)})(?=图标|按钮))\s*(?:(?:图标|按钮){_NO_MARK}*|菜单)?(?:\s*[(（][^()（）]*[)）])?"
    rf"(?:(?:菜单)?[里中](?:的|选择)?\s*(?P<next>{LABEL}))?(?:进行.*|来.*|以.*|查看.*)?$"
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


def special(text: str, place: Place, make: Maker) -> list[Intent] | None:
    """The intents of a clause that no verb of the grammar rules; None where it is none of these."""
    if _AGAIN.search(text) and not re.search(LABEL, text):
        return [make(K.REPEAT)]
    if _NAME_IT.match(text):
        return [make(K.FILL, thing="名称")]
    if (m := _LEFT_OPEN.match(text)) and not re.search(MARK, text):
        return [replace(make(K.FILL, thing=m.group("thing")), is_optional=True)]
    if re.match(r"^(?:弹窗|窗口|对话框)(?:可以)?(?:直接)?(?:关掉|关闭)", text):
        return [make(K.CLOSE, thing=text[:2])]
    if re.match(rf"^(?:为{_NO_MARK}{{1,10}})?添加标签$", text):
        return [make(K.SET_PAIR)]
    if _FORM.search(text) and not re.search(MARK, text):
        is_list = make.masked.text.rstrip().endswith(("：", ":"))
        return [make(K.INFORM if is_list else K.FORM)]
    if keyed := _pressed(text, make):
        return [keyed]
    return None


def _pressed(text: str, make: Maker) -> Intent | None:
    m = _KEYS.match(text)
    if m is None:
        return None
    first = re.match(MARK, m.group("keys"))
    if first and make.masked.mark(first.group()).role is InlineRole.EMPHASIS:
        return None
    pressing = keys.keys_of(make.masked.spoken(m.group("keys")))
    is_key = bool(pressing) and (first is not None or len(pressing) > 1)
    return replace(make(K.PRESS), thing=pressing) if is_key else None


def icon_of(rest: str, place: Place, make: Maker) -> list[Intent]:
    """An icon that is called by its looks, or by what it does, and what is chosen in it."""
    m = _ICON.match(rest)
    if m is None:
        return []
    said = plain_value(make.masked, m.group("name"))
    of = re.sub(r"(?:名称|的|列表|页面|卡片)+$", "", make.masked.spoken(m.group("of") or ""))
    found = [make(K.OPEN, said, noun="icon", place=replace(place, field=None, row=of))]
    return [*found, make(K.OPEN, m.group("next"))] if m.group("next") else found


_GESTURES = {"双击": Gesture.DOUBLE_CLICK, "右键单击": Gesture.RIGHT_CLICK, "悬停": Gesture.HOVER}


def gesture_of(verb: str) -> Gesture:
    """What the mouse does."""
    return _GESTURES.get(verb, Gesture.CLICK)


def dragged(rest: str, place: Place, make: Maker) -> Iterator[Intent]:
    """将 A 拖到 B: a file for a drop zone, an entry of a transfer list, or one thing onto another."""
    m = _DRAG.match(rest)
    if m is None:
        yield make(K.UNCLEAR, thing=rest)
        return
    what, to = m.group("what"), m.group("to")
    given, onto = re.search(MARK, what), re.search(MARK, to)
    target = make.masked.mark(onto.group()) if onto else plain_value(make.masked, to)
    there = replace(place, field=target)
    if _FILES.search(what) or _ZONES.search(to):
        name = given.group() if given else None
        yield make(K.UPLOAD, value=name, thing="文件", place=there if onto else place)
    elif _LISTS.search(what + to):
        yield make(K.MOVE, thing=what, place=there)
    else:
        source = m.group("source") or (given.group() if given else None)
        yield make(K.DRAG, source, thing=what, place=there)

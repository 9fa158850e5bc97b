"""Chinese clauses that choose: options, entries, rows, check boxes, switches."""

import re
from collections.abc import Iterator
from dataclasses import replace

from appliance.language import nouns, verbs
from appliance.language.words import one_of
from appliance.policy.literal.read.chinese_gestures import icon_clicks
from appliance.policy.literal.read.chinese_values import NOUNS, split_list, unmarked_value
from appliance.policy.literal.read.intents import Intent, IntentKind, Place
from appliance.policy.literal.read.maker import IntentMaker
from appliance.policy.literal.read.masking import LABEL, MARK, guessed_name

K = IntentKind
KNOWN_BUTTON = re.compile(
    rf"^(?P<name>{one_of((verbs.CREATES + verbs.DELETES + verbs.EDITS + verbs.SAVES + verbs.GO_ON + verbs.FINISH).zh)}|取消|是)(?:按钮)?(?:即可|就行|就好|吧)?$"
)
"""The label of a common button that the text leaves unmarked."""
SWITCH = re.compile(rf"^(?P<name>[^，。{MARK[1:-1]}]{{1,12}}?)的?开关$")
_WANTED_OPTION = re.compile(
    rf"^(?:一个|一种)?(?:所?需要?的?|合适的|相应的|对应的|想要的)(?P<mark>{LABEL})(?:选项)?$"
)


def select(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    """Read 选择…: options, entries, rows, files, icons."""
    if rest.startswith("是否") and not place.field:
        yield make(K.INFORM)
        return
    yield from icon_clicks(rest, place, make) or _select(rest, place, make)


def _select(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    if _LOCAL_FILE.search(rest) and not re.search(LABEL, rest):
        yield make(K.UPLOAD, thing="文件")
    elif re.match(r"^(?:以下|下列|相应|合适)?.*(?:项目|地域).*(?:下拉|列表)", rest):
        yield make(K.SWITCH_PROJECT, thing=rest)
    elif not place.field and re.match(rf"^{LABEL}(?:[和、及与]{LABEL})+$", rest):
        for mark in re.findall(LABEL, rest):
            yield make(K.OPEN, mark, noun="choice", place=place)
    elif m := _WANTED_OPTION.match(rest):
        field = make.masked.mark(m.group("mark"))
        yield make(K.CHOOSE, place=replace(place, field=field))
    elif m := re.match(rf"^(?:要\w*的)?(?P<mark>{MARK})\s*(?P<noun>{NOUNS})?", rest):
        yield _select_marked(m, place, make)
    elif re.match(r"^(?:以下|下列)", rest):
        yield make(K.INFORM)
    elif place.field:
        yield make(K.CHOOSE, thing=rest, value=unmarked_value(rest, make), place=place)
    else:
        for thing in split_list(re.split("[，,]", rest)[0]):
            yield make(K.PICK, thing=thing, noun="复选框" if "复选框" in rest else "", place=place)


def _select_marked(m: re.Match[str], place: Place, make: IntentMaker) -> Intent:
    """Read the choice of a marked name: a check box, an option of a field, or a control to click."""
    mark, noun = m.group("mark"), m.group("noun") or ""
    if noun in (nouns.CHECK_BOXES + nouns.SWITCHES).zh:
        return make(K.TICK, mark, noun=noun, place=place)
    if place.field and KNOWN_BUTTON.match(make.masked.mark(mark).text):
        return make(K.OPEN, mark, noun=noun, place=replace(place, field=None, section=place.field))
    if place.field:
        return make(K.CHOOSE, value=mark, place=place)
    return make(K.OPEN, mark, noun=noun or "choice", place=place)


_LOCAL_FILE = re.compile(r"本地|文件|压缩包|安装包|图片$")


def tick(verb: str, rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    """Read 勾选…, 启用…, 取消勾选…, 关闭…."""
    kind = K.TICK if verb in verbs.TICK.zh else K.UNTICK
    if verb == "关闭" and re.fullmatch(r".{0,5}(?:弹窗|窗口|对话框|页面|提示)(?:即可)?", rest):
        yield make(K.CLOSE, thing=rest)
        return
    if m := re.search(rf"{MARK}(?:\s*(?:和|及|与|、|以及)\s*{MARK})*", rest):
        for mark in re.findall(MARK, m.group()):
            yield make(kind, mark, noun="复选框", place=place)
    elif verb == "勾选" and place.field:
        yield make(K.CHOOSE, thing=rest, place=place)
    elif verb == "勾选":
        yield make(K.PICK, thing=rest, noun="复选框", place=place)
    elif place.field:
        yield make(kind, place.field, noun="开关", place=place)
    elif m := SWITCH.match(rest):
        yield make(kind, guessed_name(make.masked, m.group("name")), noun="开关", place=place)
    else:
        yield make(K.UNCLEAR, thing=verb + rest)

"""Reads Chinese console prose into intents, clause by clause, as `english` does."""

import re
from collections.abc import Iterator
from dataclasses import replace

from appliance.core.procedure import Sentence
from appliance.language import nouns, verbs
from appliance.language.words import one_of
from appliance.policy.literal.read.chinese_choices import KNOWN_BUTTON, SWITCH, select, tick
from appliance.policy.literal.read.chinese_gestures import (
    gesture_of,
    icon_clicks,
    read_special_clause,
)
from appliance.policy.literal.read.chinese_plain import plainly
from appliance.policy.literal.read.chinese_values import NOUNS, fill, unmarked_value
from appliance.policy.literal.read.intents import Intent, IntentKind, Place
from appliance.policy.literal.read.maker import IntentMaker
from appliance.policy.literal.read.masking import (
    LABEL,
    MARK,
    VALUE,
    Masked,
    guessed_name,
    mask,
    with_plain_states,
)
from appliance.policy.literal.read.uploads import with_uploads

K = IntentKind
_VERBS = re.sub(r"\|(输入|搜索)(?=\|)", r"|\1(?![框栏])", one_of(verbs.IMPERATIVES.zh))
_SOFTENERS = r"(?:请|再|依次|然后|并|可以?|需要?|须|应|要|还|额外|就|先|直接|别忘了|您|你){0,6}"
_CAN_APPEAR = one_of(nouns.CAN_APPEAR.zh)
_SOMEWHERE = rf"在[^，。]{{1,16}}?(?:[行列中里栏角处上下]|页签|页面|面板|区域|步骤)的?(?:{_VERBS})|在[^，。]{{1,10}}?(?=输入|填写|选择|单击|点击)"
_FIELD_FIRST = rf"{LABEL}\s*(?:选择|选中|勾选|设置为|设为|输入|填写)"
_PAGE_SHOWS = rf"(?:页面|系统|控制台|右侧)[^，。{MARK[1:-1]}]{{0,6}}(?:弹出|显示|出现)\s*{LABEL}"
_CLAUSE_START = re.compile(
    rf"(?:^|[，,；;、：:]|然后|再|并且|并|后|接着|最后|请)(?={_SOFTENERS}(?:{_VERBS}|按(?:下|一下)?(?:快捷键|组合键)?\s*(?:{MARK}|[A-Za-z回空])|回车|重复|提交|保存$|[在从于]\s*{LABEL}|{_SOMEWHERE}|{_FIELD_FIRST}|{_PAGE_SHOWS}))"
)
_CLAUSE = re.compile(rf"^{_SOFTENERS}(?P<verb>{_VERBS})(?P<rest>.*)$", re.S)
_LEAD = re.compile(
    rf"(?:在|从|于|对于)?\s*(?:左侧|右侧|上方|下方|顶部|右上角|左上角)?(?:的)?\s*(?P<mark>{LABEL})\s*(?P<noun>{NOUNS})?"
)
_OPTIONAL = re.compile(r"^\W*(?:可选|（可选）|\(可选\)|您?(?:也|还)?可以|如(?:有)?需要?)")
_OPTIONAL_MARK = re.compile(r"^[（(]?可选(?:配置|步骤|操作|项)?[）)]?[，,：:]?\s*")
_CONDITION = re.compile(
    r"^(?:如果|若|当|如(?!图|下|上)|除非|没(?!有其)[^，。？?]{1,12}[，,]|(?:有|对|不|未|想|需要)[^，。]{1,16}(?:的话?|用户|同学|企业|客户|场景)[，,]"
    r"|要是|假如|一旦|万一|倘若|凡是?|否则|(?!系统|提示|在|登录|创建|完成)[^，。]{1,16}(?:时|的话|情况下)[，,])"
)
_ASIDE = re.compile(
    r"^(?:(?:如[^，。]{0,6}图[^，。]{0,4}所示|如[下上]所示)|(?:根据|按照)(?:界面|页面|系统|向导)?提示"
    r"|根据(?:业务|实际)?(?:需要|需求|情况)"
    r"|(?:设置|填写|配置|输入|选择|修改)(?:完成|完毕|好)(?:之?后)?)[，,]"
)
"""An aside about when or why, before the actual instruction."""
_AND_SAVE = re.compile(r"(?:[，,]?(?:并|然后|再|最后)|[，,])保存(?:配置|设置|修改|更改)?$")


def read(sentence: Sentence, step: str) -> Iterator[Intent]:
    """Read the intents of one Chinese sentence."""
    masked = mask(sentence)
    text_without_marks, optional_marks = _MARKED_OPTIONAL.subn(
        "", with_plain_states(masked, _TURNED_TO_STATE, "开启", "关闭").strip().rstrip("。！")
    )
    if _ADDS_KEY_AND_VALUE.search(text_without_marks):
        yield unconditional_maker(masked, step)(K.SET_PAIR)
        return
    text_without_marks, conditional_text = _split_later_condition(text_without_marks)
    is_conditional = not optional_marks and bool(_CONDITION.match(text_without_marks))
    if is_conditional and (m := _CONDITION_CLAUSE.match(text_without_marks)):
        # The condition is no instruction.
        text_without_marks = text_without_marks[m.end() :]
    text = _ASIDE.sub("", plainly(text_without_marks))
    optional = bool(optional_marks) or bool(_OPTIONAL.match(text))
    make = IntentMaker(masked, step, optional, not optional and is_conditional, _noun_phrase)
    text = _OPTIONAL_MARK.sub("", text)
    yield from with_uploads(_read_text(_AND_SAVE.sub("", text), make))
    if _AND_SAVE.search(text):
        yield make(K.CONFIRM)
    if conditional_text:
        make_conditional = IntentMaker(masked, step, False, True, _noun_phrase)
        if m := _CONDITION_CLAUSE.match(conditional_text):
            conditional_text = conditional_text[m.end() :]
        yield from _read_text(_ASIDE.sub("", plainly(conditional_text)), make_conditional)


_TURNED_TO_STATE = re.compile(
    rf"(?P<before>(?:开关|按钮|滑块)\s*(?:切换|拨|滑|置|设置?|改)(?:为|到|至|成)\s*)(?P<mark>{MARK})"
)
_CONDITION_CLAUSE = re.compile(r"[^，,：:；]{2,40}(?:[，,：:]|则)(?=\S)")
_MARKED_OPTIONAL = re.compile(
    r"[（(](?:如需要?|如有(?:需要)?|若有|可选|选填|非必填|按需)[）)]"
    r"|[，,](?:此|该|这一|本)项(?:是|为)?(?:可选|选填|非必填)的?$"
)
_ADDS_KEY_AND_VALUE = re.compile(rf"添加[^，。{MARK[1:-1]}]*标签[，,：:][^。]*键[^。]*值")
_LATER_CONDITION = re.compile(
    r"[，,；;。](?=(?:如果|若(?!干)|如需|如要|如有|如(?=[您你未不无没])|万一|否则)[^。]*?(?:[，,]|请|点|单击|选择))"
)


def unconditional_maker(masked: Masked, step: str) -> IntentMaker:
    """The maker of intents for a sentence that is neither optional nor conditional."""
    return IntentMaker(masked, step, False, False, _noun_phrase)


def _split_later_condition(text: str) -> tuple[str, str]:
    """Split off what the sentence asks for only under a condition at its end."""
    m = _LATER_CONDITION.search(text)
    return (text[: m.start()], text[m.end() :].removeprefix("否则")) if m else (text, "")


def _read_text(text: str, make: IntentMaker) -> Iterator[Intent]:
    if (special_intents_of_all := read_special_clause(text, Place(), make)) is not None:
        yield from special_intents_of_all
        return
    clause_starts = list(_CLAUSE_START.finditer(text))
    verb = re.search(rf"(?:{_VERBS})", text)
    if not clause_starts and verb and _looks_imperative(text, verb):
        lead, place = _read_lead(text[: verb.start()], make)
        yield from lead
        yield from _read_clauses(text[verb.start() :], place, make)
        return
    if not clause_starts:
        lone_intents = read_special_clause(re.split("[，,]", text)[0], Place(), make)
        yield from _read_claims(text, make) if lone_intents is None else lone_intents
        return
    place = Place()
    before_verb = text[: clause_starts[0].start()]
    verb = re.search(rf"(?:{_VERBS})", before_verb)
    if verb and _looks_imperative(before_verb, verb):
        lead, place = _read_lead(before_verb[: verb.start()], make)
        yield from lead
        yield from _read_clauses(text[verb.start() :], place, make)
        return
    if before_verb.strip():
        special_intents = [
            read_special_clause(piece, place, make) for piece in re.split("[，,]", before_verb)
        ]
        is_lead = make.conditional or re.search(rf"在|从|于|对于|{LABEL}|为了|要|如", before_verb)
        if (
            not any(special_intents)
            and not is_lead
            and not _PLAIN_INSTRUCTION.match(text[clause_starts[0].end() :])
        ):
            yield from _read_claims(text, make)
            return
        if is_lead:
            lead, place = _read_lead(before_verb, make)
            yield from lead
        for intents in filter(None, special_intents):
            yield from intents
    yield from _read_clauses(text[clause_starts[0].end() :], place, make)


_PLAIN_INSTRUCTION = re.compile(
    rf"^{_SOFTENERS}(?:单击|点击|选择|选中|输入|填写|勾选|取消勾选|双击|切换到)(?:[^，。{MARK[1:-1]}]{{0,8}}{MARK}|下一步|确定|保存|提交)"
)
"""Unmistakably an instruction, whatever precedes it."""


_MANUAL_VERBS = frozenset({"输入", "填写", "选择", "单击", "点击"})


def _looks_imperative(text: str, verb: re.Match[str]) -> bool:
    """Whether the verb instructs, after a place (在**名称**中输入…), and does not report (桶创建后会显示…)."""
    before = text[: verb.start()]
    if _STATED_ABILITY.search(before):
        return False
    is_somewhere = before.startswith("在") and verb.group() in _MANUAL_VERBS
    return (
        not before
        or is_somewhere
        or bool(
            re.search(
                rf"(?:在|从|于|对于|到|为).*(?:{LABEL}|{NOUNS}|中|里|上|下|列)|{LABEL}[^，。]{{0,6}}$",
                before,
            )
        )
    )


_STATED_ABILITY = re.compile(
    rf"(?:支持|最多|至多|只能|不能|无法|不可|仅能|仅可|默认)[^，。]{{0,4}}$|^{LABEL}\s*(?:也|还)(?:可以?|能)?$"
)
"""Precedes a verb that states what is possible or the default, and asks for nothing."""
_NAVIGATION = re.compile(rf"(?:导航栏|左侧菜单|侧边栏)[^{MARK[1:-1]}]*(?P<mark>{LABEL})")


def _read_clauses(text: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    """Read the clauses of a sentence; clicks in the navigation are marked as meant for its entries."""
    entries = [make.masked.mark(m.group("mark")) for m in _NAVIGATION.finditer(make.masked.text)]
    for intent in _read_each_clause(text, place, make):
        is_entry = intent.kind is K.OPEN and intent.noun in ("", "choice")
        yield replace(intent, noun="place") if is_entry and intent.label in entries else intent


def _split_clauses(text: str) -> list[str]:
    cuts = [cut for cut in _CLAUSE_START.finditer(text) if cut.start() > 0]
    starts, ends = [0, *(c.end() for c in cuts)], [*(c.start() for c in cuts), len(text)]
    return [text[a:b].strip(" ，,；;、") for a, b in zip(starts, ends, strict=True)]


def _read_each_clause(text: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    for part in _split_clauses(text):
        if (special_intents := read_special_clause(part, place, make)) is not None:
            yield from special_intents
            continue
        clause = _CLAUSE.match(part)
        if not clause and (verb := re.search(rf"(?:{_VERBS})", part)):
            openings, place = _read_lead(part[: verb.start()], make)
            yield from openings
            clause = _CLAUSE.match(part[verb.start() :])
        if clause:
            # 在 A 列中… may stand again after a comma: "，在 B 对话框中输入 …"
            for intent in _read_clause(clause.group("verb"), clause.group("rest"), place, make):
                if intent.kind is K.PICK:
                    place = replace(place, row=intent.thing)
                yield intent
            if place.field:  # the next clause names its own field, or needs none
                place = replace(place, field=None, in_menu=False)
        elif re.match(_PAGE_SHOWS, part):
            yield from _read_claims(part, make)
        elif part:
            openings, place = _read_lead(part, make)
            yield from openings


def _noun_phrase(text: str) -> str:
    text = re.sub(
        r"^(?:列表中的?|某|任意|一个|一条|目标|要|需要|您|想要|新的|该|所|的|删除|修改|操作|要删除|要修改)+",
        "",
        text.strip(" ，。、：:"),
    )
    return re.sub(
        r"(?:所在行|所在的行|那一行|一行|对应的|前面的|前|左侧的?)(?:的)?(?:复选框)?$", "", text
    ).strip("的 ")


_ROW = re.compile(r"(?:在|^)(?P<row>[^，。]{1,30}?)\s*(?:所在的?行|这一行|一行|行)")


def _read_lead(text: str, make: IntentMaker) -> tuple[list[Intent], Place]:
    openings: list[Intent] = []
    place = Place()
    for m in _LEAD.finditer(text):
        label, noun = make.masked.mark(m.group("mark")), m.group("noun") or ""
        if noun in nouns.OPENED.zh:
            openings.append(make(K.EXPECT_OPEN, label, noun=noun))
            place = replace(place, dialog=label)
        elif noun in nouns.NAVIGATION.zh:
            openings.append(make(K.OPEN, label, noun=noun))
        elif noun == "列":
            place = replace(place, column=label, in_menu=True)
        elif noun == "区域":
            place = replace(place, section=label)
        else:
            place = replace(place, field=label, in_menu="菜单" in noun or "列表" in noun)
    if re.search(r"操作列|下拉|菜单|更多", text):
        place = replace(place, in_menu=True)
    if row_match := _ROW.search(text):
        place = replace(place, row=_noun_phrase(make.masked.unmask(row_match.group("row"))))
    return openings, place


_MESSAGE = re.compile(rf"(?:提示|消息|通知|显示|出现)[^{MARK[1:-1]}]*(?P<mark>{MARK})")
_APPEARS = re.compile(
    rf"(?P<mark>{LABEL})\s*(?P<noun>{_CAN_APPEAR})\s*(?:会|将)?(?:打开|出现|弹出|显示)|(?:打开|弹出|出现|显示|进入)\s*(?P<mark2>{LABEL})\s*(?P<noun2>{_CAN_APPEAR})"
)
_IN_COLUMN = re.compile(
    rf"(?:在\s*)?(?P<column>{LABEL})\s*列(?!表)[中里内]?(?:会|将)?(?:显示|变为)为?\s*(?P<mark>{MARK})"
)
_COLUMN = re.compile(
    rf"(?:列表|表格)(?:中|里)?的?\s*(?P<mark>{LABEL})\s*列(?!表)"
    rf"|^(?:在\s*)?(?P<mark2>{LABEL})\s*列(?!表)[中里内]?(?:会|将)?(?:显示|展示|列出)"
)
_STATUS = re.compile(rf"(?:状态|变为|变成|显示为|为)[^{MARK[1:-1]}]*(?P<mark>{MARK})")


def _read_claims(text: str, make: IntentMaker) -> Iterator[Intent]:
    parts = [part for part in re.split("[，；]", text) if re.search(MARK, part)]
    claims = [part for part in parts if re.search(r"状态|变为|变成|提示|消息|通知", part)]
    if len(claims) > 1:  # 页面提示…，状态变为…
        for part in claims:
            yield from _read_claim(part, make)
    else:
        yield from _read_claim(text, make)


def _read_claim(text: str, make: IntentMaker) -> Iterator[Intent]:
    if make.optional or make.conditional:
        yield make(K.INFORM)
    elif m := _APPEARS.search(text):
        yield make(
            K.EXPECT_OPEN,
            m.group("mark") or m.group("mark2"),
            noun=m.group("noun") or m.group("noun2"),
        )
    elif m := _IN_COLUMN.search(text):
        place = Place(column=make.masked.mark(m.group("column")))
        yield make(K.EXPECT_TEXT, m.group("mark"), noun="status", thing=text, place=place)
    elif m := _COLUMN.search(text):
        yield make(K.EXPECT_FIELD, m.group("mark") or m.group("mark2"), noun="column")
    elif re.search(r"状态|变为|变成", text) and (m := _STATUS.search(text)):
        yield make(K.EXPECT_TEXT, m.group("mark"), noun="status", thing=text)
    elif m := _MESSAGE.search(text):
        yield make(K.EXPECT_TEXT, m.group("mark"), noun="message")
    elif m := re.match(rf"^(?P<mark>{LABEL})\s*(?P<noun>{NOUNS})?$", text):
        is_tab = (m.group("noun") or "") in nouns.NAVIGATION.zh + nouns.OPENED.zh
        yield make(K.OPEN if is_tab else K.INFORM, m.group("mark"), noun=m.group("noun") or "")
    else:
        yield make(K.INFORM)


_DONE_TO_OBJECT = re.compile(r"设|改|调|为|拖|移|添加|加入|填|输入|上传|换|命名")
"""Follows an object and says what is done to it."""


def _read_clause(verb: str, rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    rest = rest.strip()
    if _is_aside(verb, rest):
        yield make(K.INFORM)
    elif verb in verbs.WITH_OBJECT.zh and not _DONE_TO_OBJECT.search(rest):
        yield make(K.UNCLEAR, thing=verb + rest)
    elif verb in (verbs.CLICK + verbs.HOVER).zh:
        for intent in _click(rest, place, make):
            gesture = gesture_of(verb)
            is_thing = gesture and intent.kind is K.UNCLEAR
            yield replace(intent, kind=K.FOLLOW if is_thing else intent.kind, gesture=gesture)
    elif verb in verbs.OPEN.zh:
        yield from _open(rest, place, make)
    elif verb in verbs.SELECT.zh:
        yield from select(rest, place, make)
    elif verb in (verbs.FILL + verbs.EDIT + verbs.WITH_OBJECT).zh:
        yield from fill(rest, place, make)
    elif verb in (verbs.TICK + verbs.UNTICK).zh:
        yield from tick(verb, rest, place, make)
    else:
        yield from _read_other_verb(verb, rest, place, make)


_FILE_CHOICE = re.compile(r"(?:选择|拖拽|拖动|上传)[^，。]*文件|文件[^，。]*(?:拖拽|拖动|拖放)")
_ABOVE_LIST = re.compile(r"(?:列表|表格|页面)(?:的)?(?:上方|右上角|左上角|顶部)|工具栏")


def _click(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    if _FILE_CHOICE.search(rest):
        yield make(K.UPLOAD, place.section or place.field, thing=rest, place=place)
        return
    if icon_intents := icon_clicks(rest, place, make):
        yield from icon_intents
        return
    if m := KNOWN_BUTTON.match(rest):
        yield make(K.OPEN, guessed_name(make.masked, m.group("name")), place=place)
        return
    if m := re.match(
        rf"^(?:(?P<row>[^{MARK[1:-1]}]*?)(?:所在行|一行|右侧|操作列|列表上方|页面右上角|左侧|下方|上方|中)?(?:的|中的)?)?\s*(?P<mark>{LABEL}(?:\s*(?:>|→)\s*{LABEL})*)\s*(?P<noun>{NOUNS})?",
        rest,
    ):
        menu = bool(re.search(r"操作列|更多|菜单|下拉", rest))
        row = (
            _noun_phrase(m.group("row") or "")
            if re.search(r"所在行|一行|右侧", rest[: m.start("mark")])
            else ""
            if _ABOVE_LIST.search(rest[: m.start("mark")])
            else place.row
        )
        for mark in re.findall(LABEL, m.group("mark")):
            yield make(
                K.OPEN,
                mark,
                noun=m.group("noun") or "",
                place=replace(place, in_menu=menu or place.in_menu, row=row),
            )
    elif re.search(r"名称|ID", rest):
        yield make(K.FOLLOW, thing=re.sub(r"(?:的)?(?:名称|ID).*$", "", rest), place=place)
    elif re.search(r"更多|菜单|^(?:[左右]侧的?)?下拉(?:箭头|按钮|图标|框)$", rest):
        yield make(K.OPEN_MENU, place=place)
    elif re.fullmatch(rf"[^{MARK[1:-1]}，。]{{1,12}}(?<!图标)(?<!按钮)", rest):
        # 单击域名: a row, whose name a binding gives
        yield make(K.FOLLOW, thing=_PURPOSE.sub("", rest), place=place)
    else:
        yield make(K.UNCLEAR, thing=rest)


_PURPOSE = re.compile(r"(?<=..)(?:以|来|即可)?(?:打开|进入|查看|编辑).{0,6}$")


def _open(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    if icon_intents := icon_clicks(rest, place, make):
        yield from icon_intents
        return
    if re.search(r"https?://", rest):
        yield make(K.LOG_IN)
        return
    if m := SWITCH.match(rest):
        yield make(K.TICK, guessed_name(make.masked, m.group("name")), noun="开关", place=place)
        return
    if m := re.search(rf"地域[^{MARK[1:-1]}]{{0,6}}(?P<mark>{LABEL})|(?P<mark2>{LABEL})地域", rest):
        yield make(K.OPEN, m.group("mark") or m.group("mark2"), noun="region")
    elif m := re.match(rf"^(?P<mark>{LABEL})\s*(?P<noun>开关)", rest):
        yield make(K.TICK, m.group("mark"), noun=m.group("noun"), place=place)
    elif m := re.search(
        rf"(?P<mark>{LABEL}(?:\s*(?:-?>|→|[-–—])\s*{LABEL})*)\s*(?P<noun>{NOUNS})?", rest
    ):
        for mark in re.findall(LABEL, m.group("mark")):
            yield make(K.OPEN, mark, noun=m.group("noun") or "place", place=place)
    elif re.search(r"详情页|页面|列表页|控制台", rest):
        yield make(K.INFORM)
    elif rest:
        yield make(
            K.FOLLOW, thing=re.sub(r"(?:的)?(?:详情|详细)?(?:页面|页)?$", "", rest), place=place
        )


def _is_aside(verb: str, rest: str) -> bool:
    """Whether it only reviews what was entered, or drags a slider whose value the next clause gives."""
    if re.search(MARK, rest):
        return False
    return bool(verb == "确认" and _LOOKED_OVER.search(rest)) or (verb == "拖动" and "滑块" in rest)


_LOOKED_OVER = re.compile(r"后$|无误|配置|信息|费用|正常|正确|可用|已|是否|没有")


def _read_other_verb(verb: str, rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    mark = re.search(MARK, rest)
    value_match = re.search(VALUE, rest)
    match verb:
        case "登录":
            yield make(K.LOG_IN)
        case "确认":
            yield (
                make(K.CONFIRM, thing=rest) if not mark else make(K.OPEN, mark.group(), place=place)
            )
        case "上传":
            label = re.search(LABEL, rest)
            value = value_match.group() if value_match else None
            yield make(
                K.UPLOAD, label.group() if label else None, thing=rest, value=value, place=place
            )
        case "等待":
            yield make(
                K.EXPECT_TEXT if mark else K.WAIT,
                mark.group() if mark else None,
                noun="status",
                thing=rest,
            )
        case "找到":
            yield make(
                K.PICK, thing=rest, value=value_match.group() if value_match else None, place=place
            )
        case "搜索":
            value_said = mark.group() if mark else unmarked_value(rest, make)
            thing = re.sub(MARK, "", rest)
            yield make(
                K.FILL, place.field, noun="search", thing=thing, value=value_said, place=place
            )
        case "保持" | "查看":
            yield make(K.INFORM)
        case "运行" | "执行":
            yield make(K.EXTERNAL)
        case _:
            yield make(K.INFORM if make.optional else K.UNCLEAR, thing=verb + rest)

"""What Chinese says in many ways → the one way that the grammar reads: “把A勾上” is “勾选A”."""

import re

from appliance.language import verbs
from appliance.language.words import one_of
from appliance.policy.literal.read.masking import LABEL, MARK

_NO_MARK = f"[^，。；{MARK[1:-1]}]"
_CLAUSE = r"(?P<at>^|[，,；;。：:！!？?]\s*|然后|接着|最后|再|请|并|后|就|直接|先|可以|别忘了|了|即可|只需)"
_OVER = one_of(verbs.IS_OVER.zh)
_TAKES = r"(?:把|将)"
_BOX = r"(?:前面?|左侧|旁边?|后面?)?的?\s*(?:复选框|勾选?|选中|对勾|开关)?"
_WAYS = (
    # spoken verbs
    (r"(?:请?用)?鼠标(?:左键)?(?=点|单击|双击)", ""),
    (rf"{_CLAUSE}(?:鼠标)?点(?:一下|选|按|开|进|击)?(?![评数赞心位])", r"\g<at>单击"),
    (rf"{_CLAUSE}(?:选|挑)(?![择中项框取])(?:一个|好|上)?", r"\g<at>选择"),
    (rf"{_CLAUSE}填(?![写入充报])(?:上|好)?", r"\g<at>填写"),
    (r"键入|录入|敲入|贴入|粘贴", "输入"),
    (rf"{_CLAUSE}(?:切到|切至|进到|进(?![入行度程])|来到|跳转到|转到)", r"\g<at>切换到"),
    (rf"(?:鼠标)?指向(?={LABEL})", "单击"),
    (r"(?:鼠标)?(?:右键点击|右击|右键(?!单击|菜单))", "右键单击"),
    (r"(?:将|把)?(?:鼠标|指针|光标)+(?:悬停|移动?|放置?)(?:在|到|至)?\s*([^，,]*?)(?:上方?|处|之上)?(?=[，,]|$)", r"悬停\1"),
    (r"使用[^，。]{1,10}?(?:账号|帐号|账户|身份)(?=登录)", ""),
    # what only leads up to the instruction
    (rf"^(?:等|待|当)?(?!如果|若){_NO_MARK}{{0,16}}?(?:{_OVER})(?:之后|以后|后)?了?[，,]\s*(?=\S)", ""),
    (rf"^(?:都|全部)?{_NO_MARK}{{0,8}}?(?:{_OVER})(?:之后|以后|后)?(?=单击|选择|按|回车)", ""),
    (rf"根据{_NO_MARK}{{1,10}}?(?=单击|选择|勾选)", ""),
    (rf"(?:拉|滚动|滑动?|下拉)(?:到|至){_NO_MARK}{{0,10}}[，,]", ""),
    # switches and boxes
    (rf"{_TAKES}{_NO_MARK}{{0,6}}({LABEL}){_BOX}(?:置为|设为|设置为|切换为|切换到|拨到|改为|改成)?\s*(?:关掉|关上|关了|关闭|停用|禁用)(?:状态)?",
     r"关闭\1"),
    (rf"{_TAKES}{_NO_MARK}{{0,6}}({LABEL}){_BOX}(?:置为|设为|设置为|切换为|切换到|拨到|改为|改成)?\s*(?:打开|开启|启用|勾上|选上|点上|勾选|选中)(?:状态)?(?![\u4e00-\u9fff])",
     r"勾选\1"),
    (rf"(?:去掉|取消|清除|去除)\s*({LABEL})\s*(?:前面?|左侧|旁边?|后面?)?的?\s*(?:复选框|勾选?|选中|对勾)", r"取消勾选\1"),
    (rf"{_TAKES}\s*({LABEL})\s*(?:前面?)?的?(?:勾选?|对勾)(?:去掉|取消|去除)", r"取消勾选\1"),
    (rf"取消选中(?={LABEL})", "取消勾选"),
    (r"勾上|打上?勾|打钩", "勾选"),
    # values
    (rf"{_TAKES}\s*({MARK}|{_NO_MARK}{{1,10}}?)(?:的(?:值|内容))?\s*(?:改成|换成|设成|填成|修改成|置为)\s*(?={MARK}|\w)", r"将\1设置为"),
    (rf"(?<={LABEL})\s*(?:这一栏|一栏|处|那里)\s*(?=输入|填写|选择)", ""),
    (rf"(?<={LABEL})\s*(?:选|挑)\s*(?={MARK}|[A-Za-z\d])", "选择"),
    (rf"(?<={LABEL})\s*(?:填|写|写成|写为)\s*(?={MARK}|[A-Za-z\d]|https?)", "输入"),
    (rf"(?<={LABEL})\s*(?:置为|改成|改为|调成|调为)\s*(?={MARK}|[A-Za-z\d])", "设置为"),
    (rf"^({LABEL})[：:]\s*(?={MARK}|[\d])", r"\1输入"),
    (rf"在{_NO_MARK}{{0,6}}?(?<!搜索)(?:文本输入|输入|文本|确认)(?:框|栏|字段|域)(?:中|里|内)?\s*(?:输入|填写)\s*(?={MARK}|[\w.:/@-]+(?:$|[，,]))", "输入值"),
    (r"传(?:一[张个份])?\s*([^，。]{1,20}?)上去", r"上传\1"),
    (rf"(?:在|从)?{_NO_MARK}{{0,12}}?搜索[框栏](?:中|里|内)?\s*输入\s*", "搜索"),
)  # fmt: skip
_PLAIN = tuple((re.compile(pattern), plain) for pattern, plain in _WAYS)


def plainly(text: str) -> str:
    """The sentence (with its marks folded) in the grammar's own words."""
    for pattern, plain in _PLAIN:
        text = pattern.sub(plain, text)
    return text

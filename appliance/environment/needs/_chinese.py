"""How Chinese says that something is there already, is to be made, or is not needed."""

import re

from appliance.environment.needs._grammar import Grammar
from appliance.language import values, verbs
from appliance.language.words import one_of

_NOT_ITS = (
    r"(?![”“\"」]?的?(?:类型|规格|网段|来源|配置|密码|大小|容量|列表|页面|页签|界面|主界面|管理|服务|控制台"
    r"|描述|版本|引擎|设置|数量|费用|价格|计费|权限|概述|简介|选项|内容|标签|监控|功能|数据|默认|路由|区域))"
)
"""A property of a thing is not the thing, nor is a page about such things."""
_TAKE = rf"(?:{one_of(verbs.TAKE.zh)})"
_BEFORE = r"(?:(?!是否)[^，。；：⟦⟧‹›新“”「」\"]){0,10}?"
"""What describes the thing; what stands in quotation marks is a label."""
_THING = rf"‹(\d+)›{_NOT_ITS}"
_DONE_WITH = one_of(verbs.DONE_WITH.zh)

CHINESE = Grammar(
    existing=tuple(
        re.compile(pattern)
        for pattern in (
            r"‹(\d+)›(?:的?(?:名称|id))?(?:所在(?:的)?行|前的|右侧的?操作|对应的?操作|操作列)",
            rf"目标{_THING}",
            rf"(?:要|需要|想要|待)[^，。；⟦⟧‹›]{{1,6}}的{_THING}",
            rf"{_TAKE}{_BEFORE}{_THING}",
            rf"{_TAKE}{_BEFORE}‹\d+›(?:和|与|及|、|[^，。；⟦⟧‹›]{{0,6}}的){_THING}",
            rf"输入{_BEFORE}‹(\d+)›的?名称(?=进行|以|来|，?并|确认|，然后)",
            rf"(?:已有|现有|已创建|已存在|已购买)(?:好)?的?{_THING}",
            rf"(?:^|[，。；])(?:将|把){_THING}",
        )
    ),
    in_titles=re.compile(rf"^(?:{_DONE_WITH})‹(\d+)›(?=$|[的及和并与到（(])"),
    in_prerequisites=re.compile(_THING),
    made=re.compile(
        rf"(?:^|中|上|里|[“「\"]|> ?)(?:如何)?(?P<verb>{one_of(verbs.MAKE.zh)}"
        rf")(?:一个|一台|新的?|自定义)?‹(?P<thing>\d+)›{_NOT_ITS}"
    ),
    made_for_sure=frozenset(verbs.MAKE_FOR_SURE.zh),
    fresh=re.compile(r"新(?:的|建的|创建的)?‹(\d+)›"),
    field=re.compile(
        r"(?:从|在)⟦(\d+)⟧(?:下拉)?(?:列表|区域|字段|框|下拉框|搜索框)?(?:中|里|内)?(?=，|选择|输入|搜索|勾选)"
        r"|⟦(\d+)⟧(?:选择|勾选)"
    ),
    filled=re.compile(r"(?:选择|输入|指定|填写|设置)⟦(\d+)⟧(?:[和与及、]⟦(\d+)⟧)?"),
    left_alone=re.compile(r"保持默认|留空|无需修改|清空|默认为"),
    negation=re.compile(
        r"无需|不需要|无须|不必|不用|没有|尚未|请勿|不会|不能|不支持|不包含|未(?:被|绑定|挂载|关联|使用|加入|创建)"
    ),
    condition=re.compile(r"(?:^|[，；])(?:如果|若|如需|如要)|^[当如]"),
    elsewhere=re.compile(r"^[^，。]{0,24}(?:参见|参考|参阅|查看文档|详见)"),
    possible=re.compile(r"可以|后续可|稍后"),
    rights=re.compile(r"权限|配额|授权|额度|限额|角色|了解|熟悉"),
    clause=re.compile(r"[，。；：]"),
    sure=re.compile(r"确保|确认|请先|必须|须处于|需处于|应处于"),
    changes=re.compile(rf"^(?:{one_of(verbs.CHANGE_STATE.zh)})"),
    removes=re.compile(rf"^(?:{one_of(verbs.TAKE_OUT.zh)})"),
    states={
        re.compile(rf"^(?:{verb})"): before for verb, before in values.STATES_BEFORE_ZH.items()
    },
    state_words=values.STATES_IN_CHINESE,
)

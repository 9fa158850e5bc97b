"""Words that indicate harm, on controls, in questions and in instructions."""

import re
from typing import NamedTuple

from appliance.core.harm import Harm


class HarmWords(NamedTuple):
    """Patterns for one kind of harm."""

    on_controls: re.Pattern[str]
    """Matches buttons, menu entries and titles of dialogs."""
    in_texts: re.Pattern[str]
    """Matches instructions; looser, since their author intends the harm."""
    doing: str
    """Completes a sentence: `deletes or releases something`."""


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE | re.VERBOSE)


_HARMLESS = (
    r"(?:filters?|search|selection|sort(?:ing)?|view|zoom|form|fields?|input|layout|columns?)"
)

WORDS = {
    Harm.DELETE: HarmWords(
        _pattern(
            rf"""\b(?:delete|remove|terminate|destroy|purge|erase|wipe|deregister|unregister
                |unsubscribe|uninstall|truncate|overwrite|decommission|shred|nuke|kill|reimage
                |trash|discard(?!\schanges)|de-?provision|unprovision|undeploy|de-?allocate|dispose
                |scrap|dismantle|tear\s?down|expunge|obliterate|annihilate|eliminate|eradicate
                |relinquish|dissolve|dispose|get\srid|throw\saway|reinstall|nullify|zap)\b
              (?!\s(?:{_HARMLESS}|protection)\b)
            | ^(?:(?:force|bulk|batch|schedule|request|yes,?)\s)?
              (?:release|drop|empty|format|expire|retire|evict|expel|prune|flush|forget|vacate|reclaim
              |burn|abandon|bin|kick(?:\sout)?|deletion|removal|termination)\b
              (?!\s*(?:notes?|:|down|as\b))
            | \b(?:schedule|request|proceed\swith|start)\s(?:deletion|removal|termination)\b
            | ^[\s×✕✖✗✘❌⛔🗑️⊖⌫-]*[✖✗✘❌⛔🗑⊖⌫][\s️]*$
            | \bclear\s (?!(?:all\s|the\s|this\s|my\s)*{_HARMLESS}\b)\w
            | \b(?:factory|hard)\sreset\b
            | \breset\s
              (?!(?:all\s|the\s|this\s|my\s|your\s|(?:user|account|member|admin)['’]?s?\s)*
              (?:{_HARMLESS}|passw|pass\b|pin\b|mfa|two))\w
            | \b(?:roll\s?back|revert)\b
            | \bconfirm\s(?:deletion|removal|release|termination)\b
            | \b(?:cancel|close|leave)\s(?:the\s|my\s|your\s|this\s)?
              (?:subscription|plan|account|team|organi[sz]ation|project|workspace|tenant|instance
              |server|cluster|service|reservation|contract)\b
            | (?:删[除掉去光了]|^删$|剔除|撤除|拆除|丢弃|扔掉|干掉|销户|移出|踢出|清零|抛弃|重装
              |^卸载|删除|释放|移除|销毁|清空|退订|终止|注销(?!登录)|抹除|擦除|粉碎|格式化|解散
              |废弃|作废|恢复出厂|回滚|清除(?!筛选|搜索|条件|选择|输入)|重置(?!筛选|搜索|条件|表单|视图|密码|口令|多因素))
              (?!保护|筛选|标记)"""
        ),
        _pattern(
            r"""\b(?:delet|remov|releas|terminat|destroy|purg|eras|wip|deregister|unregister
              |dispos|scrap|dismantl|tear|expung|obliterat|eliminat|eradicat|relinquish|dissolv
              |throw|reinstall|undeploy|deallocat|deprovision|prun|flush|forget|reclaim|abandon|kick
              |expel|trash|\bbin\b|unsubscrib|uninstall|drop|empt(?:y|ies)|clean|clear|discard|trash|truncat|format
              |reset|roll|revert|cancel|clos|leav|decommission|overwrit|kill|expir|retir|evict)
            | 删|剔除|撤除|拆除|丢弃|扔|销户|移出|踢出|清零|重装|卸载|释放|移除|销毁|清空|退订
              |终止|清理|清除|去除|注销|抹除|擦除|格式化|解散|废弃|作废
            | 恢复出厂|回滚|重置"""
        ),
        "deletes or releases something",
    ),
    Harm.PAY: HarmWords(
        _pattern(
            r"""\b(?:buy|purchase|renew|subscribe|(?<!\bat\s)(?<!\bduring\s)check\s?out|top\s?up|donate|prepay|recharge)\b
            | \b(?:to|make|submit|confirm)\s(?:a\s|the\s)?payment\b | \badd\s(?:funds|credits?)\b
            | \b(?:send|transfer|wire)\s(?:money|funds)\b | ^upgrade\snow\b
            | \b(?:go|get)\s(?:pro|premium|business|enterprise)\b
            | \bpay\b(?!-|\sas\b) | ^order(?:\snow)?$
            | \b(?:place|submit|confirm|complete)\s(?:(?:the|your|my)\s)?
              (?:order|payment|purchase)\b
            | \b(?:upgrade|switch)\s(?:to\s)?(?:a\s|the\s|your\s)?
              (?:plan|pro\b|premium|business|enterprise|paid)
            | \bstart\s(?:\w+\s)?(?:subscription|paid)
            | 购买|支付|付款|下单|订购|续费|提交订单|充值|订阅(?!通知|消息|邮件|号)
            | 立即(?:开通|升级|结算)|升级套餐|缴费|付费|结账|去结算|^结算$|转账|汇款|抢购"""
        ),
        _pattern(
            r"""\b(?:buy|purchas|prepa(?:id|y)|pay|paid|renew|subscri|check\s?out|order|upgrad|plan|top\s?up
              |donat|recharg|fund|credit|premium)
            | 缴费|结账|结算|转账|汇款|抢购|升级|购买|支付|付款|付费|下单|订购|订单|续费|充值
              |订阅|开通|套餐"""
        ),
        "orders or pays for something",
    ),
    Harm.IDENTITY: HarmWords(
        _pattern(
            r"""\b(?:reset|change|set|update|rotate|regenerate|create|add|generate|disable|enable
              |edit|modify|assign|grant|revoke|attach|detach|invite|turn\s(?:on|off)|require|unlink
              |suspend|deactivate|activate|block|unblock|ban|lock|unlock|promote|demote|transfer
              |replace|roll|renew|issue|share|give|allow|elevate|kick|expel|unenroll|enrol+|bypass)
              \b .* \b(?:passwords?|access\skeys?|api\skeys?|secret\skeys?|ssh\skeys?|credentials?
              |mfa|2fa|two-?factor|second\sfactor|sso|single\ssign-?on|log-?ins?|sign-?ins?|sessions?
              |tokens?|roles?|permissions?|privileges?|members?|accounts?|admins?
              |users?(?!\s(?:data|interface|agent)\b)|administrators?|owners?|ownership)\b
            | \b(?:revoke|impersonate)\b | ^(?:new|roll)\s(?:\w+\s)?(?:key|token|password
              |credential)s?$
            | \b(?:grant|give|allow|share)\s(?:\w+\s)?access\b | \bmake\s(?:it\s)?public\b
            | \b(?:log|sign)\s?in\sas\b
            | \b(?:make|set\sas)\s(?:an?\s)?(?:admin|owner)
            | \b(?:log|sign)\s?out\s(?:all|every|other)
            | (?:重置|修改|设置|更改|轮换|[创新]建|添加|新增|生成|禁用|停用|启用|关闭|开启|编辑|冻结
              |授[予权]|撤销|吊销|解除|邀请|转让|锁定|解锁|强制)
              .*(?:密码|口令|密钥|令牌|访问凭证|凭据|角色|权限|成员|用户|子账号|账号|账户|管理员|所有者
              |多因素|双因素|两步验证|二次验证|单点登录|登录)
            | 吊销|撤销授权|设为(?:管理员|公开|所有者)|拉黑|更换.*(?:密钥|密码|手机|邮箱)|提权"""
        ),
        _pattern(
            r"""\b(?:passw|key|credential|mfa|2fa|factor|sso|token|session|role|permission|privilege
              |member|user|account|admin|owner|grant|invit|revok|impersonat|log[\s-]?(?:in|out)
              |sign[\s-]?(?:in|out|on)|access|authenticat)
            | 密码|口令|密钥|令牌|凭证|凭据|角色|权限|成员|用户|账号|账户|管理员|所有者|授权|登录
            | 多因素|双因素|验证|吊销|邀请|拉黑"""
        ),
        "changes who may log in, or with what rights",
    ),
    Harm.CHANGE: HarmWords(
        _pattern(
            r"""^(?:force\s)?(?:stop|start|restart|reboot|shut\s?down|power\s?(?:on|off)|suspend
              |resume|pause|disable|enable|deactivate|activate|hibernate|scale|upgrade|downgrade
              |turn\s(?:on|off)|switch\s(?:on|off)|power\scycle|restore|assign|unassign
              |reassign|swap|deploy|trigger|retry|set\sas|make\s\w+|mark\s\w+
              |run\snow|sync|archive|unarchive|lock|unlock|rename
              |move|transfer|publish|unpublish|detach|attach|approve|reject|merge|promote|resize
              |rebuild|migrate|reset|clear|hide|mute|block|unblock|disconnect|unlink|abort)\b
              (?!\s(?:filters?|search|selection|sort|all\sfilters|down|up\b|page))
            | ^(?:休眠|扩容|缩容|升级|降级|升配|降配|还原|分配|部署|触发|设为|标记|开启|强制
              |停止|启动|重启|关机|开机|暂停|恢复|禁用|停用|启用|归档|锁定|解锁|重命名|移动
              |转移|转让|发布|下线|上线|解绑|绑定|挂载|卸载|重置|变更|迁移|重建|断开)(?!筛选|搜索|条件)"""
        ),
        _pattern(r"\w"),
        "changes something that was there before",
    ),
}

YES = _pattern(
    r"""^(?:ok|okay|yes|confirm|continue|proceed|submit|apply|save|done|next|finish|create|add
      |i(?:'m|\sam)?\s(?:understand|agree|sure))\b
    | ^(?:确定|确认|是|好的?|继续|提交|保存|应用|创建|添加|完成|我已知晓|我知道了)"""
)
"""Controls that only say yes."""

NO = _pattern(
    rf"""^(?:(?:clear|reset)(?:\s(?:all|the|this|my))*\s{_HARMLESS}\b
      |cancel|close|no\b|not\b|back|previous|keep|dismiss|later|skip|help|learn|more|details?|view
      |show|hide|copy|select|browse|choose|refresh|search|generate|test|print|download|export|x|×|✕|\W*$)
    | ^(?:取消|关闭|否|不|返回|上一步|保留|暂|再想|稍后|帮助|了解|查看|复制|选择|浏览|刷新|搜索
              |下载|导出|(?:清除|重置)(?:筛选|搜索|条件|选择|输入|表单))"""
)
"""Controls of a dialog that leave it, or only show or fill in something."""

GO = _pattern(r"^(?:go|run|execute|perform|apply|submit|ok)$|^(?:执行|运行|应用|提交|确定)$")
"""Controls that carry out the choice of a drop-down next to them."""

SAVES = _pattern(
    r"""^(?:save|update|rename|apply|submit|ok|done|confirm|finish|change)\b
    | ^(?:保存|更新|应用|提交|确定|确认|完成|修改|重命名)"""
)
"""Controls that send what was filled in."""

EDITS = _pattern(r"^(?:change|edit|update|modify)\b|^(?:修改|编辑|更改|更新)")
"""Beginnings of titles that only say that something is filled in."""

GOES_ON = _pattern(r"^(?:next|continue|proceed|review|下一步|继续)\b|^(?:下一步|继续)")
"""Controls that lead from one page of a form to the next."""

MAKES = _pattern(
    r"""\b(?:create|new|add|launch|register|enroll?|invite|import|generate|upload|sign\s?up|allocate
      |compose|build|clone|duplicate)\b
    | [创新]建|添加|新增|注册|邀请|导入|生成|上传|申请|克隆|复制"""
)
"""Words of forms that make something new."""

JOINS = _pattern(r"^(?:assign|attach|associate)\b|^(?:分配|指派|关联)")
"""Beginnings of controls that only bring together what is there."""

NEW = _pattern(
    r"(?:create|new|add|register|enroll?|invite|launch|generate|allocate|sign\s?up|compose|clone|duplicate)"
    r"\b(?!-|\s(?:and|or|&))|[创新]建|添加|新增|注册|邀请|申请|克隆|复制"
)
"""How the title of such a form begins."""

AS_IN_NAMES = _pattern(r"new\s\S")
"""The one of these with which proper names begin: New York."""

MADE = _pattern(
    r"\b(?:creat|add|register|import|upload|sav|launch|generat)(?:ed|ing)\b|success"
    r"|已?(?:创建|新建|添加|新增|注册|导入|上传|保存)|成功"
)
"""Words of messages that say that something was made."""

CONSEQUENCE = _pattern(
    r"""\b(?:are\syou\ssure|do\syou\s(?:really\s)?want|you\sare\sabout\sto|going\sto|will\s(?:also\s)?
      (?:be\s)?|please\sconfirm|confirm\sthat|have\sselected|cannot\sbe\s(?:undone|reverted)
      |irreversible)\b | [?？]$
    | 不可(?:恢复|撤销|逆)|无法(?:恢复|撤销)| 确[定认]|是否|将[会被]?|即将|您?正在"""
)
"""How a page asks for confirmation, or announces what it is about to do."""

BIN = _pattern(r"\b(?:trash|bin)\b|回收站|垃圾箱|废纸篓")
"""Where things are dropped to be deleted."""

LOOKS = _pattern(
    r"""^(?:view|open|details?|show|see|edit|more|actions?|options|menu|expand|collapse|select|copy|download
      |export|preview|connect|console|manage|configure|settings|properties|monitor|metrics|logs?|history
      |info|help|learn|compare|filter|sort|search|find|go\sto|browse|inspect|refresh|explain|cancel
      |back|next|previous|close|print|star|up|down|…|\.{3}|⋮|⋯)\b
    | \boverview$ | ^(?:…|\.{3}|⋮|⋯|☰|▸|▾|▶|▼|\+)$
    | ^(?:查看|打开|详情|显示|编辑|更多|操作|选项|展开|收起|选择|复制|下载|导出|预览|连接|登录
              |管理|配置
      |设置|属性|监控|日志|历史|信息|帮助|对比|筛选|排序|搜索|浏览|刷新|取消|返回|关闭|上一|下一)"""
)
"""Controls of a row that show it, or open a form to change it."""

HARMFUL_PATH = re.compile(
    r"(?:^|[/?&=_.:-]|(?<=[a-z])(?=[A-Z]))"
    r"(?i:delete|del|rm|remove|destroy|terminate|purge|wipe|drop|truncate|erase|unsubscribe|revoke"
    r"|do[-_]?delete|release(?!s|-?notes?)(?=$|[?&]))"
    r"(?:[-_]?(?i:all|now|it|confirm\w*))?(?:$|[/?&=_.-]|(?=[A-Z]))"
)
"""Addresses that do harm by being opened."""

ACTING_ADDRESS = re.compile(
    r"[?&;](?:csrf\w*|xsrf\w*|_?wp_?nonce|nonce|authenticity_?token|sectok|form_?(?:key|token)"
    r"|anti_?forgery\w*|__requestverificationtoken)(?:[-\w\[\]]*)=",
    re.IGNORECASE,
)
"""Addresses with the proof that a person meant it: to open one does something, whatever it is."""

IDENTITY_SWITCH = _pattern(
    r"""\b(?:mfa|2fa|two-?(?:factor|step)|second\sfactor|multi-?factor|sso|single\ssign-?on
      |passw\w+|log-?in|sign-?in|admin\w*|owner|root\saccess|public\saccess)\b
    | 多因素|双因素|两步验证|二次验证|单点登录|密码|登录|管理员|公开访问"""
)
"""Names of switches, without a verb, that change who may log in."""

SCOPE = {
    "all": _pattern(
        r"\b(?:all|every(?:thing|one|body)?|entire(?:ty|ly(?!\snumeric))?|whole|each|bulk|mass|cascad\w+"
        r"|recursive(?:ly)?|complete(?:ly)|total(?:ly)?)\b"
        r"|全部|所有|一切|整个|全体|全量|每个|各个|批量|一键|统统|通通"
    ),
    "permanently": _pattern(
        r"\b(?:permanent(?:ly)?|forever|irrevocabl[ey]|irreversibl[ey]|for\sgood)\b|永久|彻底"
    ),
}
"""Words that widen the scope of an action, by meaning."""

CONTAINED = _pattern(
    r"""\b(?:all|every|entire|whole)\s (?:of\s)?(?:the\s)?
      (?: (?:its|their|his|her)\s(?P<own>[\w'-]+)
      | (?P<what>(?:[\w'-]+\s){1,4}?)
        (?:in|on|of|within|inside|for|with|to)\s(?:the|this)\s(?P<where>\w+))
    | \b(?P<taken>\w+)\s(?:will|is|are|gets?)\s(?:\w+\s){0,3}
      (?:removed|withdrawn|detached|unassigned|unenrolled|disassociated)\sfrom\s(?:all|every)
      (?:\s(?:its|their|his|her))?\s(?P<from>\w+)"""
)
"""What a warning says all of, and whose it is: "all data in the volume", "all their records".

Or from what it is taken: "the user will be removed from all classes".
"""
OTHERS = _pattern(r"\b(?:others?|else|elsewhere|everyone|everybody|across)\b|其他|其它|别的|全员")
"""Words that refer to more than the object itself."""

COUNT = re.compile(
    r"(?<![\w.-])(\d{1,6})\s+(?!(?:days?|hours?|minutes?|seconds?|weeks?|months?|gi?b|mi?b|%))"
    r"[A-Za-z]{3,}|(\d{1,6})\s*[个项条台份块](?!月|小时)"
)
"""The number of objects that a page says are affected."""

DENIED = re.compile(
    r"\b(?:not|never|without|no longer)\s(?:be\s|get\s)?\w+|不(?:会|再|能|可)?被?[删移释销清终]\w",
    re.IGNORECASE,
)
DOING = _pattern(
    r"""\b(?:delet(?:es?|ing|ion)|remov(?:es|ing|al)|destroy(?:s|ing)|terminat(?:es|ing|ion)
    |erases|erasing|erasure|wip(?:es|ing)|purg(?:es|ing)|overwrit(?:es|ing)|releas(?:es|ing))\b"""
)
DONE = _pattern(
    r"\b(?:deleted|removed|destroyed|terminated|erased|wiped|purged|overwritten|lost)\b"
)
ENDS = _pattern(
    r"\b(?:delete|remove|destroy|terminate|erase|wipe|purge)\b"
    r"|删除|释放|移除|销毁|清空|抹除|擦除|终止|退订"
)
ADDS = _pattern(
    r"""\b(?:also|as\swell|along\swith|together\swith|including|in\saddition|and|plus|too|both)\b
    |同时|连同|一并|以及|及其|包括|并且|和|与|还会|也会"""
)
ASKS = re.compile(
    r"^(?:(?:are you sure|do you really|do you)(?: that)?(?: you)? want to|really|confirm:?|please"
    r"|确[定认]要?|是否要?|您?确定要?)\s*",
    re.IGNORECASE,
)

FILLERS_EN = frozenset(
    re.split(
        r"\s+",
        """a an the this that these those of for to in on at from with and or your my our is are be
    do does you i am m sure really want please confirm confirmation yes ok okay continue proceed
    selected following item items warning attention dialog will now it them any not can cannot
    understand agree one more s as by no have has had been must should first before after also well
    along together including both too plus if then there so which has action undone its their about
    permanently irreversible""",
    )
)
FILLERS_ZH = re.compile(
    r"以及|及其|同时|连同|一并|包括|并且|必须|确[定认]|是否|要|吗|呢|该|此|这[个些台条]?|您|你|所选|选中|已选|的|操作|提示|警告|请|将|被|会|吧|了|继续|是|项|个|进行|也|还|并|和|与|其中|其|先|再|后|已|都|且|里|内"
)

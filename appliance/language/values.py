"""What values of fields and states of things are called."""

from appliance.language.words import words

YES = words("yes|true|on|checked|1|enabled", "是|开启|启用")
YES_OR_NO = words(
    "yes|no|true|false|on|off|enabled|disabled|checked|unchecked", "是|否|开启|关闭|启用|停用"
)
ON = words("selected|checked|ticked|on|enabled|turned on", "勾选|选中|开启|启用")
"""As a sentence says it of a check box or switch."""
OFF = words("off|cleared|disabled|turned off|unchecked", "关闭")
SWITCHED_ON = words("on", "开|打开|开启|启用")
"""As the two ends of a switch are called."""
SWITCHED_OFF = words("off", "关|关闭|停用|禁用")

UNITS_OF_TIME = words("second|minute|hour|day", "秒|分钟|小时|天")
MAY_STAY = words(
    r"\boptional(?:ly)?\b|\bmay (?:stay|be left|remain)\b|\bneed not\b|\bleave\b|\bkeep\b"
    r"|\bempty\b",
    "可选|选填|留空|为空|无需|不填|保持",
)
"""Says that a field may be left as it is."""
NEEDED = words("needed|necessary|required|applicable|appropriate", "如需|按需")
"""Behind "if" or "as" (in Chinese: by itself) it leaves to the reader whether something is done."""
SECRETS = words(
    "pass(?:word|phrase|code)|secret|token|private key|api key|credential",
    "密码|口令|密钥|凭证|令牌",
)
ABOUT_SECRETS = words(
    "names?|ids?|descriptions?|length|expiry|expiration|types?|polic(?:y|ies)|count",
    "名称|描述|长度|有效期|类型|策略",
)
"""What is said of a secret is none: its name, its length."""

STATES = words(
    r"stopped|running|started|paused|suspended|shut ?(?:off|down)|powered o(?:n|ff)|attached"
    r"|detached|unattached|associated|disassociated|in use|unused|available|active|inactive"
    r"|enabled|disabled|locked|unlocked|empty|idle|in (?:the |an? )?[\w -]+? (?:state|status)",
    r"已停止|已关机|已启动|运行中|(?:未|已)(?:挂载|绑定|关联|启用|停用|使用)|停止状态"
    r"|处于[^，。]{1,12}状态|状态(?:为|是)|空闲|为空|空的",
)
"""As documentation asks for them; parts of patterns."""

STATES_BEFORE_EN = {
    "start": ("stopped", "shutoff", "inactive"),
    "resume|unpause|continue": ("paused", "suspended"),
    "enable|activate|bring back|reactivate": ("disabled", "suspended", "inactive"),
    "detach|unmount": ("in-use", "attached"),
    "disassociate|dissociate|unbind": ("in-use", "associated"),
    "unmute": ("muted",),
    "unlock": ("locked",),
}
"""By verb: the states of which a thing has one before."""
STATES_BEFORE_ZH = {
    "启动|开机": ("stopped",),
    "恢复|继续": ("paused", "suspended"),
    "启用|激活": ("disabled", "suspended", "inactive"),
    "卸载|分离": ("in-use", "attached"),
    "解绑|取消绑定": ("in-use", "associated"),
    "解锁": ("locked",),
}

STATES_IN_CHINESE = {
    "stopped": ("已停止", "已关机", "停止状态"),
    "running": ("运行中",),
    "in-use": ("使用中", "已挂载", "已绑定"),
    "disabled": ("已停用", "已禁用"),
    "paused": ("已暂停",),
    "suspended": ("已禁用", "已挂起", "已暂停"),
    "locked": ("已锁定",),
}
"""A console's own names of states, as Chinese documentation has them."""

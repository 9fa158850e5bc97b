"""What states of things are called, and the verbs that need a state."""

from appliance.language.words import words

NAMES = words(
    r"stopped|running|started|paused|suspended|shut ?(?:off|down)|powered o(?:n|ff)|attached"
    r"|detached|unattached|associated|disassociated|in use|unused|available|active|inactive"
    r"|enabled|disabled|locked|unlocked|empty|idle|in (?:the |an? )?[\w -]+? (?:state|status)",
    r"已停止|已关机|已启动|运行中|(?:未|已)(?:挂载|绑定|关联|启用|停用|使用)|停止状态"
    r"|处于[^，。]{1,12}状态|状态(?:为|是)|空闲|为空|空的",
)
"""As documentation asks for them; parts of patterns."""

BEFORE_EN = {
    "start": ("stopped", "shutoff", "inactive"),
    "resume|unpause|continue": ("paused", "suspended"),
    "enable|activate|bring back|reactivate": ("disabled", "suspended", "inactive"),
    "detach|unmount": ("in-use", "attached"),
    "disassociate|dissociate|unbind": ("in-use", "associated"),
    "unmute": ("muted",),
    "unlock": ("locked",),
}
"""By verb: the states of which a thing has one before."""
BEFORE_ZH = {
    "启动|开机": ("stopped",),
    "恢复|继续": ("paused", "suspended"),
    "启用|激活": ("disabled", "suspended", "inactive"),
    "卸载|分离": ("in-use", "attached"),
    "解绑|取消绑定": ("in-use", "associated"),
    "解锁": ("locked",),
}

IN_CHINESE = {
    "stopped": ("已停止", "已关机", "停止状态"),
    "running": ("运行中",),
    "in-use": ("使用中", "已挂载", "已绑定"),
    "disabled": ("已停用", "已禁用"),
    "paused": ("已暂停",),
    "suspended": ("已禁用", "已挂起", "已暂停"),
    "locked": ("已锁定",),
}
"""A console's own names of states, as Chinese documentation has them."""

"""Whether a sentence says in which state a thing has to be ("Only a stopped instance can …")."""

import re

_STATE = (
    r"(?:stopped|running|started|paused|suspended|shut ?(?:off|down)|powered o(?:n|ff)|attached"
    r"|detached|unattached|associated|disassociated|in use|unused|available|active|inactive"
    r"|enabled|disabled|locked|unlocked|empty|idle|in (?:the |an? )?[\w -]+? (?:state|status))\b"
)
_ENGLISH = re.compile(
    rf"only (?:an? |the |your )?"
    rf"(?:{_STATE} [\w -]+|[\w -]+ (?:that|which) [^.;]*{_STATE}) can\b"
    rf"|(?:you|an?|the|your|it)\b[^.;]*\bcan (?:only|[^.;]*\bonly (?:if|when|while|as long as))\b"
    rf"[^.;]*{_STATE}"
    rf"|(?:before [^,]+, )?(?:an?|the|your|it)\b[\w -]*? (?:must|has to|needs? to)"
    rf" (?:first |already )?be {_STATE}",
    re.IGNORECASE,
)
_ZH_STATE = (
    r"(?:已停止|已关机|已启动|运行中|(?:未|已)(?:挂载|绑定|关联|启用|停用|使用)|停止状态"
    r"|处于[^，。]{1,12}状态|状态(?:为|是)|空闲|为空|空的)"
)
_CHINESE = re.compile(
    rf"(?:只有|仅|只(?:支持|能|允许))[^，。]*?{_ZH_STATE}[^。]*?(?:才[能可会]|变更|修改|删除|进行|操作|$)"
    rf"|[^，。]{{1,12}}(?:必须|须|需要?)先?{_ZH_STATE}"
)


def asks_for_state(text: str) -> bool:
    """Whether the sentence begins by saying which state is asked for."""
    return bool(_ENGLISH.match(text) or _CHINESE.match(text))

"""Recognizes what is done outside of the console: in a terminal, an editor, a mailbox, at a device."""

import re

from appliance.core.procedure import InlineRole, Sentence

_OUTSIDE = re.compile(
    r"\b(?:terminal|command[- ](?:line|prompt)|shell|ssh|telnet|curl|npm|pip|kubectl|powershell)\b"
    r"|\bgit (?:clone|push|pull|commit)\b|\bdocker (?:run|pull|compose)\b"
    r"|\bon your (?:own |local )?(?:computer|machine|laptop|phone|desktop|server|host|router)\b"
    r"|\b(?:in|of|check|open|restart|rebuild|redeploy|to) your (?:[\w-]+ )?(?:inbox|mailbox|email|spam folder"
    r"|app|application|code|source code|website|site(?!['’]s)|editor|dns provider|registrar|authenticator app|\ufffc file)\b"
    r"|\b(?:in|into|to) your (?:[\w-]+ ){0,2}(?:configuration|config|pipeline|script|environment|terminal)\b"
    r"|\b(?:config(?:uration)?|source|\.env|yaml|compose|manifest) file\b|\b(?:head|body) tag\b|\bfavou?rite editor\b"
    r"|\brest(?:ful)? api\b|\b(?:get|post|put|patch) request\b|(?:\b(?:the|a)|\ufffc) command\b(?! (?:palette|menu|bar|center))"
    r"|\b(?:pull|build|push) the [\w ]*(?:image|container)\b|\bqr code\b|\b(?:network|power) cable\b"
    r"|\b(?:s?ftp|scp|rsync|cron(?:tab)?|sudo|bash|zsh|vim|nano|notepad|text editor|php\.ini)\b"
    r"|\b(?:restart|reboot|reload|unplug|power[- ]cycle) (?:the|your) (?:[\w-]+ )?(?:service|daemon|router|computer|machine|device|web ?server|browser)\b"
    r"|\bin (?:the |your )?(?:code|source|repository root|mail client|web browser)\b|\bwith your phone\b"
    r"|\b\w+\.(?:ya?ml|conf|ini|cfg|sh|py)\b|\bplug\b|\bask your (?:administrator|admin)\b"
    r"|终端|在服务器上|命令(?!行?(?:按钮|页签))|脚本|\bSDK\b|编辑器(?:中|里)?打开|重启(?:服务(?!器)|电脑|设备|路由器|浏览器)"
    r"|解压|上传到(?:服务器|主机)|插[入上](?:U盘|网线|电源)|拨打|致电|邮件[中里]的|安装(?:客户端|驱动|软件)|\b(?:yum|apt|docker|git|mysql|systemctl)\b|(?:打开|在)浏览器|(?:数据|电源|连接)线|联系(?:管理员|客服)|解析到|命令行|命令提示符|命令[。，,；]|命令$|本地(?:执行|运行|电脑|环境)|(?:服务器|主机|节点)上(?:执行|运行)"
    r"|(?:根目录|配置文件|源码|源代码)(?!的?(?:按钮|页签|输入框))|网站的? ?(?:head|代码|页面)|代码(?:贴|粘贴|复制|加)到"
    r"|微信(?:扫|中)|扫(?:一扫|码|描)|手机(?:上|打开)|(?:网线|电源线|复位键|指示灯)|SSH|远程连接|客户端工具"
    r"|邮箱(?:里|中)?(?:查收|打开|查看)|保存到?(?:在)?本地|(?:保存|拷贝|复制)到(?:您的?|你的?)?(?:本地|电脑)",
    re.IGNORECASE,
)
_PATH = re.compile(r"(?:~|\.{0,2})/[\w.]|\w+\.(?:ya?ml|conf|ini|env|sh|py|json)$|\.env$")
_COMMAND = re.compile(r"(?:git|npm|pip|docker|curl|ssh(?:-\w+)?|sudo|kubectl|systemctl|apt|yum)\b")
_RUNS_OR_EDITS = re.compile(
    r"\b(?:run|execute|edit|copy|create|save)\b|执行|运行|编辑|新建|之后", re.IGNORECASE
)
_MAIL = re.compile(r"\b(?:in|from) the (?:e-?mail|message|text message)\b|\byour inbox\b", re.I)
_ACTS_IN_CONSOLE = re.compile(
    r"\b(?:click|tap)\b|单击|点击|^\W*(?:in|into) (?:the )?\ufffc", re.IGNORECASE
)


_BRACKETED = re.compile(r"\([^()]*\)|（[^（）]*）")


def is_elsewhere(sentence: Sentence) -> bool:
    """Whether a sentence that names no control asks for something outside of the console."""
    if any(inline.role is InlineRole.COMMAND for inline in sentence.inlines):
        return True
    if sentence.labels():
        return False
    literals = [inline for inline in sentence.inlines if inline.role is InlineRole.LITERAL]
    text = _BRACKETED.sub(lambda m: " " * len(m.group()), sentence.text)
    for inline in literals:
        text = f"{text[: inline.start]}\ufffc{' ' * (inline.end - inline.start - 1)}{text[inline.end :]}"
    text = re.sub(r"\ufffc +", "\ufffc ", text)
    if _ACTS_IN_CONSOLE.search(text) and not _MAIL.search(text):
        return False
    literal_texts = [inline.text for inline in literals]
    is_run = bool(_RUNS_OR_EDITS.search(text)) and any(_PATH.search(t) for t in literal_texts)
    return is_run or bool(_OUTSIDE.search(text)) or any(_COMMAND.match(t) for t in literal_texts)


_ADDRESS = re.compile(
    r"\bhttps?://(?:localhost|127\.0\.0\.1|[^\s/]*[<{\[$][^\s/]*|(?:your|my)[\w.-]*"
    r"|(?:[\w-]+\.)*(?:example|test|local)(?:\.\w+)?)(?::[^\s/]*)?(?P<path>/[\w/#?=&.%~-]*\w/?)",
    re.IGNORECASE,
)
_GOES_TO = re.compile(
    r"\b(?:log|sign|go|navigate|browse|open|visit|access|head|point)\b|登录|打开|访问|进入|前往",
    re.IGNORECASE,
)


def path_visited(sentence: Sentence) -> str:
    """The path of the console page that a sentence has the reader open by its URL; else empty.

    As "Go to http://localhost:8000/admin/": which host it is, the settings say.
    """
    address = _ADDRESS.search(sentence.text)
    if address is None or not _GOES_TO.search(sentence.text[: address.start()]):
        return ""
    return address["path"]

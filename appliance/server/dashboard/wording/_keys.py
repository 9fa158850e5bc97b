"""Words of API keys and of the log-in."""

from appliance.server.dashboard.wording._catalogue import Catalogue, Pair

WORDS: Catalogue = {
    "login.title": Pair("Sign in", "登录"),
    "login.lead": Pair(
        "Paste an API key. `appliance key create NAME` makes one on the appliance's machine.",
        "请粘贴 API 密钥。在服务所在机器上运行 `appliance key create NAME` 可创建。",
    ),
    "login.key": Pair("API key", "API 密钥"),
    "login.failed": Pair(
        "This key is none of this server's, or it was revoked.", "密钥无效或已被吊销。"
    ),
    "apikey.title": Pair("API keys", "API 密钥"),
    "apikey.lead": Pair(
        "For programs, and for people at other machines. Send it as `Authorization: Bearer KEY`,"
        " or sign in with it.",
        "供程序以及其他机器上的人使用。以 `Authorization: Bearer KEY` 发送，或用它登录。",
    ),
    "apikey.create": Pair("New key", "新建密钥"),
    "apikey.create.do": Pair("Create the key", "创建密钥"),
    "apikey.name": Pair("Name", "名称"),
    "apikey.role": Pair("Role", "角色"),
    "apikey.role.unknown": Pair("There is no such role.", "没有这个角色。"),
    "apikey.may": Pair("What each role may do", "各角色的权限"),
    "apikey.may.what": Pair("May", "权限"),
    "apikey.may.yes": Pair("yes", "是"),
    "apikey.may.no": Pair("no", "否"),
    "apikey.made": Pair("The key “{name}”", "密钥“{name}”"),
    "apikey.made.text": Pair(
        "Copy it now: it is shown this once, and nobody can read it again.",
        "请立即复制：它只显示这一次，之后无法再查看。",
    ),
    "apikey.made.use": Pair(
        "`curl -H 'Authorization: Bearer …' …/api/v1/findings`",
        "`curl -H 'Authorization: Bearer …' …/api/v1/findings`",
    ),
    "apikey.made_at": Pair("Created", "创建"),
    "apikey.used": Pair("Last used", "最近使用"),
    "apikey.never": Pair("never", "从未"),
    "apikey.revoke": Pair("Revoke", "吊销"),
    "apikey.revoke.sure": Pair(
        "Revoke {name}? Whoever uses it is refused from now on.",
        "确定吊销 {name}？使用它的程序将立即被拒绝。",
    ),
    "apikey.revoke.done": Pair("The key is useless from now on.", "密钥已失效。"),
    "apikey.revoked": Pair("revoked", "已吊销"),
    "apikey.none": Pair(
        "There is no key yet. At this machine none is needed.", "还没有密钥。在本机访问不需要密钥。"
    ),
    "apikey.none.required": Pair(
        "There is no key yet. `server.keys` says that every request needs one.",
        "还没有密钥。`server.keys` 要求每个请求都带密钥。",
    ),
}

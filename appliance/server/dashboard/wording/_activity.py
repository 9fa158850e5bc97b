"""Words of who may do what, and of who did."""

from appliance.server.dashboard.wording._catalogue import Catalogue, Pair
from appliance.server.permissions import GRANTS, Permission

_CHINESE = {
    Permission.LOOK: "查看除密钥和操作记录以外的一切",
    Permission.PLAN_SWEEP: "查看巡检将验证什么",
    Permission.START_RUN: "开始验证或巡检",
    Permission.PAUSE_RUN: "暂停运行",
    Permission.RESUME_RUN: "继续运行",
    Permission.CANCEL_RUN: "取消运行",
    Permission.TRIAGE_FINDING: "处理问题",
    Permission.ANSWER_QUESTION: "回答验证中的提问",
    Permission.CHECK_ACCOUNT: "检查账号",
    Permission.REMOVE_LEFTOVERS: "清理云上遗留资源",
    Permission.RETRY_DELIVERY: "重新发送消息",
    Permission.READ_MODEL_LOG: "查看模型服务的输出",
    Permission.QUARANTINE_ACCOUNT: "隔离账号",
    Permission.RELEASE_ACCOUNT: "解除账号隔离",
    Permission.RUN_SCHEDULE: "立即执行计划",
    Permission.SET_SCHEDULE: "设置、启用或停用计划",
    Permission.REMOVE_SCHEDULE: "删除计划",
    Permission.RESTART_MODEL: "重启模型",
    Permission.BACK_UP_STORE: "备份数据",
    Permission.CHECKPOINT_STORE: "数据落盘",
    Permission.PRUNE_STORE: "清理过期数据",
    Permission.READ_KEYS: "列出密钥",
    Permission.CREATE_KEY: "创建密钥",
    Permission.REVOKE_KEY: "吊销密钥",
    Permission.READ_ACTIVITY: "查看操作记录",
}

WORDS: Catalogue = {
    "activity.title": Pair("Activity", "操作记录"),
    "activity.lead": Pair(
        "Who changed what here, who was refused, and who came with a wrong key. Entries are added"
        " only; `appliance activity check` says whether one was changed or removed.",
        "谁在这里做了更改、谁被拒绝、谁使用了错误的密钥。记录只增不改；"
        "`appliance activity check` 可检查记录是否被改动或删除。",
    ),
    "activity.when": Pair("When", "时间"),
    "activity.who": Pair("Who", "操作者"),
    "activity.what": Pair("What", "操作"),
    "activity.object": Pair("With what", "对象"),
    "activity.outcome": Pair("Outcome", "结果"),
    "activity.nobody": Pair("nobody known", "未知"),
    "activity.only": Pair("Only of {what}.", "仅显示 {what}。"),
    "activity.none": Pair("Nobody has changed anything yet.", "还没有任何操作。"),
    "outcome_of_deed.done": Pair("done", "完成"),
    "outcome_of_deed.failed": Pair("failed", "失败"),
    "outcome_of_deed.refused": Pair("refused", "被拒绝"),
    "way.rest": Pair("REST", "REST"),
    "way.dashboard": Pair("dashboard", "页面"),
    "way.command": Pair("command of this machine", "本机命令"),
    "permission.log-in": Pair("log in", "登录"),
    "permission.log-out": Pair("log out", "退出"),
    "permission.lock-out": Pair("lock out an address", "锁定地址"),
    "permission.make-resources": Pair("make resources by hand", "手动创建资源"),
    "permission.remove-resources": Pair("remove resources by hand", "手动删除资源"),
    "permission.accept-module": Pair("accept a module", "接受模块"),
    "permission.reject-module": Pair("reject a module", "拒绝模块"),
} | {
    f"permission.{permission}": Pair(grant.about, _CHINESE[permission])
    for permission, grant in GRANTS.items()
}

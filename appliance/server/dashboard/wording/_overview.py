"""Words of the overview."""

from appliance.server.dashboard.wording._catalogue import Catalogue, Pair

WORDS: Catalogue = {
    "overview.title": Pair("Overview", "概览"),
    "overview.headline.none": Pair("Nothing was verified yet", "尚未验证任何内容"),
    "overview.headline.untrue": Pair(
        "{n} procedure is no longer true|{n} procedures are no longer true",
        "{n} 个流程与控制台不符",
    ),
    "overview.headline.so_far": Pair(
        "Nothing untrue so far: {verified} of {n} procedure verified"
        "|Nothing untrue so far: {verified} of {n} procedures verified",
        "目前没有发现不符：{n} 个流程中已验证 {verified} 个",
    ),
    "overview.headline.true": Pair("The documentation is true", "文档与控制台一致"),
    "overview.headline.unknown": Pair(
        "No procedure has a clear verdict yet", "还没有流程得到明确结论"
    ),
    "overview.last": Pair("The last sweep began {age}: {told}.", "上次巡检开始于{age}：{told}。"),
    "overview.last.none": Pair("There was no sweep yet.", "还没有进行过巡检。"),
    "overview.next": Pair("The next one begins {age}.", "下次巡检将在{age}开始。"),
    "overview.running": Pair("Under way now", "正在进行"),
    "overview.running.lead": Pair("{done} of {total} done", "已完成 {done} / {total}"),
    "overview.watch": Pair("Watch", "查看进度"),
    "overview.attention": Pair("Needs you today", "今天需要处理"),
    "overview.attention.none": Pair("Nothing needs you.", "没有需要处理的事项。"),
    "overview.findings": Pair("Findings to look at", "待处理的问题"),
    "overview.findings.all": Pair("All {n}|All {n}", "全部 {n} 个"),
    "overview.findings.none": Pair("No finding waits for a decision.", "没有等待判断的问题。"),
    "overview.shows": Pair("Console shows: {shown}", "控制台显示：{shown}"),
    "overview.coverage": Pair("Coverage", "覆盖情况"),
    "overview.coverage.of": Pair("of {n} procedure|of {n} procedures", "共 {n} 个流程"),
    "overview.untestable": Pair("Cannot be verified", "无法验证"),
    "overview.untestable.why": Pair("say their checks", "检查文件已注明"),
    "overview.stale": Pair("older than {days} days", "超过 {days} 天"),
    "overview.stale.fact": Pair("Stale", "已过期"),
    "overview.median": Pair("Median age", "结论年龄中位数"),
    "overview.oldest": Pair("Oldest verdict", "最早的结论"),
    "overview.confirmation": Pair("Findings confirmed", "问题确认率"),
    "overview.confirmation.of": Pair(
        "{confirmed} of {n} judged|{confirmed} of {n} judged", "已判断 {n} 个，确认 {confirmed} 个"
    ),
    "overview.confirmation.none": Pair("none judged yet", "尚未判断"),
    "overview.trend": Pair("The last {n} day|The last {n} days", "最近 {n} 天"),
    "overview.day": Pair("Day (UTC)", "日期（UTC）"),
    "overview.chart.verdicts": Pair("Verdicts by the day", "每日结论"),
    "overview.chart.findings": Pair("Findings opened and closed", "每日新增与关闭的问题"),
    "overview.opened": Pair("opened", "新增"),
    "overview.closed": Pair("closed", "关闭"),
    "overview.sweep": Pair("Start a sweep", "开始巡检"),
    "overview.verify": Pair("Verify one document", "验证一篇文档"),
    "welcome.lead": Pair(
        "The appliance carries out every documented procedure in the console and says which"
        " sentences are no longer true. Three steps:",
        "本工具在控制台中逐一执行文档中的流程，指出哪些句子已不再正确。分三步：",
    ),
    "welcome.1": Pair("Look at what would be verified", "查看将要验证的内容"),
    "welcome.1.text": Pair(
        "The documents that `documentation.paths` names, with the procedures found in them.",
        "`documentation.paths` 指定的文档，以及其中识别出的流程。",
    ),
    "welcome.1.do": Pair("See the documents", "查看文档"),
    "welcome.2": Pair("Verify one document", "先验证一篇文档"),
    "welcome.2.text": Pair(
        "Paste or choose one and watch the browser carry it out. It takes a minute or two.",
        "粘贴或选择一篇，观察浏览器如何执行，只需一两分钟。",
    ),
    "welcome.2.do": Pair("Verify a document", "验证文档"),
    "welcome.3": Pair("Start a sweep", "开始巡检"),
    "welcome.3.text": Pair(
        "Everything that is due, with a budget. The schedule does it every night by itself.",
        "在预算之内验证所有到期的内容。计划任务每晚会自动进行。",
    ),
    "welcome.3.do": Pair("Start a sweep", "开始巡检"),
    "attention.confirmed": Pair(
        "{n} confirmed finding waits for a better text"
        "|{n} confirmed findings wait for a better text",
        "{n} 个已确认的问题等待修改文档",
    ),
    "attention.confirmed.do": Pair("See them and the patch", "查看并下载补丁"),
    "attention.unreadable": Pair("The documentation cannot be read: {why}", "文档无法读取：{why}"),
    "attention.unreadable.do": Pair("See the documents", "查看文档"),
    "attention.not_ready": Pair("{name} is not ready: {why}", "{name} 未就绪：{why}"),
    "attention.not_ready.do": Pair("See accounts", "查看账号"),
    "attention.quarantined": Pair(
        "Account {name} is in quarantine: {why}", "账号 {name} 已被隔离：{why}"
    ),
    "attention.quarantined.do": Pair("Check and release", "检查并解除"),
    "attention.schedule": Pair("Schedule {name} failed: {why}", "计划 {name} 失败：{why}"),
    "attention.schedule.do": Pair("See schedules", "查看计划"),
    "attention.paused": Pair("Run {name} is paused: {why}", "运行 {name} 已暂停：{why}"),
    "attention.paused.do": Pair("Resume or cancel", "继续或取消"),
    "attention.paused.disk_full": Pair(
        "Run {name} is paused until there is room on the disk: {why}",
        "运行 {name} 已暂停，磁盘有空间后自动继续：{why}",
    ),
    "attention.paused.disk_full.do": Pair("See the run", "查看运行"),
    "attention.paused.console_down": Pair(
        "Run {name} is paused until the console answers: {why}",
        "运行 {name} 已暂停，控制台恢复后自动继续：{why}",
    ),
    "attention.paused.console_down.do": Pair("See the run", "查看运行"),
    "attention.dead_letters": Pair(
        "{n} webhook message could not be delivered|{n} webhook messages could not be delivered",
        "{n} 条 Webhook 消息未能送达",
    ),
    "attention.dead_letters.do": Pair("See why", "查看原因"),
    "attention.blocked": Pair(
        "{n} procedure was blocked: nothing was learnt of its text"
        "|{n} procedures were blocked: nothing was learnt of their text",
        "{n} 个流程受阻：对其文字没有得出结论",
    ),
    "attention.blocked.do": Pair("See what blocks", "查看阻断原因"),
    "attention.undecided": Pair(
        "{n} procedure is undecided: the evidence disagrees"
        "|{n} procedures are undecided: the evidence disagrees",
        "{n} 个流程待定：证据不一致",
    ),
    "attention.undecided.do": Pair("Decide", "去判断"),
    "attention.stale": Pair(
        "{n} verdict is stale: the next sweep asks for it again"
        "|{n} verdicts are stale: the next sweep asks for them again",
        "{n} 个结论已过期：下次巡检会重新验证",
    ),
    "attention.stale.do": Pair("See which", "查看"),
}

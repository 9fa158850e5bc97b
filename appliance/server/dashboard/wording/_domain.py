"""Verdicts, kinds, severities and states. The English is that of the reports."""

from appliance.core.verdict import DivergenceKind, GoalChannel, Severity, StepStatus, Verdict
from appliance.reports._wording import CHANNELS, KINDS, SEVERITIES, STEPS
from appliance.server.dashboard.wording._catalogue import Pair

_VERDICTS = {
    Verdict.VERIFIED: ("已验证", "the console does what the text says", "控制台与文档一致"),
    Verdict.DRIFTED: (
        "已偏离",
        "the goal was reached, but not as written",
        "目标可以达到，但与文档写法不一致",
    ),
    Verdict.BROKEN: ("走不通", "the text does not lead to the goal", "按照文档无法达到目标"),
    Verdict.BLOCKED: (
        "受阻",
        "something else was in the way; nothing was learnt",
        "被其他原因阻断，没有得出结论",
    ),
    Verdict.UNDECIDED: (
        "待定",
        "the evidence disagrees: a person decides",
        "证据不一致，需要人来判断",
    ),
}
_KINDS = {
    DivergenceKind.RENAMED_LABEL: (
        "标签名称不同",
        "控件存在，但名称不同。请改为控制台上显示的名称。",
    ),
    DivergenceKind.MOVED_CONTROL: (
        "控件在别处",
        "控件在另一个菜单、页面、标签页或对话框中。请写明到达它的路径。",
    ),
    DivergenceKind.MISSING_CONTROL: (
        "控件不存在",
        "控制台没有这个控件。请删去该说明，或写明在何处可用。",
    ),
    DivergenceKind.MISSING_STEP: ("缺少一步", "控制台要求文档没有提到的操作。请补上这一步。"),
    DivergenceKind.EXTRA_STEP: ("多余的一步", "控制台不再需要这一步。请删去。"),
    DivergenceKind.CHANGED_OPTION: ("选项不存在", "列表中没有这个选项。请写列表中有的选项。"),
    DivergenceKind.CHANGED_DEFAULT: (
        "默认值不同",
        "控制台的默认选择与文档不同。请写现在的默认值。",
    ),
    DivergenceKind.WRONG_ORDER: ("顺序不同", "控制台要求的顺序不同。请按该顺序调整步骤。"),
    DivergenceKind.WRONG_RESULT: ("结果不同", "实际发生的与文档承诺的不同。请写实际的结果。"),
    DivergenceKind.MISSING_PREREQUISITE: (
        "未提及前提条件",
        "只有在某些东西已经存在时流程才能进行。请在第一步之前说明。",
    ),
    DivergenceKind.PERMISSION: ("未提及权限", "该账号无权这样做。请写明需要什么角色。"),
    DivergenceKind.ERROR_SHOWN: (
        "控制台报错",
        "按照文档操作会出现错误信息。请修改文档，或上报该错误。",
    ),
    DivergenceKind.AMBIGUOUS_TEXT: (
        "文字对应多个控件",
        "这些文字在页面上对应不止一个控件。请说明指的是哪一个。",
    ),
    DivergenceKind.DEAD_LINK: ("链接失效", "该地址没有响应。请改正或删去链接。"),
}
_SEVERITIES = {
    Severity.BREAKS: "读者无法继续",
    Severity.MISLEADS: "读者被误导",
    Severity.COSMETIC: "细枝末节",
}
_STEPS = {
    StepStatus.AS_WRITTEN: "与文档一致",
    StepStatus.DIVERGED: "与文档不一致",
    StepStatus.SKIPPED: "无需操作",
    StepStatus.STUCK: "无法进行",
    StepStatus.UNREACHED: "未到达",
}
_CHANNELS = {GoalChannel.AUDIT: "审计日志", GoalChannel.JUDGES: "评审", GoalChannel.UI: "页面"}

WORDS: dict[str, Pair] = {
    "state.waiting": Pair("waiting", "等待中"),
    "state.running": Pair("running", "进行中"),
    "state.paused": Pair("paused", "已暂停"),
    "state.done": Pair("done", "已完成"),
    "state.cancelled": Pair("cancelled", "已取消"),
    "state.skipped": Pair("skipped", "已跳过"),
    "state.open": Pair("open", "未处理"),
    "state.confirmed": Pair("confirmed", "已确认"),
    "state.rejected": Pair("rejected", "已驳回"),
    "state.accepted": Pair("accepted", "暂时接受"),
    "state.closed": Pair("closed", "已关闭"),
    "state.stale": Pair("stale", "已过期"),
    "state.unchecked": Pair("not verified yet", "尚未验证"),
    "state.interrupted": Pair("interrupted", "已中断"),
    "runkind.sweep": Pair("sweep", "巡检"),
    "runkind.verification": Pair("verification", "单次验证"),
    **{
        f"verdict.{verdict}": Pair(verdict.value, chinese)
        for verdict, (chinese, _, _) in _VERDICTS.items()
    },
    **{
        f"verdict.{verdict}.help": Pair(english, chinese)
        for verdict, (_, english, chinese) in _VERDICTS.items()
    },
    **{f"kind.{kind}": Pair(KINDS[kind].title, title) for kind, (title, _) in _KINDS.items()},
    **{f"kind.{kind}.help": Pair(KINDS[kind].help, text) for kind, (_, text) in _KINDS.items()},
    **{f"severity.{one}": Pair(SEVERITIES[one], text) for one, text in _SEVERITIES.items()},
    **{f"step.{status}": Pair(STEPS[status], text) for status, text in _STEPS.items()},
    **{f"channel.{one}": Pair(CHANNELS[one], text) for one, text in _CHANNELS.items()},
}

"""Words of runs."""

from appliance.server.dashboard.wording._catalogue import Catalogue, Pair

WORDS: Catalogue = {
    "runs.title": Pair("Runs", "运行"),
    "runs.lead": Pair(
        "Sweeps go over all documentation that is due; verifications are asked for one by one.",
        "巡检会验证所有到期的文档；单次验证则由人或程序逐一发起。",
    ),
    "runs.empty": Pair("No run yet", "还没有运行记录"),
    "runs.empty.text": Pair(
        "Verify one document first and watch the browser carry it out; then let the schedule do"
        " the rest every night.",
        "先验证一篇文档，观察浏览器如何执行；之后由计划任务每晚自动进行。",
    ),
    "runs.kind": Pair("Kind", "类型"),
    "runs.state": Pair("State", "状态"),
    "runs.run": Pair("Run", "运行"),
    "runs.verdicts": Pair("Verdicts", "结论"),
    "runs.findings": Pair("Findings", "问题"),
    "runs.started": Pair("The sweep is on its way.", "巡检已开始。"),
    "runs.begun": Pair("Began", "开始"),
    "runs.took": Pair("Took", "用时"),
    "runs.by": Pair("Asked for by", "发起者"),
    "runs.planned": Pair("{done} of {total}", "{done} / {total}"),
    "runs.results": Pair("Results", "结果"),
    "runs.pause": Pair("Pause", "暂停"),
    "runs.resume": Pair("Resume", "继续"),
    "runs.cancel": Pair("Cancel", "取消"),
    "runs.cancel.sure": Pair(
        "Cancel this run? What it did so far is kept; what it made is removed.",
        "确定取消此次运行？已有结论会保留，创建的资源会被清除。",
    ),
    "runs.cancel.yes": Pair("Cancel the run", "取消运行"),
    "runs.pause.done": Pair(
        "What is under way is finished; then it waits.", "完成当前流程后暂停。"
    ),
    "runs.resume.done": Pair("It goes on.", "已继续。"),
    "runs.cancel.done": Pair("It was cancelled.", "已取消。"),
    "run.title.sweep": Pair("Sweep of {console}", "{console} 的巡检"),
    "run.title.verification": Pair("Verification on {console}", "{console} 的验证"),
    "run.asked": Pair("Asked for {age} by {by}.", "{age}由 {by} 发起。"),
    "reason.never": Pair("never verified", "从未验证"),
    "reason.changed": Pair("its text has changed", "文字有改动"),
    "reason.failed": Pair("the last verdict was not “verified”", "上次未通过"),
    "reason.stale": Pair("verified too long ago", "结论已过期"),
    "reason.asked": Pair("asked for", "指定验证"),
    "run.progress": Pair("Progress", "进度"),
    "run.done": Pair("Done", "已完成"),
    "run.rate": Pair("Rate", "速度"),
    "run.rate.of": Pair("{x} a minute", "每分钟 {x} 个"),
    "run.left": Pair("Time left", "剩余时间"),
    "run.why": Pair("Why", "原因"),
    "run.verdicts": Pair("Verdicts so far", "目前的结论"),
    "run.verdicts.none": Pair("none yet", "暂无"),
    "run.browsers": Pair("What each browser is looking at", "每个浏览器正在看什么"),
    "run.browsers.none": Pair(
        "No browser is busy with this run at the moment.", "此刻没有浏览器在执行该运行。"
    ),
    "run.attempt": Pair("attempt {x}", "第 {x} 次尝试"),
    "run.step": Pair("Step {x}", "步骤 {x}"),
    "run.starting": Pair("Getting ready", "准备中"),
    "run.picture": Pair("What the browser showed last: {title}", "浏览器最近的画面：{title}"),
    "run.picture.none": Pair("No picture yet", "尚无画面"),
    "run.items": Pair("Procedures", "流程"),
    "run.items.none": Pair("It has no procedures of its own list.", "没有流程列表。"),
    "run.procedure": Pair("Procedure", "流程"),
    "run.reason": Pair("Why it is verified", "验证原因"),
    "run.estimate": Pair("Estimate", "预计"),
    "run.note": Pair("Note", "备注"),
    "run.live": Pair("This page follows the run by itself.", "此页面会自动更新。"),
    "run.reload": Pair("Reload", "刷新"),
}

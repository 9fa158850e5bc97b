"""Words of questions to people."""

from appliance.server.dashboard.wording._catalogue import Catalogue, Pair

WORDS: Catalogue = {
    "nav.questions": Pair("Questions", "人工处理"),
    "asked.some": Pair(
        "An attempt waits for somebody|{n} attempts wait for somebody",
        "有 {n} 次尝试在等待人工处理",
    ),
    "asked.answer": Pair("Answer", "去处理"),
    "asked.all": Pair("Show all", "查看全部"),
    "questions.title": Pair("Questions", "人工处理"),
    "questions.lead": Pair(
        "What attempts need a person for: consent to what hurts when it is wrong, captchas, second"
        " factors. An attempt waits for a while, then goes on without.",
        "需要人工参与的事项：敏感操作的确认、验证码、二次验证。尝试会等待一段时间，超时后不再等待。",
    ),
    "questions.what": Pair("Question", "事项"),
    "questions.state": Pair("State", "状态"),
    "questions.asked": Pair("Asked", "提出时间"),
    "questions.until": Pair("Waits until", "等待至"),
    "questions.outcome": Pair("Outcome", "结果"),
    "questions.by": Pair("{reply}, by {by}", "{by}：{reply}"),
    "questions.empty": Pair("Nobody was asked anything", "没有需要人工处理的事项"),
    "questions.empty.text": Pair(
        "What hurts when it is wrong is asked here where the settings say so under"
        " `agent.sensitive`; captchas and second factors always are.",
        "配置 `agent.sensitive` 设为询问的敏感操作会出现在这里；验证码和二次验证总会在这里询问。",
    ),
    "questionkind.consent": Pair("consent", "确认"),
    "questionkind.take_over": Pair("hand-over", "接手"),
    "question.title.consent": Pair("May this be done?", "是否允许此操作？"),
    "question.title.take_over": Pair("This needs a person", "需要人工接手"),
    "question.procedure": Pair("Procedure", "流程"),
    "question.run": Pair("Run", "运行"),
    "question.step": Pair("Step", "步骤"),
    "question.page": Pair("Page", "页面"),
    "question.picture": Pair("The page as it was when it was asked", "提问时的页面"),
    "question.picture.none": Pair("There is no picture of the page.", "没有页面截图。"),
    "question.click": Pair("Click on the page", "在页面上点击"),
    "question.click.help": Pair(
        "Click into the picture: the attempt clicks at the same place.",
        "点击图中位置，将在页面的同一位置点击。",
    ),
    "question.click.numbers": Pair("By numbers", "输入坐标"),
    "question.click.x": Pair("From the left", "距左侧"),
    "question.click.y": Pair("From the top", "距顶部"),
    "question.click.there": Pair("Click there", "点击该处"),
    "question.click.nowhere": Pair(
        "Point at a place of the picture, or say where by numbers.",
        "请用指针选择图中位置，或输入坐标。",
    ),
    "question.type": Pair("Type a text", "输入文字"),
    "question.type.help": Pair(
        "It goes into the field that has the focus, and is kept nowhere. Click into the field"
        " first where none has it.",
        "文字会输入到当前获得焦点的输入框，不会保存。如无焦点，请先点击输入框。",
    ),
    "question.type.do": Pair("Type it", "输入"),
    "question.end": Pair("When you have finished", "处理完毕后"),
    "question.further": Pair("A further question of this run waits", "此次运行有新的待处理事项"),
    "question.over.answered": Pair(
        "It was answered; the attempt goes on.", "已处理，尝试继续进行。"
    ),
    "question.over.expired": Pair("Nobody answered in time.", "超时未处理。"),
    "question.over.withdrawn": Pair(
        "Nobody waits any more: its run was stopped.", "运行已停止，无需再处理。"
    ),
    "question.answered": Pair("The attempt goes on with it.", "已转交给正在进行的尝试。"),
    "questionstate.open": Pair("open", "待处理"),
    "questionstate.answered": Pair("answered", "已处理"),
    "questionstate.expired": Pair("too late", "已超时"),
    "questionstate.withdrawn": Pair("withdrawn", "已撤回"),
    "reply.allow": Pair("Allow it", "允许"),
    "reply.refuse": Pair("Refuse it", "拒绝"),
    "reply.done": Pair("It is done", "已完成"),
    "reply.cannot": Pair("It cannot be done", "无法完成"),
    "replied.allow": Pair("allowed", "已允许"),
    "replied.refuse": Pair("refused", "已拒绝"),
    "replied.type": Pair("a text was typed", "已输入文字"),
    "replied.click": Pair("a click", "已点击"),
    "replied.done": Pair("done", "已完成"),
    "run.waits": Pair("Waits for a person:", "等待人工处理："),
    "error.410": Pair("This is over", "已结束"),
    "event.person.asked": Pair("person asked", "需要人工处理"),
}

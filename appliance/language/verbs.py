"""Verbs: what an instruction asks of the reader, and what a control does."""

from appliance.language.words import Words, in_text, longest_first, words

# -- instructions, by what the reader does ---------------------------------------------------------

CLICK = words(
    "click|point to|press|hit|push|tap|double-click|right-click|double click|right click",
    "右键单击|点击|单击|双击|按下",
)
PRESS = words("press|hit|push", "按")
"""What is done to a key as well."""
HOVER = words("hover over|hover on|hover|point at", "悬停")
SCROLL = words("scroll")
USE = words("use")
OPEN = words(
    "open|go to|go|head over to|head to|navigate to|navigate|expand|switch to|switch|access|visit"
    "|return to|pop over to|hop over to|jump to|follow",
    "打开|进入|展开|切换到|切换至|切换|前往",
)
SELECT = words("select|choose|pick", "选择|选中")
COPY = words("copy")
CLOSE = words("close|dismiss")
OUGHT_TO = r"(?:must|should|needs? to|will need to|ha(?:s|ve) to|(?:will be|is|are) required to)"
"""A pattern of what tells somebody to do what follows."""
AIM = (
    r"to [a-z]+ [^,.;:]{2,60}? (?:simply|just|first)"
    r" (?=(?:click|press|select|choose|open|go|tap)\b)"
)
"""A pattern of what an English instruction is for, without a comma behind it: "To create a tree
simply click **Add**"."""
FILL = words(
    "enter|type|key in|put in|populate|supply"
    "|specify|provide|input|set|fill in|fill out|fill|replace|paste|put|write|retype"
    "|re-enter|name|give",
    "输入|填写|填入|设置|设为",
)
EDIT = words("change|edit|update|adjust|rename|define", "修改|更改|更新")
WITH_OBJECT = words("", "将|把")
"""What stands before the thing that something is done to."""
TICK = words("check|tick|enable|turn on|switch on|toggle on", "勾选|启用|开启")
UNTICK = words(
    "uncheck|untick|clear|deselect|disable|turn off|switch off|toggle off",
    "取消勾选|取消选择|关闭|关掉",
)
TOGGLE = words("toggle")
UPLOAD = words("upload|browse|browse to|attach", "上传")
CONFIRM = words("confirm|accept|save", "确认")
RELOAD = words("refresh|reload")
WAIT = words("wait|wait for|wait until", "等待")
VERIFY = words("verify|verify that|make sure|ensure")
FIND = words("locate|find", "找到")
SEARCH = words("search|search for|look up|filter", "搜索")
LOG_IN = words("log in|log into|log on|login|sign in|sign into", "登录")
DRAG = words("drag|drop")
MOVE = words("move|assign", "拖动|移动")
ADD = words("add", "添加")
LEAVE = words("leave|keep", "保持")
LOOK = words("skip|ignore|note|see|view|review|repeat|rinse|do|decide|complete", "查看")
"""Nothing is done in the console."""
RUN = words("run|ask|download", "运行|执行")
"""What is done elsewhere."""
IS_OVER = words(
    r"done|finish\w*|completed?|ready|happy|satisfied|ok(?:ay)?|fine|entered|filled|added"
    r"|loaded|uploaded|saved|reviewed|configured|sure|launched|passe[sd]|succeed\w*",
    "完成|完毕|无误|好了?|完了?|就绪|结束|成功",
)
"""Said of what came before, where the text goes on to the next thing; parts of patterns."""
GOAL = words("configure|remove|delete|create|detach|resize|start|stop|launch", "删除")
"""What for, and not how."""

_ALL: Words = sum(
    (HOVER, SCROLL, USE, OPEN, SELECT, COPY, CLOSE, FILL, EDIT, WITH_OBJECT, TICK, UNTICK, UPLOAD,
     CONFIRM, WAIT, RELOAD, VERIFY, FIND, SEARCH, LOG_IN, MOVE, DRAG, ADD, LEAVE, LOOK, RUN,
     GOAL, TOGGLE),
    CLICK,
)  # fmt: skip
IMPERATIVES = Words(longest_first(_ALL.en), longest_first(_ALL.zh))
"""What the literal reader knows as a verb."""

ALSO_NOUNS = words(
    "name|access|view|input|filter|search|note|check|run|start|stop|use|find|follow|list|launch|define"
)
"""Of them those that are more often nouns."""

_OTHERS = words(
    "|".join(
        in_text(
            """
    acknowledge activate agree allocate allow apply approve associate authorize cancel clone
    collapse connect customize deactivate determine disassociate discard dismiss do drop exit
    export extend finish generate grant highlight identify import increase insert inspect install
    invite let limit link list load lock login look manage map mark migrate modify monitor
    optionally pause perform place power prepare proceed purchase query read reboot rebuild record
    register release remember request reset restart restore resume retrieve retype
    revoke send share shut sort submit suspend sync tap terminate test toggle transfer unassign
    unlock unmount upgrade validate write
            """
        )
    ),
    "|".join(
        in_text(
            """
    右击 右键 取消 登陆 访问 定位 配置 创建 新建 增加 移除 编辑 变更 确定 提交 保存 下载 导入 导出
    禁用 停用 绑定 解绑 关联 解除 挂载 卸载 重启 启动 停止 收起 刷新 查询 复制 粘贴 按照 参考 参照
    指定 分配 释放 购买 申请 授权 返回 跳转 完成 根据 使用 检查 验证 记录 滚动 悬停 定义 命名 为 请
            """
        )
    ),
)
_SELDOM_FIRST = words("hit|push|see|decide", "填入|设为|切换到|切换至|取消勾选|取消选择|保持|更新")
BEGIN_A_STEP = Words(
    longest_first({w.split()[0] for w in IMPERATIVES.en} - {*_SELDOM_FIRST.en} | {*_OTHERS.en}),
    longest_first({*IMPERATIVES.zh} - {*_SELDOM_FIRST.zh} | {*_OTHERS.zh}),
)
"""First words of sentences that are steps, more than the reader knows to carry out."""

HAND = words(
    "click|press|tap|select|choose|pick|tick|untick|check|uncheck|enter|type|fill in|fill out|drag"
    "|double-click|right-click|hover over|open|go|head over to|navigate to|expand|switch to"
    "|toggle|scroll to|save|submit|upload|clicking|pressing|selecting|ticking",
    "单击|点击|双击|右击|右键|选择|勾选|输入|填写|打开|进入|展开|切换|拖动|登录|上传",
)
"""What a reader does with mouse and keys: a text that has none of it happens elsewhere."""
POINT = words(
    "click|double-click|right-click|double click|right click|tap|clicking", "单击|点击|双击|右击"
)
"""What nobody does but on a screen."""
GO_THERE = words(
    "go to|head over to|head to|navigate to|browse to|visit|open|access|switch to|return to"
    "|click on|click|log in to|log into",
    "打开|进入|前往|登录|切换到|切换至|单击|点击",
)
"""How a text leads to the place where something is done."""
ELSEWHERE = words(
    "run|execute|install|reinstall|uninstall|clone|compile|deploy|reboot|boot|restart|ssh|curl"
    "|import|download and install|edit the (?:file|configuration)|define|implement|extend|write"
    "|read|build",
    "执行|运行|安装|编译|部署|调用",
)
"""What is done in a shell, an editor or a program, and not in a console."""
PURPOSES = words(
    "create|add|edit|modify|change|update|rename|delete|remove|archive|restore|copy|duplicate|clone"
    "|move|export|import|upload|download|enable|disable|activate|deactivate|assign|unassign|invite"
    "|publish|unpublish|reorder|rearrange|sort|filter|search|share|configure|set up|view"
    "|reset|revoke"
    "|schedule|unschedule|attach|detach|start|stop|make|grant|give|hide|show|print|undo|merge|link"
    "|unlink|connect|disconnect|approve|reject|generate|customi[sz]e|lock|unlock|block|unblock|ban"
    "|transfer|replace|revert|pin|unpin|follow|unfollow|subscribe|unsubscribe|mute|unmute|join"
    "|leave|pause|resume|cancel|regenerate|rotate|register",
    "创建|新建|添加|新增|修改|编辑|更新|删除|移除|复制|移动|导出|导入|上传|下载|启用|禁用|停用|绑定|解绑"
    "|查看|重置|配置",
)
"""What whole procedures are for, and not only a step."""

# -- controls, by what they do ---------------------------------------------------------------------

CREATES = words("create|new|add|launch", "创建|新建|新增|添加")
MAKES_BY_A_FORM = words(
    "set up|create|new|add|make|append|insert|define", "创建|新建|新增|添加|增加"
)
"""What mostly opens a form; to import or to launch something is another control beside it."""
DELETES = words("delete|remove|terminate|destroy", "删除|移除|释放")
EDITS = words("edit|update|modify|change", "编辑|修改|更改|更新")
SAVES = words("save|apply|submit|ok|confirm", "保存|确定|提交|确认")
STARTS = words("start|boot|run")
STOPS = words("stop|shut")
RESTARTS = words("restart|reboot")
SYNONYMS = (CREATES, DELETES, EDITS, SAVES, STARTS, STOPS, RESTARTS)
"""Words of each group mean the same on a control."""
OTHERS_ON_CONTROLS = words(
    "|".join(
        in_text(
            """
    attach detach allocate associate disassociate release manage upload download copy move rename
    resize enable disable import export accept view open close cancel back next search filter
    select pause resume publish unpublish unarchive unlock approve reject duplicate clone activate
    deactivate revoke install uninstall restore reset invite send
            """
        )
    ),
    "绑定|解绑|挂载|卸载|上传|下载|复制|启用|停用|启动|停止|重启|查看|返回|取消|下一步|上一步|搜索|设置|管理|变更|分配",
)

SEARCHES = words("filter|search", "筛选|搜索|查询")
GO_ON = words("Next|Continue", "下一步|继续")
FINISH = words("Finish", "完成")
LOGS_IN = words("Sign In|Log In|Login|Sign On", "登录")
CLOSES = (
    "Close",
    "Done",
    "×",
    "✕",
    "OK",
    "Got it",
    "Cancel",
    "关闭",
    "完成",
    "确定",
    "知道了",
    "取消",
)
"""What closes a dialog without sending anything, the plainest first."""

# -- what is done with a thing ---------------------------------------------------------------------

TAKE = words(
    "select|choose|pick|tick|check|mark|highlight|click(?: on)?|find|locate|open|search for"
    "|look for|specify|double-click|drag|right-click|press|expand|view",
    "选择|单击|点击|勾选|选中|找到|搜索|定位|选取|指定|打开|进入",
)
"""Whoever does it to a thing has it before."""
DONE_WITH = words(
    "attach|detach|delete|remove|stop|start|restart|reboot|move|rename|resize|associate"
    "|disassociate|release|terminate|suspend|resume|edit|modify|mount|unmount|connect|disconnect"
    "|share|assign|put|export|enable|disable|extend|expand|upgrade|pause|lock|unlock|shut down",
    "删除|停止|启动|重启|释放|挂载|卸载|扩容|修改|变更|重置|绑定|解绑|禁用|启用|停用|恢复|编辑|迁移|为|将|把",
)
MAKE = words(
    "create|creating|launch|launching|add|adding|allocate|allocating|make|making|build|building"
    "|register|upload|uploading|import|importing|order|buy|purchase|provision|new|take|plan|set up"
    "|define|generate|deploy|open|issue|apply for|request",
    "立即创建|创建|新建|新增|添加|申请|购买|上传|导入|注册|分配|制作|开通",
)
MAKE_FOR_SURE = words(
    "create|creating|launch|launching|new|allocate|allocating|upload|uploading|import|importing"
    "|register|generate|order|buy|purchase|provision|deploy|build|building|request",
    "创建|新建|立即创建|申请|购买",
)
"""After other verbs ("add the user to a group") the thing may have been there."""
CHANGE_STATE = words(
    "start|stop|pause|resume|unpause|suspend|enable|disable|activate|attach|detach|associate"
    "|disassociate|mute|unmute|lock|unlock|shut off|deactivate",
    "启动|停止|开机|关机|暂停|恢复|启用|停用|禁用|激活|挂载|卸载|绑定|解绑|分离|锁定|解锁",
)
SET_UP = words(
    "set|request|assign|unassign|allow|permit|give|grant|revoke|invite|approve|reject|register"
    "|schedule|archive|restore|publish|unpublish|upload|import|merge|clone|duplicate|configure",
    "设置|申请|分配|授权|邀请|审批|注册|归档|恢复|发布|上传|导入|合并|克隆|配置",
)
"""What titles say of a task that leaves something changed, besides making, editing and deleting."""
TAKE_OUT = words("remove|take out", "移除|移出|踢出")

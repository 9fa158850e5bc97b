"""Nouns: what controls and their places are called."""

from appliance.language.words import one_of, words

CONTROLS = words(
    r"check ?box(?:es)?|push button|radio button|drop[- ]?down (?:list|menu|arrow|box)|dropdown"
    r"|dialog box|launch dialog box|dialog|window|wizard|form|page|panel|pane|view|screen"
    r"|table|tab|category|button|icon|link|option|menu entry|menu item|menu|list|text box"
    r"|text field|field|box|column|section|heading|area|label|toggle|switch|card|tile|drawer"
    r"|step|row|entry|item\b",
    r"对话框|弹窗|窗口|页面|页签|选项卡|标签页|标签|按钮|图标|链接|选项|菜单项|菜单|下拉列表|下拉框|列表"
    r"|复选框|单选按钮|开关|输入框|文本框|字段|框|区域|列|项目|面板|向导|步骤|导航栏|卡片",
)
"""What may stand behind a name; parts of a pattern, in the order in which they are tried."""

_DIALOGS = words("dialog box|dialog|window", "对话框|弹窗|窗口")
IN_PROSE = words(
    "box|boxes|button|buttons|checkbox|icon|link|option|options|menu|menus|list|lists|drop-down"
    "|dropdown|drop|dialog|window|wizard|form|page|panel|pane|view|screen|tab|tabs|category|entry"
    "|entries|item|items|text|field|fields|column|section|area|label|toggle|radio|navigation|bar"
    "|sidebar|row|rows|table|card|drawer|step|value|values|name|names|keyword|key",
    "|".join((*(noun for noun in CONTROLS.zh if noun not in ("框", "列", "卡片")), "名称")),
)
"""Each word alone, in both numbers: a sentence that has them says no more than where to look."""
CAN_APPEAR = _DIALOGS + words("page|wizard|panel|form|drawer", "页面|面板|向导")
"""What a console opens, and a sentence says so."""

DIALOGS = _DIALOGS + words("launch dialog box|drawer")
"""Lie over the page."""
OVER_THE_PAGE = words("panel|pane|drawer|wizard", "面板|向导")
"""May lie over the page, or be a part of it."""
PANES = words("dialog|dialog box|window|drawer|panel|page")
"""Hold fields: "in the X panel" names no field."""
OPENED = CAN_APPEAR + words("launch dialog box|pane|screen|view|step", "步骤")
"""Are open when something is done in them."""
STEPS = words("step|page|panel|screen", "步骤|页面")
"""Parts of a wizard."""
TABS = words("tab", "页签|选项卡|标签页")
NAVIGATION = TABS + words("place|category|path|menu|label", "菜单|标签|导航栏")
"""Are opened by being named."""
BUTTONS = words("button|push button|icon", "按钮|图标")
ICONS = words("icon", "图标")
CHECK_BOXES = words("check box|checkbox", "复选框")
SWITCHES = words("toggle|switch", "开关")
RADIO_BUTTONS = words("radio button", "单选按钮")
MENUS = words(
    "more|more actions|more options|action|actions|menu|options", "更多|更多操作|操作|菜单|选项"
)
"""What texts call three dots."""
LINKS = words("link", "链接")
TEXT_FIELDS = words("field|box", "输入框")
NAMES = words("name", "名称")
YES = words("yes|confirm|ok|okay|sure", "确定|确认")
"""Words of what answers a question."""

SHAPES = words(
    "pencil|gear|cog|bin|trash(?: ?can)?|wheel|arrow|caret|chevron|star|ellipsis|cross"
    "|bell|hamburger"
    "|plus sign|minus sign|three dots|magnifying glass|paper ?clip|floppy disk|eye",
    "铅笔|齿轮|垃圾桶|箭头|星号|加号|减号|三个点|放大镜",
)
"""What icons look like, as texts call them without saying that they are icons."""
ON_SCREEN = (
    words(
        "button|tab|menu|submenu|link|icon|check ?box(?:es)?|drop[- ]?down|dialog|window"
        "|screen|page|panel"
        "|pane|sidebar|navigation|toolbar|field|list|listing|toggle|switch(?:es)?|form|modal|column|console|dashboard"
        "|interface|editor|wizard|section|breadcrumb",
        "按钮|页签|菜单|链接|图标|复选框|下拉|对话框|窗口|页面|界面|面板|导航栏|输入框|列表|开关|控制台|列",
    )
    + SHAPES
)
"""What a console is made of: a text that names none is about something else."""
PLACES = words(
    "tab|menu|submenu|page|screen|sidebar|navigation|section|area|interface|panel|view|item",
    "页签|菜单|页面|导航栏|界面|区域",
)
"""Where in a console something is done."""
WHERE = PLACES + words(
    "dashboard|pane|list|workspace|module|overview|window",
    "列表|控制台|模块|面板|概览|标签页|选项卡",
)
"""Behind a name that an introduction gives: a place that all of it is done in."""
FORMS = words("dialog box|dialog|tab|window|modal", "对话框|页签|窗口|选项卡")
"""What holds fields, as a whole section of a manual may be about."""
LABELLED = words(
    "button|tab|menu item|menu option|menu entry|menu|submenu|link|check ?box|drop[- ]?down|icon"
    "|toggle|switch|sidebar|dialog|radio button",
    "按钮|页签|菜单|链接|复选框|图标",
)
"""Behind a name in quotes, in code or stressed: the name is a control's."""

PEOPLE = words(
    "user|account|member|person|people|learner|student|coach|teacher|admin|administrator|customer"
    "|employee|author|editor|contact|guest|owner|subscriber",
    "用户|账号|成员|人员|学员|教师|管理员|客户|员工|联系人|所有者",
)
"""One and the same may be called by several of them."""
SOMEBODY = (
    r"(?:(?:the|an?|all|any|every|each|only|our) )?(?:[\w/-]+ ){0,3}?"
    rf"(?:{one_of(PEOPLE.en)}|director|manager|staff|operator|they|he or she)s?(?: members?)?"
)
"""A pattern of whom an English manual has act in place of its reader: "center directors"."""
NAMED_BESIDE = r"(?:next to|beside|label?led|called|named|marked|titled|that (?:says|reads))"
"""A pattern of what stands between a control and the words that name it: "the box next to"."""
ANYTHING = words("item|entry|row|object|record|resource|element", "项|条目|对象|记录|资源")
"""What anything in a list may be called."""

ICON_NAMES = words(
    "copy|refresh|reload|settings|edit|delete|close|help|download|expand|show|search|sort|filter",
    "复制|刷新|设置|编辑|删除|关闭|下载|展开|返回|搜索|定位|服务列表",
)
"""What icons without a label are called by what they do."""

NOTES = {
    "note": "note",
    "notes": "note",
    "tip": "tip",
    "hint": "hint",
    "important": "important",
    "warning": "warning",
    "caution": "caution",
    "attention": "attention",
    "danger": "danger",
    "info": "info",
    "注意": "attention",
    "说明": "note",
    "提示": "tip",
    "警告": "warning",
    "重要": "important",
    "备注": "note",
    "危险": "danger",
    "重要提示": "important",
    "温馨提示": "tip",
    "注意事项": "attention",
}
"""What a note is headed by, and its kind."""

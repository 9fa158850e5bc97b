"""Icons by their look and by their function."""

import re
from functools import lru_cache

from appliance.language.words import one_of, words

MENU_LOOK = "menu"
LOOKS = {
    "edit": words("pencil|pen|[✏✎]", "小?铅?笔"),
    "settings": words("gear|cog(?: ?wheel)?|wrench|spanner|⚙", "小?齿轮|扳手|⚙"),
    "delete": words(
        "(?:trash|rubbish|recycle|waste)(?: ?(?:can|bin|basket))?|bin|🗑", "垃圾桶|垃圾箱|回收站|🗑"
    ),
    "add": words(r"plus(?: sign)?|\+", r"加号|\+号?"),
    "search": words("magnifying glass|magnifier|loupe|lens|[🔍🔎]", "放大镜|[🔍🔎]"),
    MENU_LOOK: words(
        "(?:three|vertical|horizontal)[ -](?:dots?|lines|ellipsis|bars)|ellipsis"
        "|hamburger|kebab|meatballs"
        "|[⋮⋯…≡☰]",
        "[三3]个?(?:小?点|圆点)|三(?:条|道)?横线?|省略号|[⋮⋯…≡☰]",
    ),
    "show": words("eye", "眼睛"),
    "favourite": words("star|heart|[☆★]", "星标|五角星|星星|爱心"),
    "notifications": words("bell|🔔", "铃铛|小铃铛"),
    "help": words("question mark", "问号"),
    "save": words("check ?mark|tick mark|floppy(?: disk)?|diskette", "对勾|对号|[√✔✓]"),
    "close": words("cross|[X×✕]", "叉号?|[×✕]"),
    "up": words("up(?:ward)? arrow|arrow up", "上箭头|向上箭头"),
    "down": words("down(?:ward)? arrow|arrow down", "下箭头|向下箭头"),
    "back": words("back arrow|left arrow", "返回箭头|左箭头"),
    "attach": words("paper ?clip", "回形针|曲别针"),
    "user": words("avatar|profile picture", "(?:个人|用户)?头像"),
    "lock": words("padlock|lock", "锁|小锁"),
    "refresh": words("circular arrow|[↻⟳]", "循环箭头"),
}
"""Patterns for the look of icons, by function."""
_BY_LOOK = {
    does: re.compile(one_of(look.en, look.zh), re.IGNORECASE) for does, look in LOOKS.items()
}
_CALLED = {
    "edit": words("edit|modify|rename", "编辑|修改"),
    "settings": words("settings?|configure|preferences", "设置|配置"),
    "delete": words("delete|remove", "删除|移除"),
    "add": words("add|create|new", "添加|新增|新建|创建"),
    "subtract": words("minus|dash|[−–-]", "减号?|[−－-]"),
    "search": words("search|find", "搜索|查找|查询"),
    MENU_LOOK: words("menu|more(?: (?:actions|options))?|options|actions", "菜单|更多(?:操作)?"),
    "show": words("show|view|preview", "查看|显示|预览"),
    "hide": words("hide|crossed[- ]out eye", "隐藏|闭眼|斜杠眼睛"),
    "favourite": words("favou?rite|star", "收藏|星形?"),
    "notifications": words("notifications?|alerts?", "通知|消息"),
    "help": words("help|[?]", "帮助|疑问|[?？]"),
    "save": words("save|apply|confirm|check|tick|disk", "保存|确认|勾|磁盘|软盘"),
    "close": words("close|cancel|dismiss|clear|remove", "关闭|取消|清除"),
    "up": words("up|(?:up(?:ward)? )?(?:caret|chevron)(?: up)?|[↑▴▲]", "上移|向上|[↑▴▲]"),
    "down": words(
        "down|(?:down(?:ward)? )?(?:caret|chevron)(?: down)?|drop-?down|[↓▾▼]",
        "下移|向下|下拉(?:箭头)?|[↓▾▼]",
    ),
    "back": words("back|[←◂]", "返回|后退|[←◂]"),
    "next": words("(?:right )?(?:arrow|chevron|caret)(?: right)?|[→▸]", "右箭头|向右箭头|[→▸]"),
    "attach": words("attach|attachment", "附件"),
    "user": words("user|person|account|profile", "用户|账户|账号|个人|人像"),
    "lock": words("lock", "锁定"),
    "refresh": words("refresh|reload|sync(?:hronize)?", "刷新|同步"),
    "copy": words(
        "copy|duplicate|(?:two )?overlapping (?:squares|sheets|pages)|clipboard", "复制|拷贝|剪贴板"
    ),
    "download": words("download|export", "下载|导出"),
    "upload": words("upload|import", "上传|导入"),
    "filter": words("filter|funnel", "筛选|过滤|漏斗"),
    "sliders": words("sliders?|filters?", "滑块"),
    "information": words("info(?:rmation)?|i|letter i", "信息|详情|感叹号"),
    "external link": words(
        "external link|open in (?:a )?new (?:tab|window)|square with an arrow",
        "外部链接|新窗口打开",
    ),
    "expand": words("expand|full ?screen|maximi[sz]e", "全屏|放大|展开"),
    "collapse": words("collapse|exit full ?screen|minimi[sz]e", "退出全屏|收起|缩小"),
    "drag": words("drag(?: handle)?|handle|grip|six dots|move", "拖动|拖拽|拖动手柄"),
    "log out": words("log ?out|sign ?out|exit", "退出(?:登录)?|登出|注销"),
    "comment": words("comment|chat|message|speech bubble", "评论|消息|聊天|气泡"),
    "mail": words("mail|e-?mail|envelope", "邮件|信封"),
    "calendar": words("calendar|date", "日历|日期"),
    "history": words("history", "历史(?:记录)?"),
    "clock": words("clock|time", "时钟|钟表|时间"),
    "folder": words("folder", "文件夹"),
    "file": words("file|document|page", "文件|文档"),
    "home": words("home|house", "主页|首页|房子|小房子"),
    "link": words("link|chain", "链接|链条"),
    "share": words("share", "分享|共享"),
    "print": words("print(?:er)?", "打印(?:机)?"),
    "play": words("play|run|start|triangle", "播放|运行|启动|三角形?"),
    "chart": words("chart|graph|bar chart", "图表|柱状图|统计"),
    "grid": words("grid|tiles?|cards?", "网格|宫格|卡片"),
    "list": words("list", "列表"),
    "terminal": words("terminal|console|command line|shell", "终端|控制台|命令行"),
    "code": words("code|(?:angle )?brackets", "代码|尖括号"),
    "warning": words(
        "warning|alert|exclamation(?: mark| point)?|triangle", "警告|告警|叹号|感叹号"
    ),
}
"""Further names of icons, used where a text says that it means an icon."""
_BY_NAME = {
    does: re.compile(one_of(name.en, name.zh), re.IGNORECASE) for does, name in _CALLED.items()
}


def icon_names(icon_text: str) -> tuple[str, ...]:
    """All names of the icon that a text calls `icon_text`: "cog" is "settings" as well."""
    bare = _without_icon_word(icon_text)
    return (bare, *(does for does, look in _BY_LOOK.items() if look.fullmatch(bare)))


def may_be(look: str, icon_text: str) -> bool:
    """Whether an icon of that look may be the one that a text calls `icon_text`."""
    return bool(look) and not _meanings(look).isdisjoint(_meanings(icon_text))


def _without_icon_word(icon_text: str) -> str:
    return re.sub(r"(?: (?:icon|button|sign|symbol))+$|(?:图标|按钮)$", "", icon_text.strip())


@lru_cache(maxsize=1024)
def _meanings(icon_text: str) -> frozenset[str]:
    bare = _without_icon_word(icon_text)
    functions = (does for does, name in _BY_NAME.items() if name.fullmatch(bare))
    return frozenset(name.casefold() for name in (*icon_names(icon_text), *functions))

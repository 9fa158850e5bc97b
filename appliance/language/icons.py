"""Icons: what they look like, and what they do."""

import re

from appliance.language.words import one_of, words

MENU_LOOK = "menu"
LOOKS = {
    "edit": words("pencil|pen", "铅笔|小?笔"),
    "settings": words("gear|cog(?: ?wheel)?|wrench|spanner", "小?齿轮|扳手"),
    "delete": words(
        "(?:trash|rubbish|recycle|waste)(?: ?(?:can|bin|basket))?|bin", "垃圾桶|垃圾箱|回收站"
    ),
    "add": words(r"plus(?: sign)?|\+", r"加号|\+号?"),
    "search": words("magnifying glass|magnifier|loupe|lens", "放大镜"),
    MENU_LOOK: words(
        "(?:three|vertical|horizontal)[ -](?:dots?|lines|ellipsis|bars)|ellipsis"
        "|hamburger|kebab|meatballs"
        "|[⋮⋯…≡☰]",
        "[三3]个?(?:小?点|圆点)|省略号|[⋮⋯…≡☰]",
    ),
    "show": words("eye", "眼睛"),
    "favourite": words("star|heart", "星标|五角星|星星|爱心"),
    "notifications": words("bell", "铃铛|小铃铛"),
    "help": words("question mark", "问号"),
    "save": words("check ?mark|tick mark|floppy(?: disk)?|diskette", "对勾|对号|[√✔✓]"),
    "close": words("cross|[X×✕]", "叉号?|[×✕]"),
    "up": words("up(?:ward)? arrow|arrow up", "上箭头|向上箭头"),
    "down": words("down(?:ward)? arrow|arrow down", "下箭头|向下箭头"),
    "back": words("back arrow|left arrow", "返回箭头|左箭头"),
    "attach": words("paper ?clip", "回形针|曲别针"),
    "user": words("avatar|profile picture", "(?:个人|用户)?头像"),
    "lock": words("padlock|lock", "锁|小锁"),
    "refresh": words("circular arrow", "循环箭头"),
}
"""What icons look like, as patterns, by what they do."""
_MEANS = {does: re.compile(one_of(look.en, look.zh), re.IGNORECASE) for does, look in LOOKS.items()}


def icon_names(said: str) -> tuple[str, ...]:
    """By which names an icon may go that a text calls so: "cog" is "settings" as well."""
    bare = re.sub(r"(?: (?:icon|button|sign|symbol))+$|(?:图标|按钮)$", "", said.strip())
    return (bare, *(does for does, look in _MEANS.items() if look.fullmatch(bare)))

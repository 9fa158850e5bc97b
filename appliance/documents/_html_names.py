"""What HTML elements and classes mean."""

from collections.abc import Iterable

from appliance.core.procedure import InlineRole

_TAGS = {
    "strong": InlineRole.UI_LABEL,
    "b": InlineRole.UI_LABEL,
    "button": InlineRole.UI_LABEL,
    "em": InlineRole.EMPHASIS,
    "i": InlineRole.EMPHASIS,
    "cite": InlineRole.EMPHASIS,
    "var": InlineRole.EMPHASIS,
    "code": InlineRole.LITERAL,
    "tt": InlineRole.LITERAL,
    "samp": InlineRole.LITERAL,
    "kbd": InlineRole.KEY,
    "a": InlineRole.LINK,
}
_CLASSES = {
    "guilabel": InlineRole.UI_LABEL,
    "uicontrol": InlineRole.UI_LABEL,
    "wintitle": InlineRole.UI_LABEL,
    "guibutton": InlineRole.UI_LABEL,
    "guimenu": InlineRole.UI_LABEL,
    "guimenuitem": InlineRole.UI_LABEL,
    "ui-label": InlineRole.UI_LABEL,
    "menuselection": InlineRole.MENU_PATH,
    "menucascade": InlineRole.MENU_PATH,
    "kbd": InlineRole.KEY,
    "command": InlineRole.COMMAND,
    "program": InlineRole.COMMAND,
    "codeph": InlineRole.LITERAL,
    "filepath": InlineRole.LITERAL,
    "userinput": InlineRole.LITERAL,
    "file": InlineRole.LITERAL,
    "pre": None,
}


def role_of_tag(name: str, classes: Iterable[str]) -> InlineRole | None:
    """The role of what stands in an element."""
    for css_class in classes:
        if css_class.lower() in _CLASSES:
            return _CLASSES[css_class.lower()]
    return _TAGS.get(name)

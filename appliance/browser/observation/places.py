"""Where a box stands in the view, in the words that documents use."""

from appliance.core.page import Box

_ENGLISH = (
    ("upper left", "top", "upper right"),
    ("left", "center", "right"),
    ("lower left", "bottom", "lower right"),
)
_CHINESE = (
    ("左上角", "顶部", "右上角"),
    ("左侧", "中间", "右侧"),
    ("左下角", "底部", "右下角"),
)
_BEYOND = {"en": ("above the view", "below the view"), "zh": ("视口上方", "视口下方")}


def position(box: Box, viewport: Box, language: str = "en") -> str:
    """Which ninth of the view the middle of `box` is in; "" when the view's size is not known."""
    if viewport.width <= 0 or viewport.height <= 0:
        return ""
    chinese = language.lower().startswith("zh")
    above, below = _BEYOND["zh" if chinese else "en"]
    if box.y + box.height <= 0:
        return above
    if box.y >= viewport.height:
        return below
    column = _third(box.x + box.width / 2, viewport.width)
    row = _third(box.y + box.height / 2, viewport.height)
    return (_CHINESE if chinese else _ENGLISH)[row][column]


def _third(at: float, size: float) -> int:
    return min(2, max(0, int(3 * at / size)))

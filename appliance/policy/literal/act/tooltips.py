"""What a page shows only while the mouse rests on something: names of icons, menus."""

from collections.abc import Iterable
from urllib.parse import urldefrag

from appliance.core.page import Element
from appliance.policy.literal.match.grounding import has_address, is_enabled
from appliance.policy.literal.match.pages import is_unchanged
from appliance.policy.literal.read.intents import Gesture
from appliance.policy.literal.session import Script, Session

_MENU_BARS = frozenset({"navigation", "banner", "menu", "toolbar"})
_MAX_ICONS = 16
"""Icons hovered over in one search."""


def read_tooltips(s: Session, icons: Iterable[Element]) -> Script:
    """Hover over each icon without words, so that the page learns its name from the tooltip."""
    wordless = [
        e for e in icons if e.is_wordless and is_enabled(e) and _key_of(s, e) not in s.hovered_icons
    ]
    for e in wordless[:_MAX_ICONS]:
        s.hovered_icons.add(_key_of(s, e))
        if s.view.element(e.id) is not None:
            yield from s.click(e, "see what this icon is called", Gesture.HOVER)


def open_by_hovering(s: Session, e: Element) -> Script:
    """Hover again over a menu that opens with the mouse and was closed by the click."""
    current = s.view.element(e.id)
    is_page = has_address(e) and bool(urldefrag(e.href).url)
    if (
        current is None
        or e.region not in _MENU_BARS
        or is_page
        or not is_unchanged(s.before, s.view)
    ):
        return
    yield from s.click(current, f'rest the mouse on "{current.name}"', Gesture.HOVER)


def _key_of(s: Session, e: Element) -> tuple[str, int]:
    """Identifies an icon; a link is the same on every page."""
    return (e.href, 0) if e.href else (s.view.url, e.id)

"""Icons that say in words what they are only while the mouse rests on them."""

from collections.abc import Iterable

from appliance.core.page import Element, is_wordless
from appliance.policy.literal.match.grounding import is_enabled
from appliance.policy.literal.read.intents import Gesture
from appliance.policy.literal.session import Script, Session

_AT_ONCE = 16
"""So many icons are looked at in search of one name, at most."""


def read_tooltips(s: Session, icons: Iterable[Element]) -> Script:
    """Rest the mouse on each that says nothing: from then on the page has them by their names."""
    silent = [
        e for e in icons if is_wordless(e) and is_enabled(e) and _key_of(s, e) not in s.rested
    ]
    for e in silent[:_AT_ONCE]:
        s.rested.add(_key_of(s, e))
        if s.view.element(e.id) is not None:
            yield from s.click(e, "see what this icon is called", Gesture.HOVER)


def _key_of(s: Session, e: Element) -> tuple[str, int]:
    """A link is the same on every page."""
    return (e.href, 0) if e.href else (s.view.url, e.id)

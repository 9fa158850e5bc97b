"""What leads from page to page of a console and changes nothing, and how much that promises."""

import re
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urldefrag, urlsplit

from appliance.core.page import Element
from appliance.language.harm_words import ACTING_ADDRESS
from appliance.language.names import plain, same, verb_of
from appliance.policy.literal.match.grounding import (
    FRAME,
    has_address,
    in_row,
    is_enabled,
    is_page_of,
    leads_to,
)
from appliance.policy.literal.read.beginning import Beginning
from appliance.policy.literal.session import Session

NAMED, ALMOST_BOUND, BOUND = 1.0, 1.15, 1.2
"""Promise of a name that the text mentions, of one that contains a bound value, and of one that is
a bound value."""
_MIN_LIKENESS = 0.95
"""Likeness from which a name counts as mentioned in the text."""
_OPENER, _ENTRY, _MENU, _LINK, _ROW = 0.5, 0.2, 0.18, 0.05, 0.15
"""By what shows the frame's entries, an entry, another menu of it, a link in the page, anything of
a list."""
_ROW_LIKENESS = 0.75
"""Likeness from which a link in a row is taken for a page, and not for a thing in a list."""
MENU = re.compile(r"\b(?:menu|navigation|side ?bar)\b|菜单|导航", re.IGNORECASE)
"""Names of buttons that only show what a console has."""
_OPENS = frozenset({"haspopup", "collapsed"})
_NEVER_OPENED = re.compile(
    r"^(?:close|hide|collapse|sort)\b|\b(?:sign|log) ?(?:out|off)\b|\blanguages?\b|\bskip to\b"
    r"|\bthemes?\b|\bprivacy\b|\bfeedback\b"
    r"|^关闭|^收起|^排序|退出|注销|登出|语言|主题|反馈",
    re.IGNORECASE,
)
_FILE = re.compile(r"\.(?:csv|json|pdf|zip|xlsx?|txt|xml|ya?ml|png|svg)$", re.IGNORECASE)


_MAKES = re.compile(
    r"[/?&=](?:new|add|create|copy|clone|duplicate|import|edit|delete|remove)(?:[/?&=#]|$)",
    re.IGNORECASE,
)
"""Parts of addresses: some consoles create a thing when its page is opened ("/dashboard/new")."""
_ACTS = re.compile(
    r"[/?&=](?:(?:un)?(?:assign|toggle|enable|disable|start|stop|restart|reset|reopen|approve|reject"
    r"|publish|archive|activate|deactivate|lock|subscribe|star|follow|mute|impersonate|log-?out"
    r"|sign-?out|clear|run|execute|trigger|retry|cancel|restore|revert)(?:[A-Z_-]\w*)?)(?:[/?&=#]|$)"
)
"""Some do a thing when an address is opened that is called by it ("action=assignToMe")."""


class Stand(NamedTuple):
    """A page, or an open menu of it, and how to get there again."""

    address: str
    opened: tuple[Element, ...] = ()
    """What was clicked there that led to no other address."""
    names: tuple[str, ...] = ()
    """Of all that was opened since the beginning."""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Door:
    """A control that leads elsewhere and changes nothing."""

    element: Element
    at: Stand
    promise: float
    address: str = ""
    """Of a page that earlier attempts saw: it is opened by that."""


def promise_of(s: Session, about: Beginning, e: Element) -> float:
    """How likely the control leads to where a text begins; 0 if it must not be opened."""
    name = e.name.strip()
    if not is_enabled(e) or e.dialog is not None or _NEVER_OPENED.search(name):
        return 0.0
    likeness = about.likeness(name) if name else 0.0
    is_value = bool(name) and any(same(value, name) for value in s.task.bindings.values())
    is_named = likeness >= _MIN_LIKENESS or is_value
    if {"current", "selected"} & e.states or not _is_harmless(s, e, is_named=is_named):
        return 0.0
    if e.role == "menuitem" and len(name) > _MAX_NAME_CHARS:
        return 0.0  # it repeats the entries of an open menu
    # a button of that name on the thing's own page is a part of it
    bound = [v for v in s.task.bindings.values() if v and not is_page_of(s.view, v)]
    if any((name and same(value, name)) or leads_to(e, value) for value in bound):
        return BOUND
    if e.role == "link" and any(_has_value_in_name(name, value) for value in bound):
        return ALMOST_BOUND
    if e.role == "button":
        return _promise_of_button(e, likeness)
    if e.row is not None:
        is_of_bound = bool(name) and any(in_row(e, value) for value in bound)
        is_listed = e.role == "link" and likeness >= _ROW_LIKENESS  # pages are listed in rows, too
        return NAMED + 0.1 if is_of_bound else max(_ROW, likeness if is_named or is_listed else 0.0)
    is_entry = e.region in FRAME or e.role in ("tab", "menuitem", "treeitem")
    return likeness + (_ENTRY if is_entry else _LINK)


_MAX_NAME_CHARS = 60
"""A longer menu entry repeats all entries of an open menu."""
_MAX_EXTRA_WORDS = 2
"""Words that a list may add before or after a name: "Draft", "(closed)"."""


def _has_value_in_name(name: str, value: str) -> bool:
    """Whether a link's name is a bound value and a few words more: "Draft Drop the importer"."""
    name_words, value_words = plain(name).split(), plain(value).split()
    extra_count = len(name_words) - len(value_words)
    is_part = (
        name_words[extra_count:] == value_words or name_words[: len(value_words)] == value_words
    )
    return len(value_words) > 1 and 0 < extra_count <= _MAX_EXTRA_WORDS and is_part


def _promise_of_button(e: Element, likeness: float) -> float:
    is_opener = bool(e.states & _OPENS)
    if e.row is not None:
        return 0.0
    if e.region in FRAME and (MENU.search(e.name) or not any(map(str.isalnum, e.name))):
        return max(likeness, _OPENER)
    if e.region in FRAME and is_opener:
        return max(likeness, _MENU)
    return likeness if likeness >= NAMED and (is_opener or e.region in FRAME) else 0.0


_SHOWS = frozenset(("manage", "view", "show", "open", "browse", "list", "管理", "查看"))
"""Verbs with which names of mere links may begin."""


def _is_harmless(s: Session, e: Element, *, is_named: bool) -> bool:
    """Whether it only shows something, judging by its kind; the guard checks it once more.

    `is_named`: the text or a binding names it, so that a link shows it.
    """
    verb = verb_of(e.name)
    is_act = verb is not None and verb not in _SHOWS
    is_thing = e.row is not None and plain(e.name) == plain(e.row.split(" | ")[0]) and not is_act
    match e.role:
        case "tab" | "treeitem":
            return True
        case "menuitem":
            # an entry of a tool bar without an address may star the thing, or mute it
            is_shown = e.region == "navigation" or is_named
            is_entry = _is_page(s, e.href) if has_address(e) else is_shown
            return not is_act and e.row is None and (bool(e.states & _OPENS) or is_entry)
        case "button":
            is_opener = bool(e.states & _OPENS) or bool(MENU.search(e.name))
            return is_thing or (not e.is_submit and (is_opener or not is_act))
        case "link" if not has_address(e):
            # older consoles open the account's menu with such a link in the banner
            is_of_frame = e.region in ("banner", "navigation")
            return is_thing or (not is_act and (is_named or is_of_frame))
        case "link":
            return not is_act and _is_page(s, e.href)
        case _:
            return False


def _is_page(s: Session, address: str) -> bool:
    """Whether a link leads to another page of this console, not to a file."""
    if address.removesuffix("#") == s.view.url.removesuffix("#"):
        return False
    if _MAKES.search(address) or _ACTS.search(address) or ACTING_ADDRESS.search(address):
        return False
    target, current = urlsplit(address), urlsplit(s.view.url)
    is_same_site = target.netloc in ("", current.netloc) and target.scheme in (
        "",
        "http",
        "https",
        current.scheme,
    )
    return is_same_site and not _FILE.search(target.path)


def key_of(e: Element, address: str) -> tuple[str, ...]:
    """Identifies a door; the frame around the pages has the same doors on every page."""
    target = urldefrag(e.href)
    if target.url and (target.fragment or target.url != urldefrag(address).url):
        return (e.href,)  # "#" opens something on this page
    if e.region in FRAME or e.role == "menuitem":
        return (e.role, e.name, e.group)
    return (address, e.role, e.name, e.row or "", e.section)

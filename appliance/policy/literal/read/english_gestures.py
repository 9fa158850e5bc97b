"""English clauses about keys and icons: "press Enter", "click the pencil at the end of the row"."""

import re
from dataclasses import replace

from appliance.core.procedure import Inline, InlineRole
from appliance.language import icons as known_icons
from appliance.language import keys, nouns
from appliance.language.words import one_of
from appliance.policy.literal.read.english_places import locate, noun_phrase
from appliance.policy.literal.read.intents import Intent, IntentKind, Place
from appliance.policy.literal.read.maker import IntentMaker
from appliance.policy.literal.read.masking import LABEL, MARK, plain_value

_KEYS = re.compile(
    rf"^(?:the )?(?P<keys>{MARK}(?: ?\+ ?{MARK})*|{keys.KEYS})"
    r"(?: keys?)?(?: on (?:the|your) keyboard)?(?=\s*(?:[,.;]|$|\b(?:to|when|after|and|or|twice|again)\b))",
    re.I,
)
_LOOKS = tuple(look for words in known_icons.LOOKS.values() for look in words.en)
_ICON = re.compile(
    rf"^(?:the |that |an? |its )?(?:[a-z-]+ ){{0,3}}?(?P<name>{one_of(_LOOKS)}"
    rf"|(?:{one_of(nouns.ICON_NAMES.en)})(?= (?:button|icon|symbol))|(?!(?:the|an?|this|that|its|your)\b)[a-z-]+(?= (?:icon|symbol)))"
    r"(?: (?:button|icon|symbol|sign|menu))?(?: ?\([^()]*\))?(?P<tail>(?:[,.;]? .*)?[\s.]*)$",
    re.I | re.S,
)
_ICON_OWNER = re.compile(
    r"\b(?:next to|beside|of|for|behind|after|to the (?:right|left) of) (?:the |its |your )?(?P<of>.+?)"
    r"(?= (?:to|for|until|and|then)\b|[,.;>]|$)",
    re.I,
)
_IN_PART_OF_PAGE = re.compile(
    rf"\b(?:of|in) (?:the |its )?(?:(?P<mark>{LABEL})|first|top|main) (?:section|panel|card|box|area)\b.*$",
    re.I | re.S,
)


_MODIFIERS = frozenset({"Control", "Shift", "Alt"})
"""Keys that do nothing alone, but are held down during another action."""
_NEVER_A_BUTTON = re.compile(
    r"(?:enter|return|esc(?:ape)?|tab|ctrl|control|shift|alt|f\d+)\b", re.I
)
"""Names of keys that no button bears."""


def key_pressed(rest: str, make: IntentMaker) -> Intent | None:
    """Read the key or keys to press; None if it is a control to click."""
    m = _KEYS.match(rest)
    spoken = make.masked.unmask(m.group("keys")) if m else ""
    first_mark = make.masked.mark(rest[0]) if re.match(MARK, rest) else None
    has_key_role = first_mark is not None and first_mark.role in (
        InlineRole.KEY,
        InlineRole.LITERAL,
    )
    is_called_key = first_mark is not None and (
        bool(_NEVER_A_BUTTON.match(first_mark.text))
        or bool(m and m.group().rstrip().endswith(("key", "keys")))
    )
    is_key = first_mark is None or has_key_role or is_called_key
    keys_pressed = keys.keys_of(spoken) if is_key else ""
    if not keys_pressed or keys_pressed in _MODIFIERS:
        return None
    return replace(make(IntentKind.PRESS), thing=keys_pressed)


_CLICKED_NEXT = re.compile(rf"(?:\band then|, then|\bthen|>)\s+(?:the )?(?P<next>{LABEL})")


def icon_clicks(rest: str, place: Place, make: IntentMaker) -> list[Intent]:
    """Read a click on an icon named by its looks or purpose, and the clicks that follow it."""
    m = _ICON.match(rest)
    if m is None:
        return []
    icon_name: Inline = plain_value(make.masked, m.group("name"))
    tail = m.group("tail")
    if page_part := _IN_PART_OF_PAGE.search(tail):  # it is in a section of the page, and in no row
        part_mark = page_part.group("mark")
        place = replace(place, section=make.masked.mark(part_mark) if part_mark else place.section)
        tail = tail[: page_part.start()]
    owner = _ICON_OWNER.search(tail)
    row = noun_phrase(make.masked.unmask(owner.group("of"))) if owner else ""
    target_place = locate(tail, replace(place, field=None), make)
    icon = make(
        IntentKind.OPEN,
        icon_name,
        noun="icon",
        place=replace(target_place, row=row or target_place.row),
    )
    next_clicks = [
        make(IntentKind.OPEN, n.group("next")) for n in _CLICKED_NEXT.finditer(m.group("tail"))
    ]
    return [icon, *next_clicks]

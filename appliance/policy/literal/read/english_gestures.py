"""English clauses about keys and icons: "press Enter", "click the pencil at the end of the row"."""

import re
from dataclasses import replace

from appliance.core.procedure import Inline, InlineRole
from appliance.language import icons as known_icons
from appliance.language import keys, nouns
from appliance.language.words import one_of
from appliance.policy.literal.read.english_places import located, phrase
from appliance.policy.literal.read.intents import Intent, IntentKind, Place
from appliance.policy.literal.read.maker import Maker
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
_OF = re.compile(
    r"\b(?:next to|beside|of|for|behind|after|to the (?:right|left) of) (?:the |its |your )?(?P<of>.+?)"
    r"(?= (?:to|for|until|and|then)\b|[,.;>]|$)",
    re.I,
)
_OF_PART = re.compile(
    rf"\b(?:of|in) (?:the |its )?(?:(?P<mark>{LABEL})|first|top|main) (?:section|panel|card|box|area)\b.*$",
    re.I | re.S,
)


_HELD = frozenset({"Control", "Shift", "Alt"})
"""Alone they do nothing: something else is done while they are held."""
_ONLY_KEYS = re.compile(r"(?:enter|return|esc(?:ape)?|tab|ctrl|control|shift|alt|f\d+)\b", re.I)
"""No button is called so."""


def pressed(rest: str, make: Maker) -> Intent | None:
    """The key that is to be pressed; None where it is something to be clicked."""
    m = _KEYS.match(rest)
    said = make.masked.spoken(m.group("keys")) if m else ""
    first = make.masked.mark(rest[0]) if re.match(MARK, rest) else None
    is_marked = first is not None and first.role in (InlineRole.KEY, InlineRole.LITERAL)
    is_named = first is not None and (
        bool(_ONLY_KEYS.match(first.text))
        or bool(m and m.group().rstrip().endswith(("key", "keys")))
    )
    is_key = first is None or is_marked or is_named
    pressing = keys.keys_of(said) if is_key else ""
    if not pressing or pressing in _HELD:
        return None
    return replace(make(IntentKind.PRESS), thing=pressing)


_NEXT = re.compile(rf"(?:\band then|, then|\bthen|>)\s+(?:the )?(?P<next>{LABEL})")


def icons(rest: str, place: Place, make: Maker) -> list[Intent]:
    """An icon that is called by its looks, or by what it does, and what is clicked then."""
    m = _ICON.match(rest)
    if m is None:
        return []
    said: Inline = plain_value(make.masked, m.group("name"))
    tail = m.group("tail")
    if part := _OF_PART.search(tail):  # stands in a part of the page, and in no row
        named = part.group("mark")
        place = replace(place, section=make.masked.mark(named) if named else place.section)
        tail = tail[: part.start()]
    of = _OF.search(tail)
    row = phrase(make.masked.spoken(of.group("of"))) if of else ""
    where = located(tail, replace(place, field=None), make)
    icon = make(IntentKind.OPEN, said, noun="icon", place=replace(where, row=row or where.row))
    then = [make(IntentKind.OPEN, n.group("next")) for n in _NEXT.finditer(m.group("tail"))]
    return [icon, *then]

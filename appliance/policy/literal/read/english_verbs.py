"""English clauses by their verb: one rule for each group of verbs."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from appliance.core.procedure import Field
from appliance.language import nouns, verbs
from appliance.policy.literal.read.english_choices import (
    PROJECT,
    pick,
    region_of,
    select,
    tick,
    untick,
)
from appliance.policy.literal.read.english_claims import read_claims
from appliance.policy.literal.read.english_gestures import icon_clicks, key_pressed
from appliance.policy.literal.read.english_places import (
    NOUNS,
    locate,
    noun_first,
    noun_phrase,
    split_list,
)
from appliance.policy.literal.read.english_values import add, drag, fill, move
from appliance.policy.literal.read.intents import (
    EDIT,
    FIND,
    PRONOUNS,
    RELOAD,
    Gesture,
    Intent,
    IntentKind,
    Place,
)
from appliance.policy.literal.read.maker import IntentMaker
from appliance.policy.literal.read.masking import (
    LABEL,
    MARK,
    VALUE,
    guessed_name,
    plain_value,
)

K = IntentKind

_Rule = Callable[[str, Place, IntentMaker], Iterator[Intent]]


_MENU_BUTTON = re.compile(
    r"\b(?:menu button|(?<!up )(?<!back )arrow|more icon|actions menu|more menu|menu icon)\b",
    re.I,
)


def read_verb_clause(verb: str, rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    """Read the intents of one clause by the rule of its verb."""
    rest, claims = _split_claims(rest.removeprefix(": "), make)  # "Go to: **Firewall**"
    rule = _RULES.get(verb)
    by_right = _BY_RIGHT_CLICK.search(rest) if verb in verbs.OPEN.en else None
    if by_right is not None:
        verb, rest = "right-click", rest[: by_right.start()]
    if asks_to_repeat(verb, rest):
        yield make(K.REPEAT, thing=rest)
    elif rule is None:
        yield _unclear_or_inform(verb, rest, place, make)
    elif gesture := _GESTURES.get(verb):
        for intent in _click(rest, place, make):
            is_unmarked = intent.kind is K.UNCLEAR and intent.thing
            kind = K.FOLLOW if is_unmarked else intent.kind
            thing = "" if intent.thing in PRONOUNS else intent.thing
            yield replace(intent, kind=kind, thing=thing, gesture=gesture)
    else:
        yield from rule(rest, place, make)
    yield from claims


_BY_RIGHT_CLICK = re.compile(
    r"(?:['’]s)?\s+(?:context|right-click) menu\b.*$|\s*\(\s*right[- ]click\s*\)\W*$", re.I
)
"""Follows the thing to right-click: "open the folder's context menu"."""
_GESTURES = {
    **dict.fromkeys(verbs.HOVER.en, Gesture.HOVER),
    "double-click": Gesture.DOUBLE_CLICK,
    "double click": Gesture.DOUBLE_CLICK,
    "right-click": Gesture.RIGHT_CLICK,
    "right click": Gesture.RIGHT_CLICK,
}
_ASKS_TO_REPEAT = re.compile(
    r"^(?:repeat|rinse and repeat)\b|^(?:the )?same (?:goes|applies|for)\b|\brepeat\W*$|^do (?:the same|this|that|it|so)(?: again)? (?:for|with|in)\b"
    r"|\bin the same way\b(?! as\b)|\b(?:the|this) same (?:procedure|process|steps)\b|\bthe same way\b(?! as\b)|\bas above\b",
    re.I,
)


def asks_to_repeat(verb: str, rest: str) -> bool:
    """Whether it asks to repeat what came before for things without a label: "Repeat for each subnet"."""
    return bool(_ASKS_TO_REPEAT.search(f"{verb} {rest}")) and not re.search(LABEL, rest)


_TRAILING_CLAIM = re.compile(
    r",?(?<! to)(?<! for)(?<! in)(?<! on)(?<! from)(?<! with) which\b.*$|;\s.*$", re.I | re.S
)


def _split_claims(rest: str, make: IntentMaker) -> tuple[str, list[Intent]]:
    """Split a trailing claim (", which opens the X dialog") off a clause."""
    m = _TRAILING_CLAIM.search(rest)
    if not m:
        return rest, []
    claims = [i for i in read_claims(m.group().strip(" ,;"), make) if i.kind is not K.INFORM]
    return rest[: m.start()], claims


def _click(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    rest = re.sub(r"^on\s+", "", rest.strip(), flags=re.IGNORECASE)
    rest = noun_first(rest)
    if m := re.match(
        rf"^(?:the |your )?(?P<mark>{LABEL})\s+of the (?P<row>[\w ]+)", rest, re.IGNORECASE
    ):
        row = noun_phrase(m.group("row"))
        yield make(K.FOLLOW, m.group("mark"), thing=row, place=replace(place, row=row))
        return
    if m := re.match(
        rf"^(?:the |a |an |your |its )?(?P<mark>{MARK})\s*(?P<noun>{NOUNS})?(?P<tail>.*)$",
        rest,
        re.I | re.S,
    ):
        if re.match(r"\s*to assign|\s*for (?:the|each)", m.group("tail")) and make.masked.mark(
            m.group("mark")
        ).text.strip() in ("+", "-", "–"):
            yield make(K.MOVE, m.group("mark"), thing=m.group("tail"))
            return
        target_place = locate(m.group("tail"), place, make)
        yield make(K.OPEN, m.group("mark"), noun=m.group("noun") or "", place=target_place)
        if alternative := _CLICK_ALTERNATIVE.match(m.group("tail")):
            name = make.masked.mark(alternative["mark"]).text
            yield replace(make(K.UNCLEAR, thing=f"or {name}"), is_conditional=True)
        yield from _click_next(m.group("tail"), place, make)
        return
    yield from _click_unnamed(rest, place, make)


_CLICK_ALTERNATIVE = re.compile(rf"\W*\bor (?:the |on )*(?P<mark>{LABEL})", re.I)
"""Another control that may be clicked instead; what follows may apply to that one only."""


def _click_unnamed(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    """Read a click on something without a label: an icon, a menu, a row, or a button in plain words."""
    if _SWITCH_BACK.match(rest):
        yield make(K.UNCLEAR, noun="back", thing=rest, place=place)
    elif place.row and _ROW_LINK.match(rest):
        yield make(K.FOLLOW, thing=place.row, place=place)
    elif not _MENU_BUTTON.search(rest) and (icon_intents := icon_clicks(rest, place, make)):
        yield from icon_intents
    elif _DROP_ZONE.search(rest):
        yield make(K.INFORM)
    elif m := re.match(
        r"^(?:the )?(?:name|user ?name|title|id|link)(?: link)? of (?:the |an? |your )?(?P<row>.+)$",
        rest,
        re.IGNORECASE,
    ):
        yield make(K.FOLLOW, thing=m.group("row"), place=place)
    elif _MENU_BUTTON.search(rest) or _UNNAMED_MENU.match(rest):
        noun = "" if _MENU_BUTTON.search(rest) else "menu"
        yield replace(_menu(rest, place, make), noun=noun)
    elif m := _NAMED_BUTTON.match(rest):
        name = guessed_name(make.masked, m.group("name"))
        target_place = locate(m.group("tail"), place, make)
        yield make(K.OPEN, name, noun=m.group("noun").lower(), place=target_place)
    elif m := re.match(
        r"^(?:the )?(?P<row>[\w\- ]+?)(?:['’]s)? (?:name|title)\b", rest, re.IGNORECASE
    ):
        row = place.row if re.match(r"(?:its|their)\b", rest, re.I) else m.group("row")
        yield make(K.FOLLOW, thing=row, place=place)
    elif m := _OWN_NAME.match(rest) or _WANTED_ITEM.match(rest) or _OWN_ITEM.match(rest):
        yield make(K.FOLLOW, thing=m.group("row"), place=place)
    else:
        yield make(K.UNCLEAR, thing=rest, place=place)


_UNNAMED_MENU = re.compile(
    r"^the (?:[a-z][\w-]* ){1,3}?(?:menu|drop-?down)(?: (?:menu|list|drop-?down))?[\s.]*$", re.I
)
"""A menu described by its purpose, as it shows no name: "the bulk-edit dropdown menu"."""
_ROW_LINK = re.compile(
    rf"^(?:it|them|that one)[\s.]*$|^(?:the |its |that )(?:link|name|result|match|entry)(?: {MARK}| to (?:go to|open|see|view|display) .*)?[\s.]*$",
    re.I,
)
_NAMED_BUTTON = re.compile(
    r"^(?:the|that) (?P<name>(?!(?:same|next|previous|first|second|third|last|other|right|left|corresponding"
    r"|appropriate|relevant|big|large|small|round|blue|green|red|grey|gray|upper|lower|top|bottom)\b)"
    r"[a-z][\w-]*(?: [\w-]+){0,3}?) (?P<noun>button|link)\b(?P<tail>.*)$",
    re.I | re.S,
)
"""A button named by its unmarked text: "the add a collection button"."""


def _press(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    """Read "press …": a key, or a control that is clicked."""
    keys = key_pressed(rest, make)
    yield from [keys] if keys else _click(rest, place, make)


_WANTED_ITEM = re.compile(
    r"^(?:the|your|an?) (?P<row>(?!(?:[a-z]+ )?(?:buttons?|links?|icons?|tabs?|menu|field|box|check ?box|arrow)\b)"
    r"[a-z][a-z -]*?)(?: (?:that |which |(?:to|for|in|on|from|with) which )?you (?:want|wish|need|would like|just|have)\b.*"
    r"| to (?!the\b|your\b|a\b)[a-z]+\b.*"
    r"| (?:in|from|on) the (?:list|table|tree|overview|sidebar)\b.*)$",
    re.I,
)
"""Matches "the item you want to edit"."""
_OWN_ITEM = re.compile(
    r"^your (?P<row>(?!(?:user ?)?name\b|avatar|picture|photo|account\b|profile|choice|selection|mouse)"
    r"[a-z][a-z -]*?)[\s.]*$",
    re.I,
)
"""Matches "(Click on) your project"."""
_OWN_NAME = re.compile(
    r"^(?:the|their|his or her) (?P<row>user ?name|login name|[a-z]+ ID)[\s.:]*$", re.I
)
"""Matches "(click on) the username", which is the link of its row."""
_SWITCH_BACK = re.compile(
    r"^(?:the |that |this |it)(?:same )?(?:switch|toggle|slider|check ?box)?(?: once)? (?:again|more)\b",
    re.I,
)
"""Asks to switch back what was switched before."""
_DROP_ZONE = re.compile(r"^(?:the )?(?:upload )?(?:area|zone|box)\b|\bdashed\b", re.I)
_NEXT_CLICK = re.compile(
    rf"^(?P<before>[^{LABEL[1:-1]}]*?),?\s*(?:and then|then|and|>)\s+(?:to |on |go to )?(?:the )?(?P<next>{LABEL}.*)$",
    re.I | re.S,
)


def _click_next(tail: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    """Read the further clicks of a clause: "(Click **More**), then **Delete**"."""
    next_click = _NEXT_CLICK.match(tail)
    if next_click and not re.search(
        r"\b(?:in addition|instead|as well)\b", next_click.group("before"), re.I
    ):
        yield from _click(next_click.group("next"), Place(row=place.row), make)


def _open(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    rest = noun_first(re.sub(r"^(?:back )?(?:to\s+)?", "", rest.strip(), flags=re.IGNORECASE))
    if _NO_PLACE.match(rest):
        yield make(K.INFORM)
        return
    if region := region_of(rest, make):
        yield region
        return
    if m := _TWO_THINGS.match(rest):
        yield make(K.FOLLOW, thing=m.group("one"), place=place)
        yield make(K.PICK, thing=m.group("other"), place=place)
        return
    if m := re.match(
        rf"^(?:the |your )?(?P<mark>{LABEL})\s*(?P<noun>{NOUNS})?(?P<tail>.*)$", rest, re.I | re.S
    ):
        first_target, _, more_targets = m.group("tail").partition(" then ")
        target_place = locate(first_target if more_targets else m.group("tail"), place, make)
        yield make(K.OPEN, m.group("mark"), noun=m.group("noun") or "place", place=target_place)
        yield from _click_next(m.group("tail"), place, make)
    else:
        yield from _open_unmarked(rest, place, make)


def _open_unmarked(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    """Read "open …" or "go to …" about something without a label."""
    if icon_intents := icon_clicks(rest, place, make):
        yield from icon_intents
    elif re.match(r"^the (?:[a-z-]+ )?menu\b", rest, re.I):
        yield _menu(rest, place, make)
    elif _CONSOLE_START.search(rest):
        yield make(K.LOG_IN, thing=rest)
    elif re.search(
        r"\b(?:web )?browser\b|address bar|terminal|shell|console log", rest, re.IGNORECASE
    ):
        yield make(K.EXTERNAL)
    elif m := _TYPE_IN_PLACE.match(rest):
        for part in (m.group("where"), m.group("what")):
            yield make(K.OPEN, guessed_name(make.masked, part), noun="place")
    elif m := re.match(
        r"^(?:the )?(?:details? page of |page of )?(?:the |your )?(?P<row>[\w\- ]+)", rest, re.I
    ):
        yield make(K.FOLLOW, thing=m.group("row"), place=place)
    else:
        yield make(K.UNCLEAR, thing=rest, place=place)


_TYPE_IN_PLACE = re.compile(
    r"^the (?P<what>[A-Z][\w-]*(?: [A-Z][\w-]*)*)(?: [a-z]+){1,2} (?:in|of|within) the"
    r" (?P<where>[A-Z][\w-]*(?: [A-Z][\w-]*)*)[\s.]*$"
)
"""Matches "the User collection type in the Content Manager"."""
_TWO_THINGS = re.compile(
    r"^(?P<one>(?:the|your) [a-z][a-z -]*?) and (?P<other>(?:the|your|an?) [a-z][a-z -]*?)"
    r"(?:,? (?:containing|that|where|which|with|in which|you)\b[^,;]*)?[\s.]*$",
    re.I,
)
"""Matches "(Go to) the flag and the environment that has it": the second is inside the first."""
_NO_PLACE = re.compile(
    r"^(?:the |your )?(?:(?:on-?screen |setup )?(?:prompts?|instructions?|steps|wizard)|(?:previous |one )?(?:list|page|overview|step))[\s.]*$",
    re.I,
)


def _menu(rest: str, place: Place, make: IntentMaker) -> Intent:
    """The menu of a row, or of the page."""
    menu_place = locate(rest, place, make)
    return make(K.OPEN_MENU, thing=menu_place.row, place=menu_place)


_CONSOLE_START = re.compile(
    r"https?://|\b[\w-]+(?:\.[\w-]+)*\.(?:com|net|org|io|dev|cloud)\b|^the console[\s.]*$"
    r"|^(?:the |your )?(?:[\w-]+ ){0,2}?(?:(?:admin|web|user|management|graphical)\w* )?"
    r"(?:UI|GUI|user interface|web interface|admin (?:panel|site)|(?:web|admin\w*|management) console)[\s.]*$",
    re.I,
)
"""The console's own start page, where the appliance already is, logged in."""


_PASTED_INTO = re.compile(
    rf"\b(?:in)?to (?:the )?(?P<mark>{LABEL}) (?:box|(?:text )?field|(?:text )?area|text ?box|input)\b",
    re.I,
)


def _copy(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    """Read "copy …": filled into a field of the console if one is named, else done by the user."""
    if m := _PASTED_INTO.search(rest):
        yield make(K.FILL, m.group("mark"), place=place)
    else:
        yield make(K.EXTERNAL if re.search(r"\b(?:in)?to\b", rest) else K.INFORM)


_CLOSE_WITH = re.compile(
    rf"^(?:it|this|that|the [\w ]+?)\s+(?:with|by clicking|by choosing|using)\s+(?:the )?(?P<mark>{LABEL})",
    re.I,
)


_CLOSABLE = re.compile(
    r"^(?:it|(?:the |this |that )?(?:[\w\-]+ )?(?:dialog(?: box)?|window|panel|drawer|pop-?up|tour|banner|message|notification|tooltip|box|tab|page))[\s.]*$",
    re.I,
)


def _close(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    if m := _CLOSE_WITH.match(rest):
        yield make(K.OPEN, m.group("mark"), noun="button", place=place)
    elif _CLOSABLE.match(rest):
        yield make(K.CLOSE, thing=rest, place=place)
    else:
        yield _unclear_or_inform("close", rest, place, make)


_FILES = re.compile(r"\b(?:files?|image|picture|photo|document|archive|logo|certificate)\b", re.I)


def _upload(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    label = re.search(LABEL, rest)
    value_match = re.search(VALUE, rest)
    value = value_match.group() if value_match else None
    if make.masked.text.lower().lstrip().startswith("attach the") and not _FILES.search(rest):
        yield _unclear_or_inform("attach", rest, place, make)
        return
    yield make(K.UPLOAD, label.group() if label else None, thing=rest, value=value, place=place)


_STATES_A_FACT = re.compile(
    r"that\b|(?:the|your|each|all)\b[^,;.]{1,60}?\b(?:is|are|has|have|shows?|matches|appears?|reads?)\b",
    re.I,
)


_IS_OF_THING = re.compile(rf"\b(?:the|your) {LABEL} (?!button\b|link\b|dialog\b)[a-z]")
"""As "save the **Peer** configuration": the label tells which, and is no control."""


def _confirm(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    if _STATES_A_FACT.match(rest):  # "Confirm that **Status** shows …": a check
        yield from _verify(rest, place, make)
    elif (m := re.search(LABEL, rest)) and not _IS_OF_THING.search(rest):
        yield make(K.OPEN, m.group(), place=place)
    else:
        yield make(K.CONFIRM, thing=rest)


def _wait(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    m = re.search(MARK, rest)
    yield make(K.EXPECT_TEXT if m else K.WAIT, m.group() if m else None, noun="status", thing=rest)


_STATE_CHECKED = re.compile(
    rf"^(?:that )?(?:the )?(?P<mark>{LABEL}) (?P<noun>check ?box|toggle|switch) is "
    r"(?:(?P<on>ticked|checked|selected|enabled|on|turned on)|(?:un\w+|cleared|disabled|off"
    r"|turned off|not \w+))\b",
    re.I,
)


def _verify(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    if m := _STATE_CHECKED.match(rest):
        yield make(K.TICK if m.group("on") else K.UNTICK, m.group("mark"), noun=m.group("noun"))
        return
    claims = list(read_claims(rest, make))
    if claims and claims[0].kind is not K.INFORM:
        yield from claims
    else:
        yield from _wait(rest, place, make) if re.search(MARK, rest) else iter([make(K.INFORM)])


def _locate(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    """Read "find …"; an optional one only informs."""
    intents = [make(K.INFORM)] if make.optional else pick(rest, place, make)
    is_part = re.search(r"\b(?:section|area|pane)\W*$", rest, re.I)
    for i in intents:
        yield replace(i, noun=i.noun or FIND) if i.place.section or is_part else i


def _search(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    if quoted := re.match(rf"^(?:for )?(?:the )?({MARK})(?! (?:field|box|list|bar))", rest):
        yield make(K.FILL, place.field, noun="search", value=quoted.group(1), place=place)
        return
    value_match = re.search(VALUE, rest)
    field = place.field or (make.masked.mark(m.group()) if (m := re.search(LABEL, rest)) else None)
    yield make(
        K.FILL,
        field,
        thing=rest,
        noun="search",
        value=value_match.group() if value_match else None,
        place=place,
    )


def _log_in(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    yield make(K.LOG_IN, thing=rest)
    if PROJECT.search(rest):
        yield make(K.SWITCH_PROJECT, thing=rest)


_WHOLE_PAGE = re.compile(
    r"^(?:the |your |this )?(?:(?:web|browser|current) )?(?:page|browser|window|tab|view|list|table"
    r"|console|screen|app|application)\b",
    re.I,
)


def _reload(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    """Read "refresh …": the page itself, or else an unclear part of the console."""
    if _WHOLE_PAGE.match(rest) and not re.search(LABEL, rest):
        yield make(K.WAIT, noun=RELOAD)
    else:
        yield _unclear_or_inform("refresh", rest, place, make)


def _inform(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    yield make(K.INFORM)


_LEFT_AT = re.compile(
    rf"^(?P<field>{LABEL})(?: (?:field|list|box|option))? (?:at|as|set to) (?P<mark>{MARK})"
)
_LEFT_ON = re.compile(
    rf"^(?P<field>{LABEL})(?: check ?box| switch)? (?:(?P<on>on|selected|ticked|checked|enabled)"
    r"|off|cleared|unselected|disabled)\b"
)
_LEFT_EMPTY = re.compile(
    rf"^(?:the )?(?P<field>{LABEL})(?: (?:field|list|box))? (?:empty|blank)\b(?! (?:if|when|unless)\b)",
    re.I,
)


def _leave(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    """Read "leave …" as a claim about a default: "Leave **Zone** at **Zone A**"."""
    if value_match := _LEFT_AT.match(rest):
        yield make(
            K.EXPECT_DEFAULT,
            value_match.group("field"),
            value=value_match.group("mark"),
            place=place,
        )
    elif empty_match := _LEFT_EMPTY.match(rest):
        yield make(K.EXPECT_DEFAULT, empty_match.group("field"), noun="empty", place=place)
    elif state_match := _LEFT_ON.match(rest):
        yield make(
            K.EXPECT_DEFAULT,
            state_match.group("field"),
            noun="on" if state_match.group("on") else "off",
            place=place,
        )
    else:
        yield make(K.INFORM)


_USED_TO = re.compile(
    rf"^(?:the )?(?P<mark>{LABEL}) (?P<noun>{NOUNS}|drop-?down|selector|picker|input)s? to ", re.I
)
_USED_CONTROL = re.compile(
    rf"^(?:the |its )?(?P<mark>{LABEL}) (?P<noun>button|link|menu item|check ?box|toggle|switch|flag)\b"
    r"(?P<tail>[^,;]*)",
    re.I,
)
_USED_UNNAMED = re.compile(
    rf"^(?:the |its )[^{MARK[1:-1]},;]*?\b(?:button|link|check ?box|toggle|switch)\b(?! to (?:see|view|find)\b)",
    re.I,
)
_TO_SWITCH_OFF = re.compile(
    r"\bto (?:disable|deactivate|turn off|switch off|hide|stop)\b|\bto (?:the )?[\"“'‘]?off\b", re.I
)
_TO_SWITCH_ON = re.compile(
    r"\bto (?:enable|activate|turn on|switch on|show|start|allow)\b|\bto (?:the )?[\"“'‘]?on\b",
    re.I,
)
_VALUE_CONTROL = re.compile(r"field|box$|list|drop|selector|picker|input|menu", re.I)


def _toggle(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    """Read "toggle …"; unclear where the text does not say which way ("Toggle the environment")."""
    if re.match(r"between\b", rest, re.I):
        yield make(K.INFORM)
    elif re.match(rf"(?:the |your )?{LABEL}", rest, re.I):
        yield from tick(rest, place, make)
    else:
        yield _switch("toggle", rest, place, make)


def _switch(verb: str, rest: str, place: Place, make: IntentMaker) -> Intent:
    """A switch described by its purpose; unclear unless the text says which way it is turned."""
    spoken = make.masked.unmask(rest)
    is_on, is_off = bool(_TO_SWITCH_ON.search(spoken)), bool(_TO_SWITCH_OFF.search(spoken))
    if is_on == is_off:
        return make(K.UNCLEAR, thing=f"{verb} {rest}", place=place)
    return replace(make(K.TICK if is_on else K.UNTICK, noun="switch", place=place), thing=spoken)


def _use(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    """Read "use …": an icon, a key or a control; or a field, as reference pages describe forms."""
    rest = noun_first(rest)
    if icon_intents := icon_clicks(rest, place, make):
        yield from icon_intents
        return
    keys = key_pressed(rest, make)
    if keys and len(keys.thing) > 1:
        yield keys
        return
    if control := _USED_CONTROL.match(rest):
        noun = control.group("noun").lower()
        if noun in ("button", "link", "menu item"):
            target_place = locate(control.group("tail").partition(" to ")[0], place, make)
            yield make(K.OPEN, control.group("mark"), noun=noun, place=target_place)
        else:
            is_off = _TO_SWITCH_OFF.search(control.group("tail"))
            noun = "switch" if noun == "flag" else noun
            kind = K.UNTICK if is_off else K.TICK
            yield make(kind, control.group("mark"), noun=noun, place=place)
        return
    if not make.optional and (unnamed := _USED_UNNAMED.match(rest)):
        is_switch = re.search(r"\b(?:toggle|switch)$", unnamed.group(), re.I)
        unclear = make(K.UNCLEAR, thing=f"use {rest}", place=place)
        yield _switch("use", rest, place, make) if is_switch else unclear
        return
    m = _USED_TO.match(rest)
    if m and m.group("noun").lower() in nouns.TABS.en:
        yield make(K.OPEN, m.group("mark"), noun="tab", place=place)
        return
    if m is None or not _VALUE_CONTROL.search(m.group("noun")):
        yield make(K.INFORM)
        return
    label, sentence = make.masked.mark(m.group("mark")), make.masked.sentence
    entry = Field(labels=(label,), description=(sentence,), span=sentence.span)
    yield replace(make(K.FIELD, label, place=place), entry=entry)


def _external(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    yield make(K.EXTERNAL)


_DESCRIBED_ELSEWHERE = re.compile(
    r"\b(?:steps (?:above|in|from)|(?:as )?described (?:above|in|earlier))\b", re.I
)


_ADJUSTING_VERBS = frozenset(("configure", "edit", "adjust", "define"))
"""With these, a text without a value lets things stay as they are."""


def _unclear_or_inform(verb: str, rest: str, place: Place, make: IntentMaker) -> Intent:
    """Read a verb that names a goal ("Create a project"): unclear, unless it only informs."""
    if _DESCRIBED_ELSEWHERE.search(rest):
        return make(K.UNCLEAR, noun="elsewhere", thing=f"{verb} {rest}", place=place)
    if verb in _ADJUSTING_VERBS and not re.search(LABEL, rest) and len(split_list(rest)) > 1:
        return make(K.UNCLEAR, noun=EDIT, thing=rest, place=place)
    if make.optional or re.search(r"\bfollowing\b|\bas needed\b|\bsteps\b", rest, re.IGNORECASE):
        return make(K.INFORM)
    return make(K.UNCLEAR, thing=f"{verb} {rest}", place=place)


_ONE_FIELD = re.compile(
    r"^(?:the |its |your )?(?:[\w-]+(?:['’]s?)? ){0,3}(?:name|title|description|value|address)\b",
    re.I,
)


_FIELD_OF = re.compile(
    r"^(?:the |its |your )?(?P<field>[\w-]+(?: [\w-]+){0,2}?) +of (?:the |an? |your |this )?[\w -]+?(?: to (?P<value>[A-Z][\w-]*(?: [A-Z][\w-]*)*))?$",
)
"""Matches "the minimum disk of the image": a field only if the form has one of that name."""
_FEW_WORDS = re.compile(
    r"^(?:the |its |your )(?P<field>(?!form\b)[a-z][\w-]*(?: [a-z][\w-]*){0,2})[\s.]*$", re.I
)
"""Matches "(define) the rollout percentage": likewise."""


def _edit(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    """Read "edit …": fields to change, as in "Update the name of the volume" or "Adjust X and Y"."""
    if re.search(r"\bfollowing\b", rest, re.IGNORECASE):
        yield make(K.INFORM)
    elif region := region_of(rest, make):
        yield region
    elif re.match(r"^the form\b", rest):
        yield make(K.FORM, noun=EDIT, place=place)
    elif re.search(LABEL, rest) or _ONE_FIELD.match(rest):
        yield from (
            replace(i, noun=i.noun or EDIT) if i.kind is K.FILL and i.value is None else i
            for i in fill(rest, place, make)
        )
    elif m := _FIELD_OF.match(rest) or _FEW_WORDS.match(rest):
        value = m.groupdict().get("value")
        yield replace(
            _unclear_or_inform("edit", rest, place, make), noun=EDIT, thing=m.group("field"),
            value=plain_value(make.masked, value) if value else None,
        )  # fmt: skip
    else:
        yield _unclear_or_inform("edit", rest, place, make)


_RULES: dict[str, _Rule] = {
    verb: rule
    for words, rule in (
        (verbs.CLICK, _click),
        (verbs.PRESS, _press),
        (verbs.OPEN, _open),
        (verbs.SELECT, select),
        (verbs.COPY, _copy),
        (verbs.CLOSE, _close),
        (verbs.FILL, fill),
        (verbs.TICK, tick),
        (verbs.UNTICK, untick),
        (verbs.UPLOAD, _upload),
        (verbs.CONFIRM, _confirm),
        (verbs.WAIT, _wait),
        (verbs.RELOAD, _reload),
        (verbs.VERIFY, _verify),
        (verbs.FIND, _locate),
        (verbs.SEARCH, _search),
        (verbs.LOG_IN, _log_in),
        (verbs.MOVE, move),
        (verbs.DRAG, drag),
        (verbs.ADD, add),
        (verbs.EDIT, _edit),
        (verbs.LEAVE, _leave),
        (verbs.LOOK, _inform),
        (verbs.RUN, _external),
        (verbs.HOVER, _click),
        (verbs.SCROLL, _inform),
        (verbs.USE, _use),
        (verbs.TOGGLE, _toggle),
    )
    for verb in words.en
}
"""The rule of each verb; a verb of `verbs.GOAL` has none."""

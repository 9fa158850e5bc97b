"""English clauses by their verb: one rule for each group of verbs."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from appliance.policy.literal.english_claims import declarative
from appliance.policy.literal.english_places import NOUNS, located, phrase
from appliance.policy.literal.intents import Intent, IntentKind, Place
from appliance.policy.literal.maker import Maker
from appliance.policy.literal.masking import LABEL, LITERAL, MARK, OTHER

K = IntentKind

_Rule = Callable[[str, Place, Maker], Iterator[Intent]]


_PROJECT = re.compile(
    r"\b(?:project|tenant|region)\b.*\bdrop[- ]?down\b|\bdrop[- ]?down\b.*\bproject\b|appropriate (?:project|region)",
    re.I,
)

_MENU_BUTTON = re.compile(
    r"\b(?:menu button|arrow|more icon|ellipsis|three dots|actions menu|more menu|menu icon)\b",
    re.I,
)


def clause(verb: str, rest: str, place: Place, make: Maker) -> Iterator[Intent]:
    """The intents of one clause."""
    rest, claims = _without_claims(rest, make)
    rule = _RULES.get(verb)
    if rule is None:
        yield _other(verb, rest, place, make)
    else:
        yield from rule(rest, place, make)
    yield from claims


def _without_claims(rest: str, make: Maker) -> tuple[str, list[Intent]]:
    """Cut ", which opens the X dialog" off a clause."""
    m = re.search(r",? which\b.*$", rest, re.IGNORECASE | re.DOTALL)
    if not m:
        return rest, []
    claims = [i for i in declarative(m.group().strip(" ,"), make) if i.kind is not K.INFORM]
    return rest[: m.start()], claims


def _click(rest: str, place: Place, make: Maker) -> Iterator[Intent]:
    rest = re.sub(r"^on\s+", "", rest.strip(), flags=re.IGNORECASE)
    if m := re.match(
        rf"^(?:the |your )?(?P<mark>{LABEL})\s+of the (?P<row>[\w ]+)", rest, re.IGNORECASE
    ):
        row = phrase(m.group("row"))
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
        where = located(m.group("tail"), place, make)
        yield make(K.OPEN, m.group("mark"), noun=m.group("noun") or "", place=where)
        if more := re.match(
            rf"^,?\s*(?:and then|then|and|>)\s+(?:the )?(?P<next>{LABEL}.*)$",
            m.group("tail"),
            re.I | re.S,
        ):
            yield from _click(more.group("next"), place, make)
        return
    if m := re.match(
        r"^the (?:name|id|link)(?: link)? of (?:the |an? |your )?(?P<row>.+)$", rest, re.IGNORECASE
    ):
        yield make(K.FOLLOW, thing=m.group("row"), place=place)
    elif _MENU_BUTTON.search(rest):
        yield make(K.OPEN_MENU, place=located(rest, place, make))
    elif m := re.match(r"^(?:the )?(?P<row>[\w\- ]+?)(?:'s)? name\b", rest, re.IGNORECASE):
        yield make(K.FOLLOW, thing=m.group("row"), place=place)
    else:
        yield make(K.UNCLEAR, thing=rest, place=place)


def _open(rest: str, place: Place, make: Maker) -> Iterator[Intent]:
    rest = re.sub(r"^to\s+", "", rest.strip(), flags=re.IGNORECASE)
    if m := re.match(
        rf"^(?:the |your )?(?P<mark>{LABEL})\s*(?P<noun>{NOUNS})?(?P<tail>.*)$", rest, re.I | re.S
    ):
        place = located(m.group("tail"), place, make)
        yield make(K.OPEN, m.group("mark"), noun=m.group("noun") or "tab", place=place)
    elif re.search(
        r"\b(?:web )?browser\b|address bar|terminal|shell|console log", rest, re.IGNORECASE
    ):
        yield make(K.EXTERNAL)
    elif m := re.match(
        r"^(?:the )?(?:details? page of |page of )?(?:the |your )?(?P<row>[\w\- ]+)", rest, re.I
    ):
        yield make(K.FOLLOW, thing=m.group("row"), place=place)
    else:
        yield make(K.UNCLEAR, thing=rest, place=place)


_SELECT_LABEL = re.compile(
    rf"^(?P<art>an? |the |your )?(?P<mark>{MARK})\s*(?P<noun>{NOUNS}|project)?(?P<tail>.*)$",
    re.I | re.S,
)


def _select(rest: str, place: Place, make: Maker) -> Iterator[Intent]:
    rest = rest.strip()
    if _PROJECT.search(rest):
        yield make(K.SWITCH_PROJECT, thing=rest)
        return
    if re.match(r"^(?:the |one of the |from the )?following\b", rest, re.IGNORECASE):
        yield make(K.INFORM)
        return
    if re.match(r"^(?:the )?(?:drop[- ]?down )?(?:arrow|menu button)\b", rest, re.IGNORECASE):
        yield make(K.OPEN_MENU, place=located(rest, place, make))
        return
    if m := re.match(
        r"^(?:the )?check ?box(?:es)?\b(?P<tail>.*)$", rest, re.IGNORECASE | re.DOTALL
    ):
        yield from _select_checkbox(m.group("tail"), place, make)
        return
    if m := _SELECT_LABEL.match(rest):
        yield from _select_label(m, place, make)
    elif place.field and not place.row:
        yield make(K.CHOOSE, thing=rest, place=place)
    else:
        yield from _pick(rest, place, make)


def _select_label(m: re.Match[str], place: Place, make: Maker) -> Iterator[Intent]:
    noun, tail = (m.group("noun") or "").lower(), m.group("tail")
    mark = m.group("mark")
    if noun.startswith("check") or noun in ("toggle", "switch"):
        yield make(K.TICK, mark, noun=noun, place=place)
        return
    if inside := re.match(
        rf"\s*(?:from|in|for|as)\s+(?:the )?(?P<field>{LABEL})", tail, re.IGNORECASE
    ):
        noun_after = re.match(rf"\s*(?P<noun>{NOUNS})?", tail[inside.end() :], re.I)
        where = (noun_after.group("noun") or "").lower() if noun_after else ""
        if where not in (
            "column",
            "menu",
            "dialog box",
            "dialog",
            "window",
            "page",
            "tab",
            "table",
        ):
            field = make.masked.mark(inside.group("field"))
            yield make(K.CHOOSE, value=mark, place=replace(place, field=field))
            return
    place = located(tail, place, make)
    if place.field:
        yield make(K.CHOOSE, value=mark, place=place)
    elif (m.group("art") or "").strip().lower() in ("a", "an") and not noun:
        yield make(
            K.CHOOSE,
            thing=make.masked.mark(mark).text,
            place=replace(place, field=make.masked.mark(mark)),
        )
    else:
        yield make(K.OPEN, mark, noun=noun or "choice", place=place)


def _select_checkbox(tail: str, place: Place, make: Maker) -> Iterator[Intent]:
    if m := re.match(
        rf"^\s*(?:for|of|next to|to the left of|beside|in front of|labell?ed)?\s*(?:the )?(?P<mark>{LABEL})",
        tail,
        re.I,
    ):
        yield make(K.TICK, m.group("mark"), noun="check box", place=place)
        return
    row = re.sub(
        r"^\s*(?:for|of|next to|to the left of|beside|in front of)\s*", "", tail, flags=re.I
    )
    yield make(K.PICK, thing=row, noun="check box", place=place)


def _pick(rest: str, place: Place, make: Maker) -> Iterator[Intent]:
    if re.match(r"^(?:the |a |your )?(?:\w+ )?file\b", rest, re.IGNORECASE):
        yield make(K.UPLOAD, thing=rest, place=place)
        return
    rest = re.split(r",? (?:and )?(?:under|in|at) the \W* column", rest)[0]
    if m := re.match(
        rf"^(?P<row>[^,]+?) (?:from|in) (?:the )?(?P<mark>{LABEL})(?! (?:page|tab|list|table))",
        rest,
        re.I | re.S,
    ):
        yield make(
            K.CHOOSE,
            thing=m.group("row"),
            place=replace(place, field=make.masked.mark(m.group("mark"))),
        )
        return
    if m := re.search(rf"(?P<row>.*?)(?P<mark>{LITERAL}|{OTHER}|{LABEL})(?P<after>.*)", rest, re.S):
        thing = f"{make.masked.spoken(m.group('row'))} {make.masked.mark(m.group('mark')).text}"
        yield make(K.PICK, thing=thing, value=m.group("mark"), place=place)
        return
    noun = (
        "list" if re.search(r"drop[- ]?down|from (?:the )?list|menu", rest, re.IGNORECASE) else ""
    )
    yield make(K.PICK, thing=rest, noun=noun, place=place)


_INTO = re.compile(
    rf"\s+(?:in|into|as|to|for|on|under)\s+(?:the |your )?(?P<mark>{LABEL})(?:\s+(?:{NOUNS}))?",
    re.I,
)


def _fill(rest: str, place: Place, make: Maker) -> Iterator[Intent]:
    rest = rest.strip()
    if not rest or re.match(
        r"^(?:or select |the )?(?:following|these|required|parameters|values|information|details)\b|^or\b",
        rest,
        re.I,
    ):
        yield make(K.INFORM)
    elif re.search(r"\b(?:user ?name|e-?mail) and password\b|\bcredentials\b", rest, re.I):
        yield make(K.LOG_IN)
    elif m := re.match(
        rf"^(?P<field>(?:the |your |a )?{LABEL}(?:\s+(?:field|box|to|as))?)\s*(?:to|as|=)\s*(?:the )?(?P<mark>{MARK})",
        rest,
        re.I,
    ):
        label = re.search(LABEL, m.group("field"))
        assert label  # noqa: S101 - the pattern has one
        field = make.masked.mark(label.group())
        yield make(K.FILL, field, value=m.group("mark"), place=place)
    elif m := _INTO.search(rest):
        field = make.masked.mark(m.group("mark"))
        given = re.search(f"{LITERAL}|{OTHER}", rest[: m.start()])
        yield make(
            K.FILL,
            field,
            thing=rest[: m.start()],
            value=given.group() if given else None,
            place=place,
        )
    else:
        yield from _fill_each(rest, place, make)


def _fill_each(rest: str, place: Place, make: Maker) -> Iterator[Intent]:
    """One intent for each part of "a name for the router and X"."""
    scope = re.search(r"\b(?:for|of) (?:the |your |an? )?(.+)$", rest, re.I | re.S)
    parts = re.split(r",\s*and\s+|,\s*|\s+and\s+", rest)
    for part in parts:
        part = re.sub(
            r"^(?:enter|specify|type|select|choose|an?|the|your)\s+", "", part.strip(), flags=re.I
        )
        literal = re.search(LITERAL, part)
        if m := re.search(LABEL, part):
            yield make(
                K.FILL,
                m.group(),
                thing=part,
                value=literal.group() if literal else None,
                place=place,
            )
        elif literal and place.field:
            yield make(K.FILL, place.field, value=literal.group(), place=place)
        elif part:
            said = (
                part
                if " for " in part or " of " in part or not scope
                else f"{part} for {scope.group(1)}"
            )
            where = place.field
            yield make(
                K.FILL, where, thing=said, value=literal.group() if literal else None, place=place
            )


def _tick(rest: str, place: Place, make: Maker) -> Iterator[Intent]:
    yield from _toggle(K.TICK, rest, place, make)


def _untick(rest: str, place: Place, make: Maker) -> Iterator[Intent]:
    yield from _toggle(K.UNTICK, rest, place, make)


def _toggle(kind: IntentKind, rest: str, place: Place, make: Maker) -> Iterator[Intent]:
    if m := re.search(
        rf"^(?:the |that )?(?:check ?box(?:es)? (?:for|next to|of) )?(?:the )?(?P<mark>{LABEL})",
        rest,
        re.I,
    ):
        yield make(kind, m.group("mark"), noun="check box", place=place)
    elif re.match(r"^this check ?box", rest, re.I):
        yield make(K.INFORM)  # "Clear this check box to …": the other choice
    elif re.match(r"^(?:this|the) check ?box|^the (?:check ?box|row)", rest, re.I):
        yield from _select_checkbox(
            re.sub(r"^.*?check ?box(?:es)?", "", rest, flags=re.I), place, make
        )
    else:
        yield make(K.INFORM if kind is K.TICK else K.UNCLEAR, thing=rest)


def _upload(rest: str, place: Place, make: Maker) -> Iterator[Intent]:
    m = re.search(LABEL, rest)
    yield make(K.UPLOAD, m.group() if m else None, thing=rest, place=place)


def _confirm(rest: str, place: Place, make: Maker) -> Iterator[Intent]:
    if m := re.search(LABEL, rest):
        yield make(K.OPEN, m.group(), place=place)
    else:
        yield make(K.CONFIRM, thing=rest)


def _wait(rest: str, place: Place, make: Maker) -> Iterator[Intent]:
    m = re.search(MARK, rest)
    yield make(K.EXPECT_TEXT if m else K.WAIT, m.group() if m else None, noun="status", thing=rest)


def _verify(rest: str, place: Place, make: Maker) -> Iterator[Intent]:
    claims = list(declarative(rest, make))
    if claims and claims[0].kind is not K.INFORM:
        yield from claims
    else:
        yield from _wait(rest, place, make) if re.search(MARK, rest) else iter([make(K.INFORM)])


def _locate(rest: str, place: Place, make: Maker) -> Iterator[Intent]:
    yield from _pick(rest, place, make)


def _search(rest: str, place: Place, make: Maker) -> Iterator[Intent]:
    given = re.search(f"{LITERAL}|{OTHER}", rest)
    field = place.field or (make.masked.mark(m.group()) if (m := re.search(LABEL, rest)) else None)
    yield make(
        K.FILL,
        field,
        thing=rest,
        noun="search",
        value=given.group() if given else None,
        place=place,
    )


def _log_in(rest: str, place: Place, make: Maker) -> Iterator[Intent]:
    yield make(K.LOG_IN, thing=rest)
    if _PROJECT.search(rest):
        yield make(K.SWITCH_PROJECT, thing=rest)


def _move(rest: str, place: Place, make: Maker) -> Iterator[Intent]:
    if m := re.search(rf"\b(?:using|on|in) the (?P<mark>{LABEL}) (?P<noun>tab|page)\b", rest, re.I):
        yield make(K.OPEN, m.group("mark"), noun=m.group("noun"))
        return
    yield make(K.MOVE, thing=rest, place=place)


def _nothing(rest: str, place: Place, make: Maker) -> Iterator[Intent]:
    yield make(K.INFORM)


def _outside(rest: str, place: Place, make: Maker) -> Iterator[Intent]:
    yield make(K.EXTERNAL)


_ELSEWHERE = re.compile(
    r"\b(?:steps (?:above|in|from)|(?:as )?described (?:above|in|earlier))\b", re.I
)


def _other(verb: str, rest: str, place: Place, make: Maker) -> Intent:
    """Verbs that say what for rather than how ("Create a project"): unclear, unless they only inform."""
    if _ELSEWHERE.search(rest):
        return make(K.UNCLEAR, noun="elsewhere", thing=f"{verb} {rest}", place=place)
    if make.optional or re.search(r"\bfollowing\b|\bas needed\b|\bsteps\b", rest, re.IGNORECASE):
        return make(K.INFORM)
    return make(K.UNCLEAR, thing=f"{verb} {rest}", place=place)


def _edit(rest: str, place: Place, make: Maker) -> Iterator[Intent]:
    """Fields to be changed: "Update the name of the volume", "Adjust X and Y"."""
    if re.search(r"\bfollowing\b", rest, re.IGNORECASE):
        yield make(K.INFORM)
    elif re.search(LABEL, rest) or re.match(
        r"^(?:the )?(?:name|description|value)", rest, re.IGNORECASE
    ):
        yield from _fill(rest, place, make)
    else:
        yield _other("edit", rest, place, make)


_RULES: dict[str, _Rule] = {
    **dict.fromkeys(("click", "press", "hit", "push", "double-click", "right-click", "hover over", "point to"), _click),
    **dict.fromkeys(("open", "go to", "go", "navigate to", "navigate", "expand", "switch to", "switch", "access", "visit", "return to", "follow"), _open),
    **dict.fromkeys(("select", "choose", "pick"), _select),
    **dict.fromkeys(("enter", "type", "specify", "provide", "input", "set", "fill in", "fill out", "replace", "paste", "copy", "name", "give"), _fill),
    **dict.fromkeys(("check", "tick", "enable", "turn on"), _tick),
    **dict.fromkeys(("uncheck", "untick", "clear", "deselect", "disable", "turn off"), _untick),
    **dict.fromkeys(("upload", "browse", "browse to", "attach"), _upload),
    **dict.fromkeys(("confirm", "accept", "save"), _confirm),
    **dict.fromkeys(("wait", "wait for", "wait until"), _wait),
    **dict.fromkeys(("verify", "verify that", "make sure", "ensure"), _verify),
    **dict.fromkeys(("locate", "find"), _locate),
    **dict.fromkeys(("search", "search for", "filter"), _search),
    **dict.fromkeys(("log in", "log into", "log on", "sign in", "sign into"), _log_in),
    **dict.fromkeys(("move", "drag", "assign"), _move),
    **dict.fromkeys(("change", "edit", "update", "adjust", "rename", "define"), _edit),
    **dict.fromkeys(("leave", "keep", "skip", "ignore", "note", "see", "view", "review", "repeat", "decide", "complete", "use"), _nothing),
    **dict.fromkeys(("run", "ask", "download"), _outside),
}  # fmt: skip

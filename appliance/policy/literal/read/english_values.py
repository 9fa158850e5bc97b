"""English clauses that give values: "Enter X in **A**", "Set **A** to X and **B** to Y", "Drag **A** to X"."""

import re
from collections.abc import Iterator
from dataclasses import replace

from appliance.core.procedure import Inline, InlineRole
from appliance.language import nouns, values
from appliance.policy.literal.read.english_places import NOUNS
from appliance.policy.literal.read.intents import Intent, IntentKind, Place
from appliance.policy.literal.read.maker import Maker
from appliance.policy.literal.read.masking import LABEL, LITERAL, MARK, OTHER, plain_value

K = IntentKind

_FORM = re.compile(
    rf"^(?:in )?(?:all |any )?(?:of )?(?:or select |the )?(?:following|these|required|remaining|mandatory|necessary|parameters|values|information|details|"
    rf"(?:(?:{LABEL}|(?-i:[A-Z][\w-]*)(?: [\w-]+){{0,3}}?)\s+)?(?:dialog(?: box)?|panel|drawer|form|fields|window|page|wizard))\b[^{MARK[1:-1]}]*$"
    rf"|^(?:or select |the )?(?:following|these|required|parameters|values|information|details)\b|^or\b",
    re.I,
)
_NUMBER = r"\d[\w:.\-/]*(?: ?(?:[KMGT]i?B|%|percent|days?|hours?|minutes?|seconds?|months?|lines?)\b| ?%)?"
_WORD = r"[A-Z][\w+.\-]*(?: [A-Z][\w+.\-]*)*"
_VALUE_WORD = r"\S*[\d@]\S*\w|https?://\S+\w|\w[\w\-]*(?:\.[\w\-]+)+(?:/\S*\w)?|[A-Z]{3,}"
"""What can only be a value: a number, an address, something in capitals."""
_TO = rf"(?:(?P<mark>{MARK})|(?P<plain>{_NUMBER}|(?-i:{_WORD})))"
_PAIR = re.compile(
    rf"(?P<field>(?:the |your |a )?(?P<label>{LABEL})(?:\s+(?:field|box|slider|switch|counter|list))?)(?: from {MARK})?\s*"
    rf"(?:to|as|=)\s*(?:the |at least |at most |exactly |a value of )?{_TO}",
    re.I,
)
_AS = re.compile(
    rf"(?P<value>{LITERAL}|{OTHER})\s+(?:as|for|in|into)\s+(?:the |its |your |a )?(?P<label>{LABEL})",
    re.I,
)
_WITH = re.compile(
    rf"\b(?:in|of)\s+(?:the )?(?P<label>{LABEL})(?:\s+(?:{NOUNS}|editor))?\s+(?:with|by)\s+(?:the )?(?P<value>{LITERAL}|{OTHER})",
    re.I,
)
_BARE = re.compile(
    rf"(?:^|\band )(?:the |its |your )?(?P<thing>[a-z][\w \-]*?) to (?P<value>{_NUMBER}(?: [A-Z][a-z]+(?: \d+)?)?)(?=[\s.]*$|,? and )",
    re.I,
)
_INTO = re.compile(
    rf"\s+(?:in|into|as|to|for|on|under|next to|beside|against)\s+(?:the |your |its )?(?:(?:field|box)\s+)?(?P<mark>{LABEL})"
    rf"(?:\s+(?P<noun>{NOUNS}))?",
    re.I,
)


def fill(rest: str, place: Place, make: Maker) -> Iterator[Intent]:
    """What is to be typed, and where."""
    rest = rest.strip()
    if not rest or _FORM.match(rest):
        is_list = make.masked.text.rstrip().endswith(":")
        yield make(K.FORM if _WHOLE.search(rest) and not is_list else K.INFORM)
    elif form := _FORM_IN.match(rest):
        section = make.masked.mark(form.group("mark"))
        yield make(K.FORM, place=replace(place, section=section))
    elif re.match(r"(?:whether|if|how|what)\b", rest, re.I):
        yield make(K.INFORM)
    elif _IT.fullmatch(rest):
        yield make(K.UNCLEAR, thing=f"fill in {rest}", place=place)
    elif not place.field and _ACCOUNT.match(rest):
        yield make(K.LOG_IN)
    elif given := list(_given(rest, place, make)) or list(_pairs(rest, place, make)):
        yield from given
    elif m := _INTO.search(rest):
        first, joint, last = rest[: m.start()].rpartition(", and the ")
        if joint and not re.search(MARK, first):  # "a name, and the format in the **Text** field"
            yield from _fill_each(first, place, make)
        yield from _into_field(last, m, place, make)
    else:
        yield from _fill_each(rest, place, make)


_IT = re.compile(r"(?:it|them|this|that|everything)(?: and then .*)?", re.I)
_ACCOUNT = re.compile(
    r"(?:(?:the|your|valid|correct|admin\w*|account) )*(?:user ?name|e-?mail(?: address)?) and"
    r" (?:the |your )?password\b(?! (?:of|for) (?:the|an?) (?!admin|account|root|super|console|dashboard))|(?:[\w'’]+ ){0,3}credentials\b",
    re.I,
)
_FORM_IN = re.compile(
    rf"(?:in )?(?:the |this )?(?:form|fields) (?:under|below|in|at|of) (?:the )?(?P<mark>{LABEL})[^{MARK[1:-1]}]*$",
    re.I,
)


def _given(rest: str, place: Place, make: Maker) -> Iterator[Intent]:
    """Values whose field has no marked name, and switches: "`80` as the port", "the time to 03:30"."""
    if (m := _SWITCHED.match(rest)) and _position(m, make) in _POSITIONS:
        yield _switched(m, place, make)
        return
    for m in _AS_PLAIN.finditer(rest):
        said = m.group("value")
        if re.match(LABEL, said) and _ARTICLE.search(rest, 0, m.start()):
            yield make(K.FILL, said, place=place)  # "an **IP address** for the interface"
            continue
        value = said if re.match(MARK, said) else plain_value(make.masked, said)
        yield make(K.FILL, thing=m.group("thing"), value=value, place=place)
    for m in _BARE.finditer(rest) if not re.search(LABEL, rest) else ():
        value = plain_value(make.masked, m.group("value"))
        yield make(K.FILL, place.field, thing=m.group("thing"), value=value, place=place)


_WHOLE = re.compile(
    r"\b(?:form|dialog(?: box)?|fields|window|page|wizard|details|information|parameters|values)\b",
    re.I,
)
_AS_PLAIN = re.compile(
    rf"(?P<value>{MARK}|(?-i:[A-Z][\w.+-]*)(?= as)) (?:as|for) (?:the |its |your )?(?P<thing>[a-z][\w ]*?)(?= with\b|,? and\b|[\s.,]*$)",
    re.I,
)
_ARTICLE = re.compile(r"\b(?:an?|your|the) $", re.I)
_ANY_BOX = re.compile(r"confirmation|text|input|text input|empty|dialog|provided", re.I)
_IN_PLAIN = re.compile(r"\b(?:in|into) the (?P<thing>[a-z][a-z ]*?) (?:field|box|bar)\b", re.I)


def _pairs(rest: str, place: Place, make: Maker) -> Iterator[Intent]:
    """As "**A** to X and **B** to Y", "X as **A** and Y as **B**", "the text in **A** with X"."""
    for m in _PAIR.finditer(rest):
        value = m.group("mark") or plain_value(make.masked, m.group("plain"))
        yield make(K.FILL, make.masked.mark(m.group("label")), value=value, place=place)
    if _PAIR.search(rest):
        return
    together = list(_AS.finditer(rest))
    for m in together if len(together) > 1 else []:
        field, said = make.masked.mark(m.group("label")), make.masked.mark(m.group("value"))
        yield make(K.FILL, field, thing=said.text, value=m.group("value"), place=place)
    if len(together) < 2 and (w := _WITH.search(rest)):
        yield make(K.FILL, make.masked.mark(w.group("label")), value=w.group("value"), place=place)


def _into_field(what: str, m: re.Match[str], place: Place, make: Maker) -> Iterator[Intent]:
    if (m.group("noun") or "").lower() in nouns.PANES.en:
        yield from _fill_each(what, place, make)
        return
    given = re.search(f"{LITERAL}|{OTHER}", what) or re.search(MARK, what)
    value = given.group() if given else _plain_before(what, make)
    yield make(K.FILL, make.masked.mark(m.group("mark")), thing=what, value=value, place=place)


def _plain_before(text: str, make: Maker) -> Inline | None:
    """The bare number that is all there is ("Enter 30 in **Days**")."""
    m = re.fullmatch(
        rf"\s*(?:(?:the|a) (?:value|number) )?({_NUMBER}|(?-i:{_VALUE_WORD}))[\s.]*", text, re.I
    )
    return plain_value(make.masked, m.group(1)) if m else None


def _fill_each(rest: str, place: Place, make: Maker) -> Iterator[Intent]:
    """One intent for each part of "a name for the router and X"; all of it where a field is named."""
    if (one := _filled(rest, place, make)) is not None:
        yield one
        return
    scope = re.search(r"\b(?:for|of) (?:the |your |an? )?(.+)$", rest, re.I | re.S)
    is_optional = False
    for part in re.split(r",\s*and\s+|,\s*|\s+and,?\s+", rest):
        words = _OPTIONALLY.sub("", part.strip())
        is_optional = is_optional or words != part.strip()
        if words and not _IS_SO.search(_WHICH.split(part)[0]):
            one = _part(words, scope.group(1) if scope else "", place, make)
            yield replace(one, is_optional=one.is_optional or is_optional)


_OPTIONALLY = re.compile(r"^(?:and )?(?:optionally\b|an optional\b) ?", re.I)
_WHICH = re.compile(r"\s(?:that|which)\b")
_IS_SO = re.compile(rf"^[^{MARK[1:-1]}]*\b(?:must|should|will|can|is|are)\b[^{MARK[1:-1]}]*$")


def _filled(rest: str, place: Place, make: Maker) -> Intent | None:
    """The one field that is meant: named before, or in plain words, or not at all."""
    if place.field and (m := re.fullmatch(rf"\s*(?:the value )?({LABEL})[\s.]*", rest)):
        return make(K.FILL, place.field, value=m.group(1), place=place)
    if re.search(LABEL, rest):
        return None
    given = re.search(LITERAL, rest)
    if place.field:
        value = given.group() if given else _plain_before(rest, make)
        return make(K.FILL, place.field, thing=_without(rest, value), value=value, place=place)
    if m := _IN_PLAIN.search(rest):
        given = re.search(MARK, rest)
        said = given.group() if given else _plain_before(rest[: m.start()], make)
        is_named = not _ANY_BOX.fullmatch(m.group("thing"))
        thing = m.group("thing") if is_named else _without(rest[: m.start()], said)
        return make(K.FILL, thing=thing, value=said, place=place)
    bare = _plain_before(re.sub(r"\([^()]*\)", "", rest), make)
    return make(K.FILL, value=bare, place=place) if bare else None


def _part(part: str, scope: str, place: Place, make: Maker) -> Intent:
    """One of several: a marked name, or words for it."""
    part = re.sub(r"^(?:enter|specify|type|select|choose|an?|the|your)\s+", "", part, flags=re.I)
    literal = re.search(LITERAL, part)
    value = literal.group() if literal else None
    if m := re.search(LABEL, part):
        return make(K.FILL, m.group(), thing=part, value=value, place=place)
    is_whole = " for " in part or " of " in part or not scope
    said = part if is_whole else f"{part} for {scope}"
    one = make(K.FILL, place.field, thing=_without(said, value), value=value, place=place)
    is_lost = not place.field and len(one.thing.split()) > _MOST_WORDS
    return make(K.UNCLEAR, thing=part, place=place) if is_lost else one


_MOST_WORDS = 7
"""What a field is called is shorter; more is a sentence that was not understood."""


def _without(said: str, value: str | Inline | None) -> str:
    """The words for the thing, without the value that stands among them."""
    return said.replace(value, "") if isinstance(value, str) else said


_TARGET = re.compile(
    rf"\s+(?:to|into|onto)\s+(?:the )?(?P<mark>{LABEL})\s*(?P<noun>{NOUNS}|zone)?(?P<tail>.*)$",
    re.I | re.S,
)


_SWITCHED = re.compile(
    rf"^(?:the )?(?P<label>{LABEL}) (?:switch|toggle|slider|check ?box)\b.*?\bto (?:the )?"
    rf"(?:(?P<mark>{MARK})|(?P<plain>on|off|yes|no|enabled|disabled)\b)(?: position)?",
    re.I,
)


_POSITIONS = values.YES_OR_NO.both


def _position(m: re.Match[str], make: Maker) -> str:
    return (m.group("plain") or make.masked.mark(m.group("mark")).text).casefold()


def _switched(m: re.Match[str], place: Place, make: Maker) -> Intent:
    is_on = _position(m, make) in values.ON.both | {"yes"}
    return make(K.TICK if is_on else K.UNTICK, m.group("label"), noun="switch", place=place)


def move(rest: str, place: Place, make: Maker) -> Iterator[Intent]:
    """Sliders are dragged to a value, files into a zone, entries from one list to the other."""
    if m := re.search(rf"\b(?:using|on|in) the (?P<mark>{LABEL}) (?P<noun>tab|page)\b", rest, re.I):
        yield make(K.OPEN, m.group("mark"), noun=m.group("noun"))
    elif re.match(rf"^(?:the )?{LABEL}(?: slider| handle)?\s+to\s+(?:{LITERAL}|\d)", rest, re.I):
        yield from fill(rest, place, make)
    elif (m := _SWITCHED.match(rest)) and _position(m, make) in _POSITIONS:
        yield _switched(m, place, make)
    elif m := re.match(rf"^(?:the )?(?P<thing>slider|handle)\b.*?\bto {_TO}", rest, re.I):
        value = m.group("mark") or plain_value(make.masked, m.group("plain"))
        yield make(K.FILL, place.field, thing="slider", value=value, place=place)
    elif (m := _TARGET.search(rest)) and _is_list(rest[: m.start()], m):
        yield _into(rest[: m.start()], m, place, make)
    elif re.match(
        r"^an? [a-z]|.* to (?:the )?(?:category|folder|project|top|bottom|trash|archive)\b", rest
    ):
        yield make(K.INFORM if make.optional else K.UNCLEAR, thing=rest, place=place)
    else:
        yield make(K.MOVE, thing=rest, place=place)


_FROM_TO = re.compile(
    rf"^(?P<what>.*?)(?: from (?:the )?(?P<source>{MARK})(?: (?:{NOUNS}))?)? (?:to|onto|into|in|on|over) (?:the )?(?P<target>.+?)[\s.]*$",
    re.I | re.S,
)
_FILES = re.compile(r"\b(?:files?|export|archive|csv|zip|image|picture|photo|logo)\b", re.I)
_ZONES = re.compile(r"\b(?:zone|area|here|there|browser)\b", re.I)


def drag(rest: str, place: Place, make: Maker) -> Iterator[Intent]:
    """A slider, an entry of a transfer list, a file; anything else onto another thing."""
    rest = _PURPOSE.sub("", rest)
    intents = list(move(rest, place, make))
    m = _FROM_TO.match(rest)
    is_list = (
        m and not m.group("source") and re.search(r"\b(?:list|group|column|box)s?\W*$", rest, re.I)
    )
    if not m and _FILES.search(rest) and _ZONES.search(rest):
        yield make(K.UPLOAD, thing=rest)
    elif m and (_FILES.search(m.group("what")) or _ZONES.search(m.group("target"))):
        yield make(K.UPLOAD, value=intents[0].value, thing=m.group("what"), place=intents[0].place)
    elif intents[0].kind not in (K.MOVE, K.UNCLEAR) and not (
        intents[0].kind is K.CHOOSE and not is_list
    ):
        yield from intents
    elif m:
        mark = re.search(LABEL, m.group("target"))
        what = re.sub(r" (?:by|from) .*$", "", m.group("what"), flags=re.I)
        source = m.group("source") or ((w := re.search(MARK, m.group("what"))) and w.group())
        onto = make.masked.mark(mark.group()) if mark else _words(m.group("target"), make)
        yield make(K.DRAG, source, thing=what, place=_field(place, onto))
    else:
        yield make(K.UNCLEAR, thing=f"drag {rest}", place=place)


_PURPOSE = re.compile(
    r" to (?:resize|change|reorder|rearrange|adjust|sort|select|set|move|make)\b.*$", re.I
)


def _words(said: str, make: Maker) -> Inline:
    return plain_value(make.masked, make.masked.spoken(said))


def add(rest: str, place: Place, make: Maker) -> Iterator[Intent]:
    """Something is added to a list of the form; "Add a rule" says what for and not how."""
    m = _TARGET.search(rest)
    if m and _is_list(rest[: m.start()], m):
        yield _into(rest[: m.start()], m, place, make)
    elif f := re.match(rf"^(?:an?|your) (?:[a-z]+ )?({LABEL})", rest, re.I):
        yield make(K.FILL, f.group(1), thing=rest, place=place)
    elif f := re.match(
        rf"^(?:the|an?) (?P<thing>tag|label|role|group|permission) (?P<value>{MARK})", rest, re.I
    ):
        yield make(K.PICK, thing=f.group("thing"), value=f.group("value"), place=place)
    elif f := re.match(
        r"^(?:an?|your) (?:short )?(?P<thing>description|comment|note|name|title)\b", rest, re.I
    ):
        yield make(K.FILL, thing=f.group("thing"), place=place)
    elif m and re.match(rf"^{MARK}", rest):
        yield make(K.CHOOSE, value=rest[0], place=_field(place, make.masked.mark(m.group("mark"))))
    else:
        yield make(K.INFORM if make.optional else K.UNCLEAR, thing=f"add {rest}", place=place)


def _field(place: Place, field: Inline) -> Place:
    return Place(dialog=place.dialog, section=place.section, field=field, row=place.row)


def _is_list(what: str, m: re.Match[str]) -> bool:
    noun = (m.group("noun") or "").lower()
    return noun in ("list", "area", "zone", "box", "group") or bool(re.search(MARK, what))


def _into(what: str, m: re.Match[str], place: Place, make: Maker) -> Intent:
    field = make.masked.mark(m.group("mark"))
    given = re.search(MARK, what)
    there = _field(place, field)
    is_file = re.search(r"\bfile\b", what, re.I) or (
        given
        and make.masked.mark(given.group()).role is InlineRole.LITERAL
        and re.search(r"area|zone|box|section", m.group("noun") or "", re.I)
    )
    if is_file:
        return make(K.UPLOAD, value=given.group() if given else None, thing=what, place=there)
    return make(K.CHOOSE, value=given.group() if given else None, thing=what, place=there)

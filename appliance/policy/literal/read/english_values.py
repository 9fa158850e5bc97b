"""Reads English clauses that give values: "Enter X in **A**", "Set **A** to X and **B** to Y", "Drag **A** to X"."""

import re
from collections.abc import Iterator
from dataclasses import replace

from appliance.core.procedure import Inline, InlineRole
from appliance.language import nouns, values
from appliance.policy.literal.read.english_places import NOUNS
from appliance.policy.literal.read.intents import Intent, IntentKind, Place
from appliance.policy.literal.read.maker import IntentMaker
from appliance.policy.literal.read.masking import LABEL, LITERAL, MARK, VALUE, plain_value

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
"""Text that can only be a value: a number, an address, a word in capitals."""
_TO_VALUE = rf"(?:(?P<mark>{MARK})|(?P<plain>{_NUMBER}|(?-i:{_WORD})))"
_LABEL_TO_VALUE = re.compile(
    rf"(?P<field>(?:the |your |a )?(?P<label>{LABEL})(?:\s+(?:field|box|slider|switch|counter|list))?)(?: from {MARK})?\s*"
    rf"(?:to|as|=)\s*(?:the |at least |at most |exactly |a value of )?{_TO_VALUE}",
    re.I,
)
_VALUE_AS_LABEL = re.compile(
    rf"(?P<value>{VALUE})\s+(?:as|for|in|into)\s+(?:the |its |your |a )?(?P<label>{LABEL})",
    re.I,
)
_LABEL_WITH_VALUE = re.compile(
    rf"\b(?:in|of)\s+(?:the )?(?P<label>{LABEL})(?:\s+(?:{NOUNS}|editor))?\s+(?:with|by)\s+(?:the )?(?P<value>{VALUE})",
    re.I,
)
_WORDS_TO_NUMBER = re.compile(
    rf"(?:^|\band )(?:the |its |your )?(?P<thing>[a-z][\w \-]*?) to (?P<value>{_NUMBER}(?: [A-Z][a-z]+(?: \d+)?)?)(?=[\s.]*$|,? and )",
    re.I,
)
_INTO_LABEL = re.compile(
    rf"\s+(?:in|into|as|to|for|on|under|next to|beside|against)\s+(?:the |your |its )?(?:(?:field|box)\s+)?(?P<mark>{LABEL})"
    rf"(?:\s+(?P<noun>{NOUNS}))?",
    re.I,
)


def fill(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    """Read what to type, and into which fields."""
    rest = rest.strip()
    if not rest or _FORM.match(rest):
        is_list = make.masked.text.rstrip().endswith(":")
        yield make(K.FORM if _FORM_NOUN.search(rest) and not is_list else K.INFORM)
    elif form := _FORM_IN.match(rest):
        section = make.masked.mark(form.group("mark"))
        yield make(K.FORM, place=replace(place, section=section))
    elif re.match(r"(?:whether|if|how|what)\b", rest, re.I):
        yield make(K.INFORM)
    elif _PRONOUN.fullmatch(rest):
        yield make(K.UNCLEAR, thing=f"fill in {rest}", place=place)
    elif not place.field and _ACCOUNT.match(rest):
        yield make(K.LOG_IN)
    elif valued := list(_named_without_label(rest, place, make)) or list(
        _field_value_pairs(rest, place, make)
    ):
        yield from valued
    elif m := _INTO_LABEL.search(rest):
        before_last, separator, last_part = rest[: m.start()].rpartition(", and the ")
        if separator and not re.search(MARK, before_last):
            # "a name, and the format in the **Text** field"
            yield from _fill_each(before_last, place, make)
        yield from _into_field(last_part, m, place, make)
    else:
        yield from _fill_each(rest, place, make)


_PRONOUN = re.compile(r"(?:it|them|this|that|everything)(?: and then .*)?", re.I)
_ACCOUNT = re.compile(
    r"(?:(?:the|your|valid|correct|admin\w*|account) )*(?:user ?name|e-?mail(?: address)?) and"
    r" (?:the |your )?password\b(?! (?:of|for) (?:the|an?) (?!admin|account|root|super|console|dashboard))|(?:[\w'’]+ ){0,3}credentials\b",
    re.I,
)
_FORM_IN = re.compile(
    rf"(?:in )?(?:the |this )?(?:form|fields) (?:under|below|in|at|of) (?:the )?(?P<mark>{LABEL})[^{MARK[1:-1]}]*$",
    re.I,
)


def _named_without_label(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    """Read switches, and values of fields without a label: "`80` as the port", "the time to 03:30"."""
    if (m := _SWITCHED_TO.match(rest)) and _switch_position(m, make) in _SWITCH_POSITIONS:
        yield _switch_intent(m, place, make)
        return
    for m in _VALUE_AS_WORDS.finditer(rest):
        value_text = m.group("value")
        if re.match(LABEL, value_text) and _ARTICLE.search(rest, 0, m.start()):
            yield make(K.FILL, value_text, place=place)  # "an **IP address** for the interface"
            continue
        value = value_text if re.match(MARK, value_text) else plain_value(make.masked, value_text)
        yield make(K.FILL, thing=m.group("thing"), value=value, place=place)
    for m in _WORDS_TO_NUMBER.finditer(rest) if not re.search(LABEL, rest) else ():
        value = plain_value(make.masked, m.group("value"))
        yield make(K.FILL, place.field, thing=m.group("thing"), value=value, place=place)


_FORM_NOUN = re.compile(
    r"\b(?:form|dialog(?: box)?|fields|window|page|wizard|details|information|parameters|values)\b",
    re.I,
)
_VALUE_AS_WORDS = re.compile(
    rf"(?P<value>{MARK}|(?-i:[A-Z][\w.+-]*)(?= as)) (?:as|for) (?:the |its |your )?(?P<thing>[a-z][\w ]*?)(?= with\b|,? and\b|[\s.,]*$)",
    re.I,
)
_ARTICLE = re.compile(r"\b(?:an?|your|the) $", re.I)
_ANY_BOX = re.compile(r"confirmation|text|input|text input|empty|dialog|provided", re.I)
_INTO_WORDS = re.compile(r"\b(?:in|into) the (?P<thing>[a-z][a-z ]*?) (?:field|box|bar)\b", re.I)


def _field_value_pairs(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    """Read "**A** to X and **B** to Y", "X as **A** and Y as **B**", "the text in **A** with X"."""
    for m in _LABEL_TO_VALUE.finditer(rest):
        value = m.group("mark") or plain_value(make.masked, m.group("plain"))
        yield make(K.FILL, make.masked.mark(m.group("label")), value=value, place=place)
    if _LABEL_TO_VALUE.search(rest):
        return
    value_label_pairs = list(_VALUE_AS_LABEL.finditer(rest))
    for m in value_label_pairs if len(value_label_pairs) > 1 else []:
        field, literal = make.masked.mark(m.group("label")), make.masked.mark(m.group("value"))
        yield make(K.FILL, field, thing=literal.text, value=m.group("value"), place=place)
    if len(value_label_pairs) < 2 and (label_with_value := _LABEL_WITH_VALUE.search(rest)):
        yield make(
            K.FILL,
            make.masked.mark(label_with_value.group("label")),
            value=label_with_value.group("value"),
            place=place,
        )


def _into_field(text: str, m: re.Match[str], place: Place, make: IntentMaker) -> Iterator[Intent]:
    if (m.group("noun") or "").lower() in nouns.PANES.en:
        yield from _fill_each(text, place, make)
        return
    value_match = re.search(VALUE, text) or re.search(MARK, text)
    value = value_match.group() if value_match else _plain_before(text, make)
    yield make(K.FILL, make.masked.mark(m.group("mark")), thing=text, value=value, place=place)


def _plain_before(text: str, make: IntentMaker) -> Inline | None:
    """The unmarked value if the text is nothing else ("(Enter) 30 (in **Days**)")."""
    m = re.fullmatch(
        rf"\s*(?:(?:the|a) (?:value|number) )?({_NUMBER}|(?-i:{_VALUE_WORD}))[\s.]*", text, re.I
    )
    return plain_value(make.masked, m.group(1)) if m else None


def _fill_each(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    """Read each part of "a name for the router and X", or one field if only one is meant."""
    if (intent := _fill_single(rest, place, make)) is not None:
        yield intent
        return
    scope = re.search(r"\b(?:for|of) (?:the |your |an? )?(.+)$", rest, re.I | re.S)
    is_optional = False
    for part in re.split(r",\s*and\s+|,\s*|\s+and,?\s+", rest):
        words = _OPTIONALLY.sub("", part.strip())
        is_optional = is_optional or words != part.strip()
        if words and not _STATES_A_FACT.search(_RELATIVE_CLAUSE.split(part)[0]):
            intent = _fill_part(words, scope.group(1) if scope else "", place, make)
            yield replace(intent, is_optional=intent.is_optional or is_optional)


_OPTIONALLY = re.compile(r"^(?:and )?(?:optionally\b|an optional\b) ?", re.I)
_RELATIVE_CLAUSE = re.compile(r"\s(?:that|which)\b")
_STATES_A_FACT = re.compile(
    rf"^[^{MARK[1:-1]}]*\b(?:must|should|will|can|is|are)\b[^{MARK[1:-1]}]*$"
)


def _fill_single(rest: str, place: Place, make: IntentMaker) -> Intent | None:
    """Read the single field meant: named before, in plain words, or not at all; None if several."""
    if place.field and (m := re.fullmatch(rf"\s*(?:the value )?({LABEL})[\s.]*", rest)):
        return make(K.FILL, place.field, value=m.group(1), place=place)
    if re.search(LABEL, rest):
        return None
    value_match = re.search(LITERAL, rest)
    if place.field:
        value = value_match.group() if value_match else _plain_before(rest, make)
        return make(K.FILL, place.field, thing=_strip_value(rest, value), value=value, place=place)
    if m := _INTO_WORDS.search(rest):
        value_match = re.search(MARK, rest)
        value_found = value_match.group() if value_match else _plain_before(rest[: m.start()], make)
        is_named = not _ANY_BOX.fullmatch(m.group("thing"))
        thing = m.group("thing") if is_named else _strip_value(rest[: m.start()], value_found)
        return make(K.FILL, thing=thing, value=value_found, place=place)
    bare_number = _plain_before(re.sub(r"\([^()]*\)", "", rest), make)
    return make(K.FILL, value=bare_number, place=place) if bare_number else None


def _fill_part(part: str, scope: str, place: Place, make: IntentMaker) -> Intent:
    """Read one part of an enumeration: a label, or plain words for a field."""
    part = re.sub(r"^(?:enter|specify|type|select|choose|an?|the|your)\s+", "", part, flags=re.I)
    literal = re.search(LITERAL, part)
    value = literal.group() if literal else None
    if m := re.search(LABEL, part):
        return make(K.FILL, m.group(), thing=part, value=value, place=place)
    is_complete = " for " in part or " of " in part or not scope
    name = part if is_complete else f"{part} for {scope}"
    intent = make(K.FILL, place.field, thing=_strip_value(name, value), value=value, place=place)
    is_not_a_name = not place.field and len(intent.thing.split()) > _MAX_NAME_WORDS
    return make(K.UNCLEAR, thing=part, place=place) if is_not_a_name else intent


_MAX_NAME_WORDS = 7
"""No field has a longer name: more words are a sentence that was not understood."""


def _strip_value(text: str, value: str | Inline | None) -> str:
    """Remove a masked value from the words around it."""
    return text.replace(value, "") if isinstance(value, str) else text


_TARGET = re.compile(
    rf"\s+(?:to|into|onto)\s+(?:the )?(?P<mark>{LABEL})\s*(?P<noun>{NOUNS}|zone)?(?P<tail>.*)$",
    re.I | re.S,
)


_SWITCHED_TO = re.compile(
    rf"^(?:the )?(?P<label>{LABEL}) (?:switch|toggle|slider|check ?box)\b.*?\bto (?:the )?"
    rf"(?:(?P<mark>{MARK})|(?P<plain>on|off|yes|no|enabled|disabled)\b)(?: position)?",
    re.I,
)


_SWITCH_POSITIONS = values.YES_OR_NO.both


def _switch_position(m: re.Match[str], make: IntentMaker) -> str:
    return (m.group("plain") or make.masked.mark(m.group("mark")).text).casefold()


def _switch_intent(m: re.Match[str], place: Place, make: IntentMaker) -> Intent:
    is_on = _switch_position(m, make) in values.ON.both | {"yes"}
    return make(K.TICK if is_on else K.UNTICK, m.group("label"), noun="switch", place=place)


def move(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    """Read "move …": a slider to a value, a file into a zone, an entry from one list to another."""
    if m := re.search(rf"\b(?:using|on|in) the (?P<mark>{LABEL}) (?P<noun>tab|page)\b", rest, re.I):
        yield make(K.OPEN, m.group("mark"), noun=m.group("noun"))
    elif re.match(rf"^(?:the )?{LABEL}(?: slider| handle)?\s+to\s+(?:{LITERAL}|\d)", rest, re.I):
        yield from fill(rest, place, make)
    elif (m := _SWITCHED_TO.match(rest)) and _switch_position(m, make) in _SWITCH_POSITIONS:
        yield _switch_intent(m, place, make)
    elif m := re.match(rf"^(?:the )?(?P<thing>slider|handle)\b.*?\bto {_TO_VALUE}", rest, re.I):
        value = m.group("mark") or plain_value(make.masked, m.group("plain"))
        yield make(K.FILL, place.field, thing="slider", value=value, place=place)
    elif (m := _TARGET.search(rest)) and _is_list(rest[: m.start()], m):
        yield _put_into_list(rest[: m.start()], m, place, make)
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


def drag(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    """Read "drag …": as "move …" where that applies, else one thing onto another."""
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
        dragged = re.sub(r" (?:by|from) .*$", "", m.group("what"), flags=re.I)
        source = m.group("source") or ((w := re.search(MARK, m.group("what"))) and w.group())
        onto = make.masked.mark(mark.group()) if mark else _spoken_words(m.group("target"), make)
        yield make(K.DRAG, source, thing=dragged, place=_in_field(place, onto))
    else:
        yield make(K.UNCLEAR, thing=f"drag {rest}", place=place)


_PURPOSE = re.compile(
    r" to (?:resize|change|reorder|rearrange|adjust|sort|select|set|move|make)\b.*$", re.I
)


def _spoken_words(text: str, make: IntentMaker) -> Inline:
    return plain_value(make.masked, make.masked.unmask(text))


def add(rest: str, place: Place, make: IntentMaker) -> Iterator[Intent]:
    """Read "add …": an entry of a list in the form; "Add a rule" alone names a goal, and is unclear."""
    target = _TARGET.search(rest)
    if target and _is_list(rest[: target.start()], target):
        yield _put_into_list(rest[: target.start()], target, place, make)
    elif match := re.match(rf"^(?:an?|your) (?:[a-z]+ )?({LABEL})", rest, re.I):
        yield make(K.FILL, match.group(1), thing=rest, place=place)
    elif match := re.match(
        rf"^(?:the|an?) (?P<thing>tag|label|role|group|permission) (?P<value>{MARK})", rest, re.I
    ):
        yield make(K.PICK, thing=match.group("thing"), value=match.group("value"), place=place)
    elif match := re.match(
        r"^(?:an?|your) (?:short )?(?P<thing>description|comment|note|name|title)\b", rest, re.I
    ):
        yield make(K.FILL, thing=match.group("thing"), place=place)
    elif target and re.match(rf"^{MARK}", rest):
        yield make(
            K.CHOOSE, value=rest[0], place=_in_field(place, make.masked.mark(target.group("mark")))
        )
    else:
        yield make(K.INFORM if make.optional else K.UNCLEAR, thing=f"add {rest}", place=place)


def _in_field(place: Place, field: Inline) -> Place:
    return Place(dialog=place.dialog, section=place.section, field=field, row=place.row)


def _is_list(text: str, m: re.Match[str]) -> bool:
    noun = (m.group("noun") or "").lower()
    return noun in ("list", "area", "zone", "box", "group") or bool(re.search(MARK, text))


def _put_into_list(text: str, m: re.Match[str], place: Place, make: IntentMaker) -> Intent:
    field = make.masked.mark(m.group("mark"))
    value_match = re.search(MARK, text)
    field_place = _in_field(place, field)
    is_file = re.search(r"\bfile\b", text, re.I) or (
        value_match
        and make.masked.mark(value_match.group()).role is InlineRole.LITERAL
        and re.search(r"area|zone|box|section", m.group("noun") or "", re.I)
    )
    if is_file:
        return make(
            K.UPLOAD,
            value=value_match.group() if value_match else None,
            thing=text,
            place=field_place,
        )
    return make(
        K.CHOOSE, value=value_match.group() if value_match else None, thing=text, place=field_place
    )

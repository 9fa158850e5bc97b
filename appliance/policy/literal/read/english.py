"""English console prose → intents.

A sentence is cut into clauses at its imperative verbs; what stands before the first verb ("In the X
dialog box,") is where to look. Each clause is read by the rule of its verb.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from appliance.core.procedure import Sentence
from appliance.language import values, verbs
from appliance.language.words import one_of
from appliance.policy.literal.read.english_claims import declarative
from appliance.policy.literal.read.english_places import is_lead, lead_of, phrase
from appliance.policy.literal.read.english_shape import (
    done_by,
    gone_to_first,
    in_navigation,
    offered,
    parts_of,
    same_again,
    suggested,
    tidied,
    told_by_the_way,
)
from appliance.policy.literal.read.english_verbs import again, clause
from appliance.policy.literal.read.intents import PRONOUNS, Gesture, Intent, IntentKind, Place
from appliance.policy.literal.read.maker import Maker
from appliance.policy.literal.read.masking import LABEL, MARK, in_order, mask, with_states
from appliance.policy.literal.read.uploads import uploads

K = IntentKind

_VERBS = one_of(verbs.IMPERATIVES.en)


_BEGIN = rf"(?:please |then |also |next,? |now |finally,? |first,? |again,? |just |simply |optionally,? )*(?:{_VERBS})\b"


_START = _BEGIN.replace(f"(?:{_VERBS})", f"(?P<verb>{_VERBS})")


_NOUN_VERBS = one_of(verbs.ALSO_NOUNS.en)
"""Verbs that are more often nouns: a clause starts with them only at the start of the sentence."""


_CUT = re.compile(
    rf"(?P<sep>^\W*(?=(?:{_BEGIN}))|(?:[,;]? and then |[,;]? and |[,;] then |[,;] (?:but |or )?|\s+then |\s+or "
    rf"|(?:(?<=column)|(?<=dialog)|(?<=window)|(?<= tab)|(?<= box)|(?<=menu)|(?<=list)|(?<=page)) (?=click|select|choose|enter))"
    rf"(?=(?:{_BEGIN}))(?!(?:{_NOUN_VERBS})\b(?! (?:the|your|this|its)\b| {LABEL})))",
    re.IGNORECASE,
)


_CLAUSE = re.compile(rf"^(?:or )?{_START}\s*(?P<rest>.*)$", re.IGNORECASE | re.DOTALL)


_MODAL = re.compile(
    r"(?<!that )(?<!which )(?<!only )\b(?:you|users?) (?:can|could|may|might)(?: also| choose to)?\b",
    re.IGNORECASE,
)


_MUST = re.compile(r"^you (?:must|should|need to|have to|will need to) (?:also )?", re.IGNORECASE)


_OPTIONAL = re.compile(
    r"^\W*(?:(?:optional|recommended)(?:ly)?\b\W*|if (?:desired|needed|necessary|required)\b\W*)",
    re.IGNORECASE,
)


_OPTIONAL_ALL = re.compile(
    r"^(?:(?! and |,).)*\(optional(?:ly)?\)[\s.]*$"
    r"|^(?:(?! and |,).)*, (?:this|which|that|it) is optional[\s.]*$",
    re.IGNORECASE,
)
"""Said of all that the sentence asks for."""
_PAIRS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:customize|add|enter|specify|set)\b",
        r"\b(?:keys?|tags?|labels?)\b",
        r"\bvalues?\b",
    )
)
"""One behind the other."""
_CONDITION = re.compile(
    r"^(?:if|when|in case|unless|should (?:you|the|your|this|an?)|provided|whenever|as long as|for (?:some|other) cases?|for (?:somebody|someone|anybody|those|people) who)\b",
    re.IGNORECASE,
)
_SOFT = re.compile(
    r"^(?:please )?(?:have|take|look|think|read|remember|mind|consider|compare|notice|be|let|count)\b",
    re.I,
)
"""What asks for no more than attention: the instruction after it stands by itself."""
_PART = re.compile(r"\b(?:part|letters?|characters?|beginning|start|few|some)\b", re.I)
_IT = re.compile(r"^(?:it|them|that one|one|the match|match|entry|suggestion)?$", re.I)


def read(sentence: Sentence, step: str) -> Iterator[Intent]:
    """The intents of one English sentence."""
    yield from _joined(list(_read(sentence, step)))


def read_offered(sentence: Sentence, step: str) -> Iterator[Intent]:
    """As `read`; "You can add one by clicking **Add**" is how it is done where nothing else is."""
    yield from _joined(list(_read(sentence, step, is_offer=True)))


def _joined(intents: list[Intent]) -> Iterator[Intent]:
    """As in "Type a part of the name in **X** and select it": one choice in one field."""
    held: Intent | None = None
    for intent in uploads(intents):
        if held is not None:
            joined = _chosen(held, intent)
            if joined is None:
                yield held
            intent, held = joined or intent, None
        if intent.kind is K.FILL and (intent.label or intent.place.field or intent.thing):
            held = intent
        else:
            yield intent
    if held is not None:
        yield held


def _chosen(typed: Intent, then: Intent) -> Intent | None:
    """The choice that typing and selecting are together; None when they are two things."""
    field = typed.label or typed.place.field
    # "In the **New** box, type the name, select the kind": the box is where both of them are
    are_two = typed.value is None and then.thing and not _PART.search(typed.thing)
    is_same = field is not None and then.place.field == field and not are_two
    is_it = bool(_IT.match(then.thing)) and then.value is None
    if then.kind not in (K.CHOOSE, K.PICK) or not (is_same or is_it):
        return None
    if field is None:
        return typed if then.kind is K.PICK and then.thing else None
    if not is_it:
        return replace(then, kind=K.CHOOSE, place=replace(then.place, field=field))
    place = replace(typed.place, field=field)
    return replace(typed, kind=K.CHOOSE, label=None, place=place)


def _read(sentence: Sentence, step: str, *, is_offer: bool = False) -> Iterator[Intent]:
    masked = mask(sentence)
    said = with_states(masked, _TURNED, "on", "off")
    is_marked, text = suggested(masked, tidied(said.strip()))
    optional = is_marked or bool(_OPTIONAL.match(text) or _OPTIONAL_ALL.match(text))
    by_the_way = told_by_the_way(text)
    conditional = not optional and not by_the_way and bool(_CONDITION.match(text))
    text = _OPTIONAL.sub("", text)
    text = offered(text) if is_offer else _MUST.sub("", text)
    make = Maker(masked, step, optional or bool(_MODAL.search(text)), conditional, phrase)
    if not make.optional:
        text = by_the_way or done_by(text)
    if in_order(text, *_PAIRS):
        lead = text.partition(",")[0]
        yield from lead_of(lead, make)[0] if is_lead(lead) else []
        yield make(K.SET_PAIR)
        return
    if once_more := same_again(text, make):
        yield once_more
        return
    if again(text, "") and not re.search(LABEL, text):
        yield make(K.REPEAT, thing=text)
        return
    if _EXAMPLE.match(text):
        yield make(K.INFORM)
        return
    text, later = _then_if(text)
    openings, text = gone_to_first(text, make)
    yield from openings
    row = ""
    for part in parts_of(text):
        intents = list(_part(part, make, row))
        row = next((i.place.row for i in reversed(intents) if i.place.row), row)
        yield from intents
    for intent in _part(later, make, row) if later else ():
        yield replace(intent, is_conditional=True)


_TURNED = re.compile(
    rf"(?P<before>\b(?:toggle|flip|flick|slide|turn|move) [^.,;]*? to (?:the )?)(?P<mark>{MARK})",
    re.I,
)
_EXAMPLE = re.compile(r"^(?:for example|for instance|e\.g\.|as an alternative\b)", re.I)
_LATER = re.compile(
    r"(?<=\S)(?:[;,]|\s[–—-]|\.) (?:and |but |or )?(?P<if>(?:if|unless|in case) [^,;]*,|otherwise,?|if not,?|or else,?|to [a-z]+ [^,;]*,)",
    re.I,
)


def _then_if(text: str) -> tuple[str, str]:
    """What a sentence asks for, and what only on a condition that it comes to later."""
    m = _LATER.search(text)
    is_aside = (
        m is not None and m.group().startswith(",") and m.group("if").lower().startswith("to ")
    )
    if (
        m is None
        or is_aside
        or not re.search(rf"{MARK}|\b(?:it|them)\b|.(?=;)", text[: m.start() + 1])
    ):
        return text, ""
    return text[: m.start()], text[m.end() :].strip()


def _part(text: str, make: Maker, row: str) -> Iterator[Intent]:
    """The intents of a sentence, or of a part of one that says anew where to look."""
    cuts = list(_CUT.finditer(text))
    first = text[: cuts[0].start()] if cuts else ""
    is_soft = bool(_SOFT.match(first)) or bool(cuts and cuts[0].group("sep").startswith(";"))
    if not cuts or (cuts[0].start() > 0 and not is_lead(first) and not is_soft):
        yield from _unasked(text, make)
        return
    place = Place()
    if lead := "" if is_soft else first.strip(" ,"):
        openings, place = lead_of(lead, make)
        yield from openings
    if row and not place.row:
        place = replace(place, row=row)
    ends = [m.start() for m in cuts[1:]] + [len(text)]
    if all(map(_is_other, cuts)):  # and to what is it the other?
        yield make(K.UNCLEAR, thing=text[cuts[0].end() :], place=place)
        return
    is_other = False
    for cut, end in zip(cuts, ends, strict=True):
        joint = cut.group("sep").strip()
        # "click A, or select B then click C": C belongs to B
        is_other = _is_other(cut) or (is_other and not joint.startswith((",", ";")))
        if is_other:
            continue  # an alternative to what has just been done
        words = text[cut.end() : end].strip(" ,;.")
        match = _CLAUSE.match(words)
        if match:
            verb, rest = match.group("verb").lower(), match.group("rest")
            if verb == "return to" and cut is not cuts[0] and not re.search(LABEL, rest):
                continue  # where what was clicked before leads
            intents = _bound(verb, rest, place, make)
            if re.match(r"(?:then |also )?optionally\b", words, re.I):
                intents = [replace(i, is_optional=True) for i in intents]
            place = _carried(place, intents)
            yield from _in_navigation(intents) if in_navigation(f"{lead} {words}") else intents


def _is_other(cut: re.Match[str]) -> bool:
    """Whether an alternative to what has just been said begins there."""
    return cut.group("sep").strip(" ,;").lower() == "or"


def _bound(verb: str, rest: str, place: Place, make: Maker) -> list[Intent]:
    """The intents of a clause, with the condition that stands at its end."""
    if verb in _KNOWS:
        return list(clause(verb, rest, place, make))
    if left := _AS_LIKED.search(rest):
        intents = clause(verb, rest[: left.start()], place, make)
        return [replace(i, is_optional=True) for i in intents]
    rest, has_condition = _unconditioned(rest)
    intents = clause(verb, rest, place, make)
    return [replace(i, is_conditional=i.is_conditional or has_condition) for i in intents]


_KNOWS = frozenset({*(verbs.VERIFY + verbs.LOOK + verbs.LEAVE).en, "check", "find"})
"""Before "if" they ask whether something is so, or say what is so."""
_AS_LIKED = re.compile(
    r",? \(?if (?:you (?:want|like|wish|prefer|need)(?: (?:it|one|to))?|desired|wanted)\)?\W*$",
    re.I,
)
_TRAILING = re.compile(
    rf",? \(?(?:only )?(?P<word>if|unless|in case|(?:where|when|as) (?:{one_of(values.NEEDED.en)}))\b[^,;]*$",
    re.I,
)


_OTHERWISE = re.compile(rf",? or (?:the )?{LABEL}[^,]*$", re.I)


def _unconditioned(words: str) -> tuple[str, bool]:
    """A clause without what follows "… if you need more security", and whether it has to hold."""
    m = _TRAILING.search(words)
    if m is None:
        return words, False
    rest = words[: m.start()]
    if other := _OTHERWISE.search(rest):  # it is the condition of the alternative
        return rest[: other.start()], False
    return rest, m.group("word").lower() != "unless"


def _in_navigation(intents: list[Intent]) -> Iterator[Intent]:
    """What is clicked in the navigation is an entry of it, not a button or tab of the same name."""
    for intent in intents:
        is_open = intent.kind is K.OPEN and intent.noun in _ENTRIES
        yield replace(intent, noun="place") if is_open else intent


_ENTRIES = ("", "choice", "link", "entry", "item", "menu item")
"""What texts call entries of the navigation."""
_OFFERS = re.compile(
    r"^you (?:can|may|could)(?: also| now| optionally| then)* (?P<rest>(?:add|enter|type|specify|provide|choose|select) (?:an?|your) .*)$",
    re.I,
)


def _offered(text: str, make: Maker) -> Iterator[Intent]:
    """A field that can be filled in: "You can also enter a **Description**"."""
    m = _OFFERS.match(text)
    intents = list(_part(m.group("rest"), make, "")) if m else []
    is_open = all(i.kind in (K.FILL, K.CHOOSE) and i.value is None for i in intents)
    yield from (replace(i, is_optional=True) for i in intents if is_open)


def _unasked(text: str, make: Maker) -> Iterator[Intent]:
    """A sentence without an instruction: a claim, or "In the X tab, you can …", which still leads there."""
    left_open = list(_offered(text, make))
    if left_open:
        yield from left_open
        return
    lead, comma, rest = text.partition(",")
    if comma and is_lead(lead) and _MODAL.search(rest) and not make.conditional:
        openings, _ = lead_of(lead, make)
        yield from (replace(o, is_optional=False) for o in openings)
    elif text.endswith(":") and is_lead(text) and not make.conditional:
        yield from lead_of(text, make)[0]
        return
    yield from declarative(text, make)


def _carried(place: Place, intents: list[Intent]) -> Place:
    """A row named in one clause is meant in the next as well."""
    for intent in intents:
        is_searched = intent.kind is K.FILL and intent.noun == "search" and intent.thing
        if intent.kind is K.PICK or intent.gesture is Gesture.HOVER or is_searched:
            place = replace(place, row="" if intent.thing in PRONOUNS else intent.thing)
        if intent.kind in (K.PICK, K.CHOOSE):  # where to choose was said for this choice
            place = replace(place, field=None, section=None, in_menu=False)
        if intent.kind in (K.OPEN, K.OPEN_MENU):
            is_menu = intent.kind is K.OPEN_MENU or "menu" in intent.noun
            place = Place(row=place.row, in_menu=is_menu)
    return place

"""Reads English console prose into intents.

A sentence is split into clauses at its imperative verbs. What precedes the first verb ("In the X
dialog box,") says where to look. Each clause is read by the rule of its verb.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from appliance.core.procedure import Sentence
from appliance.language import values, verbs
from appliance.language.names import plain
from appliance.language.words import one_of
from appliance.policy.literal.read.english_claims import read_claims
from appliance.policy.literal.read.english_places import is_lead, lead_of, noun_phrase
from appliance.policy.literal.read.english_shape import (
    implied_click,
    in_navigation,
    means_as_imperative,
    offer_as_imperative,
    path_opened_first,
    repeated_for_label,
    split_by_place,
    strip_optional_mark,
    tidy,
    without_marked_verb,
)
from appliance.policy.literal.read.english_verbs import asks_to_repeat, read_verb_clause
from appliance.policy.literal.read.intents import PRONOUNS, Gesture, Intent, IntentKind, Place
from appliance.policy.literal.read.maker import IntentMaker
from appliance.policy.literal.read.masking import (
    LABEL,
    MARK,
    found_in_order,
    mask,
    with_plain_states,
)
from appliance.policy.literal.read.uploads import with_uploads

K = IntentKind

_VERBS = one_of(verbs.IMPERATIVES.en)


_VERB_START = rf"(?:please |then |also |next,? |now |finally,? |first,? |again,? |just |simply |optionally,? )*(?:{_VERBS})\b"


_NAMED_VERB_START = _VERB_START.replace(f"(?:{_VERBS})", f"(?P<verb>{_VERBS})")


_NOUN_VERBS = one_of(verbs.ALSO_NOUNS.en)
"""Verbs that are more often nouns: they start a clause only at the beginning of a sentence."""


_CLAUSE_START = re.compile(
    rf"(?P<sep>^\W*(?=(?:{_VERB_START}))|(?:[,;]? and then |[,;]? and |[,;] then |[,;] (?:but |or )?|\s+then |\s+or "
    rf"|(?:(?<=column)|(?<=dialog)|(?<=window)|(?<= tab)|(?<= box)|(?<=menu)|(?<=list)|(?<=page)) (?=click|select|choose|enter))"
    rf"(?=(?:{_VERB_START}))(?!(?:{_NOUN_VERBS})\b(?! (?:the|your|this|its)\b| {LABEL})))",
    re.IGNORECASE,
)


_CLAUSE = re.compile(rf"^(?:or )?{_NAMED_VERB_START}\s*(?P<rest>.*)$", re.IGNORECASE | re.DOTALL)


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
"""Makes everything optional that the sentence asks for."""
_KEY_VALUE_WORDS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:customize|add|enter|specify|set)\b",
        r"\b(?:keys?|tags?|labels?)\b",
        r"\bvalues?\b",
    )
)
"""Must all occur, in this order, in a sentence about a key and its value."""
_CONDITION = re.compile(
    r"^(?:if|when|in case|unless|should (?:you|the|your|this|an?)|provided|whenever|as long as|for (?:some|other) cases?|for (?:somebody|someone|anybody|those|people) who)\b",
    re.IGNORECASE,
)
_ASKS_ATTENTION = re.compile(
    r"^(?:please )?(?:have|take|look|think|read|remember|mind|consider|compare|notice|be|let|count)\b",
    re.I,
)
"""Openings that only ask for attention: they say neither where nor when to do what follows."""
_PART_OF_A_NAME = re.compile(r"\b(?:part|letters?|characters?|beginning|start|few|some)\b", re.I)
_PRONOUN = re.compile(r"^(?:it|them|that one|one|the match|match|entry|suggestion)?$", re.I)


def read(sentence: Sentence, step: str) -> Iterator[Intent]:
    """Read the intents of one English sentence."""
    yield from _join_typing_and_choosing(list(_read_sentence(sentence, step)))


def read_offered(sentence: Sentence, step: str) -> Iterator[Intent]:
    """Read a sentence as `read` does, and take an offer ("You can …") for an instruction.

    For texts that give no other instruction.
    """
    yield from _join_typing_and_choosing(list(_read_sentence(sentence, step, is_offer=True)))


def _join_typing_and_choosing(intents: list[Intent]) -> Iterator[Intent]:
    """Merge "Type a part of the name in **X** and select it" into one choice in one field."""
    typed: Intent | None = None
    for intent in with_uploads(intents):
        if typed is not None:
            choice = _combined_choice(typed, intent)
            if choice is None:
                yield typed
            intent, typed = choice or intent, None
        if intent.kind is K.FILL and (intent.label or intent.place.field or intent.thing):
            typed = intent
        else:
            yield intent
    if typed is not None:
        yield typed


def _combined_choice(typed: Intent, selected: Intent) -> Intent | None:
    """The choice that typing and selecting amount to; None if they are separate instructions."""
    field = typed.label or typed.place.field
    # "In the **New** box, type the name, select the kind": both are in the box
    are_separate = (
        typed.value is None and selected.thing and not _PART_OF_A_NAME.search(typed.thing)
    )
    is_same = field is not None and selected.place.field == field and not are_separate
    is_pronoun = bool(_PRONOUN.match(selected.thing)) and selected.value is None
    if selected.kind not in (K.CHOOSE, K.PICK) or not (is_same or is_pronoun):
        return None
    if field is None:
        return typed if selected.kind is K.PICK and selected.thing else None
    if not is_pronoun:
        return replace(selected, kind=K.CHOOSE, place=replace(selected.place, field=field))
    place = replace(typed.place, field=field)
    return replace(typed, kind=K.CHOOSE, label=None, place=place)


def _read_sentence(sentence: Sentence, step: str, *, is_offer: bool = False) -> Iterator[Intent]:
    if (unmarked := without_marked_verb(sentence)) is not sentence:
        yield from _read_sentence(unmarked, step, is_offer=is_offer)
        return
    masked = mask(sentence)
    text_with_states = with_plain_states(masked, _TURNED_TO_STATE, "on", "off")
    is_marked, text = strip_optional_mark(masked, tidy(text_with_states.strip()))
    optional = is_marked or bool(_OPTIONAL.match(text) or _OPTIONAL_ALL.match(text))
    click_text = implied_click(text)
    conditional = not optional and not click_text and bool(_CONDITION.match(text))
    text = _OPTIONAL.sub("", text)
    text = offer_as_imperative(text) if is_offer else _MUST.sub("", text)
    make = IntentMaker(
        masked, step, optional or bool(_MODAL.search(text)), conditional, noun_phrase
    )
    if not make.optional:
        text = click_text or means_as_imperative(text)
    if found_in_order(text, *_KEY_VALUE_WORDS):
        lead = text.partition(",")[0]
        yield from lead_of(lead, make)[0] if is_lead(lead) else []
        yield make(K.SET_PAIR)
        return
    if sent := _only_sent(text, make):
        yield sent
        return
    if repetition := repeated_for_label(text, make):
        yield repetition
        return
    if asks_to_repeat(text, "") and not re.search(LABEL, text):
        yield make(K.REPEAT, thing=text)
        return
    if _EXAMPLE.match(text):
        yield make(K.INFORM)
        return
    text = _AFTER_A_CLICK.sub(r"click \g<what>, and then ", text)
    text, conditional_text = _split_later_condition(text)
    openings, text = path_opened_first(text, make)
    yield from openings
    row = ""
    for part in split_by_place(text):
        intents = list(_read_part(part, make, row))
        row = next((i.place.row for i in reversed(intents) if i.place.row), row)
        yield from intents
    for intent in _read_part(conditional_text, make, row) if conditional_text else ():
        yield replace(intent, is_conditional=True)


_AFTER_A_CLICK = re.compile(
    r"^after (?:clicking|pressing|you (?:have )?(?:click|press)(?:ed)?)(?: on)? "
    rf"(?P<what>(?:the |your )?{LABEL}[^,]*), (?=(?:{_VERB_START}))",
    re.IGNORECASE,
)
"""As "After clicking **Add**, click **Manually**", which asks for both clicks."""
_SENDS = frozenset(map(plain, (verbs.SAVES + verbs.GO_ON + verbs.FINISH).en))


def _only_sent(text: str, make: IntentMaker) -> Intent | None:
    """The click that a step is which only names the button that sends a form: "**Save**"."""
    is_label = re.fullmatch(rf"(?P<mark>{LABEL})[.;]?", text.strip())
    label = make.masked.mark(is_label["mark"]) if is_label else None
    return make(K.OPEN, label) if label is not None and plain(label.text) in _SENDS else None


_TURNED_TO_STATE = re.compile(
    rf"(?P<before>\b(?:toggle|flip|flick|slide|turn|move) [^.,;]*? to (?:the )?)(?P<mark>{MARK})",
    re.I,
)
_EXAMPLE = re.compile(r"^(?:for example|for instance|e\.g\.|as an alternative\b)", re.I)
_LATER_CONDITION = re.compile(
    r"(?<=\S)(?:[;,]|\s[–—-]|\.) (?:and |but |or )?(?P<if>(?:if|unless|in case) [^,;]*,|otherwise,?|if not,?|or else,?|to [a-z]+ [^,;]*,)",
    re.I,
)


def _split_later_condition(text: str) -> tuple[str, str]:
    """Split off what the sentence asks for only under a condition at its end ("…; otherwise, …")."""
    match = _LATER_CONDITION.search(text)
    is_aside = (
        match is not None
        and match.group().startswith(",")
        and match.group("if").lower().startswith("to ")
    )
    if (
        match is None
        or is_aside
        or not re.search(rf"{MARK}|\b(?:it|them)\b|.(?=;)", text[: match.start() + 1])
    ):
        return text, ""
    return text[: match.start()], text[match.end() :].strip()


def _read_part(text: str, make: IntentMaker, row: str) -> Iterator[Intent]:
    """Read a sentence, or the part of one from where it says anew where to look."""
    clause_starts = list(_CLAUSE_START.finditer(text))
    before_verb = text[: clause_starts[0].start()] if clause_starts else ""
    asks_attention = bool(_ASKS_ATTENTION.match(before_verb)) or bool(
        clause_starts and clause_starts[0].group("sep").startswith(";")
    )
    if not clause_starts or (
        clause_starts[0].start() > 0 and not is_lead(before_verb) and not asks_attention
    ):
        yield from _read_without_instruction(text, make)
        return
    place = Place()
    if lead := "" if asks_attention else before_verb.strip(" ,"):
        openings, place = lead_of(lead, make)
        yield from openings
    if row and not place.row:
        place = replace(place, row=row)
    ends = [m.start() for m in clause_starts[1:]] + [len(text)]
    if all(map(_is_alternative, clause_starts)):  # an alternative to nothing in this text
        yield make(K.UNCLEAR, thing=text[clause_starts[0].end() :], place=place)
        return
    is_alternative = False
    for clause_start, end in zip(clause_starts, ends, strict=True):
        separator = clause_start.group("sep").strip()
        # "click A, or select B then click C": C belongs to B
        is_alternative = _is_alternative(clause_start) or (
            is_alternative and not separator.startswith((",", ";"))
        )
        if is_alternative:
            continue  # an alternative to the clause before
        words = text[clause_start.end() : end].strip(" ,;.")
        match = _CLAUSE.match(words)
        if match:
            verb, rest = match.group("verb").lower(), match.group("rest")
            if (
                verb == "return to"
                and clause_start is not clause_starts[0]
                and not re.search(LABEL, rest)
            ):
                continue  # only says where the click before it leads
            intents = _read_clause(verb, rest, place, make)
            if re.match(r"(?:then |also )?optionally\b", words, re.I):
                intents = [replace(i, is_optional=True) for i in intents]
            place = _carry_place(place, intents)
            yield from (
                _as_navigation_entries(intents) if in_navigation(f"{lead} {words}") else intents
            )


def _is_alternative(cut: re.Match[str]) -> bool:
    """Whether the clause is an alternative to the one before it ("or …")."""
    return cut.group("sep").strip(" ,;").lower() == "or"


def _read_clause(verb: str, rest: str, place: Place, make: IntentMaker) -> list[Intent]:
    """Read a clause and apply the condition at its end: "… if you like", "… unless …"."""
    if verb in _CHECKING_VERBS:
        return list(read_verb_clause(verb, rest, place, make))
    if as_liked := _AS_LIKED.search(rest):
        intents = read_verb_clause(verb, rest[: as_liked.start()], place, make)
        return [replace(i, is_optional=True) for i in intents]
    rest, has_condition = _strip_condition(rest)
    intents = read_verb_clause(verb, rest, place, make)
    return [replace(i, is_conditional=i.is_conditional or has_condition) for i in intents]


_CHECKING_VERBS = frozenset({*(verbs.VERIFY + verbs.LOOK + verbs.LEAVE).en, "check", "find"})
"""With these, "if" introduces what to check, and no condition."""
_AS_LIKED = re.compile(
    r",? \(?if (?:you (?:want|like|wish|prefer|need)(?: (?:it|one|to))?|desired|wanted)\)?\W*$",
    re.I,
)
_TRAILING_CONDITION = re.compile(
    rf",? \(?(?:only )?(?P<word>if|unless|in case|(?:where|when|as) (?:{one_of(values.NEEDED.en)}))\b[^,;]*$",
    re.I,
)


_ALTERNATIVE = re.compile(rf",? or (?:the )?{LABEL}[^,]*$", re.I)


def _strip_condition(words: str) -> tuple[str, bool]:
    """Strip a condition off the end of a clause, and say whether the clause depends on it.

    It does not where the condition belongs to an alternative, or begins with "unless".
    """
    condition = _TRAILING_CONDITION.search(words)
    if condition is None:
        return words, False
    rest = words[: condition.start()]
    if alternative := _ALTERNATIVE.search(rest):  # the condition belongs to the alternative
        return rest[: alternative.start()], False
    return rest, condition.group("word").lower() != "unless"


def _as_navigation_entries(intents: list[Intent]) -> Iterator[Intent]:
    """Mark clicks as meant for navigation entries, not for a button or tab of the same name."""
    for intent in intents:
        is_open = intent.kind is K.OPEN and intent.noun in _ENTRY_NOUNS
        yield replace(intent, noun="place") if is_open else intent


_ENTRY_NOUNS = ("", "choice", "link", "entry", "item", "menu item")
"""Nouns that texts use for entries of the navigation."""
_OFFERS_FIELD = re.compile(
    r"^you (?:can|may|could)(?: also| now| optionally| then)* (?P<rest>(?:add|enter|type|specify|provide|choose|select) (?:an?|your) .*"
    r"|(?:select|tick|check|choose) the [a-z][a-z ]*? to [a-z]+\b.*)$",
    re.I,
)


def _optional_fields(text: str, make: IntentMaker) -> Iterator[Intent]:
    """Read an offered field ("You can also enter a **Description**"); nothing if a value is given."""
    match = _OFFERS_FIELD.match(text)
    intents = list(_read_part(match.group("rest"), make, "")) if match else []
    has_no_value = all(i.kind in (K.FILL, K.CHOOSE, K.PICK) and i.value is None for i in intents)
    yield from (replace(i, is_optional=True) for i in intents if has_no_value)


def _read_without_instruction(text: str, make: IntentMaker) -> Iterator[Intent]:
    """Read a sentence without an instruction: a claim, or a place to go to ("In the X tab, you can …")."""
    optional_fields = list(_optional_fields(text, make))
    if optional_fields:
        yield from optional_fields
        return
    lead, comma, rest = text.partition(",")
    if comma and is_lead(lead) and _MODAL.search(rest) and not make.conditional:
        openings, _ = lead_of(lead, make)
        yield from (replace(o, is_optional=False) for o in openings)
    elif text.endswith(":") and is_lead(text) and not make.conditional:
        yield from lead_of(text, make)[0]
        return
    yield from read_claims(text, make)


def _carry_place(place: Place, intents: list[Intent]) -> Place:
    """The place for the next clause, which means the row that this clause named."""
    for intent in intents:
        is_searched = intent.kind is K.FILL and intent.noun == "search" and intent.thing
        if intent.kind is K.PICK or intent.gesture is Gesture.HOVER or is_searched:
            place = replace(place, row="" if intent.thing in PRONOUNS else intent.thing)
        if intent.kind in (K.PICK, K.CHOOSE):  # the field was given for this choice only
            place = replace(place, field=None, section=None, in_menu=False)
        if intent.kind in (K.OPEN, K.OPEN_MENU):
            is_menu = intent.kind is K.OPEN_MENU or "menu" in intent.noun
            place = Place(row=place.row, in_menu=is_menu)
    return place

"""English sentences that ask for nothing: claims about what the console shows."""

import re
from collections.abc import Iterator
from dataclasses import replace

from appliance.language import nouns
from appliance.language.words import in_text, one_of
from appliance.policy.literal.read.intents import Intent, IntentKind, Place
from appliance.policy.literal.read.maker import IntentMaker
from appliance.policy.literal.read.masking import LABEL, MARK

K = IntentKind

_CAN_APPEAR = one_of(nouns.CAN_APPEAR.en)

_APPEARS = re.compile(
    rf"(?P<mark>{LABEL})(?:\s*:?\s*{MARK})?\s+(?P<noun>{_CAN_APPEAR})\s+"
    r"(?:will )?(?:appears?|opens?|is (?:displayed|shown|opened)|shows up|open|appear)",
    re.I,
)


_NAMED_APPEARS = re.compile(
    rf"\b(?P<noun>dialog box|dialog|window|wizard|panel|form|drawer) (?P<mark>{LABEL})\s+"
    r"(?:will )?(?:appears?|opens?|is (?:displayed|shown|opened)|shows up)",
    re.I,
)
_OPENS = re.compile(
    rf"(?:which|this|that|it)\s+(?:will )?(?:opens?|displays?|shows?|brings up)\s+(?:the |a |an )?(?P<mark>{LABEL})"
    rf"(?:\s+(?P<noun>{_CAN_APPEAR}))?",
    re.I,
)


_SHOWS = re.compile(
    rf"\b(?:the )?(?P<mark>{LABEL}) (?P<noun>dialog box|dialog|window|panel|drawer) "
    r"(?:shows|has|lists|contains|displays|reminds|asks|warns|says)\b"
    rf"|\bthe (?P<noun2>dialog box|dialog|window|panel|drawer) (?P<mark2>{LABEL}) "
    r"(?:shows|has|lists|contains|displays|reminds|asks|warns|says)\b",
    re.I,
)
_COLUMN = re.compile(
    rf"\b(?:the )?(?P<mark>{LABEL}) column (?:shows|lists|displays|contains|says|has|tells|names|holds|gives)\b",
    re.I,
)
_HAS_COLUMN = re.compile(
    rf"\bthe (?:list|table) (?:shows|lists|displays|tells|says)\b[^{MARK[1:-1]}.;]{{0,40}}"
    rf"\bin the (?P<mark>{LABEL}) column\b"
    rf"|\bthe (?:list|table) has an? (?P<mark2>{LABEL}) column\b"
    rf"|\b(?:is|are) (?:shown|listed|displayed) in the (?P<mark3>{LABEL}) column\b",
    re.I,
)
_IN_COLUMN = re.compile(rf"\bin the (?P<mark>{LABEL}) column\b", re.I)
_PART_BREAK = re.compile(
    r"[;,](?: and)? (?=the |its |a |after |it |in )|,? and (?=the |its |a message)", re.I
)
_MESSAGE = re.compile(
    rf"\b(?:message|notice|notification|toast|banner|alert)\b[^{MARK[1:-1]}]*(?P<mark>{MARK})"
    rf"|\b(?:saying|reading|that (?:says|reads)) (?P<mark3>{MARK})"
    rf"|\bthe (?:console|page|system) (?:then |now )?(?:says|reports|confirms)[:,]? (?P<mark2>{LABEL})",
    re.I,
)


_STATUS = re.compile(
    rf"\b(?:status|state)\b[^{MARK[1:-1]}]{{0,40}}(?P<mark>{MARK})"
    rf"|(?:becomes|turns|changes to|shows?)\s+(?P<mark2>{MARK})"
    rf"|\b(?:goes|passes|moves|changes|switches) from (?P<mark3>{MARK})(?= to {MARK})",
    re.I,
)


_FIELDS_STATED = re.compile(
    rf"^(?:the )?(?P<labels>{LABEL}(?:(?:, and |, | and ){LABEL})*) (?:fields?|boxe?s?|options?)\s+(?:is|are)\b",
    re.I,
)


_DEFAULT_VALUE = re.compile(
    rf"^(?:the )?(?P<field>{LABEL}) (?:field |list |box )?is (?P<mark>{MARK}) by default\W*$"
    rf"|^the default (?:value )?(?:of|for) (?:the )?(?P<field2>{LABEL})(?: field| list| box)? is (?P<mark2>{MARK})\W*$"
    rf"|^by default,? (?:the )?(?P<field3>{LABEL}) (?:field |list |box )?is (?:set to )?(?P<mark3>{MARK})\W*$",
    re.I,
)
_TAB_SHOWS = re.compile(
    rf"^the (?P<mark>{LABEL}) (?:tab|category) (?:shows|lists|displays)\b", re.I
)
_UNKNOWN_VERB = re.compile(
    r"^(?:(?:then|now|next|first|finally),? )?(?P<verb>[a-z]+(?:-[a-z]+)?(?<!ing)(?<!ed)(?<![^su]s))"
    r" (?:(?:up|out|in|on|off|down) )?"
    rf"(?:(?:the|an?|your|all|each|every|this|these|those|it|them|another|two|three)\b|{MARK})",
    re.I,
)
"""An unknown word in the place of a verb, and its object: "Frobnicate the server"."""
_NOUN_STATEMENT = re.compile(
    r"^[a-z]+ (?:in|on|of) (?:the|this|these|that|your) [\w -]+?"
    r" (?:contains?|shows?|lists?|displays?|has|have|holds?|includes?|is|are)\b",
    re.I,
)
"""Matches a statement that begins with a noun: "List in this view contains all users"."""
_NEVER_IMPERATIVE = frozenset(
    in_text(
        """
    the a an any all each every some this that these those another one no my our your his her
    its about above across after against along although among and around as at because before
    behind below beneath beside besides between beyond both but by despite down during either
    else even except for from how however if in inside instead into just like near neither nor
    not of off on once only onto or otherwise out outside over past per plus rather since so
    still such than then there therefore though through thus till to toward towards under
    underneath unless unlike until up upon via what when where whereas whether which while who
    whose why with within without yet you we they he she it i here also too now are be can could
    did do does had has have is may might must shall should was were will would assume avoid
    compare consider expect ignore imagine keep leave let look mind note notice read recall
    remember see suppose take think understand watch
        """
    )
)
_STATING_VERB = re.compile(r"\b(?:is|are|was|were|has|have|will|can|may|must|should)\b", re.I)
_LONE_TITLE = re.compile(
    rf"^(?:(?:in|go to|open) )?(?P<mark>{LABEL})\s*(?P<noun>tab|page|section|panel|step)?\s*[:.]?$",
    re.I,
)


_SUBJECT_OF_CLAIM = re.compile(
    r"\b(?:message|notice|notification|status|state|row|column|dialog|window|panel)\b",
    re.IGNORECASE,
)
"""A part of a sentence that contains one of these is a claim of its own."""


def _asks_for_action(text: str) -> bool:
    """Whether an unknown verb asks for an action; text that ends with ":" only introduces what follows."""
    match = _UNKNOWN_VERB.match(text)
    if (
        match is None
        or text.endswith(":")
        or _STATING_VERB.search(text)
        or _NOUN_STATEMENT.match(text)
    ):
        return False
    return match.group("verb").lower() not in _NEVER_IMPERATIVE


def read_claims(text: str, make: IntentMaker) -> Iterator[Intent]:
    """Read what a sentence claims that the console shows; it only informs if it claims nothing."""
    parts = [part for part in _PART_BREAK.split(text) if re.search(MARK, part)]
    are_distinguishable = len(parts) > 1 and all(map(_SUBJECT_OF_CLAIM.search, parts))
    claims_by_part = (
        [list(_read_claim(part, make)) for part in parts] if are_distinguishable else []
    )
    if len(claims_by_part) > 1 and all(
        claim.kind in _CLAIM_KINDS for intents in claims_by_part for claim in intents
    ):
        for intents in claims_by_part:
            yield from intents
    else:
        yield from _read_claim(text, make)


_CLAIM_KINDS = frozenset({K.EXPECT_TEXT, K.EXPECT_OPEN, K.EXPECT_FIELD})


def _read_claim(text: str, make: IntentMaker) -> Iterator[Intent]:
    if m := _LONE_TITLE.match(text):
        noun = (m.group("noun") or "").lower()
        noun = noun or ("page" if make.masked.mark(m.group("mark")).parts else "")
        yield make(
            K.OPEN if noun in ("tab", "step", "page", "panel") else K.INFORM,
            m.group("mark"),
            noun=noun,
        )
        return
    if make.conditional or (make.optional and not _FIELDS_STATED.match(text)):
        yield make(K.INFORM)
        return
    if m := _DEFAULT_VALUE.match(text):
        field = m.group("field") or m.group("field2") or m.group("field3")
        value = m.group("mark") or m.group("mark2") or m.group("mark3")
        yield make(K.EXPECT_DEFAULT, field, value=value)
    elif m := _TAB_SHOWS.match(text):
        yield replace(make(K.OPEN, m.group("mark"), noun="tab"), is_optional=True)
    elif opening := _read_opening(text, make):
        yield opening
    else:
        yield from _read_shown(text, make)


def _read_opening(text: str, make: IntentMaker) -> Intent | None:
    """Read a claim that a window opens or is open."""
    if m := _APPEARS.search(text) or _NAMED_APPEARS.search(text) or _OPENS.search(text):
        return make(K.EXPECT_OPEN, m.group("mark"), noun=m.group("noun") or "")
    if m := _SHOWS.search(text):
        noun = m.group("noun") or m.group("noun2")
        return make(K.EXPECT_OPEN, m.group("mark") or m.group("mark2"), noun=noun, thing=SHOWS)
    return None


def _read_shown(text: str, make: IntentMaker) -> Iterator[Intent]:
    """Read a claim about columns, messages, fields or states that are shown."""
    if m := _COLUMN.search(text):
        yield make(K.EXPECT_FIELD, m.group("mark"), noun="column")
    elif m := _HAS_COLUMN.search(text):
        yield make(K.EXPECT_FIELD, m[m.lastgroup or 0], noun="column")
    elif m := _MESSAGE.search(text):
        yield make(K.EXPECT_TEXT, m[m.lastgroup or 0], noun="message")
    elif m := _FIELDS_STATED.match(text):
        for mark in re.findall(LABEL, m.group("labels")):
            yield make(K.EXPECT_FIELD, mark, noun="field")
    elif m := _STATUS.search(text):
        yield from _read_states(text, make)
    elif _asks_for_action(text):
        yield make(K.UNCLEAR, thing=text.strip(" ."))
    else:
        yield make(K.INFORM)


SHOWS = "shows"
"""Thing of a claim about a window that should be open already: without one, nothing is missing."""
_CHANGES = re.compile(
    rf"\b(?:status|state)\b[^{MARK[1:-1]}]{{0,40}}(?P<mark>{MARK})"
    rf"|\b(?:becomes|turns|changes to)\s+(?P<mark2>{MARK})"
    rf"|\b(?:and|then)(?: back)?(?:,[^,;]{{1,30}},)? (?:back )?to (?P<mark3>{MARK})"
    rf"|\bthen (?P<mark4>{MARK})|(?<=from {MARK}) to (?P<mark5>{MARK})",
    re.I,
)


def _read_states(text: str, make: IntentMaker) -> Iterator[Intent]:
    """Read all states that the sentence names, in its order ("to **A**, and then to **B**")."""
    column = _IN_COLUMN.search(text)
    place = Place(column=make.masked.mark(column.group("mark"))) if column else Place()
    first_match = _STATUS.search(text)
    starts = {first_match.start(first_match.lastgroup or 0)} if first_match else set[int]()
    starts |= {
        m.start(m.lastgroup or 0) for m in _CHANGES.finditer(text, min(starts, default=0) + 1)
    }
    for start in sorted(starts):
        if column is None or text[start] != column.group("mark"):
            yield make(K.EXPECT_TEXT, text[start], noun="status", thing=text, place=place)

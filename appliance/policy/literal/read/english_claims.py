"""English sentences that ask for nothing: claims about what the console shows."""

import re
from collections.abc import Iterator
from dataclasses import replace

from appliance.policy.literal.read.intents import Intent, IntentKind
from appliance.policy.literal.read.maker import Maker
from appliance.policy.literal.read.masking import LABEL, MARK

K = IntentKind

_APPEARS = re.compile(
    rf"(?P<mark>{LABEL})(?:\s*:?\s*{MARK})?\s+(?P<noun>dialog box|dialog|window|page|wizard|panel|form|drawer)\s+"
    r"(?:will )?(?:appears?|opens?|is (?:displayed|shown|opened)|shows up|open|appear)",
    re.I,
)


_NAMED = re.compile(
    rf"\b(?P<noun>dialog box|dialog|window|wizard|panel|form|drawer) (?P<mark>{LABEL})\s+"
    r"(?:will )?(?:appears?|opens?|is (?:displayed|shown|opened)|shows up)",
    re.I,
)
_OPENS = re.compile(
    rf"(?:which|this|that|it)\s+(?:will )?(?:opens?|displays?|shows?|brings up)\s+(?:the |a |an )?(?P<mark>{LABEL})"
    r"(?:\s+(?P<noun>dialog box|dialog|window|page|wizard|panel|form|drawer))?",
    re.I,
)


_MESSAGE = re.compile(
    rf"\b(?:message|notice|notification|toast|banner|alert)\b[^{MARK[1:-1]}]*(?P<mark>{MARK})", re.I
)


_STATUS = re.compile(
    rf"\b(?:status|state)\b[^{MARK[1:-1]}]{{0,40}}(?P<mark>{MARK})"
    rf"|(?:becomes|turns|changes to|shows?)\s+(?P<mark2>{MARK})",
    re.I,
)


_FIELDS_ARE = re.compile(
    rf"^(?:the )?(?P<labels>{LABEL}(?:(?:, and |, | and ){LABEL})*) (?:fields?|boxe?s?|options?)\s+(?:is|are)\b",
    re.I,
)


_TAB_SHOWS = re.compile(
    rf"^the (?P<mark>{LABEL}) (?:tab|category) (?:shows|lists|displays)\b", re.I
)
_ASKS = re.compile(
    r"^(?:(?:then|now|next|first|finally),? )?(?P<verb>[a-z]+(?:-[a-z]+)?(?<!ing)(?<!ed)(?<![^su]s))"
    r" (?:(?:up|out|in|on|off|down) )?"
    rf"(?:(?:the|an?|your|all|each|every|this|these|those|it|them|another|two|three)\b|{MARK})",
    re.I,
)
"""A word that nobody knows and what it is to be done to: "Frobnicate the server"."""
_ASKS_NOTHING = frozenset(
    [
        "the",
        "a",
        "an",
        "any",
        "all",
        "each",
        "every",
        "some",
        "this",
        "that",
        "these",
        "those",
        "another",
        "one",
        "no",
        "my",
        "our",
        "your",
        "his",
        "her",
        "its",
        "about",
        "above",
        "across",
        "after",
        "against",
        "all",
        "along",
        "although",
        "among",
        "and",
        "around",
        "as",
        "at",
        "because",
        "before",
        "behind",
        "below",
        "beneath",
        "beside",
        "besides",
        "between",
        "beyond",
        "both",
        "but",
        "by",
        "despite",
        "down",
        "during",
        "either",
        "else",
        "even",
        "except",
        "for",
        "from",
        "how",
        "however",
        "if",
        "in",
        "inside",
        "instead",
        "into",
        "just",
        "like",
        "near",
        "neither",
        "no",
        "nor",
        "not",
        "of",
        "off",
        "on",
        "once",
        "only",
        "onto",
        "or",
        "otherwise",
        "out",
        "outside",
        "over",
        "past",
        "per",
        "plus",
        "rather",
        "since",
        "so",
        "still",
        "such",
        "than",
        "that",
        "then",
        "there",
        "therefore",
        "though",
        "through",
        "thus",
        "till",
        "to",
        "toward",
        "towards",
        "under",
        "underneath",
        "unless",
        "unlike",
        "until",
        "up",
        "upon",
        "via",
        "what",
        "when",
        "where",
        "whereas",
        "whether",
        "which",
        "while",
        "who",
        "whose",
        "why",
        "with",
        "within",
        "without",
        "yet",
        "you",
        "we",
        "they",
        "he",
        "she",
        "it",
        "i",
        "here",
        "both",
        "also",
        "too",
        "now",
        "are",
        "be",
        "can",
        "could",
        "did",
        "do",
        "does",
        "had",
        "has",
        "have",
        "is",
        "may",
        "might",
        "must",
        "shall",
        "should",
        "was",
        "were",
        "will",
        "would",
        "assume",
        "avoid",
        "be",
        "compare",
        "consider",
        "expect",
        "ignore",
        "imagine",
        "keep",
        "leave",
        "let",
        "look",
        "mind",
        "note",
        "notice",
        "read",
        "recall",
        "remember",
        "see",
        "suppose",
        "take",
        "think",
        "understand",
        "watch",
    ]
)
_STATES = re.compile(r"\b(?:is|are|was|were|has|have|will|can|may|must|should)\b", re.I)
_TITLE = re.compile(rf"^(?P<mark>{LABEL})\s*(?P<noun>tab|page|section|panel|step)?\s*[:.]?$", re.I)


def _asks(text: str) -> bool:
    """Whether a sentence of unknown words asks for something; what ends in ":" says what comes."""
    told = _ASKS.match(text)
    if told is None or text.endswith(":") or _STATES.search(text):
        return False
    return told.group("verb").lower() not in _ASKS_NOTHING


def declarative(text: str, make: Maker) -> Iterator[Intent]:
    """A claim about what the console shows, or nothing to do."""
    if m := _TITLE.match(text):
        noun = (m.group("noun") or "").lower()
        yield make(
            K.OPEN if noun in ("tab", "step", "page", "panel") else K.INFORM,
            m.group("mark"),
            noun=noun,
        )
        return
    if make.conditional or (make.optional and not _FIELDS_ARE.match(text)):
        yield make(K.INFORM)
        return
    if m := _TAB_SHOWS.match(text):
        yield replace(make(K.OPEN, m.group("mark"), noun="tab"), is_optional=True)
    elif m := _APPEARS.search(text) or _NAMED.search(text) or _OPENS.search(text):
        yield make(K.EXPECT_OPEN, m.group("mark"), noun=m.group("noun") or "")
    elif m := _MESSAGE.search(text):
        yield make(K.EXPECT_TEXT, m.group("mark"), noun="message")
    elif m := _FIELDS_ARE.match(text):
        for mark in re.findall(LABEL, m.group("labels")):
            yield make(K.EXPECT_FIELD, mark, noun="field")
    elif m := _STATUS.search(text):
        yield make(K.EXPECT_TEXT, m.group("mark") or m.group("mark2"), noun="status", thing=text)
    elif _asks(text):
        yield make(K.UNCLEAR, thing=text.strip(" ."))
    else:
        yield make(K.INFORM)

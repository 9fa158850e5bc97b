"""Where an English sentence says to look: "In the X dialog box,", "on the Y tab", "in the row of Z"."""

import re
from dataclasses import replace

from appliance.core.procedure import Inline
from appliance.language import nouns
from appliance.language.words import one_of
from appliance.policy.literal.read.intents import Intent, IntentKind, Place
from appliance.policy.literal.read.maker import IntentMaker
from appliance.policy.literal.read.masking import LABEL, start_of_last_words

K = IntentKind

NOUNS = one_of(nouns.CONTROLS.en)


_LEAD = re.compile(
    rf"(?P<prep>in|on|from|under|at|within|inside|for|to|into|using|with|next to"
    rf"|^as(?=\s+(?:the |an? )?{LABEL}\W*$))\s+(?:the |a |an |your |its )?"
    rf"(?:(?P<pre>step|page|dialog box|dialog|window|tab|section|column|field|list|menu)\s+"
    rf"|(?:first|second|third|fourth|fifth|next|last) (?P<nth>step|page|tab),\s+)?"
    rf"(?P<mark>{LABEL})(?:'s)?(?:\s+(?P<noun>{NOUNS}))?",
    re.IGNORECASE,
)


_STARTS_LIKE_LEAD = re.compile(
    r"^\W*(?:should|provided|whenever|in|on|from|under|at|within|to|for|after|once|using|with|if|when|as|next|then|first|by|before|"
    r"optionally|optional|depending|according|next to|beside|below|above|inside)\b",
    re.IGNORECASE,
)


_LOCATED = re.compile(
    rf"\b(?:in|on|from|of|under|for|next to|beside|to the (?:left|right) of)\s+(?:the |its |your |each )?"
    rf"(?:(?P<mark>{LABEL})\s*(?P<noun>{NOUNS})?|(?P<plain>actions column|drop-?down (?:list|menu)|list|menu|toolbar|row))?",
    re.IGNORECASE,
)


_NOUN_FIRST = re.compile(
    rf"^(?:the |your )?(?P<noun>{NOUNS})\s+(?P<mark>{LABEL})(?!\s*(?:{NOUNS})\b)", re.I
)
_OWNER = re.compile(
    r"\b(?:of|for|next to|beside|in the row of)\s+(?:the |your |an? )?([\w\- ]+)$", re.I
)
_CONTAINER_NOUN = re.compile(
    r"^(?:page|list|table|window|dialog(?: box)?|screen|console|form|navigation|menu|panel|drawer|lists)$",
    re.I,
)
_OUTSIDE_ROWS = re.compile(
    r"\b(?:above|below|over|under) the (?:list|table)|\bat the (?:top|bottom)\b|\bbetween the lists\b"
    r"|\b(?:upper|top|lower|bottom)[- ](?:right|left)\b",
    re.I,
)


def noun_first(rest: str) -> str:
    """Put a leading noun behind its label: "the tab **X**" becomes "**X** tab"."""
    return _NOUN_FIRST.sub(lambda m: f"{m.group('mark')} {m.group('noun')}", rest)


def noun_phrase(text: str) -> str:
    """Reduce words to a noun phrase, without articles and relative clauses."""
    text = re.split(
        r"\b(?:that|which|from|in|you|to|where|whose|when|so|with)\b",
        text.strip(" .,:;"),
        maxsplit=1,
    )[0]
    text = re.sub(
        r"\b(?:the|a|an|your|its|one or more|new|newly created|existing)\b", " ", text, flags=re.I
    )
    return re.sub(r"\s+", " ", text).strip(" .,:;")


_LIST_SEPARATOR = re.compile(r",?\s+(?:and|or|as well as)\s+|,\s*(?:and |or )?|,? such as ", re.I)


def split_list(text: str) -> list[str]:
    """Split an enumeration into its noun phrases: "the rollout, targeting, and variants"."""
    return [name for part in _LIST_SEPARATOR.split(text) if (name := noun_phrase(part))]


def is_lead(text: str) -> bool:
    """Whether words that precede the first verb say where, when or why."""
    return bool(_STARTS_LIKE_LEAD.match(text.strip()))


def lead_of(text: str, make: IntentMaker) -> tuple[list[Intent], Place]:
    """Read what precedes the first verb: what to open first, and where to look."""
    openings: list[Intent] = []
    place = Place()
    if re.match(r"^\W*to\b", text, re.IGNORECASE) and not re.match(
        rf"^\W*to the {LABEL}", text, re.I
    ):
        # a purpose ("To allow SSH access,"): only what follows its comma says where
        text = text.partition(",")[2]
    for m in _LEAD.finditer(text):
        named_noun = m.group("noun") or m.group("pre") or m.group("nth") or ""
        noun, mark = named_noun.lower(), m.group("mark")
        new_openings, place = place_named(
            m.group("prep").lower(), noun, make.masked.mark(mark), place, make
        )
        openings += new_openings
    if re.search(r"\b(?:actions column|drop-?down|menu|list)\b", text, re.IGNORECASE):
        place = replace(place, in_menu=True)
    if row_match := re.search(
        r"\b(?:row|column) (?:of|for|with|that shows) (?:the |your |an? )?([^,]+)",
        text,
        re.IGNORECASE,
    ):
        place = replace(place, row=noun_phrase(make.masked.unmask(row_match.group(1))))
    return openings, place


def place_named(
    prep: str, noun: str, label: Inline, place: Place, make: IntentMaker
) -> tuple[list[Intent], Place]:
    """Read one named place: what to open to get there, and the place with it added."""
    if noun in nouns.OPENED.en:
        return [make(K.EXPECT_OPEN, label, noun=noun)], replace(place, dialog=label)
    if noun in ("tab", "category", "menu") and prep in ("in", "on", "from", "under", "to"):
        opening = make(K.OPEN, label, noun=noun)
        return [opening], replace(place, in_menu=noun == "menu")
    if noun in ("column", "table"):
        return [], replace(place, column=label, in_menu=True)
    if noun in ("section", "heading") or prep == "under":
        return [], replace(place, section=label)
    return [], replace(place, field=label, in_menu="list" in noun or "menu" in noun)


_ENTRY_NAMED = re.compile(
    rf"\b(?:next to|beside|for|of|in|to the (?:left|right) of) (?:the )?(?P<mark>{LABEL}) (?:entry|item|row|record|listing)\b",
    re.I,
)


def locate(tail: str, place: Place, make: IntentMaker) -> Place:
    """Add to the place what the words after a label say about where it is."""
    for m in _LOCATED.finditer(tail):
        if mark := m.group("mark"):
            place = place_named(
                "in", (m.group("noun") or "").lower(), make.masked.mark(mark), place, make
            )[1]
        elif m.group("plain"):
            place = replace(
                place, in_menu=place.in_menu or m.group("plain").lower() not in ("row", "toolbar")
            )
    if entry := _ENTRY_NAMED.search(tail):
        place = replace(place, field=None, row=make.masked.mark(entry["mark"]).text)
    words = tail.strip(" .")
    if owner := _OWNER.search(words, start_of_last_words(words)):
        row = noun_phrase(owner.group(1))
        if not _CONTAINER_NOUN.match(row):
            # "for the class from the list": this is the list that has the rows, and no menu
            is_list = re.search(r"\b(?:from|in|of) the list$", words, re.I) is not None
            place = replace(place, row=row, in_menu=place.in_menu and not is_list)
    if row_match := re.search(
        r"\b(?:in|of|on) (?:the |your )?([\w-]+(?: [\w-]+)?)['’]s row\b", tail, re.I
    ):
        place = replace(place, row=noun_phrase(row_match.group(1)))
    if _OUTSIDE_ROWS.search(tail):
        place = replace(place, row="", is_above=True)
    return place

"""Reads the way to where a procedure begins from its introduction or title."""

import re
from collections.abc import Iterable

from appliance.core.procedure import Inline, Sentence
from appliance.language import nouns
from appliance.language.words import one_of
from appliance.policy.literal.read.intents import Intent, IntentKind

_LEADS = frozenset(
    {
        *(IntentKind.OPEN, IntentKind.FOLLOW, IntentKind.OPEN_MENU, IntentKind.LOG_IN),
        *(IntentKind.PICK, IntentKind.EXTERNAL),
    }
)
_NOUN = re.compile(rf"\W*(?P<noun>{one_of(nouns.CONTROLS.en, nouns.CONTROLS.zh)})\b", re.I)
_WITHIN = re.compile(r"\b(?:in|under|on|from|within|inside|of|via|through)\b|中|下", re.I)
_NEXT = re.compile(r"\b(?:then|and)\b|然后|再", re.I)


def way_intents(sentence: Sentence, step: str, intents: Iterable[Intent]) -> list[Intent]:
    """Add openings for a sentence that only says where: "X is found in the **A** menu"."""
    given_intents = list(intents)
    if any(intent.kind in _LEADS for intent in given_intents):
        return given_intents
    return [
        Intent(
            kind=IntentKind.OPEN,
            step=step,
            sentence=sentence,
            label=label,
            noun=_noun_of(sentence, label),
        )
        for label in outermost_first(sentence)
    ]


def outermost_first(sentence: Sentence) -> list[Inline]:
    """Order labels as they are reached: "the **Users** item in the **Settings** menu" ends with Users."""
    ordered: list[Inline] = []
    previous: Inline | None = None
    for label in sentence.labels():
        between = sentence.text[previous.end : label.start] if previous else ""
        is_around = bool(_WITHIN.search(between)) and not _NEXT.search(between)
        position = ordered.index(previous) if previous is not None and is_around else len(ordered)
        ordered.insert(position, label)
        previous = label
    return ordered


def _noun_of(sentence: Sentence, label: Inline) -> str:
    noun = _NOUN.match(sentence.text, label.end)
    noun_text = noun["noun"].lower() if noun else "place"
    return noun_text if noun_text in nouns.NAVIGATION.both else "place"

"""Finds what the text says about a field: that it is filled in, that it may be left, or nothing."""

import re
from typing import NamedTuple

from appliance.core.procedure import Inline, Sentence
from appliance.language import nouns, values
from appliance.language.names import same, words
from appliance.language.words import one_of
from appliance.policy.literal.act.fields import LEAVES_OPEN
from appliance.policy.literal.read.intents import Intent, IntentKind
from appliance.policy.literal.session import Session

K = IntentKind
_MAY_STAY = re.compile(one_of(values.MAY_STAY.en, values.MAY_STAY.zh), re.IGNORECASE)
_AS_NEEDED = re.compile(
    rf"\b(?:if|as|when|where) (?:it is )?(?:{one_of(values.NEEDED.en)})\b"
    rf"|{one_of(values.NEEDED.zh)}",
    re.IGNORECASE,
)
_UNREAD_KINDS = frozenset({K.UNCLEAR, K.INFORM})
_KINDS_BY_WORDS = frozenset({K.UNCLEAR, K.FILL, K.PICK, K.CHOOSE, K.UPLOAD})


class FieldMention(NamedTuple):
    """What the text says about one field."""

    is_asked: bool
    """The text speaks of it: what is missing then is the reader's understanding, not the text."""
    may_be_left: Inline | Sentence | None
    """The words that say that it can be left as it is."""
    is_explained: bool = False
    """The text says what it is for, and leaves to the reader what to enter."""


def mention_of(s: Session, name: str) -> FieldMention:
    """Find what the text says about the field of that name."""
    may_be_left: Inline | Sentence | None = None
    is_asked = False
    is_explained = any(_explains(intent, name) for intent in s.plan)
    for intent in s.plan:
        if not (mention := _naming_words(intent, name)):
            continue
        if intent.is_conditional and _AS_NEEDED.search(intent.sentence.text):
            is_explained = True  # so it says that it may have to be
        elif _may_be_left(intent):
            may_be_left = may_be_left or mention
        else:
            is_asked = True
    return FieldMention(is_asked, may_be_left, is_explained)


def _explains(intent: Intent, name: str) -> bool:
    """Whether it explains the field: "The Value is used as a unique identifier"."""
    match = re.match(
        r"(?:The )?(?P<name>.+?)(?: field)? (?:is|are|will be|can be)\b", intent.sentence.text
    )
    return intent.kind in _UNREAD_KINDS and match is not None and same(match["name"], name)


def _naming_words(intent: Intent, name: str) -> Inline | Sentence | None:
    """The words of an instruction that name the field; None if none do."""
    names = [intent.label, intent.place.field, intent.place.section, intent.value]
    names += intent.entry.labels if intent.entry else ()
    if intent.kind in _UNREAD_KINDS:
        names += intent.sentence.labels()
    if naming := next((i for i in names if i is not None and same(i.text, name)), None):
        return naming
    name_words = words(name) - nouns.NAMES.both
    is_named = bool(name_words) and name_words <= words(intent.thing)
    return intent.sentence if intent.kind in _KINDS_BY_WORDS and is_named else None


def _may_be_left(intent: Intent) -> bool:
    texts = [d.text for d in intent.entry.description] if intent.entry else [intent.sentence.text]
    says_so = intent.kind in (K.INFORM, K.FIELD, K.EXPECT_DEFAULT) and any(
        _MAY_STAY.search(t) or LEAVES_OPEN.search(t) for t in texts
    )
    return intent.is_optional or intent.is_conditional or says_so

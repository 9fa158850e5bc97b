"""Recognises harm in the words of a control, a question or a warning."""

import re

from appliance.core.harm import Harm
from appliance.language.harm_words import (
    ADDS,
    ASKS,
    CONSEQUENCE,
    CONTAINED,
    DENIED,
    DOING,
    DONE,
    EDITS,
    ENDS,
    FILLERS_EN,
    FILLERS_ZH,
    OTHERS,
    SCOPE,
    WORDS,
)
from appliance.language.names import plain

_NAME = re.compile(
    r"[\"“”「『‘']([^\"“”」』’']{2,60})[\"“”」』’']|(?<![\w.@-])((?=[\w.@-]*[\d@_-])[^\W_][\w.@-]*[^\W_])",
    re.ASCII,
)
_QUANTITY = re.compile(r"[\d.,:-]+(?:%|s|h|d|[kmgt]i?b)?|\w+-(?:step|factor|time|day|hour)", re.I)
"""Looks like a name but is a number, a size or a compound noun."""
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s*(?=\S)")
_TIMING = re.compile(r"\b(?:after|within|in) \d+ \w+|\b(?:immediately|at once|instantly)\b", re.I)
_STEM_LENGTH = 5
"""Letters by which forms of a verb are the same: `delete`, `deleting`, `deletion`."""


def harm_mentioned(text: str, *, in_passing: bool = False) -> Harm | None:
    """The harm that a question or a warning announces, in whatever form its verb stands.

    Args:
        text: The question or warning.
        in_passing: Whether it is one of several sentences: what is rolled back or reset in the
            course of something else is not what is asked.
    """
    text = DENIED.sub(" ", " ".join(text.split()))
    if DOING.search(text) or (DONE.search(text) and CONSEQUENCE.search(text)):
        return Harm.DELETE
    harm = harms_of(text)
    return None if in_passing and harm is Harm.DELETE and not ENDS.search(text) else harm


def announces_side_effects(text: str) -> bool:
    """Whether a warning says that more than the thing itself will be deleted."""
    ends = harm_mentioned(text, in_passing=True) is Harm.DELETE or DONE.search(text)
    return bool(ends and ADDS.search(text))


def without_delete_words(text: str) -> str:
    """The text without words for deleting: they are synonyms here."""
    return ENDS.sub(" ", text)


def without_edit_words(text: str) -> str:
    """A form title without its verb of editing: "Change user" is about the user."""
    return EDITS.sub(" ", text.strip())


def without_delete_and_scope_words(text: str) -> str:
    """The text without words for deleting and for how much is deleted."""
    for pattern in (ENDS, DOING, DONE, *SCOPE.values()):
        text = pattern.sub(" ", text)
    return text


def change_asked_about(text: str) -> Harm | None:
    """`Harm.CHANGE` if a question is about changing an existing thing: `Stop web-1?`."""
    request = ASKS.sub("", " ".join(text.split()))
    return Harm.CHANGE if WORDS[Harm.CHANGE].on_controls.search(request) else None


def names_in(text: str) -> list[str]:
    """Names in a text: words that look like one, and quoted words."""
    names = (plain(a or b) for a, b in _NAME.findall(text))
    return [n for n in names if not _QUANTITY.fullmatch(n)]


def scopes(text: str) -> frozenset[str]:
    """Classes of scope words in a text."""
    return frozenset(name for name, words in SCOPE.items() if words.search(text))


def is_within(text: str, description: str) -> bool:
    """Whether everything a warning mentions is contained in the thing itself and goes with it.

    As in "All data stored in the volume will be removed", where the text is about a volume.

    Args:
        text: One sentence or more.
        description: What the text calls the thing, among other words.
    """
    description_stems = stems(description)
    return all(_is_contained(sentence, description_stems) for sentence in _SENTENCE_END.split(text))


def without_contained(text: str) -> str:
    """A warning without its mentions of what the thing itself contains."""
    return _TIMING.sub(" ", CONTAINED.sub(" ", text))


_ADVICE = re.compile(
    r"^(?:please )?(?:ensure|make sure|be sure|check)\b.*\bbefore (?:proceeding|continuing|you)\b"
    r"|^(?:请)?(?:确保|请先)",
    re.IGNORECASE,
)


def without_advice(text: str) -> str:
    """A warning without its advice about what to do beforehand."""
    return " ".join(s for s in _SENTENCE_END.split(text) if not _ADVICE.search(s.strip()))


def _is_contained(sentence: str, thing_stems: frozenset[str]) -> bool:
    scope_words = SCOPE["all"].findall(sentence)
    if not scope_words:
        return True
    match = CONTAINED.search(sentence)
    if match is None or len(scope_words) > 1 or OTHERS.search(sentence):
        return False
    contained = stems(match["what"] or match["own"] or match["from"])
    container = stems(match["where"] or match["taken"] or "")
    return not contained & thing_stems and bool(match["own"] or container & thing_stems)


def harms_of(text: str, *, ignored: Harm | None = Harm.CHANGE) -> Harm | None:
    """The gravest harm that a control of that name could do."""
    text = " ".join(text.split())
    return next(
        (h for h, w in WORDS.items() if h is not ignored and w.on_controls.search(text)), None
    )


def stems(text: str) -> frozenset[str]:
    """The words of a text without fillers, forms of the same word alike; Chinese runs whole."""
    found = set[str]()
    for run in re.findall(r"[a-z0-9]+|[\u4e00-\u9fff]+", plain(text)):
        if run[0] >= "\u4e00":
            found.update(part for part in FILLERS_ZH.split(run) if part)
        elif run not in FILLERS_EN:
            found.add(run[:_STEM_LENGTH] if len(run) > _STEM_LENGTH else run.rstrip("s"))
    return frozenset(found)


def covered_by(label: str, text: str) -> bool:
    """Whether every word of `label` occurs in `text`, ignoring inflection, fillers and numbers."""
    return not words_not_in(label, text)


def words_not_in(label: str, text: str) -> frozenset[str]:
    """Words of `label` that `text` lacks, ignoring inflection, fillers and numbers."""
    known, squeezed_text = stems(text), plain(text).replace(" ", "")
    return frozenset(
        word
        for word in stems(label) - known
        if not word.isdigit() and not (word[0] >= "\u4e00" and _is_composed(word, squeezed_text))
    )


def _is_composed(word: str, text: str) -> bool:
    """Whether a run of Chinese can be split into pieces of at least two characters in `text`."""
    if word in text:
        return True
    return any(
        word[:end] in text and _is_composed(word[end:], text) for end in range(len(word) - 2, 1, -1)
    )

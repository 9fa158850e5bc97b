"""What the words of a control, a question or a warning tell of harm."""

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
_ONLY_NUMBER = re.compile(
    r"[\d.,:-]+(?:%|s|h|d|[kmgt]i?b)?|\w+-(?:step|factor|time|day|hour)", re.I
)
"""In names' form, but none."""
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s*(?=\S)")
_WHEN = re.compile(r"\b(?:after|within|in) \d+ \w+|\b(?:immediately|at once|instantly)\b", re.I)
_STEM = 5
"""Letters by which forms of a verb are the same: `delete`, `deleting`, `deletion`."""


def harm_mentioned(text: str, *, in_passing: bool = False) -> Harm | None:
    """What a question or a warning speaks of doing, whatever the form of its verb.

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


def adds(text: str) -> bool:
    """Whether a warning says that something goes with what was meant."""
    ends = harm_mentioned(text, in_passing=True) is Harm.DELETE or DONE.search(text)
    return bool(ends and ADDS.search(text))


def bare_of_ending(text: str) -> str:
    """Without the words for ending something: whichever the text has, the same is meant."""
    return ENDS.sub(" ", text)


def bare_of_editing(text: str) -> str:
    """The title of a form without the word for filling it in: "Change user" is about the user."""
    return EDITS.sub(" ", text.strip())


def bare_of_harm(text: str) -> str:
    """Without the words for ending something, and for how much of it."""
    for pattern in (ENDS, DOING, DONE, *SCOPE.values()):
        text = pattern.sub(" ", text)
    return text


def asked_change(text: str) -> Harm | None:
    """Whether a question is about changing what is there: `Stop web-1?`."""
    request = ASKS.sub("", " ".join(text.split()))
    return Harm.CHANGE if WORDS[Harm.CHANGE].on_controls.search(request) else None


def names_in(text: str) -> list[str]:
    """What is a name in a text by its form, or put in quotes."""
    names = (plain(a or b) for a, b in _NAME.findall(text))
    return [n for n in names if not _ONLY_NUMBER.fullmatch(n)]


def scopes(text: str) -> frozenset[str]:
    """Classes of scope words in a text."""
    return frozenset(name for name, words in SCOPE.items() if words.search(text))


def is_within(text: str, kind: str) -> bool:
    """Whether all that a warning speaks of is in the thing itself, and ends with it.

    As in "All data stored in the volume will be removed", where the text is about a volume.

    Args:
        text: One sentence or more.
        kind: What the text calls the thing, among other words.
    """
    kinds = stems(kind)
    return all(_is_contained(said, kinds) for said in _SENTENCE_END.split(text))


def without_contained(text: str) -> str:
    """A warning without what it says of all that is in the thing itself."""
    return _WHEN.sub(" ", CONTAINED.sub(" ", text))


_ADVICE = re.compile(
    r"^(?:please )?(?:ensure|make sure|be sure|check)\b.*\bbefore (?:proceeding|continuing|you)\b"
    r"|^(?:请)?(?:确保|请先)",
    re.IGNORECASE,
)


def without_advice(text: str) -> str:
    """A warning without what the reader is told to have done himself beforehand."""
    return " ".join(s for s in _SENTENCE_END.split(text) if not _ADVICE.search(s.strip()))


def _is_contained(said: str, kinds: frozenset[str]) -> bool:
    found = SCOPE["all"].findall(said)
    if not found:
        return True
    m = CONTAINED.search(said)
    if m is None or len(found) > 1 or OTHERS.search(said):
        return False
    what = stems(m["what"] or m["own"] or m["from"])
    its = stems(m["where"] or m["taken"] or "")
    return not what & kinds and bool(m["own"] or its & kinds)


def harms_of(text: str, *, but: Harm | None = Harm.CHANGE) -> Harm | None:
    """What a control of that name could do; the gravest kind first."""
    text = " ".join(text.split())
    return next((h for h, w in WORDS.items() if h is not but and w.on_controls.search(text)), None)


def stems(text: str) -> frozenset[str]:
    """The words of a text without fillers, forms of the same word alike; Chinese runs whole."""
    out = set[str]()
    for run in re.findall(r"[a-z0-9]+|[\u4e00-\u9fff]+", plain(text)):
        if run[0] >= "\u4e00":
            out.update(part for part in FILLERS_ZH.split(run) if part)
        elif run not in FILLERS_EN:
            out.add(run[:_STEM] if len(run) > _STEM else run.rstrip("s"))
    return frozenset(out)


def says_no_more(shown: str, text: str) -> bool:
    """Whether every word of `shown` is one of `text`, forms, fillers and numbers apart."""
    return not more_in(shown, text)


def more_in(shown: str, text: str) -> frozenset[str]:
    """Words of `shown` that are none of `text`, forms, fillers and numbers apart."""
    known, written = stems(text), plain(text).replace(" ", "")
    return frozenset(
        word
        for word in stems(shown) - known
        if not word.isdigit() and not (word[0] >= "\u4e00" and _is_composed(word, written))
    )


def _is_composed(word: str, written: str) -> bool:
    """Whether a run of Chinese is made of pieces, two characters or more each, of the text."""
    if word in written:
        return True
    return any(
        word[:at] in written and _is_composed(word[at:], written)
        for at in range(len(word) - 2, 1, -1)
    )

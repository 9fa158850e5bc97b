"""Reads the default that a sentence states: a value, or whether something is selected."""

import re

from appliance.core.procedure import Inline, InlineRole, Sentence
from appliance.policy.literal.read.masking import span_of

_DEFAULT = re.compile(
    r"\bdefault(?: value| setting)?(?:,? .{0,60}?)? (?:is|to)\b|\bby default\b|\bpreselected\b"
    r"|\b(?:keep|leave|accept|retain)\b.{0,20}\bthe default\b"
    r"|默认(?:值)?(?:为|是|选择|选中)?",
    re.I,
)
_NUMBER = re.compile(
    r"\bdefault(?: value)? (?:is|of) (?P<number>\d+(?:\.\d+)?)\b"
    r"|默认(?:值)?(?:为|是) ?(?P<number2>\d+)",
    re.I,
)


def default_claim(sentence: Sentence) -> Inline | None:
    """The value stated as the default: the only literal or label after that word; None if unclear."""
    match = _DEFAULT.search(sentence.text)
    if not match or re.search(r"for example|such as|例如", sentence.text, re.I):
        return None
    candidates = [
        i for i in sentence.inlines if i.role in (InlineRole.LITERAL, InlineRole.UI_LABEL)
    ]
    following = [i for i in candidates if i.start >= match.start()]
    if not following and (number := _NUMBER.search(sentence.text)):
        name = "number" if number.group("number") else "number2"
        start, end = number.span(name)
        digits, span = number.group(name), span_of(sentence, start, end)
        return Inline(role=InlineRole.LITERAL, text=digits, start=start, end=end, span=span)
    if following:
        return following[0] if len(following) == 1 else None
    return (
        candidates[-1]
        if len(candidates) == 1 and "by default" in sentence.text.casefold()
        else None
    )


_UNLESS = re.compile(
    r"\bunless (?:you (?:choose|select|pick|say|specify|set|want|ask)\b"
    r"|otherwise\b|(?:something|anything) else\b)|除非(?:您|你)?(?:另外?|选择)",
    re.I,
)


def unnamed_default(sentence: Sentence) -> Inline | None:
    """The value that applies "unless you choose something else", where the field is not named."""
    if not _UNLESS.search(sentence.text):
        return None
    candidates = [
        i for i in sentence.inlines if i.role in (InlineRole.LITERAL, InlineRole.UI_LABEL)
    ]
    return candidates[0] if len(candidates) == 1 else None

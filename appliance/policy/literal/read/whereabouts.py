"""Reads words that say where on the page something is: "on the left", "above the list", "in the row"."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from appliance.core.procedure import Inline, Sentence
from appliance.language import nouns
from appliance.language.words import one_of
from appliance.policy.literal.read.intents import Intent
from appliance.policy.literal.read.masking import marked_words

_NAV = r"(?:navigation|side ?bar)(?: bar| pane| panel| menu)?"


class PagePosition(StrEnum):
    """A position on the page."""

    LEFT = "left"
    RIGHT = "right"
    TOP = "top"
    BOTTOM = "bottom"
    NAVIGATION = "navigation"
    ABOVE_LIST = "above_list"
    BELOW_LIST = "below_list"
    ROW = "row"


W = PagePosition
_ENGLISH = (
    (rf"\b(?:in|from|on|of) the {_NAV} on the left(?: side)?\b(?! of)", (W.NAVIGATION, W.LEFT)),
    (rf"\b(?:in|from|on) the left(?:-hand)?(?: side)? {_NAV}\b", (W.NAVIGATION, W.LEFT)),
    (rf"\b(?:in|from|on) the {_NAV}(?! on)\b", (W.NAVIGATION,)),
    (r"\bin the top(?: navigation)? bar\b|\bat the top(?: of the (?:page|window|screen))?\b(?! of)", (W.TOP,)),
    (r"\bat the bottom of the (?:page|window|screen)\b", (W.BOTTOM,)),
    (r"\bin the (?:upper|top)[- ]right(?:-hand)?(?: corner)?(?: of the (?:page|window|screen))?\b(?! of)",
     (W.TOP, W.RIGHT)),
    (r"\bin the (?:upper|top)[- ]left(?:-hand)?(?: corner)?(?: of the (?:page|window|screen))?\b(?! of)",
     (W.TOP, W.LEFT)),
    (r"\bin the (?:lower|bottom)[- ]right(?:-hand)?(?: corner)?(?: of the (?:page|window|screen))?\b(?! of)",
     (W.BOTTOM, W.RIGHT)),
    (r"\bin the (?:lower|bottom)[- ]left(?:-hand)?(?: corner)?(?: of the (?:page|window|screen))?\b(?! of)",
     (W.BOTTOM, W.LEFT)),
    (r"\bon the left(?:-hand side)?\b(?! of)", (W.LEFT,)),
    (r"\bon the right(?:-hand side)?\b(?! of)", (W.RIGHT,)),
    (r"\babove the (?:list|table)\b", (W.ABOVE_LIST,)),
    (r"\b(?:below|under) the (?:list|table)\b", (W.BELOW_LIST,)),
    (r"\bin the (?:same )?row (?:of|for|with) (?:the |your |this )?(?:[a-z][a-z'\-]*\s?){1,4}?"
     r"(?=[,.;]|\s+and\b|\s+then\b|$)", (W.ROW,)),
)  # fmt: skip
_CHINESE = (
    (r"在?(?:页面)?左侧的?(?:导航栏|导航菜单|菜单栏|导航)(?:中|里)?的?", (W.NAVIGATION, W.LEFT)),
    (r"在?(?:页面)?(?:顶部|上方)的?(?:导航栏|菜单栏|导航)(?:中|里)?的?", (W.TOP,)),
    (r"在?(?:页面|控制台)?右上角的?", (W.TOP, W.RIGHT)),
    (r"在?(?:页面|控制台)?左上角的?", (W.TOP, W.LEFT)),
    (r"在?(?:页面|控制台)?右下角的?", (W.BOTTOM, W.RIGHT)),
    (r"在?(?:页面|控制台)?左下角的?", (W.BOTTOM, W.LEFT)),
    (r"(?:在|位于)?(?:列表|表格)上方的?", (W.ABOVE_LIST,)),
    (r"(?:在|位于)?(?:列表|表格)下方的?", (W.BELOW_LIST,)),
    (r"(?:^|(?<=[，,；;、]))(?:然后|再)?在?(?:目标)?[\u4e00-\u9fffA-Za-z ]{1,12}?所在的?行的?", (W.ROW,)),
)  # fmt: skip
_PATTERNS = tuple(
    (re.compile(pattern, re.IGNORECASE), kinds) for pattern, kinds in (*_ENGLISH, *_CHINESE)
)
_ANY = re.compile(
    r"\b(?:left|right|top|bottom|above|below|under|row|navigation|side ?bar)\b"
    r"|[左右]侧|[左右]上角|[左右]下角|顶部|[上下]方|所在",
    re.IGNORECASE,
)
"""Every pattern needs one of these: without one, none is tried."""
_NOUN_BETWEEN = re.compile(
    r"\s*(?:tab|button|entry|link|icon|menu|option|list|box|field)?"
    r"\s*(?:is|stands|lies|sits|can be found|is located)?\s*",
    re.IGNORECASE,
)
_OTHER_THING = re.compile(r"[.;。；]")


@dataclass(frozen=True, slots=True)
class StatedPosition:
    """A position that a sentence states for a control."""

    kinds: tuple[PagePosition, ...]
    words: Inline
    label: Inline
    """The label of the control that is there."""


_IN_DIALOG = re.compile(
    rf"\b(?:in|of|inside) (?:the |this |that )[^,;.]*?\b(?:{one_of(nouns.DIALOGS.en)})\b"
    rf"|(?:{one_of(nouns.DIALOGS.zh)})[中里内]",
    re.IGNORECASE,
)


def says_dialog(intent: Intent) -> bool:
    """Whether the text says that the control is in a dialog: "In the dialog, click …"."""
    label_start = (
        intent.label.start if intent.label in intent.sentence.inlines and intent.label else None
    )
    return _IN_DIALOG.search(intent.sentence.text[:label_start]) is not None


def stated_positions(sentence: Sentence) -> tuple[StatedPosition, ...]:
    """Read all positions that a sentence states for the controls it names."""
    return tuple(_read_positions(sentence))


def _read_positions(sentence: Sentence) -> Iterator[StatedPosition]:
    if not (sentence.labels() and _ANY.search(sentence.text)):
        return  # most sentences
    masked = list(sentence.text)
    for inline in sentence.inlines:
        masked[inline.start : inline.end] = "\ufffc" * (inline.end - inline.start)
    remaining = "".join(masked)
    for pattern, kinds in _PATTERNS:
        for m in list(pattern.finditer(remaining)):
            label = _label_positioned(sentence, remaining, m)
            if label is None or "\ufffc" in m.group():
                continue
            remaining = (
                f"{remaining[: m.start()]}{chr(0xFFFB) * len(m.group())}{remaining[m.end() :]}"
            )
            yield StatedPosition(kinds, marked_words(sentence, m.start(), m.end()), label)


def _label_positioned(sentence: Sentence, text: str, m: re.Match[str]) -> Inline | None:
    """The label that the words are about: the one right before them, or else the next one."""
    labels = sentence.labels()
    before = [i for i in labels if i.end <= m.start()]
    if before and _NOUN_BETWEEN.fullmatch(text[before[-1].end : m.start()]):
        return before[-1]
    after = next((i for i in labels if i.start >= m.end()), None)
    if after is None or _OTHER_THING.search(text[m.end() : after.start]):
        return None
    return after

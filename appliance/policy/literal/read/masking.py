"""Masks the marked stretches of sentences as single characters, so that patterns stay short.

A label becomes one private-use character from U+E000, a literal from U+E100, anything else marked
(links, emphasis, keys, commands) from U+E200. Quoted words ("Save") count as labels as well.
"""

import re
from dataclasses import dataclass, replace

from appliance.core.procedure import Inline, InlineRole, Sentence
from appliance.core.source import Span
from appliance.language import nouns, values
from appliance.language.words import one_of
from appliance.policy.literal.read.unmarked import find_unmarked, in_role_of_use

LABEL = "[\ue000-\ue0ff]"
LITERAL = "[\ue100-\ue1ff]"
OTHER = "[\ue200-\ue2ff]"
MARK = "[\ue000-\ue2ff]"
VALUE = f"{LITERAL}|{OTHER}"
"""A mark that may be a value, as it is no label. An alternation: put it in a group."""

_BASE = {
    InlineRole.UI_LABEL: 0xE000,
    InlineRole.MENU_PATH: 0xE000,
    InlineRole.LITERAL: 0xE100,
}
_WORDS = re.compile(r"[\w\- ]*")
_QUOTED = re.compile(r"[\"“]([^\"“”]{1,60})[\"”]")


@dataclass(frozen=True, slots=True)
class Masked:
    """The text of a sentence, with one private-use character for each marked stretch."""

    text: str
    marks: tuple[Inline, ...]
    sentence: Sentence

    def mark(self, char: str) -> Inline:
        """The stretch that a character stands for."""
        return self.marks[ord(char) & 0xFF]

    def unmask(self, text: str) -> str:
        """Put the stretches back into text."""
        return re.sub(MARK, lambda m: self.mark(m.group()).text, text)


def with_plain_states(masked: Masked, turned: re.Pattern[str], on: str, off: str) -> str:
    """Put marked states of switches into plain words: "toggle **A** to **Off**".

    Args:
        masked: A sentence.
        turned: Matches the turning of a switch; groups `before` and `mark` (the state).
        on: The word for on.
        off: The word for off.
    """

    def plain_state(m: re.Match[str]) -> str:
        state = masked.mark(m["mark"]).text.lower()
        plain_word = on if state in values.SWITCHED_ON.both else off
        is_end = state in values.SWITCHED_ON.both | values.SWITCHED_OFF.both
        return f"{m['before']}{plain_word if is_end else m['mark']}"

    return turned.sub(plain_state, masked.text)


def as_literal(char: str) -> str:
    """The character for the same stretch as a literal to type."""
    return chr(0xE100 | ord(char) & 0xFF)


def as_label(char: str) -> str:
    """The character for the same stretch as the name of a control."""
    return chr(0xE000 | ord(char) & 0xFF)


def found_in_order(text: str, *patterns: re.Pattern[str]) -> bool:
    """Whether the patterns occur in this order; linear, where `a.*b.*c` could backtrack."""
    position = 0
    for pattern in patterns:
        match = pattern.search(text, position)
        if match is None:
            return False
        position = match.end()
    return True


def start_of_last_words(text: str) -> int:
    """Where the trailing run of words, blanks and hyphens begins."""
    run = _WORDS.match(text[::-1])
    return len(text) - (run.end() if run else 0)


def mask(sentence: Sentence, *, only_marked: bool = False) -> Masked:
    """Mask the marked stretches of a sentence, and the unmarked names of controls.

    Args:
        sentence: What to mask.
        only_marked: Leave out unmarked names, which are guessed.
    """
    marked_inlines = [in_role_of_use(i, sentence.text) for i in sentence.inlines]
    # "first [edit the user](…), and then": the words of such a link are words of the sentence
    marked_inlines = [
        i for i in marked_inlines if i.role is not InlineRole.LINK or not i.text[:1].islower()
    ]
    all_inlines = [
        *marked_inlines,
        *_quoted(sentence),
        *([] if only_marked else _unmarked(sentence)),
    ]
    inlines = sorted(all_inlines, key=lambda i: i.start)[:256]
    text = re.sub(MARK, "\ufffd", sentence.text)  # icon fonts use the same characters
    pieces: list[str] = []
    marks: list[Inline] = []
    position = 0
    for inline in inlines:
        if inline.start < position:
            continue
        start, end = _with_quotes(sentence.text, inline.start, inline.end)
        pieces.append(text[position:start])
        pieces.append(chr(_BASE.get(inline.role, 0xE200) + len(marks)))
        marks.append(inline)
        position = end
    pieces.append(text[position:])
    return Masked("".join(pieces), tuple(marks), sentence)


def _with_quotes(text: str, start: int, end: int) -> tuple[int, int]:
    """Extend a stretch to the quotation marks or brackets right around it."""
    if (
        start > 0
        and end < len(text)
        and text[start - 1] in "\"“‘'「【[<"
        and text[end] in "\"”’'」】]>"
    ):
        return start - 1, end + 1
    return start, end


def _quoted(sentence: Sentence) -> list[Inline]:
    """Find quoted words outside marked stretches, as labels."""
    labels = []
    for match in _QUOTED.finditer(sentence.text):
        start, end = match.span(1)
        if any(i.start < match.end() and match.start() < i.end for i in sentence.inlines):
            continue
        labels.append(
            Inline(
                role=InlineRole.UI_LABEL,
                text=match.group(1),
                start=start,
                end=end,
                span=span_of(sentence, start, end),
            )
        )
    return labels


def _unmarked(sentence: Sentence) -> list[Inline]:
    """Find unmarked names of controls, each with its own place in the source."""
    return [replace(i, span=span_of(sentence, i.start, i.end)) for i in find_unmarked(sentence)]


def is_guessed(label: Inline, sentence: Sentence) -> bool:
    """Whether only capitals and the words around it suggest that this is the name of a control."""
    if label.role not in (InlineRole.UI_LABEL, InlineRole.MENU_PATH):
        return False
    places = {(i.start, i.end) for i in (*sentence.inlines, *_quoted(sentence))}
    is_verbatim = sentence.text[label.start : label.end].find(label.text) >= 0
    return is_verbatim and (label.start, label.end) not in places


_CHOSEN = re.compile(r"\b(?:choose|select|click(?: on)?|pick)\s+(?:the )?$", re.IGNORECASE)
_FROM_MENU = re.compile(
    r"\s+(?:from|in) the (?:[\w-]+ )?(?:drop-?down|menu|drop-?down menu)\b", re.IGNORECASE
)
_ARROW_BEFORE = re.compile(r"\w\s*(?:→|➔|➜|->|>|»|›)\s*$")
_GO_TO = re.compile(r"\b(?:go|navigate|head|move)(?: over)? to\s+$", re.IGNORECASE)
_IS_WHOLE = re.compile(r"\s*(?:[.,;]|$|(?:and|then|in)\b)")
_IS_CONTROL = re.compile(rf"\s+(?:{one_of(nouns.LABELLED.en)}|page|section)\b", re.IGNORECASE)


def is_called_control(label: Inline, sentence: Sentence) -> bool:
    """Whether the words around a guessed label leave no doubt that a control has this name.

    As in "the Edit Group button", "Choose Revoke from the dropdown", "Go to Invoices".
    """
    start = max(label.start, sentence.text.find(label.text, label.start))  # a path has several
    if _ARROW_BEFORE.search(sentence.text[:start]):
        return True
    is_title = all(w[:1].isupper() for w in label.text.split() if len(w) > _SMALL)
    follows_article = sentence.text[: label.start].rstrip().endswith((" the", "The"))
    is_named = _IS_CONTROL.match(sentence.text, label.end) is not None
    is_gone_to = _GO_TO.search(sentence.text[: label.start]) and _IS_WHOLE.match(
        sentence.text, label.end
    )
    is_chosen = _CHOSEN.search(sentence.text[: label.start]) and _FROM_MENU.match(
        sentence.text, label.end
    )
    return is_title and bool(is_chosen or is_gone_to or (follows_article and is_named))


_SMALL = 3
"""Title words of up to this many letters need no capital."""


def plain_value(masked: Masked, text: str) -> Inline:
    """Make a literal of an unmarked value ("to 40 GiB")."""
    start = masked.sentence.text.find(text)
    end = start + len(text)
    return Inline(
        role=InlineRole.LITERAL, text=text, start=start, end=end,
        span=span_of(masked.sentence, start, end),
    )  # fmt: skip


def guessed_name(masked: Masked, text: str) -> Inline:
    """Make a label of the unmarked name of a control."""
    return replace(plain_value(masked, text), role=InlineRole.UI_LABEL)


def span_of(sentence: Sentence, start: int, end: int) -> Span:
    """Locate unmarked text: exactly if the sentence is on one line, else as the whole sentence.

    Marks before it make it inexact too, as their markup is not in the text; and names of icons,
    which stand there otherwise.
    """
    sentence_span, verbatim = sentence.span, sentence.verbatim
    is_marked = any(i.start < end for i in sentence.inlines)
    is_otherwise = verbatim is not None and end > verbatim
    if sentence_span.line != sentence_span.end_line or is_marked or is_otherwise:
        return sentence_span
    return Span(
        sentence_span.file,
        sentence_span.line,
        sentence_span.column + start,
        sentence_span.line,
        sentence_span.column + end,
    )


def marked_words(sentence: Sentence, start: int, end: int) -> Inline:
    """Make a stretch of words of a sentence, without the white space around them."""
    words = sentence.text[start:end]
    start += len(words) - len(words.lstrip())
    end = start + len(words.strip())
    span = span_of(sentence, start, end)
    return Inline(role=InlineRole.EMPHASIS, text=words.strip(), start=start, end=end, span=span)

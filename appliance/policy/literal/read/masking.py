"""Sentences with their marked stretches folded into single characters, so that patterns stay short.

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

_BASE = {
    InlineRole.UI_LABEL: 0xE000,
    InlineRole.MENU_PATH: 0xE000,
    InlineRole.LITERAL: 0xE100,
}
_WORDS = re.compile(r"[\w\- ]*")
_QUOTED = re.compile(r"[\"“]([^\"“”]{1,60})[\"”]")


@dataclass(frozen=True, slots=True)
class Masked:
    """A sentence's text with one character for each marked stretch."""

    text: str
    marks: tuple[Inline, ...]
    sentence: Sentence

    def mark(self, char: str) -> Inline:
        """The stretch that a private-use character stands for."""
        return self.marks[ord(char) & 0xFF]

    def unmask(self, text: str) -> str:
        """`text` with the stretches put back."""
        return re.sub(MARK, lambda m: self.mark(m.group()).text, text)


def with_plain_states(masked: Masked, turned: re.Pattern[str], on: str, off: str) -> str:
    """The text, with a marked end of a switch in plain words: "toggle **A** to **Off**".

    Args:
        masked: A sentence.
        turned: What has the switch turned: `before` the `mark`.
        on: What to say for the one end.
        off: And for the other.
    """

    def plain_state(m: re.Match[str]) -> str:
        state = masked.mark(m["mark"]).text.lower()
        plain_word = on if state in values.SWITCHED_ON.both else off
        is_end = state in values.SWITCHED_ON.both | values.SWITCHED_OFF.both
        return f"{m['before']}{plain_word if is_end else m['mark']}"

    return turned.sub(plain_state, masked.text)


def as_literal(char: str) -> str:
    """The character for the same stretch, taken for something to be typed."""
    return chr(0xE100 | ord(char) & 0xFF)


def as_label(char: str) -> str:
    """The character for the same stretch, taken for the name of a control."""
    return chr(0xE000 | ord(char) & 0xFF)


def found_in_order(text: str, *patterns: re.Pattern[str]) -> bool:
    """Whether each pattern is found behind the one before it: `a.*b.*c`, in one go."""
    position = 0
    for pattern in patterns:
        match = pattern.search(text, position)
        if match is None:
            return False
        position = match.end()
    return True


def start_of_last_words(text: str) -> int:
    """Where the words begin that the text ends with: all behind its last other character."""
    run = _WORDS.match(text[::-1])
    return len(text) - (run.end() if run else 0)


def mask(sentence: Sentence, *, only_marked: bool = False) -> Masked:
    """Fold the marked stretches of a sentence, and the names of controls that have no mark."""
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
    """The stretch with the quotation marks right around it."""
    if (
        start > 0
        and end < len(text)
        and text[start - 1] in "\"“‘'「【[<"
        and text[end] in "\"”’'」】]>"
    ):
        return start - 1, end + 1
    return start, end


def _quoted(sentence: Sentence) -> list[Inline]:
    """Quoted words outside marked stretches, as labels."""
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
    """Names of controls without a mark, each with its own place in the source."""
    return [replace(i, span=span_of(sentence, i.start, i.end)) for i in find_unmarked(sentence)]


def is_guessed(label: Inline, sentence: Sentence) -> bool:
    """Whether nothing but capitals and the words around it say that this is a control's name."""
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
    """Whether the words around capitals leave no doubt that they are a control's name.

    As "the Edit Group button", "Choose Revoke from the dropdown", "Go to Invoices", "Settings → Keys".
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
"""Letters: shorter words of a title may have no capital."""


def plain_value(masked: Masked, text: str) -> Inline:
    """An unmarked value as a stretch of its own ("to 40 GiB")."""
    start = masked.sentence.text.find(text)
    end = start + len(text)
    return Inline(
        role=InlineRole.LITERAL, text=text, start=start, end=end,
        span=span_of(masked.sentence, start, end),
    )  # fmt: skip


def guessed_name(masked: Masked, text: str) -> Inline:
    """The name of a control that the text does not mark."""
    return replace(plain_value(masked, text), role=InlineRole.UI_LABEL)


def span_of(sentence: Sentence, start: int, end: int) -> Span:
    """Where a stretch of plain text stands: exact on one line, else the whole sentence."""
    sentence_span = sentence.span
    marked_before = any(i.start < end for i in sentence.inlines)
    if sentence_span.line != sentence_span.end_line or marked_before:
        return sentence_span
    return Span(
        sentence_span.file,
        sentence_span.line,
        sentence_span.column + start,
        sentence_span.line,
        sentence_span.column + end,
    )


def marked_words(sentence: Sentence, start: int, end: int) -> Inline:
    """Words of a sentence as a stretch of their own, without the white space around them."""
    words = sentence.text[start:end]
    start += len(words) - len(words.lstrip())
    end = start + len(words.strip())
    span = span_of(sentence, start, end)
    return Inline(role=InlineRole.EMPHASIS, text=words.strip(), start=start, end=end, span=span)

"""Interpret a parser's marks as a reader would: labels, menu paths, quoted labels, emphasis."""

import math
import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from appliance.core.procedure import InlineRole
from appliance.documents._text import CJK, Mark, RichText
from appliance.language import nouns, verbs
from appliance.language.words import in_text, one_of

ARROW = re.compile(r"\s*(?:-{1,3}>|–>|=>|>{1,3}|＞{1,2}|→|➔|➜|»|›|‣|▸|▶)\s*")
_COLONS = re.compile(r"(?<=\w)::(?=\w)")
"""As in "SEARCH::Search plans"; without any space it is the name of a type in a program."""
_HAS_CJK = re.compile(f"[{CJK}]")
_TRAILING = " :：*\u00a0"
# Bold words that stress a sentence and name nothing in the console.
_STRESS = frozenset(
    in_text(
        """
    not cannot can't never always must only all any no none both
    before after and or is are do don't does doesn't should
    shouldn't may will won't now required optional important
    note warning caution tip first then cannot be reversed same
    different 不 不能 不要 必须 仅 只 只能 请勿 已 所有 任意 注意 说明 重要 警告 提示 禁止
    """
    )
)
# Longest text taken for a label; longer bold text is a stressed sentence.
_MAX_LABEL = 90
_SENTENCE_END = re.compile(r"[a-z\u4e00-\u9fff][.!?。！？]$")
_EXCLAIMS = re.compile(r"(?:[A-Z][\w'’-]* ){0,2}[A-Z][\w'’-]*!")
"""An exclamation that may be a button: "Ship It!"."""
_QUOTED = re.compile(
    r"「(?P<a>[^「」\n]{1,60})」|【(?P<b>[^【】\n]{1,60})】"
    r"|“(?P<c>[^“”。！？\n]{1,40})”|\"(?P<d>[^\"。！？\n]{1,40})\""
)
_EN_QUOTED = re.compile(r"(?<![\w’'])['‘\"“](?P<name>[^'‘’\"“”.!?\n]{1,60})['’\"”](?!\w)")
_CONTROL = re.compile(
    rf"['’\"”]? (?:{one_of(nouns.LABELLED.en)}"
    r"|box|field|section|page|screen|form|column|panel)s?\b",
    re.I,
)
_CLICKED = re.compile(
    rf"\b(?:{one_of(w for w in verbs.CLICK.en if w != 'press')}|clicking|tap|using|use)"
    rf"(?: on)?(?: the)?(?: (?:{one_of(nouns.LABELLED.en)}))? ['‘\"“]?$",
    re.I,
)
_BESIDE = re.compile(
    r"\b(?:(?:check|radio )?(?:box(?:es)?|button)|field|link|icon|option|toggle|switch|menu)"
    rf" {nouns.NAMED_BESIDE}:?(?: both)? ['‘\"“]?$",
    re.I,
)
"""What is called by the words beside it: "the box next to 'Requires review'"."""
_CHOSEN = re.compile(
    r"\b(?:select|choose|open|pick|tick|toggle|set|press|expand|go to|navigate to|in|under)"
    rf"(?: the)?(?: (?:{one_of(nouns.LABELLED.en)}))? $",
    re.I,
)
"""Before emphasis that names a control as surely as a click does."""
_FILLED = re.compile(
    r"\b(?:populate|fill (?:in|out)|complete|select|choose|set|enter|change|edit|update|specify"
    r"|provide)(?: in)? (?P<the>(?:the|its|your|an?)"
    r" (?:(?:[\w-]+ ){0,2}[\w-]+['’]s |(?:[A-Z][\w-]* ){1,2})?)?$",
    re.I,
)
_IS_FIELD = re.compile(
    r"['’\"”]? (?:field|box|column)s?\b|[\s.,;]*$|[.,;]"
    r"| (?:and|from|for|to|with|as|in)\b| \([^()]*\)",
    re.I,
)
_GETS = re.compile(r" (?:to|with|as|field|box)\b", re.I)
_AND = re.compile(r"['’\"”]?(?:,? and)?(?:,? then)? (?:click(?: on)? )?['‘\"“]?")
_TYPED = re.compile(r"(?:输入|键入|填入|填写|设置为|设为)\s*$")
_PRIORITY = (
    InlineRole.MENU_PATH,
    InlineRole.COMMAND,
    InlineRole.KEY,
    InlineRole.LITERAL,
    InlineRole.UI_LABEL,
    InlineRole.LINK,
    InlineRole.EMPHASIS,
)


_NOTHING = RichText("", ())


def interpret(rich: RichText) -> RichText:
    """The same text with its marks interpreted, in order of their start."""
    if not rich.marks and not _QUOTED.search(rich.text) and not _EN_QUOTED.search(rich.text):
        return rich
    marks = [m for mark in rich.marks if (m := _trim(mark, rich.text)) is not None]
    marks = _without_doubles(_without_placeholders(marks, rich.text))
    marks += _quoted_labels(rich.text, marks)
    marks = _used_as_labels(rich.text, marks)
    marks = [_split_path(_without_mere_emphasis(m, rich.text), rich.text) for m in marks]
    marks.sort(key=lambda m: (m.start, -m.end))
    return replace(rich, marks=tuple(_joined_paths(marks, rich.text)))


def _trim(mark: Mark, text: str) -> Mark | None:
    start, end = mark.start, mark.end
    strip = _TRAILING if mark.role is InlineRole.UI_LABEL else " "
    while end > start and text[end - 1] in strip:
        end -= 1
    while start < end and text[start] == " ":
        start += 1
    if mark.role is InlineRole.UI_LABEL and _IN_QUOTES.fullmatch(text[start:end]):
        start, end = start + 1, end - 1
    if start == end:  # nothing but an asterisk or a colon: keep it as it is, `**:**` or `**\***`
        has_text = text[mark.start : mark.end].strip()
        return mark if has_text else None
    return replace(mark, start=start, end=end)


_IN_QUOTES = re.compile(r"[\"“‘'][^\"“”‘’']+[\"”’']")
_PLACEHOLDER = re.compile(r"<[^<>]+>|\{+[^{}]+\}+|\[[^\[\]]+\]")


def _without_placeholders(marks: Iterable[Mark], text: str) -> list[Mark]:
    """Drop code that is a placeholder inside a label: **Edit `<name>`**."""
    labels = [m for m in marks if m.role is InlineRole.UI_LABEL]
    return [
        m
        for m in marks
        if m.role is not InlineRole.LITERAL
        or not _PLACEHOLDER.fullmatch(text[m.start : m.end])
        or not any(a.start <= m.start and m.end <= a.end and m is not a for a in labels)
        or any((a.start, a.end) == (m.start, m.end) for a in labels)
    ]


def _without_doubles(marks: Iterable[Mark]) -> list[Mark]:
    """Keep one mark per stretch, and drop labels that enclose code or other labels."""
    by_place: dict[tuple[int, int], Mark] = {}
    for mark in sorted(marks, key=lambda m: _PRIORITY.index(m.role)):
        existing = by_place.setdefault((mark.start, mark.end), mark)
        if existing is not mark and mark.target and not existing.target:
            by_place[mark.start, mark.end] = replace(existing, target=mark.target)
    unique_marks = list(by_place.values())
    enclosing = _enclosing_labels(unique_marks)
    return [m for m in unique_marks if (m.start, m.end) not in enclosing]


def _enclosing_labels(marks: Iterable[Mark]) -> set[tuple[int, int]]:
    """The stretches of labels that contain code or another label."""
    strong = (InlineRole.UI_LABEL, InlineRole.LITERAL, InlineRole.KEY, InlineRole.MENU_PATH)
    outer: set[tuple[int, int]] = set()
    nearest_end: float = math.inf
    # From the last start on: whatever was seen before begins in the mark, or at its end, or later.
    for mark in sorted(
        (m for m in marks if m.role in strong), key=lambda m: (m.start, -m.end), reverse=True
    ):
        if mark.role is InlineRole.UI_LABEL and nearest_end <= mark.end:
            outer.add((mark.start, mark.end))
        nearest_end = min(nearest_end, mark.end)
    return outer


def _quoted_labels(text: str, marks: list[Mark]) -> list[Mark]:
    if not _HAS_CJK.search(text):
        return []
    labels = []
    marked = replace(_NOTHING, marks=tuple(sorted(marks, key=lambda m: (m.start, -m.end))))
    for match in _QUOTED.finditer(text):
        kind = match.lastgroup or "a"
        start, end = match.span(kind)
        is_free = not marked.is_marked(start, end)
        # Between straight or curly quotes also stands what is to be typed in English text.
        around = (
            text[max(0, match.start() - 1) : match.start()] + text[match.end() : match.end() + 1]
        )
        if is_free and text[start:end].strip() and (kind in "ab" or _HAS_CJK.search(around)):
            is_typed = kind in "cd" and _TYPED.search(text, match.start() - 10, match.start())
            role = InlineRole.LITERAL if is_typed else InlineRole.UI_LABEL
            labels.append(Mark(role, start, end))
    return labels


def _used_as_labels(text: str, marks: list[Mark]) -> list[Mark]:
    """Make labels of emphasis, code and quotes that the text clicks or calls a control."""
    marked = replace(_NOTHING, marks=tuple(sorted(marks, key=lambda m: (m.start, -m.end))))
    quoted = (m.span("name") for m in _EN_QUOTED.finditer(text))
    marks = _paths_in_code(text, marks)
    free = {Mark(InlineRole.EMPHASIS, *span) for span in quoted if not marked.is_marked(*span)}
    result: list[Mark] = []
    for mark in sorted((*marks, *free), key=lambda m: (m.start, -m.end)):
        last = result[-1] if result else None
        if _is_used_as_label(text, mark, last):
            result.append(replace(mark, role=InlineRole.UI_LABEL))
        elif mark not in free:
            result.append(mark)
    return result


def _paths_in_code(text: str, marks: list[Mark]) -> list[Mark]:
    """Make labels of code that lists menu entries: `` `…` > `Share` > `Copy link` ``."""
    code = sorted((m for m in marks if m.role is InlineRole.LITERAL), key=lambda m: m.start)
    entries: set[Mark] = set()
    for previous, following in pairwise(code):
        arrow = (
            ARROW.fullmatch(text[previous.end : following.start])
            if previous.end < following.start
            else None
        )
        is_first = text[previous.start].isupper() or not text[previous.start].isalnum()
        if arrow and is_first and text[following.start].isupper():
            entries |= {previous, following}
    return [replace(m, role=InlineRole.UI_LABEL) if m in entries else m for m in marks]


def _is_used_as_label(text: str, mark: Mark, last: Mark | None) -> bool:
    if mark.role not in (InlineRole.EMPHASIS, InlineRole.LITERAL) or mark.target:
        return False
    if not text[mark.start].isupper() or _HAS_CJK.match(text[mark.start]):
        return False
    before = text[max(0, mark.start - 40) : mark.start]
    if any(p.search(before) for p in (_CLICKED, _BESIDE)) or _CONTROL.match(text, mark.end):
        return True
    if mark.role is InlineRole.LITERAL and (filled := _FILLED.search(before)):
        return bool((_IS_FIELD if filled["the"] else _GETS).match(text, mark.end))
    is_stressed = mark.role is InlineRole.EMPHASIS and not before.endswith(("'", '"', "‘", "“"))
    if is_stressed and _CHOSEN.search(before):
        return True
    is_next = last is not None and last.role is InlineRole.UI_LABEL and last.end < mark.start
    return bool(is_next and last and _AND.fullmatch(text[last.end : mark.start]))


def _without_mere_emphasis(mark: Mark, text: str) -> Mark:
    if mark.role is not InlineRole.UI_LABEL:
        return mark
    words = text[mark.start : mark.end]
    is_stress = words == words.lower() and all(w in _STRESS for w in words.split())
    is_sentence = _SENTENCE_END.search(words) and not _EXCLAIMS.fullmatch(words)
    if is_stress or len(words) > _MAX_LABEL or is_sentence:
        return replace(mark, role=InlineRole.EMPHASIS)
    return mark


def _split_path(mark: Mark, text: str) -> Mark:
    if mark.role not in (InlineRole.UI_LABEL, InlineRole.MENU_PATH) or mark.parts:
        return mark
    words = text[mark.start : mark.end]
    parts = tuple(p.strip() for p in ARROW.split(words))
    if len(parts) == 1 and " " in words:
        parts = tuple(_COLONS.split(words))
    if mark.role is InlineRole.MENU_PATH:
        return replace(mark, parts=tuple(p for p in parts if p))
    if len(parts) > 1 and all(parts):
        return replace(mark, role=InlineRole.MENU_PATH, parts=parts)
    return mark


def _joined_paths(marks: list[Mark], text: str) -> list[Mark]:
    """Join labels with arrows between them, `**A** > **B**`, into one menu path."""
    result: list[Mark] = []
    for mark in marks:
        last = result[-1] if result else None
        if (
            last is not None
            and _is_label(last)
            and _is_label(mark)
            and last.end < mark.start
            and ARROW.fullmatch(_bare(text[last.end : mark.start]))
        ):
            parts = (last.parts or (text[last.start : last.end],)) + (
                mark.parts or (text[mark.start : mark.end],)
            )
            result[-1] = Mark(InlineRole.MENU_PATH, last.start, mark.end, last.target, parts)
        else:
            result.append(mark)
    return result


def _is_label(mark: Mark) -> bool:
    return mark.role in (InlineRole.UI_LABEL, InlineRole.MENU_PATH)


def _bare(gap: str) -> str:
    """The gap between two labels without the quotes around them."""
    return gap.strip(' 」「】【“”"')

"""Conditional steps: whether what the text makes a condition of holds on the page."""

import re

from appliance.core.procedure import Inline
from appliance.language.names import plain, same, words
from appliance.policy.literal.act.notes import check_option
from appliance.policy.literal.match.grounding import (
    in_row,
    match_field,
    text_containing,
)
from appliance.policy.literal.read.intents import Intent, IntentKind
from appliance.policy.literal.session import Session

_CLAUSE = re.compile(
    r"(?:^|\W)(?:if|when|in case|unless|as long as|while)\s+(?P<text>[^,;:.]+)"
    r"|^\W*(?:如果|若|当|如)(?P<zh>[^，；：。]+?)(?:时|的话|，|$)",
    re.IGNORECASE,
)
_AT_THE_END = re.compile(
    r",?\s+(?:if|unless)\s+(?P<text>(?:it|the \w+|this)\s+[^,;:.]+)[.\s]*$", re.I
)
_NOT = re.compile(r"\bnot\b|n't\b|\bno longer\b|\bunless\b|不|未|没有", re.IGNORECASE)
_CHECKED = re.compile(
    r"\b(?:selected|ticked|checked|on|enabled)\b|(?:勾选|选中|开启|启用)", re.IGNORECASE
)
_CLEARED = re.compile(r"\b(?:cleared|off|disabled|empty)\b|(?:关闭|停用|为空)", re.IGNORECASE)
_SAYS_SHOWN = re.compile(
    r"\b(?:is|are) (?:shown|displayed|open|in the way|there|listed)\b"
    r"|\b(?:appears?|opens?|pops? up|asks)\b"
    r"|(?:出现|弹出|显示|打开|提示)",
    re.IGNORECASE,
)
_STATE = re.compile(
    r"\b(?:is|are) (?:still |already |currently )?(?P<state>[a-z]+(?: [a-z]+)?)\s*$"
    r"|(?:已|正在|处于|为|仍在)(?P<zh>[\u4e00-\u9fff]{2,6}?)(?:状态|中)?$",
    re.IGNORECASE,
)
_STEMS = re.compile(r"(?:ed|ing|s)$")


def holds(s: Session, intent: Intent) -> bool | None:
    """Whether the condition of an instruction holds; None where the page does not say."""
    text = intent.sentence.text
    match = _CLAUSE.search(text) or _AT_THE_END.search(text)
    if not match:
        return None
    condition = next(part for part in match.groups() if part)
    start = text.index(condition)
    marks = [i for i in intent.sentence.inlines if start <= i.start < start + len(condition)]
    answer = _is_part_shown(s, condition, marks)
    if answer is None:
        answer = _is_box_checked(s, condition, marks)
    if answer is None:
        answer = _is_in_state(s, condition, marks)
    if answer is None:
        return None
    is_negated = bool(_NOT.search(match.group()))
    return not answer if is_negated else answer


_LEADS = re.compile(r"^\W*(?:if|when|unless|in case|while)\b|^\W*(?:如|若|当)", re.IGNORECASE)


_READER = re.compile(r"\b(?:if|when) (?:you|your|users|they)\b", re.IGNORECASE)


def is_for_the_reader(intent: Intent) -> bool:
    """Whether the text leaves an option to the reader, so that it can be tried.

    "Choose **RSA 4096** if you still use an old client" is tried, so that it is seen to work.
    """
    is_named = intent.kind is IntentKind.CHOOSE and intent.value in intent.sentence.inlines
    text = intent.sentence.text
    return is_named and bool(_READER.search(text)) and not _LEADS.match(text)


def check_presence(s: Session, intent: Intent) -> None:
    """Check that field and option exist, though the condition for using them is not given."""
    label, value = intent.place.field or intent.label, intent.value
    if label is None or s.may_be_elsewhere or _LEADS.match(intent.sentence.text):
        return
    match = match_field(s.view, label.text)
    if match is None or not match.how.is_strict:
        return
    s.confirm(label)
    radios = [e.name for e in s.view.elements if e.role == "radio" and same(label.text, e.group)]
    options = [*match.element.options] or radios
    if value is None or not options or value not in intent.sentence.inlines:
        return
    check_option(s, value, options, field_name=label.text, box=match.element.box)


def _is_part_shown(s: Session, condition: str, marks: list[Inline]) -> bool | None:
    """Whether the window, message or field of the condition is shown; None if unclear."""
    if not marks or not _SAYS_SHOWN.search(condition):
        return None
    name = marks[0].text
    if any(same(name, d) for d in s.view.dialogs) or text_containing(s.view, name):
        return True
    return False if s.lost is None else None


def _is_box_checked(s: Session, condition: str, marks: list[Inline]) -> bool | None:
    """Whether the check box or switch that the condition names is on; None if there is none."""
    match = match_field(s.view, marks[0].text) if len(marks) == 1 else None
    if match is None or not match.how.is_strict:
        return None
    states = match.element.states
    if not {"checked", "unchecked"} & states:
        return None
    if _CLEARED.search(condition):
        return "unchecked" in states
    return "checked" in states if _CHECKED.search(condition) else None


def _is_in_state(s: Session, condition: str, marks: list[Inline]) -> bool | None:
    """Whether the thing's row or page shows the state that the condition names; None if unclear."""
    if "row" in condition.split() and not marks:
        return None
    cells = _cells(s, condition)
    if not cells:
        return None
    if marks:
        return any(plain(marks[-1].text) == plain(c) for c in cells)
    state = _STATE.search(condition)
    if state is None:
        return None
    state_stems = {_stem(w) for w in words(state.group("state") or state.group("zh"))}
    return any(state_stems <= {_stem(w) for w in words(c)} for c in cells) or None


def _stem(word: str) -> str:
    return _STEMS.sub("", word) if word.isascii() and len(word) > 4 else word


def _cells(s: Session, condition: str) -> list[str]:
    """The cells of the row spoken of, or else the texts of the thing's own page."""
    key = s.row or s.values.row_key(_subject_of(condition)) or ""
    if not key:
        return []
    rows = {e.row for e in s.view.elements if in_row(e, key)}
    rows |= {t.row for t in s.view.texts if t.row and key in t.row}
    cells = [c for row in rows if row for c in row.split(" | ")]
    if not cells and any(key in t.text for t in s.view.texts if t.level == 1):
        cells = [t.text for t in s.view.texts if len(t.text) < 40]
    return cells


def _subject_of(condition: str) -> str:
    """The noun phrase before the verb: "disk" in "the disk is attached"."""
    head = re.split(r"\b(?:is|are|has|have)\b|已|正在|处于|的", condition, maxsplit=1)[0]
    head = re.sub(r"\b(?:the|a|an|your|status|state|of)\b", " ", head, flags=re.IGNORECASE)
    return re.sub(r"\s+", " ", head).strip()

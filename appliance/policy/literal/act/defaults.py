"""Defaults that the text states, held against fields that nobody has touched."""

import re
from dataclasses import replace

from appliance.core.page import Element, TextKind
from appliance.core.procedure import Inline, Sentence
from appliance.core.verdict import DivergenceKind
from appliance.language.names import plain, same
from appliance.policy.literal.read.defaults import default_claim, unnamed_default
from appliance.policy.literal.read.intents import Intent, IntentKind
from appliance.policy.literal.session import Session


def is_default(claim: Inline, value: str) -> bool:
    """Whether the value is the default that the text states; a unit may follow a number."""
    is_number = claim.text.isdecimal() and re.match(rf"{claim.text}(?!\d|[.,]\d)", value.strip())
    return same(claim.text, value) or bool(is_number)


def check_default(s: Session, sentence: Sentence, element: Element) -> None:
    """Check the default that a sentence states against a field that nobody has touched."""
    claim = default_claim(sentence)
    if claim is None or element.type == "password" or element.role in ("checkbox", "switch"):
        return
    _hold_default(s, claim, element)


def _hold_default(s: Session, claim: Inline, element: Element) -> None:
    if element.role == "radio":
        element = _as_group(s, element)
    if element.value is not None and not is_default(claim, element.value):
        another_default(s, claim, element)
    elif element.value is not None:
        s.confirm(claim)


def _as_group(s: Session, radio: Element) -> Element:
    """The group of a radio button as one field; its value is the chosen button, if untouched."""
    group = [
        e
        for e in s.view.elements
        if e.role == "radio" and (e.group, e.dialog) == (radio.group, radio.dialog)
    ]
    is_touched = any(e.name in s.set_by_hand for e in group) or not radio.group
    chosen = [e.name for e in group if "checked" in e.states]
    value = chosen[0] if len(chosen) == 1 and not is_touched else None
    return replace(radio, name=radio.group, value=value, options=tuple(e.name for e in group))


def check_unnamed_default(s: Session, sentence: Sentence) -> None:
    """Check the default of a field that the text identifies only by one of its options.

    "Files are compressed with **gzip** unless you choose something else."
    """
    claim = unnamed_default(sentence)
    if claim is None or not is_making(s):
        return
    groups = {e.group: _as_group(s, e) for e in s.view.elements if e.role == "radio"}
    fields = [
        e
        for e in (*s.view.elements, *groups.values())
        if e.dialog == s.dialog and e.value and not _is_touched(s, e)
        and any(same(claim.text, option) for option in e.options)
    ]  # fmt: skip
    if len(fields) == 1:
        _hold_default(s, claim, fields[0])


def another_default(s: Session, claim: Inline, element: Element) -> None:
    """Report what a field holds instead of the default that the text states."""
    s.diverge(
        DivergenceKind.CHANGED_DEFAULT, claim,
        f'the default of "{element.name}" is "{element.value}"',
        suggestion=element.value or None, box=element.box,
    )  # fmt: skip


def check_stated_default(s: Session, intent: Intent, element: Element) -> None:
    """Check the default that the sentence, or a remark behind it, states of the field just named.

    "Change the **Port** to `8443`. The default is 8080."
    """
    if _is_touched(s, element) or not is_making(s):
        return  # what is edited holds its own value, not the default
    options = _as_group(s, element).options if element.role == "radio" else element.options
    settings_of_sentence = [
        i for i in s.plan if i.sentence is intent.sentence and i.kind in _SETTING
    ]
    if len(settings_of_sentence) == 1:
        check_default(s, intent.sentence, element)
    if settings_of_sentence and settings_of_sentence[-1].label is not intent.label:
        return
    for remark in s.upcoming[1:]:
        if remark.step != intent.step or remark.kind is not IntentKind.INFORM:
            break
        if _REMARK.search(remark.sentence.text):
            check_default(s, remark.sentence, element)
            break
        claim = unnamed_default(remark.sentence)
        is_drawn = element.role == "combobox" and not options  # it shows them when it is opened
        if claim is not None and (is_drawn or any(same(claim.text, option) for option in options)):
            _hold_default(s, claim, element)
            break


def _is_touched(s: Session, element: Element) -> bool:
    return plain(element.name) in {*s.values.assigned, *s.chosen_lists}


def is_making(s: Session) -> bool:
    """Whether the form in front creates something new, judging by its title."""
    titles = [t.text for t in s.view.texts if t.kind is TextKind.HEADING and t.level == 1]
    return any(_MAKES.search(title) for title in ([s.dialog] if s.dialog else titles))


_MAKES = re.compile(
    r"\b(?:create|add|launch|new|upload|register|import|request|allocate)\b"
    r"|创建|新建|新增|添加|上传|注册|申请",
    re.IGNORECASE,
)
_SETTING = frozenset({IntentKind.FILL, IntentKind.CHOOSE})
_REMARK = re.compile(r"(?:^|; )(?:(?:the|its) default\b|by default,? it\b|默认)", re.IGNORECASE)

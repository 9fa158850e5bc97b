"""Fields that are made of many controls: groups of check boxes, pairs of lists to choose from."""

import re

from appliance.core.page import Element
from appliance.core.procedure import Inline, Sentence
from appliance.core.verdict import DivergenceKind, StepStatus
from appliance.language import values
from appliance.language.names import plain, same
from appliance.policy.literal.act.notes import lacks_option
from appliance.policy.literal.match.grounding import is_enabled, match_option, quoted_options
from appliance.policy.literal.read.intents import IntentKind
from appliance.policy.literal.session import Script, ScriptOf, Session

_AND = re.compile(r"\s*(?:[,;、，；\n]|\band\b|和|以及)\s*")
_CHOSEN_SIDE = re.compile(
    r"\b(?:selected|chosen|assigned|attached|added|members?|target)\b|已选|已添加|目标"
)
_MOVERS = frozenset({"add", "move", "select", ">", ">>", "→", "▸", "添加", "加入", "移动"})
ValueWords = Inline | Sentence | None


def is_of_group(element: Element, value: str) -> bool:
    """Whether the value names a member of the check box's group, not a state of the box itself."""
    if element.role != "checkbox" or not element.group:
        return False
    return plain(value) not in values.YES_OR_NO.both and not same(value, element.name)


def is_list(element: Element) -> bool:
    """Whether it is one of a pair of lists between which entries are moved."""
    return element.role == "listbox" and element.tag != "select" and "multiple" in element.states


def group_members(s: Session, element: Element) -> list[Element]:
    """The controls of the same group, in reading order."""
    key = (element.role, element.group, element.section, element.dialog, element.frame)
    return [e for e in s.view.elements if (e.role, e.group, e.section, e.dialog, e.frame) == key]


def tick_members(s: Session, element: Element, value: str, value_words: ValueWords) -> Script:
    """Tick the boxes of a group that the value names; the others are left as they are."""
    boxes = group_members(s, element)
    for part in _split_values(value, [b.name for b in boxes]):
        closest = match_option([b.name for b in boxes], part)
        if closest is None or not closest[1].is_strict:
            _report_changed_option(
                s, element.group, part, [b.name for b in boxes], closest, value_words
            )
        if closest is None:
            continue
        box = next(b for b in boxes if b.name == closest[0])
        box = s.view.element(box.id) or box
        result = yield from s.check(box, checked=True, thought=f'tick "{box.name}"')
        s.report(StepStatus.AS_WRITTEN if result.ok else StepStatus.STUCK, result.error)
    s.touch()


def _split_values(value: str, offered: list[str]) -> list[str]:
    """The value as one, if it is offered as such; else split at commas and "and"."""
    closest = match_option(offered, value)
    if closest is not None and closest[1].is_strict:
        return [value]
    return [part for part in _AND.split(value) if part.strip()]


def _report_changed_option(
    s: Session,
    name: str,
    value: str,
    offered: list[str],
    closest: tuple[str, object] | None,
    value_words: ValueWords,
) -> None:
    if value_words is None or plain(value) not in plain(value_words.text):
        if closest is None:
            s.report(StepStatus.STUCK, f'"{name}" does not offer "{value}"')
        return
    message = (
        f'"{name}" calls it "{closest[0]}"'
        if closest
        else lacks_option(name, value, quoted_options(offered) or "nothing")
    )
    s.diverge(
        DivergenceKind.CHANGED_OPTION,
        value_words,
        message,
        suggestion=closest[0] if closest else None,
    )


def _transfer_lists(s: Session, element: Element) -> list[Element]:
    """The lists of one transfer field, from left to right."""
    lists = [
        e
        for e in s.view.elements
        if is_list(e)
        and (e.group, e.dialog, e.frame) == (element.group, element.dialog, element.frame)
    ]
    return sorted(lists, key=lambda e: e.box.x)


def _side_with(s: Session, pair: list[Element], value: str) -> tuple[Element, str] | None:
    for side in pair:
        closest = match_option(side.options, value)
        if closest is not None and closest[1].is_strict:
            return side, closest[0]
    return None


def transfer(
    s: Session, element: Element, value: str, *, list_name: str, value_words: ValueWords
) -> Script:
    """Move entries into the list of what is chosen.

    A text that names the list in which the entry stands ("Select X in the **Available** list") goes
    on to name the button itself; any other asks for all of it.
    """
    offered = [o for side in _transfer_lists(s, element) for o in side.options]
    for part in _split_values(value, offered):
        pair = _transfer_lists(s, element)
        place = _side_with(s, pair, part)
        if place is None:
            closest = match_option(offered, part)
            _report_changed_option(
                s, list_name or element.group, part, offered, closest, value_words
            )
            place = _side_with(s, pair, closest[0]) if closest else None
        if place is None:
            continue
        side, entry = place
        target = next((p for p in pair if same(list_name, p.name) and p is not side), None)
        if target is None and _CHOSEN_SIDE.search(side.name) and not same(list_name, side.name):
            s.report(StepStatus.AS_WRITTEN, f'"{entry}" is in "{side.name}" already')
            continue
        yield from _move_entry(s, side, entry, is_moved=not same(list_name, side.name))
    s.touch()


def _move_entry(s: Session, side: Element, entry: str, *, is_moved: bool) -> Script:
    line = _entry_element(s, side, entry)
    if line is None:
        s.report(StepStatus.STUCK, f'no entry "{entry}" in "{side.name}"')
        return
    enabled_before = {e.id for e in s.view.elements if e.role == "button" and is_enabled(e)}
    if "selected" not in line.states:
        result = yield from s.click(line, f'select "{entry}"')
        if not result.ok:
            s.report(StepStatus.STUCK, result.error)
            return
    s.note_match(entry, line)
    # some lists move an entry on a click
    if not is_moved or _entry_element(s, side, entry) is None:
        s.report(StepStatus.AS_WRITTEN)
        return
    button = _move_button(s, side, enabled_before)
    if button is None:
        s.report(StepStatus.STUCK, f'no button moves "{entry}" out of "{side.name}"')
        return
    if _is_clicked_next(s, button):
        s.report(StepStatus.AS_WRITTEN)
        return
    result = yield from s.click(button, f'move "{entry}"')
    s.report(StepStatus.AS_WRITTEN if result.ok else StepStatus.STUCK, result.error)


def _is_clicked_next(s: Session, button: Element) -> bool:
    """Whether the text itself goes on to click that button ("…, and click **Add**")."""
    following = s.next_intent
    if following is None or following.kind is not IntentKind.OPEN or following.label is None:
        return False
    return following.step == s.step and same(following.label.text, button.name)


def _entry_element(s: Session, side: Element, entry: str) -> Element | None:
    return next(
        (
            e
            for e in s.view.elements
            if e.role == "option"
            and e.name == entry
            and same(e.group, side.name)
            and (e.dialog, e.frame) == (side.dialog, side.frame)
        ),
        None,
    )


def _move_button(s: Session, side: Element, enabled_before: set[int]) -> Element | None:
    """The button beside the list that has become usable with the selection, or that is named so."""
    buttons = [
        e
        for e in s.view.elements
        if e.role == "button"
        and is_enabled(e)
        and e.group == side.group
        and e.dialog == side.dialog
    ]
    newly_enabled = [e for e in buttons if e.id not in enabled_before]
    named_movers = [e for e in buttons if plain(e.name) in _MOVERS or e.name.strip() in _MOVERS]
    return next(iter(newly_enabled or named_movers), None)


def choose_in_group(
    s: Session, element: Element, value: str, *, label_text: str, value_words: ValueWords
) -> ScriptOf[bool]:
    """Enter a value in a field of many controls; False if the element is not of such a field."""
    if is_list(element):
        yield from transfer(s, element, value, list_name=label_text, value_words=value_words)
        return True
    if is_of_group(element, value):
        yield from tick_members(s, element, value, value_words)
        return True
    return False

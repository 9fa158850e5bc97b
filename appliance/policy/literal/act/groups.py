"""Fields that are made of many controls: groups of check boxes, pairs of lists to choose from."""

import re
from collections.abc import Generator

from appliance.core.page import Element
from appliance.core.procedure import Inline, Sentence
from appliance.core.verdict import DivergenceKind, StepStatus
from appliance.language import values
from appliance.language.names import plain, same
from appliance.policy.base import Decision
from appliance.policy.literal.match.grounding import is_enabled, match_option, quoted_options
from appliance.policy.literal.read.intents import IntentKind
from appliance.policy.literal.session import Script, Session

_AND = re.compile(r"\s*(?:[,;、，；\n]|\band\b|和|以及)\s*")
_TAKEN = re.compile(
    r"\b(?:selected|chosen|assigned|attached|added|members?|target)\b|已选|已添加|目标"
)
_MOVERS = frozenset({"add", "move", "select", ">", ">>", "→", "▸", "添加", "加入", "移动"})
Words = Inline | Sentence | None


def is_of_group(element: Element, value: str) -> bool:
    """Whether the value is a member of the check box's group, and no state of the box itself."""
    if element.role != "checkbox" or not element.group:
        return False
    return plain(value) not in values.YES_OR_NO.both and not same(value, element.name)


def is_list(element: Element) -> bool:
    """One of a pair of lists between which entries are moved."""
    return element.role == "listbox" and element.tag != "select" and "multiple" in element.states


def members(s: Session, element: Element) -> list[Element]:
    """The controls of the same group, in reading order."""
    key = (element.role, element.group, element.section, element.dialog, element.frame)
    return [e for e in s.view.elements if (e.role, e.group, e.section, e.dialog, e.frame) == key]


def tick_members(s: Session, element: Element, value: str, words: Words) -> Script:
    """Tick the boxes of a group that the value names; the others are left as they are."""
    boxes = members(s, element)
    for part in _parts(value, [b.name for b in boxes]):
        hit = match_option([b.name for b in boxes], part)
        if hit is None or not hit[1].is_strict:
            _changed(s, element.group, part, [b.name for b in boxes], hit, words)
        if hit is None:
            continue
        box = next(b for b in boxes if b.name == hit[0])
        box = s.view.element(box.id) or box
        done = yield from s.check(box, checked=True, thought=f'tick "{box.name}"')
        s.report(StepStatus.AS_WRITTEN if done.ok else StepStatus.STUCK, done.error)
    s.touch()


def _parts(value: str, offered: list[str]) -> list[str]:
    """One value or several, where the whole is none of what is offered."""
    hit = match_option(offered, value)
    if hit is not None and hit[1].is_strict:
        return [value]
    return [part for part in _AND.split(value) if part.strip()]


def _changed(
    s: Session,
    name: str,
    value: str,
    offered: list[str],
    hit: tuple[str, object] | None,
    words: Words,
) -> None:
    if words is None or plain(value) not in plain(words.text):
        if hit is None:
            s.report(StepStatus.STUCK, f'"{name}" does not offer "{value}"')
        return
    shown = (
        f'"{name}" calls it "{hit[0]}"'
        if hit
        else f'"{name}" does not offer "{value}"; it offers '
        + (quoted_options(offered) or "nothing")
    )
    s.diverge(DivergenceKind.CHANGED_OPTION, words, shown, suggestion=hit[0] if hit else None)


def _lists(s: Session, element: Element) -> list[Element]:
    """The lists of one transfer field, from left to right."""
    lists = [
        e
        for e in s.view.elements
        if is_list(e)
        and (e.group, e.dialog, e.frame) == (element.group, element.dialog, element.frame)
    ]
    return sorted(lists, key=lambda e: e.box.x)


def _holding(s: Session, pair: list[Element], value: str) -> tuple[Element, str] | None:
    for side in pair:
        hit = match_option(side.options, value)
        if hit is not None and hit[1].is_strict:
            return side, hit[0]
    return None


def transfer(s: Session, element: Element, value: str, *, named: str, words: Words) -> Script:
    """Bring entries into the list of what is chosen.

    A text that names the list in which the entry stands ("Select X in the **Available** list") goes
    on to name the button itself; any other asks for all of it.
    """
    offered = [o for side in _lists(s, element) for o in side.options]
    for part in _parts(value, offered):
        pair = _lists(s, element)
        place = _holding(s, pair, part)
        if place is None:
            hit = match_option(offered, part)
            _changed(s, named or element.group, part, offered, hit, words)
            place = _holding(s, pair, hit[0]) if hit else None
        if place is None:
            continue
        side, entry = place
        target = next((p for p in pair if same(named, p.name) and p is not side), None)
        if target is None and _TAKEN.search(side.name) and not same(named, side.name):
            s.report(StepStatus.AS_WRITTEN, f'"{entry}" is in "{side.name}" already')
            continue
        yield from _take(s, side, entry, is_moved=not same(named, side.name))
    s.touch()


def _take(s: Session, side: Element, entry: str, *, is_moved: bool) -> Script:
    line = _line(s, side, entry)
    if line is None:
        s.report(StepStatus.STUCK, f'no entry "{entry}" in "{side.name}"')
        return
    before = {e.id for e in s.view.elements if e.role == "button" and is_enabled(e)}
    if "selected" not in line.states:
        done = yield from s.click(line, f'select "{entry}"')
        if not done.ok:
            s.report(StepStatus.STUCK, done.error)
            return
    s.met(entry, line)
    if not is_moved or _line(s, side, entry) is None:  # some lists move what is clicked
        s.report(StepStatus.AS_WRITTEN)
        return
    button = _mover(s, side, before)
    if button is None:
        s.report(StepStatus.STUCK, f'no button moves "{entry}" out of "{side.name}"')
        return
    if _is_clicked_next(s, button):
        s.report(StepStatus.AS_WRITTEN)
        return
    done = yield from s.click(button, f'move "{entry}"')
    s.report(StepStatus.AS_WRITTEN if done.ok else StepStatus.STUCK, done.error)


def _is_clicked_next(s: Session, button: Element) -> bool:
    """Whether the text goes on to name the button itself ("…, and click **Add**")."""
    following = s.upcoming[1] if len(s.upcoming) > 1 else None
    if following is None or following.kind is not IntentKind.OPEN or following.label is None:
        return False
    return following.step == s.step and same(following.label.text, button.name)


def _line(s: Session, side: Element, entry: str) -> Element | None:
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


def _mover(s: Session, side: Element, before: set[int]) -> Element | None:
    """The button beside the list that can be used since something is selected, or is so called."""
    near = [
        e
        for e in s.view.elements
        if e.role == "button"
        and is_enabled(e)
        and e.group == side.group
        and e.dialog == side.dialog
    ]
    fresh = [e for e in near if e.id not in before]
    called = [e for e in near if plain(e.name) in _MOVERS or e.name.strip() in _MOVERS]
    return next(iter(fresh or called), None)


def choose_in(
    s: Session, element: Element, value: str, *, named: str, words: Words
) -> Generator[Decision, None, bool]:
    """Put a value into a field of many controls; whether the element is of such a field."""
    if is_list(element):
        yield from transfer(s, element, value, named=named, words=words)
        return True
    if is_of_group(element, value):
        yield from tick_members(s, element, value, words)
        return True
    return False


def offered_by(s: Session, element: Element) -> tuple[str, ...]:
    """What a field offers, as far as the page shows it."""
    if is_list(element):
        return tuple(o for side in _lists(s, element) for o in side.options)
    if element.role in ("radio", "checkbox") and element.group:
        return tuple(e.name for e in members(s, element))
    return element.options


__all__ = ["choose_in", "is_list", "is_of_group", "members", "offered_by"]

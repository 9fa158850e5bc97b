"""Options, check boxes, files and transfer lists."""

import re
from collections.abc import Generator

from appliance.core.page import Element
from appliance.core.procedure import Inline
from appliance.core.verdict import DivergenceKind, StepStatus
from appliance.language.names import compare, same, singular_words, words
from appliance.policy.base import Decision
from appliance.policy.literal.act.defaults import check_stated_default
from appliance.policy.literal.act.fields import find_field, give_file, put, take_any, takes_file
from appliance.policy.literal.act.groups import is_of_group
from appliance.policy.literal.act.limits import hold
from appliance.policy.literal.act.notes import rename
from appliance.policy.literal.match.grounding import (
    TOGGLES,
    Match,
    in_row,
    is_enabled,
    is_field,
    leads_to,
    match_clickable,
    match_field,
    match_option,
    names_of,
    text_shown,
)
from appliance.policy.literal.read.intents import Intent
from appliance.policy.literal.session import Script, Session

_EXPANDERS = frozenset({"▸", "▾", "›", "▶", "▼"})
"""Buttons that show more of a row instead of moving it."""
_MOVERS = frozenset({"↑", "+", "→", "add", "allocate", "move", "添加", "选择"})
Did = Generator[Decision, None, bool]


def choose(s: Session, intent: Intent) -> Script:
    """Choose a value in a field, or an entry of a menu where the "field" is one."""
    label = intent.place.field
    assert label is not None  # noqa: S101 - a CHOOSE has a field
    match = match_field(s.view, label.text)
    if (
        match is None
        and intent.value is not None
        and match_clickable(s.view, intent.value.text, row=s.row)
    ):
        yield from _open_instead(s, intent)
        return
    match = _sure(s, match) or (yield from find_field(s, intent, label))
    if match is None:
        return
    if not match.how.is_strict and match_field(s.view, label.text) is match:
        rename(s, label, match)
    s.met(label.text, match.element)
    element = match.element
    hold(s, intent, element)
    check_stated_default(s, intent, element)
    if element.role == "radio" or (element.role in ("radiogroup",) and intent.value):
        yield from _choose_radio(s, intent)
        return
    if intent.value is not None:
        given = s.values.bound(label.text) or intent.value.text
        yield from put(s, element, given, intent.value, named=label.text)
        return
    value = s.values.bound(label.text) or s.values.for_phrase(intent.thing)
    value = value or (s.values.row(intent.thing) if intent.thing else None)
    if value is None and (intent.is_optional or intent.is_conditional):
        s.report(StepStatus.AS_WRITTEN, f'"{element.name}" is there')
        return
    if value is None and is_of_group(element, ""):
        s.left_open(intent.thing)
        return
    is_any = value is None and element.role == "combobox" and not element.options
    if is_any and (yield from take_any(s, element, s.view)):  # it tells only when it is opened
        s.report(StepStatus.AS_WRITTEN)
        return
    yield from put(s, element, value or s.values.made_up(element), None, named=label.text)


def _sure(s: Session, match: Match | None) -> Match | None:
    """What is like the words is taken for them only where this is the page that is meant."""
    return match if s.lost is None or match is None or match.how.is_strict else None


def _choose_radio(s: Session, intent: Intent) -> Script:
    wanted = (
        intent.value.text
        if intent.value
        else (s.values.bound(intent.place.field.text if intent.place.field else "") or "")
    )
    group = intent.place.field.text if intent.place.field else ""
    radios = [
        e for e in s.view.elements if e.role == "radio" and (same(group, e.group) or not e.group)
    ]
    hit = match_option([e.name for e in radios], wanted) if wanted else None
    if hit is None:
        if intent.value is not None and wanted:
            s.diverge(
                DivergenceKind.CHANGED_OPTION, intent.value,
                f'"{group}" does not offer "{wanted}"; it offers {names_of(radios)}',
            )  # fmt: skip
        return
    radio = next(e for e in radios if e.name == hit[0])
    if not hit[1].is_strict and intent.value is not None:
        s.diverge(
            DivergenceKind.CHANGED_OPTION, intent.value, f'the option is called "{hit[0]}"',
            suggestion=hit[0], box=radio.box, is_guess=not hit[1].is_small,
        )  # fmt: skip
    yield from put(s, radio, radio.name, intent.value)


def choose_anywhere(s: Session, label: Inline) -> Did:
    """Choose the option X ("Select **X**") of whichever drop-down of the form offers it."""
    if s.lost is not None and not s.view.dialogs:
        return False  # where the way is lost, the drop-down is as likely a filter of some list
    for element in s.view.elements:
        hit = (
            match_option(element.options, label.text)
            if element.options and is_field(element)
            else None
        )
        if hit and hit[1].is_strict:
            s.met(label.text, element)
            yield from put(s, element, hit[0], label)
            return True
    return (yield from _choose_in_closed(s, label))


def _choose_in_closed(s: Session, label: Inline) -> Did:
    """Choose it in a list of the form that tells what it offers only when it opens."""
    if _is_beside_list(s):
        return False
    closed = [
        e
        for e in s.front
        if e.role == "combobox" and e.row is None and is_enabled(e) and not e.options
        and not e.value and (e.dialog is not None or e.region not in _FRAME)
    ]  # fmt: skip
    for element in closed[:_LISTS] if match_clickable(s.view, label.text) is None else ():
        thought = f'choose "{label.text}" in "{element.name}"'
        done = yield from s.select(element, label.text, thought)
        if done.ok:
            s.met(label.text, element)
            s.report(StepStatus.AS_WRITTEN)
            return True
        if "expanded" in (s.view.element(element.id) or element).states:
            yield from s.press("Escape", thought="not in this list")
    return False


_FRAME = ("navigation", "banner", "complementary", "search")
_LISTS = 3
"""So many lists are opened in search of one entry."""


def _is_beside_list(s: Session) -> bool:
    """Whether drop-downs are the filters of a list: there is one, and nothing lies over it."""
    return not s.view.dialogs and any(e.row is not None for e in s.view.elements)


def choose_by_words(s: Session, intent: Intent) -> Did:
    """Choose in the drop-down whose label has the word ("Select an instance")."""
    if not intent.thing:
        return False
    fields = [e for e in s.view.elements if e.role in ("combobox", "listbox") and is_enabled(e)]
    if s.view.dialogs:  # what stands in a row of a list there is that row's
        fields = [e for e in fields if e.dialog is not None and e.row is None]
    elif _is_beside_list(s):
        return False
    wanted = singular_words(intent.thing)
    fitting = [e for e in fields if wanted & singular_words(e.name)]
    if not fitting and s.view.dialogs and len(fields) == 1:
        fitting = fields
    if not fitting:
        return False
    element, bound = fitting[0], s.values.row(intent.thing)
    hit = match_option(element.options, bound) if bound else None
    if bound and element.options and hit is None:
        return False  # the thing is no option of it
    s.met("", element)
    if bound is None and not element.options:
        is_taken = (yield from _take_said(s, intent.thing, element)) or (
            yield from take_any(s, element, s.view)
        )
        if is_taken:
            s.report(StepStatus.AS_WRITTEN)
        return is_taken
    value = hit[0] if hit else bound or s.values.made_up(element)
    yield from put(s, element, value, None)
    return True


def _take_said(s: Session, thing: str, element: Element) -> Did:
    """Choose what is said beside the name of the list: "the JSONL format" of "File format"."""
    kind = singular_words(element.name)
    said = " ".join(word for word in thing.split() if not singular_words(word) & kind)
    if not said:
        return False
    done = yield from s.select(element, said, f'choose "{said}" in "{element.name}"')
    return done.ok


def tick(s: Session, intent: Intent, *, wanted: bool) -> Script:
    """Tick or clear a check box, switch or radio button."""
    label = intent.label
    if label is None:
        yield from _switch(s, intent, wanted=wanted)
        return
    match = match_field(s.view, label.text)
    if (match is None or not match.how.is_strict) and (
        button := match_clickable(s.view, label.text)
    ):
        match = button
    match = _sure(s, match) or (yield from find_field(s, intent, label))
    if match is None:
        return
    if not match.how.is_strict:
        rename(s, label, match)
    s.met(label.text, match.element)
    hold(s, intent, match.element)
    if match.element.role == "radio" and not wanted:
        s.report(StepStatus.SKIPPED, "a radio button is cleared by choosing another one")
        return
    s.touch()  # before: a question that comes of it is another dialog
    if match.element.role in TOGGLES:
        done = yield from s.check(
            match.element, checked=wanted, thought=f'set "{match.element.name}"'
        )
    else:
        done = yield from s.click(match.element, f'click "{match.element.name}"')
    s.report(StepStatus.AS_WRITTEN if done.ok else StepStatus.STUCK, done.error)


def switch_of(s: Session, intent: Intent) -> Element | None:
    """The one switch that the text calls by what it is for: "the environment toggle"."""
    said = singular_words(intent.thing)
    given = {v for kind, v in s.task.bindings.items() if singular_words(kind) <= said}
    switches = [e for e in s.front if e.role in ("switch", "checkbox") and is_enabled(e)]
    fitting = [e for e in switches if any(same(v, e.name) or in_row(e, v) for v in given)]
    fitting = fitting or [
        e for e in switches if words(e.name) and words(e.name) <= words(intent.thing)
    ]
    return fitting[0] if len(fitting) == 1 else None


def _switch(s: Session, intent: Intent, *, wanted: bool) -> Script:
    switch = switch_of(s, intent)
    if switch is None and s.row and s.lost is None:  # it may be on the page of what was found
        links = (e for e in s.view.elements if e.role == "link" and e.dialog is None)
        page = next((e for e in links if same(s.row, e.name) or leads_to(e, s.row)), None)
        yield from s.click(page, f'open "{s.row}" to look inside') if page else ()
        switch = switch_of(s, intent)
    if switch is not None:
        s.met("", switch)
        done = yield from s.check(switch, checked=wanted, thought=f'set "{switch.name}"')
        s.report(StepStatus.AS_WRITTEN if done.ok else StepStatus.STUCK, done.error)
    elif s.lost is not None:
        s.unreached()
    else:
        s.left_open("switch")


def upload(s: Session, intent: Intent) -> Script:
    """Give a small file to the file field: the one that the text names, where there are several."""
    files = [e for e in s.view.elements if takes_file(e) and is_enabled(e)]
    label = intent.label or intent.place.field or intent.place.section
    if not files:
        yield from _no_file_field(s, intent)
        return
    s.met(label.text if label else "", files[0])
    named = [e for e in files if label and compare(label.text, e.name) is not None]
    target = next(iter(named or files))
    how = compare(label.text, target.name) if label else None
    if label and how and not how.is_strict and not text_shown(s.view, label.text):
        rename(s, label, Match(target, how))
    texts = [t for t in (label.text if label else "", target.name) if t]
    bound = s.values.bound(*texts)
    name = bound or (intent.value.text if intent.value else None)
    yield from give_file(s, target, name, is_bound=bound is not None)


def _no_file_field(s: Session, intent: Intent) -> Script:
    hit = match_clickable(s.view, intent.label.text) if intent.label else None
    if s.lost is not None:
        s.unreached()
    elif hit is not None:
        yield from s.click(hit.element, f'click "{hit.element.name}"')
        s.report(StepStatus.AS_WRITTEN)
    elif intent.label is not None:
        s.stuck(f'no "{intent.label.text}" in {s.describe_place()}')
    else:
        s.stuck(f"no field takes a file in {s.describe_place()}")


def move(s: Session, intent: Intent) -> Script:
    """Move an entry of a transfer list: the button in its row."""
    key = (
        s.values.row(re.sub(r"\b(?:for|each|the)\b", " ", intent.thing))
        or s.values.row(intent.thing)
        or _only_movable(s, intent)
    )
    if key is None:
        s.skip("the text leaves open what to move: bind it in the checks")
        return
    if not (yield from allocate(s, key)):
        if s.lost is not None:
            s.unreached()
        else:
            s.stuck(f'no entry "{key}" to move in {s.describe_place()}')


def _only_movable(s: Session, intent: Intent) -> str | None:
    """The one row that has the button which the text names: there is no other to choose."""
    named = intent.label
    if named is None or intent.thing:
        return None
    rows = {
        e.row
        for e in s.view.elements
        if e.row and e.dialog == s.dialog and is_enabled(e) and e.name.strip() == named.text.strip()
    }
    return rows.pop() if len(rows) == 1 else None


def allocate(s: Session, key: str) -> Did:
    """Press the button that moves the entry showing `key`."""
    movers = [
        e
        for e in s.view.elements
        if e.role in ("button", "link")
        and in_row(e, key)
        and is_enabled(e)
        and not same(key, e.name)
        and e.name.strip() not in _EXPANDERS
    ]
    if not movers:
        return False
    mover = min(movers, key=lambda e: e.name.strip().casefold() not in _MOVERS)
    s.met(key, mover)
    done = yield from s.click(mover, f'move "{key}"')
    s.touch()
    s.report(StepStatus.AS_WRITTEN if done.ok else StepStatus.STUCK, done.error)
    return True


def _open_instead(s: Session, intent: Intent) -> Script:
    """Click an entry where the "field" is a menu ("From the **Actions** list, select **X**")."""
    assert intent.value is not None  # noqa: S101 - asked only with a value
    hit = match_clickable(s.view, intent.value.text, row=s.row)
    if hit:
        s.met(intent.value.text, hit.element)
        done = yield from s.click(hit.element, f'click "{hit.element.name}"')
        s.report(StepStatus.AS_WRITTEN if done.ok else StepStatus.STUCK, done.error)

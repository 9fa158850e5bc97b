"""Options, check boxes, files and transfer lists."""

import re

from appliance.core.page import Element
from appliance.core.procedure import Inline
from appliance.core.verdict import DivergenceKind, StepStatus
from appliance.language.names import compare, same, singular_words, words
from appliance.policy.literal.act.defaults import check_stated_default
from appliance.policy.literal.act.fields import (
    enter_value,
    find_field,
    take_first_offered,
    takes_file,
    upload_file,
)
from appliance.policy.literal.act.groups import is_of_group
from appliance.policy.literal.act.limits import check_instruction_facts
from appliance.policy.literal.act.notes import lacks_option, report_rename
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
from appliance.policy.literal.session import Script, ScriptOf, Session

_EXPANDERS = frozenset({"▸", "▾", "›", "▶", "▼"})
"""Buttons that show more of a row instead of moving it."""
_MOVERS = frozenset({"↑", "+", "→", "add", "allocate", "move", "添加", "选择"})


def choose(s: Session, intent: Intent) -> Script:
    """Choose a value in a field, or click a menu entry where the "field" is a menu."""
    label = intent.place.field
    assert label is not None  # noqa: S101 - a CHOOSE has a field
    match = match_field(s.view, label.text)
    if (
        match is None
        and intent.value is not None
        and match_clickable(s.view, intent.value.text, row=s.row)
    ):
        yield from _click_menu_entry(s, intent)
        return
    match = _only_if_certain(s, match) or (yield from find_field(s, intent, label))
    if match is None:
        return
    if not match.how.is_strict and match_field(s.view, label.text) is match:
        report_rename(s, label, match)
    s.note_match(label.text, match.element)
    element = match.element
    check_instruction_facts(s, intent, element)
    check_stated_default(s, intent, element)
    if element.role == "radio" or (element.role in ("radiogroup",) and intent.value):
        yield from _choose_radio(s, intent)
        return
    if intent.value is not None:
        chosen_value = s.values.bound_to(label.text) or intent.value.text
        yield from enter_value(s, element, chosen_value, intent.value, label_text=label.text)
        return
    value = s.values.bound_to(label.text) or s.values.for_phrase(intent.thing)
    value = value or (s.values.row_key(intent.thing) if intent.thing else None)
    if value is None and (intent.is_optional or intent.is_conditional):
        s.report(StepStatus.AS_WRITTEN, f'"{element.name}" is there')
        return
    if value is None and is_of_group(element, ""):
        s.report_left_open(intent.thing)
        return
    # some drop-downs show their options only when they are opened
    is_any = value is None and element.role == "combobox" and not element.options
    if is_any and (yield from take_first_offered(s, element, s.view)):
        s.report(StepStatus.AS_WRITTEN)
        return
    yield from enter_value(
        s, element, value or s.values.make_up(element), None, label_text=label.text
    )


def _only_if_certain(s: Session, match: Match | None) -> Match | None:
    """The match, unless it is inexact and the page may be another one than the text means."""
    return match if s.lost is None or match is None or match.how.is_strict else None


def _choose_radio(s: Session, intent: Intent) -> Script:
    option_text = (
        intent.value.text
        if intent.value
        else (s.values.bound_to(intent.place.field.text if intent.place.field else "") or "")
    )
    group_name = intent.place.field.text if intent.place.field else ""
    radios = [
        e
        for e in s.view.elements
        if e.role == "radio" and (same(group_name, e.group) or not e.group)
    ]
    closest = match_option([e.name for e in radios], option_text) if option_text else None
    if closest is None:
        if intent.value is not None and option_text:
            s.diverge(
                DivergenceKind.CHANGED_OPTION, intent.value,
                lacks_option(group_name, option_text, names_of(radios)),
            )  # fmt: skip
        return
    radio = next(e for e in radios if e.name == closest[0])
    if not closest[1].is_strict and intent.value is not None:
        s.diverge(
            DivergenceKind.CHANGED_OPTION, intent.value, f'the option is called "{closest[0]}"',
            suggestion=closest[0], box=radio.box, is_guess=not closest[1].is_small,
        )  # fmt: skip
    yield from enter_value(s, radio, radio.name, intent.value)


def choose_anywhere(s: Session, label: Inline) -> ScriptOf[bool]:
    """Choose the option ("Select **X**") in whichever drop-down of the form offers it."""
    if s.lost is not None and not s.view.dialogs:
        return False  # the drop-down may as well filter a list on some other page
    for element in s.view.elements:
        closest = (
            match_option(element.options, label.text)
            if element.options and is_field(element)
            else None
        )
        if closest and closest[1].is_strict:
            s.note_match(label.text, element)
            yield from enter_value(s, element, closest[0], label)
            return True
    return (yield from _choose_in_closed(s, label))


def _choose_in_closed(s: Session, label: Inline) -> ScriptOf[bool]:
    """Choose the option in a drop-down that shows its options only when it is opened."""
    if _is_beside_list(s):
        return False
    closed = [
        e
        for e in s.front_elements
        if e.role == "combobox" and e.row is None and is_enabled(e) and not e.options
        and not e.value and (e.dialog is not None or e.region not in _FRAME)
    ]  # fmt: skip
    for element in closed[:_MAX_LISTS] if match_clickable(s.view, label.text) is None else ():
        thought = f'choose "{label.text}" in "{element.name}"'
        result = yield from s.select(element, label.text, thought)
        if result.ok:
            s.note_match(label.text, element)
            s.report(StepStatus.AS_WRITTEN)
            return True
        if "expanded" in (s.view.element(element.id) or element).states:
            yield from s.press("Escape", thought="not in this list")
    return False


_FRAME = ("navigation", "banner", "complementary", "search")
_MAX_LISTS = 3
"""Lists opened in the search for one entry."""


def _is_beside_list(s: Session) -> bool:
    """Whether the drop-downs are filters of a list that is in front."""
    return not s.view.dialogs and any(e.row is not None for e in s.view.elements)


def choose_by_words(s: Session, intent: Intent) -> ScriptOf[bool]:
    """Choose in the drop-down whose name shares a word with the text ("Select an instance")."""
    if not intent.thing:
        return False
    fields = [e for e in s.view.elements if e.role in ("combobox", "listbox") and is_enabled(e)]
    if s.view.dialogs:  # fields in the rows of a list belong to the rows
        fields = [e for e in fields if e.dialog is not None and e.row is None]
    elif _is_beside_list(s):
        return False
    thing_words = singular_words(intent.thing)
    matching = [e for e in fields if thing_words & singular_words(e.name)]
    if not matching and s.view.dialogs and len(fields) == 1:
        matching = fields
    if not matching:
        return False
    element, bound_value = matching[0], s.values.row_key(intent.thing)
    closest = match_option(element.options, bound_value) if bound_value else None
    if bound_value and element.options and closest is None:
        return False  # the drop-down is about something else
    s.note_match("", element)
    if bound_value is None and not element.options:
        is_taken = (yield from _choose_by_description(s, intent.thing, element)) or (
            yield from take_first_offered(s, element, s.view)
        )
        if is_taken:
            s.report(StepStatus.AS_WRITTEN)
        return is_taken
    value = closest[0] if closest else bound_value or s.values.make_up(element)
    yield from enter_value(s, element, value, None)
    return True


def _choose_by_description(s: Session, description: str, element: Element) -> ScriptOf[bool]:
    """Choose the option that the other words name: "the JSONL format" in the list "File format"."""
    kind = singular_words(element.name)
    option_text = " ".join(word for word in description.split() if not singular_words(word) & kind)
    if not option_text:
        return False
    result = yield from s.select(
        element, option_text, f'choose "{option_text}" in "{element.name}"'
    )
    return result.ok


def tick(s: Session, intent: Intent, *, checked: bool) -> Script:
    """Tick or clear a check box, switch or radio button."""
    label = intent.label
    if label is None:
        yield from _set_switch(s, intent, checked=checked)
        return
    match = match_field(s.view, label.text)
    if (match is None or not match.how.is_strict) and (
        button := match_clickable(s.view, label.text)
    ):
        # a link leads to a page, or sorts a list by that column
        match = match if button.element.role == "link" else button
    match = _only_if_certain(s, match) or (yield from find_field(s, intent, label))
    if match is None:
        return
    if not match.how.is_strict:
        report_rename(s, label, match)
    s.note_match(label.text, match.element)
    check_instruction_facts(s, intent, match.element)
    if match.element.role == "radio" and not checked:
        s.report(StepStatus.SKIPPED, "a radio button is cleared by choosing another one")
        return
    s.touch()  # before the click: a question that it raises is another dialog
    if match.element.role in TOGGLES:
        result = yield from s.check(
            match.element, checked=checked, thought=f'set "{match.element.name}"'
        )
    else:
        result = yield from s.click(match.element, f'click "{match.element.name}"')
    s.report(StepStatus.AS_WRITTEN if result.ok else StepStatus.STUCK, result.error)


def switch_of(s: Session, intent: Intent) -> Element | None:
    """The only switch that the text's description fits: "the environment toggle"."""
    thing_words = singular_words(intent.thing)
    named_values = {v for kind, v in s.task.bindings.items() if singular_words(kind) <= thing_words}
    switches = [e for e in s.front_elements if e.role in ("switch", "checkbox") and is_enabled(e)]
    matching = [e for e in switches if any(same(v, e.name) or in_row(e, v) for v in named_values)]
    matching = matching or [
        e for e in switches if words(e.name) and words(e.name) <= words(intent.thing)
    ]
    return matching[0] if len(matching) == 1 else None


def _set_switch(s: Session, intent: Intent, *, checked: bool) -> Script:
    switch = switch_of(s, intent)
    if switch is None and s.row and s.lost is None:  # it may be on the thing's own page
        links = (e for e in s.view.elements if e.role == "link" and e.dialog is None)
        page = next((e for e in links if same(s.row, e.name) or leads_to(e, s.row)), None)
        yield from s.click(page, f'open "{s.row}" to look inside') if page else ()
        switch = switch_of(s, intent)
    if switch is not None:
        s.note_match("", switch)
        result = yield from s.check(switch, checked=checked, thought=f'set "{switch.name}"')
        s.report(StepStatus.AS_WRITTEN if result.ok else StepStatus.STUCK, result.error)
    elif s.lost is not None:
        s.report_unreached()
    else:
        s.report_left_open("switch")


def upload(s: Session, intent: Intent) -> Script:
    """Upload a small file to the file field that the text names, or to the only one."""
    files = [e for e in s.view.elements if takes_file(e) and is_enabled(e)]
    label = intent.label or intent.place.field or intent.place.section
    if not files:
        yield from _no_file_field(s, intent)
        return
    s.note_match(label.text if label else "", files[0])
    named_fields = [e for e in files if label and compare(label.text, e.name) is not None]
    target = next(iter(named_fields or files))
    how = compare(label.text, target.name) if label else None
    if label and how and not how.is_strict and not text_shown(s.view, label.text):
        report_rename(s, label, Match(target, how))
    texts = [t for t in (label.text if label else "", target.name) if t]
    bound_name = s.values.bound_to(*texts)
    name = bound_name or (intent.value.text if intent.value else None)
    yield from upload_file(s, target, name, is_bound=bound_name is not None)


def _no_file_field(s: Session, intent: Intent) -> Script:
    match = match_clickable(s.view, intent.label.text) if intent.label else None
    if s.lost is not None:
        s.report_unreached()
    elif match is not None:
        yield from s.click(match.element, f'click "{match.element.name}"')
        s.report(StepStatus.AS_WRITTEN)
    elif intent.label is not None:
        s.report_stuck(f'no "{intent.label.text}" in {s.describe_place()}')
    else:
        s.report_stuck(f"no field takes a file in {s.describe_place()}")


def move(s: Session, intent: Intent) -> Script:
    """Move an entry of a transfer list with the button in its row."""
    key = (
        s.values.row_key(re.sub(r"\b(?:for|each|the)\b", " ", intent.thing))
        or s.values.row_key(intent.thing)
        or _only_movable(s, intent)
    )
    if key is None:
        s.skip("the text leaves open what to move: bind it in the checks")
        return
    if not (yield from allocate(s, key)):
        if s.lost is not None:
            s.report_unreached()
        else:
            s.report_stuck(f'no entry "{key}" to move in {s.describe_place()}')


def _only_movable(s: Session, intent: Intent) -> str | None:
    """The key of the only row that has the button which the text names."""
    label = intent.label
    if label is None or intent.thing:
        return None
    rows = {
        e.row
        for e in s.view.elements
        if e.row and e.dialog == s.dialog and is_enabled(e) and e.name.strip() == label.text.strip()
    }
    return rows.pop() if len(rows) == 1 else None


def allocate(s: Session, key: str) -> ScriptOf[bool]:
    """Click the button that moves the entry which shows `key`; False if there is none."""
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
    s.note_match(key, mover)
    result = yield from s.click(mover, f'move "{key}"')
    s.touch()
    s.report(StepStatus.AS_WRITTEN if result.ok else StepStatus.STUCK, result.error)
    return True


def _click_menu_entry(s: Session, intent: Intent) -> Script:
    """Click the entry where the "field" is a menu ("From the **Actions** list, select **X**")."""
    assert intent.value is not None  # noqa: S101 - asked only with a value
    match = match_clickable(s.view, intent.value.text, row=s.row)
    if match:
        s.note_match(intent.value.text, match.element)
        result = yield from s.click(match.element, f'click "{match.element.name}"')
        s.report(StepStatus.AS_WRITTEN if result.ok else StepStatus.STUCK, result.error)

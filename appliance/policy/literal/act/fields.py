"""Finding form controls, and putting values into them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from appliance.core.page import Element, Observation, TextKind
from appliance.core.procedure import Inline, InlineRole, Sentence
from appliance.core.verdict import Basis, DivergenceKind, StepStatus
from appliance.language import values
from appliance.language.names import How, compare, plain, same, singular_words, words
from appliance.policy.literal.act.defaults import check_stated_default
from appliance.policy.literal.act.files import file_named
from appliance.policy.literal.act.groups import choose_in_group
from appliance.policy.literal.act.limits import check_instruction_facts
from appliance.policy.literal.act.notes import lacks_option, list_fields, report_rename
from appliance.policy.literal.match.grounding import (
    FIELDS,
    TEXTUAL,
    TOGGLES,
    Match,
    is_enabled,
    is_field,
    is_help,
    is_search,
    match_clickable,
    match_field,
    match_field_by_words,
    match_field_named_for_dialog,
    match_option,
    names_of,
    quoted_options,
    text_shown,
)
from appliance.policy.literal.read.intents import EDIT, Intent, IntentKind
from appliance.policy.literal.read.masking import marked_words
from appliance.policy.literal.session import Script, ScriptOf, Session

LEAVES_OPEN = re.compile(
    r"\bleave\b.*\b(?:blank|empty|default|unchanged)\b|保持(?:默认|为空)|留空|\bskip\b", re.I
)


_DEPENDS_ON = re.compile(
    r"\bif (?:you|the)\b.*\b(?:chosen|choose|chose|selected|select|use)\b"
    r"|\bdepends? on\b|\bbased on your\b|\bfield changes\b|\bnon[- ]?admin|\badministrators only\b"
    r"|\bnot allowed\b|如果|若选择|\bonly (?:displayed|shown|available)\b",
    re.I,
)


def fill(s: Session, intent: Intent) -> Script:
    """Type or choose a value in the field that the sentence names."""
    if intent.label is None and not intent.thing and intent.value is not None:
        match = match_field(s.view, intent.value.text)
        if match is not None and match.how.is_strict:  # "Enter **Name** in the field"
            intent = replace(intent, label=intent.value, value=None)
    element = yield from _find_field(s, intent)
    if element is None:
        return
    label = intent.label or intent.place.field
    check_instruction_facts(s, intent, element)
    if "readonly" in element.states:
        s.report(
            StepStatus.AS_WRITTEN, f'"{element.name}" is filled in already and cannot be changed'
        )
        return
    check_stated_default(s, intent, element)
    value = _value_for(s, intent, element)
    if value is None:
        s.report(StepStatus.AS_WRITTEN, f'"{element.name}" is there; the text leaves it open')
        return
    s.edited_sentences.add(intent.sentence)
    yield from enter_value(
        s, element, value, intent.value or label, label_text=label.text if label else ""
    )
    if element.type == "password" and _TWICE.search(intent.sentence.text):
        yield from _repeat_password(s, element, value)
    if "search" in intent.noun and element.role in TEXTUAL:
        yield from s.press("Enter", thought="start the search", element=element)


def is_in_form(s: Session, name: str) -> bool:
    """Whether the open form has a field of exactly that name."""
    match = match_field(s.view, name) if s.lost is None else None
    if match is None or not match.how.is_strict or is_search(match.element):
        return False
    return match.element.dialog is not None or match.element.region == "form"


def parts_shown(s: Session, things: list[str]) -> list[str]:
    """The things that the form in front shows as a field, tab or heading.

    None where no form is open, or where the page may be another one than the text means.
    """
    form_fields = [e for e in s.front_elements if is_field(e) and not is_search(e)]
    if s.may_be_elsewhere or not form_fields:
        return []
    names = [e.name for e in (*form_fields, *(e for e in s.front_elements if e.role == "tab"))]
    names += [t.text for t in s.view.texts if t.kind is TextKind.HEADING]
    return [thing for thing in things if any(_is_about(thing, name) for name in names)]


def _is_about(thing: str, name: str) -> bool:
    thing_words, name_words = singular_words(thing), singular_words(name)
    return bool(thing_words and name_words) and (
        thing_words <= name_words or name_words <= thing_words
    )


_TWICE = re.compile(r"\bboth\b|\btwice\b|\bin the two\b|两次|两个", re.IGNORECASE)


def _repeat_password(s: Session, first: Element, value: str) -> Script:
    """Fill in the second password field: "Enter the new password in both fields"."""
    empty = [
        e
        for e in s.view.elements
        if e.type == "password" and e.id != first.id and e.dialog == first.dialog and not e.value
    ]
    for second in empty[:1]:
        yield from enter_value(s, second, value, None)


def _find_field(s: Session, intent: Intent) -> ScriptOf[Element | None]:
    """Find the form control by its label or by the words of the phrase; report a missing one."""
    label = intent.label or intent.place.field
    if label is not None and label.role is not InlineRole.LITERAL:
        match = yield from find_field(s, intent, label)
        return match.element if match else None
    if intent.noun == "search":
        box = next((e for e in s.view.elements if is_search(e)), None)
        if box:
            return box
    if not intent.thing and label is None and intent.noun != "search":
        return _only_empty_field(s, intent)
    if only := _only_of_its_kind(s, intent.thing):
        s.note_match("", only)
        return only
    is_adrift = s.lost is not None and not s.view.dialogs
    element = None if is_adrift else match_field_by_words(s.view, intent.thing)
    if element is None:
        if s.lost is not None:
            s.report_unreached()
        elif intent.is_optional or intent.is_conditional:
            s.report(StepStatus.SKIPPED)
        elif _is_confirmed_without(s, intent):
            s.diverge(
                DivergenceKind.EXTRA_STEP, intent.sentence,
                f'the dialog "{s.dialog}" has nothing to type into', basis=Basis.ABSENT,
            )  # fmt: skip
        else:
            _report_no_field(s, intent)
        return None
    s.note_match("", element)
    s.literal_name_counts[intent.sentence] += words(element.name) <= words(intent.thing)
    return element


_MIN_NAMED_LITERALLY = 2
"""If so many fields have exactly the names in a sentence, a missing one is the sentence's error."""


def _report_no_field(s: Session, intent: Intent) -> None:
    """Report that no field is named by these plain words, which may be meant otherwise."""
    is_sure = s.literal_name_counts[intent.sentence] >= _MIN_NAMED_LITERALLY
    if not is_sure:
        s.report(StepStatus.STUCK, f'no field for "{intent.thing}" in {s.describe_place()}')
    start = intent.sentence.text.find(intent.thing)
    untrue_words = (
        marked_words(intent.sentence, start, start + len(intent.thing)) if start >= 0 else None
    )
    s.diverge(
        DivergenceKind.MISSING_CONTROL,
        untrue_words if untrue_words is not None and is_sure else intent.sentence,
        f'no field for "{intent.thing}" in {s.describe_place()}{list_fields(s)}',
        basis=Basis.ABSENT if is_sure else Basis.DOUBTFUL,
    )


def _is_confirmed_without(s: Session, intent: Intent) -> bool:
    """Whether the text has a name typed to confirm, in a dialog without a text box."""
    dialog_elements = [e for e in s.view.elements if e.dialog is not None]
    is_name = re.search(r"\bname\b|名称", intent.thing) is not None
    has_box = any(e.role in TEXTUAL for e in dialog_elements)
    return bool(is_name and dialog_elements) and s.lost is None and not has_box


def _only_empty_field(s: Session, intent: Intent) -> Element | None:
    """The only text box, or the only empty one, where the text gives just the value."""
    boxes = [e for e in s.front_elements if e.role in TEXTUAL and is_enabled(e) and e.row is None]
    empty = [e for e in boxes if not e.value]
    candidate_boxes = boxes if len(boxes) == 1 else empty
    if s.lost is not None:
        s.report_unreached()
    elif len(candidate_boxes) != 1:
        s.report_left_open("field")
    else:
        s.note_match("", candidate_boxes[0])
        return candidate_boxes[0]
    return None


def _only_of_its_kind(s: Session, thing: str) -> Element | None:
    """The only slider, or the only code editor, where the text does not name it."""
    if thing == "slider":
        matching = [e for e in s.front_elements if e.role == "slider"]
    elif thing == "code":
        matching = [
            e for e in s.front_elements if e.role == "textbox" and e.tag not in ("input", "")
        ]
    else:
        return None
    return matching[0] if len(matching) == 1 else None


def find_field(s: Session, intent: Intent, label: Inline) -> ScriptOf[Match | None]:
    """Find the form control of a marked label, here or on another tab; report an inexact match."""
    match = match_field(s.view, label.text)
    if match is None:
        yield from s.look_again(label.text)
        match = match_field(s.view, label.text)
    if match is None or not match.how.is_strict:
        match_of_made = match_field_named_for_dialog(s.view, label.text)
        match_elsewhere = None if match_of_made else (yield from _find_on_other_tabs(s, label))
        match = match_of_made or match_elsewhere or match_field(s.view, label.text)
    is_near = match is not None and not match.how.is_strict
    if match and is_near and (s.lost is not None or s.names_elsewhere(match.element.name)):
        match = None
    if match is not None:
        s.note_match(label.text, match.element)
        if not match.how.is_strict:
            report_rename(s, label, match)
        return match
    is_shown = text_shown(s.view, label.text) is not None and not _lacks_its_list(s, intent, label)
    if s.lost is None and is_shown and intent.kind is IntentKind.CHOOSE and intent.entry is None:
        s.report_stuck(f'"{label.text}" is only a text here: nothing can be chosen in it')
        return None
    if s.lost is None and (is_shown or _is_a_tab(s, label)):
        s.report(StepStatus.AS_WRITTEN, f'"{label.text}" is shown', is_seen=False)
        return None
    _report_missing_field(s, intent, label)
    return None


_CHOICES = frozenset({"combobox", "listbox", "radiogroup", "radio", "option"})


def _lacks_its_list(s: Session, intent: Intent, label: Inline) -> bool:
    """Whether the text calls it a drop-down list, and the page has only a heading of that name."""
    entry = intent.entry
    if entry is None or not any(_DROP_DOWN.search(d.text) for d in entry.description):
        return False
    return not any(
        e.role in _CHOICES or "haspopup" in e.states
        for e in s.view.elements
        if same(label.text, e.group) or (same(label.text, e.section) and not e.name)
    )


_DROP_DOWN = re.compile(
    r"^(?:choose|select) .*\bfrom the drop-?\s?down\b|^从下拉\S{0,4}中?选择", re.IGNORECASE
)


def _is_a_tab(s: Session, label: Inline) -> bool:
    """Whether the "field" is a tab of that name, with nothing in it that can be filled in."""
    tabs = [e for e in s.view.elements if _is_tab(e)]
    current = [e for e in tabs if {"selected", "current"} & e.states and e.dialog is not None]
    return any(same(label.text, e.name) for e in tabs) or any(
        compare(label.text, e.name) is How.SUBSET for e in current
    )


def _report_missing_field(s: Session, intent: Intent, label: Inline) -> None:
    if intent.noun == "choice" and s.lost is None:
        _check_listed_choice(s, intent, label)
    elif is_uncertain(intent) and not _is_only_optional(s, intent):
        s.report(
            StepStatus.SKIPPED, f'"{label.text}" is not there; it depends on choices not made here'
        )
    elif s.lost is not None:
        s.report_unreached()
    elif s.depends_on_left_out(label):
        pass
    elif intent in s.put_off:
        message = f'no page of the wizard has a field "{label.text}"'
        s.diverge(DivergenceKind.MISSING_CONTROL, label, message, basis=Basis.ABSENT)
    elif not any(is_field(e) for e in s.view.elements):
        s.report_stuck(f'no form is open where "{label.text}" could be')
    else:
        message = f'{s.describe_place()} has no field "{label.text}"{list_fields(s)}'
        s.diverge(DivergenceKind.MISSING_CONTROL, label, message, basis=Basis.ABSENT)


def _check_listed_choice(s: Session, intent: Intent, label: Inline) -> None:
    """Check a choice that the text lists as if it were a field: "**Daily**: …", "**Weekly**: …".

    What offers at least two of them is what the text speaks of: what it lacks of them is gone.
    """
    choice_names = [
        i.label.text for i in s.plan if i.step == s.step and i.noun == "choice" and i.label
    ]
    lists = [(e.name, list(e.options)) for e in s.view.elements if e.options]
    radios = [e for e in s.view.elements if e.role == "radio"]
    lists += [
        (group, [e.name for e in radios if e.group == group]) for group in {e.group for e in radios}
    ]
    name, offered = max(
        lists,
        key=lambda name_and_options: (
            _offers(name_and_options[1], label.text),
            _count_offered(name_and_options[1], choice_names),
        ),
        default=("", []),
    )
    if _offers(offered, label.text):
        s.confirm(label)
        s.report(StepStatus.AS_WRITTEN, f'"{name}" offers "{label.text}"')
    elif _count_offered(offered, choice_names) < _MIN_MATCHING_CHOICES or is_uncertain(intent):
        s.report(StepStatus.SKIPPED, f'"{label.text}" is no field, and may be one of the choices')
    else:
        closest = match_option(offered, label.text)
        s.diverge(
            DivergenceKind.CHANGED_OPTION, label,
            lacks_option(name, label.text, quoted_options(offered)),
            suggestion=closest[0] if closest else None,
        )  # fmt: skip


_MIN_MATCHING_CHOICES = 2


def _offers(offered: Sequence[str], option_text: str) -> bool:
    closest = match_option(offered, option_text)
    return closest is not None and closest[1].is_strict


def _count_offered(offered: Sequence[str], choice_names: Sequence[str]) -> int:
    return sum(_offers(offered, choice_name) for choice_name in choice_names)


def _is_only_optional(s: Session, intent: Intent) -> bool:
    """Whether it may be left out, though not because of a choice made earlier in the text."""
    is_conditional = any(i.is_conditional or _depends(i) for i in (*s.past, intent))
    return intent.is_optional and not is_conditional


def is_uncertain(intent: Intent) -> bool:
    """Whether, by the text's own words, the field need not be there."""
    return intent.is_optional or intent.is_conditional or _depends(intent)


def _depends(intent: Intent) -> bool:
    entry = intent.entry
    return entry is not None and any(_DEPENDS_ON.search(d.text) for d in entry.description)


def _find_on_other_tabs(s: Session, label: Inline) -> ScriptOf[Match | None]:
    """Look in the form's folded parts and on its other tabs; go back if in vain."""
    if s.lost is not None or not any(is_field(e) and not is_search(e) for e in s.view.elements):
        return None
    if (match := (yield from _find_in_folded_parts(s, label))) is not None:
        return match
    tabs = [e for e in s.view.elements if _is_tab(e) and _is_in_front(s, e) and is_enabled(e)]
    if not s.view.dialogs:  # other controls of a tab list may lead to another page
        tabs = [e for e in tabs if e.role == "tab"]
    home_tab = next((t for t in tabs if {"selected", "current"} & t.states), None)
    other_tabs = [t for t in tabs if t is not home_tab and _may_contain(s, t, label)]
    if home_tab is None or len(other_tabs) > 12:
        return None
    for tab in other_tabs:
        result = yield from s.click(tab, f'look for "{label.text}" on the tab "{tab.name}"')
        s.tabs_seen[tab.name] = _names_on_tab(s)
        if result.ok and (match := match_field(s.view, label.text)) and match.how.is_strict:
            return match
        if result.ok and text_shown(s.view, label.text):
            return None
    home_match = match_clickable(s.view, home_tab.name, noun="tab") if other_tabs else None
    if home_match:
        yield from s.click(home_match.element, "back to the tab")
    return None


_MAX_FOLDS = 6
"""Folded parts of a form opened in the search for one field."""


def _find_in_folded_parts(s: Session, label: Inline) -> ScriptOf[Match | None]:
    """Open the folded parts of the form ("Advanced settings"); the right one stays open."""
    folded = [
        e for e in s.view.elements
        if "collapsed" in e.states and "haspopup" not in e.states and e.role == "button"
        and e.row is None and e.region not in ("navigation", "banner", "menu", "toolbar")
        and _is_in_front(s, e) and is_enabled(e) and not is_help(e)
    ]  # fmt: skip
    for part in folded[:_MAX_FOLDS]:
        if part.id in s.opened_folds:
            continue
        s.opened_folds.add(part.id)
        result = yield from s.click(part, f'look for "{label.text}" below "{part.name}"')
        if result.ok and (match := match_field(s.view, label.text)) and match.how.is_strict:
            return match
    return None


def _is_in_front(s: Session, e: Element) -> bool:
    """Whether it belongs to the form in front: to the dialog, or to the page inside its frame."""
    return e.dialog is not None if s.view.dialogs else e.region not in ("navigation", "banner")


def _may_contain(s: Session, tab: Element, label: Inline) -> bool:
    """Whether a tab is worth opening: it was not seen before, or was seen with such a field."""
    names_on_tab = s.tabs_seen.get(tab.name)
    return names_on_tab is None or any(same(label.text, name) for name in names_on_tab)


def _names_on_tab(s: Session) -> frozenset[str]:
    fields = [e.name for e in s.view.elements if is_field(e) and _is_in_front(s, e)]
    is_open = bool(s.view.dialogs)
    return frozenset(fields) | {t.text for t in s.view.texts if t.dialog is not None or not is_open}


def _is_tab(e: Element) -> bool:
    is_wizard_step = e.region == "navigation" and e.dialog is not None
    return e.role == "tab" or e.region == "tablist" or is_wizard_step


_CONFIRMS = re.compile(r"to confirm|confirmation|以确认|确认删除|进行确认")


def requested_confirmation(s: Session, element: Element) -> str | None:
    """The known value that the field's own label asks for ("Type web-1 to confirm")."""
    known_names = [v for v in (s.row, *s.values.all_values()) if v and v in element.name]
    return max(known_names, key=len, default=None)


def _value_for(s: Session, intent: Intent, element: Element) -> str | None:
    """The value from the bindings or the text, or one made up; None where it may be left alone."""
    label = intent.label or intent.place.field
    names = [n for n in (label.text if label else "", element.name) if n]
    text = intent.sentence.text.casefold()
    if intent.value is not None and intent.label is None and not intent.thing:
        return intent.value.text  # "Type DELETE in the field"
    is_confirmed = _CONFIRMS.search(f"{text} {element.name.casefold()}") and not _is_new(intent)
    if is_confirmed and element.role in TEXTUAL:
        return requested_confirmation(s, element) or s.values.row_key(intent.thing) or s.row or None
    if intent.value is not None:
        return s.values.bound_to(intent.value.text) or intent.value.text
    phrase_value = s.values.for_phrase(intent.thing) if label is None else None
    for bound_value in (s.values.bound_to(*names), phrase_value):
        if bound_value is not None and not (
            _is_new(intent) and same(bound_value, element.value or "")
        ):
            return bound_value  # "Change the lesson title" needs another value than the present one
    if intent.is_optional or intent.is_conditional or LEAVES_OPEN.search(intent.sentence.text):
        return None
    if element.value and (element.role not in TEXTUAL or _is_edited(s, intent)):
        return None
    return s.values.make_up(element, names[0] if names else "", intent.thing)


def _is_new(intent: Intent) -> bool:
    """Whether the text asks for another value than the one that is there."""
    return intent.noun == EDIT or re.search(r"\bnew\b|新", intent.sentence.text) is not None


def _is_edited(s: Session, intent: Intent) -> bool:
    """Whether this sentence has changed a field already: one of those that it names is enough."""
    return intent.noun == EDIT and intent.sentence in s.edited_sentences


_NUMBER = re.compile(r"^\s*(-?\d+(?:\.\d+)?)\s*[^\d\s:.\-/]\S*\s*$")
"""A number with its unit ("40 GiB"): the unit stands beside the field."""


def enter_value(
    s: Session,
    element: Element,
    value: str,
    value_words: Inline | Sentence | None,
    *,
    label_text: str = "",
) -> Script:
    """Enter a value in the way the control asks for.

    Args:
        s: The session.
        element: The control.
        value: The value.
        value_words: The words of the text that are the value; None where a binding gives it.
        label_text: What the text calls the field.
    """
    s.touch()
    if (
        yield from choose_in_group(
            s, element, value, label_text=label_text, value_words=value_words
        )
    ):
        return
    if element.role in ("spinbutton", "slider") and (number := _NUMBER.match(value)):
        value = number.group(1)
    if element.role == "radio" and not same(value, element.name):
        element = _other_radio(s, element, value, value_words) or element
        value = element.name
    if element.role in TOGGLES:
        checked = plain(value) in values.YES.both or same(value, element.name)
        result = yield from s.check(element, checked=checked, thought=f'set "{element.name}"')
    elif element.type == "file" or ("readonly" in element.states and element.role != "combobox"):
        yield from upload_file(s, element, value)
        return
    elif element.role in TEXTUAL | {"slider"} or _is_free(element):
        result = yield from s.type(element, value, f'enter "{value}" in "{element.name}"')
        s.is_unsure_of_entry |= _is_free(element) and value_words is None
    else:
        yield from _select(s, element, value, value_words)
        return
    s.values.remember(element.name or "name", value)
    if result.ok and isinstance(value_words, Inline) and same(value_words.text, value):
        s.entered_words[plain(element.name)] = value_words
        s.confirm(value_words)
    s.report(StepStatus.AS_WRITTEN if result.ok else StepStatus.STUCK, result.error)


def _is_free(element: Element) -> bool:
    """Whether it is a box with suggestions that takes any text."""
    is_input = element.role == "combobox" and element.tag == "input" and not element.options
    return is_input and not {"collapsed", "expanded"} & element.states


def _other_radio(
    s: Session, element: Element, value: str, value_words: Inline | Sentence | None
) -> Element | None:
    """The radio button of the same group that bears the value; report a renamed or missing one."""
    radios = [e for e in s.view.elements if e.role == "radio" and e.group == element.group]
    closest = match_option([e.name for e in radios], value)
    if closest is None:
        if value_words is not None and _contains_value(value_words, value):
            message = lacks_option(element.group, value, names_of(radios))
            s.diverge(DivergenceKind.CHANGED_OPTION, value_words, message, box=element.box)
        return None
    if not closest[1].is_strict and value_words is not None and _contains_value(value_words, value):
        message = f'the option is called "{closest[0]}"'
        s.diverge(
            DivergenceKind.CHANGED_OPTION, value_words, message,
            suggestion=closest[0], box=element.box, is_guess=not closest[1].is_small,
        )  # fmt: skip
    return next(e for e in radios if e.name == closest[0])


def takes_file(e: Element) -> bool:
    """A file field, or the button in front of a hidden one."""
    is_browse = e.role == "button" and re.match(
        r"(?:browse|choose file)|浏览|选择文件", e.name, re.I
    )
    return e.type == "file" or bool(is_browse)


def upload_file(
    s: Session, element: Element, name: str | None = None, *, is_bound: bool = True
) -> Script:
    """Upload a small file to the field, or to the hidden file field whose name it shows."""
    files = [e for e in s.view.elements if takes_file(e) and is_enabled(e)]
    target = element if element.type == "file" else next(iter(files), None)
    if target is None:
        s.report(StepStatus.AS_WRITTEN, f'"{element.name}" cannot be typed into', is_seen=False)
        return
    content = s.values.bound_to(f"{target.name} content", f"{target.name}内容")
    path = file_named(s.task, name, content, is_bound=is_bound)
    result = yield from s.upload(target, path, "give a file")
    s.touch()
    s.report(StepStatus.AS_WRITTEN if result.ok else StepStatus.STUCK, result.error)


def _select(
    s: Session, element: Element, value: str, value_words: Inline | Sentence | None
) -> Script:
    """Choose an option; a renamed or missing one is a divergence of the words that name it."""
    closest = match_option(element.options, value) if element.options else None
    if (
        closest
        and not closest[1].is_strict
        and value_words is not None
        and _contains_value(value_words, value)
    ):
        s.diverge(
            DivergenceKind.CHANGED_OPTION, value_words,
            f'the option of "{element.name}" is called "{closest[0]}"',
            suggestion=closest[0], box=element.box, is_guess=not closest[1].is_small,
        )  # fmt: skip
    if (
        element.options
        and closest is None
        and value_words is not None
        and _contains_value(value_words, value)
    ):
        s.diverge(
            DivergenceKind.CHANGED_OPTION, value_words,
            lacks_option(element.name, value, quoted_options(element.options)),
            box=element.box,
        )  # fmt: skip
        value = s.values.make_up(element)
    elif closest:
        value = closest[0]
    view_before = s.view
    # a made-up value is in no list
    is_any = s.task.unique in value and element.tag != "input" and not element.options
    if is_any and (yield from take_first_offered(s, element, view_before)):
        s.report(StepStatus.AS_WRITTEN)
        return
    result = yield from s.select(element, value, f'choose "{value}" in "{element.name}"')
    if not result.ok and result.error.endswith("it offers nothing") and element.tag == "input":
        result = yield from s.type(element, value, f'enter "{value}" in "{element.name}"')
    if result.ok:
        s.report(StepStatus.AS_WRITTEN)
        if isinstance(value_words, Inline) and same(value_words.text, value):
            s.confirm(value_words)
    elif (
        value_words is not None and _contains_value(value_words, value) and "option" in result.error
    ):
        s.diverge(DivergenceKind.CHANGED_OPTION, value_words, result.error, box=element.box)
        yield from take_first_offered(s, element, view_before)
    elif s.task.unique in value and (yield from take_first_offered(s, element, view_before)):
        s.report(StepStatus.AS_WRITTEN)  # a made-up value stands for any
    else:
        s.report(StepStatus.STUCK, result.error)


def take_first_offered(s: Session, element: Element, view_before: Observation) -> ScriptOf[bool]:
    """Choose the first entry that a drop-down offers; False if it offers none.

    Args:
        s: The session.
        element: The drop-down.
        view_before: The page before it was opened.
    """
    current = match_field(s.view, element.name)
    if current is None:
        return False
    if element.tag == "input":  # the rejected text would filter out all entries
        yield from s.type(current.element, "", "see what it offers")
    elif not current.element.options and not any(_offered_entries(s, current.element, view_before)):
        yield from s.click(current.element, "see what it offers")
    if not current.element.options and not any(_offered_entries(s, current.element, view_before)):
        yield from s.wait(0.8, "wait for what it offers")  # the entries may still be loading
    current = match_field(s.view, element.name) or current
    first_entry = next(_offered_entries(s, current.element, view_before), None)
    if current.element.options:
        value = s.values.make_up(current.element)
        result = yield from s.select(current.element, value, f'take "{value}"')
    elif first_entry is not None:
        result = yield from s.click(first_entry, f'take "{first_entry.name}"')
    else:
        return False
    return result.ok


_NOTHING_YET = re.compile(
    r"^$|^-+$|^(?:loading|searching|please|type|no (?:results|matches|options|data))\b|…$|\.\.\.$"
    r"|^(?:加载|搜索|请|无)",
    re.IGNORECASE,
)
"""Placeholders in a list that cannot be chosen."""


def _offered_entries(s: Session, drop_down: Element, view_before: Observation) -> Iterator[Element]:
    """The entries of an open drop-down: its options, or else what has appeared below it."""
    enabled = [e for e in s.view.elements if is_enabled(e)]
    yield from (e for e in enabled if e.role == "option" and not _NOTHING_YET.match(e.name.strip()))
    known_before = {(e.role, e.name) for e in view_before.elements}
    for e in enabled:
        is_below = e.box.y >= drop_down.box.y and abs(e.box.x - drop_down.box.x) < _INDENT_PX
        is_new = e.role not in FIELDS and (e.role, e.name) not in known_before
        if is_below and is_new and not _NOTHING_YET.match(e.name.strip()):
            yield e


_INDENT_PX = 24
"""CSS pixels between the left edges of a drop-down and its entries, at most."""


def _contains_value(value_words: Inline | Sentence, value: str) -> bool:
    """Whether these words of the text are the value (a binding's value is not the text's)."""
    return plain(value) in plain(value_words.text)

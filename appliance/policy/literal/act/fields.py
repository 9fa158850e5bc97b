"""Finding form controls, and putting values into them."""

import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace

from appliance.core.page import Element, Observation, TextKind
from appliance.core.procedure import Inline, InlineRole, Sentence
from appliance.core.verdict import Basis, DivergenceKind, StepStatus
from appliance.language import values
from appliance.language.names import How, compare, plain, same, singular_words, words
from appliance.policy.base import Decision
from appliance.policy.literal.act.defaults import check_stated_default
from appliance.policy.literal.act.files import file_named
from appliance.policy.literal.act.groups import choose_in
from appliance.policy.literal.act.limits import hold
from appliance.policy.literal.act.notes import offers, rename
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
from appliance.policy.literal.session import Script, Session

LEAVES_OPEN = re.compile(
    r"\bleave\b.*\b(?:blank|empty|default|unchanged)\b|保持(?:默认|为空)|留空|\bskip\b", re.I
)


_WHEN = re.compile(
    r"\bif (?:you|the)\b.*\b(?:chosen|choose|chose|selected|select|use)\b"
    r"|\bdepends? on\b|\bbased on your\b|\bfield changes\b|\bnon[- ]?admin|\badministrators only\b"
    r"|\bnot allowed\b|如果|若选择|\bonly (?:displayed|shown|available)\b",
    re.I,
)


def fill(s: Session, intent: Intent) -> Script:
    """Type or choose a value in the field that the sentence names."""
    if intent.label is None and not intent.thing and intent.value is not None:
        named = match_field(s.view, intent.value.text)
        if named is not None and named.how.is_strict:  # "Enter **Name** in the field"
            intent = replace(intent, label=intent.value, value=None)
    element = yield from _find_field(s, intent)
    if element is None:
        return
    label = intent.label or intent.place.field
    hold(s, intent, element)
    if "readonly" in element.states:
        s.report(
            StepStatus.AS_WRITTEN, f'"{element.name}" is filled in already and cannot be changed'
        )
        return
    check_stated_default(s, intent, element)
    value = _value(s, intent, element)
    if value is None:
        s.report(StepStatus.AS_WRITTEN, f'"{element.name}" is there; the text leaves it open')
        return
    s.edited.add(intent.sentence)
    yield from put(s, element, value, intent.value or label, named=label.text if label else "")
    if element.type == "password" and _TWICE.search(intent.sentence.text):
        yield from _once_more(s, element, value)
    if "search" in intent.noun and element.role in TEXTUAL:
        yield from s.press("Enter", thought="start the search", element=element)


def is_in_form(s: Session, name: str) -> bool:
    """Whether the form that is open has a field of just that name."""
    match = match_field(s.view, name) if s.lost is None else None
    if match is None or not match.how.is_strict or is_search(match.element):
        return False
    return match.element.dialog is not None or match.element.region == "form"


def parts_here(s: Session, things: list[str]) -> list[str]:
    """Of several things that a text says to settle, those that the form in front shows.

    Fields, tabs, headings; none where no form is open or the page may be another one.
    """
    shown = [e for e in s.front if is_field(e) and not is_search(e)]
    if s.may_be_elsewhere or not shown:
        return []
    names = [e.name for e in (*shown, *(e for e in s.front if e.role == "tab"))]
    names += [t.text for t in s.view.texts if t.kind is TextKind.HEADING]
    return [one for one in things if any(_is_about(one, name) for name in names)]


def _is_about(thing: str, name: str) -> bool:
    wanted, shown = singular_words(thing), singular_words(name)
    return bool(wanted and shown) and (wanted <= shown or shown <= wanted)


_TWICE = re.compile(r"\bboth\b|\btwice\b|\bin the two\b|两次|两个", re.IGNORECASE)


def _once_more(s: Session, first: Element, value: str) -> Script:
    """As in "Enter the new password in both fields"."""
    empty = [
        e
        for e in s.view.elements
        if e.type == "password" and e.id != first.id and e.dialog == first.dialog and not e.value
    ]
    for other in empty[:1]:
        yield from put(s, other, value, None)


def _find_field(s: Session, intent: Intent) -> Generator[Decision, None, Element | None]:
    """The form control, by label or by the words of the phrase; says what is missing."""
    label = intent.label or intent.place.field
    if label is not None and label.role is not InlineRole.LITERAL:
        match = yield from find_field(s, intent, label)
        return match.element if match else None
    if intent.noun == "search":
        box = next((e for e in s.view.elements if is_search(e)), None)
        if box:
            return box
    if not intent.thing and label is None and intent.noun != "search":
        return _the_field(s, intent)
    if only := _only_of_its_kind(s, intent.thing):
        s.met("", only)
        return only
    is_adrift = s.lost is not None and not s.view.dialogs
    element = None if is_adrift else match_field_by_words(s.view, intent.thing)
    if element is None:
        if s.lost is not None:
            s.unreached()
        elif intent.is_optional or intent.is_conditional:
            s.report(StepStatus.SKIPPED)
        elif _is_confirmed_without(s, intent):
            s.diverge(
                DivergenceKind.EXTRA_STEP, intent.sentence,
                f'the dialog "{s.dialog}" has nothing to type into', basis=Basis.ABSENT,
            )  # fmt: skip
        else:
            _no_field(s, intent)
        return None
    s.met("", element)
    s.called_so[intent.sentence] += words(element.name) <= words(intent.thing)
    return element


_OTHERS_CALLED_SO = 2
"""Of what a sentence lists: where so many are there, a missing one is the sentence's fault."""


def _no_field(s: Session, intent: Intent) -> None:
    """Nothing is called as the text's plain words say: they may be meant otherwise."""
    is_sure = s.called_so[intent.sentence] >= _OTHERS_CALLED_SO
    if not is_sure:
        s.report(StepStatus.STUCK, f'no field for "{intent.thing}" in {s.describe_place()}')
    start = intent.sentence.text.find(intent.thing)
    said = marked_words(intent.sentence, start, start + len(intent.thing)) if start >= 0 else None
    s.diverge(
        DivergenceKind.MISSING_CONTROL,
        said if said is not None and is_sure else intent.sentence,
        f'no field for "{intent.thing}" in {s.describe_place()}{offers(s)}',
        basis=Basis.ABSENT if is_sure else Basis.DOUBTFUL,
    )


def _is_confirmed_without(s: Session, intent: Intent) -> bool:
    """Whether a name is to be typed to confirm, in a dialog that has nowhere to type it."""
    inside = [e for e in s.view.elements if e.dialog is not None]
    is_name = re.search(r"\bname\b|名称", intent.thing) is not None
    has_box = any(e.role in TEXTUAL for e in inside)
    return bool(is_name and inside) and s.lost is None and not has_box


def _the_field(s: Session, intent: Intent) -> Element | None:
    """Where only the value is said: the one box to type into that there is, or is empty."""
    boxes = [e for e in s.front if e.role in TEXTUAL and is_enabled(e) and e.row is None]
    empty = [e for e in boxes if not e.value]
    only = boxes if len(boxes) == 1 else empty
    if s.lost is not None:
        s.unreached()
    elif len(only) != 1:
        s.left_open("field")
    else:
        s.met("", only[0])
        return only[0]
    return None


def _only_of_its_kind(s: Session, thing: str) -> Element | None:
    """The one slider, or the one box for code, where the text does not name it."""
    if thing == "slider":
        fitting = [e for e in s.front if e.role == "slider"]
    elif thing == "code":
        fitting = [e for e in s.front if e.role == "textbox" and e.tag not in ("input", "")]
    else:
        return None
    return fitting[0] if len(fitting) == 1 else None


def find_field(
    s: Session, intent: Intent, label: Inline
) -> Generator[Decision, None, Match | None]:
    """The form control of a marked label, here or on another tab; a near one is reported."""
    match = match_field(s.view, label.text)
    if match is None:
        yield from s.look_again(label.text)
        match = match_field(s.view, label.text)
    if match is None or not match.how.is_strict:
        made = match_field_named_for_dialog(s.view, label.text)
        elsewhere = None if made else (yield from _on_other_tabs(s, label))
        match = made or elsewhere or match_field(s.view, label.text)
    is_near = match is not None and not match.how.is_strict
    if match and is_near and (s.lost is not None or s.names_elsewhere(match.element.name)):
        match = None
    if match is not None:
        s.met(label.text, match.element)
        if not match.how.is_strict:
            rename(s, label, match)
        return match
    is_shown = text_shown(s.view, label.text) is not None and not _lacks_its_list(s, intent, label)
    if s.lost is None and is_shown and intent.kind is IntentKind.CHOOSE and intent.entry is None:
        s.stuck(f'"{label.text}" is only a text here: nothing can be chosen in it')
        return None
    if s.lost is None and (is_shown or _is_a_tab(s, label)):
        s.report(StepStatus.AS_WRITTEN, f'"{label.text}" is shown', is_seen=False)
        return None
    _field_missing(s, intent, label)
    return None


_CHOICES = frozenset({"combobox", "listbox", "radiogroup", "radio", "option"})


def _lacks_its_list(s: Session, intent: Intent, label: Inline) -> bool:
    """Whether the text speaks of a drop-down list where only a heading of that name is."""
    listed = intent.entry
    if listed is None or not any(_DROP_DOWN.search(d.text) for d in listed.description):
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
    """The "field" is all that the tab of that name shows (a list to choose from, information)."""
    tabs = [e for e in s.view.elements if _is_tab(e)]
    current = [e for e in tabs if {"selected", "current"} & e.states and e.dialog is not None]
    return any(same(label.text, e.name) for e in tabs) or any(
        compare(label.text, e.name) is How.SUBSET for e in current
    )


def _field_missing(s: Session, intent: Intent, label: Inline) -> None:
    if intent.noun == "choice" and s.lost is None:
        _choice_told(s, intent, label)
    elif is_uncertain(intent) and not _is_only_optional(s, intent):
        s.report(
            StepStatus.SKIPPED, f'"{label.text}" is not there; it depends on choices not made here'
        )
    elif s.lost is not None:
        s.unreached()
    elif s.depends_on_left_out(label):
        pass
    elif intent in s.put_off:
        shown = f'no page of the wizard has a field "{label.text}"'
        s.diverge(DivergenceKind.MISSING_CONTROL, label, shown, basis=Basis.ABSENT)
    elif not any(is_field(e) for e in s.view.elements):
        s.stuck(f'no form is open where "{label.text}" could be')
    else:
        shown = f'{s.describe_place()} has no field "{label.text}"{offers(s)}'
        s.diverge(DivergenceKind.MISSING_CONTROL, label, shown, basis=Basis.ABSENT)


def _choice_told(s: Session, intent: Intent, label: Inline) -> None:
    """As in "Choose how often:" before "**Daily**: …", "**Weekly**: …": they are no fields.

    What offers at least two of them is what the text speaks of: what it lacks of them is gone.
    """
    told = [i.label.text for i in s.plan if i.step == s.step and i.noun == "choice" and i.label]
    lists = [(e.name, list(e.options)) for e in s.view.elements if e.options]
    radios = [e for e in s.view.elements if e.role == "radio"]
    lists += [(g, [e.name for e in radios if e.group == g]) for g in {e.group for e in radios}]
    name, offered = max(
        lists, key=lambda one: (_offers(one[1], label.text), _count(one[1], told)), default=("", [])
    )
    if _offers(offered, label.text):
        s.confirm(label)
        s.report(StepStatus.AS_WRITTEN, f'"{name}" offers "{label.text}"')
    elif _count(offered, told) < _OF_ITS_CHOICES or is_uncertain(intent):
        s.report(StepStatus.SKIPPED, f'"{label.text}" is no field, and may be one of the choices')
    else:
        hit = match_option(offered, label.text)
        s.diverge(
            DivergenceKind.CHANGED_OPTION, label,
            f'"{name}" does not offer "{label.text}"; it offers {quoted_options(offered)}',
            suggestion=hit[0] if hit else None,
        )  # fmt: skip


_OF_ITS_CHOICES = 2


def _offers(offered: Sequence[str], wanted: str) -> bool:
    hit = match_option(offered, wanted)
    return hit is not None and hit[1].is_strict


def _count(offered: Sequence[str], told: Sequence[str]) -> int:
    return sum(_offers(offered, one) for one in told)


def _is_only_optional(s: Session, intent: Intent) -> bool:
    """Whether it may be left, but not because of choices: until here the text has none."""
    is_conditional = any(i.is_conditional or _depends(i) for i in (*s.past, intent))
    return intent.is_optional and not is_conditional


def is_uncertain(intent: Intent) -> bool:
    """Whether the field need not be there, by the text's own words."""
    return intent.is_optional or intent.is_conditional or _depends(intent)


def _depends(intent: Intent) -> bool:
    entry = intent.entry
    return entry is not None and any(_WHEN.search(d.text) for d in entry.description)


def _on_other_tabs(s: Session, label: Inline) -> Generator[Decision, None, Match | None]:
    """Look in the form's folded parts and on its other tabs, as a reader does; else go back."""
    if s.lost is not None or not any(is_field(e) and not is_search(e) for e in s.view.elements):
        return None
    if (match := (yield from _unfolded(s, label))) is not None:
        return match
    tabs = [e for e in s.view.elements if _is_tab(e) and _is_in_front(s, e) and is_enabled(e)]
    if not s.view.dialogs:  # what only looks like a tab may lead to another page
        tabs = [e for e in tabs if e.role == "tab"]
    home = next((t for t in tabs if {"selected", "current"} & t.states), None)
    others = [t for t in tabs if t is not home and _may_hold(s, t, label)]
    if home is None or len(others) > 12:
        return None
    for tab in others:
        done = yield from s.click(tab, f'look for "{label.text}" on the tab "{tab.name}"')
        s.tabs_seen[tab.name] = _names_here(s)
        if done.ok and (match := match_field(s.view, label.text)) and match.how.is_strict:
            return match
        if done.ok and text_shown(s.view, label.text):
            return None
    back = match_clickable(s.view, home.name, noun="tab") if others else None
    if back:
        yield from s.click(back.element, "back to the tab")
    return None


_FOLDS_TRIED = 6
"""Folded parts of one form that are opened in search of one field."""


def _unfolded(s: Session, label: Inline) -> Generator[Decision, None, Match | None]:
    """Open what is folded in the form in front ("Advanced settings"); it stays open."""
    folded = [
        e for e in s.view.elements
        if "collapsed" in e.states and "haspopup" not in e.states and e.role == "button"
        and e.row is None and e.region not in ("navigation", "banner", "menu", "toolbar")
        and _is_in_front(s, e) and is_enabled(e) and not is_help(e)
    ]  # fmt: skip
    for part in folded[:_FOLDS_TRIED]:
        if part.id in s.unfolded:
            continue
        s.unfolded.add(part.id)
        done = yield from s.click(part, f'look for "{label.text}" below "{part.name}"')
        if done.ok and (match := match_field(s.view, label.text)) and match.how.is_strict:
            return match
    return None


def _is_in_front(s: Session, e: Element) -> bool:
    """Whether it is of the form in front: of the dialog, or of the page's own part."""
    return e.dialog is not None if s.view.dialogs else e.region not in ("navigation", "banner")


def _may_hold(s: Session, tab: Element, label: Inline) -> bool:
    """Whether a tab is worth a look: not when it was seen before without such a field."""
    seen = s.tabs_seen.get(tab.name)
    return seen is None or any(same(label.text, name) for name in seen)


def _names_here(s: Session) -> frozenset[str]:
    fields = [e.name for e in s.view.elements if is_field(e) and _is_in_front(s, e)]
    is_open = bool(s.view.dialogs)
    return frozenset(fields) | {t.text for t in s.view.texts if t.dialog is not None or not is_open}


def _is_tab(e: Element) -> bool:
    is_wizard_step = e.region == "navigation" and e.dialog is not None
    return e.role == "tab" or e.region == "tablist" or is_wizard_step


_CONFIRMS = re.compile(r"to confirm|confirmation|以确认|确认删除|进行确认")


def asked_for(s: Session, element: Element) -> str | None:
    """The known name that the field itself says to type ("Type web-1 to confirm")."""
    known = [v for v in (s.row, *s.values.known()) if v and v in element.name]
    return max(known, key=len, default=None)


def _value(s: Session, intent: Intent, element: Element) -> str | None:
    """The value that bindings or the text give, else one made up where the text asks for any."""
    label = intent.label or intent.place.field
    names = [n for n in (label.text if label else "", element.name) if n]
    text = intent.sentence.text.casefold()
    if intent.value is not None and intent.label is None and not intent.thing:
        return intent.value.text  # "Type DELETE in the field"
    is_confirmed = _CONFIRMS.search(f"{text} {element.name.casefold()}") and not _is_new(intent)
    if is_confirmed and element.role in TEXTUAL:
        return asked_for(s, element) or s.values.row(intent.thing) or s.row or None
    if intent.value is not None:
        return s.values.bound(intent.value.text) or intent.value.text
    phrase = s.values.for_phrase(intent.thing) if label is None else None
    for bound in (s.values.bound(*names), phrase):
        if bound is not None and not (_is_new(intent) and same(bound, element.value or "")):
            return bound  # "Change the lesson title": to another than it has
    if intent.is_optional or intent.is_conditional or LEAVES_OPEN.search(intent.sentence.text):
        return None
    if element.value and (element.role not in TEXTUAL or _is_edited(s, intent)):
        return None
    return s.values.made_up(element, names[0] if names else "", intent.thing)


def _is_new(intent: Intent) -> bool:
    """Whether the text asks for something else than what is there."""
    return intent.noun == EDIT or re.search(r"\bnew\b|新", intent.sentence.text) is not None


def _is_edited(s: Session, intent: Intent) -> bool:
    """Whether the sentence has changed something already: one of what it names is enough."""
    return intent.noun == EDIT and intent.sentence in s.edited


_NUMBER = re.compile(r"^\s*(-?\d+(?:\.\d+)?)\s*[^\d\s:.\-/]\S*\s*$")
"""A number with its unit ("40 GiB"): the unit stands beside the field."""


def put(
    s: Session,
    element: Element,
    value: str,
    label: Inline | Sentence | None,
    *,
    named: str = "",
) -> Script:
    """Enter a value in the way the control asks for.

    Args:
        s: The session.
        element: The control.
        value: The value.
        label: The words of the text that are the value; None where a binding gives it.
        named: What the text calls the field.
    """
    s.touch()
    if (yield from choose_in(s, element, value, named=named, words=label)):
        return
    if element.role in ("spinbutton", "slider") and (number := _NUMBER.match(value)):
        value = number.group(1)
    if element.role == "radio" and not same(value, element.name):
        element = _other_radio(s, element, value, label) or element
        value = element.name
    if element.role in TOGGLES:
        wanted = plain(value) in values.YES.both or same(value, element.name)
        done = yield from s.check(element, checked=wanted, thought=f'set "{element.name}"')
    elif element.type == "file" or ("readonly" in element.states and element.role != "combobox"):
        yield from give_file(s, element, value)
        return
    elif element.role in TEXTUAL | {"slider"} or _is_free(element):
        done = yield from s.type(element, value, f'enter "{value}" in "{element.name}"')
        s.is_unsure_of_entry |= _is_free(element) and label is None
    else:
        yield from _select(s, element, value, label)
        return
    s.values.remember(element.name or "name", value)
    if done.ok and isinstance(label, Inline) and same(label.text, value):
        s.given[plain(element.name)] = label
        s.confirm(label)
    s.report(StepStatus.AS_WRITTEN if done.ok else StepStatus.STUCK, done.error)


def _is_free(element: Element) -> bool:
    """A box with suggestions that takes any text: one that opens a list takes what is in it."""
    is_input = element.role == "combobox" and element.tag == "input" and not element.options
    return is_input and not {"collapsed", "expanded"} & element.states


def _other_radio(
    s: Session, element: Element, value: str, label: Inline | Sentence | None
) -> Element | None:
    """The radio button of the same group that bears the value."""
    group = [e for e in s.view.elements if e.role == "radio" and e.group == element.group]
    hit = match_option([e.name for e in group], value)
    if hit is None:
        if label is not None and _says(label, value):
            shown = f'"{element.group}" does not offer "{value}"; it offers {names_of(group)}'
            s.diverge(DivergenceKind.CHANGED_OPTION, label, shown, box=element.box)
        return None
    if not hit[1].is_strict and label is not None and _says(label, value):
        shown = f'the option is called "{hit[0]}"'
        s.diverge(
            DivergenceKind.CHANGED_OPTION, label, shown,
            suggestion=hit[0], box=element.box, is_guess=not hit[1].is_small,
        )  # fmt: skip
    return next(e for e in group if e.name == hit[0])


def takes_file(e: Element) -> bool:
    """A file field, or the button in front of a hidden one."""
    is_browse = e.role == "button" and re.match(
        r"(?:browse|choose file)|浏览|选择文件", e.name, re.I
    )
    return e.type == "file" or bool(is_browse)


def give_file(
    s: Session, element: Element, name: str | None = None, *, is_bound: bool = True
) -> Script:
    """Upload a small file; a read-only text box beside a hidden file field only shows its name."""
    files = [e for e in s.view.elements if takes_file(e) and is_enabled(e)]
    target = element if element.type == "file" else next(iter(files), None)
    if target is None:
        s.report(StepStatus.AS_WRITTEN, f'"{element.name}" cannot be typed into', is_seen=False)
        return
    content = s.values.bound(f"{target.name} content", f"{target.name}内容")
    path = file_named(s.task, name, content, is_bound=is_bound)
    done = yield from s.upload(target, path, "give a file")
    s.touch()
    s.report(StepStatus.AS_WRITTEN if done.ok else StepStatus.STUCK, done.error)


def _select(s: Session, element: Element, value: str, label: Inline | Sentence | None) -> Script:
    """Choose an option; a renamed or missing one is a divergence of the words that name it."""
    hit = match_option(element.options, value) if element.options else None
    if hit and not hit[1].is_strict and label is not None and _says(label, value):
        s.diverge(
            DivergenceKind.CHANGED_OPTION, label,
            f'the option of "{element.name}" is called "{hit[0]}"',
            suggestion=hit[0], box=element.box, is_guess=not hit[1].is_small,
        )  # fmt: skip
    if element.options and hit is None and label is not None and _says(label, value):
        offered = quoted_options(element.options)
        s.diverge(
            DivergenceKind.CHANGED_OPTION, label,
            f'"{element.name}" does not offer "{value}"; it offers {offered}',
            box=element.box,
        )  # fmt: skip
        value = s.values.made_up(element)
    elif hit:
        value = hit[0]
    before = s.view
    is_any = s.task.unique in value and element.tag != "input" and not element.options
    if is_any and (yield from take_any(s, element, before)):  # what is made up is in no list
        s.report(StepStatus.AS_WRITTEN)
        return
    done = yield from s.select(element, value, f'choose "{value}" in "{element.name}"')
    if not done.ok and done.error.endswith("it offers nothing") and element.tag == "input":
        done = yield from s.type(element, value, f'enter "{value}" in "{element.name}"')
    if done.ok:
        s.report(StepStatus.AS_WRITTEN)
        if isinstance(label, Inline) and same(label.text, value):
            s.confirm(label)
    elif label is not None and _says(label, value) and "option" in done.error:
        s.diverge(DivergenceKind.CHANGED_OPTION, label, done.error, box=element.box)
        yield from take_any(s, element, before)
    elif s.task.unique in value and (yield from take_any(s, element, before)):
        s.report(StepStatus.AS_WRITTEN)  # any will do
    else:
        s.report(StepStatus.STUCK, done.error)


def take_any(s: Session, element: Element, before: Observation) -> Generator[Decision, None, bool]:
    """Take the first thing that a drop-down offers; whether it offers any.

    Args:
        s: The session.
        element: The drop-down.
        before: The page before it was opened.
    """
    now = match_field(s.view, element.name)
    if now is None:
        return False
    if element.tag == "input":  # what was typed in vain would narrow the list down to nothing
        yield from s.type(now.element, "", "see what it offers")
    elif not now.element.options and not any(_offered(s, now.element, before)):
        yield from s.click(now.element, "see what it offers")
    if not now.element.options and not any(_offered(s, now.element, before)):
        yield from s.wait(0.8, "wait for what it offers")  # it may be fetched
    now = match_field(s.view, element.name) or now
    shown = next(_offered(s, now.element, before), None)
    if now.element.options:
        value = s.values.made_up(now.element)
        done = yield from s.select(now.element, value, f'take "{value}"')
    elif shown is not None:
        done = yield from s.click(shown, f'take "{shown.name}"')
    else:
        return False
    return done.ok


_NOTHING_YET = re.compile(
    r"^$|^-+$|^(?:loading|searching|please|type|no (?:results|matches|options|data))\b|…$|\.\.\.$"
    r"|^(?:加载|搜索|请|无)",
    re.IGNORECASE,
)
"""What stands in a list in place of what can be chosen."""


def _offered(s: Session, box: Element, before: Observation) -> Iterator[Element]:
    """What a drop-down has unfolded: options, or else what has come below it since."""
    shown = [e for e in s.view.elements if is_enabled(e)]
    yield from (e for e in shown if e.role == "option" and not _NOTHING_YET.match(e.name.strip()))
    known = {(e.role, e.name) for e in before.elements}
    for e in shown:
        is_below = e.box.y >= box.box.y and abs(e.box.x - box.box.x) < _INDENT_PX
        is_new = e.role not in FIELDS and (e.role, e.name) not in known
        if is_below and is_new and not _NOTHING_YET.match(e.name.strip()):
            yield e


_INDENT_PX = 24
"""So far a drop-down's entries may stand out from its own edge."""


def _says(label: Inline | Sentence, value: str) -> bool:
    """Whether these words of the text are the value (a binding's value is not the text's)."""
    return plain(value) in plain(label.text)

"""Carrying out what the text says about fields, options and what is sent with them."""

import re
from collections.abc import Generator

from appliance.core.page import ActionKind, Element, TextKind
from appliance.core.procedure import Inline, InlineRole, Sentence
from appliance.core.verdict import DivergenceKind, Severity, StepStatus
from appliance.policy.base import Decision
from appliance.policy.literal import navigate
from appliance.policy.literal.claims import default_claim, options_claimed
from appliance.policy.literal.grounding import (
    FIELDS,
    TEXTUAL,
    TOGGLES,
    Match,
    clickable,
    field,
    field_by_words,
    in_row,
    is_enabled,
    is_field,
    names_of,
    option,
    primary,
    text_shown,
)
from appliance.policy.literal.intents import Intent, IntentKind
from appliance.policy.literal.names import plain, same, words
from appliance.policy.literal.session import Script, Session

_Did = Generator[Decision, None, bool]
_YES = frozenset({"yes", "true", "on", "checked", "1", "enabled", "是", "开启", "启用"})
_LEAVE = re.compile(
    r"\bleave\b.*\b(?:blank|empty|default|unchanged)\b|保持(?:默认|为空)|留空|\bskip\b", re.I
)
_WHEN = re.compile(
    r"\bif (?:you|the)\b.*\b(?:chosen|choose|chose|selected|select|use)\b|\bdepends? on\b|\bbased on your\b|"
    r"\bfield changes\b|如果|若选择|\bonly (?:displayed|shown|available)\b",
    re.I,
)
_ASKS = re.compile(
    r"^\W*(?:enter|specify|type|provide|assign|give|choose|select|set|pick|define|输入|填写|选择|设置|指定)",
    re.I,
)


# -- single fields ---------------------------------------------------------------------------------


def fill(s: Session, intent: Intent) -> Script:
    """Type or choose a value in the field that the sentence names."""
    element = yield from _find_field(s, intent)
    if element is None:
        return
    label = intent.label or intent.place.field
    value = _value(s, intent, element)
    if value is None:
        s.report(StepStatus.AS_WRITTEN, f'"{element.name}" is there; the text leaves it open')
        return
    yield from put(s, element, value, label)
    if "search" in intent.noun:
        yield from s.act(ActionKind.PRESS, element, text="Enter", thought="start the search")


def _find_field(s: Session, intent: Intent) -> Generator[Decision, None, Element | None]:
    """The form control, by label or by the words of the phrase; says what is missing."""
    label = intent.label or intent.place.field
    if label is not None and label.role is not InlineRole.LITERAL:
        match = yield from find_field(s, intent, label)
        return match.element if match else None
    if intent.noun == "search":
        box = next((e for e in s.view.elements if _is_search(e)), None)
        if box:
            return box
    element = field_by_words(s.view, intent.thing)
    if element is None:
        if s.lost is not None:
            s.unreached()
        elif intent.is_optional or intent.is_conditional:
            s.report(StepStatus.SKIPPED)
        else:
            s.report(StepStatus.STUCK, f'no field for "{intent.thing}" in {s.describe_place()}')
            s.diverge(
                DivergenceKind.MISSING_CONTROL,
                intent.sentence,
                f'no field for "{intent.thing}" in {s.describe_place()}{_offers(s)}',
                confidence=0.5,
            )
        return None
    s.found()
    return element


def _is_search(e: Element) -> bool:
    return e.role == "searchbox" or (
        e.role == "textbox"
        and bool(re.search(r"search|filter|搜索|筛选", f"{e.name} {e.placeholder}", re.I))
    )


def find_field(
    s: Session, intent: Intent, label: Inline
) -> Generator[Decision, None, Match | None]:
    """The form control of a marked label: here, else on another tab of the dialog; a near one is reported."""
    match = field(s.view, label.text)
    if match is None or not match.how.is_strict:
        elsewhere = yield from _on_other_tabs(s, label)
        match = elsewhere or field(s.view, label.text)
    if match is None and (by_words := _required_by_head(s, label)):
        match = by_words
    if match is not None:
        s.found()
        if not match.how.is_strict:
            navigate.rename(s, label, match)
        return match
    if text_shown(s.view, label.text):
        s.found()
        s.report(StepStatus.AS_WRITTEN, f'"{label.text}" is shown')
        return None
    _field_missing(s, intent, label)
    return None


def _required_by_head(s: Session, label: Inline) -> Match | None:
    return None


def _field_missing(s: Session, intent: Intent, label: Inline) -> None:
    if intent.is_optional or intent.is_conditional or _depends(intent):
        s.report(
            StepStatus.SKIPPED, f'"{label.text}" is not there; it depends on choices not made here'
        )
    elif s.lost is not None:
        s.unreached()
    elif not any(is_field(e) for e in s.view.elements):
        s.stuck(f'no form is open where "{label.text}" could be')
    else:
        shown = f'{s.describe_place()} has no field "{label.text}"{_offers(s)}'
        s.diverge(DivergenceKind.MISSING_CONTROL, label, shown, confidence=0.8)


def _depends(intent: Intent) -> bool:
    entry = intent.entry
    return entry is not None and any(_WHEN.search(d.text) for d in entry.description)


def _offers(s: Session) -> str:
    fields = [
        e for e in s.view.elements if is_field(e) and (e.dialog is not None or not s.view.dialogs)
    ]
    names = names_of(fields)
    return f"; it has {names}" if names else ""


def _on_other_tabs(s: Session, label: Inline) -> Generator[Decision, None, Match | None]:
    """Look on the dialog's other tabs, as a reader does; go back when it is on none."""
    if not s.view.dialogs or s.lost is not None:
        return None
    tabs = [e for e in s.view.elements if _is_tab(e) and e.dialog is not None and is_enabled(e)]
    home = next((t for t in tabs if {"selected", "current"} & t.states), None)
    others = [t for t in tabs if t is not home]
    if home is None or len(others) > 12:
        return None
    for tab in others:
        done = yield from s.act(
            ActionKind.CLICK, tab, thought=f'look for "{label.text}" on the tab "{tab.name}"'
        )
        if done.ok and (match := field(s.view, label.text)) and match.how.is_strict:
            return match
        if done.ok and text_shown(s.view, label.text):
            return None
    back = clickable(s.view, home.name, noun="tab")
    if back:
        yield from s.act(ActionKind.CLICK, back.element, thought="back to the tab")
    return None


def _is_tab(e: Element) -> bool:
    return e.role == "tab" or e.region == "tablist"


def _value(s: Session, intent: Intent, element: Element) -> str | None:
    """The value that bindings or the text give, else one made up where the text asks for any."""
    label = intent.label or intent.place.field
    names = [n for n in (label.text if label else "", element.name, intent.thing) if n]
    said = intent.sentence.text.casefold()
    if re.search(r"to confirm|confirmation|以确认|确认删除", said) and element.role in TEXTUAL:
        return s.values.row(intent.thing) or s.row or None
    if intent.value is not None:
        return s.values.bound(intent.value.text) or intent.value.text
    if (bound := s.values.bound(*names)) is not None:
        return bound
    if intent.is_optional or intent.is_conditional or _LEAVE.search(intent.sentence.text):
        return None
    if element.value and element.role not in TEXTUAL:
        return None
    return s.values.made_up(element, names[0] if names else "", intent.thing)


def put(s: Session, element: Element, value: str, label: Inline | Sentence | None) -> Script:
    """Enter a value in the way the control asks for."""
    s.touched.add(s.dialog or s.view.url)
    if element.role in TOGGLES:
        wanted = plain(value) in _YES or same(value, element.name)
        done = yield from s.act(
            ActionKind.CHECK, element, checked=wanted, thought=f'set "{element.name}"'
        )
    elif element.type == "file":
        done = yield from s.act(
            ActionKind.UPLOAD, element, text=s.task.sample_file, thought="give a file"
        )
    elif element.role in TEXTUAL or (
        element.role == "combobox" and element.tag == "input" and not element.options
    ):
        done = yield from s.act(
            ActionKind.TYPE, element, text=value, thought=f'enter "{value}" in "{element.name}"'
        )
    else:
        yield from _select(s, element, value, label)
        return
    s.values.remember(element.name or "name", value)
    if done.ok:
        s.report(StepStatus.AS_WRITTEN)
    else:
        s.stuck(done.error)


def _select(s: Session, element: Element, value: str, label: Inline | Sentence | None) -> Script:
    """Choose an option; a renamed or missing one is a divergence of the words that name it."""
    hit = option(element.options, value) if element.options else None
    if hit and not hit[1].is_strict and label is not None and _says(label, value):
        s.diverge(
            DivergenceKind.CHANGED_OPTION, label, f'the option of "{element.name}" is called "{hit[0]}"',
            suggestion=hit[0], box=element.box,
        )  # fmt: skip
    if element.options and hit is None and label is not None and _says(label, value):
        offered = ", ".join(f'"{o}"' for o in element.options[:8])
        s.diverge(
            DivergenceKind.CHANGED_OPTION, label, f'"{element.name}" does not offer "{value}"; it offers {offered}',
            box=element.box,
        )  # fmt: skip
        value = s.values.made_up(element)
    elif hit:
        value = hit[0]
    done = yield from s.act(
        ActionKind.SELECT, element, text=value, thought=f'choose "{value}" in "{element.name}"'
    )
    if done.ok:
        s.values.remember(element.name, value)
        s.report(StepStatus.AS_WRITTEN)
    elif label is not None and _says(label, value) and "option" in done.error:
        s.diverge(DivergenceKind.CHANGED_OPTION, label, done.error, box=element.box)
    else:
        s.stuck(done.error)


def _says(label: Inline | Sentence, value: str) -> bool:
    """Whether these words of the text are the value (a binding's value is not the text's)."""
    return plain(value) in plain(label.text)


# -- choices ---------------------------------------------------------------------------------------


def choose(s: Session, intent: Intent) -> Script:
    """Choose a value in a field, or an entry of a menu where the "field" is one."""
    label = intent.place.field
    assert label is not None  # noqa: S101 - a CHOOSE has a field
    match = field(s.view, label.text)
    if (
        match is None
        and intent.value is not None
        and clickable(s.view, intent.value.text, row=s.row)
    ):
        yield from navigate.open_label(s, _as_open(intent))
        return
    match = match or (yield from find_field(s, intent, label))
    if match is None:
        return
    if not match.how.is_strict and field(s.view, label.text) is match:
        navigate.rename(s, label, match)
    s.found()
    element = match.element
    if element.role == "radio" or (element.role in ("radiogroup",) and intent.value):
        yield from _choose_radio(s, intent)
        return
    if intent.value is not None:
        yield from put(s, element, s.values.bound(label.text) or intent.value.text, intent.value)
        return
    value = s.values.bound(label.text, intent.thing)
    if value is None and (intent.is_optional or intent.is_conditional):
        s.report(StepStatus.AS_WRITTEN, f'"{element.name}" is there')
        return
    yield from put(s, element, value or s.values.made_up(element), None)


def _as_open(intent: Intent) -> Intent:
    return Intent(
        kind=IntentKind.OPEN, step=intent.step, sentence=intent.sentence, label=intent.value,
        noun="choice", place=intent.place,
    )  # fmt: skip


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
    hit = option([e.name for e in radios], wanted) if wanted else None
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
            suggestion=hit[0], box=radio.box,
        )  # fmt: skip
    yield from put(s, radio, radio.name, intent.value)


def choose_anywhere(s: Session, label: Inline) -> _Did:
    """ "Select **X**": the option X of whichever drop-down of the form offers it."""
    for element in s.view.elements:
        hit = option(element.options, label.text) if element.options and is_field(element) else None
        if hit and hit[1].is_strict:
            s.found()
            yield from put(s, element, hit[0], label)
            return True
    return False


def choose_by_words(s: Session, intent: Intent) -> _Did:
    """ "Select an instance" in a form: the drop-down whose label has the word."""
    if not intent.thing:
        return False
    fields = [e for e in s.view.elements if e.role in ("combobox", "listbox") and is_enabled(e)]
    if s.view.dialogs:
        fields = [e for e in fields if e.dialog is not None]
    wanted = {w.rstrip("s") for w in words(intent.thing)}
    fitting = [e for e in fields if wanted & {w.rstrip("s") for w in words(e.name)}]
    if not fitting and s.view.dialogs and len(fields) == 1:
        fitting = fields
    if not fitting:
        return False
    s.found()
    element = fitting[0]
    value = s.values.row(intent.thing) or s.values.made_up(element)
    hit = option(element.options, value)
    yield from put(s, element, hit[0] if hit else s.values.made_up(element), None)
    return True


def tick(s: Session, intent: Intent, *, wanted: bool) -> Script:
    """Tick or clear a check box, switch or radio button."""
    label = intent.label
    assert label is not None  # noqa: S101 - a TICK has a label
    match = field(s.view, label.text)
    if (match is None or not match.how.is_strict) and (button := clickable(s.view, label.text)):
        match = button
    match = match or (yield from find_field(s, intent, label))
    if match is None:
        return
    if not match.how.is_strict:
        navigate.rename(s, label, match)
    s.found()
    if match.element.role in TOGGLES:
        done = yield from s.act(
            ActionKind.CHECK, match.element, checked=wanted, thought=f'set "{match.element.name}"'
        )
    else:
        done = yield from s.act(
            ActionKind.CLICK, match.element, thought=f'click "{match.element.name}"'
        )
    s.touched.add(s.dialog or s.view.url)
    s.report(StepStatus.AS_WRITTEN if done.ok else StepStatus.STUCK, done.error)


def upload(s: Session, intent: Intent) -> Script:
    """Give a small file to the file field."""
    files = [e for e in s.view.elements if e.type == "file" and is_enabled(e)]
    if not files:
        if s.lost is not None:
            s.unreached()
        elif intent.label is not None:
            yield from navigate.open_label(s, intent)
        else:
            s.stuck(f"no field takes a file in {s.describe_place()}")
        return
    s.found()
    done = yield from s.act(
        ActionKind.UPLOAD, files[0], text=s.task.sample_file, thought="give a file"
    )
    s.report(StepStatus.AS_WRITTEN if done.ok else StepStatus.STUCK, done.error)


def move(s: Session, intent: Intent) -> Script:
    """Move an entry of a transfer list: the button in its row."""
    key = s.values.row(re.sub(r"\b(?:for|each|host|the)\b", " ", intent.thing)) or s.values.row(
        intent.thing
    )
    if key is None:
        s.report(StepStatus.SKIPPED, "the text leaves open what to move: bind it in the checks")
        return
    if not (yield from allocate(s, key)):
        if s.lost is not None:
            s.unreached()
        else:
            s.stuck(f'no entry "{key}" to move in {s.describe_place()}')


def allocate(s: Session, key: str) -> _Did:
    """Press the button that moves the entry showing `key`."""
    for e in s.view.elements:
        if (
            e.role in ("button", "link")
            and in_row(e, key)
            and is_enabled(e)
            and not same(key, e.name)
        ):
            s.found()
            done = yield from s.act(ActionKind.CLICK, e, thought=f'move "{key}"')
            s.touched.add(s.dialog or s.view.url)
            s.report(StepStatus.AS_WRITTEN if done.ok else StepStatus.STUCK, done.error)
            return True
    return False


# -- field lists -----------------------------------------------------------------------------------


def entry(s: Session, intent: Intent) -> Script:
    """An entry of a field list: it must be there; it is filled where a value is known or needed."""
    listed = intent.entry
    assert listed is not None  # noqa: S101 - a FIELD has an entry
    for label in listed.labels:
        value = _entry_value(s, intent, label)
        if value is not None and (yield from _allocated(s, label, value)):
            continue
        match = yield from find_field(s, intent, label)
        if match is None:
            continue
        element = match.element
        _check_claims(s, intent, element)
        value = _entry_value(s, intent, label, element)
        if value is None:
            s.report(StepStatus.AS_WRITTEN, f'"{element.name}" is there')
        else:
            yield from put(s, element, value, _literal_of(intent, value))


def _allocated(s: Session, label: Inline, value: str) -> _Did:
    """A transfer list ("Networks", "Key pair"): the entry of that name is moved to the chosen ones."""
    if field(s.view, label.text) or s.lost is not None:
        return False
    rows = [e for e in s.view.elements if in_row(e, value) and e.role in ("button", "link")]
    if not rows or not s.view.dialogs:
        return False
    return (yield from allocate(s, value))


def _literal_of(intent: Intent, value: str) -> Inline | None:
    assert intent.entry is not None  # noqa: S101
    for sentence in intent.entry.description:
        for inline in sentence.inlines:
            if same(inline.text, value):
                return inline
    return None


def _entry_value(
    s: Session, intent: Intent, label: Inline, element: Element | None = None
) -> str | None:
    """From the bindings, from the text, or made up where a value is required."""
    listed = intent.entry
    assert listed is not None  # noqa: S101
    bound = s.values.bound(*(i.text for i in listed.labels))
    if bound is not None:
        return bound
    text = " ".join(d.text for d in listed.description)
    if _LEAVE.search(text) or intent.is_optional:
        return None
    if literal := _stated_value(listed.description):
        return literal
    if element is None or element.role not in FIELDS:
        return None
    is_empty = not element.value and element.role not in TOGGLES
    asks = _ASKS.search(text) and re.search(r"\bname\b|名称", f"{label.text}", re.I)
    if (
        is_empty
        and is_enabled(element)
        and (
            "required" in element.states
            or (asks and "optional" not in text.casefold() and "可选" not in text)
        )
    ):
        return s.values.made_up(element, label.text)
    return None


def _stated_value(description: tuple[Sentence, ...]) -> str | None:
    """The one value that a description prescribes: "``SSH``", "Enter `x`", "Choose **Y**"."""
    if not description:
        return None
    first = description[0]
    values = [
        i
        for i in first.inlines
        if i.role in (InlineRole.LITERAL, InlineRole.UI_LABEL, InlineRole.EMPHASIS)
    ]
    if len(values) != 1:
        return None
    if plain(first.text) == plain(values[0].text):
        return values[0].text
    is_example = re.search(
        r"for example|e\.g|such as|例如|比如|如：|default|默认", first.text, re.I
    )
    return values[0].text if _ASKS.search(first.text) and not is_example else None


def _check_claims(s: Session, intent: Intent, element: Element) -> None:
    """Defaults and options that the entry states."""
    assert intent.entry is not None  # noqa: S101
    sentences = intent.entry.description
    for sentence in sentences:
        claim = default_claim(sentence)
        if claim is None or element.type == "password":
            continue
        shown = _current(element)
        if shown is not None and not same(claim.text, shown):
            s.diverge(
                DivergenceKind.CHANGED_DEFAULT, claim, f'the default of "{element.name}" is "{shown}"',
                suggestion=shown or None, confidence=0.8, box=element.box,
            )  # fmt: skip
    _check_options(s, intent, element)


def _current(element: Element) -> str | None:
    if element.role in ("checkbox", "switch"):
        return None
    return element.value


def _check_options(s: Session, intent: Intent, element: Element) -> None:
    assert intent.entry is not None  # noqa: S101
    if not element.options:
        return
    text = " ".join(d.text for o in (intent.entry, *intent.entry.options) for d in o.description)
    if re.search(r"\bonly (?:if|when)\b|仅当|只有", text):
        return
    stated = [o.labels[0] for o in intent.entry.options if o.labels]
    stated += [i for d in intent.entry.description for i in options_claimed(d)]
    for label in stated:
        hit = option(element.options, label.text)
        if hit is None or not hit[1].is_strict:
            offered = ", ".join(f'"{o}"' for o in element.options[:8])
            s.diverge(
                DivergenceKind.CHANGED_OPTION, label,
                f'the option is called "{hit[0]}"' if hit else f'"{element.name}" does not offer it; it offers {offered}',
                suggestion=hit[0] if hit else None, confidence=0.75, box=element.box,
            )  # fmt: skip


# -- sending ---------------------------------------------------------------------------------------


def before_sending(s: Session, button: Element, label: Inline) -> Script:
    """Before a form is sent: what the console requires and the text did not mention."""
    if not button.is_submit:
        return
    for e in _required_and_empty(s, button):
        s.diverge(
            DivergenceKind.MISSING_STEP,
            label,
            f'"{e.name}" must be filled in before "{button.name}", and the text does not mention it',
            severity=Severity.BREAKS,
            confidence=0.85,
            box=e.box,
        )
        yield from put(s, e, s.values.bound(e.name) or s.values.made_up(e, e.name), None)


def _required_and_empty(s: Session, button: Element) -> list[Element]:
    return [
        e
        for e in s.view.elements
        if "required" in e.states and is_enabled(e) and is_field(e) and not e.value
        and e.dialog == button.dialog and e.frame == button.frame
        and e.role not in TOGGLES and e.row is None
    ]  # fmt: skip


def after_sending(s: Session, button: Element, label: Inline) -> Script:
    """After a form was sent: errors beside fields that the text did not mention are put right once."""
    if not button.is_submit or (button.dialog is not None and s.dialog != button.dialog):
        return
    wrong = [e for e in s.view.elements if e.error and is_field(e)]
    if not wrong:
        return
    for e in wrong:
        if e.value and plain(e.name) in s.values.assigned:
            s.diverge(
                DivergenceKind.ERROR_SHOWN, label, f'"{e.name}" is refused: {e.error}',
                severity=Severity.BREAKS, confidence=0.6, box=e.box,
            )  # fmt: skip
            continue
        s.diverge(
            DivergenceKind.MISSING_STEP, label,
            f'"{e.name}" must be filled in ({e.error}), and the text does not mention it',
            severity=Severity.BREAKS, confidence=0.85, box=e.box,
        )  # fmt: skip
        yield from put(s, e, s.values.bound(e.name) or s.values.made_up(e, e.name), None)
    again = clickable(s.view, button.name)
    if again and is_enabled(again.element):
        yield from s.act(ActionKind.CLICK, again.element, thought=f'"{button.name}" again')


def finish_dialog(s: Session, words_of: Sentence) -> Script:
    """The text ends while a dialog it filled in is still open: a reader would press its main button."""
    if s.dialog is None or s.lost is not None:
        return
    button = primary(s.view)
    if button is None:
        return
    title = s.dialog
    s.diverge(
        DivergenceKind.MISSING_STEP,
        words_of,
        f'the dialog "{title}" is still open; "{button.name}" must be clicked',
        severity=Severity.MISLEADS,
        confidence=0.75,
        box=button.box,
    )
    yield from s.act(ActionKind.CLICK, button, thought=f'finish with "{button.name}"')


def error_texts(s: Session) -> list[str]:
    """What the page says went wrong."""
    return [t.text for t in s.view.texts if t.kind is TextKind.ERROR] + [
        t.text for t in s.view.notices("error")
    ]

"""Entries of field lists: each must be there; it is filled where a value is known or needed."""

import re

from appliance.core.page import Element
from appliance.core.procedure import Inline, InlineRole, Sentence
from appliance.core.verdict import StepStatus
from appliance.language.names import plain, same
from appliance.policy.literal.act.choices import allocate
from appliance.policy.literal.act.claims import options_claimed
from appliance.policy.literal.act.defaults import check_default
from appliance.policy.literal.act.fields import LEAVES_OPEN, enter_value, find_field
from appliance.policy.literal.act.limits import check_instruction_facts
from appliance.policy.literal.act.notes import check_option
from appliance.policy.literal.match.grounding import (
    FIELDS,
    TOGGLES,
    in_row,
    is_enabled,
    match_field,
    text_shown,
)
from appliance.policy.literal.read.intents import Intent
from appliance.policy.literal.session import Script, ScriptOf, Session

ASKS = re.compile(
    r"^\W*(?:enter|specify|type|provide|assign|give|choose|select|set|pick|define|输入|填写|选择|设置|指定)",
    re.I,
)


_SWITCH = r"(?: (?:box|check ?box|option|switch|toggle))?"
_TURNED = re.compile(
    rf"^\W*(?:(?:toggle|turn|switch|set|flip|slide) (?:this|it|the (?:toggle|switch|option))"
    rf"{_SWITCH} (?:to )?(?P<state>on|off)"
    rf"|(?P<on>enable|tick|check|activate) (?:this|it){_SWITCH}"
    rf"|(?P<off>disable|untick|uncheck|clear|deactivate) (?:this|it){_SWITCH}"
    r"|(?P<zh>打开|开启|启用|勾选|关闭|禁用|取消勾选)(?:此|该)?(?:开关|选项|复选框)?)[.。]?\W*$",
    re.I,
)
"""As "Toggle this on." says no more; "Check this box if …" leaves it to the reader."""


_SELECTED = re.compile(
    r"\b(?:type|enter)\b.+\band (?:then )?(?:select|choose|pick)\b|输入.+(?:选择|选中)", re.I
)


_EXAMPLE = re.compile(r"for example|e\.g|such as|例如|比如|如：|default|默认", re.IGNORECASE)


def check_entry(s: Session, intent: Intent) -> Script:
    """Check that the field of a list entry exists; fill it in if a value is known or required."""
    field_entry = intent.entry
    assert field_entry is not None  # noqa: S101 - a FIELD has an entry
    shown_labels = [
        i for i in field_entry.labels if match_field(s.view, i.text) or text_shown(s.view, i.text)
    ]
    for label in (
        shown_labels if len(field_entry.labels) > 1 and shown_labels else field_entry.labels
    ):
        value = _entry_value(s, intent, label)
        if value is not None and (yield from _allocate(s, label, value)):
            continue
        match = yield from find_field(s, intent, label)
        if match is None:
            continue
        element = match.element
        if match.how.is_strict:
            s.confirm(label)
            check_instruction_facts(s, intent, element)
        _check_claims(s, intent, element)
        value = _entry_value(s, intent, label, element)
        if value is None:
            s.report(StepStatus.AS_WRITTEN, f'"{element.name}" is there')
        else:
            yield from enter_value(
                s, element, value, _literal_of(intent, value), label_text=label.text
            )


def _allocate(s: Session, label: Inline, value: str) -> ScriptOf[bool]:
    """Whether the value is an entry of a transfer list ("Networks", "Key pair"), and was moved."""
    if match_field(s.view, label.text) or s.lost is not None:
        return False
    movers = [e for e in s.view.elements if in_row(e, value) and e.role in ("button", "link")]
    if not movers or not s.view.dialogs:
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
    """The value from the bindings or the text; made up where one is required; None to leave it."""
    field_entry = intent.entry
    assert field_entry is not None  # noqa: S101
    bound_value = s.values.bound_to(*(i.text for i in field_entry.labels))
    if bound_value is not None:
        return bound_value
    text = " ".join(d.text for d in field_entry.description)
    if intent.is_optional:
        return None
    if literal := stated_value(field_entry.description):
        return literal
    if element is not None and element.role in TOGGLES:
        return _stated_state(field_entry.description)
    if LEAVES_OPEN.search(text) or element is None or element.role not in FIELDS:
        return None
    is_empty = not element.value and element.role not in TOGGLES
    is_open = is_empty and is_enabled(element) and element.role == "combobox"
    if is_open and (first := _first_listed(field_entry.description)):
        return first
    asks = ASKS.search(text) and re.search(r"(?:\bname|名称)$", plain(label.text))
    if (
        is_empty
        and is_enabled(element)
        and (
            "required" in element.states
            or (asks and "optional" not in text.casefold() and "可选" not in text)
        )
    ):
        return s.values.make_up(element, label.text)
    return None


_CHOOSES = re.compile(r"^\W*(?:choose|select|pick)\b[^:]*:|^\W*选择[^：:]*[：:]", re.I)


def _first_listed(description: tuple[Sentence, ...]) -> str:
    """The first of several choices that the text offers: any will do."""
    first = description[0] if description else None
    choose_match = _CHOOSES.match(first.text) if first else None
    choices = (
        [i for i in _literals(first) if i.start >= choose_match.end()]
        if first and choose_match
        else []
    )
    return choices[0].text if len(choices) > 1 else ""


def stated_value(description: tuple[Sentence, ...]) -> str | None:
    """The one value that a description prescribes: "``SSH``", "Enter `x`", "Choose **Y**"."""
    if not description:
        return None
    first = _literals(description[0])
    if len(first) == 1 and plain(description[0].text) == plain(first[0].text):
        return first[0].text
    return next((v for sentence in description if (v := _prescribed_value(sentence))), None)


def _stated_state(description: tuple[Sentence, ...]) -> str | None:
    """Whether a switch is to be on or off, where the description says just that."""
    match = _TURNED.match(description[0].text) if description else None
    if match is None:
        return None
    is_off = match["off"] or plain(match["state"] or "") == "off"
    return "off" if is_off or match["zh"] in ("关闭", "禁用", "取消勾选") else "on"


def _literals(sentence: Sentence) -> list[Inline]:
    kinds = (InlineRole.LITERAL, InlineRole.UI_LABEL, InlineRole.EMPHASIS)
    return [i for i in sentence.inlines if i.role in kinds]


def _prescribed_value(sentence: Sentence) -> str | None:
    """The value that a sentence tells to enter, or begins with ("`x`, or pick the day")."""
    values = _literals(sentence)
    if len(values) == 2 and _SELECTED.search(sentence.text):  # "type `Berlin` and select **B**"
        return values[1].text
    if len(values) != 1 or LEAVES_OPEN.search(sentence.text):
        return None
    text_before, text_after = sentence.text[: values[0].start], sentence.text[values[0].end :]
    if not text_before.strip(' "“') and re.match(r"[\"”\s]*[,;，；]", text_after):
        return None if _EXAMPLE.search(text_after) else values[0].text
    return (
        values[0].text if ASKS.search(sentence.text) and not _EXAMPLE.search(text_before) else None
    )


def _check_claims(s: Session, intent: Intent, element: Element) -> None:
    """Check the defaults and options that the entry states."""
    assert intent.entry is not None  # noqa: S101
    sentences = intent.entry.description
    for sentence in sentences:
        check_default(s, sentence, element)
    _check_options(s, intent, element)


def _check_options(s: Session, intent: Intent, element: Element) -> None:
    assert intent.entry is not None  # noqa: S101
    if not element.options:
        return
    text = " ".join(d.text for o in (intent.entry, *intent.entry.options) for d in o.description)
    if re.search(r"\bonly (?:if|when)\b|仅当|只有", text):
        return
    stated_labels = [o.labels[0] for o in intent.entry.options if o.labels]
    stated_labels += [i for d in intent.entry.description for i in options_claimed(d)]
    for label in stated_labels:
        check_option(s, label, element.options, field_name=element.name, box=element.box)

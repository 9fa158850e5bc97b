"""What the text says the console shows: dialogs, messages, states, defaults."""

import re

from appliance.core.page import Element, TextKind
from appliance.core.procedure import Inline, InlineRole, Sentence
from appliance.core.verdict import DivergenceKind, Severity, StepStatus
from appliance.policy.literal.act.notes import offers
from appliance.policy.literal.act.unfolding import bring_out
from appliance.policy.literal.match.grounding import (
    Match,
    clickable,
    field,
    text_containing,
    text_shown,
)
from appliance.policy.literal.match.names import compare, plain, same
from appliance.policy.literal.read.intents import Intent, IntentKind
from appliance.policy.literal.read.masking import span_of
from appliance.policy.literal.session import Script, Session

_DIALOG_NOUNS = frozenset(
    {"dialog box", "launch dialog box", "dialog", "window", "drawer", "对话框", "弹窗", "窗口"}
)
_TITLES = frozenset({TextKind.HEADING, TextKind.DIALOG_TITLE})
_DEFAULT = re.compile(
    r"\bdefault(?: value| setting)?(?:,? .{0,60}?)? (?:is|to)\b|\bby default\b|\bpreselected\b"
    r"|默认(?:值)?(?:为|是|选择|选中)?",
    re.I,
)
_OPTIONS = re.compile(
    r"\b(?:choices|options) are\b|\bchoose (?:from|between)\b|可选(?:值|项)(?:为|有|包括)", re.I
)
_WAIT_S = 2.0


_NUMBER = re.compile(
    r"\bdefault(?: value)? (?:is|of) (?P<number>\d+(?:\.\d+)?)\b"
    r"|默认(?:值)?(?:为|是) ?(?P<number2>\d+)",
    re.I,
)


def default_claim(sentence: Sentence) -> Inline | None:
    """The value that a sentence says is the default: the first literal or label after the word."""
    found = _DEFAULT.search(sentence.text)
    if not found or re.search(r"for example|such as|例如", sentence.text, re.I):
        return None
    marked = [i for i in sentence.inlines if i.role in (InlineRole.LITERAL, InlineRole.UI_LABEL)]
    after = [i for i in marked if i.start >= found.start()]
    if not after and (number := _NUMBER.search(sentence.text)):
        name = "number" if number.group("number") else "number2"
        start, end = number.span(name)
        said, span = number.group(name), span_of(sentence, start, end)
        return Inline(role=InlineRole.LITERAL, text=said, start=start, end=end, span=span)
    if after:
        return after[0] if len(after) == 1 else None
    return marked[-1] if len(marked) == 1 and "by default" in sentence.text.casefold() else None


def is_default(claim: Inline, shown: str) -> bool:
    """Whether what the field holds is the default that the text states, its unit left out."""
    is_number = claim.text.isdecimal() and re.match(rf"{claim.text}(?!\d|[.,]\d)", shown.strip())
    return same(claim.text, shown) or bool(is_number)


def check_default(s: Session, sentence: Sentence, element: Element) -> None:
    """Hold the default that a sentence states against a field that nobody has touched."""
    claim = default_claim(sentence)
    if claim is None or element.type == "password" or element.role in ("checkbox", "switch"):
        return
    if element.value is not None and not is_default(claim, element.value):
        _another_default(s, claim, element)
    elif element.value is not None:
        s.confirm(claim)


def _another_default(s: Session, claim: Inline, element: Element) -> None:
    s.diverge(
        DivergenceKind.CHANGED_DEFAULT, claim,
        f'the default of "{element.name}" is "{element.value}"',
        suggestion=element.value or None, confidence=0.8, box=element.box,
    )  # fmt: skip


def check_stated_default(s: Session, intent: Intent, element: Element) -> None:
    """The default that the sentence, or the remark behind it, states of the field just named.

    "Change the **Port** to `8443`. The default is 8080."
    """
    is_touched = plain(element.name) in s.values.assigned or "radio" in element.role
    if is_touched or not _is_making(s):  # what is edited holds its own value, not the default
        return
    others = [i for i in s.plan if i.sentence is intent.sentence and i.kind in _SETTING]
    if len(others) == 1:
        check_default(s, intent.sentence, element)
    if others and others[-1].label is not intent.label:
        return
    for remark in s.upcoming[1:]:
        if remark.step != intent.step or remark.kind is not IntentKind.INFORM:
            break
        if _REMARK.match(remark.sentence.text):
            check_default(s, remark.sentence, element)
            break


def _is_making(s: Session) -> bool:
    """Whether the form in front makes something new, by its title."""
    titles = [t.text for t in s.view.texts if t.kind is TextKind.HEADING and t.level == 1]
    return any(_MAKES.search(title) for title in ([s.dialog] if s.dialog else titles))


_MAKES = re.compile(
    r"\b(?:create|add|launch|new|upload|register|import|request|allocate)\b"
    r"|创建|新建|新增|添加|上传|注册|申请",
    re.IGNORECASE,
)
_SETTING = frozenset({IntentKind.FILL, IntentKind.CHOOSE})
_REMARK = re.compile(r"(?:the|its) default\b|by default,? it\b|默认", re.IGNORECASE)


def options_claimed(sentence: Sentence) -> list[Inline]:
    """The options that a sentence lists ("Your choices are A and B")."""
    found = _OPTIONS.search(sentence.text)
    if not found:
        return []
    return [
        i for i in sentence.inlines
        if i.start >= found.start() and i.role in (InlineRole.LITERAL, InlineRole.UI_LABEL)
    ]  # fmt: skip


def expect_open(s: Session, intent: Intent) -> Script:
    """A dialog or page of that title is open."""
    label = intent.label
    assert label is not None  # noqa: S101 - an EXPECT_OPEN has a label
    if not _has_title(s, label.text):
        yield from s.wait(0.5, f'wait for "{label.text}"')
    if _has_title(s, label.text):
        s.found()
        s.report(StepStatus.AS_WRITTEN)
    elif intent.is_optional or intent.is_conditional:
        s.report(StepStatus.SKIPPED)
    elif s.dialog is not None and intent.noun in _DIALOG_NOUNS | {""}:
        _other_title(s, label)
    elif intent.noun not in _DIALOG_NOUNS and intent.noun:
        yield from _page_of(s, intent, label)
    elif s.lost is not None:
        s.unreached()
    elif s.has_new_fields():
        shown = "a form is open, though not as a dialog of that title"
        s.report(StepStatus.AS_WRITTEN, shown, is_seen=False)
    else:
        shown = f'no dialog "{label.text}" opened'
        s.diverge(DivergenceKind.WRONG_RESULT, label, shown, confidence=0.6)
        s.stuck(shown)


def _has_title(s: Session, title: str) -> bool:
    if any(same(title, d) for d in s.view.dialogs) or same(title, s.view.title):
        return True
    if text_shown(s.view, title, _TITLES):
        return True
    return any(
        plain(title) == plain(t.text.split(":")[0]) for t in s.view.texts if t.kind in _TITLES
    )


def _other_title(s: Session, label: Inline) -> None:
    """Some other dialog is open: near enough, it is the one meant."""
    title = s.dialog or ""
    how = compare(label.text, title)
    if title and how is not None:
        s.found()
        s.diverge(
            DivergenceKind.RENAMED_LABEL, label, f'the dialog is titled "{title}"',
            suggestion=_without_names(s, title), confidence=0.7,
            severity=Severity.COSMETIC if how.is_small else Severity.MISLEADS,
        )  # fmt: skip
    elif s.lost is not None:
        s.unreached()
    elif title:  # what the click has opened is the dialog meant, whatever it is called
        s.found()
        s.diverge(
            DivergenceKind.RENAMED_LABEL, label, f'the dialog is titled "{title}"',
            suggestion=_without_names(s, title), confidence=0.6,
        )  # fmt: skip
    else:
        s.report(StepStatus.AS_WRITTEN, "the dialog has no title", is_seen=False)


def _without_names(s: Session, title: str) -> str | None:
    """A title as it would stand in a text: "Edit File", not "Edit File: docs-4f2a91.txt"."""
    if not any(value and value in title for value in s.values.known()):
        return title
    head = title.split(":")[0].strip()
    return None if any(value in head for value in s.values.known() if value) else head


def _page_of(s: Session, intent: Intent, label: Inline) -> Script:
    """Go to a step of a wizard or a tab ("On the X page"); a page may well be titled otherwise."""
    there = clickable(s.view, label.text, noun="tab")
    if (
        there is not None
        and (there.element.role == "tab" or s.dialog is not None)
        and there.element.region != "navigation"
        and not there.element.is_submit  # a form may be sent by what it is called
    ):
        if not {"selected", "current"} & there.element.states:
            yield from s.click(there.element, f'go to "{label.text}"')
        s.found()
    elif s.lost is not None:
        s.unreached()
        return
    s.report(StepStatus.AS_WRITTEN, is_seen=there is not None)


def expect_text(s: Session, intent: Intent) -> Script:
    """A message or state is shown; states may take their time to settle."""
    label = intent.label
    assert label is not None  # noqa: S101 - an EXPECT_TEXT has a label
    if s.lost is not None:
        s.unreached()
        return
    if intent.noun != "message":
        yield from bring_out(s, s.values.row(intent.thing) or s.row)
    waited = 0.0
    patience = s.task.patience_s if intent.noun == "status" else 2 * _WAIT_S
    while not _is_shown(s, intent, label) and waited < patience:
        yield from s.wait(_WAIT_S, f'wait for "{label.text}"')
        waited += _WAIT_S
    if _is_shown(s, intent, label):
        s.report(StepStatus.AS_WRITTEN, f'"{label.text}" is shown')
        return
    if s.lost is not None:
        s.unreached()
        return
    _not_shown(s, intent, label)


def _is_shown(s: Session, intent: Intent, label: Inline) -> bool:
    wanted = plain(label.text)
    if intent.noun == "message":
        return (
            any(wanted in plain(n.text) for n in s.notices)
            or text_containing(s.view, label.text) is not None
        )
    rows = [t for t in s.view.texts if t.row and s.row and s.row in t.row]
    key = s.values.row(intent.thing)
    rows += [t for t in s.view.texts if t.row and key and key in t.row]
    if rows:
        return any(wanted in plain(t.row or "") for t in rows)
    return text_containing(s.view, label.text) is not None


def _not_shown(s: Session, intent: Intent, label: Inline) -> None:
    if intent.noun == "message":
        shown = next((n.text for n in reversed(s.notices) if n.tone != "error"), None)
        s.diverge(
            DivergenceKind.WRONG_RESULT, label,
            f'the message says "{shown}"' if shown else f'no message says "{label.text}"',
            suggestion=shown if shown and len(shown) < 120 else None,
            confidence=0.8 if shown else 0.6,
        )  # fmt: skip
        return
    key = s.values.row(intent.thing) or s.row
    row = next((t.row for t in s.view.texts if t.row and key and key in t.row), None)
    state = _state_of(s, key) if row else None
    s.diverge(
        DivergenceKind.WRONG_RESULT, label,
        f'the row shows "{row}"' if row else f'"{label.text}" is not shown',
        suggestion=state, confidence=0.75 if row else 0.5,
    )  # fmt: skip


def _state_of(s: Session, key: str) -> str | None:
    """What the row's status column says."""
    for t in s.view.texts:
        if t.row and key in t.row and t.column and re.search(r"status|state|状态", t.column, re.I):
            return t.text
    return None


def expect_default(s: Session, intent: Intent) -> Script:
    """A field holds, or a check box is in the state of, what the text calls its default."""
    label = intent.label
    assert label is not None  # noqa: S101 - an EXPECT_DEFAULT has a label
    match = field(s.view, label.text)
    if intent.value is not None:
        yield from _expect_value(s, intent.value, match)
        return
    states = match.element.states if match else frozenset()
    if match is None or not {"checked", "unchecked"} & states:
        if s.lost is not None:
            s.unreached()
        return
    is_on = "checked" in states
    if is_on != (intent.noun == "on") and match.element.name not in s.set_by_hand:
        s.diverge(
            DivergenceKind.CHANGED_DEFAULT, intent.sentence,
            f'"{match.element.name}" is {"on" if is_on else "off"} by default',
            confidence=0.8, box=match.element.box,
        )  # fmt: skip
    else:
        s.report(StepStatus.AS_WRITTEN)
    yield from ()


def _expect_value(s: Session, claim: Inline, match: Match | None) -> Script:
    """A field of something new holds what the text leaves in it."""
    element = match.element if match and match.how.is_strict and _is_making(s) else None
    if element is None or element.value is None or element.role == "radio":
        return
    if is_default(claim, element.value):
        s.report(StepStatus.AS_WRITTEN, f'"{element.name}" is "{element.value}"')
        return
    _another_default(s, claim, element)
    yield from ()


def expect_field(s: Session, intent: Intent) -> Script:
    """A field of that label is there."""
    label = intent.label
    assert label is not None  # noqa: S101 - an EXPECT_FIELD has a label
    match = field(s.view, label.text)
    if (match and match.how.is_strict) or text_shown(s.view, label.text):
        s.report(StepStatus.AS_WRITTEN)
    elif s.lost is not None:
        s.unreached()
    elif match is not None:
        s.diverge(
            DivergenceKind.RENAMED_LABEL, label, f'the field is called "{match.element.name}"',
            suggestion=match.element.name, box=match.element.box,
        )  # fmt: skip
    else:
        s.diverge(
            DivergenceKind.MISSING_CONTROL, label,
            f'{s.describe_place()} has no field "{label.text}"{offers(s)}',
        )  # fmt: skip
    yield from ()

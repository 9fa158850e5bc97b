"""Sending a form: what the console requires and the text did not mention."""

import re
from collections.abc import Generator

from appliance.core import actions
from appliance.core.page import Element, TextBlock, TextKind
from appliance.core.procedure import Inline, Sentence
from appliance.core.verdict import Basis, DivergenceKind, Severity
from appliance.language import verbs
from appliance.language.names import deed_of_task, plain, same, verb_of
from appliance.policy.base import Decision
from appliance.policy.literal.act.fields import asked_for, put
from appliance.policy.literal.match.grounding import (
    TEXTUAL,
    TOGGLES,
    find_submit_button,
    is_enabled,
    is_field,
    is_search,
    match_clickable,
)
from appliance.policy.literal.match.mentions import mention_of
from appliance.policy.literal.read.intents import IntentKind
from appliance.policy.literal.session import Script, Session


def before_sending(s: Session, button: Element, label: Inline | Sentence) -> Script:
    """Before a form is sent: what the console requires and the text did not mention."""
    if _sends(button):
        yield from _supply_required(s, button, label)


def _supply_required(s: Session, button: Element, label: Inline | Sentence) -> Script:
    for e in _required_and_empty(s, button):
        yield from _supply(s, e, label, f'"{e.name}" must be filled in before "{button.name}"')


def _supply(s: Session, e: Element, label: Inline | Sentence, why: str) -> Script:
    """Fill in what the console requires; a finding, unless the text asks for it."""
    mention = mention_of(s, e.name)
    if e.group and not mention.is_asked and mention.may_be_left is None:  # one box of several
        mention = mention_of(s, e.group)
    if (_is_left_to_reader(s) or mention.is_explained) and mention.may_be_left is None:
        pass  # "Fill in the form"
    elif _is_second_password(s, e) and mention.may_be_left is None:
        pass  # every reader knows what that is
    elif mention.is_asked and plain(e.name) in s.values.assigned:
        pass  # one more of what the text has said how to fill in
    elif mention.is_asked:
        s.skip(f'not understood: what to enter in "{e.name}"')
    elif mention.may_be_left or not (_may_depend(s, e) or s.is_named_otherwise(e)):
        how = "says that it can be left" if mention.may_be_left else "does not mention it"
        s.diverge(
            DivergenceKind.MISSING_STEP, mention.may_be_left or label, f"{why}; the text {how}",
            severity=Severity.BREAKS, basis=Basis.REQUIRED, box=e.box,
        )  # fmt: skip
    made_up = s.values.made_up(e, e.name)
    again = s.values.assigned.get(plain(e.name)) == made_up
    yield from put(s, e, s.values.bound(e.name) or (f"{made_up}-2" if again else made_up), None)


def _is_second_password(s: Session, e: Element) -> bool:
    """Whether a password that was entered is to be entered once more."""
    entered = (o for o in s.view.elements if o.type == "password" and o.id != e.id)
    return e.type == "password" and any(plain(o.name) in s.values.assigned for o in entered)


def _may_depend(s: Session, e: Element) -> bool:
    """Whether it may be asked for only since something else was not as the text says."""
    return s.has_strayed or e.name in s.depends


def _is_left_to_reader(s: Session) -> bool:
    """Whether the text has said to fill in this form; what was not carried out may mean it."""
    begun = [i for i in s.plan if i not in s.upcoming[1:]]
    said = any(s.forms.get(i, s.form) == s.form for i in begun[:-1] if i.kind is IntentKind.FORM)
    return said or any(s.forms.get(i) == s.form for i in begun)


def _sends(button: Element) -> bool:
    """Whether a form is checked when it is clicked: its main button, or a wizard's "Next"."""
    return button.is_submit or any(same(button.name, w) for w in (verbs.GO_ON + verbs.FINISH).both)


def _required_and_empty(s: Session, button: Element) -> list[Element]:
    return [
        e
        for e in s.view.elements
        if "required" in e.states and is_enabled(e) and is_field(e) and not e.value
        and e.dialog == button.dialog and e.frame == button.frame
        and e.role not in TOGGLES and e.row is None
        and not (e.role == "combobox" and e.tag == "button")  # what is chosen is drawn in it
    ]  # fmt: skip


_ROUNDS = 6
"""So often a form is sent that asks for one field after the other."""


def after_sending(s: Session, button: Element, label: Inline | Sentence) -> Script:
    """After a form was sent: put errors beside unmentioned fields right, each once."""
    was_wrong = any(e.error and is_field(e) for e in s.before.elements)
    is_sent = _sends(button) or not was_wrong  # whatever it looks like: fields answer it
    seen = set[str]()
    for _ in range(_ROUNDS if is_sent else 0):
        if button.dialog is not None and s.dialog != button.dialog:
            return
        here = (
            e for e in s.view.elements if e.dialog == button.dialog
        )  # not of what comes over it
        wrong = [e for e in here if e.error and is_field(e) and e.name not in seen]
        if not wrong:
            return
        for e in wrong:
            seen.add(e.name)
            yield from _put_right(s, e, label)
        again = match_clickable(s.view, button.name)
        if again and is_enabled(again.element):
            yield from s.click(again.element, f'"{button.name}" again')


def _put_right(s: Session, e: Element, label: Inline | Sentence) -> Script:
    """A field that the console is not content with."""
    if not e.value or plain(e.name) not in s.values.assigned:
        yield from _supply(s, e, label, f'"{e.name}" must be filled in ({e.error})')
    elif plain(e.name) in s.given:  # what the text has entered is refused, wherever it is sent
        s.diverge(
            DivergenceKind.ERROR_SHOWN, s.given[plain(e.name)],
            f'"{e.name}" is refused: {e.error}',
            severity=Severity.BREAKS, basis=Basis.REFUSED, box=e.box,
        )  # fmt: skip


def is_unfilled(s: Session) -> bool:
    """Whether the dialog is a form with something to type in, and no question."""
    boxes = (e for e in s.view.elements if e.dialog == s.dialog and e.role in TEXTUAL)
    return s.dialog is not None and any(not e.value and not is_search(e) for e in boxes)


def finish_dialog(s: Session, words_of: Sentence) -> Script:
    """Press the main button of a dialog that the text filled in and left open."""
    if s.dialog is None or s.lost is not None:
        return
    button = find_submit_button(s.view)
    if button is None or any(e.error and e.dialog == s.dialog for e in s.view.elements):
        return  # it was sent, and refused
    if s.dialog not in s.touched and is_unfilled(s):
        return  # a form that the text only leads to
    last = s.clicked
    if last is not None and last.dialog == s.dialog and same(last.name, button.name):
        return  # the text has clicked it itself: the dialog stays open for another
    title = s.dialog
    s.diverge(
        DivergenceKind.MISSING_STEP,
        words_of,
        f'the dialog "{title}" is still open; "{button.name}" must be clicked',
        severity=Severity.MISLEADS,
        basis=Basis.REQUIRED,
        box=button.box,
    )
    yield from s.click(button, f'finish with "{button.name}"')


def finish_form(s: Session, words_of: Sentence) -> Script:
    """Send the form of a page that the text has filled in to make or change something, and left.

    Every reader knows that a form has to be sent: it is no finding that the text does not say so.
    """
    if s.lost is not None or s.view.dialogs or s.view.url not in s.touched:
        return
    deed = deed_of_task(s.task.procedure.title)
    button = _sender(s, deed) if deed in _FORM_DEEDS else None
    if button is None:
        return
    if s.before.url == s.view.url and s.clicked and same(button.name, s.clicked.name):
        return  # it was sent, and is there still
    yield from _send_by(s, button, words_of)


def send(s: Session, words_of: Sentence) -> Script:
    """Send the form that makes something: by the dialog's button, or the only one of the page."""
    button = find_submit_button(s.view) if s.view.dialogs else _sender(s, verb_of("create"))
    if button is not None:
        yield from _send_by(s, button, words_of)


def _sender(s: Session, deed: str | None) -> Element | None:
    """The only button of the page that says so, or that it saves."""
    senders = [
        e
        for e in s.view.elements
        if e.role == "button" and e.row is None and e.region in ("main", "form", "")
        and is_enabled(e) and (verb_of(e.name) == deed or plain(e.name) in verbs.SAVES.both)
    ]  # fmt: skip
    return senders[0] if len(senders) == 1 else None


def _send_by(s: Session, button: Element, words_of: Sentence) -> Script:
    yield from before_sending(s, button, words_of)
    yield from s.click(s.view.element(button.id) or button, f'finish with "{button.name}"')
    yield from after_sending(s, button, words_of)


_FORM_DEEDS = frozenset(map(verb_of, (verbs.CREATES + verbs.EDITS).both))

_TYPES_NAME = re.compile(r"\bto confirm\b|\bconfirm(?:ation)?\b|\btype\b|确认|输入", re.IGNORECASE)
_WHAT_TO_TYPE = re.compile(
    r"\b(?:type|enter)(?: in)?\s+(?!the\b|its\b|your\b)[\"“'‘]?(?P<what>[^\"“”]+?)[\"”'’]?,?"
    r"\s+(?:below |in the (?:box|field) )?to\b"
    r"|输入\s*[“\"「]?(?P<zh>[^”\"」]+?)[”\"」]?\s*(?:以|来|进行)?确认",
    re.IGNORECASE,
)
"""As a field asks for it that has to be filled before something is deleted."""


def _to_be_typed(s: Session, box: Element) -> str:
    """What such a field asks for, where it says so; else what the thing is called."""
    m = _WHAT_TO_TYPE.search(box.name)
    said = (m["what"] or m["zh"]) if m else ""
    return asked_for(s, box) or said or s.row


def unlock(s: Session, button: Element, label: Inline) -> Script:
    """Do what a greyed-out button waits for: what must be filled in, or ticked, or typed again."""
    if s.lost is not None:
        return
    yield from _supply_required(s, button, label)
    again = s.view.element(button.id)
    if button.dialog is None or (again is not None and is_enabled(again)):
        return
    inside = [e for e in s.view.elements if e.dialog == button.dialog and is_enabled(e)]
    for e in inside:
        if e.role == "checkbox" and "unchecked" in e.states and not e.group:
            _needed(s, e, label, f'"{e.name}" must be ticked before "{button.name}"')
            yield from s.check(e, checked=True, thought=f'tick "{e.name}"')
        is_asked = e.role in TEXTUAL and not e.value and _TYPES_NAME.search(e.name)
        if is_asked and (value := _to_be_typed(s, e)):
            _needed(s, e, label, f'"{e.name}" must be filled in before "{button.name}"')
            yield from put(s, e, value, None)


def _needed(s: Session, e: Element, label: Inline, why: str) -> None:
    if mention_of(s, e.name).is_asked:
        s.skip(f"not understood: {why}")
        return
    if s.is_named_otherwise(e):
        return
    s.diverge(
        DivergenceKind.MISSING_STEP, label, f"{why}; the text does not mention it",
        severity=Severity.BREAKS, basis=Basis.REQUIRED, box=e.box,
    )  # fmt: skip


_DENIED = re.compile(
    r"\b(?:not |un)authori[sz]ed\b|\bnot (?:permitted|allowed) to\b|\bno permission"
    r"|\bpermissions?\b.{0,40}\b(?:required|denied|missing|needed)"
    r"|\b(?:lack|need|require)s?\b.{0,30}\bpermission|\baccess (?:is |was )?denied\b|\bforbidden\b"
    r"|(?:没有|无|缺少|需要).{0,10}权限|权限不足|拒绝访问|无权",
    re.IGNORECASE,
)
_LIMIT = re.compile(r"\bquota|\blimit\b|配额|上限", re.IGNORECASE)


def refused(s: Session, button: Element, label: Inline, before: frozenset[str]) -> bool:
    """Whether the console refuses what was asked, with a message that was not there before."""
    errors = [t for t in s.view.texts if _is_error(t)]
    errors += [n for n in s.notices if n.tone == "error" and n not in errors]
    for block in (error for error in errors if error.text not in before):
        if _LIMIT.search(block.text):
            return True  # the account's, not the text's: see the verdict
        if _DENIED.search(block.text):
            s.diverge(
                DivergenceKind.PERMISSION, label, f'the console says "{block.text}"',
                severity=Severity.BREAKS, basis=Basis.REFUSED, box=block.box,
            )  # fmt: skip
            s.stuck(block.text)
            return True
    return False


def errors_shown(s: Session) -> frozenset[str]:
    """The errors that are on the page now."""
    return frozenset(t.text for t in s.view.texts if _is_error(t))


def _is_error(block: TextBlock) -> bool:
    return block.kind is TextKind.ERROR or (
        block.kind is TextKind.NOTICE and block.tone in ("error", "warning")
    )


_GONE = re.compile(
    r"^\W*(?:error )?404\b|\bpage (?:was |is |could )?not (?:be )?found\b|\bno such page\b"
    r"|\bnothing (?:here|at this address)\b"
    r"|(?:页面|地址).{0,6}(?:不存在|找不到|未找到)|找不到.{0,4}页面",
    re.IGNORECASE,
)


def gone_title(s: Session) -> str:
    """What a page that is not there is called; empty where it is there."""
    if s.view.dialogs:
        return ""
    titles = [s.view.title, *(t.text for t in s.view.texts if t.level in (1, 2))]
    return next((t for t in titles if _GONE.search(t)), "")


def dead_end(s: Session, e: Element, label: Inline) -> Generator[Decision, None, bool]:
    """Whether a click led to a page that is not there, also when it is done once more.

    Some consoles have a button before what it needs has come.
    """
    title = gone_title(s)
    if not title:
        return False
    yield from s.act(actions.OpenUrl(s.before.url), "go back")
    yield from s.wait(1.5, f'wait before "{e.name}" is clicked once more')
    again = match_clickable(s.view, e.name)
    if again is not None and is_enabled(again.element):
        yield from s.click(again.element, f'click "{e.name}" once more')
        if not gone_title(s):
            return False
    s.diverge(
        DivergenceKind.DEAD_LINK, label, f'"{e.name}" leads to a page that says "{title}"',
        severity=Severity.BREAKS, basis=Basis.REFUSED, box=e.box,
    )  # fmt: skip
    s.stuck(f'"{e.name}" leads nowhere: "{title}"')
    return True

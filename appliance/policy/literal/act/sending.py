"""Sending a form: what the console requires and the text did not mention."""

import re

from appliance.core import actions
from appliance.core.page import Element, TextBlock, TextKind
from appliance.core.procedure import Inline, Sentence
from appliance.core.verdict import Basis, DivergenceKind, Severity
from appliance.language import verbs
from appliance.language.names import plain, same, says_change, verb_of, verb_of_task
from appliance.policy.literal.act.fields import enter_value, requested_confirmation
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
from appliance.policy.literal.session import Script, ScriptOf, Session


def prepare_to_send(s: Session, button: Element, label: Inline | Sentence) -> Script:
    """Fill in what the form requires and the text did not mention, before it is sent."""
    if _sends(button):
        yield from _fill_all_required(s, button, label)


def _fill_all_required(s: Session, button: Element, label: Inline | Sentence) -> Script:
    for e in _required_and_empty(s, button):
        yield from _fill_required(
            s, e, label, f'"{e.name}" must be filled in before "{button.name}"'
        )


def _fill_required(s: Session, e: Element, label: Inline | Sentence, why: str) -> Script:
    """Fill in a required field; report it as a missing step unless the text asks for it."""
    mention = mention_of(s, e.name)
    repeated = _password_to_repeat(s, e)
    if e.group and not mention.is_asked and mention.may_be_left is None:  # one box of several
        mention = mention_of(s, e.group)
    if (_is_left_to_reader(s) or mention.is_explained) and mention.may_be_left is None:
        pass  # "Fill in the form"
    elif repeated and mention.may_be_left is None:
        pass  # every reader knows to repeat the password
    elif mention.is_asked and plain(e.name) in s.values.assigned:
        pass  # another field of a kind that the text has explained
    elif mention.is_asked:
        s.skip(f'not understood: what to enter in "{e.name}"')
    elif mention.may_be_left or not (_may_depend(s, e) or s.is_named_otherwise(e)):
        how = "says that it can be left" if mention.may_be_left else "does not mention it"
        s.diverge(
            DivergenceKind.MISSING_STEP, mention.may_be_left or label, f"{why}; the text {how}",
            severity=Severity.BREAKS, basis=Basis.REQUIRED, box=e.box,
        )  # fmt: skip
    made_up = s.values.make_up(e, e.name)
    is_same_again = s.values.assigned.get(plain(e.name)) == made_up
    made_up = f"{made_up}-2" if is_same_again else made_up
    yield from enter_value(s, e, s.values.bound_to(e.name) or repeated or made_up, None)


def _password_to_repeat(s: Session, e: Element) -> str | None:
    """The password that was entered already, where this field is for it once more."""
    if e.type != "password":
        return None
    others = (o for o in s.view.elements if o.type == "password" and o.id != e.id)
    return next(filter(None, (s.values.assigned.get(plain(o.name)) for o in others)), None)


def _may_depend(s: Session, e: Element) -> bool:
    """Whether it may be required only because something else did not go as the text says."""
    return s.has_strayed or e.name in s.dependent_fields


def _is_left_to_reader(s: Session) -> bool:
    """Whether the text has said to fill in this form, without naming each field."""
    begun = [i for i in s.plan if i not in s.upcoming[1:]]
    is_said = any(
        s.form_keys.get(i, s.form_key) == s.form_key
        for i in begun[:-1]
        if i.kind is IntentKind.FORM
    )
    return is_said or any(s.form_keys.get(i) == s.form_key for i in begun)


def _sends(button: Element) -> bool:
    """Whether a click on it submits a form: its main button, or a wizard's "Next"."""
    return button.is_submit or any(same(button.name, w) for w in (verbs.GO_ON + verbs.FINISH).both)


def _required_and_empty(s: Session, button: Element) -> list[Element]:
    return [
        e
        for e in s.view.elements
        if "required" in e.states and is_enabled(e) and is_field(e) and not e.value
        and e.dialog == button.dialog and e.frame == button.frame
        and e.role not in TOGGLES and e.row is None
        and not (e.role == "combobox" and e.tag == "button")  # its value is drawn as text
    ]  # fmt: skip


_MAX_ROUNDS = 6
"""How often a form is sent that complains about one field after the other."""


def correct_refused_fields(s: Session, button: Element, label: Inline | Sentence) -> Script:
    """After sending, correct fields with errors, each once, and send again."""
    was_wrong = any(e.error and is_field(e) for e in s.before.elements)
    is_sent = _sends(button) or not was_wrong  # new errors in fields show that a form was sent
    put_right = set[str]()
    for _ in range(_MAX_ROUNDS if is_sent else 0):
        if button.dialog is not None and s.dialog != button.dialog:
            return
        # not those of a dialog that has opened over the form
        form_elements = (e for e in s.view.elements if e.dialog == button.dialog)
        rejected = [e for e in form_elements if e.error and is_field(e) and e.name not in put_right]
        if not rejected:
            return
        for e in rejected:
            put_right.add(e.name)
            yield from _correct(s, e, label)
        button_match = match_clickable(s.view, button.name)
        if button_match and is_enabled(button_match.element):
            yield from s.click(button_match.element, f'"{button.name}" again')


def _correct(s: Session, e: Element, label: Inline | Sentence) -> Script:
    """Correct a field that the console refuses; report a value of the text that is refused."""
    if not e.value or plain(e.name) not in s.values.assigned:
        yield from _fill_required(s, e, label, f'"{e.name}" must be filled in ({e.error})')
    elif plain(e.name) in s.entered_words:
        s.diverge(
            DivergenceKind.ERROR_SHOWN, s.entered_words[plain(e.name)],
            f'"{e.name}" is refused: {e.error}',
            severity=Severity.BREAKS, basis=Basis.REFUSED, box=e.box,
        )  # fmt: skip


def is_unfilled(s: Session) -> bool:
    """Whether the dialog is a form with an empty text box, not just a question."""
    boxes = (e for e in s.view.elements if e.dialog == s.dialog and e.role in TEXTUAL)
    return s.dialog is not None and any(not e.value and not is_search(e) for e in boxes)


def finish_dialog(s: Session, words_of: Sentence) -> Script:
    """Press the main button of a dialog that the text filled in and left open."""
    if s.dialog is None or s.lost is not None:
        return
    button = find_submit_button(s.view)
    if button is None or any(e.error and e.dialog == s.dialog for e in s.view.elements):
        return  # it was sent, and refused
    if s.dialog not in s.touched_forms and is_unfilled(s):
        return  # the text only leads to the form
    last = s.clicked
    if last is not None and last.dialog == s.dialog and same(last.name, button.name):
        return  # clicked by the text already: the dialog stays open for another entry
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
    """Send the page's form that the text has filled in to create or change something.

    Every reader knows that a form has to be sent: it is no finding that the text does not say so.
    """
    title = s.task.procedure.title
    is_begun = s.view.url in s.touched_forms
    task_verb = verb_of_task(title)
    is_sent_for = says_change(title) and task_verb not in _DELETE_VERBS
    if s.lost is not None or s.view.dialogs or not (is_begun and is_sent_for):
        return
    button = _send_button(s, task_verb)
    if button is None:
        return
    if s.before.url == s.view.url and s.clicked and same(button.name, s.clicked.name):
        return  # it was sent already, and stays on the page
    yield from _send_with(s, button, words_of)


_DELETE_VERBS = frozenset(map(verb_of, verbs.DELETES.both))


def send(s: Session, words_of: Sentence) -> Script:
    """Send the form that creates something: by the dialog's button, or the page's only one."""
    button = find_submit_button(s.view) if s.view.dialogs else _send_button(s, verb_of("create"))
    if button is not None:
        yield from _send_with(s, button, words_of)


def save(s: Session, words_of: Sentence) -> ScriptOf[bool]:
    """Send the page's filled-in form, as "save your changes" asks; whether there was one."""
    if s.view.dialogs or s.view.url not in s.touched_forms:
        return False
    button = _send_button(s, verb_of("save"))
    if button is not None:
        yield from _send_with(s, button, words_of)
    return button is not None


def _send_button(s: Session, task_verb: str | None) -> Element | None:
    """The only button of the page whose name is that verb, or says that it saves."""
    senders = [
        e
        for e in s.view.elements
        if e.role == "button" and e.row is None and e.region in ("main", "form", "")
        and is_enabled(e)
        and (plain(e.name) in verbs.SAVES.both or (task_verb and verb_of(e.name) == task_verb))
    ]  # fmt: skip
    return senders[0] if len(senders) == 1 else None


def _send_with(s: Session, button: Element, words_of: Sentence) -> Script:
    yield from prepare_to_send(s, button, words_of)
    yield from s.click(s.view.element(button.id) or button, f'finish with "{button.name}"')
    yield from correct_refused_fields(s, button, words_of)


_ASKS_FOR_TEXT = re.compile(
    r"\bto confirm\b|\bconfirm(?:ation)?\b|\btype\b|确认|输入", re.IGNORECASE
)
_WHAT_TO_TYPE = re.compile(
    r"\b(?:type|enter)(?: in)?\s+(?!the\b|its\b|your\b)[\"“'‘]?(?P<what>[^\"“”]+?)[\"”'’]?,?"
    r"\s+(?:below |in the (?:box|field) )?to\b"
    r"|输入\s*[“\"「]?(?P<zh>[^”\"」]+?)[”\"」]?\s*(?:以|来|进行)?确认",
    re.IGNORECASE,
)
"""What a field asks to type before something is deleted."""


def _text_to_confirm(s: Session, box: Element) -> str:
    """The text that a confirmation field asks for, else the name of the thing."""
    match = _WHAT_TO_TYPE.search(box.name)
    requested = (match["what"] or match["zh"]) if match else ""
    return requested_confirmation(s, box) or requested or s.row


def unlock(s: Session, button: Element, label: Inline) -> Script:
    """Do what a greyed-out button waits for: fill in, tick, or type a confirmation."""
    if s.lost is not None:
        return
    yield from _fill_all_required(s, button, label)
    current = s.view.element(button.id)
    if button.dialog is None or (current is not None and is_enabled(current)):
        return
    dialog_elements = [e for e in s.view.elements if e.dialog == button.dialog and is_enabled(e)]
    for e in dialog_elements:
        if e.role == "checkbox" and "unchecked" in e.states and not e.group:
            _report_needed(s, e, label, f'"{e.name}" must be ticked before "{button.name}"')
            yield from s.check(e, checked=True, thought=f'tick "{e.name}"')
        is_asked = e.role in TEXTUAL and not e.value and _ASKS_FOR_TEXT.search(e.name)
        if is_asked and (value := _text_to_confirm(s, e)):
            _report_needed(s, e, label, f'"{e.name}" must be filled in before "{button.name}"')
            yield from enter_value(s, e, value, None)


def _report_needed(s: Session, e: Element, label: Inline, why: str) -> None:
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


def report_refusal(
    s: Session, button: Element, label: Inline, errors_before: frozenset[str]
) -> bool:
    """Whether the console refuses the action with a new error message; reports it."""
    errors = [t for t in s.view.texts if _is_error(t)]
    errors += [n for n in s.notices if n.tone == "error" and n not in errors]
    for block in (error for error in errors if error.text not in errors_before):
        if _LIMIT.search(block.text):
            return True  # a quota of the account; the verdict accounts for it
        if _DENIED.search(block.text):
            s.diverge(
                DivergenceKind.PERMISSION, label, f'the console says "{block.text}"',
                severity=Severity.BREAKS, basis=Basis.REFUSED, box=block.box,
            )  # fmt: skip
            s.report_stuck(block.text)
            return True
    return False


def shown_errors(s: Session) -> frozenset[str]:
    """The errors on the page now."""
    return frozenset(t.text for t in s.view.texts if _is_error(t))


def _is_error(block: TextBlock) -> bool:
    return block.kind is TextKind.ERROR or (
        block.kind is TextKind.NOTICE and block.tone in ("error", "warning")
    )


_NOT_FOUND = re.compile(
    r"^\W*(?:error )?404\b|\bpage (?:was |is |could )?not (?:be )?found\b|\bno such page\b"
    r"|\bnothing (?:here|at this address)\b"
    r"|(?:页面|地址).{0,6}(?:不存在|找不到|未找到)|找不到.{0,4}页面",
    re.IGNORECASE,
)


def not_found_title(s: Session) -> str:
    """The title of a "page not found" page; empty on any other page."""
    if s.view.dialogs:
        return ""
    titles = [s.view.title, *(t.text for t in s.view.texts if t.level in (1, 2))]
    return next((t for t in titles if _NOT_FOUND.search(t)), "")


def report_dead_link(s: Session, e: Element, label: Inline) -> ScriptOf[bool]:
    """Whether the click leads to a page that does not exist, also at a second try; reports it.

    Some consoles have a button before what it needs has come.
    """
    title = not_found_title(s)
    if not title:
        return False
    yield from s.act(actions.OpenUrl(s.before.url), "go back")
    yield from s.wait(1.5, f'wait before "{e.name}" is clicked once more')
    match = match_clickable(s.view, e.name)
    if match is not None and is_enabled(match.element):
        yield from s.click(match.element, f'click "{e.name}" once more')
        if not not_found_title(s):
            return False
    s.diverge(
        DivergenceKind.DEAD_LINK, label, f'"{e.name}" leads to a page that says "{title}"',
        severity=Severity.BREAKS, basis=Basis.REFUSED, box=e.box,
    )  # fmt: skip
    s.report_stuck(f'"{e.name}" leads nowhere: "{title}"')
    return True

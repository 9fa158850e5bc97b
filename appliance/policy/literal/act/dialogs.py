"""Closing and confirming dialogs that the text does not name a button of."""

from appliance.core.page import Element, Observation, Performed
from appliance.core.verdict import StepStatus
from appliance.language import harm_words, verbs
from appliance.language.names import same, verb_of
from appliance.policy.literal.act import sending
from appliance.policy.literal.match.grounding import find_submit_button, is_answer, is_enabled
from appliance.policy.literal.read.intents import Intent
from appliance.policy.literal.session import Script, ScriptOf, Session


def close(s: Session, intent: Intent) -> Script:
    """Close the open dialog by its own button, else with the Escape key."""
    if s.dialog is None:
        s.report(StepStatus.AS_WRITTEN, "no dialog is open", is_seen=False)
        return
    result = yield from leave_dialog(s)
    s.report(StepStatus.AS_WRITTEN if result.ok else StepStatus.STUCK, result.error)


def leave_dialog(s: Session) -> ScriptOf[Performed]:
    """Close the open dialog or menu without changing anything."""
    buttons = [
        e
        for e in s.view.elements
        if e.role in ("button", "link") and e.dialog is not None and e.dialog == s.dialog
        and is_enabled(e) and not e.is_submit
    ]  # fmt: skip
    closers = [e for word in verbs.CLOSES for e in buttons if same(word, e.name)]
    if closers:
        return (yield from s.click(closers[0], f'close with "{closers[0].name}"'))
    return (yield from s.press("Escape", thought="close the dialog"))


def confirm(s: Session, intent: Intent) -> Script:
    """Press the button that confirms, of the dialog or of the page that asks.

    A dialog of the browser was accepted already.
    """
    button = (
        _answer_of_page(s) if s.dialog is None else find_submit_button(s.view) or _only_answer(s)
    )
    if button is None and s.dialog is None:
        is_saved = yield from sending.save(s, intent.sentence)
        note = "" if is_saved else "nothing asks for confirmation"
        s.report(StepStatus.AS_WRITTEN, note, is_seen=is_saved)
        return
    if button is None:
        s.report_stuck(f"no button confirms in {s.describe_place()}")
        return
    result = yield from s.click(button, f'confirm with "{button.name}"')
    s.report(StepStatus.AS_WRITTEN if result.ok else StepStatus.STUCK, result.error)


def _answer_of_page(s: Session) -> Element | None:
    """The only button that says yes on a page that asks, to which the last click has led."""
    if s.clicked is None or not _questions(s.view) - _questions(s.before):
        return None
    verb = verb_of(s.clicked.name)
    answers = [
        e
        for e in s.view.elements
        if e.role == "button" and e.row is None and e.region in ("main", "form", "")
        and is_enabled(e) and not harm_words.NO.search(e.name.strip())
        and (is_answer(e.name) or (verb is not None and verb_of(e.name) == verb))
    ]  # fmt: skip
    return answers[0] if len(answers) == 1 else None


def _questions(view: Observation) -> frozenset[str]:
    texts = (view.title, *(t.text for t in view.texts if t.row is None))
    return frozenset(text for text in texts if harm_words.ASKS.search(text.strip()))


def _only_answer(s: Session) -> Element | None:
    """The only button that does not cancel: many dialogs send no form."""
    answers = [
        e
        for e in s.view.elements
        if e.role == "button" and e.dialog is not None and e.dialog == s.dialog
        and is_enabled(e) and e.row is None and "haspopup" not in e.states
        and not harm_words.NO.search(e.name.strip())
    ]  # fmt: skip
    return answers[0] if len(answers) == 1 else None

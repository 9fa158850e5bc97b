"""Closing and confirming dialogs that the text does not name a button of."""

from appliance.core.page import Element
from appliance.core.verdict import StepStatus
from appliance.language import harm_words, verbs
from appliance.language.names import same
from appliance.policy.literal.match.grounding import find_submit_button, is_enabled
from appliance.policy.literal.read.intents import Intent
from appliance.policy.literal.session import Acting, Script, Session


def close(s: Session, intent: Intent) -> Script:
    """Close the open dialog by what it has for that, else with the Escape key."""
    if s.dialog is None:
        s.report(StepStatus.AS_WRITTEN, "no dialog is open", is_seen=False)
        return
    done = yield from leave(s)
    s.report(StepStatus.AS_WRITTEN if done.ok else StepStatus.STUCK, done.error)


def leave(s: Session) -> Acting:
    """Close the open dialog, or menu, and change nothing by it."""
    inside = [
        e
        for e in s.view.elements
        if e.role in ("button", "link") and e.dialog is not None and e.dialog == s.dialog
        and is_enabled(e) and not e.is_submit
    ]  # fmt: skip
    closers = [e for word in verbs.CLOSES for e in inside if same(word, e.name)]
    if closers:
        return (yield from s.click(closers[0], f'close with "{closers[0].name}"'))
    return (yield from s.press("Escape", thought="close the dialog"))


def confirm(s: Session, intent: Intent) -> Script:
    """Press the primary button of the open dialog; a dialog of the browser was accepted already."""
    if s.dialog is None:
        s.report(StepStatus.AS_WRITTEN, "nothing asks for confirmation", is_seen=False)
        return
    button = find_submit_button(s.view) or _only_answer(s)
    if button is None:
        s.stuck(f"no button confirms in {s.describe_place()}")
        return
    done = yield from s.click(button, f'confirm with "{button.name}"')
    s.report(StepStatus.AS_WRITTEN if done.ok else StepStatus.STUCK, done.error)


def _only_answer(s: Session) -> Element | None:
    """The one button that does not leave the dialog: many dialogs send no form."""
    answers = [
        e
        for e in s.view.elements
        if e.role == "button" and e.dialog is not None and e.dialog == s.dialog
        and is_enabled(e) and e.row is None and "haspopup" not in e.states
        and not harm_words.NO.search(e.name.strip())
    ]  # fmt: skip
    return answers[0] if len(answers) == 1 else None

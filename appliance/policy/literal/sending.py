"""Sending a form: what the console requires and the text did not mention."""

from appliance.core.page import ActionKind, Element
from appliance.core.procedure import Inline, Sentence
from appliance.core.verdict import DivergenceKind, Severity
from appliance.policy.literal.fields import put
from appliance.policy.literal.grounding import TOGGLES, clickable, is_enabled, is_field, primary
from appliance.policy.literal.names import plain, same
from appliance.policy.literal.session import Script, Session


def before_sending(s: Session, button: Element, label: Inline) -> Script:
    """Before a form is sent: what the console requires and the text did not mention."""
    if not _sends(button):
        return
    for e in _required_and_empty(s, button):
        s.diverge(
            DivergenceKind.MISSING_STEP,
            label,
            f'"{e.name}" must be filled in before "{button.name}"; the text does not mention it',
            severity=Severity.BREAKS,
            confidence=0.85,
            box=e.box,
        )
        yield from put(s, e, s.values.bound(e.name) or s.values.made_up(e, e.name), None)


def _sends(button: Element) -> bool:
    """Whether a form is checked when it is clicked: its main button, or a wizard's "Next"."""
    return button.is_submit or any(
        same(button.name, w) for w in ("Next", "Continue", "Finish", "下一步", "继续", "完成")
    )


def _required_and_empty(s: Session, button: Element) -> list[Element]:
    return [
        e
        for e in s.view.elements
        if "required" in e.states and is_enabled(e) and is_field(e) and not e.value
        and e.dialog == button.dialog and e.frame == button.frame
        and e.role not in TOGGLES and e.row is None
    ]  # fmt: skip


def after_sending(s: Session, button: Element, label: Inline) -> Script:
    """After a form was sent: put errors beside unmentioned fields right, once."""
    if not _sends(button) or (button.dialog is not None and s.dialog != button.dialog):
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
    """Press the main button of a dialog that the text filled in and left open."""
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

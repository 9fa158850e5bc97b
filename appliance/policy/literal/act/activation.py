"""Using the control that a label means: unlocking it, clicking it, and what comes of that."""

from appliance.core.page import Element, TextKind
from appliance.core.procedure import Inline
from appliance.core.verdict import DivergenceKind, Severity, StepStatus
from appliance.language import nouns
from appliance.language.names import same
from appliance.policy.literal.act import sending
from appliance.policy.literal.act.rows import tick_row
from appliance.policy.literal.act.tooltips import open_by_hovering
from appliance.policy.literal.match.grounding import (
    FIELDS,
    NAV_NOUNS,
    TEXTUAL,
    TOGGLES,
    Match,
    is_enabled,
    is_search,
    match_clickable,
    text_shown,
)
from appliance.policy.literal.match.pages import is_unchanged
from appliance.policy.literal.match.standing import check_heading
from appliance.policy.literal.read.intents import Intent
from appliance.policy.literal.session import Script, ScriptOf, Session


def _wait_until_enabled(
    s: Session, intent: Intent, label: Inline, element: Element
) -> ScriptOf[Element]:
    """Do what a greyed-out control waits for; report it if it stays greyed out."""
    if not is_enabled(element) and s.row:
        yield from tick_row(s)
        again = match_clickable(s.view, element.name, noun=intent.noun)
        element = again.element if again else element
    if not is_enabled(element):
        yield from sending.unlock(s, element, label)
        element = s.view.element(element.id) or element
    if not is_enabled(element) and (unread := s.last_unread_step()):
        # it may wait for what that step does
        s.lose("was not understood", unread)
        s.report_unreached()
    elif not is_enabled(element):
        message = f'"{element.name}" is greyed out'
        # it may wait for a failed step, a refused value, or an empty field
        if not (s.has_strayed or s.is_unsure_of_entry or _may_wait_for_entry(s, element)):
            s.diverge(
                DivergenceKind.MISSING_CONTROL, label, message,
                severity=Severity.BREAKS, box=element.box,
            )  # fmt: skip
        s.report_stuck(message)
    return element


def _may_wait_for_entry(s: Session, button: Element) -> bool:
    """Whether the form that the button sends has an empty field, or nothing was entered yet."""
    fields = [
        e
        for e in s.view.elements
        if e.dialog == button.dialog and (e.dialog is not None or e.region == button.region)
        and e.role in FIELDS
        and e.role not in TOGGLES and e.row is None and is_enabled(e) and not is_search(e)
    ]  # fmt: skip
    is_unfilled = button.dialog is not None and any(not e.value for e in fields)
    return is_unfilled or (bool(fields) and not s.values.assigned)


def activate(s: Session, intent: Intent, label: Inline, match: Match) -> Script:
    """Click the control, unless it is already in the state that the text wants."""
    element = match.element
    if not is_enabled(element) and s.lost is not None:
        s.report_unreached()
        return
    s.note_match(label.text, element)
    element = yield from _wait_until_enabled(s, intent, label, element)
    if not is_enabled(element):
        return
    if element.region == "navigation" and element.dialog is None:
        check_heading(s, intent, label, element)
        s.nav_entry = element
        s.row = ""
    if _is_open(element, intent):
        s.report(StepStatus.AS_WRITTEN, f'"{element.name}" is already open')
        return
    errors = sending.shown_errors(s)
    if element.role in TOGGLES:
        result = yield from s.check(element, checked=True, thought=f'choose "{element.name}"')
    elif element.role in TEXTUAL | {"combobox"} and intent.noun in nouns.TEXT_FIELDS.both:
        result = yield from s.click(element, f'go into "{element.name}"')
    else:
        yield from sending.prepare_to_send(s, element, label)
        element = s.view.element(element.id) or element
        result = yield from s.click(element, f'click "{element.name}"', intent.gesture)
    if not result.ok:
        s.report_stuck(result.error)
        return
    s.report(StepStatus.AS_WRITTEN)
    yield from _check_that_it_led_somewhere(s, intent, element)
    if sending.report_refusal(s, element, label, errors):
        return
    leads = element.role in ("link", "menuitem", "tab") or s.view.url != s.before.url
    if leads and not element.is_submit and (yield from sending.report_dead_link(s, element, label)):
        return
    yield from sending.correct_refused_fields(s, element, label)


def _check_that_it_led_somewhere(s: Session, intent: Intent, element: Element) -> Script:
    """Lose the way where a click on a tab or navigation entry has changed nothing on the page."""
    yield from open_by_hovering(s, element)
    leads = element.role == "tab" or element.region == "navigation" or intent.noun in NAV_NOUNS
    if not leads or {"selected", "current"} & element.states or same(element.name, s.view.title):
        return
    if text_shown(s.view, element.name, frozenset({TextKind.HEADING})):
        return
    if is_unchanged(s.before, s.view):
        yield from s.wait(0.8, f'wait for what "{element.name}" shows')
        if is_unchanged(s.before, s.view):
            s.lose(f'changed nothing: after a click on "{element.name}" the page is as it was')


def _is_open(e: Element, intent: Intent) -> bool:
    """Whether it is expanded or selected already: a click would close it, or change nothing."""
    if "haspopup" in e.states or e.role in TOGGLES or e.role == "combobox":
        return False
    if "expanded" in e.states:
        return True
    is_tab = e.role == "tab" or e.dialog is not None
    return bool({"selected", "current"} & e.states) and intent.noun in NAV_NOUNS and is_tab

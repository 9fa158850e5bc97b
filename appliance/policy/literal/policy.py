"""The literal policy's main loop: one intent after the other, careful and unforgiving."""

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import chain

from appliance.core import actions
from appliance.core.errors import PolicyError
from appliance.core.page import Element, Observation, Performed
from appliance.core.verdict import Basis, DivergenceKind, PolicyName, Severity, StepStatus
from appliance.language.names import compare, same
from appliance.policy.base import Decision, Task
from appliance.policy.literal.act import (
    beginning,
    choices,
    claims,
    conditions,
    defaults,
    dialogs,
    entries,
    fields,
    gestures,
    icons,
    navigate,
    order,
    pairs,
    rows,
    sending,
    unnamed,
)
from appliance.policy.literal.act.interruptions import Interruptions
from appliance.policy.literal.match.grounding import find_submit_button, is_answer, is_field
from appliance.policy.literal.read.english_places import split_list
from appliance.policy.literal.read.intents import EDIT, RELOAD, Intent, IntentKind
from appliance.policy.literal.read.reading import read_procedure
from appliance.policy.literal.read.stated import path_remarks, position_remarks
from appliance.policy.literal.read.subjects import field_facts
from appliance.policy.literal.read.whereabouts import says_dialog
from appliance.policy.literal.session import Script, Session

K = IntentKind


class LiteralPolicy:
    """Reads the procedure once and carries it out; reports inexact matches as divergences."""

    name = PolicyName.LITERAL

    def __init__(self, task: Task, plan: tuple[Intent, ...] | None = None) -> None:
        """Nothing is done yet.

        Args:
            task: What to do.
            plan: The instructions to carry out, where they are not all that the procedure has.
        """
        self._session = Session(task)
        self._interruptions = Interruptions(self._session)
        plan = read_procedure(task.procedure) if plan is None else plan
        self._session.plan = self._session.upcoming = plan
        self._session.remarks = tuple(chain(*position_remarks(task.procedure, plan).values()))
        self._session.menu_paths = path_remarks(task.procedure, plan)
        for fact in field_facts(task.procedure, plan):
            self._session.facts.setdefault(fact.subject, []).append(fact)
        self._script = _carry_out(self._session, plan)

    async def choose(self, view: Observation, last: Performed | None) -> Decision:
        """The next action on the page as it is now."""
        if (closing := self._interruptions.clear(view, last)) is not None:
            return closing
        again, last = self._interruptions.resume(view, last)
        if again is not None:
            return self._interruptions.remember(again)
        self._session.take_in(view, last)
        try:
            return self._interruptions.remember(next(self._script))
        except StopIteration:
            raise PolicyError("the literal policy was asked again after it had finished") from None


_SUGGESTED = re.compile(
    r"\byou (?:can|could|may) (?!also\b|only\b|now\b)(?:[^.;]*?, )?(?:simply |just |then )?"
    r"(?P<what>(?:click|press|open|expand|switch to|choose|select) [^.,;:]{3,60})",
    re.IGNORECASE,
)
_DONE_BEFORE = "done by the appliance before the attempt"


def _carry_out(s: Session, plan: tuple[Intent, ...]) -> Script:
    """Carry out the whole procedure."""
    steps = list(plan)
    if plan and s.may_be_elsewhere and not (yield from beginning.go_to_beginning(s, plan)):
        yield s.make_decision(
            actions.Complete(seen=""), "several pages fit what the text begins with"
        )
        return
    for n, _ in enumerate(steps):
        order.follow_wizard(s, steps, n)
        order.follow_fields(s, steps, n)
        intent = steps[n]
        s.upcoming = tuple(steps[n:])
        s.step, s.sentence = intent.step, intent.sentence
        s.look_around(intent)
        yield from _answer_unmentioned_question(s, intent, tuple(steps[:n]))
        s.begin()
        yield from _carry_out_intent(s, intent)
        s.settle(intent)
    if plan:
        yield from _answer_unmentioned_question(s, None, plan)
        if s.dialog is not None and s.clicked is not None and s.clicked.dialog is not None:
            yield from s.wait(0.8, "wait for the dialog to close")
        yield from sending.finish_dialog(s, plan[-1].sentence)
        yield from sending.finish_form(s, plan[-1].sentence)
    yield s.make_decision(actions.Complete(seen=_final_words(s)), "the text ends here")


def _final_words(s: Session) -> str:
    """The last messages on the page, else its title, for the report."""
    notices = "; ".join(n.text for n in s.notices[-3:])
    return notices or s.view.title


def _carry_out_intent(s: Session, intent: Intent) -> Script:
    """Carry out one intent."""
    match intent.kind:
        case K.LOG_IN | K.SWITCH_PROJECT:
            s.report(StepStatus.AS_WRITTEN, _DONE_BEFORE, is_seen=False)
        case K.EXTERNAL:
            s.report(StepStatus.SKIPPED, "done outside the console")
        case K.INFORM:
            defaults.check_unnamed_default(s, intent.sentence)
            if offer := _SUGGESTED.search(intent.sentence.text):
                s.leave_out(offer["what"])  # later steps may depend on it
        case K.WAIT:
            yield from _wait(s, intent)
        case K.UNCLEAR if intent.noun == EDIT:
            yield from _edit(s, intent)
        case K.UNCLEAR:
            yield from _carry_out_unclear(s, intent)
        case _ if intent.is_conditional and not _condition_holds(s, intent):
            conditions.check_presence(s, intent)
            s.report(StepStatus.SKIPPED, "its condition is not given")
        case K.TICK | K.UNTICK:
            yield from choices.tick(s, intent, checked=intent.kind is K.TICK)
        case _:
            yield from _ACTIONS[intent.kind](s, intent)


def _edit(s: Session, intent: Intent) -> Script:
    """Edit what is named: a field, parts of the form, or a thing with a form of its own."""
    if fields.is_in_form(s, intent.thing):
        yield from fields.fill(s, replace(intent, kind=K.FILL))
    elif parts := _shown_things(s, intent):
        note = f"the form has {', '.join(parts)}; the text leaves open what to set"
        s.report(StepStatus.AS_WRITTEN, note, is_seen=False)
    elif s.values.row_key(intent.thing):
        yield from rows.edit(s, intent)
    else:
        yield from _carry_out_unclear(s, intent)


_ACTIONS: dict[IntentKind, Callable[[Session, Intent], Script]] = {
    K.OPEN: navigate.open_label,
    K.OPEN_MENU: icons.open_menu,
    K.PICK: rows.pick,
    K.FOLLOW: rows.follow,
    K.CONFIRM: dialogs.confirm,
    K.CLOSE: dialogs.close,
    K.FILL: fields.fill,
    K.CHOOSE: navigate.choose,
    K.UPLOAD: choices.upload,
    K.MOVE: choices.move,
    K.PRESS: gestures.press,
    K.DRAG: gestures.drag,
    K.FORM: gestures.fill_form,
    K.REPEAT: gestures.repeat,
    K.VISIT: navigate.visit,
    K.FIELD: entries.check_entry,
    K.SET_PAIR: pairs.set_pair,
    K.EXPECT_OPEN: claims.expect_open,
    K.EXPECT_TEXT: claims.expect_text,
    K.EXPECT_DEFAULT: claims.expect_default,
    K.EXPECT_FIELD: claims.expect_field,
}


def _wait(s: Session, intent: Intent) -> Script:
    """Wait, or load the page once more."""
    if intent.noun == RELOAD:
        yield from s.act(actions.OpenUrl(s.view.url), "load the page once more")
    else:
        yield from s.wait(2.0, "the text says to wait")
    s.report(StepStatus.AS_WRITTEN, is_seen=False)


def _shown_things(s: Session, intent: Intent) -> list[str]:
    """The things that the form shows, of those that may be left alone ("Configure X, Y and Z")."""
    return fields.parts_shown(s, split_list(intent.thing) or [intent.thing])


def _carry_out_unclear(s: Session, intent: Intent) -> Script:
    """Do what names no control, if one control does it; else report it as not understood.

    What the reader does not understand is never the console's fault.
    """
    if s.lost is not None:
        s.report_unreached()
    elif intent.is_optional or intent.is_conditional:
        s.leave_out(intent.thing)
    elif not (yield from unnamed.carry_out(s, intent)):
        s.skip(f'not understood: "{intent.thing or intent.sentence.text}"')
        # the next step may begin where this one, or the procedure that it refers to, leads
        is_elsewhere = intent.noun == "elsewhere"
        s.lose("refers to another procedure" if is_elsewhere else "was not understood")


def _condition_holds(s: Session, intent: Intent) -> bool:
    """Whether a conditional instruction is carried out: the page says so, or else a binding."""
    answer = conditions.holds(s, intent)
    if answer is None:
        return _is_bound(s, intent) or conditions.is_for_the_reader(intent)
    return answer


def _is_bound(s: Session, intent: Intent) -> bool:
    label = intent.label or intent.place.field
    return label is not None and s.values.bound_to(label.text) is not None


def _answer_unmentioned_question(
    s: Session, intent: Intent | None, past: tuple[Intent, ...]
) -> Script:
    """Answer a question that the text does not mention ("Are you sure?"), and report the gap."""
    if s.dialog is None or s.lost is not None or _is_for_dialog(s, intent):
        return
    last_intent = past[-1] if past else None
    button = find_submit_button(s.view)
    is_form = any(
        is_field(e) and e.dialog is not None and "required" in e.states and not e.value
        for e in s.view.elements
    ) or sending.is_unfilled(s)
    if (
        button is None
        or last_intent is None
        or last_intent.kind not in (K.OPEN, K.PICK, K.TICK, K.UNTICK)
        or is_form
        or s.dialog in s.touched_forms
        or _is_mentioned_soon(s, button)
    ):
        return
    if any(same(s.dialog or "", i.label.text) for i in past if i.kind is K.EXPECT_OPEN and i.label):
        return
    s.diverge(
        DivergenceKind.MISSING_STEP,
        last_intent.label or last_intent.sentence,
        f'the console asks "{s.dialog}"; "{button.name}" must be clicked to go on',
        severity=Severity.MISLEADS,
        basis=Basis.REQUIRED,
        box=button.box,
    )
    yield from s.click(button, f'answer "{s.dialog}" with "{button.name}"')


def _is_mentioned_soon(s: Session, button: Element) -> bool:
    """Whether the text goes on to something in the dialog, or soon to its button."""
    dialog_names = [e.name for e in s.view.elements if e.dialog == s.dialog and e.id != button.id]
    later_labels = (marked for i in s.upcoming for marked in (i.label, i.place.field))
    steps = list(dict.fromkeys(i.step for i in s.upcoming))[:2]
    soon_labels = (i.label for i in s.upcoming if i.step in steps and i.label is not None)
    return any(same(label.text, button.name) for label in soon_labels) or any(
        marked is not None and any(same(marked.text, name) for name in dialog_names)
        for marked in later_labels
    )


def _is_for_dialog(s: Session, intent: Intent | None) -> bool:
    """Whether the intent is about something in the dialog, or about the dialog itself."""
    if intent is None:
        return False
    if intent.kind in (
        K.CONFIRM,
        K.CLOSE,
        K.EXPECT_OPEN,
        K.EXPECT_FIELD,
        K.FIELD,
        K.FILL,
        K.CHOOSE,
        K.PICK,
        K.TICK,
        K.UNTICK,
        K.UPLOAD,
        K.INFORM,
        K.MOVE,
        K.PRESS,
        K.DRAG,
        K.FORM,
        K.REPEAT,
        K.SET_PAIR,
        K.UNCLEAR,
    ):
        return True
    label = intent.label
    if label is None:
        return False
    elements = [e for e in s.view.elements if e.dialog is not None or e.region == "menu"]
    return (
        says_dialog(intent)
        or is_answer(label.text)
        or any(compare(label.text, e.name) is not None for e in elements)
    )

"""What the text says the console shows: dialogs, messages, states, defaults."""

import re
from dataclasses import replace

from appliance.core.page import TextBlock, TextKind
from appliance.core.procedure import Inline, InlineRole, Sentence
from appliance.core.verdict import Basis, DivergenceKind, Severity, StepStatus
from appliance.language import nouns
from appliance.language.names import compare, plain, same
from appliance.policy.literal.act.columns import no_column
from appliance.policy.literal.act.defaults import another_default, is_default, is_making
from appliance.policy.literal.act.fields import find_field
from appliance.policy.literal.act.limits import hold_facts
from appliance.policy.literal.act.notes import offers
from appliance.policy.literal.act.unfolding import bring_out
from appliance.policy.literal.match.grounding import (
    Match,
    match_clickable,
    match_field,
    text_containing,
    text_shown,
)
from appliance.policy.literal.match.pages import column_shown, current_step, wizard_steps
from appliance.policy.literal.read.english_claims import SHOWS
from appliance.policy.literal.read.intents import Intent, IntentKind
from appliance.policy.literal.session import Script, Session

_DIALOG_NOUNS = nouns.DIALOGS.both
_TITLES = frozenset({TextKind.HEADING, TextKind.DIALOG_TITLE})
_OPTIONS = re.compile(
    r"\b(?:choices|options) are\b|\bchoose (?:from|between)\b|可选(?:值|项)(?:为|有|包括)", re.I
)
_WAIT_S = 2.0
_GLANCE_S = 0.5


_IN_FORMS = frozenset({IntentKind.FILL, IntentKind.CHOOSE, IntentKind.FIELD, IntentKind.TICK})


_ALTERNATIVES = re.compile(r"[\s,.、，。;；]*(?:(?:\bor\b|或者?)[\s,.、，。;；]*)+")


def options_claimed(sentence: Sentence) -> list[Inline]:
    """The options that a sentence lists ("Your choices are A and B", or just "`A` or `B`.")."""
    named = [i for i in sentence.inlines if i.role in (InlineRole.LITERAL, InlineRole.UI_LABEL)]
    if announced := _OPTIONS.search(sentence.text):
        return [i for i in named if i.start >= announced.start()]
    ends = [0, *(i.end for i in named)]
    starts = [*(i.start for i in named), len(sentence.text)]
    between = " ".join(sentence.text[a:b] for a, b in zip(ends, starts, strict=True))
    return named if len(named) > 1 and _ALTERNATIVES.fullmatch(between) else []


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
    elif intent.thing == SHOWS and s.lost is None and not _is_new_or_near(s, label):
        s.report(StepStatus.AS_WRITTEN, f'"{label.text}" is not open', is_seen=False)
    elif s.dialog is not None and (
        intent.noun in _DIALOG_NOUNS | {""} or _is_over_the_page(s, intent.noun, label)
    ):
        _other_title(s, label)
    elif intent.noun not in _DIALOG_NOUNS and intent.noun:
        yield from _page_of(s, intent, label)
    elif s.lost is not None:
        s.unreached()
    elif s.before.dialogs and intent.noun in _DIALOG_NOUNS:
        yield from _after_another(s, label)
    elif s.has_new_fields():
        shown = "a form is open, though not as a dialog of that title"
        s.report(StepStatus.AS_WRITTEN, shown, is_seen=False)
    else:
        shown = f'no dialog "{label.text}" opened'
        s.diverge(DivergenceKind.WRONG_RESULT, label, shown, basis=Basis.UNSEEN)
        s.stuck(shown)


def _after_another(s: Session, label: Inline) -> Script:
    """The click has closed a dialog: another one may follow it, when the answer has come."""
    for _ in range(_LOOKS):
        if s.dialog is not None or text_containing(s.view, label.text):
            break
        yield from s.wait(_GLANCE_S, f'wait for "{label.text}"')
    if _has_title(s, label.text):
        s.report(StepStatus.AS_WRITTEN)
    elif s.dialog is not None:
        _other_title(s, label)
    elif text_containing(s.view, label.text):
        s.report(StepStatus.AS_WRITTEN, f'"{label.text}" is shown', is_seen=False)
    else:
        s.diverge(
            DivergenceKind.WRONG_RESULT,
            label,
            f'no dialog "{label.text}" opened',
            basis=Basis.UNSEEN,
        )


_LOOKS = 4


def _has_title(s: Session, title: str) -> bool:
    if any(same(title, d) for d in s.view.dialogs) or same(title, s.view.title):
        return True
    if text_shown(s.view, title, _TITLES):
        return True
    return any(
        plain(title) == plain(t.text.split(":")[0]) for t in s.view.texts if t.kind in _TITLES
    )


def _is_new_or_near(s: Session, label: Inline) -> bool:
    """Whether a dialog is open that the last click has opened, or that is called much the same."""
    if s.dialog is None:
        return False
    return s.dialog not in s.before.dialogs or compare(label.text, s.dialog) is not None


def _is_over_the_page(s: Session, noun: str, label: Inline) -> bool:
    """Whether a panel is what the last click has opened: it is no part of it by that name.

    A button of that name is none: the panel is as often called like what opens or ends it.
    """
    is_new = s.dialog not in s.before.dialogs
    inside = [e for e in s.view.elements if e.dialog is not None]
    parts = [t for e in inside for t in (e.section, e.group, e.name if e.role == "tab" else None)]
    texts = [plain(t.text) for t in s.view.texts if t.dialog is not None]
    is_part = any(same(label.text, t) for t in parts if t) or any(
        plain(label.text) in text for text in texts
    )
    return is_new and noun in nouns.OVER_THE_PAGE.both and not is_part


def _other_title(s: Session, label: Inline) -> None:
    """Some other dialog is open: near enough, it is the one meant."""
    title = s.dialog or ""
    how = compare(label.text, title)
    if title and how is not None:
        s.found()
        s.diverge(
            DivergenceKind.RENAMED_LABEL, label, f'the dialog is titled "{title}"',
            suggestion=_without_names(s, title), basis=Basis.ALIKE,
            severity=Severity.COSMETIC if how.is_small else Severity.MISLEADS,
        )  # fmt: skip
    elif s.lost is not None:
        s.unreached()
    elif title:  # what the click has opened is the dialog meant, whatever it is called
        s.found()
        s.diverge(
            DivergenceKind.RENAMED_LABEL, label, f'the dialog is titled "{title}"',
            suggestion=_without_names(s, title), basis=Basis.PLACE,
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
    there = match_clickable(s.view, label.text, noun="tab")
    if (
        there is not None
        and (there.element.role == "tab" or there.element.dialog is not None)
        and there.element.region != "navigation"
        and not there.element.is_submit  # a form may be sent by what it is called
    ):
        if not {"selected", "current"} & there.element.states:
            yield from s.click(there.element, f'go to "{label.text}"')
        s.found()
    elif s.lost is not None:
        s.unreached()
        return
    elif intent.noun in nouns.STEPS.both and _step_is_called_otherwise(s, label):
        return
    s.report(StepStatus.AS_WRITTEN, is_seen=there is not None)


def _step_is_called_otherwise(s: Session, label: Inline) -> bool:
    """Whether the wizard names its steps, and none of them so: the open one is meant."""
    current = current_step(s.view)
    known = (compare(label.text, name) for name in wizard_steps(s.view))
    if current is None or any(how is not None for how in known):
        return False
    s.diverge(
        DivergenceKind.RENAMED_LABEL, label, f'the step is called "{current}"',
        suggestion=current, basis=Basis.PLACE,
    )  # fmt: skip
    return True


def expect_text(s: Session, intent: Intent) -> Script:
    """A message or state is shown; states may take their time to settle."""
    label = intent.label
    assert label is not None  # noqa: S101 - an EXPECT_TEXT has a label
    if s.lost is not None:
        s.unreached()
        return
    if intent.noun != "message":
        yield from bring_out(s, s.values.row(intent.thing) or s.row)
    next_state = _next_state(s, intent)
    if next_state is not None:
        yield from _passing(s, intent, label, next_state)
        return
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
    yield from _not_shown(s, intent, label)


def _next_state(s: Session, intent: Intent) -> Inline | None:
    """The state that the text says comes after this one: then this one may pass quickly."""
    following = s.upcoming[1] if len(s.upcoming) > 1 else None
    is_next = (
        intent.noun == "status"
        and following is not None
        and following.kind is IntentKind.EXPECT_TEXT
        and following.noun == "status"
        and following.step == intent.step
    )
    return following.label if is_next and following is not None else None


def _passing(s: Session, intent: Intent, label: Inline, next_state: Inline) -> Script:
    """A state that gives way to another: watched for from the click on."""
    waited = 0.0
    until = replace(intent, label=next_state)
    while waited < s.task.patience_s:
        if _was_shown(s, intent, label) or _is_shown(s, until, next_state):
            break
        yield from s.wait(_GLANCE_S, f'watch for "{label.text}"')
        waited += _GLANCE_S
    is_seen = _was_shown(s, intent, label)
    note = f'"{label.text}" {"was shown" if is_seen else "was not seen, and may have passed"}'
    s.report(StepStatus.AS_WRITTEN, note, is_seen=is_seen)


def _was_shown(s: Session, intent: Intent, label: Inline) -> bool:
    """Whether the row has come to show it since the last click."""
    keys = [k for k in (s.values.row(intent.thing), s.row) if k]
    wanted = plain(label.text)
    before = {t.row for t in s.before.texts}
    if not any(k in row for row in s.rows_shown for k in keys):  # its own page, not a list
        return bool(text_shown(s.view, label.text)) and not text_shown(s.before, label.text)
    return any(
        any(k in row for k in keys) and wanted in map(plain, row.split(" | "))
        for row in s.rows_shown - before
    )


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
    if intent.place.column is not None:
        return any(_is_in_column(t, intent.place.column) and wanted == plain(t.text) for t in rows)
    if holding := [t.text for t in rows if _says(wanted, t.text)]:
        return any(_begins(wanted, cell) for cell in holding)
    if rows:
        return any(_says(wanted, t.row or "") for t in rows)
    return text_containing(s.view, label.text) is not None


def _says(wanted: str, row: str) -> bool:
    """Whether the row has these words, as words: what is inactive is not active."""
    edges = (r"(?<![a-z0-9])", r"(?![a-z0-9])")
    return re.search(f"{edges[0]}{re.escape(wanted)}{edges[1]}", plain(row)) is not None


def _begins(wanted: str, cell: str) -> bool:
    """Whether a cell says it first: "Paused by Ann" is paused, "Not paused" is another state."""
    if not wanted.isascii():
        return True
    said = plain(cell).rpartition(": ")[2]
    return re.match(rf"[^a-z0-9]*{re.escape(wanted)}(?![a-z0-9])", said) is not None


def _is_in_column(t: TextBlock, column: Inline) -> bool:
    return t.column is not None and same(column.text, t.column)


def _not_shown(s: Session, intent: Intent, label: Inline) -> Script:
    if intent.noun == "message":
        shown = next((n.text for n in reversed(s.notices) if n.tone != "error"), None)
        s.diverge(
            DivergenceKind.WRONG_RESULT, label,
            f'the message says "{shown}"' if shown else f'no message says "{label.text}"',
            suggestion=shown if shown and len(shown) < 120 else None,
            basis=Basis.READ if shown else Basis.UNSEEN,
        )  # fmt: skip
        return
    if (column := intent.place.column) is not None:
        yield from _not_in_column(s, column)
        return
    key = s.values.row(intent.thing) or s.row
    row = next((t.row for t in s.view.texts if t.row and key and key in t.row), None)
    if key and row is None and text_containing(s.view, key) is None:
        note = f'"{label.text}" can not be seen where nothing shows "{key}"'
        s.report(StepStatus.AS_WRITTEN, note, is_seen=False)
        return
    state = _state_of(s, key) if row else None
    s.diverge(
        DivergenceKind.WRONG_RESULT, label,
        f'the row shows "{row}"' if row else f'"{label.text}" is not shown',
        suggestion=state, basis=Basis.READ if row else Basis.UNSEEN,
    )  # fmt: skip


def _not_in_column(s: Session, column: Inline) -> Script:
    """The row is there, but not so: the column is called otherwise, or says something else."""
    if column_shown(s.view, column.text) is None:
        yield from no_column(s, column)
    else:
        s.report(StepStatus.AS_WRITTEN, f'"{column.text}" says something else', is_seen=False)


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
    match = match_field(s.view, label.text)
    if match is None or not match.how.is_strict:
        yield from _look_for(s, intent, label)
        match = match_field(s.view, label.text)
    if match is not None and match.how.is_strict:
        hold_facts(s, label.span, match.element)
    if intent.value is not None:
        yield from _expect_value(s, intent.value, match)
        return
    if intent.noun == "empty":
        _expect_empty(s, label, match)
        return
    states = match.element.states if match else frozenset()
    if match is None or not {"checked", "unchecked"} & states:
        if s.lost is not None:
            s.unreached()
        return
    is_on = s.set_by_hand.get(match.element.name, "checked" in states)
    if is_on != (intent.noun == "on"):
        s.diverge(
            DivergenceKind.CHANGED_DEFAULT, intent.sentence,
            f'"{match.element.name}" is {"on" if is_on else "off"} by default',
            box=match.element.box,
        )  # fmt: skip
    else:
        s.report(StepStatus.AS_WRITTEN)
    yield from ()


def _look_for(s: Session, intent: Intent, label: Inline) -> Script:
    """What is left as it is must be there, if the form in front is the one meant."""
    labels = [i for one in s.plan if one.kind in _IN_FORMS if (i := one.label or one.place.field)]
    others = [i for i in labels if i.span != label.span and not same(i.text, label.text)]
    is_form = any((m := match_field(s.view, i.text)) and m.how.is_strict for i in others)
    is_last = all(one.kind is not IntentKind.OPEN for one in _before(s, intent))
    if s.lost is None and is_form and is_last and not text_shown(s.view, label.text):
        yield from find_field(s, intent, label)


def _before(s: Session, intent: Intent) -> list[Intent]:
    """What the same sentence asks for before this."""
    at = s.plan.index(intent) if intent in s.plan else 0
    return [one for one in s.plan[:at] if one.sentence is intent.sentence]


def _expect_empty(s: Session, label: Inline, match: Match | None) -> None:
    """A field that may be left as it is holds nothing, and is not marked as needed."""
    element = match.element if match and match.how.is_strict else None
    if element is None or plain(element.name) in s.values.assigned:
        return
    if element.value == "" and "required" not in element.states:
        s.report(StepStatus.AS_WRITTEN, f'"{element.name}" is empty')


def _expect_value(s: Session, claim: Inline, match: Match | None) -> Script:
    """A field of something new holds what the text leaves in it."""
    element = match.element if match and match.how.is_strict and is_making(s) else None
    if element is None or element.value is None or element.role == "radio":
        return
    if plain(element.name) in s.values.assigned:
        return
    if is_default(claim, element.value):
        s.report(StepStatus.AS_WRITTEN, f'"{element.name}" is "{element.value}"')
        return
    another_default(s, claim, element)
    yield from ()


def expect_field(s: Session, intent: Intent) -> Script:
    """A field of that label is there."""
    label = intent.label
    assert label is not None  # noqa: S101 - an EXPECT_FIELD has a label
    if intent.noun == "column":
        if s.lost is not None:
            s.unreached()
        elif column_shown(s.view, label.text) is not None:
            s.report(StepStatus.AS_WRITTEN)
        else:
            yield from no_column(s, label)
        return
    match = match_field(s.view, label.text)
    if match and match.how.is_strict:
        hold_facts(s, label.span, match.element)
    if (match and match.how.is_strict) or text_shown(s.view, label.text):
        s.report(StepStatus.AS_WRITTEN)
    elif s.lost is not None:
        s.unreached()
    elif match is not None:
        s.diverge(
            DivergenceKind.RENAMED_LABEL, label, f'the field is called "{match.element.name}"',
            suggestion=match.element.name, basis=Basis.ALIKE, box=match.element.box,
        )  # fmt: skip
    else:
        s.diverge(
            DivergenceKind.MISSING_CONTROL, label,
            f'{s.describe_place()} has no field "{label.text}"{offers(s)}', basis=Basis.ABSENT,
        )  # fmt: skip
    yield from ()

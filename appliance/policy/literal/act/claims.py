"""What the text says the console shows: dialogs, messages, states, defaults."""

import re
from dataclasses import replace

from appliance.core.page import TextBlock, TextKind
from appliance.core.procedure import Inline, InlineRole, Sentence
from appliance.core.verdict import Basis, DivergenceKind, Severity, StepStatus
from appliance.language import nouns
from appliance.language.names import compare, plain, same
from appliance.policy.literal.act.columns import report_missing_column
from appliance.policy.literal.act.defaults import another_default, is_default, is_making
from appliance.policy.literal.act.fields import find_field
from appliance.policy.literal.act.limits import check_facts
from appliance.policy.literal.act.notes import list_fields
from appliance.policy.literal.act.unfolding import reveal_row
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
    labels = [i for i in sentence.inlines if i.role in (InlineRole.LITERAL, InlineRole.UI_LABEL)]
    if announced := _OPTIONS.search(sentence.text):
        return [i for i in labels if i.start >= announced.start()]
    ends = [0, *(i.end for i in labels)]
    starts = [*(i.start for i in labels), len(sentence.text)]
    between = " ".join(sentence.text[a:b] for a, b in zip(ends, starts, strict=True))
    return labels if len(labels) > 1 and _ALTERNATIVES.fullmatch(between) else []


def expect_open(s: Session, intent: Intent) -> Script:
    """Check that a dialog or page of that title is open."""
    label = intent.label
    assert label is not None  # noqa: S101 - an EXPECT_OPEN has a label
    if not _has_title(s, label.text):
        yield from s.wait(0.5, f'wait for "{label.text}"')
    if _has_title(s, label.text):
        s.confirm_place()
        s.report(StepStatus.AS_WRITTEN)
    elif intent.is_optional or intent.is_conditional:
        s.report(StepStatus.SKIPPED)
    elif intent.thing == SHOWS and s.lost is None and not _is_new_or_near(s, label):
        s.report(StepStatus.AS_WRITTEN, f'"{label.text}" is not open', is_seen=False)
    elif s.dialog is not None and (
        intent.noun in _DIALOG_NOUNS | {""} or _is_over_the_page(s, intent.noun, label)
    ):
        _report_other_title(s, label)
    elif intent.noun not in _DIALOG_NOUNS and intent.noun:
        yield from _open_page_or_step(s, intent, label)
    elif s.lost is not None:
        s.report_unreached()
    elif s.before.dialogs and intent.noun in _DIALOG_NOUNS:
        yield from _expect_following_dialog(s, label)
    elif s.has_new_fields():
        message = "a form is open, though not as a dialog of that title"
        s.report(StepStatus.AS_WRITTEN, message, is_seen=False)
    else:
        message = f'no dialog "{label.text}" opened'
        s.diverge(DivergenceKind.WRONG_RESULT, label, message, basis=Basis.UNSEEN)
        s.report_stuck(message)


def _expect_following_dialog(s: Session, label: Inline) -> Script:
    """Wait for a dialog that follows the one which the click has closed."""
    for _ in range(_MAX_LOOKS):
        if s.dialog is not None or text_containing(s.view, label.text):
            break
        yield from s.wait(_GLANCE_S, f'wait for "{label.text}"')
    if _has_title(s, label.text):
        s.report(StepStatus.AS_WRITTEN)
    elif s.dialog is not None:
        _report_other_title(s, label)
    elif text_containing(s.view, label.text):
        s.report(StepStatus.AS_WRITTEN, f'"{label.text}" is shown', is_seen=False)
    else:
        s.diverge(
            DivergenceKind.WRONG_RESULT,
            label,
            f'no dialog "{label.text}" opened',
            basis=Basis.UNSEEN,
        )


_MAX_LOOKS = 4


def _has_title(s: Session, title: str) -> bool:
    if any(same(title, d) for d in s.view.dialogs) or same(title, s.view.title):
        return True
    if text_shown(s.view, title, _TITLES):
        return True
    return any(
        plain(title) == plain(t.text.split(":")[0]) for t in s.view.texts if t.kind in _TITLES
    )


def _is_new_or_near(s: Session, label: Inline) -> bool:
    """Whether the last click opened the dialog, or its title resembles the label."""
    if s.dialog is None:
        return False
    return s.dialog not in s.before.dialogs or compare(label.text, s.dialog) is not None


def _is_over_the_page(s: Session, noun: str, label: Inline) -> bool:
    """Whether the last click opened a panel that has no part of that name.

    A button of that name is no such part: panels are often called like their buttons.
    """
    is_new = s.dialog not in s.before.dialogs
    dialog_elements = [e for e in s.view.elements if e.dialog is not None]
    parts = [
        t
        for e in dialog_elements
        for t in (e.section, e.group, e.name if e.role == "tab" else None)
    ]
    texts = [plain(t.text) for t in s.view.texts if t.dialog is not None]
    is_part = any(same(label.text, t) for t in parts if t) or any(
        plain(label.text) in text for text in texts
    )
    return is_new and noun in nouns.OVER_THE_PAGE.both and not is_part


def _report_other_title(s: Session, label: Inline) -> None:
    """Take another open dialog for the one meant, and report its title."""
    title = s.dialog or ""
    how = compare(label.text, title)
    if title and how is not None:
        s.confirm_place()
        s.diverge(
            DivergenceKind.RENAMED_LABEL, label, f'the dialog is titled "{title}"',
            suggestion=_without_names(s, title), basis=Basis.ALIKE,
            severity=Severity.COSMETIC if how.is_small else Severity.MISLEADS,
        )  # fmt: skip
    elif s.lost is not None:
        s.report_unreached()
    elif title:  # the dialog that the click has opened is meant, whatever its title
        s.confirm_place()
        s.diverge(
            DivergenceKind.RENAMED_LABEL, label, f'the dialog is titled "{title}"',
            suggestion=_without_names(s, title), basis=Basis.PLACE,
        )  # fmt: skip
    else:
        s.report(StepStatus.AS_WRITTEN, "the dialog has no title", is_seen=False)


def _without_names(s: Session, title: str) -> str | None:
    """The title without names of things: "Edit File", not "Edit File: docs-4f2a91.txt"."""
    if not any(value and value in title for value in s.values.all_values()):
        return title
    head = title.split(":")[0].strip()
    return None if any(value in head for value in s.values.all_values() if value) else head


def _open_page_or_step(s: Session, intent: Intent, label: Inline) -> Script:
    """Open a wizard's step or a tab ("On the X page"); a page may have another title."""
    match = match_clickable(s.view, label.text, noun="tab")
    if (
        match is not None
        and (match.element.role == "tab" or match.element.dialog is not None)
        and match.element.region != "navigation"
        and not match.element.is_submit  # a click might send a form
    ):
        if not {"selected", "current"} & match.element.states:
            yield from s.click(match.element, f'go to "{label.text}"')
        s.confirm_place()
    elif s.lost is not None:
        s.report_unreached()
        return
    elif intent.noun in nouns.STEPS.both and _step_is_called_otherwise(s, label):
        return
    s.report(StepStatus.AS_WRITTEN, is_seen=match is not None)


def _step_is_called_otherwise(s: Session, label: Inline) -> bool:
    """Whether the wizard names its steps, and none of them so; reports the open one's name."""
    current = current_step(s.view)
    matches = (compare(label.text, name) for name in wizard_steps(s.view))
    if current is None or any(how is not None for how in matches):
        return False
    s.diverge(
        DivergenceKind.RENAMED_LABEL, label, f'the step is called "{current}"',
        suggestion=current, basis=Basis.PLACE,
    )  # fmt: skip
    return True


def expect_text(s: Session, intent: Intent) -> Script:
    """Check that a message or state is shown; states may take a while to settle."""
    label = intent.label
    assert label is not None  # noqa: S101 - an EXPECT_TEXT has a label
    if s.lost is not None:
        s.report_unreached()
        return
    if intent.noun != "message":
        yield from reveal_row(s, s.values.row_key(intent.thing) or s.row)
    next_state = _next_state(s, intent)
    if next_state is not None:
        yield from _watch_passing_state(s, intent, label, next_state)
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
        s.report_unreached()
        return
    yield from _report_not_shown(s, intent, label)


def _next_state(s: Session, intent: Intent) -> Inline | None:
    """The state that the text expects after this one, which may then pass quickly."""
    next_intent = s.next_intent
    is_next = (
        intent.noun == "status"
        and next_intent is not None
        and next_intent.kind is IntentKind.EXPECT_TEXT
        and next_intent.noun == "status"
        and next_intent.step == intent.step
    )
    return next_intent.label if is_next and next_intent is not None else None


def _watch_passing_state(s: Session, intent: Intent, label: Inline, next_state: Inline) -> Script:
    """Watch for a state that gives way to another soon."""
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
    """Whether the row has shown the state at any time since the last click."""
    row_keys = [key for key in (s.values.row_key(intent.thing), s.row) if key]
    state = plain(label.text)
    rows_before = {t.row for t in s.before.texts}
    if not any(key in row for row in s.rows_shown for key in row_keys):  # not in a list
        return bool(text_shown(s.view, label.text)) and not text_shown(s.before, label.text)
    return any(
        any(key in row for key in row_keys) and state in map(plain, row.split(" | "))
        for row in s.rows_shown - rows_before
    )


def _is_shown(s: Session, intent: Intent, label: Inline) -> bool:
    state = plain(label.text)
    if intent.noun == "message":
        return (
            any(state in plain(n.text) for n in s.notices)
            or text_containing(s.view, label.text) is not None
        )
    rows = [t for t in s.view.texts if t.row and s.row and s.row in t.row]
    row_key = s.values.row_key(intent.thing)
    rows += [t for t in s.view.texts if t.row and row_key and row_key in t.row]
    if intent.place.column is not None:
        return any(_is_in_column(t, intent.place.column) and state == plain(t.text) for t in rows)
    if cells := [t.text for t in rows if _has_as_words(state, t.text)]:
        return any(_begins_with(state, cell) for cell in cells)
    if rows:
        return any(_has_as_words(state, t.row or "") for t in rows)
    return text_containing(s.view, label.text) is not None


def _has_as_words(state: str, row: str) -> bool:
    """Whether the row has these words as whole words: "inactive" is not "active"."""
    edges = (r"(?<![a-z0-9])", r"(?![a-z0-9])")
    return re.search(f"{edges[0]}{re.escape(state)}{edges[1]}", plain(row)) is not None


def _begins_with(state: str, cell: str) -> bool:
    """Whether a cell begins with the state: "Paused by Ann" is paused, "Not paused" is not."""
    if not state.isascii():
        return True
    cell_text = plain(cell).rpartition(": ")[2]
    return re.match(rf"[^a-z0-9]*{re.escape(state)}(?![a-z0-9])", cell_text) is not None


def _is_in_column(t: TextBlock, column: Inline) -> bool:
    return t.column is not None and same(column.text, t.column)


def _report_not_shown(s: Session, intent: Intent, label: Inline) -> Script:
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
        yield from _report_not_in_column(s, column)
        return
    row_key = s.values.row_key(intent.thing) or s.row
    row = next((t.row for t in s.view.texts if t.row and row_key and row_key in t.row), None)
    if row_key and row is None and text_containing(s.view, row_key) is None:
        note = f'"{label.text}" can not be seen where nothing shows "{row_key}"'
        s.report(StepStatus.AS_WRITTEN, note, is_seen=False)
        return
    state = _state_of(s, row_key) if row else None
    s.diverge(
        DivergenceKind.WRONG_RESULT, label,
        f'the row shows "{row}"' if row else f'"{label.text}" is not shown',
        suggestion=state, basis=Basis.READ if row else Basis.UNSEEN,
    )  # fmt: skip


def _report_not_in_column(s: Session, column: Inline) -> Script:
    """The row lacks the text: report a missing column, or else that it shows something else."""
    if column_shown(s.view, column.text) is None:
        yield from report_missing_column(s, column)
    else:
        s.report(StepStatus.AS_WRITTEN, f'"{column.text}" says something else', is_seen=False)


def _state_of(s: Session, key: str) -> str | None:
    """The text of the row's status column."""
    for t in s.view.texts:
        if t.row and key in t.row and t.column and re.search(r"status|state|状态", t.column, re.I):
            return t.text
    return None


def expect_default(s: Session, intent: Intent) -> Script:
    """Check that a field holds, or a check box has, what the text calls its default."""
    label = intent.label
    assert label is not None  # noqa: S101 - an EXPECT_DEFAULT has a label
    match = match_field(s.view, label.text)
    if match is None or not match.how.is_strict:
        yield from _require_field(s, intent, label)
        match = match_field(s.view, label.text)
    if match is not None and match.how.is_strict:
        check_facts(s, label.span, match.element)
    if intent.value is not None:
        yield from _expect_value(s, intent.value, match)
        return
    if intent.noun == "empty":
        _expect_empty(s, label, match)
        return
    states = match.element.states if match else frozenset()
    if match is None or not {"checked", "unchecked"} & states:
        if s.lost is not None:
            s.report_unreached()
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


def _require_field(s: Session, intent: Intent, label: Inline) -> Script:
    """Check that a field to be left as it is exists, if the form in front is the one meant."""
    labels = [
        i
        for plan_intent in s.plan
        if plan_intent.kind in _IN_FORMS
        if (i := plan_intent.label or plan_intent.place.field)
    ]
    other_labels = [i for i in labels if i.span != label.span and not same(i.text, label.text)]
    is_form = any((m := match_field(s.view, i.text)) and m.how.is_strict for i in other_labels)
    is_last = all(
        plan_intent.kind is not IntentKind.OPEN for plan_intent in _earlier_in_sentence(s, intent)
    )
    if s.lost is None and is_form and is_last and not text_shown(s.view, label.text):
        yield from find_field(s, intent, label)


def _earlier_in_sentence(s: Session, intent: Intent) -> list[Intent]:
    """The earlier instructions of the same sentence."""
    position = s.plan.index(intent) if intent in s.plan else 0
    return [earlier for earlier in s.plan[:position] if earlier.sentence is intent.sentence]


def _expect_empty(s: Session, label: Inline, match: Match | None) -> None:
    """Confirm that a field that may be left alone is empty and not required."""
    element = match.element if match and match.how.is_strict else None
    if element is None or plain(element.name) in s.values.assigned:
        return
    if element.value == "" and "required" not in element.states:
        s.report(StepStatus.AS_WRITTEN, f'"{element.name}" is empty')


def _expect_value(s: Session, claim: Inline, match: Match | None) -> Script:
    """Check that a field of a new thing holds the value that the text leaves in it."""
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
    """Check that a field or column of that label exists."""
    label = intent.label
    assert label is not None  # noqa: S101 - an EXPECT_FIELD has a label
    if intent.noun == "column":
        if s.lost is not None:
            s.report_unreached()
        elif column_shown(s.view, label.text) is not None:
            s.report(StepStatus.AS_WRITTEN)
        else:
            yield from report_missing_column(s, label)
        return
    match = match_field(s.view, label.text)
    if match and match.how.is_strict:
        check_facts(s, label.span, match.element)
    if (match and match.how.is_strict) or text_shown(s.view, label.text):
        s.report(StepStatus.AS_WRITTEN)
    elif s.lost is not None:
        s.report_unreached()
    elif match is not None:
        s.diverge(
            DivergenceKind.RENAMED_LABEL, label, f'the field is called "{match.element.name}"',
            suggestion=match.element.name, basis=Basis.ALIKE, box=match.element.box,
        )  # fmt: skip
    else:
        s.diverge(
            DivergenceKind.MISSING_CONTROL, label,
            f'{s.describe_place()} has no field "{label.text}"{list_fields(s)}', basis=Basis.ABSENT,
        )  # fmt: skip
    yield from ()

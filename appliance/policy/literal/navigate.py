"""Carrying out what the text says about buttons, links, tabs, menus and rows."""

from collections.abc import Generator

from appliance.core.page import ActionKind, Element
from appliance.core.procedure import Inline
from appliance.core.verdict import DivergenceKind, Severity, StepStatus
from appliance.policy.base import Decision
from appliance.policy.literal import forms
from appliance.policy.literal.grounding import (
    BUTTON_NOUNS,
    CLICKABLE,
    NAV_NOUNS,
    TEXTUAL,
    TOGGLES,
    Match,
    clickable,
    field,
    in_row,
    is_enabled,
    loosely,
    menus,
    names_of,
    option,
    primary,
    text_shown,
)
from appliance.policy.literal.intents import Intent
from appliance.policy.literal.names import How, same
from appliance.policy.literal.session import Script, Session

_MAX_PAGES = 5
_Finding = Generator[Decision, None, Match | None]


def open_label(s: Session, intent: Intent) -> Script:
    """Activate what bears the label: a button, link, tab, menu entry, option."""
    label = intent.label
    assert label is not None  # noqa: S101 - an OPEN has a label
    row = _row_of(s, intent)
    match = clickable(s.view, label.text, noun=intent.noun, row=row, after=s.nav)
    if match is None and intent.noun == "choice" and (yield from forms.choose_anywhere(s, label)):
        return
    if match is None and intent.noun in NAV_NOUNS and _is_here(s, label):
        s.report(StepStatus.AS_WRITTEN, f'"{label.text}" is already open')
        s.found()
        return
    if match is None:
        match = yield from _search(s, intent, label, row)
    if match is None:
        _missing(s, intent, label)
        return
    yield from _use(s, intent, label, match)


def _is_here(s: Session, label: Inline) -> bool:
    """A tab or page of that title is what is shown (its entry may be plain text then)."""
    return text_shown(s.view, label.text) is not None and s.lost is None


def _row_of(s: Session, intent: Intent) -> str:
    """The row meant by the intent, or else the one last spoken of."""
    if intent.place.row and (named := s.values.row(intent.place.row)):
        s.row = named
    return "" if s.view.dialogs else s.row


def _search(s: Session, intent: Intent, label: Inline, row: str) -> _Finding:
    """Look where a patient reader would: in the row's menu, in closed groups, for a near name."""
    if row:
        found = yield from _in_menus(s, label, row=row)
        if found:
            if not (intent.place.in_menu or intent.place.column):
                _moved(s, label, found.element, "in the drop-down menu of the row")
            return found
    if intent.noun in NAV_NOUNS or not intent.noun:
        found = yield from _in_closed_groups(s, intent, label)
        if found:
            return found
    if not s.view.dialogs and not row:
        found = yield from _in_menus(s, label)
        if found:
            if not intent.place.in_menu:
                _moved(s, label, found.element, "in a drop-down menu of the page")
            return found
    return _near(s, intent, label, row)


def _near(s: Session, intent: Intent, label: Inline, row: str) -> Match | None:
    """A looser match, reported as a divergence."""
    if s.lost is not None and not s.view.dialogs:
        return None  # where the way is lost, a near name is as likely another thing
    match = loosely(s.view, label.text, noun=intent.noun, row=row)
    if match is None and s.view.dialogs and (intent.noun in BUTTON_NOUNS or not intent.noun):
        only = primary(s.view)
        match = Match(only, How.STRUCTURE) if only else None
    if match:
        rename(s, label, match)
    return match


def rename(s: Session, label: Inline, match: Match) -> None:
    """Note that the console calls it otherwise."""
    e, shown = match.element, match.element.name.strip()
    kind = "check box" if e.role == "checkbox" else e.role
    small = match.how is How.PUNCTUATION or shown.casefold().rstrip(
        "s"
    ) == label.text.casefold().rstrip("s")
    s.diverge(
        DivergenceKind.RENAMED_LABEL,
        label,
        f'the {kind} is called "{shown}"',
        suggestion=shown,
        severity=Severity.COSMETIC if small else Severity.MISLEADS,
        confidence={
            How.PUNCTUATION: 0.95,
            How.SUBSET: 0.85,
            How.SYNONYM: 0.85,
            How.SIMILAR: 0.85,
        }.get(match.how, 0.75),
        box=e.box,
    )


def _moved(s: Session, label: Inline, e: Element, where: str) -> None:
    s.diverge(
        DivergenceKind.MOVED_CONTROL,
        label,
        f'"{e.name}" is {where}',
        severity=Severity.MISLEADS,
        confidence=0.8,
        box=e.box,
    )


def _in_menus(s: Session, label: Inline, row: str = "") -> _Finding:
    """Open the closed drop-downs one by one and look; leaves the right one open."""
    for toggle in menus(s.view, row=row):
        done = yield from s.act(
            ActionKind.CLICK, toggle, thought=f'look for "{label.text}" in a menu'
        )
        if not done.ok:
            continue
        if match := clickable(s.view, label.text, row="" if not row else row):
            return match
        yield from s.act(ActionKind.PRESS, text="Escape", thought="not in this menu")
    return None


def _in_closed_groups(s: Session, intent: Intent, label: Inline) -> _Finding:
    """Open the closed groups of the navigation, nearest below the last entry first."""
    groups = [
        e
        for e in s.view.elements
        if e.region == "navigation" and "collapsed" in e.states and is_enabled(e) and e.name.strip()
    ]
    at = s.nav.box.y if s.nav else 0.0
    for group in sorted(groups, key=lambda e: (e.box.y < at, e.box.y))[:8]:
        done = yield from s.act(
            ActionKind.CLICK, group, thought=f'look for "{label.text}" below "{group.name}"'
        )
        if done.ok and (match := clickable(s.view, label.text, noun=intent.noun, after=group)):
            s.diverge(
                DivergenceKind.MISSING_STEP,
                label,
                f'"{match.element.name}" is hidden until "{group.name}" is opened',
                severity=Severity.MISLEADS,
                confidence=0.8,
                box=match.element.box,
            )
            return match
    return None


def _use(s: Session, intent: Intent, label: Inline, match: Match) -> Script:
    """Click it, unless it is already in the state that the text wants."""
    e = match.element
    s.found()
    if not is_enabled(e) and s.row:
        yield from tick_row(s)
        again = clickable(s.view, e.name, noun=intent.noun)
        e = again.element if again else e
    if not is_enabled(e):
        s.diverge(
            DivergenceKind.MISSING_CONTROL,
            label,
            f'"{e.name}" is greyed out',
            severity=Severity.BREAKS,
            confidence=0.7,
            box=e.box,
        )
        s.stuck(f'"{e.name}" is greyed out')
        return
    if e.region == "navigation":
        s.nav = e
        s.row = ""
    if _is_open(e, intent):
        s.report(StepStatus.AS_WRITTEN, f'"{e.name}" is already open')
        return
    if e.role in TOGGLES:
        done = yield from s.act(ActionKind.CHECK, e, checked=True, thought=f'choose "{e.name}"')
    elif e.role in TEXTUAL | {"combobox"} and intent.noun in ("field", "box", "输入框"):
        done = yield from s.act(ActionKind.CLICK, e, thought=f'go into "{e.name}"')
    else:
        yield from forms.before_sending(s, e, label)
        e = s.view.element(e.id) or e
        done = yield from s.act(ActionKind.CLICK, e, thought=f'click "{e.name}"')
    if not done.ok:
        s.stuck(done.error)
        return
    s.report(StepStatus.AS_WRITTEN)
    yield from forms.after_sending(s, e, label)


def _is_open(e: Element, intent: Intent) -> bool:
    """An entry that is expanded or selected already: a click would close it, or change nothing."""
    if "haspopup" in e.states or e.role in TOGGLES or e.role == "combobox":
        return False
    if "expanded" in e.states:
        return True
    return bool({"selected", "current"} & e.states) and intent.noun in NAV_NOUNS and e.role == "tab"


def _missing(s: Session, intent: Intent, label: Inline) -> None:
    """Nothing like it on the page."""
    if intent.is_optional or intent.is_conditional:
        s.report(StepStatus.SKIPPED, f'"{label.text}" is not there; the text leaves it open')
        return
    if s.lost is not None:
        s.unreached()
        return
    alike = [
        e
        for e in s.view.elements
        if e.role in ("button", "link", "tab", "menuitem") and e.row is None
        and (e.region == "navigation") == (intent.noun in NAV_NOUNS and not s.view.dialogs)
    ]  # fmt: skip
    shown = f'nothing called "{label.text}" in {s.describe_place()}'
    if names := names_of(alike):
        shown += f"; it offers {names}"
    s.diverge(
        DivergenceKind.MISSING_CONTROL, label, shown, severity=Severity.BREAKS, confidence=0.8
    )
    s.stuck(shown)


# -- rows ------------------------------------------------------------------------------------------


def pick(s: Session, intent: Intent) -> Script:
    """Select a row, or the thing of that name; in a dialog, the value of the field of that name."""
    if s.view.dialogs and (yield from forms.choose_by_words(s, intent)):
        return
    key = _key(s, intent)
    if key and (yield from _bring_into_view(s, key)):
        s.row = key
        s.found()
        if "check" in intent.noun or "复选框" in intent.noun:
            yield from tick_row(s)
        s.report(StepStatus.AS_WRITTEN, f'the row of "{key}"')
        return
    if key and (named := clickable(s.view, key)):
        s.found()
        done = yield from s.act(ActionKind.CLICK, named.element, thought=f'select "{key}"')
        s.row = key
        s.report(StepStatus.AS_WRITTEN if done.ok else StepStatus.STUCK, done.error)
        return
    if (yield from forms.choose_by_words(s, intent)):
        return
    if s.lost is not None:
        s.unreached()
    elif key:
        s.stuck(f'no row shows "{key}" in {s.describe_place()}')
    else:
        s.report(
            StepStatus.SKIPPED,
            f"the text leaves open which {intent.thing or 'one'}: bind it in the checks",
        )


def _key(s: Session, intent: Intent) -> str:
    """What identifies the row: a value the text gives, a binding, or a word that a row shows."""
    if intent.value is not None:
        return s.values.bound(intent.value.text) or intent.value.text
    if bound := s.values.row(intent.thing):
        return bound
    rows = {e.row for e in s.view.elements if e.row}
    for word in intent.thing.split():
        if any(word.casefold() in [c.casefold() for c in row.split(" | ")] for row in rows):
            return word
    return ""


def _bring_into_view(s: Session, key: str) -> Generator[Decision, None, bool]:
    """Whether a row shows the key, after turning a few pages of the list where need be."""
    for _ in range(_MAX_PAGES):
        if any(in_row(e, key) for e in s.view.elements) or any(
            t.row and key.casefold() in t.row.casefold() for t in s.view.texts
        ):
            return True
        more = next(
            (
                e
                for e in s.view.elements
                if e.row is None and is_enabled(e) and s.dialog is None
                and any(same(w, e.name) for w in ("Next page", "Next", "下一页", "»", "›"))
            ),
            None,
        )  # fmt: skip
        if more is None:
            return False
        yield from s.act(
            ActionKind.CLICK, more, thought=f'look for "{key}" on the next page of the list'
        )
    return False


def tick_row(s: Session) -> Script:
    """Tick the check box of the current row."""
    for e in s.view.elements:
        if e.role in ("checkbox", "radio") and in_row(e, s.row):
            if "checked" not in e.states:
                yield from s.act(
                    ActionKind.CHECK, e, checked=True, thought=f'select the row of "{s.row}"'
                )
            return


def follow(s: Session, intent: Intent) -> Script:
    """Click the name of a row."""
    key = s.values.row(intent.thing) or s.row
    if key and (yield from _bring_into_view(s, key)):
        links = [e for e in s.view.elements if e.role in ("link", "button") and in_row(e, key)]
        named = (
            [e for e in links if same(key, e.name)]
            or [e for e in links if key in e.name]
            or links[:1]
        )
        if named:
            s.found()
            s.row = key
            done = yield from s.act(ActionKind.CLICK, named[0], thought=f'open "{key}"')
            s.report(StepStatus.AS_WRITTEN if done.ok else StepStatus.STUCK, done.error)
            return
    if key and (match := clickable(s.view, key)):
        s.found()
        yield from s.act(ActionKind.CLICK, match.element, thought=f'open "{key}"')
        s.report(StepStatus.AS_WRITTEN)
        return
    if s.lost is not None:
        s.unreached()
    elif key:
        s.stuck(f'no link "{key}" in {s.describe_place()}')
    else:
        s.report(
            StepStatus.SKIPPED, f"the text leaves open which {intent.thing}: bind it in the checks"
        )


def open_menu(s: Session, intent: Intent) -> Script:
    """Click the menu button of the row (or of the page)."""
    row = _row_of(s, intent)
    found = menus(s.view, row=row) or menus(s.view)
    if found:
        s.found()
        done = yield from s.act(ActionKind.CLICK, found[0], thought="open the menu")
        s.report(StepStatus.AS_WRITTEN if done.ok else StepStatus.STUCK, done.error)
    elif s.lost is not None:
        s.unreached()
    else:
        s.report(StepStatus.SKIPPED, "no menu button is there")


def confirm(s: Session, intent: Intent) -> Script:
    """Press the primary button of the open dialog; a dialog of the browser was accepted already."""
    if s.dialog is None:
        s.report(StepStatus.AS_WRITTEN, "nothing asks for confirmation")
        return
    button = primary(s.view)
    if button is None:
        s.stuck(f"no button confirms in {s.describe_place()}")
        return
    done = yield from s.act(ActionKind.CLICK, button, thought=f'confirm with "{button.name}"')
    s.report(StepStatus.AS_WRITTEN if done.ok else StepStatus.STUCK, done.error)


def is_clickable(e: Element) -> bool:
    """Whether a click on it does something."""
    return e.role in CLICKABLE


def has_option(s: Session, label: str) -> bool:
    """Whether some drop-down of the page offers the option."""
    return any(
        (hit := option(e.options, label)) and hit[1].is_strict for e in s.view.elements
    ) or bool(field(s.view, label))

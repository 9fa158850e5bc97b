"""Carrying out what the text says about buttons, links, tabs and menus."""

import re
from collections.abc import Generator
from dataclasses import replace

from appliance.core.page import ActionKind, Element, TextKind
from appliance.core.procedure import Inline
from appliance.core.verdict import DivergenceKind, Severity, StepStatus
from appliance.policy.base import Decision
from appliance.policy.literal import choices, sending
from appliance.policy.literal.choices import choose_anywhere
from appliance.policy.literal.fields import put
from appliance.policy.literal.grounding import (
    BUTTON_NOUNS,
    FIELDS,
    NAV_NOUNS,
    TEXTUAL,
    TOGGLES,
    Match,
    clickable,
    field,
    in_row,
    is_enabled,
    is_field,
    is_in_several_rows,
    is_row_menu,
    loosely,
    menus,
    names_of,
    primary,
    text_shown,
)
from appliance.policy.literal.intents import Intent, IntentKind
from appliance.policy.literal.names import How, compare, plain, same, verb_of, words
from appliance.policy.literal.notes import moved, rename
from appliance.policy.literal.rows import pick, tick_row
from appliance.policy.literal.session import Script, Session

_LOG_IN_LABELS = ("Sign In", "Log In", "Login", "Sign On", "登录")
_Finding = Generator[Decision, None, Match | None]


def choose(s: Session, intent: Intent) -> Script:
    """Choose in the field that the text names; where it is none, a row or what bears the label.

    "Under **X**, select **Y**" and "select the volume from the **X** list" name fields as often as
    headings and lists.
    """
    label = intent.place.field
    assert label is not None  # noqa: S101 - a CHOOSE has a field
    if field(s.view, label.text) is None:
        yield from s.look_again(label.text)
    if field(s.view, label.text) is None and not intent.place.in_menu:
        if intent.value is not None and _bears(s, intent.value):
            place = replace(intent.place, field=None, section=label)
            yield from open_label(
                s,
                replace(
                    intent, kind=IntentKind.OPEN, label=intent.value, noun="choice", place=place
                ),
            )
            return
        if intent.value is None and not s.view.dialogs and (key := s.values.row(intent.thing)):
            if any(in_row(e, key) for e in s.view.elements):
                yield from pick(s, intent)
                return
    yield from choices.choose(s, intent)


def _bears(s: Session, label: Inline) -> bool:
    match = clickable(s.view, label.text)
    return match is not None and (match.element.dialog is not None or not s.view.dialogs)


def _as_field(s: Session, intent: Intent, label: Inline) -> Element | None:
    """The field that "Select **Network**" means: one of that name, for which a value is known."""
    match = field(s.view, label.text) if intent.noun == "choice" else None
    if match is None or not match.how.is_strict:
        return None
    e = match.element
    is_own = e.role in TOGGLES and compare(label.text, e.name) is not None
    if is_own or e.role not in FIELDS or s.values.bound(label.text) is None:
        return None
    return e


def open_label(s: Session, intent: Intent) -> Script:
    """Activate what bears the label: a button, link, tab, menu entry, option."""
    label = intent.label
    assert label is not None  # noqa: S101 - an OPEN has a label
    if intent.noun == "icon" and intent.label not in intent.sentence.inlines:
        yield from press_icon(s, intent, label)
        return
    if intent.noun == "choice" and field(s.view, label.text) is None:
        yield from s.look_again(label.text) if clickable(s.view, label.text) is None else ()
    if element := _as_field(s, intent, label):
        s.found()
        yield from put(s, element, s.values.bound(label.text) or "", None, named=label.text)
        return
    row = _row_of(s, intent)
    if intent.noun == "region" and _is_region(s, label):
        s.report(StepStatus.AS_WRITTEN, f'the region is "{label.text}" already')
        return
    match = clickable(s.view, label.text, noun=intent.noun, row=row, after=s.below())
    if match is None and intent.noun != "region":
        yield from s.look_again(label.text)
        match = clickable(s.view, label.text, noun=intent.noun, row=row, after=s.below())
    if match is None and intent.noun == "choice" and (yield from choose_anywhere(s, label)):
        return
    if match is None and intent.noun in NAV_NOUNS and _is_here(s, intent, label):
        s.report(StepStatus.AS_WRITTEN, f'"{label.text}" is already open')
        s.found()
        return
    opened = s.opened
    if match is None:
        match = yield from _search(s, intent, label, row)
    if match is None:
        _missing(s, intent, label)
        return
    if not row and is_in_several_rows(s.view, match):
        # only the row that is bound, never just any
        s.row = s.values.bound("row") or ""
        name = match.element.name
        match = clickable(s.view, name, noun=intent.noun, row=s.row) if s.row else None
    if match is not None and intent.place.is_above and (match.element.row or s.opened != opened):
        where = "in the row" if match.element.row else f'on the page of "{s.opened}"'
        s.diverge(
            DivergenceKind.MOVED_CONTROL, label, f'"{match.element.name}" is {where}, not above the list',
            severity=Severity.MISLEADS, confidence=0.8, box=match.element.box,
        )  # fmt: skip
    if match is None or (row and match.element.row and not in_row(match.element, row)):
        s.left_open(f'row\'s "{label.text}"')
        return
    yield from _use(s, intent, label, match)


def _is_region(s: Session, label: Inline) -> bool:
    """Whether the region named is the one that is shown as chosen."""
    wanted = plain(label.text)
    return any(
        _REGION.search(e.name) and wanted in plain(f"{e.name} {e.text} {e.value or ''}")
        for e in s.view.elements
        if e.role in ("button", "combobox") and e.dialog is None and e.row is None
    )


def _is_here(s: Session, intent: Intent, label: Inline) -> bool:
    """A tab or page of that title is what is shown (its entry may be plain text then)."""
    if intent.noun == "path":
        # an entry of a menu path may be a heading that only groups what is below it
        grouped = any(
            same(label.text, e.group) or same(label.text, e.section) for e in s.view.elements
        )
        return s.lost is None and (grouped or text_shown(s.view, label.text) is not None)
    title = text_shown(s.view, label.text, frozenset({TextKind.HEADING}))
    return title is not None and title.level == 1 and s.lost is None


def press_icon(s: Session, intent: Intent, label: Inline) -> Script:
    """As "the copy button next to the host name": an icon that the text calls by what it does."""
    wanted = words(intent.place.row) - {"it", "them", "name", "the"}
    icons = [
        e
        for e in s.view.elements
        if e.role in ("button", "link") and plain(label.text) in plain(f"{e.name} {e.text}")
        and is_enabled(e) and len(e.name) < 60
    ]  # fmt: skip
    fitting = [
        e for e in icons if not wanted or wanted & words(f"{e.name} {e.row or ''} {e.group}")
    ]
    if not fitting:
        s.report(StepStatus.SKIPPED, f'no "{label.text}" button can be told by its name')
        return
    s.found()
    done = yield from s.act(ActionKind.CLICK, fitting[0], thought=f'click "{fitting[0].name}"')
    s.report(StepStatus.AS_WRITTEN if done.ok else StepStatus.STUCK, done.error)


def _row_of(s: Session, intent: Intent) -> str:
    """The row meant by the intent, or else the one last spoken of."""
    if intent.place.is_above:
        return ""
    if intent.place.row and (named := s.values.row(intent.place.row)):
        s.row = named
    is_listed = any(in_row(e, s.row) for e in s.view.elements)
    return s.row if is_listed and not s.view.dialogs else ""


def _search(s: Session, intent: Intent, label: Inline, row: str) -> _Finding:
    """Look where a patient reader would: in the row's menu, in closed groups, for a near name."""
    if row:
        found = yield from _in_menus(s, label, row=row)
        if found:
            if not (intent.place.in_menu or intent.place.column):
                moved(s, label, found.element, "of the row")
            return found
    if s.lost is None and (intent.noun in NAV_NOUNS or not intent.noun):
        found = yield from _in_closed_groups(s, intent, label)
        if found:
            return found
    if intent.noun == "region":
        return (yield from _in_region_menu(s, label))
    if not s.view.dialogs and not row:
        found = yield from _in_menus(s, label)
        if found:
            if not intent.place.in_menu:
                moved(s, label, found.element, "of the page")
            return found
    near = _near(s, intent, label, row)
    if near is None and s.row and not s.view.dialogs:
        near = yield from _inside_the_thing(s, intent, label, s.row)
    return near


def _inside_the_thing(s: Session, intent: Intent, label: Inline, row: str) -> _Finding:
    """Open the thing ("Select the container"): what is looked for may be inside."""
    named = [
        e
        for e in s.view.elements
        if e.role in ("link", "button") and e.region != "navigation" and row in e.name.split()
    ]
    if not named or s.opened == row:
        return None
    s.opened = row
    done = yield from s.act(ActionKind.CLICK, named[0], thought=f'open "{row}" to look inside')
    if not done.ok:
        return None
    s.row = ""
    return clickable(s.view, label.text, noun=intent.noun) or _near(s, intent, label, "")


def _near(s: Session, intent: Intent, label: Inline, row: str) -> Match | None:
    """A looser match, reported as a divergence."""
    if s.lost is not None:
        return None  # where the way is lost, a near name is as likely another thing
    match = loosely(s.view, label.text, noun=intent.noun, row=row)
    is_action = verb_of(label.text) is not None and (intent.noun in BUTTON_NOUNS or not intent.noun)
    if match is None and s.view.dialogs and is_action:
        only = primary(s.view) if _is_ready_to_send(s) else None
        match = Match(only, How.STRUCTURE) if only else None
    if match:
        rename(s, label, match)
    return match


def _is_ready_to_send(s: Session) -> bool:
    """Whether a click on the dialog's main button is what a reader would do now."""
    has_fields = any(is_field(e) and e.dialog is not None for e in s.view.elements)
    return (s.dialog or "") in s.touched or not has_fields


def _in_menus(s: Session, label: Inline, row: str = "") -> _Finding:
    """Open the closed drop-downs one by one and look; leaves the right one open."""
    for toggle in menus(s.view, row=row, label=label.text):
        done = yield from s.act(
            ActionKind.CLICK, toggle, thought=f'look for "{label.text}" in a menu'
        )
        if not done.ok:
            continue
        if match := clickable(s.view, label.text, row=row):
            s.menu = toggle
            return match
        yield from s.act(ActionKind.PRESS, text="Escape", thought="not in this menu")
    return None


_REGION = re.compile(r"\bregion\b|地域|区域", re.IGNORECASE)


def _in_region_menu(s: Session, label: Inline) -> _Finding:
    """The regions are in a menu or drop-down of the frame around every page."""
    toggles = [
        e
        for e in s.view.elements
        if e.role in ("button", "combobox")
        and (_REGION.search(e.name) or any(same(label.text, o) for o in e.options))
        and is_enabled(e)
        and e.dialog is None
    ]
    for toggle in toggles[:2]:
        done = yield from s.act(ActionKind.CLICK, toggle, thought="open the menu of regions")
        if done.ok and (match := clickable(s.view, label.text)):
            return match
        if done.ok and (near := loosely(s.view, label.text)):
            rename(s, label, near)
            return near
        yield from s.act(ActionKind.PRESS, text="Escape", thought="not in this menu")
    return None


def _in_closed_groups(s: Session, intent: Intent, label: Inline) -> _Finding:
    """Open the closed groups of the navigation, nearest below the last entry first."""
    groups = [
        e
        for e in s.view.elements
        if e.region == "navigation"
        and "collapsed" in e.states
        and "haspopup" not in e.states
        and is_enabled(e)
        and e.name.strip()
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
    if not is_enabled(e) and s.lost is not None:
        s.unreached()
        return
    s.found()
    if not is_enabled(e) and s.row:
        yield from tick_row(s)
        again = clickable(s.view, e.name, noun=intent.noun)
        e = again.element if again else e
    if not is_enabled(e):
        yield from sending.unlock(s, e, label)
        e = s.view.element(e.id) or e
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
    if e.region == "navigation" and e.dialog is None:
        s.nav = e
        s.row = ""
    if _is_open(e, intent):
        s.report(StepStatus.AS_WRITTEN, f'"{e.name}" is already open')
        return
    errors = sending.errors_shown(s)
    if e.role in TOGGLES:
        done = yield from s.act(ActionKind.CHECK, e, checked=True, thought=f'choose "{e.name}"')
    elif e.role in TEXTUAL | {"combobox"} and intent.noun in ("field", "box", "输入框"):
        done = yield from s.act(ActionKind.CLICK, e, thought=f'go into "{e.name}"')
    else:
        yield from sending.before_sending(s, e, label)
        e = s.view.element(e.id) or e
        done = yield from s.act(ActionKind.CLICK, e, thought=f'click "{e.name}"')
    if not done.ok:
        s.stuck(done.error)
        return
    s.report(StepStatus.AS_WRITTEN)
    if sending.refused(s, e, label, errors):
        return
    if e.role in ("link", "menuitem", "tab") and not e.is_submit and sending.dead_end(s, e, label):
        return
    yield from sending.after_sending(s, e, label)


def _is_open(e: Element, intent: Intent) -> bool:
    """An entry that is expanded or selected already: a click would close it, or change nothing."""
    if "haspopup" in e.states or e.role in TOGGLES or e.role == "combobox":
        return False
    if "expanded" in e.states:
        return True
    is_tab = e.role == "tab" or e.dialog is not None
    return bool({"selected", "current"} & e.states) and intent.noun in NAV_NOUNS and is_tab


def _missing(s: Session, intent: Intent, label: Inline) -> None:
    """Nothing like it on the page."""
    if any(same(label.text, w) for w in _LOG_IN_LABELS):
        s.report(StepStatus.AS_WRITTEN, "done by the appliance before the attempt")
        return
    if intent.is_optional or intent.is_conditional:
        s.report(StepStatus.SKIPPED, f'"{label.text}" is not there; the text leaves it open')
        return
    if s.lost is not None:
        s.unreached()
        return
    if intent.noun in ("icon", "图标"):
        s.stuck(f'no icon is called "{label.text}"; which one is meant cannot be told by its name')
        return
    open_menu_entries = [e for e in s.view.elements if e.region == "menu" and e.role != "option"]
    alike = open_menu_entries or [
        e
        for e in s.view.elements
        if e.role in ("button", "link", "tab", "menuitem")
        and e.row is None
        and (e.region == "navigation") == (intent.noun in NAV_NOUNS and not s.view.dialogs)
    ]
    shown = f'nothing called "{label.text}" in {s.describe_place()}'
    if names := names_of(alike):
        shown += f"; it offers {names}"
    s.diverge(
        DivergenceKind.MISSING_CONTROL, label, shown, severity=Severity.BREAKS, confidence=0.8
    )
    s.stuck(shown)


def open_menu(s: Session, intent: Intent) -> Script:
    """Click the menu button of the row (or of the page)."""
    row = _row_of(s, intent)
    found = menus(s.view, row=row) or menus(s.view)
    if not found and s.row and not s.view.dialogs:
        yield from (
            _inside_the_thing(s, intent, intent.sentence.labels()[0], s.row)
            if (intent.sentence.labels())
            else ()
        )
        inside = [e for e in s.view.elements if is_row_menu(e)]
        found = inside if len(inside) == 1 else []
    if found:
        s.found()
        done = yield from s.act(ActionKind.CLICK, found[0], thought="open the menu")
        s.report(StepStatus.AS_WRITTEN if done.ok else StepStatus.STUCK, done.error)
    elif s.lost is not None:
        s.unreached()
    else:
        s.report(StepStatus.SKIPPED, "no menu button is there")


_CLOSERS = (
    "Close",
    "Done",
    "×",
    "✕",
    "OK",
    "Got it",
    "Cancel",
    "关闭",
    "完成",
    "确定",
    "知道了",
    "取消",
)
"""What closes a dialog without sending anything, the plainest first."""


def close(s: Session, intent: Intent) -> Script:
    """Close the open dialog by what it has for that, else with the Escape key."""
    if s.dialog is None:
        s.report(StepStatus.AS_WRITTEN, "no dialog is open")
        return
    inside = [
        e
        for e in s.view.elements
        if e.role in ("button", "link") and e.dialog == s.dialog and is_enabled(e)
    ]
    found = [e for word in _CLOSERS for e in inside if same(word, e.name) and not e.is_submit]
    if found:
        done = yield from s.act(ActionKind.CLICK, found[0], thought=f'close with "{found[0].name}"')
    else:
        done = yield from s.act(ActionKind.PRESS, text="Escape", thought="close the dialog")
    s.report(StepStatus.AS_WRITTEN if done.ok else StepStatus.STUCK, done.error)


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

"""Carrying out what the text says about buttons, links, tabs and menus."""

import re
from collections.abc import Generator
from dataclasses import replace
from typing import NamedTuple
from urllib.parse import urljoin

from appliance.core import actions
from appliance.core.page import Element, Observation, TextKind
from appliance.core.procedure import WAY, Inline
from appliance.core.verdict import Basis, DivergenceKind, Severity, StepStatus
from appliance.language import nouns, verbs
from appliance.language.icons import MENU_LOOK, icon_names, may_be
from appliance.language.names import How, compare, plain, same, verb_of, words
from appliance.policy.base import Decision
from appliance.policy.literal.act import choices, sending
from appliance.policy.literal.act.choices import Did, choose_anywhere
from appliance.policy.literal.act.fields import put
from appliance.policy.literal.act.guessing import candidates, look_through, try_out
from appliance.policy.literal.act.notes import unsure_rename
from appliance.policy.literal.act.rows import pick, tick_row
from appliance.policy.literal.act.searching import (
    Finding,
    inside_the_thing,
    is_current_region,
    menu_of_next,
    own_of_row,
    row_menu,
    search,
)
from appliance.policy.literal.act.tooltips import open_by_resting, read_tooltips
from appliance.policy.literal.act.unfolding import bring_out
from appliance.policy.literal.match.grounding import (
    CLICKABLE,
    FIELDS,
    NAV_NOUNS,
    TAB_NOUNS,
    TEXTUAL,
    TOGGLES,
    Match,
    closed_menus,
    in_row,
    is_enabled,
    is_field,
    is_icon,
    is_in_several_rows,
    is_row_menu,
    is_search,
    match_clickable,
    match_field,
    names_of,
    prefer_in_part,
    shows_icon,
    text_shown,
)
from appliance.policy.literal.match.pages import column_shown, is_unchanged
from appliance.policy.literal.match.standing import check_heading, check_place, is_known, menu_named
from appliance.policy.literal.read.intents import Intent, IntentKind
from appliance.policy.literal.read.masking import is_guessed
from appliance.policy.literal.session import Script, Session


def visit(s: Session, intent: Intent) -> Script:
    """Open a page of the console by its address."""
    address = urljoin(s.view.url, intent.thing)
    done = yield from s.act(actions.OpenUrl(address), f"open {intent.thing}")
    s.report(StepStatus.AS_WRITTEN if done.ok else StepStatus.STUCK, done.error)
    if done.ok:
        s.found()


def choose(s: Session, intent: Intent) -> Script:
    """Choose in the field that the text names; where it is none, a row or what bears the label.

    "Under **X**, select **Y**" and "select the volume from the **X** list" name fields as often as
    headings and lists.
    """
    label = intent.place.field
    assert label is not None  # noqa: S101 - a CHOOSE has a field
    if match_field(s.view, label.text) is None:
        yield from s.look_again(label.text)
    is_field = match_field(s.view, label.text) is not None
    if not is_field and intent.value and column_shown(s.view, label.text) is not None:
        place = replace(intent.place, field=None, column=label)  # "From the **Actions** list"
        opening = replace(intent, kind=IntentKind.OPEN, label=intent.value, noun="choice")
        yield from open_label(s, replace(opening, place=place))
        return
    if not is_field and not intent.place.in_menu:
        if intent.value is not None and _bears(s, intent.value):
            place = replace(intent.place, field=None, section=label)
            yield from open_label(
                s,
                replace(
                    intent, kind=IntentKind.OPEN, label=intent.value, noun="choice", place=place
                ),
            )
            return
        key = None if intent.value or s.view.dialogs else s.values.row(intent.thing)
        if key:
            yield from bring_out(s, key)
        if key and any(in_row(e, key) for e in s.view.elements):
            yield from pick(s, intent)
            return
    yield from choices.choose(s, intent)


def _bears(s: Session, label: Inline) -> bool:
    match = match_clickable(s.view, label.text)
    return match is not None and (match.element.dialog is not None or not s.view.dialogs)


def _as_field(s: Session, intent: Intent, label: Inline) -> Element | None:
    """The field that "Select **Network**" means: one of that name, for which a value is known.

    Or a list of a form in which nothing is chosen yet: then any of it will do.
    """
    match = match_field(s.view, label.text) if intent.noun == "choice" else None
    if match is None or not match.how.is_strict:
        return None
    e = match.element
    is_own = e.role in TOGGLES and compare(label.text, e.name) is not None
    if is_own or e.role not in FIELDS:
        return None
    return e if s.values.bound(label.text) is not None or _is_to_be_chosen(s, e) else None


def _is_to_be_chosen(s: Session, e: Element) -> bool:
    """Whether it is an empty list of a form, and the text says nothing of what is in it."""
    after = next((i for i in s.upcoming[1:2] if i.kind is IntentKind.OPEN), None)
    is_option = after is not None and after.noun in ("choice", "option")
    is_in_form = e.region in ("form", "dialog") and e.row is None
    return (
        e.role == "combobox" and is_in_form and not (e.value or is_option or "multiple" in e.states)
    )


def open_label(s: Session, intent: Intent) -> Script:
    """Activate what bears the label: a button, link, tab, menu entry, option."""
    label = intent.label
    assert label is not None  # noqa: S101 - an OPEN has a label
    if (yield from _not_by_a_click(s, intent, label)):
        return
    row = yield from _row_of(s, intent)
    match = _beside_spotted(s, label) or _in_own_column(s, intent, label)
    match = match or _bearer(s, intent, label, row)
    if match is None:
        match = yield from _late(s, intent, label, row)
    if match is None and (yield from _done_already(s, intent, label)):
        return
    match = own_of_row(s, intent, match, row)
    is_of_page = match is not None and _is_page_menu(match.element)
    if is_of_page and (yield from _is_icon_of_row(s, intent, label, row)):
        return
    if match is None:
        match = yield from _icon_called(s, intent, label, row)
    opened, menu, place = s.opened, menu_named(s, intent), _Place(s.view, s.describe_place())
    if match is None:
        match = yield from search(s, intent, label, row)
    if match is None:
        yield from _called_otherwise(s, intent, label, row, place)
        return
    match = match if row else _of_bound_row(s, intent, match)
    if match is not None:
        check_place(s, intent, label, match, menu=menu, is_inside=s.opened != opened)
    if match is None or (row and match.element.row and not in_row(match.element, row)):
        s.left_open(f'row\'s "{label.text}"')
        return
    yield from _use(s, intent, label, match)


def _bearer(s: Session, intent: Intent, label: Inline, row: str) -> Match | None:
    """What bears the name. A tab of the thing just opened is no entry of the navigation."""
    match = match_clickable(s.view, label.text, noun=intent.noun, row=row, after=s.below())
    match = match or _partly_named(s, label)
    match = match and Match(prefer_in_part(s.view, match.element, s.part), match.how)
    is_part = intent.noun in TAB_NOUNS or intent.noun == "section"
    if match is None or match.element.region != "navigation" or not is_part:
        return match
    last = next((i for i in reversed(s.past) if i.kind is not IntentKind.INFORM), None)
    is_of_thing = last is not None and last.kind in (IntentKind.FOLLOW, IntentKind.PICK)
    has_tabs = any(e.role == "tab" for e in s.view.elements)
    was_there = s.before.element(match.element.id) is not None
    return None if is_of_thing and (was_there or has_tabs) else match


_LEFT_OPEN = re.compile(r"[<{\[]+(?P<open>[^<>{}\[\]]+)[>}\]]+|['‘](?P<quoted>[a-z][a-z ]+)['’]")


def _partly_named(s: Session, label: Inline) -> Match | None:
    """What a label means that leaves a part of it open: "Edit <environment name>"."""
    opened = [m["open"] or m["quoted"] for m in _LEFT_OPEN.finditer(label.text)]
    fixed = [re.escape(plain(part)) for part in _LEFT_OPEN.split(label.text)[::3]]
    if not opened or not any(fixed):
        return None
    pattern = re.compile(r"\W*(.+?)\W*".join(fixed), re.IGNORECASE)
    known = [value for one in opened if (value := s.values.row(one) or s.row)]
    fitting = [
        e
        for e in s.view.elements
        if e.role in CLICKABLE and (m := pattern.fullmatch(plain(e.name)))
        and all(any(same(value, said) for said in m.groups()) for value in known)
    ]  # fmt: skip
    own = [e for e in fitting if prefer_in_part(s.view, e, s.part, fitting) is e]
    return Match(own[0], How.HINTED) if len(own) == 1 else None


def _of_bound_row(s: Session, intent: Intent, match: Match) -> Match | None:
    """Where several rows have it, only that of the row that is bound, never just any."""
    if not is_in_several_rows(s.view, match):
        return match
    s.row = s.values.bound("row") or ""
    return (
        match_clickable(s.view, match.element.name, noun=intent.noun, row=s.row) if s.row else None
    )


def _is_of_missed_form(s: Session, label: Inline) -> bool:
    """Whether the button of a form is meant that has not opened: the one here would open it."""
    forms = (i.label for i in s.past if i.kind is IntentKind.EXPECT_OPEN and i.label is not None)
    return s.lost is not None and s.dialog is None and any(same(label.text, f.text) for f in forms)


def _late(s: Session, intent: Intent, label: Inline, row: str) -> Finding:
    """What bears the name once the page has shown all."""
    if intent.noun == "region":
        return None
    yield from s.look_again(label.text)
    return _bearer(s, intent, label, row)


def _in_own_column(s: Session, intent: Intent, label: Inline) -> Match | None:
    """The bound thing's own link, where the text calls it as its column: "Click the **Username**".

    A click on the column's head would only sort the list.
    """
    key = s.values.bound(label.text)
    if not key or intent.noun or column_shown(s.view, label.text) is None:
        return None
    named = [
        e for e in s.view.elements if e.role == "link" and e.row is not None and same(key, e.name)
    ]
    return Match(named[0], How.HINTED) if len(named) == 1 else None


_ON_A_LINE = 16
"""CSS pixels, from middle to middle."""


def _beside_spotted(s: Session, label: Inline) -> Match | None:
    """The sign that stands nearest to what was found just before, on the same line."""
    at = s.view.element(s.spotted.id) if s.spotted is not None else None
    if at is None:
        return None
    beside = [
        e
        for e in s.view.elements
        if e.id != at.id and e.role in CLICKABLE and (e.region, e.group) == (at.region, at.group)
        and abs(_middle(e) - _middle(at)) <= _ON_A_LINE
        and (not e.name or e.is_wordless or shows_icon(e, label.text))
    ]  # fmt: skip
    beside = [e for e in beside if shows_icon(e, label.text)] or beside
    nearest = min(beside, key=lambda e: abs(e.box.x - at.box.x), default=None)
    return Match(nearest, How.HINTED) if nearest is not None else None


def _middle(e: Element) -> float:
    return e.box.y + e.box.height / 2


def _icon_called(s: Session, intent: Intent, label: Inline, row: str) -> Finding:
    """An icon, by what it shows or by what its tooltip says."""
    match = _icon_for(s, intent, label)
    if match is None and not s.is_menu_open:
        yield from read_tooltips(s, (e for e in s.front if (in_row(e, row) if row else not e.row)))
        match = _bearer(s, intent, label, row)
    return match


def _icon_for(s: Session, intent: Intent, label: Inline) -> Match | None:
    """The only icon here that does what the text's icon is called by: ⤒ for "Upload File"."""
    if intent.noun not in nouns.ICONS.both:
        return None
    wanted = words(label.text)
    icons = [
        e
        for e in s.view.elements
        if e.role in ("button", "link") and e.row is None and is_icon(e) and is_enabled(e)
        and any(
            named and named <= wanted
            for shown in (e.text or e.name, e.look)
            for named in map(words, icon_names(shown))
        )
    ]  # fmt: skip
    return Match(icons[0], How.HINTED) if len(icons) == 1 else None


def _is_icon_of_row(s: Session, intent: Intent, label: Inline, row: str) -> Did:
    """Whether the text calls the three dots of a row by a name that shows nowhere."""
    is_meant = intent.place.row or plain(label.text) in nouns.MENUS.both
    if not (row and is_meant) or not (yield from row_menu(s, row)):
        return False
    s.report(StepStatus.AS_WRITTEN)
    return True


def _is_page_menu(e: Element) -> bool:
    """Whether it is a menu of the whole page: that of a row may have another name, or none."""
    return e.row is None and "haspopup" in e.states


def _not_by_a_click(s: Session, intent: Intent, label: Inline) -> Did:
    """An icon without a label, a field to choose in, the region that is chosen already."""
    if intent.noun == "icon" and intent.label not in intent.sentence.inlines:
        yield from press_icon(s, intent, label)
        return True
    if _is_of_missed_form(s, label) or (intent.noun == "choice" and s.is_form_away):
        s.unreached()  # what is called so in the navigation is no choice of the form
        return True
    if intent.noun == "choice" and match_field(s.view, label.text) is None:
        yield from s.look_again(label.text) if match_clickable(s.view, label.text) is None else ()
    if intent in s.put_off:  # what is called so elsewhere leads away from the form
        shown = f'no page of the wizard has a field "{label.text}"'
        s.diverge(DivergenceKind.MISSING_CONTROL, label, shown, basis=Basis.ABSENT)
        return True
    if element := _as_field(s, intent, label):
        s.met(label.text, element)
        given = s.values.bound(label.text)
        if given is not None:
            yield from put(s, element, given, None, named=label.text)
        else:
            place = replace(intent.place, field=label)
            yield from choices.choose(s, replace(intent, kind=IntentKind.CHOOSE, place=place))
        return True
    if intent.noun == "region" and is_current_region(s, label):
        s.report(StepStatus.AS_WRITTEN, f'the region is "{label.text}" already')
        return True
    return False


def _done_already(s: Session, intent: Intent, label: Inline) -> Did:
    """An option of a field of the form; a card that has buttons; the page that is open now."""
    if intent.noun == "choice" and (yield from choose_anywhere(s, label)):
        return True
    if intent.noun == "choice" and s.lost is None and _in_front(s, label.text):
        s.row = label.text  # what is clicked next is in it
        s.report(StepStatus.AS_WRITTEN, f'"{label.text}" has buttons of its own')
        return True
    if _was_just_done(s, intent, label):
        s.report(StepStatus.AS_WRITTEN, f'"{label.text}" has just been clicked', is_seen=False)
        return True
    if intent.noun in NAV_NOUNS and _is_here(s, intent, label):
        s.heading = label.text if intent.noun == "path" else ""
        s.report(StepStatus.AS_WRITTEN, f'"{label.text}" is already open')
        s.found()
        return True
    return False


def _in_front(s: Session, row: str) -> bool:
    """Whether the page, or the dialog over it, has a row or card that begins with these words."""
    firsts = (plain(e.row.split(" | ")[0]) for e in s.front if e.row is not None)
    return any(first.startswith(plain(row)) for first in firsts)


def _was_just_done(s: Session, intent: Intent, label: Inline) -> bool:
    """Whether it says once more what was done: "Choose **X** in the menu … Select **X**"."""
    last = next((i for i in reversed(s.past) if i.kind is not IntentKind.INFORM), None)
    if last is None or last.kind is not IntentKind.OPEN or last.label is None:
        return False
    is_choice = intent.noun == last.noun == "choice"
    if not is_choice and (verb_of(label.text) or intent.noun in nouns.BUTTONS.both):
        return False  # "Next" may well be clicked twice; a page is gone to once
    is_same = last.label.text.casefold() == label.text.casefold()
    return is_same and last.sentence != intent.sentence and s.lost is None


_GROUPING = frozenset(TextKind) - {TextKind.COLUMN_HEADER}
"""What may be a heading of entries: "Action" over a column groups no menu."""


def _is_here(s: Session, intent: Intent, label: Inline) -> bool:
    """A tab or page of that title is what is shown (its entry may be plain text then)."""
    if intent.noun == "path":
        # an entry of a menu path may be a heading that only groups what is below it
        grouped = any(
            same(label.text, e.group) or same(label.text, e.section) for e in s.view.elements
        )
        return s.lost is None and (grouped or text_shown(s.view, label.text, _GROUPING) is not None)
    title = text_shown(s.view, label.text, frozenset({TextKind.HEADING}))
    return title is not None and title.level == 1 and s.lost is None


def press_icon(s: Session, intent: Intent, label: Inline) -> Script:
    """As "the copy button next to the host name": an icon that the text calls by what it does."""
    row = yield from _row_of(s, intent)
    wanted = words(intent.place.row) - {"it", "them", "name", "the"}
    names = icon_names(label.text)
    icons = [
        e
        for e in s.view.elements
        if e.role in ("button", "link") and is_enabled(e) and len(e.name) < 60
        and (
            shows_icon(e, label.text)
            or any(plain(name) and plain(name) in plain(f"{e.name} {e.text}") for name in names)
        )
    ]  # fmt: skip
    icons = [e for e in icons if may_be(e.look, label.text)] or icons
    if MENU_LOOK in names and (not icons or any("haspopup" in e.states for e in icons)):
        yield from open_menu(s, intent)
        return
    is_of_row = bool(intent.place.row) or all(e.row is not None for e in icons)
    of_row = [e for e in icons if row and is_of_row and in_row(e, row)]
    fitting = of_row or [
        e for e in icons if not wanted or wanted & words(f"{e.name} {e.row or ''} {e.group}")
    ]
    if not fitting:
        if not intent.is_optional:
            s.leave_out(label.text)  # what is spoken of next may come only after it
        s.report(StepStatus.SKIPPED, f'no "{label.text}" button can be told by its name')
        return
    s.met(label.text, fitting[0])
    done = yield from s.click(fitting[0], f'click "{fitting[0].name}"', intent.gesture)
    s.report(StepStatus.AS_WRITTEN if done.ok else StepStatus.STUCK, done.error)


def _row_of(s: Session, intent: Intent) -> Generator[Decision, None, str]:
    """The row meant by the intent, or else the one last spoken of."""
    if intent.place.is_above:
        return ""
    said = intent.place.row
    is_shown = any(in_row(e, said) for e in s.view.elements) if said else False
    if said and (named := s.values.row(said) or (said if is_shown else "")):
        s.row = named
        if not s.view.dialogs and not (yield from bring_out(s, named)):
            yield from s.look_again(named)  # lists come later than their pages
    is_listed = any(in_row(e, s.row) for e in s.view.elements)
    return s.row if is_listed and (not s.view.dialogs or _in_front(s, s.row)) else ""


def _enabled(
    s: Session, intent: Intent, label: Inline, e: Element
) -> Generator[Decision, None, Element]:
    """What a greyed-out control waits for is done; else that is said."""
    if not is_enabled(e) and s.row:
        yield from tick_row(s)
        again = match_clickable(s.view, e.name, noun=intent.noun)
        e = again.element if again else e
    if not is_enabled(e):
        yield from sending.unlock(s, e, label)
        e = s.view.element(e.id) or e
    if not is_enabled(e) and (unread := s.unread()):  # it may wait for just that
        s.lose("was not understood", unread)
        s.unreached()
    elif not is_enabled(e):
        shown = f'"{e.name}" is greyed out'
        # what could not be carried out before, or was not taken, or is empty yet, it may wait for
        if not (s.has_strayed or s.is_unsure_of_entry or _may_wait_for_entry(s, e)):
            s.diverge(
                DivergenceKind.MISSING_CONTROL, label, shown,
                severity=Severity.BREAKS, box=e.box,
            )  # fmt: skip
        s.stuck(shown)
    return e


def _may_wait_for_entry(s: Session, button: Element) -> bool:
    """Whether the form that it sends has an empty field, or nothing in it was changed yet."""
    fields = [
        e
        for e in s.view.elements
        if e.dialog == button.dialog and (e.dialog is not None or e.region == button.region)
        and e.role in FIELDS
        and e.role not in TOGGLES and e.row is None and is_enabled(e) and not is_search(e)
    ]  # fmt: skip
    is_unfilled = button.dialog is not None and any(not e.value for e in fields)
    return is_unfilled or (bool(fields) and not s.values.assigned)


def _use(s: Session, intent: Intent, label: Inline, match: Match) -> Script:
    """Click it, unless it is already in the state that the text wants."""
    e = match.element
    if not is_enabled(e) and s.lost is not None:
        s.unreached()
        return
    s.met(label.text, e)
    e = yield from _enabled(s, intent, label, e)
    if not is_enabled(e):
        return
    if e.region == "navigation" and e.dialog is None:
        check_heading(s, intent, label, e)
        s.nav = e
        s.row = ""
    if _is_open(e, intent):
        s.report(StepStatus.AS_WRITTEN, f'"{e.name}" is already open')
        return
    errors = sending.errors_shown(s)
    if e.role in TOGGLES:
        done = yield from s.check(e, checked=True, thought=f'choose "{e.name}"')
    elif e.role in TEXTUAL | {"combobox"} and intent.noun in nouns.TEXT_FIELDS.both:
        done = yield from s.click(e, f'go into "{e.name}"')
    else:
        yield from sending.before_sending(s, e, label)
        e = s.view.element(e.id) or e
        done = yield from s.click(e, f'click "{e.name}"', intent.gesture)
    if not done.ok:
        s.stuck(done.error)
        return
    s.report(StepStatus.AS_WRITTEN)
    yield from _has_led_somewhere(s, intent, e)
    if sending.refused(s, e, label, errors):
        return
    leads = e.role in ("link", "menuitem", "tab") or s.view.url != s.before.url
    if leads and not e.is_submit and (yield from sending.dead_end(s, e, label)):
        return
    yield from sending.after_sending(s, e, label)


def _has_led_somewhere(s: Session, intent: Intent, e: Element) -> Script:
    """Where an entry of the navigation or a tab changes nothing, the page is not the one meant."""
    yield from open_by_resting(s, e)
    leads = e.role == "tab" or e.region == "navigation" or intent.noun in NAV_NOUNS
    if not leads or {"selected", "current"} & e.states or same(e.name, s.view.title):
        return
    if text_shown(s.view, e.name, frozenset({TextKind.HEADING})):
        return
    if is_unchanged(s.before, s.view):
        yield from s.wait(0.8, f'wait for what "{e.name}" shows')
        if is_unchanged(s.before, s.view):
            s.lose(f'changed nothing: after a click on "{e.name}" the page is as it was')


def _is_open(e: Element, intent: Intent) -> bool:
    """An entry that is expanded or selected already: a click would close it, or change nothing."""
    if "haspopup" in e.states or e.role in TOGGLES or e.role == "combobox":
        return False
    if "expanded" in e.states:
        return True
    is_tab = e.role == "tab" or e.dialog is not None
    return bool({"selected", "current"} & e.states) and intent.noun in NAV_NOUNS and is_tab


class _Place(NamedTuple):
    """Where the text has led, and what that is called."""

    view: Observation
    name: str


def _called_otherwise(s: Session, intent: Intent, label: Inline, row: str, place: _Place) -> Script:
    """Nothing bears the name: what is likeliest is tried; else it is missing."""
    if (yield from _is_icon_of_row(s, intent, label, row)):
        return
    if is_guessed(label, intent.sentence) and label.text[:1].islower():
        s.stuck(f'nothing is called "{label.text}": the text describes it, and marks no name')
        return
    is_left = intent.is_optional or intent.is_conditional
    if not is_left and s.depends_on_left_out(label):
        s.lose("could not be carried out")
        return
    is_out = s.may_be_elsewhere or is_left or _is_of_missing_part(s, intent)
    likely = [] if is_out else candidates(s, intent, label, row)
    taken = (yield from try_out(s, intent, likely)) if likely else None
    if taken is None and not is_left and _may_be_any_entry(s, intent):
        taken = yield from look_through(s, intent, label)
        if taken is not None and text_shown(s.view, label.text, frozenset({TextKind.HEADING})):
            s.report(StepStatus.AS_WRITTEN, f"found under {taken.name.strip()}")
            s.found()
            return
    if taken is not None:
        s.found()
        if taken.region == "navigation":
            s.nav, s.row = taken, ""
        unsure_rename(s, label, taken)
        return
    _missing(s, intent, label, place, likely)


def _is_of_missing_part(s: Session, intent: Intent) -> bool:
    """Whether it stands in a part of the page that is not there: no other part has it instead."""
    part = intent.place.section
    if part is None:
        return False
    own = [e for e in s.view.elements if e.region not in ("navigation", "menu", "banner")]
    names = [n for e in own for n in (e.name, e.section, e.group, e.dialog, e.row, e.column) if n]
    names += [t.text for t in s.view.texts]
    return not any(compare(part.text, n) is not None for n in names)


def _may_be_any_entry(s: Session, intent: Intent) -> bool:
    """Whether a page is to be gone to from wherever the reader is, and the way was not lost."""
    is_page = intent.noun in nouns.PLACES.both | nouns.NAVIGATION.both and intent.noun != "section"
    is_first = all(i.kind is IntentKind.INFORM for i in s.past)
    is_placed = is_first or not s.may_be_elsewhere
    return is_page and intent.noun not in TAB_NOUNS and s.lost is None and is_placed


def _missing(
    s: Session, intent: Intent, label: Inline, place: _Place, likely: list[Element]
) -> None:
    """Nothing like it where the text has led; what is likeliest was not it."""
    if _need_not_be(s, intent, label):
        return
    shown = f'nothing called "{label.text}" in {place.name}'
    if likely:
        shown += f'; did you mean "{likely[0].name.strip()}"?'
    if names := names_of(_alternatives(place.view, intent)):
        shown += f"; it offers {names}"
    is_part = intent.noun == "section"  # what it holds may be found without it
    if not s.is_hindered:
        s.diverge(
            DivergenceKind.MISSING_CONTROL, label, shown,
            severity=Severity.MISLEADS if is_part else Severity.BREAKS,
            basis=Basis.ABSENT, box=likely[0].box if likely else None,
        )  # fmt: skip
    if not is_part:
        s.stuck(shown)


def _need_not_be(s: Session, intent: Intent, label: Inline) -> bool:
    """Whether nothing can be held against the text where no control is called so; says why."""
    opened = _LEFT_OPEN.search(label.text)
    if any(same(label.text, w) for w in verbs.LOGS_IN.both):
        s.report(StepStatus.AS_WRITTEN, "done by the appliance before the attempt", is_seen=False)
    elif intent.is_optional or intent.is_conditional:
        s.report(StepStatus.SKIPPED, f'"{label.text}" is not there; the text leaves it open')
    elif s.may_be_elsewhere:
        s.stuck("")
    elif opened is not None:
        s.left_open(opened["open"] or opened["quoted"])
    elif _sends_no_form(s, label):
        s.stuck(f'"{label.text}" sends a form, and there is none here: what opens it was not done')
    elif intent.step == WAY and intent.sentence.text == s.task.procedure.title:
        s.stuck(
            f'nothing on the way is called "{label.text}", which only the heading names:'
            " the checks can say where it is, as `start:`"
        )
    elif intent.noun in nouns.ICONS.both:
        s.stuck(f'no icon is called "{label.text}"; which one is meant cannot be told by its name')
    else:
        return False
    return True


def _sends_no_form(s: Session, label: Inline) -> bool:
    """Whether it sends a form where none is: nothing was filled in, and nothing could be."""
    is_sender = s.dialog is None and any(same(label.text, w) for w in _SENDERS)
    form = (e for e in s.view.elements if is_field(e) and e.region not in _NO_FORM)
    is_filled = s.typed is not None or s.touched or s.set_by_hand or s.chosen
    return is_sender and not is_filled and all(map(is_search, form))


_SENDERS = ("save", "save changes", "apply", "submit", "保存", "提交", "应用")
_NO_FORM = frozenset({"navigation", "banner", "search"})


def _alternatives(view: Observation, intent: Intent) -> list[Element]:
    """What the page offers of the same kind: the entries of the open menu, else its controls."""
    entries = [e for e in view.elements if e.region == "menu" and e.role != "option"]
    return entries or [
        e
        for e in view.elements
        if e.role in ("button", "link", "tab", "menuitem")
        and e.row is None
        and (e.region == "navigation") == (intent.noun in NAV_NOUNS and not view.dialogs)
    ]


def _of_page(s: Session, intent: Intent, found: list[Element]) -> list[Element]:
    """Those in the part of the page that the text names, else of its own part.

    Where the text speaks of an icon, those that have no room for words.
    """
    section = intent.place.section
    if section is not None and any(same(section.text, e.section) for e in s.view.elements):
        found = [e for e in found if same(section.text, e.section)]
    found = [e for e in found if e.region in ("main", "form")] or found
    icons = [e for e in found if is_icon(e)] if intent.noun == "icon" else []
    return icons or found


def _has_no_such_part(s: Session, intent: Intent) -> Did:
    """Whether the text says in which part of the page the menu is, and there is none: says so."""
    part = intent.place.section
    if part is None or s.may_be_elsewhere or is_known(s, part.text):
        return False
    yield from s.look_again(part.text)
    if is_known(s, part.text) or s.is_hindered:
        return False
    shown = f'nothing called "{part.text}" in {s.describe_place()}'
    if len(headings := [t.text for t in s.view.texts if t.kind is TextKind.HEADING]) > 1:
        s.absent.add(part.span)
        shown += "; it has " + ", ".join(f'"{h}"' for h in headings[:6])
    s.diverge(
        DivergenceKind.MISSING_CONTROL, part, shown, severity=Severity.BREAKS, basis=Basis.ABSENT
    )
    s.stuck(shown)
    return True


def open_menu(s: Session, intent: Intent) -> Script:
    """Click the menu button of the row (or of the page)."""
    row = yield from _row_of(s, intent)
    if s.lost is not None and not row:
        s.unreached()
        return
    of_row = closed_menus(s.view, row=row) if row else []
    if not of_row and (yield from _has_no_such_part(s, intent)):
        return
    found = of_row or _of_page(s, intent, closed_menus(s.view))
    if intent.noun == "menu" and not of_row and (len(found) != 1 or s.next_label is not None):
        yield from _told_menu(s, found)
        return
    if not found and s.row and not s.view.dialogs:
        yield from (
            inside_the_thing(s, intent, intent.sentence.labels()[0], s.row)
            if (intent.sentence.labels())
            else ()
        )
        inside = [e for e in s.view.elements if is_row_menu(e)]
        found = inside if len(inside) == 1 else []
    if found:
        s.met("", found[0])
        done = yield from s.click(found[0], "open the menu")
        s.report(StepStatus.AS_WRITTEN if done.ok else StepStatus.STUCK, done.error)
    else:
        s.report(StepStatus.SKIPPED, "no menu button is there")


def _told_menu(s: Session, found: list[Element]) -> Script:
    """A menu that the text tells by what it is for: which one, only its entries can say."""
    if (yield from menu_of_next(s, found)):
        s.report(StepStatus.AS_WRITTEN)
    else:
        s.skip("not understood: which menu is meant")
        s.lose("was not understood")

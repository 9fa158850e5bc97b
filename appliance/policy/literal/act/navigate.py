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
from appliance.policy.literal.act.fields import enter_value
from appliance.policy.literal.act.guessing import rank_candidates, search_navigation, try_candidates
from appliance.policy.literal.act.notes import report_possible_rename
from appliance.policy.literal.act.rows import pick, tick_row
from appliance.policy.literal.act.searching import (
    Finding,
    find_inside_thing,
    is_current_region,
    open_menu_of_next,
    open_row_menu,
    prefer_own_of_row,
    search,
)
from appliance.policy.literal.act.tooltips import open_by_hovering, read_tooltips
from appliance.policy.literal.act.unfolding import reveal_row
from appliance.policy.literal.match.grounding import (
    CLICKABLE,
    FIELDS,
    NAV_NOUNS,
    TAB_NOUNS,
    TEXTUAL,
    TOGGLES,
    Match,
    clickable,
    field,
    in_row,
    is_enabled,
    is_field,
    is_icon,
    is_in_several_rows,
    is_row_menu,
    is_search,
    menus,
    names_of,
    of_part,
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
    result = yield from s.act(actions.OpenUrl(address), f"open {intent.thing}")
    s.report(StepStatus.AS_WRITTEN if result.ok else StepStatus.STUCK, result.error)
    if result.ok:
        s.confirm_place()


def choose(s: Session, intent: Intent) -> Script:
    """Choose in the field that the text names; where it is none, a row or what bears the label.

    "Under **X**, select **Y**" and "select the volume from the **X** list" name fields as often as
    headings and lists.
    """
    label = intent.place.field
    assert label is not None  # noqa: S101 - a CHOOSE has a field
    if field(s.view, label.text) is None:
        yield from s.look_again(label.text)
    is_field = field(s.view, label.text) is not None
    if not is_field and intent.value and column_shown(s.view, label.text) is not None:
        place = replace(intent.place, field=None, column=label)  # "From the **Actions** list"
        opening = replace(intent, kind=IntentKind.OPEN, label=intent.value, noun="choice")
        yield from open_label(s, replace(opening, place=place))
        return
    if not is_field and not intent.place.in_menu:
        if intent.value is not None and _has_bearer_in_front(s, intent.value):
            place = replace(intent.place, field=None, section=label)
            yield from open_label(
                s,
                replace(
                    intent, kind=IntentKind.OPEN, label=intent.value, noun="choice", place=place
                ),
            )
            return
        key = None if intent.value or s.view.dialogs else s.values.row_key(intent.thing)
        if key:
            yield from reveal_row(s, key)
        if key and any(in_row(e, key) for e in s.view.elements):
            yield from pick(s, intent)
            return
    yield from choices.choose(s, intent)


def _has_bearer_in_front(s: Session, label: Inline) -> bool:
    match = clickable(s.view, label.text)
    return match is not None and (match.element.dialog is not None or not s.view.dialogs)


def _field_to_fill(s: Session, intent: Intent, label: Inline) -> Element | None:
    """The field that "Select **Network**" means: one of that name, for which a value is known.

    Or a list of a form in which nothing is chosen yet: then any of it will do.
    """
    match = field(s.view, label.text) if intent.noun == "choice" else None
    if match is None or not match.how.is_strict:
        return None
    e = match.element
    is_own = e.role in TOGGLES and compare(label.text, e.name) is not None
    if is_own or e.role not in FIELDS:
        return None
    return e if s.values.bound_to(label.text) is not None or _is_to_be_chosen(s, e) else None


def _is_to_be_chosen(s: Session, e: Element) -> bool:
    """Whether it is an empty list of a form, and the text says nothing of what is in it."""
    next_intent = next((i for i in s.upcoming[1:2] if i.kind is IntentKind.OPEN), None)
    is_option = next_intent is not None and next_intent.noun in ("choice", "option")
    is_in_form = e.region in ("form", "dialog") and e.row is None
    return (
        e.role == "combobox" and is_in_form and not (e.value or is_option or "multiple" in e.states)
    )


def open_label(s: Session, intent: Intent) -> Script:
    """Activate what bears the label: a button, link, tab, menu entry, option."""
    label = intent.label
    assert label is not None  # noqa: S101 - an OPEN has a label
    if (yield from _is_done_without_click(s, intent, label)):
        return
    row = yield from _row_of(s, intent)
    match = _beside_spotted(s, label) or _in_own_column(s, intent, label)
    match = match or _find_bearer(s, intent, label, row)
    if match is None:
        match = yield from _late_bearer(s, intent, label, row)
    if match is None and (yield from _is_done_already(s, intent, label)):
        return
    match = prefer_own_of_row(s, intent, match, row)
    is_of_page = match is not None and _is_page_menu(match.element)
    if is_of_page and (yield from _is_icon_of_row(s, intent, label, row)):
        return
    if match is None:
        match = yield from _find_icon(s, intent, label, row)
    opened, menu, place = s.opened, menu_named(s, intent), _Place(s.view, s.describe_place())
    if match is None:
        match = yield from search(s, intent, label, row)
    if match is None:
        yield from _try_other_name(s, intent, label, row, place)
        return
    match = match if row else _in_bound_row(s, intent, match)
    if match is not None:
        check_place(s, intent, label, match, menu=menu, inside=s.opened != opened)
    if match is None or (row and match.element.row and not in_row(match.element, row)):
        s.report_left_open(f'row\'s "{label.text}"')
        return
    yield from _activate(s, intent, label, match)


def _find_bearer(s: Session, intent: Intent, label: Inline, row: str) -> Match | None:
    """What bears the name. A tab of the thing just opened is no entry of the navigation."""
    match = clickable(s.view, label.text, noun=intent.noun, row=row, after=s.nav_entry_now())
    match = match or _partly_named(s, label)
    match = match and Match(of_part(s.view, match.element, s.open_part), match.how)
    is_part = intent.noun in TAB_NOUNS or intent.noun == "section"
    if match is None or match.element.region != "navigation" or not is_part:
        return match
    last_intent = next((i for i in reversed(s.past) if i.kind is not IntentKind.INFORM), None)
    is_of_thing = last_intent is not None and last_intent.kind in (
        IntentKind.FOLLOW,
        IntentKind.PICK,
    )
    has_tabs = any(e.role == "tab" for e in s.view.elements)
    was_there = s.before.element(match.element.id) is not None
    return None if is_of_thing and (was_there or has_tabs) else match


_LEFT_OPEN = re.compile(r"[<{\[]+(?P<open>[^<>{}\[\]]+)[>}\]]+|['‘](?P<quoted>[a-z][a-z ]+)['’]")


def _partly_named(s: Session, label: Inline) -> Match | None:
    """What a label means that leaves a part of it open: "Edit <environment name>"."""
    placeholders = [m["open"] or m["quoted"] for m in _LEFT_OPEN.finditer(label.text)]
    fixed_parts = [re.escape(plain(part)) for part in _LEFT_OPEN.split(label.text)[::3]]
    if not placeholders or not any(fixed_parts):
        return None
    pattern = re.compile(r"\W*(.+?)\W*".join(fixed_parts), re.IGNORECASE)
    values = [
        value for placeholder in placeholders if (value := s.values.row_key(placeholder) or s.row)
    ]
    candidates = [
        e
        for e in s.view.elements
        if e.role in CLICKABLE and (m := pattern.fullmatch(plain(e.name)))
        and all(any(same(value, filled) for filled in m.groups()) for value in values)
    ]  # fmt: skip
    own_elements = [e for e in candidates if of_part(s.view, e, s.open_part, candidates) is e]
    return Match(own_elements[0], How.HINTED) if len(own_elements) == 1 else None


def _in_bound_row(s: Session, intent: Intent, match: Match) -> Match | None:
    """Where several rows have it, only that of the row that is bound, never just any."""
    if not is_in_several_rows(s.view, match):
        return match
    s.row = s.values.bound_to("row") or ""
    return clickable(s.view, match.element.name, noun=intent.noun, row=s.row) if s.row else None


def _is_of_missed_form(s: Session, label: Inline) -> bool:
    """Whether the button of a form is meant that has not opened: the one here would open it."""
    forms = (i.label for i in s.past if i.kind is IntentKind.EXPECT_OPEN and i.label is not None)
    return s.lost is not None and s.dialog is None and any(same(label.text, f.text) for f in forms)


def _late_bearer(s: Session, intent: Intent, label: Inline, row: str) -> Finding:
    """What bears the name once the page has shown all."""
    if intent.noun == "region":
        return None
    yield from s.look_again(label.text)
    return _find_bearer(s, intent, label, row)


def _in_own_column(s: Session, intent: Intent, label: Inline) -> Match | None:
    """The bound thing's own link, where the text calls it as its column: "Click the **Username**".

    A click on the column's head would only sort the list.
    """
    key = s.values.bound_to(label.text)
    if not key or intent.noun or column_shown(s.view, label.text) is None:
        return None
    links = [
        e for e in s.view.elements if e.role == "link" and e.row is not None and same(key, e.name)
    ]
    return Match(links[0], How.HINTED) if len(links) == 1 else None


_ON_A_LINE = 16
"""CSS pixels, from middle to middle."""


def _beside_spotted(s: Session, label: Inline) -> Match | None:
    """The sign that stands nearest to what was found just before, on the same line."""
    spotted = s.view.element(s.spotted.id) if s.spotted is not None else None
    if spotted is None:
        return None
    neighbours = [
        e
        for e in s.view.elements
        if e.id != spotted.id and e.role in CLICKABLE
        and (e.region, e.group) == (spotted.region, spotted.group)
        and abs(_middle(e) - _middle(spotted)) <= _ON_A_LINE
        and (not e.name or e.is_wordless or shows_icon(e, label.text))
    ]  # fmt: skip
    neighbours = [e for e in neighbours if shows_icon(e, label.text)] or neighbours
    nearest = min(neighbours, key=lambda e: abs(e.box.x - spotted.box.x), default=None)
    return Match(nearest, How.HINTED) if nearest is not None else None


def _middle(e: Element) -> float:
    return e.box.y + e.box.height / 2


def _find_icon(s: Session, intent: Intent, label: Inline, row: str) -> Finding:
    """An icon, by what it shows or by what its tooltip says."""
    match = _only_icon_for(s, intent, label)
    if match is None and not s.is_menu_open:
        yield from read_tooltips(
            s, (e for e in s.front_elements if (in_row(e, row) if row else not e.row))
        )
        match = _find_bearer(s, intent, label, row)
    return match


def _only_icon_for(s: Session, intent: Intent, label: Inline) -> Match | None:
    """The only icon here that does what the text's icon is called by: ⤒ for "Upload File"."""
    if intent.noun not in nouns.ICONS.both:
        return None
    icon_words = words(label.text)
    icons = [
        e
        for e in s.view.elements
        if e.role in ("button", "link") and e.row is None and is_icon(e) and is_enabled(e)
        and any(
            icon_name_words and icon_name_words <= icon_words
            for look in (e.text or e.name, e.look)
            for icon_name_words in map(words, icon_names(look))
        )
    ]  # fmt: skip
    return Match(icons[0], How.HINTED) if len(icons) == 1 else None


def _is_icon_of_row(s: Session, intent: Intent, label: Inline, row: str) -> Did:
    """Whether the text calls the three dots of a row by a name that shows nowhere."""
    is_meant = intent.place.row or plain(label.text) in nouns.MENUS.both
    if not (row and is_meant) or not (yield from open_row_menu(s, row)):
        return False
    s.report(StepStatus.AS_WRITTEN)
    return True


def _is_page_menu(e: Element) -> bool:
    """Whether it is a menu of the whole page: that of a row may have another name, or none."""
    return e.row is None and "haspopup" in e.states


def _is_done_without_click(s: Session, intent: Intent, label: Inline) -> Did:
    """An icon without a label, a field to choose in, the region that is chosen already."""
    if intent.noun == "icon" and intent.label not in intent.sentence.inlines:
        yield from press_icon(s, intent, label)
        return True
    if _is_of_missed_form(s, label) or (intent.noun == "choice" and s.is_form_away):
        s.report_unreached()  # what is called so in the navigation is no choice of the form
        return True
    if intent.noun == "choice" and field(s.view, label.text) is None:
        yield from s.look_again(label.text) if clickable(s.view, label.text) is None else ()
    if intent in s.put_off:  # what is called so elsewhere leads away from the form
        shown = f'no page of the wizard has a field "{label.text}"'
        s.diverge(DivergenceKind.MISSING_CONTROL, label, shown, basis=Basis.ABSENT)
        return True
    if element := _field_to_fill(s, intent, label):
        s.note_match(label.text, element)
        bound_value = s.values.bound_to(label.text)
        if bound_value is not None:
            yield from enter_value(s, element, bound_value, None, named=label.text)
        else:
            place = replace(intent.place, field=label)
            yield from choices.choose(s, replace(intent, kind=IntentKind.CHOOSE, place=place))
        return True
    if intent.noun == "region" and is_current_region(s, label):
        s.report(StepStatus.AS_WRITTEN, f'the region is "{label.text}" already')
        return True
    return False


def _is_done_already(s: Session, intent: Intent, label: Inline) -> Did:
    """An option of a field of the form; a card that has buttons; the page that is open now."""
    if intent.noun == "choice" and (yield from choose_anywhere(s, label)):
        return True
    if intent.noun == "choice" and s.lost is None and _is_row_in_front(s, label.text):
        s.row = label.text  # what is clicked next is in it
        s.report(StepStatus.AS_WRITTEN, f'"{label.text}" has buttons of its own')
        return True
    if _was_just_done(s, intent, label):
        s.report(StepStatus.AS_WRITTEN, f'"{label.text}" has just been clicked', is_seen=False)
        return True
    if intent.noun in NAV_NOUNS and _is_shown_page(s, intent, label):
        s.heading = label.text if intent.noun == "path" else ""
        s.report(StepStatus.AS_WRITTEN, f'"{label.text}" is already open')
        s.confirm_place()
        return True
    return False


def _is_row_in_front(s: Session, row: str) -> bool:
    """Whether the page, or the dialog over it, has a row or card that begins with these words."""
    first_cells = (plain(e.row.split(" | ")[0]) for e in s.front_elements if e.row is not None)
    return any(first_cell.startswith(plain(row)) for first_cell in first_cells)


def _was_just_done(s: Session, intent: Intent, label: Inline) -> bool:
    """Whether it says once more what was done: "Choose **X** in the menu … Select **X**"."""
    last_intent = next((i for i in reversed(s.past) if i.kind is not IntentKind.INFORM), None)
    if last_intent is None or last_intent.kind is not IntentKind.OPEN or last_intent.label is None:
        return False
    is_choice = intent.noun == last_intent.noun == "choice"
    if not is_choice and (verb_of(label.text) or intent.noun in nouns.BUTTONS.both):
        return False  # "Next" may well be clicked twice; a page is gone to once
    is_same = last_intent.label.text.casefold() == label.text.casefold()
    return is_same and last_intent.sentence != intent.sentence and s.lost is None


_GROUP_TITLES = frozenset(TextKind) - {TextKind.COLUMN_HEADER}
"""What may be a heading of entries: "Action" over a column groups no menu."""


def _is_shown_page(s: Session, intent: Intent, label: Inline) -> bool:
    """A tab or page of that title is what is shown (its entry may be plain text then)."""
    if intent.noun == "path":
        # an entry of a menu path may be a heading that only groups what is below it
        grouped = any(
            same(label.text, e.group) or same(label.text, e.section) for e in s.view.elements
        )
        return s.lost is None and (
            grouped or text_shown(s.view, label.text, _GROUP_TITLES) is not None
        )
    title = text_shown(s.view, label.text, frozenset({TextKind.HEADING}))
    return title is not None and title.level == 1 and s.lost is None


def press_icon(s: Session, intent: Intent, label: Inline) -> Script:
    """As "the copy button next to the host name": an icon that the text calls by what it does."""
    row = yield from _row_of(s, intent)
    place_words = words(intent.place.row) - {"it", "them", "name", "the"}
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
    row_icons = [e for e in icons if row and is_of_row and in_row(e, row)]
    candidate_icons = row_icons or [
        e
        for e in icons
        if not place_words or place_words & words(f"{e.name} {e.row or ''} {e.group}")
    ]
    if not candidate_icons:
        if not intent.is_optional:
            s.leave_out(label.text)  # what is spoken of next may come only after it
        s.report(StepStatus.SKIPPED, f'no "{label.text}" button can be told by its name')
        return
    s.note_match(label.text, candidate_icons[0])
    result = yield from s.click(
        candidate_icons[0], f'click "{candidate_icons[0].name}"', intent.gesture
    )
    s.report(StepStatus.AS_WRITTEN if result.ok else StepStatus.STUCK, result.error)


def _row_of(s: Session, intent: Intent) -> Generator[Decision, None, str]:
    """The row meant by the intent, or else the one last spoken of."""
    if intent.place.is_above:
        return ""
    row_words = intent.place.row
    is_shown = any(in_row(e, row_words) for e in s.view.elements) if row_words else False
    if row_words and (row_key := s.values.row_key(row_words) or (row_words if is_shown else "")):
        s.row = row_key
        if not s.view.dialogs and not (yield from reveal_row(s, row_key)):
            yield from s.look_again(row_key)  # lists come later than their pages
    is_listed = any(in_row(e, s.row) for e in s.view.elements)
    return s.row if is_listed and (not s.view.dialogs or _is_row_in_front(s, s.row)) else ""


def _wait_until_enabled(
    s: Session, intent: Intent, label: Inline, element: Element
) -> Generator[Decision, None, Element]:
    """What a greyed-out control waits for is done; else that is said."""
    if not is_enabled(element) and s.row:
        yield from tick_row(s)
        again = clickable(s.view, element.name, noun=intent.noun)
        element = again.element if again else element
    if not is_enabled(element):
        yield from sending.unlock(s, element, label)
        element = s.view.element(element.id) or element
    if not is_enabled(element) and (unread := s.last_unread_step()):  # it may wait for just that
        s.lose("was not understood", unread)
        s.report_unreached()
    elif not is_enabled(element):
        message = f'"{element.name}" is greyed out'
        # what could not be carried out before, or was not taken, or is empty yet, it may wait for
        if not (s.has_strayed or s.is_unsure_of_entry or _may_wait_for_entry(s, element)):
            s.diverge(
                DivergenceKind.MISSING_CONTROL, label, message,
                severity=Severity.BREAKS, box=element.box,
            )  # fmt: skip
        s.report_stuck(message)
    return element


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


def _activate(s: Session, intent: Intent, label: Inline, match: Match) -> Script:
    """Click it, unless it is already in the state that the text wants."""
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
    """Where an entry of the navigation or a tab changes nothing, the page is not the one meant."""
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


def _try_other_name(s: Session, intent: Intent, label: Inline, row: str, place: _Place) -> Script:
    """Nothing bears the name: what is likeliest is tried; else it is missing."""
    if (yield from _is_icon_of_row(s, intent, label, row)):
        return
    if is_guessed(label, intent.sentence) and label.text[:1].islower():
        s.report_stuck(
            f'nothing is called "{label.text}": the text describes it, and marks no name'
        )
        return
    may_be_skipped = intent.is_optional or intent.is_conditional
    if not may_be_skipped and s.depends_on_left_out(label):
        s.lose("could not be carried out")
        return
    may_not_guess = s.may_be_elsewhere or may_be_skipped or _is_of_missing_part(s, intent)
    likely_elements = [] if may_not_guess else rank_candidates(s, intent, label, row)
    chosen = (yield from try_candidates(s, intent, likely_elements)) if likely_elements else None
    if chosen is None and not may_be_skipped and _may_be_any_entry(s, intent):
        chosen = yield from search_navigation(s, intent, label)
        if chosen is not None and text_shown(s.view, label.text, frozenset({TextKind.HEADING})):
            s.report(StepStatus.AS_WRITTEN, f"found under {chosen.name.strip()}")
            s.confirm_place()
            return
    if chosen is not None:
        s.confirm_place()
        if chosen.region == "navigation":
            s.nav_entry, s.row = chosen, ""
        report_possible_rename(s, label, chosen)
        return
    _report_missing(s, intent, label, place, likely_elements)


def _is_of_missing_part(s: Session, intent: Intent) -> bool:
    """Whether it stands in a part of the page that is not there: no other part has it instead."""
    part = intent.place.section
    if part is None:
        return False
    page_elements = [e for e in s.view.elements if e.region not in ("navigation", "menu", "banner")]
    names = [
        n
        for e in page_elements
        for n in (e.name, e.section, e.group, e.dialog, e.row, e.column)
        if n
    ]
    names += [t.text for t in s.view.texts]
    return not any(compare(part.text, n) is not None for n in names)


def _may_be_any_entry(s: Session, intent: Intent) -> bool:
    """Whether a page is to be gone to from wherever the reader is, and the way was not lost."""
    is_page = intent.noun in nouns.PLACES.both | nouns.NAVIGATION.both and intent.noun != "section"
    is_first = all(i.kind is IntentKind.INFORM for i in s.past)
    is_placed = is_first or not s.may_be_elsewhere
    return is_page and intent.noun not in TAB_NOUNS and s.lost is None and is_placed


def _report_missing(
    s: Session, intent: Intent, label: Inline, place: _Place, likely_elements: list[Element]
) -> None:
    """Nothing like it where the text has led; what is likeliest was not it."""
    if _explain_absence(s, intent, label):
        return
    message = f'nothing called "{label.text}" in {place.name}'
    if likely_elements:
        message += f'; did you mean "{likely_elements[0].name.strip()}"?'
    if names := names_of(_alternatives(place.view, intent)):
        message += f"; it offers {names}"
    is_part = intent.noun == "section"  # what it holds may be found without it
    if not s.has_failed_action:
        s.diverge(
            DivergenceKind.MISSING_CONTROL, label, message,
            severity=Severity.MISLEADS if is_part else Severity.BREAKS,
            basis=Basis.ABSENT, box=likely_elements[0].box if likely_elements else None,
        )  # fmt: skip
    if not is_part:
        s.report_stuck(message)


def _explain_absence(s: Session, intent: Intent, label: Inline) -> bool:
    """Whether nothing can be held against the text where no control is called so; says why."""
    placeholder = _LEFT_OPEN.search(label.text)
    if any(same(label.text, w) for w in verbs.LOGS_IN.both):
        s.report(StepStatus.AS_WRITTEN, "done by the appliance before the attempt", is_seen=False)
    elif intent.is_optional or intent.is_conditional:
        s.report(StepStatus.SKIPPED, f'"{label.text}" is not there; the text leaves it open')
    elif s.may_be_elsewhere:
        s.report_stuck("")
    elif placeholder is not None:
        s.report_left_open(placeholder["open"] or placeholder["quoted"])
    elif _sends_no_form(s, label):
        s.report_stuck(
            f'"{label.text}" sends a form, and there is none here: what opens it was not done'
        )
    elif intent.step == WAY and intent.sentence.text == s.task.procedure.title:
        s.report_stuck(
            f'nothing on the way is called "{label.text}", which only the heading names:'
            " the checks can say where it is, as `start:`"
        )
    elif intent.noun in nouns.ICONS.both:
        s.report_stuck(
            f'no icon is called "{label.text}"; which one is meant cannot be told by its name'
        )
    else:
        return False
    return True


def _sends_no_form(s: Session, label: Inline) -> bool:
    """Whether it sends a form where none is: nothing was filled in, and nothing could be."""
    is_sender = s.dialog is None and any(same(label.text, w) for w in _SENDERS)
    form = (e for e in s.view.elements if is_field(e) and e.region not in _NO_FORM)
    is_filled = s.last_typed is not None or s.touched_forms or s.set_by_hand or s.chosen_lists
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


def _in_named_part(s: Session, intent: Intent, menu_buttons: list[Element]) -> list[Element]:
    """Those in the part of the page that the text names, else of its own part.

    Where the text speaks of an icon, those that have no room for words.
    """
    section = intent.place.section
    if section is not None and any(same(section.text, e.section) for e in s.view.elements):
        menu_buttons = [e for e in menu_buttons if same(section.text, e.section)]
    menu_buttons = [e for e in menu_buttons if e.region in ("main", "form")] or menu_buttons
    icons = [e for e in menu_buttons if is_icon(e)] if intent.noun == "icon" else []
    return icons or menu_buttons


def _has_no_such_part(s: Session, intent: Intent) -> Did:
    """Whether the text says in which part of the page the menu is, and there is none: says so."""
    part = intent.place.section
    if part is None or s.may_be_elsewhere or is_known(s, part.text):
        return False
    yield from s.look_again(part.text)
    if is_known(s, part.text) or s.has_failed_action:
        return False
    message = f'nothing called "{part.text}" in {s.describe_place()}'
    if len(headings := [t.text for t in s.view.texts if t.kind is TextKind.HEADING]) > 1:
        s.absent_parts.add(part.span)
        message += "; it has " + ", ".join(f'"{h}"' for h in headings[:6])
    s.diverge(
        DivergenceKind.MISSING_CONTROL, part, message, severity=Severity.BREAKS, basis=Basis.ABSENT
    )
    s.report_stuck(message)
    return True


def open_menu(s: Session, intent: Intent) -> Script:
    """Click the menu button of the row (or of the page)."""
    row = yield from _row_of(s, intent)
    if s.lost is not None and not row:
        s.report_unreached()
        return
    row_buttons = menus(s.view, row=row) if row else []
    if not row_buttons and (yield from _has_no_such_part(s, intent)):
        return
    menu_buttons = row_buttons or _in_named_part(s, intent, menus(s.view))
    if (
        intent.noun == "menu"
        and not row_buttons
        and (len(menu_buttons) != 1 or s.next_label is not None)
    ):
        yield from _open_described_menu(s, menu_buttons)
        return
    if not menu_buttons and s.row and not s.view.dialogs:
        yield from (
            find_inside_thing(s, intent, intent.sentence.labels()[0], s.row)
            if (intent.sentence.labels())
            else ()
        )
        buttons_inside = [e for e in s.view.elements if is_row_menu(e)]
        menu_buttons = buttons_inside if len(buttons_inside) == 1 else []
    if menu_buttons:
        s.note_match("", menu_buttons[0])
        result = yield from s.click(menu_buttons[0], "open the menu")
        s.report(StepStatus.AS_WRITTEN if result.ok else StepStatus.STUCK, result.error)
    else:
        s.report(StepStatus.SKIPPED, "no menu button is there")


def _open_described_menu(s: Session, menu_buttons: list[Element]) -> Script:
    """A menu that the text tells by what it is for: which one, only its entries can say."""
    if (yield from open_menu_of_next(s, menu_buttons)):
        s.report(StepStatus.AS_WRITTEN)
    else:
        s.skip("not understood: which menu is meant")
        s.lose("was not understood")

"""Rows of lists: selecting them, ticking them, following their names."""

import re

from appliance.core.page import Element
from appliance.core.verdict import Basis, DivergenceKind, StepStatus
from appliance.language import nouns, verbs
from appliance.language.names import plain, same, singular_words, words
from appliance.policy.literal.act import dialogs, sending
from appliance.policy.literal.act.choices import choose_by_words
from appliance.policy.literal.act.fields import parts_shown
from appliance.policy.literal.act.groups import choose_in_group, is_list, is_of_group
from appliance.policy.literal.act.unfolding import reveal_row
from appliance.policy.literal.match.grounding import (
    CLICKABLE,
    FRAME,
    TOGGLES,
    card_of,
    closed_menus,
    folded_parts,
    in_row,
    is_enabled,
    is_page_of,
    leads_to,
    match_clickable,
    match_field,
    text_shown,
)
from appliance.policy.literal.read.intents import FIND, PRONOUNS, Gesture, Intent, IntentKind
from appliance.policy.literal.session import Script, ScriptOf, Session

_MAX_PAGES = 5


def pick(s: Session, intent: Intent) -> Script:
    """Select a row or the thing of that name; in a dialog, choose it in the field of that name."""
    key = _row_key(s, intent)
    if intent.is_optional and s.values.row_key(intent.thing) is None and intent.value is None:
        s.report(StepStatus.SKIPPED, "the text leaves it open")
        return
    if (yield from _try_to_pick(s, intent, key)):
        return
    if not key and (yield from _pick_any(s, intent)):
        return
    if not key and intent.thing:
        yield from s.look_again(intent.thing)
        if (yield from _pick_any(s, intent)):
            return
    if s.lost is not None:
        s.report_unreached()
    elif key:
        s.report_stuck(f'no row shows "{key}" in {s.describe_place()}')
    else:
        s.report_left_open(intent.thing)


def _is_section_shown(s: Session, intent: Intent) -> bool:
    label = intent.place.section
    return label is not None and text_shown(s.view, label.text) is not None


def _try_to_pick(s: Session, intent: Intent, key: str) -> ScriptOf[bool]:
    """Pick it on the page, in a menu, on its list's page or behind a dialog; False if in vain."""
    if (yield from _choose_in_form(s, intent, key)):
        return True
    if key and (yield from _pick_on_page(s, intent, key)):
        return True
    if (yield from choose_by_words(s, intent)):
        return True
    if key and s.lost is None and (yield from _pick_on_list_page(s, intent, key)):
        return True
    if key and intent.place.in_menu and (yield from _pick_in_menu(s, key)):
        return True
    return bool(key) and s.lost is None and (yield from _pick_behind_dialog(s, intent, key))


def _pick_any(s: Session, intent: Intent) -> ScriptOf[bool]:
    """Pick the first one where the text leaves open which, and nothing depends on it."""
    if part := _any_folded_part(s, intent):
        yield from _open_part(s, part)
    elif card := _first_card(s):
        s.row = card
        s.report(StepStatus.AS_WRITTEN, "the text leaves it open: the first one", is_seen=False)
    elif intent.noun == FIND and _is_section_shown(s, intent):
        s.report(StepStatus.AS_WRITTEN, "the part of the page is there", is_seen=False)
    elif parts_shown(s, [intent.thing]):
        note = f"the form has {intent.thing}; the text leaves open what to set"
        s.report(StepStatus.AS_WRITTEN, note, is_seen=False)
    else:
        return False
    return True


def _pick_on_page(s: Session, intent: Intent, key: str) -> ScriptOf[bool]:
    """Pick the row, the control of that name, or the part of the page that is about it."""
    if (yield from _bring_into_view(s, key)):
        s.row = key
        s.confirm_place()
        if "check" in intent.noun or "复选框" in intent.noun or _is_selected_for_next(s):
            yield from tick_row(s)
        s.report(StepStatus.AS_WRITTEN, f'the row of "{key}"')
        return True
    match = match_clickable(s.view, key)
    # turning a switch does not select it, and a part of the page is no other page
    is_other = match is not None and (
        match.element.role == "switch"
        or (intent.noun == FIND and match.element.region == "navigation")
    )
    if match is not None and _is_beside_next(s, intent):
        same_named = [e for e in s.view.elements if e.role in CLICKABLE and same(key, e.name)]
        # prefer an entry of the menu just opened to the page below it
        new_elements = [e for e in same_named if s.before.element(e.id) is None]
        s.spotted = next(iter(new_elements or same_named), match.element)
        s.note_match(key, s.spotted)
        s.report(StepStatus.AS_WRITTEN, f'"{key}" is there')
        return True
    if match is not None and not is_other:
        s.note_match(key, match.element)
        result = yield from s.click(match.element, f'select "{key}"')
        s.row = key
        s.report(StepStatus.AS_WRITTEN if result.ok else StepStatus.STUCK, result.error)
        return True
    if part := _folded_part_of(s, intent, key):
        s.note_match(key, part)
        s.row = key
        yield from _open_part(s, part)
        return True
    return False


def _is_selected_for_next(s: Session) -> bool:
    """Whether the row has a box to select it by, for the button of the list that comes next."""
    following = s.next_intent
    label = following.label if following and following.kind is IntentKind.OPEN else None
    button = match_clickable(s.view, label.text) if label is not None else None
    if button is None or button.element.row is not None or button.element.region in FRAME:
        return False
    boxes = [e for e in s.view.elements if e.role == "checkbox" and in_row(e, s.row)]
    return len(boxes) == 1 and not _is_about_something(boxes[0].column or "")


def _is_about_something(header: str) -> bool:
    """Whether a column of boxes is about something, and does not only select rows."""
    return bool(words(header) - _SELECTS)


_SELECTS = frozenset({"select", "selected", "all", "选择", "全选"})


def _is_beside_next(s: Session, intent: Intent) -> bool:
    """Whether it only has to be found, since the icon clicked next stands beside it."""
    next_intent = s.next_intent
    if next_intent is None or next_intent.kind is not IntentKind.OPEN or next_intent.label is None:
        return False
    is_sign = next_intent.noun in nouns.ICONS.both or not any(
        map(str.isalnum, next_intent.label.text)
    )
    return is_sign and bool(_FINDS.match(intent.sentence.text))


_FINDS = re.compile(r"\W*(?:then |next,? )?(?:find|locate|look for)\b", re.IGNORECASE)


def _open_part(s: Session, part: Element) -> Script:
    """Unfold a part of the page, where it is folded."""
    s.open_part = part.name
    if "expanded" not in part.states:
        yield from s.click(part, f'open "{part.name}"')
    s.report(StepStatus.AS_WRITTEN, f'"{part.name}"')


def _pick_behind_dialog(s: Session, intent: Intent, key: str) -> ScriptOf[bool]:
    """Pick it in the list behind an open dialog, which is finished or left first."""
    if s.dialog is None:
        return False
    if s.dialog in s.touched_forms:
        last_intent = s.past[-1] if s.past else intent
        yield from sending.finish_dialog(s, last_intent.sentence)
    else:
        yield from dialogs.leave_dialog(s)
    return s.dialog is None and (yield from _pick_on_page(s, intent, key))


def _folded_part_of(s: Session, intent: Intent, key: str) -> Element | None:
    """The folded part of the page about the thing: "Environment development, 1 strategy"."""
    kind = singular_words(intent.thing)
    parts = [e for e in folded_parts(s.view) if words(key) <= words(e.name)]
    parts = [e for e in parts if kind & singular_words(e.name)]
    return parts[0] if len(parts) == 1 else None


def _any_folded_part(s: Session, intent: Intent) -> Element | None:
    """On the page of a bound thing, the first of its folded parts of that kind."""
    kind = singular_words(intent.thing)
    is_bound = any(is_page_of(s.view, value) for value in s.task.bindings.values() if value)
    parts = [e for e in folded_parts(s.view) if kind and kind <= singular_words(e.name)]
    return parts[0] if is_bound and len(parts) > 1 else None


def _first_card(s: Session) -> str:
    """The key of a dialog's first card with the button that the text names next.

    What a dialog offers does not exist yet: any of it will do where the text leaves it open.
    """
    next_label = s.next_intent.label if s.next_intent is not None else None
    cards = (
        e.row
        for e in s.view.elements
        if next_label is not None
        and e.dialog is not None
        and e.row
        and same(next_label.text, e.name)
    )
    return next(cards, "") if s.lost is None else ""


def _choose_in_form(s: Session, intent: Intent, key: str) -> ScriptOf[bool]:
    """Choose it in a dialog, or in the field that the text names as the place."""
    radios = (e for e in s.view.elements if e.role == "radio" and same(intent.thing, e.name))
    if radio := next(radios, None):  # "Select the entire class" names an option
        result = yield from s.check(radio, checked=True, thought=f'choose "{radio.name}"')
        s.report(StepStatus.AS_WRITTEN if result.ok else StepStatus.STUCK, result.error)
        return True
    if s.view.dialogs and (yield from choose_by_words(s, intent)):
        return True
    label = intent.place.section
    match = match_field(s.view, label.text) if label is not None else None
    if not key or label is None or match is None or not match.how.is_strict:
        return False
    if not (is_list(match.element) or is_of_group(match.element, key)):
        return False
    s.note_match(label.text, match.element)
    value = s.values.bound_to(label.text) or key
    return (
        yield from choose_in_group(s, match.element, value, label_text=label.text, value_words=None)
    )


def _pick_on_list_page(s: Session, intent: Intent, key: str) -> ScriptOf[bool]:
    """Pick it on the page of its list, which has to be opened first; report the missing step."""
    thing_words = singular_words(intent.thing)
    entries = [
        e
        for e in s.view.elements
        if e.region == "navigation"
        and e.role == "link"
        and thing_words
        and singular_words(e.name) == thing_words
    ]
    is_told_elsewhere = bool(_REFERS.search(intent.sentence.text))
    if not entries or s.view.dialogs or intent.noun == FIND or is_told_elsewhere:
        return False
    yield from s.click(entries[0], f'look for "{key}" in "{entries[0].name}"')
    if not (yield from _bring_into_view(s, key)):
        return False
    s.diverge(
        DivergenceKind.MISSING_STEP,
        intent.sentence,
        f'"{entries[0].name}" has to be opened first',
        basis=Basis.ELSEWHERE,
    )
    s.row = key
    return True


_REFERS = re.compile(r"\bfollow the (?:instructions|steps|procedure|directions)\b", re.IGNORECASE)
"""Another procedure says where the thing is."""


def _pick_in_menu(s: Session, key: str) -> ScriptOf[bool]:
    """Click the menu entry that a binding names ("In the menu of the row, select the state")."""
    for toggle in closed_menus(s.view, row=s.row, label=key):
        yield from s.click(toggle, f'look for "{key}" in the menu')
        entry = match_clickable(s.view, key, row=s.row)
        if entry:
            result = yield from s.click(entry.element, f'choose "{key}"')
            s.report(StepStatus.AS_WRITTEN if result.ok else StepStatus.STUCK, result.error)
            return True
    return False


def _row_key(s: Session, intent: Intent) -> str:
    """The text that identifies the row: of the text, of a binding, or a word that a row shows."""
    if intent.value is not None:
        return s.values.bound_to(intent.value.text) or intent.value.text
    if bound_key := s.values.row_key(intent.thing):
        return bound_key
    if intent.thing in PRONOUNS:
        return s.row
    if shown_name := _named_with_its_kind(s, intent.thing):
        return shown_name
    rows = {e.row for e in s.view.elements if e.row}
    for word in intent.thing.split():
        if any(word.casefold() in [c.casefold() for c in row.split(" | ")] for row in rows):
            return word
    return ""


def _named_with_its_kind(s: Session, thing: str) -> str:
    """The name with which the words begin, of all that can be chosen: "the public link type"."""
    names = {
        e.name
        for e in s.front_elements
        if e.role in ("button", "radio", "option") and e.row is None and e.region not in FRAME
        and e.name and plain(thing).startswith(f"{plain(e.name)} ")
    }  # fmt: skip
    return names.pop() if len(names) == 1 else ""


def _bring_into_view(s: Session, key: str) -> ScriptOf[bool]:
    """Whether a row shows the key, after loading more rows and turning pages where necessary."""
    for _ in range(_MAX_PAGES):
        if (yield from reveal_row(s, key)):
            return True
        more = _next_page_button(s)
        if more is None:
            return False
        yield from s.click(more, f'look for "{key}" on the next page of the list')
    return False


def _next_page_button(s: Session) -> Element | None:
    """The button for the next page of a list; not the "Next" of a form."""
    has_rows = any(e.row for e in s.view.elements) or any(t.row for t in s.view.texts)
    if s.dialog is not None or not has_rows:
        return None
    return next(
        (
            e
            for e in s.view.elements
            if e.row is None and is_enabled(e) and not e.is_submit
            and any(same(w, e.name) for w in ("Next page", "Next", "下一页", "»", "›"))
        ),
        None,
    )  # fmt: skip


def tick_row(s: Session) -> Script:
    """Tick the check box of the current row."""
    for e in s.view.elements:
        if e.role in ("checkbox", "radio") and in_row(e, s.row):
            if "checked" not in e.states:
                yield from s.check(e, checked=True, thought=f'select the row of "{s.row}"')
                s.touch()
            return


def _row_spoken_of(s: Session, intent: Intent) -> str:
    """The key of the row last spoken of, unless that was of another kind of thing."""
    bound_kinds = (kind for kind, value in s.task.bindings.items() if same(value, s.row))
    bound_kind = next(bound_kinds, "")
    is_other = bool(bound_kind) and not singular_words(bound_kind) & singular_words(intent.thing)
    return "" if is_other and intent.thing else s.row


def _is_listed(s: Session, key: str) -> ScriptOf[bool]:
    """Whether a row shows the key; lists may be drawn later than their pages."""
    if (yield from _bring_into_view(s, key)):
        return True
    if match_clickable(s.view, key) is not None:
        return False
    yield from s.look_again(key)
    return (yield from _bring_into_view(s, key))


def follow(s: Session, intent: Intent) -> Script:
    """Open a row's thing, and then the side of it that the text names."""
    yield from _open_thing(s, intent)
    side = _side_of(s, intent)
    if side is not None:
        result = yield from s.click(side, f'go to the {intent.thing}, by "{side.name}"')
        s.report(StepStatus.AS_WRITTEN if result.ok else StepStatus.STUCK, result.error)


def edit(s: Session, intent: Intent) -> Script:
    """Open the thing, and then its form: "edit the user"."""
    yield from _open_thing(s, intent)
    next_label = s.next_label
    is_there = next_label is not None and (
        match_field(s.view, next_label.text) or match_clickable(s.view, next_label.text)
    )
    doers = [
        e
        for e in s.view.elements
        if e.role in ("button", "link", "tab") and e.row is None and is_enabled(e)
        and e.name and plain(e.name.split()[0]) in verbs.EDITS.both
    ]  # fmt: skip
    if s.lost is not None or is_there:
        return
    if len(doers) == 1:
        yield from s.click(doers[0], f'edit it, by "{doers[0].name}"')
    else:  # another page of the thing may be the one on which it is edited
        s.skip(f'not understood: where "{s.row or intent.thing}" is edited')
        s.lose("was not understood")


def _side_of(s: Session, intent: Intent) -> Element | None:
    """What leads to "the management area of an event", once the event is open."""
    side_words, separator, thing = intent.thing.partition(" of ")
    key = s.values.row_key(thing) if separator else None
    if key is None or s.view.dialogs or not is_page_of(s.view, key):
        return None
    matching = [
        e
        for e in s.view.elements
        if e.role in ("link", "button", "tab") and e.row is None and is_enabled(e)
        and words(side_words) <= words(e.name) and not {"current", "selected"} & e.states
    ]  # fmt: skip
    return matching[0] if len(matching) == 1 else None


def _open_thing(s: Session, intent: Intent) -> Script:
    key = s.values.row_key(intent.thing) or _row_spoken_of(s, intent)
    is_click = intent.gesture is Gesture.CLICK  # a right click is still to be done on an open page
    if is_click and key and not s.view.dialogs and is_page_of(s.view, key):
        s.confirm_place()
        s.report(StepStatus.AS_WRITTEN, f'"{key}" is already open')
        return
    if key and (yield from _is_listed(s, key)):
        row_elements = [e for e in s.view.elements if in_row(e, key)]
        links = [e for e in row_elements if e.role in ("link", "button")]
        # a click on the row itself opens the thing as well
        links = links or [e for e in row_elements if e.role == "row"]
        # rows of other things may mention the name
        links = [e for e in links if e.row and same(key, e.row.split(" | ")[0])] or links
        name_links = (
            [e for e in links if same(key, e.name)]
            or [e for e in links if key in e.name]
            or links[:1]
        )
        if name_links:
            s.confirm_place()
            s.row = key
            result = yield from s.click(name_links[0], f'open "{key}"', intent.gesture)
            s.report(StepStatus.AS_WRITTEN if result.ok else StepStatus.STUCK, result.error)
            return
    match = match_clickable(s.view, key) if key else None
    bearer = match.element if match and match.element.role not in TOGGLES else None
    link = next((e for e in s.view.elements if leads_to(e, key)), bearer) or card_of(s.view, key)
    if link is not None:
        s.note_match(key, bearer or link)
        if singular_words(intent.thing) & singular_words(link.href):
            s.confirm_place()  # "/projects/default" is a project
        result = yield from s.click(link, f'open "{key}"', intent.gesture)
        s.report(StepStatus.AS_WRITTEN if result.ok else StepStatus.STUCK, result.error)
        return
    yield from _report_not_followed(s, intent, key)


def _report_not_followed(s: Session, intent: Intent, key: str) -> Script:
    """Report that nothing leads to the thing, unless the words only describe a page."""
    if s.lost is not None:
        s.report_unreached()
    elif intent.gesture is Gesture.HOVER:
        s.report(StepStatus.SKIPPED, "whoever clicks what appears has the pointer there")
    elif key:
        s.report_stuck(f'no link "{key}" in {s.describe_place()}')
    elif intent.is_optional:
        s.report(StepStatus.SKIPPED, "the text leaves it open")
    elif not (yield from _go_to_list_page(s, intent)):
        s.report_left_open(intent.thing)


_PAGE = re.compile(r"\b(?:page|list|screen|overview|section)s?$", re.IGNORECASE)


def _go_to_list_page(s: Session, intent: Intent) -> ScriptOf[bool]:
    """Whether "the project list page" is open or was opened from the navigation."""
    if not _PAGE.search(intent.thing):
        return False
    thing_words = singular_words(intent.thing)
    next_label = s.next_label
    if next_label is not None and match_clickable(s.view, next_label.text) is not None:
        s.report(StepStatus.AS_WRITTEN, f'"{next_label.text}" is here', is_seen=False)
        return True
    entries = [
        e
        for e in s.view.elements
        if e.region == "navigation" and e.role == "link" and singular_words(e.name)
        and singular_words(e.name) <= thing_words
    ]  # fmt: skip
    if len(entries) != 1:
        return False
    result = yield from s.click(entries[0], f'open "{entries[0].name}"')
    s.report(StepStatus.AS_WRITTEN if result.ok else StepStatus.STUCK, result.error)
    return True

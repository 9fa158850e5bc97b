"""Where a patient reader looks for what is not in sight: menus, closed groups, inside the thing."""

import re

from appliance.core.page import Element
from appliance.core.procedure import Inline
from appliance.core.verdict import Basis, DivergenceKind, Severity
from appliance.language import verbs
from appliance.language.names import How, compare, plain, same, singular_words, verb_of, words
from appliance.policy.literal.act.guessing import rank_candidates
from appliance.policy.literal.act.notes import report_hidden, report_moved, report_rename
from appliance.policy.literal.match.grounding import (
    BUTTON_NOUNS,
    CLICKABLE,
    NAV_NOUNS,
    Match,
    closed_menus,
    find_submit_button,
    frame_menus,
    in_row,
    is_answer,
    is_enabled,
    is_entry,
    is_field,
    is_help,
    is_icon,
    match_clickable,
    match_loosely,
    match_nearly,
)
from appliance.policy.literal.match.standing import says_row
from appliance.policy.literal.read.intents import Intent, IntentKind
from appliance.policy.literal.read.whereabouts import says_dialog
from appliance.policy.literal.session import Script, ScriptOf, Session


def search(s: Session, intent: Intent, label: Inline, row: str) -> ScriptOf[Match | None]:
    """Look where a patient reader would: in menus and groups, behind tabs, for a near name."""
    s.is_searching = True
    match = yield from _search(s, intent, label, row)
    s.is_searching = False
    return match


def _search(s: Session, intent: Intent, label: Inline, row: str) -> ScriptOf[Match | None]:
    if row and (match := (yield from _in_row_or_its_menu(s, intent, label, row))):
        return match
    is_navigation = intent.noun in NAV_NOUNS or not intent.noun
    if s.lost is None and is_navigation:
        match = yield from _in_closed_groups(s, intent, label)
        if match:
            return match
    if intent.noun == "region":
        return (yield from _in_region_menu(s, label))
    if not row and (match := (yield from _in_page_menus(s, intent, label))):
        return match
    if s.lost is None and not row and (doer := only_doer(s, label)):
        return doer
    if s.lost is None and (match := (yield from _behind_tabs_and_folds(s, intent, label))):
        return match
    return (yield from _nearly_named_or_inside(s, intent, label, row))


def _in_page_menus(s: Session, intent: Intent, label: Inline) -> ScriptOf[Match | None]:
    """Look in the menus of the page, and in those of its frame where the text speaks of a menu."""
    # where the way is lost, an entry of that name may well be another thing
    if s.view.dialogs or not (s.lost is None or intent.place.in_menu):
        return None
    match = yield from _in_menus(s, label)
    if match is None and intent.place.in_menu:
        match = yield from _in_menus_of(s, label, frame_menus(s.view)[:_MAX_FRAME_MENUS])
    if match is not None and not intent.place.in_menu:
        s.note_match(label.text, match.element)
        report_moved(s, label, match.element, "of the page")
    return match


def _in_row_or_its_menu(
    s: Session, intent: Intent, label: Inline, row: str
) -> ScriptOf[Match | None]:
    """Look for a longer name in the row, then in the row's menu."""
    if s.lost is None and (doer := only_doer(s, label, row)):
        return doer
    match = yield from _in_menus(s, label, row=row)
    if match and not (intent.place.in_menu or intent.place.column) and s.lost is None:
        report_moved(s, label, match.element, "of the row")
    return match


def _nearly_named_or_inside(
    s: Session, intent: Intent, label: Inline, row: str
) -> ScriptOf[Match | None]:
    """Look for a control with nearly that name, then inside the thing that is meant."""
    match = _nearly_named(s, intent, label, row)
    if match is not None or s.view.dialogs:
        return match
    is_likely_here = s.is_menu_open and bool(rank_candidates(s, intent, label, row))
    if s.row and not is_likely_here:
        match = yield from find_inside_thing(s, intent, label, s.row)
    return match or (yield from _inside_bound_things(s, intent, label))


def _inside_bound_things(s: Session, intent: Intent, label: Inline) -> ScriptOf[Match | None]:
    """Open the bound things that the page lists: the text may presume that one is open."""
    if s.task.start_is_known:
        return None
    for value in s.task.bindings.values():
        openers = [
            e
            for e in s.view.elements
            if value and e.role in ("link", "button") and same(value, e.name) and e.dialog is None
        ]
        if len(openers) != 1 or s.opened == value:
            continue
        s.opened = value
        result = yield from s.click(openers[0], f'open "{value}" to look inside')
        if result.ok and (match := match_clickable(s.view, label.text, noun=intent.noun)):
            s.row, s.menu = "", None
            return match
    return None


def open_row_menu(s: Session, row: str) -> ScriptOf[bool]:
    """Whether the row's only menu icon is meant: its menu, now open, has what the text names next.

    Nothing shows what such an icon is called, so its name is no divergence.
    """
    toggles = [e for e in closed_menus(s.view, row=row) if is_icon(e)]
    next_label = s.next_label
    if len(toggles) != 1 or next_label is None or s.view.dialogs:
        return False
    result = yield from s.click(toggles[0], f'look for "{next_label.text}" in the menu of the row')
    if result.ok and match_clickable(s.view, next_label.text) is not None:
        s.menu = toggles[0]
        return True
    yield from s.press("Escape", thought="not in this menu")
    return False


_MAX_OPENED = 6
"""Tabs and folded parts opened in one search."""


def _behind_tabs_and_folds(s: Session, intent: Intent, label: Inline) -> ScriptOf[Match | None]:
    """Open the other tabs and the folded parts of what is in front; restore the tab if in vain."""
    home_tab = next((e for e in _tabs(s) if {"selected", "current"} & e.states), None)
    openers = [e for e in _tabs(s) if e is not home_tab] if home_tab else []
    openers += [e for e in _front_controls(s) if _is_folded(e)]
    for opener in openers[:_MAX_OPENED]:
        if (current := s.view.element(opener.id)) is None or not is_enabled(current):
            continue
        result = yield from s.click(opener, f'look for "{label.text}" behind "{opener.name}"')
        match = match_clickable(s.view, label.text, noun=intent.noun) if result.ok else None
        # a match in the navigation was there before
        if match is not None and match.element.region != "navigation":
            report_hidden(s, label, match.element, opener)
            return match
    current_home = s.view.element(home_tab.id) if home_tab and len(openers) else None
    if current_home is not None and not {"selected", "current"} & current_home.states:
        yield from s.click(current_home, f'back to "{current_home.name}"')
    return None


def _front_controls(s: Session) -> list[Element]:
    """Controls of the page or the dialog itself, without rows, menus and the frame around it."""
    return [
        e
        for e in s.view.elements
        if e.row is None
        and e.region not in _OUTER_REGIONS
        and (e.dialog is not None) == bool(s.view.dialogs)
        and is_enabled(e)
        and e.name.strip()
    ]


def _tabs(s: Session) -> list[Element]:
    return [e for e in _front_controls(s) if e.role == "tab"]


def _is_folded(e: Element) -> bool:
    is_menu = "haspopup" in e.states or is_field(e)
    is_folded = "collapsed" in e.states and not is_menu and e.role != "tab" and not e.is_submit
    return is_folded and not is_help(e)


def find_inside_thing(
    s: Session, intent: Intent, label: Inline, row: str
) -> ScriptOf[Match | None]:
    """Open the thing ("Select the container") and look inside."""
    openers = [
        e
        for e in s.view.elements
        if e.role in ("link", "button") and e.region != "navigation" and row in e.name.split()
    ]
    if not openers or s.opened == row:
        return None
    s.opened = row
    result = yield from s.click(openers[0], f'open "{row}" to look inside')
    if not result.ok:
        return None
    s.row, s.menu = "", None
    match = match_clickable(s.view, label.text, noun=intent.noun)
    if match is None and s.lost is None and not s.view.dialogs:
        match = yield from _in_menus(s, label)
    return match or _nearly_named(s, intent, label, "")


def _nearly_named(s: Session, intent: Intent, label: Inline, row: str) -> Match | None:
    """The control with nearly that name; reported as a divergence."""
    # on an uncertain page a near name may be another thing, except in the navigation
    if s.may_be_elsewhere and not s.is_about_bound_things:
        entry = match_nearly(s.view, label.text, intent.noun) if s.lost is None else None
        if entry is not None:
            s.note_match(label.text, entry.element)
            report_rename(s, label, entry)
        return entry
    match = match_loosely(s.view, label.text, noun=intent.noun, row=row)
    if match and s.is_menu_open and not is_entry(match.element) and match.element.row is None:
        match = None  # it should be in the open menu
    if match and says_row(intent) and match.element.region in _OUTER_REGIONS - {"menu"}:
        match = None  # it should be in a row
    is_action = verb_of(label.text) is not None and (intent.noun in BUTTON_NOUNS or not intent.noun)
    if match is None and not s.view.dialogs and is_action and not row:
        match = _only_maker(s, label)
    if match is None and not intent.place.row:
        match = _only_saver(s, label)
    is_of_dialog = is_action or says_dialog(intent) or is_answer(label.text)
    if match is None and s.view.dialogs and is_of_dialog:
        only = find_submit_button(s.view) if _is_ready_to_send(s) else None
        match = Match(only, How.STRUCTURE) if only and not _is_named_later(s, only.name) else None
    if match:
        if s.is_about_bound_things and s.lost is None:
            s.confirm_place()  # on the thing's own page a near name is certain enough
        report_rename(s, label, match)
    return match


def prefer_own_of_row(s: Session, intent: Intent, match: Match | None, row: str) -> Match | None:
    """The row's own control by another word, rather than one of that name outside the row.

    "Delete" in the row may be called "Destroy", while "Delete" above the list deletes the list's
    owner.
    """
    is_elsewhere = match is not None and bool(row) and not in_row(match.element, row)
    if not is_elsewhere or not says_row(intent) or intent.label is None or s.may_be_elsewhere:
        return match
    matches = [
        Match(e, How.SYNONYM)
        for e in s.view.elements
        if e.role in CLICKABLE and in_row(e, row) and is_enabled(e)
        and compare(intent.label.text, e.name) is How.SYNONYM
    ]  # fmt: skip
    if len(matches) != 1:
        return match
    report_rename(s, intent.label, matches[0])
    return matches[0]


def _is_named_later(s: Session, name: str) -> bool:
    """Whether the text asks for a control of exactly that name later."""
    labels = (intent.label for intent in s.upcoming[1:])
    return any(label is not None and same(label.text, name) for label in labels)


def _only_maker(s: Session, label: Inline) -> Match | None:
    """The only button that creates what the page lists, if the text wants to create that.

    "Create disk" on the page "Disks", where the only such button is "Create volume".
    """
    verb, titles = verb_of(label.text), [t.text for t in s.view.texts if t.level == 1]
    thing_words = singular_words(label.text)
    if verb not in _MAKING_VERBS or not any(thing_words & singular_words(t) for t in titles):
        return None
    makers = [
        e
        for e in s.view.elements
        if e.role in ("button", "link") and e.row is None and e.region not in _OUTER_REGIONS
        and verb_of(e.name) in _MAKING_VERBS and is_enabled(e)
    ]  # fmt: skip
    return _only_candidate(s, makers, How.SIMILAR)


def only_doer(s: Session, label: Inline, row: str = "") -> Match | None:
    """The only control that adds an object to the label's verb: "Edit" is "Edit platform", too.

    That of a row may add more words: the plus sign is "Add a new review group".
    """
    if verb_of(label.text) is None or len(label.text.split()) > 1 or s.view.dialogs:
        return None
    longer_named = [
        e
        for e in _longer_named(s, label, ("button", "link"), row)
        if row or len(e.name.split()) == _WITH_ITS_KIND
    ]
    # a reader finds it at once, which says nothing against the text
    return _only_candidate(s, longer_named, How.HINTED)


_WITH_ITS_KIND = 2
"""Words in a name of verb and object."""


def _only_saver(s: Session, label: Inline) -> Match | None:
    """The only button that saves and says a little more: "Save" is "Save and close", too."""
    if plain(label.text) not in verbs.SAVES.en:
        return None
    return _only_candidate(s, _longer_named(s, label, ("button",)), How.SIMILAR)


def _longer_named(
    s: Session, label: Inline, roles: tuple[str, ...], row: str = ""
) -> list[Element]:
    """Controls in front whose names begin with the label and add no second action."""
    ignored = _NEW_WORDS if row else frozenset[str]()
    return [
        e
        for e in s.view.elements
        if e.role in roles and (in_row(e, row) if row else e.row is None)
        and e.region not in _OUTER_REGIONS and is_enabled(e)
        and (e.dialog is not None) == bool(s.view.dialogs)
        and plain(e.name).startswith(f"{plain(label.text)} ")
        and not _SECOND_ACTION_WORDS & (words(e.name) - words(label.text) - ignored)
    ]  # fmt: skip


def _only_candidate(s: Session, candidate_elements: list[Element], how: How) -> Match | None:
    """The element as a match, if it is the only one and the text does not name it elsewhere."""
    if len(candidate_elements) != 1 or s.names_elsewhere(candidate_elements[0].name):
        return None
    return Match(candidate_elements[0], how)


_NEW_WORDS = frozenset(("new", "another"))
_SECOND_ACTION_WORDS = frozenset(
    ("another", "new", "add", "next", "continue", "as", "draft", "copy", "template")
)
"""Words in the names of buttons that do something else, too."""
_MAKING_VERBS = frozenset(v for v in map(verb_of, verbs.CREATES.both) if v)
_OUTER_REGIONS = frozenset({"navigation", "banner", "breadcrumb", "menu"})
"""Regions outside the part of the page in which a task is done."""


def _is_ready_to_send(s: Session) -> bool:
    """Whether a reader would click the dialog's main button now."""
    has_fields = any(is_field(e) and e.dialog is not None for e in s.view.elements)
    return (s.dialog or "") in s.touched_forms or not has_fields


_MAX_MENUS = 3
"""Menus of a page opened in the search for one entry."""
_MAX_FRAME_MENUS = 8
"""Menus of the frame opened, where the text says that the entry is in a menu."""


def _in_menus(s: Session, label: Inline, row: str = "") -> ScriptOf[Match | None]:
    """Open the closed drop-downs one by one and look; leave the right one open."""
    toggles = closed_menus(s.view, row=row, label=label.text)
    sentence_words = words(s.sentence.text) if s.sentence is not None else frozenset()
    # "in the menu in the review banner"
    toggles.sort(key=lambda e: not words(e.name) & sentence_words)
    return (yield from _in_menus_of(s, label, toggles if row else toggles[:_MAX_MENUS], row))


def _in_menus_of(
    s: Session, label: Inline, toggles: list[Element], row: str = ""
) -> ScriptOf[Match | None]:
    for toggle in toggles:
        result = yield from s.click(toggle, f'look for "{label.text}" in a menu')
        if not result.ok:
            continue
        if match := match_clickable(s.view, label.text, row=row):
            s.menu = toggle
            return match
        yield from s.press("Escape", thought="not in this menu")
    return None


def open_menu_of_next(s: Session, toggles: list[Element]) -> ScriptOf[bool]:
    """Open the one of several menus that has what the text clicks next; False if none has it."""
    next_intent = s.next_intent
    if next_intent is None or next_intent.kind is not IntentKind.OPEN or next_intent.label is None:
        return False
    if match_clickable(s.view, next_intent.label.text) is not None:
        return False  # it is visible without a menu
    # the text would call a menu with a name by it
    nameless_first = sorted(toggles, key=lambda e: not e.is_wordless)
    return (yield from _in_menus_of(s, next_intent.label, nameless_first[:_MAX_MENUS])) is not None


_REGION = re.compile(r"\bregion\b|地域|区域", re.IGNORECASE)


def _in_region_menu(s: Session, label: Inline) -> ScriptOf[Match | None]:
    """Look in the region menu of the frame around every page."""
    toggles = [
        e
        for e in s.view.elements
        if e.role in ("button", "combobox")
        and (_REGION.search(e.name) or any(same(label.text, o) for o in e.options))
        and is_enabled(e)
        and e.dialog is None
    ]
    for toggle in toggles[:2]:
        result = yield from s.click(toggle, "open the menu of regions")
        if result.ok and (match := match_clickable(s.view, label.text)):
            return match
        if result.ok and (near_match := match_loosely(s.view, label.text)):
            report_rename(s, label, near_match)
            return near_match
        yield from s.press("Escape", thought="not in this menu")
    return None


def _in_closed_groups(s: Session, intent: Intent, label: Inline) -> ScriptOf[Match | None]:
    """Open the closed groups of the navigation, beginning below the entry last opened."""
    groups = [
        e
        for e in s.view.elements
        if e.region == "navigation"
        and "collapsed" in e.states
        and "haspopup" not in e.states
        and is_enabled(e)
        and e.name.strip()
    ]
    last_y = s.nav_entry.box.y if s.nav_entry else 0.0
    expanded = [e for e in s.view.elements if e.region == "navigation" and "expanded" in e.states]
    for group in sorted(groups, key=lambda e: (e.box.y < last_y, e.box.y))[:8]:
        if s.view.element(group.id) is None:
            yield from _reopen_group(s, expanded)
        if s.view.element(group.id) is None:
            continue
        result = yield from s.click(group, f'look for "{label.text}" below "{group.name}"')
        if result.ok and (
            match := match_clickable(s.view, label.text, noun=intent.noun, after=group)
        ):
            s.diverge(
                DivergenceKind.MISSING_STEP,
                label,
                f'"{match.element.name}" is hidden until "{group.name}" is opened',
                severity=Severity.MISLEADS,
                basis=Basis.ELSEWHERE,
                box=match.element.box,
            )
            return match
    return None


def _reopen_group(s: Session, expanded: list[Element]) -> Script:
    """Open a navigation group again that another one has closed by opening."""
    for e in expanded:
        current = s.view.element(e.id)
        if current is not None and "collapsed" in current.states:
            yield from s.click(current, f'open "{current.name}" again')
            return


def is_current_region(s: Session, label: Inline) -> bool:
    """Whether that region is selected already."""
    region_name = plain(label.text)
    return any(
        _REGION.search(e.name) and region_name in plain(f"{e.name} {e.text} {e.value or ''}")
        for e in s.view.elements
        if e.role in ("button", "combobox") and e.dialog is None and e.row is None
    )

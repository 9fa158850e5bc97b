"""Where a patient reader looks for what is not in sight: menus, closed groups, inside the thing."""

import re
from collections.abc import Generator

from appliance.core.page import Element
from appliance.core.procedure import Inline
from appliance.core.verdict import Basis, DivergenceKind, Severity
from appliance.language import verbs
from appliance.language.names import How, compare, plain, same, singular_words, verb_of, words
from appliance.policy.base import Decision
from appliance.policy.literal.act.guessing import candidates
from appliance.policy.literal.act.notes import hidden, moved, rename
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
from appliance.policy.literal.session import Script, Session

Finding = Generator[Decision, None, Match | None]


def search(s: Session, intent: Intent, label: Inline, row: str) -> Finding:
    """Look where a patient reader would: in the row's menu, in closed groups, for a near name."""
    s.is_searching = True
    found = yield from _search(s, intent, label, row)
    s.is_searching = False
    return found


def _search(s: Session, intent: Intent, label: Inline, row: str) -> Finding:
    if row and (found := (yield from _in_the_row(s, intent, label, row))):
        return found
    is_navigation = intent.noun in NAV_NOUNS or not intent.noun
    if s.lost is None and is_navigation:
        found = yield from _in_closed_groups(s, intent, label)
        if found:
            return found
    if intent.noun == "region":
        return (yield from _in_region_menu(s, label))
    if not row and (found := (yield from _in_menus_said(s, intent, label))):
        return found
    if s.lost is None and not row and (doer := only_doer(s, label)):
        return doer
    if s.lost is None and (found := (yield from _behind(s, intent, label))):
        return found
    return (yield from _near_or_inside(s, intent, label, row))


def _in_menus_said(s: Session, intent: Intent, label: Inline) -> Finding:
    """What is in a menu of the page, or around it where the text speaks of a menu."""
    # where the way is lost, what bears the name in a menu is as likely another thing
    if s.view.dialogs or not (s.lost is None or intent.place.in_menu):
        return None
    found = yield from _in_menus(s, label)
    if found is None and intent.place.in_menu:
        found = yield from _in_menus_of(s, label, frame_menus(s.view)[:_FRAME_MENUS])
    if found is not None and not intent.place.in_menu:
        s.met(label.text, found.element)
        moved(s, label, found.element, "of the page")
    return found


def _in_the_row(s: Session, intent: Intent, label: Inline, row: str) -> Finding:
    """What does it in the row by a longer name, else what is in a menu of the row."""
    if s.lost is None and (doer := only_doer(s, label, row)):
        return doer
    found = yield from _in_menus(s, label, row=row)
    if found and not (intent.place.in_menu or intent.place.column) and s.lost is None:
        moved(s, label, found.element, "of the row")
    return found


def _near_or_inside(s: Session, intent: Intent, label: Inline, row: str) -> Finding:
    """What has nearly the name, else what is inside the thing that is meant."""
    near = _near(s, intent, label, row)
    if near is not None or s.view.dialogs:
        return near
    is_likely_here = s.is_menu_open and bool(candidates(s, intent, label, row))
    if s.row and not is_likely_here:
        near = yield from inside_the_thing(s, intent, label, s.row)
    return near or (yield from _inside_bound_things(s, intent, label))


def _inside_bound_things(s: Session, intent: Intent, label: Inline) -> Finding:
    """Open the things that the user bound, where the page lists them: a text may presume it."""
    if s.task.start_is_known:
        return None
    for value in s.task.bindings.values():
        named = [
            e
            for e in s.view.elements
            if value and e.role in ("link", "button") and same(value, e.name) and e.dialog is None
        ]
        if len(named) != 1 or s.opened == value:
            continue
        s.opened = value
        done = yield from s.click(named[0], f'open "{value}" to look inside')
        if done.ok and (found := match_clickable(s.view, label.text, noun=intent.noun)):
            s.row, s.menu = "", None
            return found
    return None


def row_menu(s: Session, row: str) -> Generator[Decision, None, bool]:
    """Whether the row's only menu, an icon, is meant by a name: it has what the text names next.

    What three dots are called shows nowhere: that is no divergence.
    """
    toggles = [e for e in closed_menus(s.view, row=row) if is_icon(e)]
    after = s.next_label
    if len(toggles) != 1 or after is None or s.view.dialogs:
        return False
    done = yield from s.click(toggles[0], f'look for "{after.text}" in the menu of the row')
    if done.ok and match_clickable(s.view, after.text) is not None:
        s.menu = toggles[0]
        return True
    yield from s.press("Escape", thought="not in this menu")
    return False


_OPENED = 6
"""So many tabs and folded parts of a page are opened in search of one thing."""


def _behind(s: Session, intent: Intent, label: Inline) -> Finding:
    """Open the other tabs and the folded parts of what is in front; leave it as it was."""
    home = next((e for e in _tabs(s) if {"selected", "current"} & e.states), None)
    openers = [e for e in _tabs(s) if e is not home] if home else []
    openers += [e for e in _in_front(s) if _is_folded(e)]
    for opener in openers[:_OPENED]:
        if (now := s.view.element(opener.id)) is None or not is_enabled(now):
            continue
        done = yield from s.click(opener, f'look for "{label.text}" behind "{opener.name}"')
        match = match_clickable(s.view, label.text, noun=intent.noun) if done.ok else None
        if match is not None and match.element.region != "navigation":  # that was there before
            hidden(s, label, match.element, opener)
            return match
    back = s.view.element(home.id) if home and len(openers) else None
    if back is not None and not {"selected", "current"} & back.states:
        yield from s.click(back, f'back to "{back.name}"')
    return None


def _in_front(s: Session) -> list[Element]:
    """What is on the page or in the dialog itself: no row, no menu, no frame around it."""
    return [
        e
        for e in s.view.elements
        if e.row is None
        and e.region not in _AROUND
        and (e.dialog is not None) == bool(s.view.dialogs)
        and is_enabled(e)
        and e.name.strip()
    ]


def _tabs(s: Session) -> list[Element]:
    return [e for e in _in_front(s) if e.role == "tab"]


def _is_folded(e: Element) -> bool:
    is_menu = "haspopup" in e.states or is_field(e)
    is_folded = "collapsed" in e.states and not is_menu and e.role != "tab" and not e.is_submit
    return is_folded and not is_help(e)


def inside_the_thing(s: Session, intent: Intent, label: Inline, row: str) -> Finding:
    """Open the thing ("Select the container"): what is looked for may be inside."""
    named = [
        e
        for e in s.view.elements
        if e.role in ("link", "button") and e.region != "navigation" and row in e.name.split()
    ]
    if not named or s.opened == row:
        return None
    s.opened = row
    done = yield from s.click(named[0], f'open "{row}" to look inside')
    if not done.ok:
        return None
    s.row, s.menu = "", None
    found = match_clickable(s.view, label.text, noun=intent.noun)
    if found is None and s.lost is None and not s.view.dialogs:
        found = yield from _in_menus(s, label)
    return found or _near(s, intent, label, "")


def _near(s: Session, intent: Intent, label: Inline, row: str) -> Match | None:
    """A looser match, reported as a divergence."""
    # a near name is as likely another thing, but in the navigation
    if s.may_be_elsewhere and not s.is_of_things:
        entry = match_nearly(s.view, label.text, intent.noun) if s.lost is None else None
        if entry is not None:
            s.met(label.text, entry.element)
            rename(s, label, entry)
        return entry
    match = match_loosely(s.view, label.text, noun=intent.noun, row=row)
    if match and s.is_menu_open and not is_entry(match.element) and match.element.row is None:
        match = None  # what the text looks for in an open menu is nothing beside it
    if match and says_row(intent) and match.element.region in _AROUND - {"menu"}:
        match = None  # what the text puts in a row is no entry of the navigation
    is_action = verb_of(label.text) is not None and (intent.noun in BUTTON_NOUNS or not intent.noun)
    if match is None and not s.view.dialogs and is_action and not row:
        match = _only_maker(s, label)
    if match is None and not intent.place.row:
        match = _only_saver(s, label)
    is_of_dialog = is_action or says_dialog(intent) or is_answer(label.text)
    if match is None and s.view.dialogs and is_of_dialog:
        only = find_submit_button(s.view) if _is_ready_to_send(s) else None
        match = Match(only, How.STRUCTURE) if only and not _comes_later(s, only.name) else None
    if match:
        if s.is_of_things and s.lost is None:
            s.found()  # of the thing itself, what is nearly called so is meant
        rename(s, label, match)
    return match


def own_of_row(s: Session, intent: Intent, match: Match | None, row: str) -> Match | None:
    """The row's own control by another word, reported, rather than one of that name elsewhere.

    "Delete" in the row may be called "Destroy", and "Delete" above the list be for what it is in.
    """
    is_elsewhere = match is not None and bool(row) and not in_row(match.element, row)
    if not is_elsewhere or not says_row(intent) or intent.label is None or s.may_be_elsewhere:
        return match
    alike = [
        Match(e, How.SYNONYM)
        for e in s.view.elements
        if e.role in CLICKABLE and in_row(e, row) and is_enabled(e)
        and compare(intent.label.text, e.name) is How.SYNONYM
    ]  # fmt: skip
    if len(alike) != 1:
        return match
    rename(s, intent.label, alike[0])
    return alike[0]


def _comes_later(s: Session, name: str) -> bool:
    """Whether the text asks for what is called so by its own name, further on."""
    labels = (intent.label for intent in s.upcoming[1:])
    return any(label is not None and same(label.text, name) for label in labels)


def _only_maker(s: Session, label: Inline) -> Match | None:
    """The one button that makes something on the list of what the text wants to make.

    "Create disk" on the page "Disks", where the only such button is "Create volume".
    """
    verb, titles = verb_of(label.text), [t.text for t in s.view.texts if t.level == 1]
    things = singular_words(label.text)
    if verb not in _MAKING or not any(things & singular_words(t) for t in titles):
        return None
    makers = [
        e
        for e in s.view.elements
        if e.role in ("button", "link") and e.row is None and e.region not in _AROUND
        and verb_of(e.name) in _MAKING and is_enabled(e)
    ]  # fmt: skip
    return _only(s, makers, How.SIMILAR)


def only_doer(s: Session, label: Inline, row: str = "") -> Match | None:
    """The one control that says to what it does it: "Edit" is "Edit platform", too.

    That of a row may say it with more words: the plus sign is "Add a new review group".
    """
    if verb_of(label.text) is None or len(label.text.split()) > 1 or s.view.dialogs:
        return None
    longer = [
        e
        for e in _say_more(s, label, ("button", "link"), row)
        if row or len(e.name.split()) == _WITH_ITS_KIND
    ]
    return _only(s, longer, How.HINTED)  # found at once: nothing to be held against the text


_WITH_ITS_KIND = 2
"""Words: what is done, and to what."""


def _only_saver(s: Session, label: Inline) -> Match | None:
    """The one button that saves and says a little more: "Save" is "Save and close", too."""
    if plain(label.text) not in verbs.SAVES.en:
        return None
    return _only(s, _say_more(s, label, ("button",)), How.SIMILAR)


def _say_more(s: Session, label: Inline, roles: tuple[str, ...], row: str = "") -> list[Element]:
    """Controls of what is in front whose names begin with the label, and do nothing besides."""
    return [
        e
        for e in s.view.elements
        if e.role in roles and (in_row(e, row) if row else e.row is None)
        and e.region not in _AROUND and is_enabled(e)
        and (e.dialog is not None) == bool(s.view.dialogs)
        and plain(e.name).startswith(f"{plain(label.text)} ")
        and not _ANOTHER & (words(e.name) - words(label.text) - (_OF_KIND if row else set()))
    ]  # fmt: skip


def _only(s: Session, fitting: list[Element], how: How) -> Match | None:
    """The one that fits, unless the text calls something else so."""
    if len(fitting) != 1 or s.names_elsewhere(fitting[0].name):
        return None
    return Match(fitting[0], how)


_OF_KIND = frozenset(("new", "another"))
_ANOTHER = frozenset(
    ("another", "new", "add", "next", "continue", "as", "draft", "copy", "template")
)
"""Words of buttons that save and do something else besides."""
_MAKING = frozenset(v for v in map(verb_of, verbs.CREATES.both) if v)
_AROUND = frozenset({"navigation", "banner", "breadcrumb", "menu"})
"""Regions around what a task is done in."""


def _is_ready_to_send(s: Session) -> bool:
    """Whether a click on the dialog's main button is what a reader would do now."""
    has_fields = any(is_field(e) and e.dialog is not None for e in s.view.elements)
    return (s.dialog or "") in s.touched or not has_fields


_MENUS = 3
"""So many menus of a page are opened in search of one entry."""
_FRAME_MENUS = 8
"""So many around it, where the text says that it is in a menu."""


def _in_menus(s: Session, label: Inline, row: str = "") -> Finding:
    """Open the closed drop-downs one by one and look; leaves the right one open."""
    toggles = closed_menus(s.view, row=row, label=label.text)
    said = words(s.sentence.text) if s.sentence is not None else frozenset()
    toggles.sort(key=lambda e: not words(e.name) & said)  # "in the menu in the review banner"
    return (yield from _in_menus_of(s, label, toggles if row else toggles[:_MENUS], row))


def _in_menus_of(s: Session, label: Inline, toggles: list[Element], row: str = "") -> Finding:
    for toggle in toggles:
        done = yield from s.click(toggle, f'look for "{label.text}" in a menu')
        if not done.ok:
            continue
        if match := match_clickable(s.view, label.text, row=row):
            s.menu = toggle
            return match
        yield from s.press("Escape", thought="not in this menu")
    return None


def menu_of_next(s: Session, toggles: list[Element]) -> Generator[Decision, None, bool]:
    """Whether one of several menus is left open: the one with what the text clicks next."""
    after = next(iter(s.upcoming[1:2]), None)
    if after is None or after.kind is not IntentKind.OPEN or after.label is None:
        return False
    if match_clickable(s.view, after.label.text) is not None:
        return False  # in sight without a menu
    nameless = sorted(toggles, key=lambda e: not e.is_wordless)  # what has a name is called so
    return (yield from _in_menus_of(s, after.label, nameless[:_MENUS])) is not None


_REGION = re.compile(r"\bregion\b|地域|区域", re.IGNORECASE)


def _in_region_menu(s: Session, label: Inline) -> Finding:
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
        done = yield from s.click(toggle, "open the menu of regions")
        if done.ok and (match := match_clickable(s.view, label.text)):
            return match
        if done.ok and (near := match_loosely(s.view, label.text)):
            rename(s, label, near)
            return near
        yield from s.press("Escape", thought="not in this menu")
    return None


def _in_closed_groups(s: Session, intent: Intent, label: Inline) -> Finding:
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
    around = [e for e in s.view.elements if e.region == "navigation" and "expanded" in e.states]
    for group in sorted(groups, key=lambda e: (e.box.y < at, e.box.y))[:8]:
        if s.view.element(group.id) is None:
            yield from _unfold_again(s, around)
        if s.view.element(group.id) is None:
            continue
        done = yield from s.click(group, f'look for "{label.text}" below "{group.name}"')
        if done.ok and (
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


def _unfold_again(s: Session, around: list[Element]) -> Script:
    """Where one part of a menu is open at a time, opening another has closed what was open."""
    for e in around:
        now = s.view.element(e.id)
        if now is not None and "collapsed" in now.states:
            yield from s.click(now, f'open "{now.name}" again')
            return


def is_current_region(s: Session, label: Inline) -> bool:
    """Whether the region named is the one that is shown as chosen."""
    wanted = plain(label.text)
    return any(
        _REGION.search(e.name) and wanted in plain(f"{e.name} {e.text} {e.value or ''}")
        for e in s.view.elements
        if e.role in ("button", "combobox") and e.dialog is None and e.row is None
    )

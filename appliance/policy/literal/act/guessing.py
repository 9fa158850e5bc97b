"""Trying likely controls where nothing bears the name; each is given up if it leads elsewhere.

A result is reported as a guess. The guard checks these clicks like all others.
"""

from collections.abc import Callable

from appliance.core import actions
from appliance.core.page import Element, Observation
from appliance.core.procedure import Inline
from appliance.language.names import same
from appliance.policy.literal.match.grounding import (
    BUTTON_NOUNS,
    NAV_NOUNS,
    has_list,
    in_row,
    is_entry,
    is_field,
    match_clickable,
)
from appliance.policy.literal.match.likeness import only_entry_doing, rank_by_likeness, topic_words
from appliance.policy.literal.read.beginning import beginning_of
from appliance.policy.literal.read.intents import Intent, IntentKind
from appliance.policy.literal.session import Script, ScriptOf, Session, titles

_MAX_TRIES = 2
_LOOKAHEAD = 3
"""Instructions looked at to tell whether a guess was right."""
_MAX_ENTRIES = 10
"""Navigation entries opened in the search for one page."""
_MIN_LIKENESS = 0.6
"""Likeness of a name all of whose words are in the text's titles."""
_LIST_WAIT_S, _MAX_LIST_WAITS = 0.8, 3
"""Pages draw their frame first, and their lists when these have come."""


def rank_candidates(s: Session, intent: Intent, label: Inline, row: str) -> list[Element]:
    """Controls that may be meant, likeliest first: menu entries, else those of the named kind."""
    if s.is_menu_open:
        entries = [e for e in s.view.elements if is_entry(e) and _is_free(s, e)]
        return rank_by_likeness(label.text, entries) or only_entry_doing(label.text, entries)
    kinds = {"tab"} if "tab" in intent.noun else {"button", "link", "tab"}
    if intent.noun in BUTTON_NOUNS:
        kinds = {"button"}
    wants_nav = intent.noun in NAV_NOUNS and not s.view.dialogs
    return rank_by_likeness(
        label.text,
        (
            e
            for e in s.view.elements
            if e.role in kinds
            and (e.dialog is not None) == bool(s.view.dialogs)
            and (e.region == "navigation") == (wants_nav and e.role != "tab")
            and (in_row(e, row) if row and e.row else e.row is None)
            and _is_free(s, e)
        ),
    )


def _is_free(s: Session, e: Element) -> bool:
    """Whether the text does not name it elsewhere."""
    return not is_field(e) and not s.names_elsewhere(e.name)


def try_candidates(
    s: Session, intent: Intent, candidate_elements: list[Element]
) -> ScriptOf[Element | None]:
    """Click the likeliest ones; return the one that brings what the text names next."""
    for e in candidate_elements[:_MAX_TRIES]:
        view_before = s.view
        result = yield from s.click(e, f'try "{e.name}", which is likest to what the text names')
        if result.ok and _fits(s, intent, view_before):
            return e
        if result.ok and len(s.view.dialogs) > len(view_before.dialogs):
            yield from s.press("Escape", thought=f'"{e.name}" was not meant')
        if s.view.element(e.id) is None or s.view.dialogs != view_before.dialogs:
            return None  # there is no known way back
    return None


def search_navigation(s: Session, intent: Intent, label: Inline) -> ScriptOf[Element | None]:
    """The navigation entry behind which the thing is listed that the text names next.

    As a reader looks for the page "Pricing" where none is called so: the entry that sounds like
    what the text is about is opened first. Where the thing is shown already, nothing is looked for;
    where there is none, only an entry counts that has no other words than the text's title.
    """
    key = next(iter(_things_next(s)), "")
    start_url, beginning = s.view.url, beginning_of(s.task.procedure)
    if (key and _has_row(s.view, key)) or s.view.dialogs:
        return None
    entries = [
        e
        for e in s.view.elements
        if e.region == "navigation" and e.role == "link" and e.row is None
        and not {"current", "selected"} & e.states and _is_free(s, e)
    ]  # fmt: skip
    if not key:
        named_entries = [e for e in entries if beginning.likeness(e.name) >= _MIN_LIKENESS]
        named_entries = [e for e in named_entries if topic_words(label.text) & topic_words(e.name)]
        return (
            (yield from try_candidates(s, intent, named_entries))
            if len(named_entries) == 1
            else None
        )
    for e in sorted(entries, key=lambda e: -beginning.likeness(e.name))[:_MAX_ENTRIES]:
        result = yield from s.click(e, f'look for "{label.text}" behind "{e.name}"')
        if result.ok:
            yield from wait_for_list(s, lambda: _has_row(s.view, key))
        if _has_row(s.view, key):
            return e
        if s.view.element(e.id) is None:
            break  # the navigation has changed
    yield from s.act(actions.OpenUrl(start_url), "go back: it is listed nowhere")
    return None


def wait_for_list(s: Session, is_enough: Callable[[], bool]) -> Script:
    """Wait a little for the page to show a list, or until `is_enough`."""
    for _ in range(_MAX_LIST_WAITS):
        if is_enough() or has_list(s.view):
            return
        yield from s.wait(_LIST_WAIT_S, "wait for what the page shows")


def _things_next(s: Session) -> list[str]:
    """Keys of the bound things that the next instructions open, or act on in their rows."""
    next_intents = s.upcoming[1 : 1 + _LOOKAHEAD]
    opening_kinds = (IntentKind.PICK, IntentKind.FOLLOW)
    things = [
        i.place.row or i.thing for i in next_intents if i.place.row or i.kind in opening_kinds
    ]
    return [key for thing in things if (key := s.values.row_key(thing))]


def _fits(s: Session, intent: Intent, view_before: Observation) -> bool:
    """Whether what the text names next has appeared; True where it names nothing."""
    next_intents = list(s.upcoming[1 : 1 + _LOOKAHEAD])
    named_labels = [
        i.label or i.place.field or i.place.dialog
        for i in next_intents
        if i.kind not in _SAYS_NOTHING
    ]
    names = [marked.text for marked in named_labels if marked is not None]
    if any(_has_row(s.view, key) and not _has_row(view_before, key) for key in _things_next(s)):
        return True
    if not names:
        return True
    names_before = _names_shown(view_before)
    return any(
        _is_there(s, name) and not any(same(name, n) for n in names_before) for name in names
    )


def _has_row(view: Observation, key: str) -> bool:
    return any(in_row(e, key) for e in view.elements)


_SAYS_NOTHING = frozenset({IntentKind.INFORM, IntentKind.EXPECT_TEXT, IntentKind.UNCLEAR})


def _is_there(s: Session, name: str) -> bool:
    return any(same(name, shown_name) for shown_name in _names_shown(s.view)) or bool(
        match_clickable(s.view, name)
    )


def _names_shown(view: Observation) -> list[str]:
    return [n for e in view.elements for n in (e.name, e.group) if n] + list(titles(view))

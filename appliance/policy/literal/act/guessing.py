"""Where nothing bears the name: what is likeliest is tried, and given up where it leads elsewhere.

What is tried is a guess, and told as one. The guard stands before it as before everything.
"""

from collections.abc import Generator

from appliance.core.page import Element, Observation
from appliance.core.procedure import Inline
from appliance.language.names import same
from appliance.policy.base import Decision
from appliance.policy.literal.match.grounding import (
    BUTTON_NOUNS,
    NAV_NOUNS,
    clickable,
    in_row,
    is_field,
)
from appliance.policy.literal.match.likeness import only_one_doing, ranked
from appliance.policy.literal.read.intents import Intent, IntentKind
from appliance.policy.literal.session import Session, titles

_TRIES = 2
_AHEAD = 3
"""So many of the next instructions may tell whether the guess was right."""


def candidates(s: Session, intent: Intent, label: Inline, row: str) -> list[Element]:
    """What may be meant: entries of the open menu, else controls of the kind that is named."""
    if is_menu_open(s):
        entries = [e for e in s.view.elements if _is_entry(e) and _is_free(s, e)]
        return ranked(label.text, entries) or only_one_doing(label.text, entries)
    kinds = {"tab"} if "tab" in intent.noun else {"button", "link", "tab"}
    if intent.noun in BUTTON_NOUNS:
        kinds = {"button"}
    wants_nav = intent.noun in NAV_NOUNS and not s.view.dialogs
    return ranked(
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


def is_menu_open(s: Session) -> bool:
    """Whether a menu shows its entries."""
    return any(map(_is_entry, s.view.elements))


def _is_entry(e: Element) -> bool:
    return e.region == "menu" or e.role == "menuitem"


def _is_free(s: Session, e: Element) -> bool:
    """Whether the text does not call something else by that name."""
    return not is_field(e) and not s.names_elsewhere(e.name)


def try_out(
    s: Session, intent: Intent, likely: list[Element]
) -> Generator[Decision, None, Element | None]:
    """Click the likeliest; the one after which the page has what the text names next."""
    for e in likely[:_TRIES]:
        before = s.view
        done = yield from s.click(e, f'try "{e.name}", which is likest to what the text names')
        if done.ok and _fits(s, intent, before):
            return e
        if done.ok and len(s.view.dialogs) > len(before.dialogs):
            yield from s.press("Escape", thought=f'"{e.name}" was not meant')
        if s.view.element(e.id) is None or s.view.dialogs != before.dialogs:
            return None  # the way back is not known
    return None


def _fits(s: Session, intent: Intent, before: Observation) -> bool:
    """Whether what the text names next has come; where it names nothing, whether anything has."""
    after = list(s.upcoming[1 : 1 + _AHEAD])
    mentioned = [
        i.label or i.place.field or i.place.dialog for i in after if i.kind not in _SAYS_NOTHING
    ]
    names = [marked.text for marked in mentioned if marked is not None]
    things = (i.thing for i in after if i.kind in (IntentKind.PICK, IntentKind.FOLLOW))
    keys = [key for thing in things if (key := s.values.row(thing))]
    if any(_has_row(s.view, key) and not _has_row(before, key) for key in keys):
        return True
    if not names:
        return True
    had = _shown(before)
    return any(_is_there(s, name) and not any(same(name, n) for n in had) for name in names)


def _has_row(view: Observation, key: str) -> bool:
    return any(in_row(e, key) for e in view.elements)


_SAYS_NOTHING = frozenset({IntentKind.INFORM, IntentKind.EXPECT_TEXT, IntentKind.UNCLEAR})


def _is_there(s: Session, name: str) -> bool:
    return any(same(name, shown) for shown in _shown(s.view)) or bool(clickable(s.view, name))


def _shown(view: Observation) -> list[str]:
    return [n for e in view.elements for n in (e.name, e.group) if n] + list(titles(view))

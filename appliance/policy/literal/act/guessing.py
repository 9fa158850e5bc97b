"""Where nothing bears the name: what is likeliest is tried, and given up where it leads elsewhere.

What is tried is a guess, and told as one. The guard stands before it as before everything.
"""

from collections.abc import Callable, Generator

from appliance.core import actions
from appliance.core.page import Element, Observation
from appliance.core.procedure import Inline
from appliance.language.names import same
from appliance.policy.base import Decision
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
from appliance.policy.literal.session import Script, Session, titles

_TRIES = 2
_AHEAD = 3
"""So many of the next instructions may tell whether the guess was right."""
_ENTRIES = 10
"""So many entries of the navigation are opened in search of one page, at most."""
_ALL_SAID = 0.6
"""So likely is a name all of whose words are among those of the text's titles."""
_LATE_S, _LATE_TIMES = 0.8, 3
"""Pages draw their frame first, and their lists when these have come."""


def candidates(s: Session, intent: Intent, label: Inline, row: str) -> list[Element]:
    """What may be meant: entries of the open menu, else controls of the kind that is named."""
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


def look_through(
    s: Session, intent: Intent, label: Inline
) -> Generator[Decision, None, Element | None]:
    """The entry of the navigation behind which the thing is listed that the text speaks of next.

    As a reader looks for the page "Pricing" where none is called so: the entry that sounds like
    what the text is about is opened first. Where the thing is shown already, nothing is looked for;
    where there is none, only an entry counts that has no other words than the text's title.
    """
    key = next(iter(_things_next(s)), "")
    at, about = s.view.url, beginning_of(s.task.procedure)
    if (key and _has_row(s.view, key)) or s.view.dialogs:
        return None
    entries = [
        e
        for e in s.view.elements
        if e.region == "navigation" and e.role == "link" and e.row is None
        and not {"current", "selected"} & e.states and _is_free(s, e)
    ]  # fmt: skip
    if not key:
        said = [e for e in entries if about.likeness(e.name) >= _ALL_SAID]
        said = [e for e in said if topic_words(label.text) & topic_words(e.name)]
        return (yield from try_out(s, intent, said)) if len(said) == 1 else None
    for e in sorted(entries, key=lambda e: -about.likeness(e.name))[:_ENTRIES]:
        done = yield from s.click(e, f'look for "{label.text}" behind "{e.name}"')
        if done.ok:
            yield from until_listed(s, lambda: _has_row(s.view, key))
        if _has_row(s.view, key):
            return e
        if s.view.element(e.id) is None:
            break  # the navigation is another now
    yield from s.act(actions.OpenUrl(at), "go back: it is listed nowhere")
    return None


def until_listed(s: Session, is_enough: Callable[[], bool]) -> Script:
    """Wait a little until the page has a list, or what is enough."""
    for _ in range(_LATE_TIMES):
        if is_enough() or has_list(s.view):
            return
        yield from s.wait(_LATE_S, "wait for what the page shows")


def _things_next(s: Session) -> list[str]:
    """The bound things that the next instructions open, or do something in the row of."""
    after = s.upcoming[1 : 1 + _AHEAD]
    opened = (IntentKind.PICK, IntentKind.FOLLOW)
    things = [i.place.row or i.thing for i in after if i.place.row or i.kind in opened]
    return [key for thing in things if (key := s.values.row(thing))]


def _fits(s: Session, intent: Intent, before: Observation) -> bool:
    """Whether what the text names next has come; where it names nothing, whether anything has."""
    after = list(s.upcoming[1 : 1 + _AHEAD])
    mentioned = [
        i.label or i.place.field or i.place.dialog for i in after if i.kind not in _SAYS_NOTHING
    ]
    names = [marked.text for marked in mentioned if marked is not None]
    if any(_has_row(s.view, key) and not _has_row(before, key) for key in _things_next(s)):
        return True
    if not names:
        return True
    had = _shown(before)
    return any(_is_there(s, name) and not any(same(name, n) for n in had) for name in names)


def _has_row(view: Observation, key: str) -> bool:
    return any(in_row(e, key) for e in view.elements)


_SAYS_NOTHING = frozenset({IntentKind.INFORM, IntentKind.EXPECT_TEXT, IntentKind.UNCLEAR})


def _is_there(s: Session, name: str) -> bool:
    return any(same(name, shown) for shown in _shown(s.view)) or bool(match_clickable(s.view, name))


def _shown(view: Observation) -> list[str]:
    return [n for e in view.elements for n in (e.name, e.group) if n] + list(titles(view))

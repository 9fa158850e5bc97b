"""What an attempt did that the console's pages can tell of afterwards."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from appliance.core import actions
from appliance.core.harm import Harm, HarmfulAction
from appliance.core.page import Element, Observation
from appliance.language.harm_words import HARMFUL_PATH
from appliance.policy.literal import is_search
from appliance.verification.guard.things import is_whole, rows_of
from appliance.verification.second_look.shown import is_same_page, shown_on
from appliance.verification.trajectory import Trajectory, Turn

MOST_PAGES = 4
"""Pages that are opened again."""
_LONGEST = 200
"""Characters of a name; what is longer is a text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered:
    """A value that was typed into a form."""

    value: str
    turn: int
    """When it was typed first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What is looked for, and where."""

    entered: tuple[Entered, ...]
    removed: tuple[str, ...]
    """Names of what was deleted, as the lists had them."""
    pages: tuple[str, ...]
    """Addresses of lists that were seen, and of the last page; the latest first."""


def done_in(trajectory: Trajectory, deeds: Sequence[HarmfulAction]) -> Done:
    """What an attempt did.

    Args:
        trajectory: The attempt.
        deeds: What of it could do harm, as the guard let it.
    """
    entered: dict[str, Entered] = {}
    for n, turn in enumerate(trajectory.turns):
        value = _typed(turn)
        if value and value not in entered:
            entered[value] = Entered(value=value, turn=n)
    removed = {name for deed in deeds if deed.harm is Harm.DELETE for name in deed.things}
    listed = {name for t in trajectory.turns for name in removed if shown_on(t.view, name)}
    return Done(
        entered=tuple(entered.values()),
        removed=tuple(sorted(listed)),
        pages=tuple(_pages(trajectory)),
    )


def is_new(trajectory: Trajectory, entered: Entered, unique: str, url: str) -> bool:
    """Whether what a page shows now was not there before it was typed.

    It bears the attempt's own marker, or the same list was seen whole without it.
    """
    if unique and unique in entered.value:
        return True
    before = [t.view for t in trajectory.turns[: entered.turn + 1]]
    if any(shown_on(view, entered.value) for view in before):
        return False
    return any(is_same_page(view.url, url) and is_whole(view) for view in before)


def _typed(turn: Turn) -> str:
    action = turn.decision.action
    if not isinstance(action, actions.Type) or turn.performed is None or not turn.performed.ok:
        return ""
    element = turn.view.element(action.element)
    is_name = 0 < len(action.text.strip()) <= _LONGEST and "\n" not in action.text.strip()
    return action.text.strip() if is_name and _is_told(element) else ""


def _is_told(element: Element | None) -> bool:
    """Whether a page may show it afterwards: no secret, and nothing that is only searched for."""
    return element is not None and element.type != "password" and not is_search(element)


def _pages(trajectory: Trajectory) -> list[str]:
    """The last page, then those with lists, then the others: the latest first."""
    views = [turn.view for turn in reversed(trajectory.turns) if may_open(turn.view.url)]
    lists: list[Observation] = []
    others: list[Observation] = []
    for view in views[1:]:
        (lists if rows_of(view) else others).append(view)
    known: list[str] = []
    for view in (*views[:1], *lists, *others):
        if not any(is_same_page(view.url, other) for other in known):
            known.append(view.url)
    return known[:MOST_PAGES]


def may_open(url: str) -> bool:
    """Whether opening an address can do nothing but show its page."""
    return url.startswith(("http://", "https://")) and not HARMFUL_PATH.search(unquote(url))

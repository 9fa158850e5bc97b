"""What an attempt did that the console's pages can still show afterwards."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from appliance.core import actions
from appliance.core.harm import Harm, HarmfulAction
from appliance.core.page import Element, Observation
from appliance.language.harm_words import HARMFUL_PATH
from appliance.language.names import plain
from appliance.policy.literal import is_search
from appliance.verification.guard.things import listed_names, rows_outside_dialogs, shows_whole_list
from appliance.verification.second_look.shown import is_same_page, shown_on
from appliance.verification.trajectory import Trajectory, Turn

MAX_PAGES = 4
"""Pages that are opened again."""
_MAX_NAME = 200
"""Characters of a name; what is longer is a text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered:
    """A value that was typed into a form."""

    value: str
    turn: int
    """Index of the turn that typed it first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What a second look searches for, and where."""

    entered: tuple[Entered, ...]
    removed: tuple[str, ...]
    """Names of what was deleted, as the lists had them."""
    pages: tuple[str, ...]
    """Addresses of lists that were seen, and of the last page; the latest first."""


def done_in(trajectory: Trajectory, harmful_actions: Sequence[HarmfulAction]) -> Done:
    """Extract from a trajectory what it entered and deleted.

    Args:
        trajectory: The attempt.
        harmful_actions: Its harmful actions that the guard allowed.
    """
    entered: dict[str, Entered] = {}
    for turn_index, turn in enumerate(trajectory.turns):
        value = _typed_value(turn)
        if value and value not in entered:
            entered[value] = Entered(value=value, turn=turn_index)
    removed = {name for deed in harmful_actions if deed.harm is Harm.DELETE for name in deed.things}
    listed_removals = {name for t in trajectory.turns for name in removed if shown_on(t.view, name)}
    return Done(
        entered=tuple(entered.values()),
        removed=tuple(sorted(listed_removals)),
        pages=tuple(_pages_to_reopen(trajectory)),
    )


def is_new(
    trajectory: Trajectory, done: Done, entered: Entered, unique: str, current: Observation
) -> bool:
    """Whether what a page shows now did not exist before it was typed.

    It bears the attempt's own marker; or the same list was seen whole without it, and has nothing
    else now that it had not: else it may just not have been loaded then.
    """
    if unique and unique in entered.value:
        return True
    earlier_views = [t.view for t in trajectory.turns[: entered.turn + 1]]
    if any(shown_on(view, entered.value) for view in earlier_views):
        return False
    entered_names = {plain(entry.value) for entry in done.entered}
    return any(
        shows_whole_list(view)
        and not view.is_busy
        and listed_names(current) - listed_names(view) <= entered_names
        for view in earlier_views
        if is_same_page(view.url, current.url)
    )


def _typed_value(turn: Turn) -> str:
    action = turn.decision.action
    if not isinstance(action, actions.Type) or turn.performed is None or not turn.performed.ok:
        return ""
    element = turn.view.element(action.element)
    is_name = 0 < len(action.text.strip()) <= _MAX_NAME and "\n" not in action.text.strip()
    return action.text.strip() if is_name and _can_be_shown(element) else ""


def _can_be_shown(element: Element | None) -> bool:
    """Whether a page may show it afterwards: no secret, and nothing that is only searched for."""
    return element is not None and element.type != "password" and not is_search(element)


def _pages_to_reopen(trajectory: Trajectory) -> list[str]:
    """The last page, then those with lists, then the others: the latest first."""
    views = [turn.view for turn in reversed(trajectory.turns) if may_open(turn.view.url)]
    list_views: list[Observation] = []
    other_views: list[Observation] = []
    for view in views[1:]:
        (list_views if rows_outside_dialogs(view) else other_views).append(view)
    urls: list[str] = []
    for view in (*views[:1], *list_views, *other_views):
        if not any(is_same_page(view.url, url) for url in urls):
            urls.append(view.url)
    return urls[:MAX_PAGES]


def may_open(url: str) -> bool:
    """Whether opening an address can do nothing but show its page."""
    return url.startswith(("http://", "https://")) and not HARMFUL_PATH.search(unquote(url))

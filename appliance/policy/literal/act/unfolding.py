"""Rows that a long table or list keeps back, asked for by what they show."""

from collections.abc import Generator

from appliance.core import actions
from appliance.core.page import Fold, FoldKind, Observation
from appliance.language.names import plain
from appliance.policy.base import Decision
from appliance.policy.literal.match.grounding import in_row
from appliance.policy.literal.session import Session


def is_listed(view: Observation, key: str) -> bool:
    """Whether a row that is there shows the key."""
    return any(in_row(e, key) for e in view.elements) or any(
        t.row and key.casefold() in t.row.casefold() for t in view.texts
    )


def _is_shown(view: Observation, key: str) -> bool:
    """Whether a cell says just that: `db-1` is not shown by the row of `db-10`."""
    wanted = plain(key)
    rows = {e.row for e in view.elements} | {t.row for t in view.texts}
    return any(wanted in map(plain, row.split(" | ")) for row in rows if row)


def bring_out(s: Session, key: str) -> Generator[Decision, None, bool]:
    """Whether a row shows the key, after asking every long list once for such rows."""
    if not key:
        return False
    for fold in s.view.folds:
        if _is_shown(s.view, key):
            break
        is_behind = s.dialog is not None and fold.dialog != s.dialog
        if is_behind or _is_whole(fold) or (fold.id, key) in s.asked_for:
            continue
        s.asked_for.add((fold.id, key))
        yield s.decision(
            actions.Unfold(fold.id, key),
            f'look for "{key}" among the {fold.total} rows',
        )
        if _is_shown(s.view, key):
            # Asked for another row, the list lets go of this one, which may be needed once more.
            s.asked_for.discard((fold.id, key))
    return is_listed(s.view, key)


def _is_whole(fold: Fold) -> bool:
    """Whether all of it is listed; a page that renders a few rows at a time may not say."""
    return fold.kind is not FoldKind.VIRTUAL and fold.listed >= fold.total

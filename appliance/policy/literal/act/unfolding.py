"""Rows that a long table or list keeps back, asked for by what they show."""

from appliance.core import actions
from appliance.core.page import Fold, FoldKind, Observation
from appliance.language.names import plain
from appliance.policy.literal.match.grounding import in_row
from appliance.policy.literal.session import ScriptOf, Session


def is_listed(view: Observation, key: str) -> bool:
    """Whether a loaded row shows the key."""
    return any(in_row(e, key) for e in view.elements) or any(
        t.row and key.casefold() in t.row.casefold() for t in view.texts
    )


def _is_shown(view: Observation, key: str) -> bool:
    """Whether a cell is exactly the key: the row of `db-10` does not show `db-1`."""
    plain_key = plain(key)
    rows = {e.row for e in view.elements} | {t.row for t in view.texts}
    return any(plain_key in map(plain, row.split(" | ")) for row in rows if row)


def reveal_row(s: Session, key: str) -> ScriptOf[bool]:
    """Whether a row shows the key, after asking every long list once for matching rows."""
    if not key:
        return False
    for fold in s.view.folds:
        if _is_shown(s.view, key):
            break
        is_behind = s.dialog is not None and fold.dialog != s.dialog
        if is_behind or _is_complete(fold) or (fold.id, key) in s.requested_rows:
            continue
        s.requested_rows.add((fold.id, key))
        yield s.make_decision(
            actions.Unfold(fold.id, key),
            f'look for "{key}" among the {fold.total} rows',
        )
        if _is_shown(s.view, key):
            # The list drops this row when another is requested, so it may be requested again.
            s.requested_rows.discard((fold.id, key))
    return is_listed(s.view, key)


def _is_complete(fold: Fold) -> bool:
    """Whether all rows are loaded; a list that renders a few at a time may not say."""
    return fold.kind is not FoldKind.VIRTUAL and fold.listed >= fold.total

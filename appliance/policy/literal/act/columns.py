"""A column that the text names and the list does not show: hidden, renamed, or not there."""

import re

from appliance.core.page import Element
from appliance.core.procedure import Inline
from appliance.core.verdict import Basis, DivergenceKind, StepStatus
from appliance.language.names import compare, same
from appliance.policy.literal.act.dialogs import leave_dialog
from appliance.policy.literal.match.grounding import TOGGLES, is_enabled
from appliance.policy.literal.match.pages import columns
from appliance.policy.literal.session import Script, ScriptOf, Session

_SETTINGS = re.compile(r"\bcolumns?\b|列设置|自定义列|显示列", re.IGNORECASE)


def report_missing_column(s: Session, label: Inline) -> Script:
    """Report that the list lacks the column, unless it only hides it."""
    column_names = columns(s.view)
    if not s.is_in_list or len(column_names) < 2:
        s.report(StepStatus.AS_WRITTEN, f'no column "{label.text}" is in sight', is_seen=False)
        return
    settings = next((e for e in s.view.elements if _SETTINGS.search(e.name)), None)
    if settings is not None:
        offered_names = yield from _offered_columns(s, settings)
        if not offered_names or any(
            compare(label.text, name) is not None for name in offered_names
        ):
            s.report(StepStatus.AS_WRITTEN, f'no column "{label.text}" is in sight', is_seen=False)
            return
    near_name = next((c for c in column_names if compare(label.text, c) is not None), None)
    names = ", ".join(f'"{c}"' for c in column_names)
    s.diverge(
        DivergenceKind.RENAMED_LABEL if near_name else DivergenceKind.WRONG_RESULT, label,
        f'the column is called "{near_name}"' if near_name else f"the list has the columns {names}",
        suggestion=near_name, basis=Basis.ALIKE if near_name else Basis.READ,
    )  # fmt: skip


def _offered_columns(s: Session, settings: Element) -> ScriptOf[tuple[str, ...]]:
    """The columns that the list's settings offer; empty if they do not show all of them."""
    if not is_enabled(settings):
        return ()
    view_before = s.view
    result = yield from s.click(settings, "look which columns the list may show")
    known_ids = {e.id for e in view_before.elements}
    new_toggles = [
        e
        for e in s.view.elements
        if e.id not in known_ids and e.role in {*TOGGLES, "menuitemcheckbox"}
    ]
    names = tuple(e.name for e in new_toggles) if result.ok else ()
    yield from leave_dialog(s)
    if s.view.dialogs != view_before.dialogs:
        s.lose("opened the settings of the list, which did not close again")
        return ()
    are_all = sum(any(same(c, name) for name in names) for c in columns(view_before)) > 1
    return names if are_all else ()

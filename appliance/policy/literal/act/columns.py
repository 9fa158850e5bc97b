"""A column that the text names and the list does not show: hidden, renamed, or not there."""

import re
from collections.abc import Generator

from appliance.core.page import Element
from appliance.core.procedure import Inline
from appliance.core.verdict import Basis, DivergenceKind, StepStatus
from appliance.language.names import compare, same
from appliance.policy.base import Decision
from appliance.policy.literal.act.dialogs import leave
from appliance.policy.literal.match.grounding import TOGGLES, is_enabled
from appliance.policy.literal.match.pages import columns
from appliance.policy.literal.session import Script, Session

_SETTINGS = re.compile(r"\bcolumns?\b|列设置|自定义列|显示列", re.IGNORECASE)


def no_column(s: Session, label: Inline) -> Script:
    """Tell it of the list in which the row was found, unless that list only hides it."""
    shown = columns(s.view)
    if not s.is_in_list or len(shown) < 2:
        s.report(StepStatus.AS_WRITTEN, f'no column "{label.text}" is in sight', is_seen=False)
        return
    settings = next((e for e in s.view.elements if _SETTINGS.search(e.name)), None)
    if settings is not None:
        offered = yield from _offered(s, settings)
        if not offered or any(compare(label.text, name) is not None for name in offered):
            s.report(StepStatus.AS_WRITTEN, f'no column "{label.text}" is in sight', is_seen=False)
            return
    near = next((c for c in shown if compare(label.text, c) is not None), None)
    names = ", ".join(f'"{c}"' for c in shown)
    s.diverge(
        DivergenceKind.RENAMED_LABEL if near else DivergenceKind.WRONG_RESULT, label,
        f'the column is called "{near}"' if near else f"the list has the columns {names}",
        suggestion=near, basis=Basis.ALIKE if near else Basis.READ,
    )  # fmt: skip


def _offered(s: Session, settings: Element) -> Generator[Decision, None, tuple[str, ...]]:
    """The columns that can be chosen; none where they are not all in sight."""
    if not is_enabled(settings):
        return ()
    before = s.view
    done = yield from s.click(settings, "look which columns the list may show")
    known = {e.id for e in before.elements}
    new = [
        e for e in s.view.elements if e.id not in known and e.role in {*TOGGLES, "menuitemcheckbox"}
    ]
    names = tuple(e.name for e in new) if done.ok else ()
    yield from leave(s)
    if s.view.dialogs != before.dialogs:
        s.lose("opened the settings of the list, which did not close again")
        return ()
    are_all = sum(any(same(c, name) for name in names) for c in columns(before)) > 1
    return names if are_all else ()

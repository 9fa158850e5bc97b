"""Columns of the lists in sight."""

from appliance.core.page import Observation, TextKind
from appliance.language.names import same


def columns(view: Observation) -> tuple[str, ...]:
    """The headers of all columns, each once."""
    names = [t.text for t in view.texts if t.kind is TextKind.COLUMN_HEADER]
    names += [e.name for e in view.elements if e.role == "columnheader"]
    names += [t.column for t in view.texts if t.column]
    names += [e.column for e in view.elements if e.column]
    names += [c for fold in view.folds for c in fold.columns]
    return tuple(dict.fromkeys(name for name in names if name))


def column_shown(view: Observation, name: str) -> str | None:
    """The column of that name."""
    return next((c for c in columns(view) if same(name, c)), None)

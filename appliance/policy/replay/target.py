"""What an action is done to: by role, name and place, never by a number or a position."""

from dataclasses import dataclass

from appliance.core.page import Element, Observation
from appliance.policy.replay.skeleton import row_of
from appliance.policy.replay.wording import Wording


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """An element in words. All texts without what differs from attempt to attempt."""

    role: str
    name: str
    text: str
    type: str
    dialog: str | None
    region: str
    section: str
    group: str
    column: str | None
    row: tuple[str, ...] | None
    """The attempt's own things that its row is about, else the procedure's phrases in it; None
    outside rows."""


def target_of(e: Element, wording: Wording) -> Target:
    """An element in words."""
    return Target(
        role=e.role,
        name=wording.text(e.name),
        text=wording.text(e.text),
        type=e.type,
        dialog=None if e.dialog is None else wording.text(e.dialog),
        region=e.region,
        section=wording.text(e.section),
        group=wording.text(e.group),
        column=e.column,
        row=_row(e, wording),
    )


def find(target: Target, view: Observation, wording: Wording) -> Element | None:
    """The one element that these words describe; None where there is none or more than one."""
    alike = [e for e in view.elements if e.role == target.role and target_of(e, wording) == target]
    return alike[0] if len(alike) == 1 else None


def _row(e: Element, wording: Wording) -> tuple[str, ...] | None:
    if e.row is None:
        return None
    return row_of(e.row, wording) or tuple(sorted(wording.phrases([e.row])))

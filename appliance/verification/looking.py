"""Whether anything is to be changed, and was: who only looks proves nothing of a change."""

from appliance.core import actions
from appliance.core.procedure import Procedure
from appliance.policy.literal import asks_for_change, does_something, is_search
from appliance.verification.trajectory import Trajectory, Turn


def is_to_look(procedure: Procedure) -> bool:
    """Whether a procedure is over when something was found and read."""
    return not asks_for_change(procedure)


def has_changed(trajectory: Trajectory) -> bool:
    """Whether an action that went well may have changed something in the console."""
    return any(_changes(turn) for turn in trajectory.turns)


def _changes(turn: Turn) -> bool:
    if turn.performed is None or not turn.performed.ok or turn.refused:
        return False
    action = turn.decision.action
    element = turn.view.element(action.element) if action.element is not None else None
    match action:
        case actions.Check() | actions.Select() | actions.Upload() | actions.Drag():
            return True
        case actions.Type():
            return element is None or not is_search(element)
        case actions.Click():
            is_known = element is not None and element.role not in ("link", "tab")
            does = element is not None and does_something(element.name)
            return is_known and (does or (element is not None and element.is_submit))
        case _:
            return False

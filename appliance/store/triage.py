"""What a person's word makes of an incident."""

from dataclasses import replace
from datetime import datetime
from typing import assert_never

from appliance.core.errors import SetupError
from appliance.store.incident import Incident, IncidentState, TriageAction, TriageDecision
from appliance.store.times import as_stored


def after(before: Incident, decision: TriageDecision, at: datetime) -> Incident:
    """The incident as it is then; `SetupError` says why it may not be."""
    match decision.action:
        case TriageAction.CONFIRM:
            return _with_state(before, IncidentState.CONFIRMED, at)
        case TriageAction.REJECT:
            return replace(before, state=IncidentState.REJECTED, accepted_until=None)
        case TriageAction.ACCEPT:
            if decision.until is None or decision.until <= at:
                raise SetupError("To accept an incident, say until when: a date yet to come.")
            accepted = _with_state(before, IncidentState.ACCEPTED, at)
            return replace(accepted, accepted_until=decision.until)
        case TriageAction.REOPEN:
            return _with_state(before, IncidentState.OPEN, at)
        case TriageAction.ASSIGN:
            if decision.assignee is None:
                raise SetupError("To assign an incident, name somebody; an empty name is nobody.")
            return replace(before, assignee=decision.assignee.strip())
        case TriageAction.COMMENT:
            if not decision.comment.strip():
                raise SetupError("A comment needs words.")
            return before
    assert_never(decision.action)


def words(decision: TriageDecision) -> str:
    """What its log says besides the action."""
    first = ""
    if decision.action is TriageAction.ACCEPT and decision.until is not None:
        first = f"until {as_stored(decision.until):%Y-%m-%d %H:%M} UTC"
    elif decision.action is TriageAction.ASSIGN:
        first = (decision.assignee or "").strip() or "nobody"
    return ": ".join(part for part in (first, decision.comment.strip()) if part)


def _with_state(before: Incident, state: IncidentState, at: datetime) -> Incident:
    if before.state is IncidentState.CLOSED:
        raise SetupError(
            f"The incident {before.id} is closed: the console agrees with the text now. It opens "
            "by itself when it is seen again."
        )
    if not before.places:  # was rejected, and is not shown any more
        return replace(before, state=IncidentState.CLOSED, closed_at=at, accepted_until=None)
    return replace(before, state=state, closed_at=None, accepted_until=None)

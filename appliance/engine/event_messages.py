"""Events as those who watch from outside are told them: a run, a name, and plain data."""

import re
from typing import NamedTuple

from appliance.core.events import (
    Event,
    FindingClosed,
    FindingOpened,
    ProcedureFinished,
    RunFinished,
    RunStarted,
    SweepProgressed,
)
from appliance.core.jsonable import Json, json_object
from appliance.core.result import ProcedureResult

_HUMP = re.compile(r"(?<!^)(?=[A-Z])")


class EventMessage(NamedTuple):
    """A short description of an event."""

    run_id: str
    """Empty: it is of no run."""
    name: str
    """`step_finished`."""
    data: dict[str, Json]


def event_message(event: Event) -> EventMessage:
    """The event without what is long: verdicts and findings stand in the run's result."""
    name = _HUMP.sub("_", type(event).__name__).lower()
    match event:
        case RunStarted():
            data: dict[str, Json] = {"procedures": event.procedures, "goes_on": event.goes_on}
            return EventMessage(event.run_id, name, data)
        case ProcedureFinished():
            return EventMessage(event.run_id, name, _in_short(event.result))
        case RunFinished():
            return EventMessage(event.run_id, name, {"summary": json_object(event.summary)})
        case SweepProgressed():
            data = json_object(event)
            del data["sweep_id"]
            return EventMessage(event.sweep_id, name, data)
        case FindingOpened() | FindingClosed():
            data = json_object(event)
            finding = data["finding"]
            if isinstance(finding, dict):
                del finding["evidence"]
            return EventMessage("", name, data)
        case _:
            data = json_object(event)
            run_id = data.pop("run_id", "")
            return EventMessage(str(run_id), name, data)


def _in_short(result: ProcedureResult) -> dict[str, Json]:
    return {
        "procedure_id": result.id,
        "title": result.title,
        "document": result.document,
        "line": result.line,
        "verdict": result.verdict.value,
        "findings": sum(finding.is_alarming for finding in result.findings),
        "attempts": result.attempts,
        "blocked_by": result.blocked_by,
        "cause": result.cause,
        "cost": json_object(result.cost),
    }

"""Many procedures, planned and carried out together, whatever happens to the process."""

from appliance.sweep.control import Control, Wish
from appliance.sweep.plan import History, Plan, Reason, make_plan
from appliance.sweep.queue import Queue, SweepRequest, enqueue, sweep_of, unfinished
from appliance.sweep.run import Bounds, Conductor, Ending, Reading
from appliance.sweep.status import StatusFile, status_document

__all__ = [
    "Bounds",
    "Conductor",
    "Control",
    "Ending",
    "History",
    "Plan",
    "Queue",
    "Reading",
    "Reason",
    "StatusFile",
    "SweepRequest",
    "Wish",
    "enqueue",
    "make_plan",
    "status_document",
    "sweep_of",
    "unfinished",
]

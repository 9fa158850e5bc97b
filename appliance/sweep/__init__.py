"""Many procedures, planned and carried out together, whatever happens to the process."""

from appliance.sweep.asking import Asked, asked, asked_again, lanes, plan_of, window_of
from appliance.sweep.control import Control, Wish
from appliance.sweep.plan import History, Plan, Reason, make_plan
from appliance.sweep.queue import Queue, SweepRequest, enqueue, new_run_id, sweep_of, unfinished
from appliance.sweep.reading import Load, choose, read_documents
from appliance.sweep.run import Bounds, Conductor, Ending, Reading
from appliance.sweep.sitting import Room, cancel_unbegun, sit
from appliance.sweep.status import StatusKeeper, status_of

__all__ = [
    "Asked",
    "Bounds",
    "Conductor",
    "Control",
    "Ending",
    "History",
    "Load",
    "Plan",
    "Queue",
    "Reading",
    "Reason",
    "Room",
    "StatusKeeper",
    "SweepRequest",
    "Wish",
    "asked",
    "asked_again",
    "cancel_unbegun",
    "choose",
    "enqueue",
    "lanes",
    "make_plan",
    "new_run_id",
    "plan_of",
    "read_documents",
    "sit",
    "status_of",
    "sweep_of",
    "unfinished",
    "window_of",
]

"""Carries out runs: whatever is to be verified, whoever asks, whatever happens to the process."""

from appliance.engine.engine import Engine, EngineOptions, open_engine, open_local_engine
from appliance.engine.live import Live, LiveEvent, LiveProcedure, LiveRun, LiveState
from appliance.engine.plan import Plan
from appliance.engine.planner import Planner
from appliance.engine.problems import NothingToDo, NotReady, UnknownRun
from appliance.engine.reading import choose, read_documents
from appliance.engine.request import InlineDocument, RunKind, RunRequest

__all__ = [
    "Engine",
    "EngineOptions",
    "InlineDocument",
    "Live",
    "LiveEvent",
    "LiveProcedure",
    "LiveRun",
    "LiveState",
    "NotReady",
    "NothingToDo",
    "Plan",
    "Planner",
    "RunKind",
    "RunRequest",
    "UnknownRun",
    "choose",
    "open_engine",
    "open_local_engine",
    "read_documents",
]

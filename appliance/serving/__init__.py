"""What `appliance serve` is behind its pages: consoles, runs and accounts of one process."""

from appliance.serving.asks import InlineDocument, SweepAsk, VerificationAsk
from appliance.serving.engine import Engine, open_engine
from appliance.serving.live import Live, LiveEvent, LiveProcedure, LiveRun, LiveState
from appliance.serving.problems import NotReady, UnknownRun

__all__ = [
    "Engine",
    "InlineDocument",
    "Live",
    "LiveEvent",
    "LiveProcedure",
    "LiveRun",
    "LiveState",
    "NotReady",
    "SweepAsk",
    "UnknownRun",
    "VerificationAsk",
    "open_engine",
]

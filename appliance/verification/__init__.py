"""Attempts, verdicts and findings."""

from appliance.verification.confidence import Signs
from appliance.verification.context import RunContext, check_policy
from appliance.verification.patching.patches import (
    MIN_CONFIDENCE,
    DocumentEdits,
    LeftOut,
    document_edits,
)
from appliance.verification.results import unspoken
from appliance.verification.trajectory import StopReason, Trajectory, Turn
from appliance.verification.verifier import OpenRun, begin_run

__all__ = [
    "MIN_CONFIDENCE",
    "DocumentEdits",
    "LeftOut",
    "OpenRun",
    "RunContext",
    "Signs",
    "StopReason",
    "Trajectory",
    "Turn",
    "begin_run",
    "check_policy",
    "document_edits",
    "unspoken",
]

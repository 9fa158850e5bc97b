"""Attempts, verdicts and findings."""

from appliance.verification.confidence import (
    FILE_NAME,
    Calibration,
    Confidence,
    Label,
    LabelSource,
    Signs,
    Threshold,
    counts_by_kind,
    triage_labels,
)
from appliance.verification.context import RunContext, asks_model, check_policy
from appliance.verification.demonstrations import Demonstration, KeptAction, Moment
from appliance.verification.patching.patches import (
    DocumentEdits,
    LeftOut,
    document_edits,
)
from appliance.verification.results import unspoken
from appliance.verification.trajectory import StopReason, Trajectory, Turn
from appliance.verification.verifier import OpenRun, Verifier, begin_run

__all__ = [
    "FILE_NAME",
    "Calibration",
    "Confidence",
    "Demonstration",
    "DocumentEdits",
    "KeptAction",
    "Label",
    "LabelSource",
    "LeftOut",
    "Moment",
    "OpenRun",
    "RunContext",
    "Signs",
    "StopReason",
    "Threshold",
    "Trajectory",
    "Turn",
    "Verifier",
    "asks_model",
    "begin_run",
    "check_policy",
    "counts_by_kind",
    "document_edits",
    "triage_labels",
    "unspoken",
]

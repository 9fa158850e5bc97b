"""Attempts, verdicts and findings."""

from typing import TYPE_CHECKING

from appliance.core.faces import names_of

if TYPE_CHECKING:
    from appliance.verification.acting import BrowserSeat, LocalSeats
    from appliance.verification.confidence import (
        FILE_NAME,
        Bin,
        Calibration,
        Confidence,
        Label,
        LabelSource,
        Signs,
        Threshold,
        counts_by_kind,
        fit_of,
        triage_labels,
    )
    from appliance.verification.context import RunContext, asks_model, check_policy
    from appliance.verification.demonstrations import Demonstration, KeptAction, Moment
    from appliance.verification.desk import RunDesk
    from appliance.verification.edits import DocumentEdits, LeftOut, document_edits
    from appliance.verification.results import without_known_secrets
    from appliance.verification.seats import CleaningOrder, Desk, Executed, Order, Seat, Seats
    from appliance.verification.trajectory import StopReason, Trajectory, Turn
    from appliance.verification.verifier import OpenRun, Verifier, begin_run
else:
    __getattr__ = names_of(__name__, __file__)

__all__ = [
    "FILE_NAME",
    "Bin",
    "BrowserSeat",
    "Calibration",
    "CleaningOrder",
    "Confidence",
    "Demonstration",
    "Desk",
    "DocumentEdits",
    "Executed",
    "KeptAction",
    "Label",
    "LabelSource",
    "LeftOut",
    "LocalSeats",
    "Moment",
    "OpenRun",
    "Order",
    "RunContext",
    "RunDesk",
    "Seat",
    "Seats",
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
    "fit_of",
    "triage_labels",
    "without_known_secrets",
]

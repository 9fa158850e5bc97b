"""How likely a finding is to be true, and from where on it alarms."""

from typing import TYPE_CHECKING

from appliance.core.faces import names_of

if TYPE_CHECKING:
    from appliance.verification.confidence.calibration import (
        FILE_NAME,
        Bin,
        Calibration,
        Confidence,
        Threshold,
    )
    from appliance.verification.confidence.labels import (
        Label,
        LabelSource,
        counts_by_kind,
        triage_labels,
    )
    from appliance.verification.confidence.signs import Signs, fit_of
else:
    __getattr__ = names_of(__name__, __file__)

__all__ = [
    "FILE_NAME",
    "Bin",
    "Calibration",
    "Confidence",
    "Label",
    "LabelSource",
    "Signs",
    "Threshold",
    "counts_by_kind",
    "fit_of",
    "triage_labels",
]

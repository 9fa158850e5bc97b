"""The pages where people work: documents, procedures, findings, verifications and their results."""

from typing import Any

from appliance.server.dashboard.work import (
    artifacts,
    comparing,
    documents,
    findings,
    patches,
    procedures,
    results,
    triage,
    verifications,
)

HANDLERS: tuple[Any, ...] = (  # Any: what Litestar takes as a route handler has no common type
    *artifacts.HANDLERS,
    *comparing.HANDLERS,
    *documents.HANDLERS,
    *findings.HANDLERS,
    *patches.HANDLERS,
    *procedures.HANDLERS,
    *results.HANDLERS,
    *triage.HANDLERS,
    *verifications.HANDLERS,
)

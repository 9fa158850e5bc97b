"""The pages where people work: documents, procedures, findings, verifications and their results."""

from typing import Any

from appliance.server.dashboard.work import artifacts

HANDLERS: tuple[Any, ...] = (  # Any: what Litestar takes as a route handler has no common type
    *artifacts.HANDLERS,
)

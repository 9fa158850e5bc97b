"""Audit logs of clouds, as events."""

from typing import TYPE_CHECKING

from appliance.core.faces import names_of

if TYPE_CHECKING:
    from appliance.outcome.sources.base import AuditSource, open_source
    from appliance.outcome.sources.cadf import CadfSource
    from appliance.outcome.sources.line_files import offset_at
    from appliance.outcome.sources.mapped import practice_events
    from appliance.outcome.sources.reading import parse_time
    from appliance.outcome.sources.received import LONGEST_BODY, UnsignedError, store_posted
else:
    __getattr__ = names_of(__name__, __file__)

__all__ = [
    "LONGEST_BODY",
    "AuditSource",
    "CadfSource",
    "UnsignedError",
    "offset_at",
    "open_source",
    "parse_time",
    "practice_events",
    "store_posted",
]

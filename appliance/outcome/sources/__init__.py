"""Where audit events come from: one module per cloud, all giving `AuditEvent`."""

from appliance.outcome.sources.json_lines import Chunk, offset_at, read_from
from appliance.outcome.sources.openstack_log import OpenStackAuditLog
from appliance.outcome.sources.practice import practice_events
from appliance.outcome.sources.times import parse_time

__all__ = ["Chunk", "OpenStackAuditLog", "offset_at", "parse_time", "practice_events", "read_from"]

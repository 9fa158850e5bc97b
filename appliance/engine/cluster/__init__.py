"""Attempts on the nodes of a Ray cluster, as an alternative to this process alone."""

from appliance.engine.cluster.cluster import open_seats
from appliance.engine.cluster.nodes import check

__all__ = ["check", "open_seats"]

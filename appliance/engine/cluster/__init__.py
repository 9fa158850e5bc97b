"""Attempts on the nodes of a Ray cluster: one executor of two, the other is this process alone."""

from appliance.engine.cluster.cluster import open_seats
from appliance.engine.cluster.nodes import check

__all__ = ["check", "open_seats"]

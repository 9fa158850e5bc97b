"""Attempts on the nodes of a Ray cluster, as an alternative to this process alone."""

from typing import TYPE_CHECKING

from appliance.core.faces import names_of

if TYPE_CHECKING:
    from appliance.engine.cluster.cluster import open_seats
    from appliance.engine.cluster.nodes import check
else:
    __getattr__ = names_of(__name__, __file__)

__all__ = ["check", "open_seats"]

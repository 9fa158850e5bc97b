"""What became of audit events that were posted."""

from appliance.server.api.shapes.base import Shown


class Taken(Shown):
    """What became of audit events that were posted."""

    taken: int
    """Events that are new."""
    known: int
    """Events that had come before."""

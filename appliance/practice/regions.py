"""Which region a caller means."""

from collections.abc import Sequence

from appliance.practice.accounts import Caller
from appliance.practice.catalogue import Located
from appliance.practice.refusals import Code, MessageRef, RequestRefused

EVERYWHERE = "*"
"""What a caller names to see all regions."""


class Regions:
    """The regions of a cloud; the first is where a session begins."""

    def __init__(self, ids: Sequence[str]) -> None:
        self._ids = ids
        self.first = ids[0]

    def seen_by(self, caller: Caller) -> str | None:
        """The region that a caller looks at; None: all of them."""
        if caller.region == EVERYWHERE:
            return None
        if caller.region and caller.region not in self._ids:
            message = MessageRef("error_region", {"value": caller.region})
            raise RequestRefused(Code.VALIDATION, message, {"region": message})
        return caller.region or self.first

    def of_new(self, caller: Caller, located: Located) -> str:
        """Where a caller makes an item; empty: everywhere."""
        if located.resource.is_global:
            return ""
        region = self.seen_by(caller)
        if region is None:
            message = MessageRef("error_region_needed")
            raise RequestRefused(Code.VALIDATION, message, {"region": message})
        return region

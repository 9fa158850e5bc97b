"""What a sweep would do, and what becomes of each of its procedures."""

from typing import Literal

from appliance.engine import plan
from appliance.server.api.shapes.base import Page, Shown, shape_of
from appliance.store.sweeps import ItemRow


@shape_of(
    ItemRow,
    without=(
        "text_hash",
        "state",
        "attempts",
        "deaths",
        "note",
        "run_id",
    ),
)
class PlanItem(Shown):
    """A procedure that a sweep would carry out."""

    reason: Literal["never", "changed", "failed", "stale", "asked"]
    """Why it is due."""


@shape_of(plan.Plan)
class Plan(Shown):
    """What a sweep would do now."""


@shape_of(ItemRow, without=("text_hash", "run_id"))
class Item(PlanItem):
    """A procedure of a sweep, and how it stands with it."""


class ItemPage(Page[Item]):
    """A sweep's procedures, in the order in which they are begun."""

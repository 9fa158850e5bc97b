"""What a sweep would do, and what becomes of each of its procedures."""

from typing import Literal

from appliance.server.api.shapes.base import Page, Shown
from appliance.store.sweeps import ItemState


class PlanItem(Shown):
    """A procedure that a sweep would carry out."""

    id: str
    """Of its result: with language, role and region where there are several."""
    procedure_id: str
    """Of the procedure."""
    title: str
    """Its title."""
    document: str
    """Path of the document."""
    line: int
    """Its first line."""
    reason: Literal["never", "changed", "failed", "stale", "asked"]
    """Why it is due."""
    why: str
    """The same in a sentence."""
    estimate_s: float
    """Seconds that it will take, as earlier runs tell."""
    locale: str
    """Language of the console; empty: its default."""
    role: str
    """Account or role; empty: the default."""
    region: str = ""
    """Region; empty: the account's."""


class LeftOut(Shown):
    """A procedure that is not in the plan, though it might be."""

    id: str
    """Of its result."""
    title: str
    """Its title."""
    why: str
    """Why it is left out."""


class Plan(Shown):
    """What a sweep would do now."""

    items: tuple[PlanItem, ...]
    """In the order in which they would be begun."""
    left_out: tuple[LeftOut, ...]
    """Over the budget, or in another language."""
    fresh: int
    """Procedures that need not be looked at: verified lately, and not changed since."""
    seconds: float
    """How long it would take."""
    tokens: float
    """Of models, as earlier verdicts took."""
    resource_cost: float
    """Of what would be made in the cloud, as for earlier verdicts."""
    unknown: int
    """Procedures never attempted: their tokens and resources count as nothing."""


class Item(PlanItem):
    """A procedure of a sweep, and how it stands with it."""

    state: ItemState
    """How it stands with it."""
    attempts: int
    """How often it was begun."""
    deaths: int
    """How often the process died meanwhile."""
    note: str
    """Why it was skipped or given up."""


class ItemPage(Page[Item]):
    """A sweep's procedures, in the order in which they are begun."""

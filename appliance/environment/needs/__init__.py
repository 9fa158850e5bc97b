"""From a procedure to what has to be there before it starts."""

from appliance.environment.needs.types import Argument, Block, Inferred, Reference, ResourcePlan

__all__ = ["Argument", "Block", "Inferred", "Reference", "ResourcePlan"]

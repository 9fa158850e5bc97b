"""From a procedure to what has to be there before it starts."""

from typing import TYPE_CHECKING

from appliance.core.faces import names_of

if TYPE_CHECKING:
    from appliance.environment.needs._configuration import (
        bindings,
        configuration,
        output_name,
        settle_references,
    )
    from appliance.environment.needs.inference import infer, with_inferred
    from appliance.environment.needs.matching import find_module
    from appliance.environment.needs.planning import plan
    from appliance.environment.needs.shared import shared_by
    from appliance.environment.needs.types import Argument, Block, Inferred, Reference, ResourcePlan
else:
    __getattr__ = names_of(__name__, __file__)

__all__ = [
    "Argument",
    "Block",
    "Inferred",
    "Reference",
    "ResourcePlan",
    "bindings",
    "configuration",
    "find_module",
    "infer",
    "output_name",
    "plan",
    "settle_references",
    "shared_by",
    "with_inferred",
]

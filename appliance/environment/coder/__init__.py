"""Writes Terraform for what no resource module provides, with a model, under guard."""

from typing import TYPE_CHECKING

from appliance.core.faces import names_of

if TYPE_CHECKING:
    from appliance.environment.coder.acceptance import accept
    from appliance.environment.coder.coder import ResourceCoder
    from appliance.environment.coder.report import CoderReport, Made, Round, Stage
    from appliance.environment.coder.supply import CoderSupply
else:
    __getattr__ = names_of(__name__, __file__)

__all__ = ["CoderReport", "CoderSupply", "Made", "ResourceCoder", "Round", "Stage", "accept"]

"""Writes Terraform for what no resource module provides, with a model, under guard."""

from appliance.environment.coder.acceptance import accept
from appliance.environment.coder.coder import ResourceCoder
from appliance.environment.coder.report import CoderReport, Made, Round, Stage
from appliance.environment.coder.supply import CoderSupply

__all__ = ["CoderReport", "CoderSupply", "Made", "ResourceCoder", "Round", "Stage", "accept"]

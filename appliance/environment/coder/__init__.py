"""Writes Terraform for what no resource module provides, with a model, under guard."""

from appliance.environment.coder.acceptance import accept
from appliance.environment.coder.coder import ResourceCoder
from appliance.environment.coder.report import CoderReport, Made, Round, Stage

__all__ = ["CoderReport", "Made", "ResourceCoder", "Round", "Stage", "accept"]

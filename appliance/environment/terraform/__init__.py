"""Terraform and OpenTofu: found, kept offline, run, and read."""

from appliance.environment.terraform.binary import TerraformBinary, find_terraform
from appliance.environment.terraform.mirror import Mirror, lay_out
from appliance.environment.terraform.types import (
    Applied,
    Diagnostic,
    Exit,
    Launcher,
    PlannedChange,
    Progress,
    StateResource,
    TerraformError,
    Workspace,
)

__all__ = [
    "Applied",
    "Diagnostic",
    "Exit",
    "Launcher",
    "Mirror",
    "PlannedChange",
    "Progress",
    "StateResource",
    "TerraformBinary",
    "TerraformError",
    "Workspace",
    "find_terraform",
    "lay_out",
]

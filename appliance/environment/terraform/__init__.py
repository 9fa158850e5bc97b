"""Terraform and OpenTofu: find, keep offline, run, and read their output."""

from typing import TYPE_CHECKING

from appliance.core.faces import names_of

if TYPE_CHECKING:
    from appliance.environment.terraform._configuration import escaped
    from appliance.environment.terraform.binary import TerraformBinary, find_terraform
    from appliance.environment.terraform.host import GRACE_S, HostLauncher
    from appliance.environment.terraform.mirror import ADDRESS, PROVIDER, Mirror, lay_out
    from appliance.environment.terraform.runner import LetIn, Terraform
    from appliance.environment.terraform.types import (
        Applied,
        ApplyError,
        Diagnostic,
        Exit,
        Launcher,
        PlannedChange,
        Progress,
        StateResource,
        TerraformError,
    )
    from appliance.environment.terraform.workspace import Workspace
else:
    __getattr__ = names_of(__name__, __file__)

__all__ = [
    "ADDRESS",
    "GRACE_S",
    "PROVIDER",
    "Applied",
    "ApplyError",
    "Diagnostic",
    "Exit",
    "HostLauncher",
    "Launcher",
    "LetIn",
    "Mirror",
    "PlannedChange",
    "Progress",
    "StateResource",
    "Terraform",
    "TerraformBinary",
    "TerraformError",
    "Workspace",
    "escaped",
    "find_terraform",
    "lay_out",
]

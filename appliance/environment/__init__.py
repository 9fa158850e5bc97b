"""What procedures need in a cloud before they can be carried out."""

from appliance.environment.binary import TerraformBinary, find_terraform
from appliance.environment.mirror import Mirror, lay_out

__all__ = ["Mirror", "TerraformBinary", "find_terraform", "lay_out"]

"""What ends a training."""

from appliance.core.errors import ApplianceError


class TrainingError(ApplianceError):
    """A training ended without its end."""

"""Errors that end a training."""

from appliance.core.errors import ApplianceError


class TrainingError(ApplianceError):
    """A training stopped before it was finished."""

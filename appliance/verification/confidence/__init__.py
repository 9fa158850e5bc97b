"""How likely a finding is to be true, and from where on it alarms."""

from appliance.verification.confidence.signs import Signs

__all__ = ["Signs"]

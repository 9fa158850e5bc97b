"""Attempts, verdicts and findings."""

from appliance.verification.trajectory import StopReason, Trajectory, Turn
from appliance.verification.verify import verify

__all__ = ["StopReason", "Trajectory", "Turn", "verify"]

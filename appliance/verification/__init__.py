"""Attempts, verdicts and findings."""

from appliance.verification.trajectory import StopReason, Trajectory, Turn
from appliance.verification.verify import OpenRun, open_run, verify

__all__ = ["OpenRun", "StopReason", "Trajectory", "Turn", "open_run", "verify"]

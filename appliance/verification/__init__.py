"""Attempts, verdicts and findings."""

from appliance.verification.kit import POLICIES, Kit, see_policy
from appliance.verification.settling import Settled, settle
from appliance.verification.trajectory import StopReason, Trajectory, Turn
from appliance.verification.verify import OpenRun, open_run, verify

__all__ = [
    "POLICIES",
    "Kit",
    "OpenRun",
    "Settled",
    "StopReason",
    "Trajectory",
    "Turn",
    "open_run",
    "see_policy",
    "settle",
    "verify",
]

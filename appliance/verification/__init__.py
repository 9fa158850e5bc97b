"""Attempts, verdicts and findings."""

from appliance.verification.context import POLICIES, RunContext, check_policy
from appliance.verification.run import OpenRun, begin_run
from appliance.verification.settling import Settled, settle
from appliance.verification.trajectory import StopReason, Trajectory, Turn

__all__ = [
    "POLICIES",
    "OpenRun",
    "RunContext",
    "Settled",
    "StopReason",
    "Trajectory",
    "Turn",
    "begin_run",
    "check_policy",
    "settle",
]

"""HTTP: REST and the dashboard."""

from appliance.server.app import make_app
from appliance.server.callers import Caller, Role
from appliance.server.parts import Service
from appliance.server.problems import Problem

__all__ = ["Caller", "Problem", "Role", "Service", "make_app"]

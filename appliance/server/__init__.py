"""HTTP: REST and the dashboard."""

from appliance.server.app import make_app
from appliance.server.callers import Caller, Role, guard
from appliance.server.parts import Service
from appliance.server.problems import Problem

__all__ = ["Caller", "Problem", "Role", "Service", "guard", "make_app"]

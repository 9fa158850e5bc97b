"""Resource modules: read, checked, listed."""

from appliance.environment.modules.types import Check, Cost, Module, Variable

__all__ = ["Check", "Cost", "Module", "Variable"]

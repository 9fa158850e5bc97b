"""Resource modules: what can be made, of what, and how it is known in the documentation."""

from appliance.environment.modules.catalogue import Catalogue
from appliance.environment.modules.reading import Problem, WrongModule
from appliance.environment.modules.types import Check, Cost, Module, Variable, VariableType

__all__ = [
    "Catalogue",
    "Check",
    "Cost",
    "Module",
    "Problem",
    "Variable",
    "VariableType",
    "WrongModule",
]

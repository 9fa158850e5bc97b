"""Resource modules: what can be made, of what, and how it is known in the documentation."""

from typing import TYPE_CHECKING

from appliance.core.faces import names_of

if TYPE_CHECKING:
    from appliance.environment.modules.catalogue import ACCEPTED, OURS, Catalogue, module_folders
    from appliance.environment.modules.hcl import JSON_FILE
    from appliance.environment.modules.reading import MODULE_FILE, Problem, WrongModule, read_module
    from appliance.environment.modules.types import Check, Cost, Module, Variable, VariableType
else:
    __getattr__ = names_of(__name__, __file__)

__all__ = [
    "ACCEPTED",
    "JSON_FILE",
    "MODULE_FILE",
    "OURS",
    "Catalogue",
    "Check",
    "Cost",
    "Module",
    "Problem",
    "Variable",
    "VariableType",
    "WrongModule",
    "module_folders",
    "read_module",
]

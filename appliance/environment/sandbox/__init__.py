"""Where configurations run that a model has written."""

from typing import TYPE_CHECKING

from appliance.core.faces import names_of

if TYPE_CHECKING:
    from appliance.environment.sandbox.choose import Survey, choose_sandbox, reap, survey
    from appliance.environment.sandbox.launcher import SandboxLauncher
else:
    __getattr__ = names_of(__name__, __file__)

__all__ = ["SandboxLauncher", "Survey", "choose_sandbox", "reap", "survey"]

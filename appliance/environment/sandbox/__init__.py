"""Where configurations run that a model has written."""

from appliance.environment.sandbox.choose import Survey, choose_sandbox, reap, survey
from appliance.environment.sandbox.launcher import SandboxLauncher

__all__ = ["SandboxLauncher", "Survey", "choose_sandbox", "reap", "survey"]

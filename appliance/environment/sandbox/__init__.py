"""Where configurations run that a model has written."""

from appliance.environment.sandbox.choose import Survey, choose_sandbox, reap, survey
from appliance.environment.sandbox.lockup import LockUp

__all__ = ["LockUp", "Survey", "choose_sandbox", "reap", "survey"]

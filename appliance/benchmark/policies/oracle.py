"""Does by the practice cloud's API what the audit rules ask for: the upper bound of a suite.

It reads no text and clicks nothing: a task that it fails cannot be done by anybody.
"""

from appliance.config import ConsoleSettings
from appliance.consoles import cause_events
from appliance.core.actions import Complete
from appliance.core.page import Observation, Performed
from appliance.core.verdict import PolicyName
from appliance.policy.base import Decision, Task


class OraclePolicy:
    """Carries out every expected event in one turn."""

    name = PolicyName.BASELINE

    def __init__(self, task: Task, console: ConsoleSettings) -> None:
        self._task, self._console = task, console

    async def choose(self, view: Observation, last: Performed | None) -> Decision:
        """All at once."""
        task = self._task
        rules = task.procedure.checks.expect
        await cause_events(rules, self._console, task.username, task.bindings)
        done = Complete("every expected event was caused")
        return Decision(action=done, step=task.procedure.steps[-1].index)

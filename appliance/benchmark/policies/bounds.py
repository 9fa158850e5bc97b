"""The bounds to compare with: what nobody can surpass, and what is reached without reading."""

from random import Random

from appliance.config import ConsoleSettings
from appliance.consoles import cause_events
from appliance.core.actions import Action, Check, Click, Complete, Select, Type, Wait
from appliance.core.page import Element, Observation, Performed
from appliance.core.verdict import PolicyName
from appliance.policy.base import Decision, Task


class OraclePolicy:
    """Does by the practice cloud's API what the audit rules ask for, in one turn.

    It reads no text and clicks nothing: a task that it fails cannot be done by anybody.
    """

    name = PolicyName.BASELINE

    def __init__(self, task: Task, console: ConsoleSettings) -> None:
        self._task, self._console = task, console

    async def choose(self, view: Observation, last: Performed | None) -> Decision:
        """All at once."""
        task = self._task
        rules = task.procedure.checks.expect
        await cause_events(rules, self._console, task.username, task.bindings)
        completion = Complete("every expected event was caused")
        return Decision(action=completion, step=task.procedure.steps[-1].index)


MAX_ACTIONS = 25
"""About twice as many as the longest bundled procedure needs."""
_TEXT_ROLES = frozenset({"textbox", "searchbox", "spinbutton"})
_CHECKABLE_ROLES = frozenset({"checkbox", "switch", "radio"})


class RandomPolicy:
    """Clicks, types and chooses at random; the same seed and pages give the same actions."""

    name = PolicyName.BASELINE

    def __init__(self, task: Task, seed: str) -> None:
        self._random = Random(f"{seed}/{task.procedure.id}")  # noqa: S311 - repeatable, no secret
        self._texts = sorted(task.bindings.values()) or ["example"]
        self._step = task.procedure.steps[0].index
        self._count = 0

    async def choose(self, view: Observation, last: Performed | None) -> Decision:
        """Anything that the page offers."""
        self._count += 1
        if self._count > MAX_ACTIONS:
            return Decision(action=Complete("as much as was to be done"), step=self._step)
        usable = [e for e in view.elements if "disabled" not in e.states]
        action = self._action(self._random.choice(usable)) if usable else Wait()
        return Decision(action=action, step=self._step)

    def _action(self, element: Element) -> Action:
        if element.options:
            return Select(element.id, self._random.choice(element.options))
        if element.role in _TEXT_ROLES:
            return Type(element.id, self._random.choice(self._texts))
        if element.role in _CHECKABLE_ROLES:
            return Check(element.id, self._random.random() < 0.5)
        return Click(element.id)

"""Clicks, types and chooses at random: what is reached without reading."""

from random import Random

from appliance.core.actions import Action, Check, Click, Complete, Select, Type, Wait
from appliance.core.page import Element, Observation, Performed
from appliance.core.verdict import PolicyName
from appliance.policy.base import Decision, Task

MOST_ACTIONS = 25
"""About twice as many as the longest bundled procedure needs."""
_TYPED = frozenset({"textbox", "searchbox", "spinbutton"})
_TICKED = frozenset({"checkbox", "switch", "radio"})


class RandomPolicy:
    """The same seed and the same pages give the same actions."""

    name = PolicyName.BASELINE

    def __init__(self, task: Task, seed: str) -> None:
        self._random = Random(f"{seed}/{task.procedure.id}")  # noqa: S311 - repeatable, no secret
        self._texts = sorted(task.bindings.values()) or ["example"]
        self._step = task.procedure.steps[0].index
        self._count = 0

    async def choose(self, view: Observation, last: Performed | None) -> Decision:
        """Anything that the page offers."""
        self._count += 1
        if self._count > MOST_ACTIONS:
            return Decision(action=Complete("as much as was to be done"), step=self._step)
        usable = [e for e in view.elements if "disabled" not in e.states]
        action = self._action(self._random.choice(usable)) if usable else Wait()
        return Decision(action=action, step=self._step)

    def _action(self, element: Element) -> Action:
        if element.options:
            return Select(element.id, self._random.choice(element.options))
        if element.role in _TYPED:
            return Type(element.id, self._random.choice(self._texts))
        if element.role in _TICKED:
            return Check(element.id, self._random.random() < 0.5)
        return Click(element.id)

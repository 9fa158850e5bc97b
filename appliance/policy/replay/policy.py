"""Does what a recipe says while every page is what it was; at the first difference it ends."""

from appliance.core.page import Observation, Performed
from appliance.policy.base import Decision, Task
from appliance.policy.replay.recipe import Recipe


class ReplayPolicy:
    """Says `as_written`, or gives up and says why. It finds nothing: the next tier decides."""

    name = "replay"

    def __init__(self, task: Task, recipe: Recipe) -> None:
        self._task, self._recipe = task, recipe

    async def choose(self, view: Observation, last: Performed | None) -> Decision:
        """The next action on the page as it is now; UNACHIEVABLE where it is another page."""
        raise NotImplementedError

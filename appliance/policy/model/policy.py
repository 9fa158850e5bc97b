"""The policy that asks a model for every action."""

from collections.abc import Awaitable, Callable

from appliance.config.model_settings import AgentSettings
from appliance.core.errors import PolicyError
from appliance.core.page import Observation, Performed
from appliance.inference import ModelClient
from appliance.policy.base import Decision, Spent, Task

Picture = Callable[[Observation], Awaitable[bytes]]
"""The page's screenshot with a numbered mark on every element, JPEG or WebP."""


class ModelPolicy:
    """Asks a model what to do next, and holds its answers to what is on the page."""

    name = "model"

    def __init__(
        self,
        task: Task,
        client: ModelClient,
        settings: AgentSettings,
        picture: Picture | None = None,
        *,
        attempt: int = 1,
    ) -> None:
        """A policy for one attempt.

        Args:
            task: What is to be carried out.
            client: The model.
            settings: How it is asked.
            picture: Takes the screenshot; None: the model is shown text only.
            attempt: Number of the attempt: from the second on it is asked at a higher temperature.
        """
        self._task, self._client, self._settings = task, client, settings
        self._picture, self._attempt = picture, attempt
        self.spent = Spent()
        """What models took so far, also for a turn that ended in an error."""

    async def choose(self, view: Observation, last: Performed | None) -> Decision:
        """The next action on the page as it is now.

        Raises:
            ModelError: The model's endpoint is away, or refuses.
            PolicyError: Two answers in a row could not be used.
        """
        raise PolicyError("the model policy is not finished")

"""What attempts are made with, beside a browser and an environment."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Self

from appliance.config import ModelSettings
from appliance.core.errors import SetupError
from appliance.core.people import Nobody, People
from appliance.inference import ModelClient
from appliance.store import Store

POLICIES = ("auto", "replay", "literal", "model")
"""What can be asked for; `auto`: the others, the cheapest first."""

_NO_MODEL = """\
policy `model` needs a model, and none is configured. Add these lines to config.yaml, with
the folder of its weights; or `endpoint: http://HOST:PORT/v1` in place of the second, for a model
that is served elsewhere:
model:
  weights: /models/NAME
  takes_images: auto"""


async def _at_once() -> str:
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """A model where there is one, whoever can be asked, and the place where things are kept."""

    store: Store
    model: ModelClient | None = None
    people: People = field(default_factory=Nobody)
    answers: Callable[[], Awaitable[str]] = _at_once
    """Waits for the model while it starts; why it does not answer, empty: it does."""

    @classmethod
    def of(
        cls,
        settings: ModelSettings,
        store: Store,
        people: People | None = None,
        answers: Callable[[], Awaitable[str]] | None = None,
    ) -> Self:
        """A kit whose model is asked at `model.endpoint`, where one is set; closed by who made it.

        Args:
            settings: With the endpoint of a policy server that was started for it.
            store: Where evidence and recipes are kept.
            people: Whoever can be asked; None: nobody.
            answers: Waits for a model that starts here; None: there is none to wait for.
        """
        model = ModelClient(settings) if settings.endpoint else None
        return cls(store=store, model=model, people=people or Nobody(), answers=answers or _at_once)

    async def aclose(self) -> None:
        """Let go of the model's connections."""
        if self.model is not None:
            await self.model.close()


def see_policy(policy: str, settings: ModelSettings) -> None:
    """Raise what would keep a policy from deciding anything, before anything is begun.

    Raises:
        SetupError: It asks a model, and there is none.
    """
    if policy == "model" and not settings.is_configured:
        raise SetupError(_NO_MODEL)

"""All that a run has at hand: handed down whole, so that nothing of it is passed beside it."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from appliance.config import ConsoleSettings, ModelSettings, Settings
from appliance.consoles import Console
from appliance.core.clock import Clock
from appliance.core.errors import SetupError
from appliance.core.events import Events
from appliance.core.people import Nobody, People
from appliance.core.procedure import Procedure
from appliance.core.verdict import PolicyChoice
from appliance.documents import DocumentOutline
from appliance.environment.lifecycle import Environment
from appliance.inference.client import ModelClient
from appliance.policy.base import Policy, Task
from appliance.store.store import Store
from appliance.verification.confidence import Confidence
from appliance.verification.seats import Seats

_NO_MODEL = """\
policy `model` needs a model, and none is configured. Add these lines to config.yaml, with
the folder of its weights; or `endpoint: http://HOST:PORT/v1` in place of the second, for a model
that is served elsewhere:
model:
  weights: /models/NAME
  takes_images: auto"""


async def _ready() -> str:
    return ""


def _no_procedure(procedure_id: str) -> None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunContext:
    """One run in one console. What is open here is closed by whoever opened it."""

    run_id: str
    policy: PolicyChoice
    """What chooses the actions, as it was asked for."""
    values: Mapping[str, str]
    """For what the texts leave open."""
    settings: Settings
    console: Console
    environment: Environment
    """Its accounts and resources."""
    seats: Seats
    """Where the browser part of attempts is done."""
    store: Store
    events: Events
    clock: Clock
    confidence: Confidence
    """How sure findings are, and from where on they alarm."""
    documents: Sequence[DocumentOutline] = ()
    """The documentation of the run."""
    procedure: Callable[[str], Procedure | None] = _no_procedure
    """A procedure of it whole, by its id. It blocks."""
    model: ModelClient | None = None
    """None: there is none to ask."""
    wait_for_model: Callable[[], Awaitable[str]] = _ready
    """Waits while it starts; why it does not answer, empty: it does."""
    people: People = field(default_factory=Nobody)
    """Whoever can be asked."""
    tries_patches: bool = False
    """Whether procedures are carried out once more with suggested texts in them."""
    most_attempts: int = 2
    """By one tier; a benchmark counts the first alone."""
    baseline: Callable[[Task, ConsoleSettings], Policy] | None = None
    """What a benchmark compares with, in place of the cascade's policies."""


def check_policy(policy: PolicyChoice, settings: ModelSettings) -> None:
    """Raise what would keep a policy from deciding anything, before anything is begun.

    Raises:
        SetupError: It asks a model, and there is none.
    """
    if policy == PolicyChoice.MODEL and not settings.is_configured:
        raise SetupError(_NO_MODEL)


def asks_model(policy: PolicyChoice, settings: ModelSettings) -> bool:
    """Whether a policy may ask a model: who wants the text done word by word wants none."""
    return settings.is_configured and policy in (PolicyChoice.AUTO, PolicyChoice.MODEL)

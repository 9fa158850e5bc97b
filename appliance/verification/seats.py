"""Where the browser part of an attempt is done: here, or on another machine.

An attempt takes a seat; what it is to do there is an `Order`, which can be sent anywhere, and what
the seat needs of where the run is kept it asks of a `Desk`. Nobody above knows which seat it is.
"""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from appliance.browser import Page, Person
from appliance.config import Settings
from appliance.consoles import Account, Console
from appliance.core.events import Event
from appliance.core.harm import HarmfulAction
from appliance.core.page import Performed
from appliance.core.people import People
from appliance.core.procedure import Procedure
from appliance.core.resources import Receipt
from appliance.core.result import ArtifactRef
from appliance.core.verdict import PolicyName
from appliance.policy.base import Handover, Task
from appliance.policy.replay import Recipe
from appliance.verification.second_look import SecondLook
from appliance.verification.trajectory import Trajectory


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptSpec:
    """How an attempt is to be made."""

    tier: PolicyName
    """What chooses the actions."""
    number: int
    """Which of the tier's attempts."""
    max_seconds: float
    recipe: Recipe | None = None
    """What a replay does again."""
    handover: Handover | None = None
    pictures: bool = True
    """Whether every turn has a picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """The browser part of an attempt. No secret is in it: the account is known by its name."""

    run_id: str
    console: str
    account: Account
    locale: str
    intro: str
    """What the document says above the procedure's first step."""
    number: int
    """Of the attempt."""
    task: Task
    spec: AttemptSpec
    deeds: frozenset[HarmfulAction]
    """What earlier attempts may have done."""
    provided: tuple[str, ...]
    """Names of what was made for it."""
    settings: Settings
    """Of the run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Executed:
    """What came of it."""

    task: Task
    """As it was carried out, with the file for uploads."""
    trajectory: Trajectory
    look: SecondLook | None = None
    """What its pages show when they are opened again, where nobody else tells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CleaningOrder:
    """What an attempt made, to be deleted in the console's own pages."""

    order: Order
    task: Task
    look: SecondLook
    documented: Sequence[tuple[Procedure, str]]
    """Procedures that delete such a thing, each with what they call it."""


class Desk(Protocol):
    """Where the run is kept: accounts, evidence, people. One attempt's."""

    @property
    def people(self) -> People:
        """Whoever can be asked."""

    def put(self, data: bytes, media_type: str) -> ArtifactRef:
        """Keep evidence. It blocks; `StoreError` where it cannot be kept."""

    def emit(self, event: Event) -> None:
        """Tell whoever follows the run."""

    def keep_deeds(self, deeds: frozenset[HarmfulAction]) -> None:
        """All that may have been done so far, before it is done. It blocks."""

    async def begin(self) -> None:
        """From here on something may be made in the console."""

    async def supply(self, words: str) -> Performed:
        """Make what is asked for in words."""

    async def log_in(self, console: Console, page: Page, person: Person) -> None:
        """Leave `page` on the console's start page, logged in; see `Environment.log_in`."""

    async def keep_log_in(self, console: Console, page: Page) -> None:
        """After an attempt: what the console has made of a log-in that a person did."""


class Seat(Protocol):
    """A browser, and somebody who works in it: for one attempt at a time."""

    async def execute(self, order: Order, desk: Desk) -> Executed:
        """Log in, and carry out the task.

        Raises:
            AttemptError: It could not begin. A `WorkerError`: the seat is gone, and what it did
                until then has to be cleaned up.
            HinderedError: It counts as not made.
        """

    async def clean_up(self, order: CleaningOrder, desk: Desk) -> tuple[Receipt, ...]:
        """Delete what an attempt made, in a page of its own.

        Raises:
            AttemptError: It could not begin, or the seat is gone.
        """


class Seats(Protocol):
    """All there are."""

    def take(self) -> AbstractAsyncContextManager[Seat]:
        """A seat for one attempt, as soon as one is free; `HinderedError`: there is none at all."""

    def problem(self) -> str:
        """Why there is none; empty: there are some."""

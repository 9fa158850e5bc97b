"""The browser part of an attempt, wherever that is done: log in, act, look again, delete."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from appliance.browser import BrowserPool, Page, Person
from appliance.config import ConsoleSettings
from appliance.consoles import Console
from appliance.core.blocking import in_thread
from appliance.core.clock import Clock
from appliance.core.errors import AttemptError
from appliance.core.people import Nobody, People
from appliance.core.procedure import Procedure
from appliance.core.resources import Receipt
from appliance.core.verdict import PolicyName
from appliance.inference.client import ModelClient
from appliance.policy.base import Policy, Task
from appliance.policy.literal import LiteralPolicy
from appliance.policy.model import agent_policy, learn_marked
from appliance.policy.replay import ReplayPolicy
from appliance.verification.attempt import attempt
from appliance.verification.guard import Guard, HarmRecord
from appliance.verification.performer import Performer
from appliance.verification.seats import (
    CleaningOrder,
    Desk,
    Executed,
    Order,
    Seat,
)
from appliance.verification.second_look import (
    CleanUp,
    clean_up,
    done_in,
    look_again,
)
from appliance.verification.trajectory import Limits, Recorder, StopReason, Trajectory


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserSeat:
    """A seat in this process."""

    console: Console
    pool: BrowserPool
    clock: Clock
    model: ModelClient | None
    baseline: Callable[[Task, ConsoleSettings], Policy] | None = None
    """See `RunContext`."""

    async def execute(self, order: Order, desk: Desk) -> Executed:
        """See `Seat`."""
        learn_marked(order.task.bindings)
        async with _sample_file() as sample:
            task = replace(order.task, sample_file=str(sample))
            return await self._execute(replace(order, task=task), desk)

    async def _execute(self, order: Order, desk: Desk) -> Executed:
        task, settings = order.task, order.settings
        recorder = Recorder(
            desk, order.run_id, task.procedure, order.number, pictures=order.spec.pictures
        )
        person = self._person(order, desk.people, settings.agent.person_wait_minutes * 60)
        async with self._logged_in(order, desk, person) as page:
            guard = self._guard(order, desk)
            hands = Performer(page=page, guard=guard, person=person, supply=desk.supply)
            await desk.begin()
            deadline = self.clock.monotonic() + order.spec.max_seconds
            limits = Limits(settings.verification.max_actions, deadline, self.clock)
            policy = self._policy(order, task, page)
            trajectory = await attempt(policy, hands, limits, recorder, self.clock)
            return await self._look_again(page, guard, task, trajectory)

    async def _look_again(
        self, page: Page, guard: Guard, task: Task, trajectory: Trajectory
    ) -> Executed:
        if not self.console.knows_inventory and trajectory.stop is not StopReason.ERROR:
            with suppress(AttemptError):  # nobody has looked then
                removals = done_in(trajectory, tuple(guard.deeds))
                look = await look_again(page, trajectory, removals, task.unique)
                return Executed(task=task, trajectory=trajectory, look=look)
        return Executed(task=task, trajectory=trajectory)

    async def clean_up(self, order: CleaningOrder, desk: Desk) -> tuple[Receipt, ...]:
        """See `Seat`."""
        run_order = order.order
        person = self._person(run_order, Nobody(), wait_s=0)
        async with self._logged_in(run_order, desk, person) as page:

            def hands(procedure: Procedure, bound: Mapping[str, str]) -> Performer:
                guard = Guard(
                    procedure=procedure,
                    settings=run_order.settings.agent.sensitive,
                    intro=" ".join(sentence.text for sentence in procedure.introduction),
                    bound=bound,
                    unique=order.task.unique,
                    protects_existing=True,
                )
                return Performer(page=page, guard=guard, person=person)

            cleaning = CleanUp(
                page=page,
                made_by=order.task.procedure,
                documented=order.documented,
                task=lambda procedure, bound: replace(
                    order.task,
                    procedure=procedure,
                    bindings=bound,
                    handover=None,
                    start_is_known=False,
                ),
                performer=hands,
            )
            return await clean_up(order.look, cleaning)

    def _guard(self, order: Order, desk: Desk) -> Guard:
        return Guard(
            procedure=order.task.procedure,
            settings=order.settings.agent.sensitive,
            intro=order.intro,
            bound=order.task.bindings,
            provided=order.provided,
            unique=order.task.unique,
            protects_existing=not self.console.knows_inventory,
            done=HarmRecord(order.deeds, desk.keep_deeds),
        )

    def _person(self, order: Order, people: People, wait_s: float) -> Person:
        return Person(
            people=people,
            run_id=order.run_id,
            procedure_id=order.task.procedure.id,
            wait_s=wait_s,
            clock=self.clock,
        )

    @asynccontextmanager
    async def _logged_in(self, order: Order, desk: Desk, person: Person) -> AsyncIterator[Page]:
        console = self.console
        credentials = console.credentials(order.account)
        async with self.pool.page(
            console.hosts, order.locale, console.network, credentials
        ) as page:
            await desk.log_in(console, page, person)
            try:
                yield page
            finally:
                await desk.keep_log_in(console, page)

    def _policy(self, order: Order, task: Task, page: Page) -> Policy:
        spec, settings = order.spec, order.settings
        if spec.tier == PolicyName.REPLAY and spec.recipe is not None:
            return ReplayPolicy(task, spec.recipe)
        if spec.tier == PolicyName.MODEL and self.model is not None:
            return agent_policy(
                task,
                self.model,
                settings.agent,
                lambda view: page.screenshot(marks=view),
                attempt=spec.number,
            )
        if spec.tier == PolicyName.BASELINE and self.baseline is not None:
            return self.baseline(task, settings.consoles[order.console])
        return LiteralPolicy(task)


@dataclass(frozen=True, slots=True)
class LocalSeats:
    """This process: its browser pool says how many may be used at a time."""

    seat: BrowserSeat

    @asynccontextmanager
    async def take(self) -> AsyncIterator[Seat]:
        """See `Seats`: what waits for a page has what it needs made meanwhile."""
        yield self.seat

    def problem(self) -> str:
        """See `Seats`."""
        return ""


@asynccontextmanager
async def _sample_file() -> AsyncIterator[Path]:
    """For what is uploaded."""
    folder = await in_thread(tempfile.TemporaryDirectory, prefix="appliance-")
    try:
        sample = Path(folder.name) / "sample.txt"
        await asyncio.to_thread(sample.write_text, "A small file for uploads.\n", "utf-8")
        yield sample
    finally:
        await in_thread(folder.cleanup)

"""One attempt of a procedure, whichever policy makes it, and what the channels say of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from appliance.browser import BrowserPool, Page
from appliance.config import Settings
from appliance.consoles.base import Console
from appliance.core.clock import Clock
from appliance.core.errors import HinderedError
from appliance.core.events import AttemptStarted, Events
from appliance.environment.accounts import Lease
from appliance.environment.lifecycle import Environment, Ready
from appliance.policy import Handover, Policy, Task
from appliance.policy.model import learn_marked
from appliance.verification.attempt import attempt
from appliance.verification.case import Case, Tried
from appliance.verification.channels import Channels
from appliance.verification.guard import Guard
from appliance.verification.hands import Hands
from appliance.verification.judging import judge_of
from appliance.verification.kit import Kit
from appliance.verification.limits import Limits
from appliance.verification.person import Person
from appliance.verification.recorder import Recorder
from appliance.verification.trajectory import StopReason, Trajectory


@dataclass(frozen=True, slots=True, kw_only=True)
class Try:
    """How an attempt is to be made."""

    policy: Callable[[Task, Page], Policy]
    """Makes the policy."""
    max_seconds: float
    handover: Handover | None = None
    pictures: bool = True
    """Whether every turn has a picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trier:
    """What all attempts of a run have in common."""

    console: Console
    pool: BrowserPool
    kit: Kit
    settings: Settings
    events: Events
    values: Mapping[str, str]
    environment: Environment
    run_id: str
    sample_file: Path
    clock: Clock

    def locale(self, case: Case) -> str:
        """Language of the console in it."""
        configured = self.settings.consoles[self.console.name].locale
        return case.locale or configured or case.procedure.language

    async def attempt(self, case: Case, lease: Lease, how: Try) -> Tried:
        """Provision, execute, ask the channels, clean up: in that order, whatever fails.

        Raises:
            AttemptError: It could not begin, or what was made for it could not be removed.
            HinderedError: It counts as not made: the disk is full, or the console is down.
        """
        if full := self.environment.obstacles.disk():
            raise HinderedError(full)
        procedure, began = case.procedure, self.clock.monotonic()
        case.attempts += 1
        number = case.attempts
        self.events.emit(
            AttemptStarted(run_id=self.run_id, procedure_id=procedure.id, attempt=number)
        )
        async with self.environment.attempt(lease, procedure, number, self.values) as ready:
            task = self._task(case, ready, how)
            trajectory = await self._execute(case, ready, task, number, how)
            if trajectory.stop is StopReason.ERROR:
                await self.environment.obstacles.see_none()
            heard = await self._channels().ask(procedure, ready, trajectory)
        hours = (self.clock.monotonic() - began) / 3600
        return Tried(
            task=task,
            trajectory=trajectory,
            account=ready.account,
            goal=heard.goal,
            audit=heard.audit,
            late=heard.late,
            judging=heard.judging,
            resource_cost=hours * ready.cost_per_hour,
        )

    def _task(self, case: Case, ready: Ready, how: Try) -> Task:
        account = ready.account.settings
        learn_marked(ready.bindings)
        return Task(
            procedure=case.procedure,
            bindings=ready.bindings,
            project=account.project,
            username=account.username,
            unique=ready.lifetime.unique,
            sample_file=str(self.sample_file),
            patience_s=self.settings.verification.settle_resource_s,
            resources="; ".join(f"{name}: {value}" for name, value in ready.made.items()),
            handover=how.handover,
        )

    async def _execute(
        self, case: Case, ready: Ready, task: Task, number: int, how: Try
    ) -> Trajectory:
        procedure, agent = case.procedure, self.settings.agent
        recorder = Recorder(
            self.kit.store.artifacts,
            self.events,
            procedure.id,
            number,
            run_id=self.run_id,
            texts={step.index: step.text for step in procedure.walk()},
            pictures=how.pictures,
        )
        person = Person(
            people=self.kit.people,
            run_id=self.run_id,
            procedure_id=procedure.id,
            wait_s=agent.person_wait_minutes * 60,
            clock=self.clock,
        )
        locale = self.locale(case)
        async with self.pool.page(self.console.hosts, locale) as page:
            await self.environment.log_in(page, ready.account, locale)
            hands = Hands(
                page=page,
                guard=Guard(
                    procedure=procedure,
                    settings=agent.sensitive,
                    intro=case.intro,
                    bound=task.bindings,
                    provided=tuple(ready.made.values()),
                    unique=task.unique,
                    protects_existing=not self.console.knows_inventory,
                    done=case.done,
                ),
                person=person,
                supply=ready.supply,
            )
            max_actions = self.settings.verification.max_actions
            limits = Limits(max_actions, self.clock.monotonic() + how.max_seconds, self.clock)
            return await attempt(how.policy(task, page), hands, limits, recorder, self.clock)

    def _channels(self) -> Channels:
        return Channels(
            console=self.console,
            clock=self.clock,
            audit_wait_s=self.settings.verification.audit_wait_s,
            judge=judge_of(self.kit, self.settings.judges),
            judges_always=self.settings.judges.when == "always",
        )

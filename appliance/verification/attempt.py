"""One attempt; before it its loop, to be read first: observe, choose, perform, until it stops."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import structlog

from appliance.browser import Page, Person
from appliance.core.blocking import in_thread
from appliance.core.clock import Clock
from appliance.core.errors import AnswerError, AttemptError, HinderedError, PolicyError
from appliance.core.events import AttemptStarted
from appliance.core.people import Nobody
from appliance.core.procedure import Procedure
from appliance.core.resources import Receipt
from appliance.environment.accounts import Lease
from appliance.environment.lifecycle import Ready
from appliance.policy.base import Handover, Policy, Task
from appliance.policy.literal import beginning_names
from appliance.policy.model import learn_marked
from appliance.verification.case import Case, JudgedAttempt
from appliance.verification.context import RunContext
from appliance.verification.demonstrations import keep_demonstration
from appliance.verification.goal.channels import Channels
from appliance.verification.goal.judging import judge_of
from appliance.verification.guard import Guard
from appliance.verification.labels import labels_of
from appliance.verification.performer import Performer
from appliance.verification.second_look import (
    CleanUp,
    SecondLook,
    clean_up,
    done_in,
    left,
    look_again,
)
from appliance.verification.trajectory import Limits, Recorder, StopReason, Trajectory

_log = structlog.get_logger()


@asynccontextmanager
async def blamed_on(kind: type[AttemptError], doing: str) -> AsyncIterator[None]:
    """Attribute anything that escapes to `kind`, unless a narrower boundary already did."""
    try:
        yield
    except AttemptError:
        raise
    except Exception as exc:
        _log.debug("attempt_failed", doing=doing, exc_info=True)
        raise kind(f"{doing}: {type(exc).__name__}: {exc}") from exc


async def attempt(
    policy: Policy, hands: Performer, limits: Limits, recorder: Recorder, clock: Clock
) -> Trajectory:
    """Let the policy act on the page. A failed attempt is data, not an exception."""
    trajectory = Trajectory(policy=policy.name)
    started, last = clock.monotonic(), None
    try:
        while (stop := limits.reached(trajectory)) is None:
            view = await hands.page.observe()
            async with blamed_on(PolicyError, "choosing the next action"):
                decision = await policy.choose(view, last)
            seen = await recorder.look(hands.page, view, decision)
            if decision.action.is_final:
                recorder.add(trajectory, view, decision, None, seen)
                stop = recorder.answer(decision)
                break
            deed = await hands.perform(view, decision)
            last = deed.performed
            recorder.add(trajectory, view, decision, deed, seen)
            trajectory.waited_s = hands.person.waited_s
        trajectory.stop = stop
    except AttemptError as exc:
        is_format = isinstance(exc, AnswerError)
        trajectory.stop = StopReason.FORMAT if is_format else StopReason.ERROR
        trajectory.problem = exc.cause
    trajectory.end(policy, clock.monotonic() - started, hands.person.waited_s)
    trajectory.final = await recorder.last_look(hands.page)
    return trajectory


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptSpec:
    """How an attempt is to be made."""

    policy: Callable[[Task, Page], Policy]
    """Makes the policy."""
    max_seconds: float
    handover: Handover | None = None
    pictures: bool = True
    """Whether every turn has a picture."""


async def run_attempt(
    context: RunContext, case: Case, lease: Lease, spec: AttemptSpec
) -> JudgedAttempt:
    """Provision, execute, ask the channels, clean up: in that order, whatever fails.

    Raises:
        AttemptError: It could not begin, or what was made for it could not be removed.
        HinderedError: It counts as not made: the disk is full, or the console is down.
    """
    environment, clock = context.environment, context.clock
    if full := environment.obstacles.disk():
        raise HinderedError(full)
    procedure, began = case.procedure, clock.monotonic()
    case.attempts += 1
    number = case.attempts
    context.events.emit(
        AttemptStarted(run_id=context.run_id, procedure_id=procedure.id, attempt=number)
    )
    async with environment.attempt(lease, procedure, number, context.values) as ready:
        async with _sample_file() as sample:
            pages = await in_thread(_known_pages, context, procedure)
            task = replace(_task(context, case, ready, spec, sample), pages=pages)
            trajectory, look = await _execute(context, case, ready, task, spec)
        if trajectory.stop is StopReason.ERROR:
            await environment.obstacles.require_clear()
        heard = await _channels(context).ask(procedure, ready, trajectory, look)
        if look is not None:
            ready.seen.receipts = await _clean_up(context, case, ready, task, look)
    if context.console.knows_inventory:  # else nobody can tell that nothing is left
        await in_thread(case.done.forget_made)
    await in_thread(_keep_labels, context, task, trajectory, locale_of(context, case))
    hours = (clock.monotonic() - began) / 3600
    judged = JudgedAttempt(
        task=task,
        trajectory=trajectory,
        account=ready.account,
        goal=heard.goal,
        audit=heard.audit,
        late=heard.late,
        judging=heard.judging,
        resource_cost=hours * ready.cost_per_hour,
    )
    if context.settings.training.keep_attempts:
        await keep_demonstration(context, case, number, judged)
    return judged


def _keep_labels(context: RunContext, task: Task, trajectory: Trajectory, locale: str) -> None:
    """What the console calls things, for `appliance lint`."""
    console = context.console.name
    release = context.settings.consoles[console].release
    labels = labels_of(trajectory, task, locale)
    context.store.labels.see(console, release, labels, context.clock.now())


def _known_pages(context: RunContext, procedure: Procedure) -> Mapping[str, frozenset[str]]:
    """Where attempts saw what the procedure begins with, in a console that nobody knows."""
    if context.console.knows_inventory:
        return {}
    names = beginning_names(procedure)
    return context.store.labels.pages_with(context.console.name, names)


def locale_of(context: RunContext, case: Case) -> str:
    """Language of the console in it."""
    configured = context.settings.consoles[context.console.name].locale
    return case.locale or configured or case.procedure.language


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


def _task(context: RunContext, case: Case, ready: Ready, spec: AttemptSpec, sample: Path) -> Task:
    account = ready.account.settings
    learn_marked(ready.bindings)
    return Task(
        procedure=case.procedure,
        bindings=ready.bindings,
        project=account.project,
        username=account.username,
        unique=ready.lifetime.unique,
        sample_file=str(sample),
        patience_s=context.settings.verification.settle_resource_s,
        resources="; ".join(f"{name}: {value}" for name, value in ready.made.items()),
        handover=spec.handover,
        # where the log-in of a console leads that nobody wrote an adapter for, is chance
        start_is_known=context.console.knows_inventory,
    )


async def _execute(
    context: RunContext, case: Case, ready: Ready, task: Task, spec: AttemptSpec
) -> tuple[Trajectory, SecondLook | None]:
    """The attempt, and what its pages show when they are opened again, where nobody else tells."""
    procedure, clock = case.procedure, context.clock
    recorder = Recorder(
        context.store.artifacts,
        context.events,
        context.run_id,
        procedure,
        case.attempts,
        pictures=spec.pictures,
    )
    person = Person(
        people=context.people,
        run_id=context.run_id,
        procedure_id=procedure.id,
        wait_s=context.settings.agent.person_wait_minutes * 60,
        clock=clock,
    )
    async with _logged_in(context, case, ready, person) as page:
        guard = Guard(
            procedure=procedure,
            settings=context.settings.agent.sensitive,
            intro=case.intro,
            bound=task.bindings,
            provided=tuple(ready.made.values()),
            unique=task.unique,
            protects_existing=not context.console.knows_inventory,
            done=case.done,
        )
        hands = Performer(page=page, guard=guard, person=person, supply=ready.supply)
        ready.seen.receipts = None  # from here on something may be made
        max_actions = context.settings.verification.max_actions
        limits = Limits(max_actions, clock.monotonic() + spec.max_seconds, clock)
        trajectory = await attempt(spec.policy(task, page), hands, limits, recorder, clock)
        if context.console.knows_inventory or trajectory.stop is StopReason.ERROR:
            return trajectory, None
        with suppress(AttemptError):  # nobody has looked then
            done = done_in(trajectory, tuple(guard.deeds))
            return trajectory, await look_again(page, trajectory, done, task.unique)
        return trajectory, None


@asynccontextmanager
async def _logged_in(
    context: RunContext, case: Case, ready: Ready, person: Person
) -> AsyncIterator[Page]:
    locale = locale_of(context, case)
    of = context.console
    opening = context.pool.page(of.hosts, locale, of.network, of.credentials(ready.account))
    async with opening as page:
        await context.environment.log_in(page, ready.account, locale, person)
        try:
            yield page
        finally:
            await context.environment.keep_log_in(page, ready.account)


async def _clean_up(
    context: RunContext, case: Case, ready: Ready, task: Task, look: SecondLook
) -> tuple[Receipt, ...]:
    """Delete what the attempt made, in a page of its own; what is left is told."""
    rule = context.settings.agent.sensitive.delete
    if rule in ("ask", "refuse"):
        return left(look, f"agent.sensitive.delete is {rule}")
    if not look.made:
        return left(look, "")
    nobody = Person(
        people=Nobody(),
        run_id=context.run_id,
        procedure_id=case.procedure.id,
        wait_s=0,
        clock=context.clock,
    )

    def hands(procedure: Procedure, bound: Mapping[str, str]) -> Performer:
        guard = Guard(
            procedure=procedure,
            settings=context.settings.agent.sensitive,
            intro=" ".join(sentence.text for sentence in procedure.introduction),
            bound=bound,
            unique=task.unique,
            protects_existing=True,
        )
        return Performer(page=page, guard=guard, person=nobody)

    try:
        async with _logged_in(context, case, ready, nobody) as page:
            cleaning = CleanUp(
                page=page,
                made_by=case.procedure,
                procedures=[p for d in context.documents for p in d.procedures],
                read=context.procedure,
                task=lambda procedure, bound: replace(
                    task, procedure=procedure, bindings=bound, handover=None, start_is_known=False
                ),
                hands=hands,
            )
            return await clean_up(look, cleaning)
    except AttemptError as exc:
        return left(look, str(exc))


def _channels(context: RunContext) -> Channels:
    return Channels(
        console=context.console,
        clock=context.clock,
        audit_wait_s=context.settings.verification.audit_wait_s,
        judge=judge_of(context),
        judges_always=context.settings.judges.when == "always",
    )

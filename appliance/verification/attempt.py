"""One attempt; before it its loop, to be read first: observe, choose, perform, until it stops."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import structlog

from appliance.core.blocking import in_thread
from appliance.core.clock import Clock
from appliance.core.errors import (
    AnswerError,
    AttemptError,
    HinderedError,
    PolicyError,
    WorkerError,
)
from appliance.core.events import AttemptStarted
from appliance.core.procedure import Procedure
from appliance.core.resources import Receipt
from appliance.environment.accounts import Lease
from appliance.environment.lifecycle import Ready
from appliance.policy.base import Policy, Task
from appliance.policy.literal import beginning_names
from appliance.policy.model import learn_marked
from appliance.verification.case import Case, JudgedAttempt
from appliance.verification.context import RunContext
from appliance.verification.demonstrations import keep_demonstration
from appliance.verification.desk import RunDesk
from appliance.verification.goal.channels import Channels
from appliance.verification.goal.judging import judge_of
from appliance.verification.labels import labels_of
from appliance.verification.performer import Performer
from appliance.verification.seats import AttemptSpec, CleaningOrder, Executed, Order
from appliance.verification.second_look import SecondLook, deleting_procedures, leave_all
from appliance.verification.trajectory import (
    Limits,
    Recorder,
    StopReason,
    Trajectory,
    Unusable,
)

_WORKERS = 3
"""After so many were lost while they made it, an attempt is not made."""

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
        if is_format:
            said = getattr(policy, "exchanges", ())  # most policies ask no model
            trajectory.unusable = Unusable(view=view, exchanges=said)
    trajectory.end(policy, clock.monotonic() - started, hands.person.waited_s)
    trajectory.final = await recorder.last_look(hands.page)
    return trajectory


async def run_attempt(
    context: RunContext, case: Case, lease: Lease, spec: AttemptSpec
) -> JudgedAttempt:
    """Provision, execute, ask the channels, clean up: in that order, whatever fails.

    Where the worker is gone that did it, it is cleaned up as ever, and made again by another.

    Raises:
        AttemptError: It could not begin, or what was made for it could not be removed.
        HinderedError: It counts as not made: the disk is full, or the console is down.
    """
    for _ in range(_WORKERS - 1):
        try:
            return await _attempt_once(context, case, lease, spec)
        except WorkerError as exc:
            _log.warning("worker_lost", procedure=case.procedure.id, reason=str(exc))
            if context.environment.pool.row(lease.account).quarantined_at is not None:
                raise  # it could not be cleaned up
            if context.console.knows_inventory:
                await in_thread(case.done.forget_made)
    return await _attempt_once(context, case, lease, spec)


async def _attempt_once(
    context: RunContext, case: Case, lease: Lease, spec: AttemptSpec
) -> JudgedAttempt:
    environment, clock = context.environment, context.clock
    if full := environment.obstacles.disk():
        raise HinderedError(full)
    procedure, began = case.procedure, clock.monotonic()
    case.attempts += 1
    number, locale = case.attempts, locale_of(context, case)
    context.events.emit(
        AttemptStarted(run_id=context.run_id, procedure_id=procedure.id, attempt=number)
    )
    async with environment.attempt(lease, procedure, number, context.values) as ready:
        pages = await in_thread(_known_pages, context, procedure)
        order = _order(context, case, ready, spec, pages)
        desk = RunDesk(context=context, case=case, ready=ready, locale=locale)
        async with context.seats.take() as seat:
            executed = await seat.execute(order, desk)
        if executed.trajectory.stop is StopReason.ERROR:
            await environment.obstacles.require_clear()
        heard = await _channels(context).ask(procedure, ready, executed.trajectory, executed.look)
        if executed.look is not None:
            ready.seen.receipts = await _clean_up(desk, order, executed, executed.look)
    if context.console.knows_inventory:  # else nobody can tell that nothing is left
        await in_thread(case.done.forget_made)
    await in_thread(_keep_labels, context, executed.task, executed.trajectory, locale)
    hours = (clock.monotonic() - began) / 3600
    judged = JudgedAttempt(
        task=executed.task,
        trajectory=executed.trajectory,
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


def _order(
    context: RunContext,
    case: Case,
    ready: Ready,
    spec: AttemptSpec,
    pages: Mapping[str, frozenset[str]],
) -> Order:
    account = ready.account.settings
    learn_marked(ready.bindings)
    task = Task(
        procedure=case.procedure,
        bindings=ready.bindings,
        project=account.project,
        username=account.username,
        unique=ready.lifetime.unique,
        patience_s=context.settings.verification.settle_resource_s,
        resources="; ".join(f"{name}: {value}" for name, value in ready.made.items()),
        handover=spec.handover,
        pages=pages,
        # where the log-in of a console leads that nobody wrote an adapter for, is chance
        start_is_known=context.console.knows_inventory,
        may_be_done=not context.console.knows_inventory and (spec.number > 1 or any(case.done)),
    )
    return Order(
        run_id=context.run_id,
        console=context.console.name,
        account=ready.account,
        locale=locale_of(context, case),
        intro=case.intro,
        number=case.attempts,
        task=task,
        spec=spec,
        deeds=frozenset(case.done),
        provided=tuple(ready.made.values()),
        settings=context.settings,
    )


async def _clean_up(
    desk: RunDesk, order: Order, executed: Executed, look: SecondLook
) -> tuple[Receipt, ...]:
    """Delete what the attempt made; what is left is told."""
    rule = order.settings.agent.sensitive.delete
    if rule in ("ask", "refuse"):
        return leave_all(look, f"agent.sensitive.delete is {rule}")
    if not look.made:
        return leave_all(look, "")
    documented = await asyncio.to_thread(_deleting, desk.context, order.task.procedure)
    cleaning = CleaningOrder(order=order, task=executed.task, look=look, documented=documented)
    try:
        async with desk.context.seats.take() as seat:
            return await seat.clean_up(cleaning, desk)
    except AttemptError as exc:
        return leave_all(look, str(exc))


def _deleting(context: RunContext, made_by: Procedure) -> tuple[tuple[Procedure, str], ...]:
    """The documentation's own procedures for deleting such a thing, whole. It reads files."""
    outlines = [p for d in context.documents for p in d.procedures]
    such = (
        (context.procedure(made_procedure.id), noun)
        for made_procedure, noun in deleting_procedures(made_by, outlines)
    )
    return tuple((procedure, noun) for procedure, noun in such if procedure is not None)


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


def _channels(context: RunContext) -> Channels:
    return Channels(
        console=context.console,
        clock=context.clock,
        audit_wait_s=context.settings.verification.audit_wait_s,
        judge=judge_of(context),
        judges_always=context.settings.judges.when == "always",
    )

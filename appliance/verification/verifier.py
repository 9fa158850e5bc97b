"""Verifies one procedure: leases an account, runs the cascade, and publishes the verdict."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Self

import structlog

from appliance import __version__
from appliance.config import masked
from appliance.core.blocking import to_its_end
from appliance.core.build import commit
from appliance.core.causes import Cause, CauseKind
from appliance.core.errors import AttemptError, HinderedError, StoreError
from appliance.core.events import ProcedureFinished, ProcedureStarted, RunFinished, RunStarted
from appliance.core.procedure import Document, Procedure
from appliance.core.result import ProcedureResult, RunResult, Summary
from appliance.core.verdict import PolicyName, Verdict
from appliance.documents import DocumentOutline
from appliance.environment.accounts import Lease
from appliance.policy.replay import Recipes
from appliance.verification.cascade import ABOUT_THE_TEXT, Cascade
from appliance.verification.case import Case, TierAttempts
from appliance.verification.claim_questions.effects import findings_of, with_answers
from appliance.verification.claim_questions.questions import ClaimAsker
from appliance.verification.claims import claims_of
from appliance.verification.context import RunContext, asks_model, check_policy
from appliance.verification.guard import HarmRecord
from appliance.verification.patching import PatchTrial
from appliance.verification.results import agreement, pending_row, result_of
from appliance.verification.verdict import DrawnVerdict

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Verifier:
    """Verifies the procedures of one run."""

    context: RunContext
    cascade: Cascade
    gate: asyncio.Semaphore
    """Limits how many procedures run at a time."""

    @classmethod
    def of(cls, context: RunContext) -> Self:
        """The verifier of a run."""
        recipes = Recipes(table=context.store.recipes, console=context.console.name)
        return cls(
            context=context,
            cascade=Cascade(context=context, recipes=recipes),
            gate=asyncio.Semaphore(context.settings.verification.parallel),
        )

    async def procedure(
        self, document: Document, procedure: Procedure, locale: str = "", region: str = ""
    ) -> ProcedureResult:
        """The verdict on one procedure.

        Args:
            document: The document that contains it.
            procedure: The procedure to carry out.
            locale: Language of the console; empty: as the settings say, else the document's.
            region: The region of the account; empty: any.

        Raises:
            HinderedError: No verdict is possible now: the disk is full or the console is down.
        """
        context = self.context
        harm_record = await asyncio.to_thread(
            HarmRecord.load, context.store.harmful_actions, context.run_id, procedure.id
        )
        case = Case(
            document, procedure, context.clock.monotonic(), locale, region, done=harm_record
        )
        if procedure.checks.skip:
            return await self._finish(
                case, _blocked_tier(Cause(CauseKind.CHECKS, procedure.checks.skip))
            )
        try:
            return await self._with_account(case)
        except (AttemptError, StoreError, OSError) as exc:
            if case.result is not None:
                return case.result  # the account was lost after it
            await self.context.environment.obstacles.raise_if_hindered(exc)
            if not isinstance(exc, AttemptError):
                raise
            return await self._finish(case, _blocked_tier(exc.cause))

    async def hindered(
        self, document: Document, procedure: Procedure, cause: Cause
    ) -> ProcedureResult:
        """The verdict on a procedure that is not tried, for a cause that affects all of them."""
        case = Case(document, procedure, self.context.clock.monotonic())
        return await self._finish(case, _blocked_tier(Cause(CauseKind.CONSOLE, cause.text)))

    async def _finish(self, case: Case, chosen: TierAttempts) -> ProcedureResult:
        """Store and publish the verdict, even while the program is stopping."""
        return await to_its_end(self._store(case, chosen))

    async def _store(self, case: Case, chosen: TierAttempts) -> ProcedureResult:
        context = self.context
        took_s = context.clock.monotonic() - case.started
        result = await asyncio.to_thread(result_of, case, chosen, took_s, context.store.artifacts)
        await context.events.record(ProcedureFinished(run_id=context.run_id, result=result))
        if chosen.pending is not None:
            row = pending_row(
                chosen.pending, case.procedure, result, context.run_id, context.console.name
            )
            await asyncio.to_thread(context.store.pending.put, row)
        case.result = result  # it is kept now
        return result

    async def _with_account(self, case: Case) -> ProcedureResult:
        """Decide with a free account, or with another one if the first gets quarantined.

        The verdict is published before anything else is awaited: should the process die
        in between, the work would be done twice.
        """
        environment, account_name = self.context.environment, case.procedure.checks.account
        holder = f"{self.context.run_id}/{case.procedure.id}"
        while True:
            # the account first: a slot is not held by who waits for an account
            async with environment.lease(account_name, holder, case.region) as lease, self.gate:
                case.started = self.context.clock.monotonic()
                case.tiers.clear()
                try:
                    chosen = await self._decide(case, lease)
                    await self._raise_obstacles(chosen.drawn)
                    chosen = await self._with_answers(case, chosen)
                    return await self._finish(case, await self._with_patches(case, chosen, lease))
                except AttemptError as exc:
                    if environment.pool.row(lease.account).quarantined_at is None:
                        raise
                    _log.warning("other_account", instead_of=lease.account.name, reason=str(exc))

    async def _with_answers(self, case: Case, chosen: TierAttempts) -> TierAttempts:
        """Add a model's answers about claims that could not be checked otherwise.

        For a replay only stored answers are used, so that it needs no model.
        """
        context, last_attempt = self.context, chosen.attempts[-1] if chosen.attempts else None
        is_conclusive = chosen.drawn.verdict in ABOUT_THE_TEXT and chosen.pending is None
        is_asking = asks_model(context.policy, context.settings.model)
        if context.model is None or not is_asking or last_attempt is None or not is_conclusive:
            return chosen
        may_ask = chosen.policy != PolicyName.REPLAY and not await context.wait_for_model()
        asker = ClaimAsker(
            client=context.model if may_ask else None,
            settings=context.settings,
            store=context.store,
        )
        claims = claims_of(case.procedure, last_attempt.trajectory, chosen.findings)
        try:
            answers = await asker.ask(case.document, claims, last_attempt)
        except asyncio.CancelledError:
            await self._finish(case, chosen)
            raise
        new_findings = findings_of(
            case.document, case.procedure, claims, answers.answers, last_attempt
        )
        locale_fit = agreement(context.console, case.procedure, last_attempt.trajectory)
        rated_findings = context.confidence.judged(
            new_findings, last_attempt.trajectory.policy, last_attempt.goal, locale_fit
        )
        updated = with_answers(chosen, answers, rated_findings)
        case.put(chosen, updated)
        return updated

    async def _with_patches(self, case: Case, chosen: TierAttempts, lease: Lease) -> TierAttempts:
        """Add the outcome of the patches, if they are tried.

        The verdict stands even if that is hindered or cancelled.
        """
        tier = chosen.policy
        if not self.context.tries_patches or tier is None:
            return chosen
        trial = PatchTrial(
            case=case,
            chosen=chosen,
            attempt=lambda patched: self.cascade.attempt_again(patched, lease, tier),
        )
        try:
            updated = await trial.run()
        except (HinderedError, StoreError, OSError) as exc:
            _log.warning("patches_not_tried", procedure=case.procedure.id, reason=str(exc))
            return chosen
        except asyncio.CancelledError:
            await self._finish(case, chosen)
            raise
        case.put(chosen, updated)
        return updated

    async def _raise_obstacles(self, drawn: DrawnVerdict) -> None:
        """Raise an obstacle that may have caused a verdict other than `verified` or `drifted`."""
        obstacles = self.context.environment.obstacles
        match drawn.verdict:
            case Verdict.BLOCKED:
                await obstacles.require_clear()
            case Verdict.BROKEN | Verdict.UNDECIDED:
                if outage := await obstacles.console():
                    raise HinderedError(outage)

    async def _decide(self, case: Case, lease: Lease) -> TierAttempts:
        started = ProcedureStarted(
            run_id=self.context.run_id,
            procedure_id=case.procedure.id,
            title=case.procedure.title,
            steps=tuple(step.index for step in case.procedure.walk()),
        )
        self.context.events.emit(started)
        return await self.cascade.decide(case, lease)


def _blocked_tier(cause: Cause) -> TierAttempts:
    """The tier of a procedure that was not tried."""
    return TierAttempts(policy=None, attempts=(), drawn=DrawnVerdict(Verdict.BLOCKED, cause))


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRun:
    """A run that is not yet complete."""

    run: RunResult
    """The run as known at its start, without procedures."""
    verifier: Verifier
    """May verify several procedures at a time."""
    context: RunContext

    async def finish(self) -> None:
        """Record the end of the run, with the results in the store."""
        row = await asyncio.to_thread(self.context.store.listings.run, self.run.id)
        finished = RunFinished(
            run_id=self.run.id,
            console=self.run.console,
            ended_at=self.context.clock.now(),
            summary=row.summary if row else Summary(),
        )
        await self.context.events.record(finished)


async def begin_run(
    context: RunContext,
    documents: Sequence[DocumentOutline],
    planned: int,
    began: datetime | None = None,
) -> OpenRun:
    """Start or resume a run; `finish` completes it.

    Args:
        context: The run's context.
        documents: The documents that are verified.
        planned: How many procedures will be verified.
        began: When it first started, if it is resumed: its results are kept.

    Raises:
        ConsoleError: The console does not answer at all.
        SetupError: The policy asks a model, and there is none.
    """
    check_policy(context.policy, context.settings.model)
    await context.console.check()
    started = began or context.clock.now()
    run = RunResult(
        id=context.run_id,
        appliance_version=__version__,
        commit=commit(),
        console=context.console.name,
        policy=context.policy,
        started_at=started,
        ended_at=started,
        procedures=(),
        config=masked(context.settings),
        documents={d.path: d.revision for d in documents},
    )
    goes_on = began is not None
    await context.events.record(
        RunStarted(run_id=context.run_id, procedures=planned, run=run, goes_on=goes_on)
    )
    return OpenRun(run=run, verifier=Verifier.of(context), context=context)

"""Verifies one procedure against a console: an account for it, the cascade, the verdict told."""

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
from appliance.verification.results import agreement, result_of, waiting_row
from appliance.verification.verdict import DrawnVerdict

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Verifier:
    """Of one run."""

    context: RunContext
    cascade: Cascade
    gate: asyncio.Semaphore
    """How many procedures are under way at a time."""

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
            document: Where it stands.
            procedure: What is to be carried out.
            locale: Language of the console; empty: as the settings say, else the document's.
            region: Of the account that does it; empty: any.

        Raises:
            HinderedError: None can be had now: the disk is full, or the console is down.
        """
        of = self.context
        done = await asyncio.to_thread(
            HarmRecord.kept, of.store.harmful_actions, of.run_id, procedure.id
        )
        case = Case(document, procedure, of.clock.monotonic(), locale, region, done=done)
        if procedure.checks.skip:
            return await self._finish(
                case, _blocked(Cause(CauseKind.CHECKS, procedure.checks.skip))
            )
        try:
            return await self._with_account(case)
        except (AttemptError, StoreError, OSError) as exc:
            if case.result is not None:
                return case.result  # the account was lost after it
            await self.context.environment.obstacles.raise_if_hindered(exc)
            if not isinstance(exc, AttemptError):
                raise
            return await self._finish(case, _blocked(exc.cause))

    async def hindered(
        self, document: Document, procedure: Procedure, cause: Cause
    ) -> ProcedureResult:
        """The verdict on one that will not be tried, for a cause that is in the way of all."""
        case = Case(document, procedure, self.context.clock.monotonic())
        return await self._finish(case, _blocked(Cause(CauseKind.CONSOLE, cause.text)))

    async def _finish(self, case: Case, chosen: TierAttempts) -> ProcedureResult:
        """Keep the verdict and tell it, also while the program stops."""
        return await to_its_end(self._keep(case, chosen))

    async def _keep(self, case: Case, chosen: TierAttempts) -> ProcedureResult:
        of = self.context
        took_s = of.clock.monotonic() - case.started
        result = await asyncio.to_thread(result_of, case, chosen, took_s, of.store.artifacts)
        await of.events.record(ProcedureFinished(run_id=of.run_id, result=result))
        if chosen.pending is not None:
            row = waiting_row(chosen.pending, case.procedure, result, of.run_id, of.console.name)
            await asyncio.to_thread(of.store.pending.put, row)
        case.result = result  # it is kept now
        return result

    async def _with_account(self, case: Case) -> ProcedureResult:
        """Decide with a free account; with the next one where the first turns out to be no good.

        The verdict is told at once, before anything else is waited for: whatever happens to the
        process in between, the work would be done twice.
        """
        environment, wanted = self.context.environment, case.procedure.checks.account
        holder = f"{self.context.run_id}/{case.procedure.id}"
        while True:
            # the account first: a slot is not held by who waits for an account
            async with environment.lease(wanted, holder, case.region) as lease, self.gate:
                case.started = self.context.clock.monotonic()
                case.tiers.clear()
                try:
                    chosen = await self._decide(case, lease)
                    await self._see_none(chosen.drawn)
                    chosen = await self._with_answers(case, chosen)
                    return await self._finish(case, await self._with_patches(case, chosen, lease))
                except AttemptError as exc:
                    if environment.pool.row(lease.account).quarantined_at is None:
                        raise
                    _log.warning("other_account", instead_of=lease.account.name, reason=str(exc))

    async def _with_answers(self, case: Case, chosen: TierAttempts) -> TierAttempts:
        """The same, with what a model says of claims that nobody could check.

        Of a replay only what was answered before counts: it stays free of models.
        """
        of, last = self.context, chosen.attempts[-1] if chosen.attempts else None
        is_told = chosen.drawn.verdict in ABOUT_THE_TEXT and chosen.pending is None
        is_asking = asks_model(of.policy, of.settings.model)
        if of.model is None or not is_asking or last is None or not is_told:
            return chosen
        is_asked = chosen.policy != PolicyName.REPLAY and not await of.wait_for_model()
        asker = ClaimAsker(
            client=of.model if is_asked else None, settings=of.settings, store=of.store
        )
        claims = claims_of(case.procedure, last.trajectory, chosen.findings)
        try:
            asked = await asker.ask(case.document, claims, last)
        except asyncio.CancelledError:
            await self._finish(case, chosen)
            raise
        made = findings_of(case.document, case.procedure, claims, asked.answers, last)
        fit = agreement(of.console, case.procedure, last.trajectory)
        told = of.confidence.judged(made, last.trajectory.policy, last.goal, fit)
        answered = with_answers(chosen, asked, told)
        case.put(chosen, answered)
        return answered

    async def _with_patches(self, case: Case, chosen: TierAttempts, lease: Lease) -> TierAttempts:
        """The same, with what came of the patches where they are tried.

        What hinders that, or stops it, costs the verdict nothing.
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
            tried = await trial.tried()
        except (HinderedError, StoreError, OSError) as exc:
            _log.warning("patches_not_tried", procedure=case.procedure.id, reason=str(exc))
            return chosen
        except asyncio.CancelledError:
            await self._finish(case, chosen)
            raise
        case.put(chosen, tried)
        return tried

    async def _see_none(self, drawn: DrawnVerdict) -> None:
        """Raise what a verdict may be due to that says nothing, or something against the text."""
        obstacles = self.context.environment.obstacles
        match drawn.verdict:
            case Verdict.BLOCKED:
                await obstacles.require_clear()
            case Verdict.BROKEN | Verdict.UNDECIDED:
                if down := await obstacles.console():
                    raise HinderedError(down)

    async def _decide(self, case: Case, lease: Lease) -> TierAttempts:
        started = ProcedureStarted(
            run_id=self.context.run_id,
            procedure_id=case.procedure.id,
            title=case.procedure.title,
            steps=tuple(step.index for step in case.procedure.walk()),
        )
        self.context.events.emit(started)
        return await self.cascade.decide(case, lease)


def _blocked(why: Cause) -> TierAttempts:
    """Nothing was tried that counts."""
    return TierAttempts(policy=None, attempts=(), drawn=DrawnVerdict(Verdict.BLOCKED, why))


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRun:
    """A run that is not complete yet."""

    run: RunResult
    """As known at its start, without procedures."""
    verifier: Verifier
    """Several procedures may be under way at a time."""
    context: RunContext

    async def finish(self) -> None:
        """The run has come to its end with the results that the store has."""
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
    """Begin a run, or go on with it; `finish` says that it is complete.

    Args:
        context: What it is made with.
        documents: What is verified in it.
        planned: How many procedures it is to verify.
        began: When it first began, where it goes on: what it has is kept then.

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

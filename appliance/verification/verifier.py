"""Verifies one procedure against a console: an account for it, the cascade, the verdict told."""

import asyncio
from dataclasses import dataclass

import structlog

from appliance.core.causes import Cause
from appliance.core.errors import AttemptError, HinderedError, StoreError
from appliance.core.events import Events, ProcedureFinished, ProcedureStarted
from appliance.core.procedure import Document, Procedure
from appliance.core.result import ProcedureResult
from appliance.core.verdict import Verdict
from appliance.environment.accounts import Lease
from appliance.environment.lifecycle import Environment
from appliance.verification.cascade import Cascade
from appliance.verification.case import Case, Round
from appliance.verification.guard import Done
from appliance.verification.pending import waiting_row
from appliance.verification.resulting import result_of
from appliance.verification.trying import Trier
from appliance.verification.verdict import Drawn

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Verifier:
    """Of one run."""

    trier: Trier
    cascade: Cascade
    gate: asyncio.Semaphore
    """How many procedures are under way at a time."""

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
        trier = self.trier
        done = Done.kept(trier.kit.store.deeds, trier.run_id, procedure.id)
        case = Case(document, procedure, trier.clock.monotonic(), locale, region, done=done)
        if procedure.checks.skip:
            return self._finish(case, _blocked(f"checks: {procedure.checks.skip}"))
        try:
            return await self._with_account(case)
        except (AttemptError, StoreError, OSError) as exc:
            if case.result is not None:
                return case.result  # the account was lost after it
            await self._environment.obstacles.see(exc)
            if not isinstance(exc, AttemptError):
                raise
            return self._finish(case, _blocked(f"{exc.boundary}: {exc}"))

    def hindered(self, document: Document, procedure: Procedure, cause: Cause) -> ProcedureResult:
        """The verdict on one that will not be tried, for a cause that is in the way of all."""
        case = Case(document, procedure, self.trier.clock.monotonic())
        return self._finish(case, _blocked(f"console: {cause.text}"))

    def _finish(self, case: Case, chosen: Round) -> ProcedureResult:
        """Tell the verdict."""
        trier = self.trier
        took_s = trier.clock.monotonic() - case.started
        result = result_of(case, chosen, took_s, trier.kit.store.artifacts)
        self._events.emit(ProcedureFinished(run_id=trier.run_id, result=result))
        if chosen.pending is not None:
            trier.kit.store.pending.put(
                waiting_row(
                    chosen.pending, case.procedure, result, trier.run_id, trier.console.name
                )
            )
        case.result = result  # it is kept now
        return result

    async def _with_account(self, case: Case) -> ProcedureResult:
        """Decide with a free account; with the next one where the first turns out to be no good.

        The verdict is told at once, before anything else is waited for: whatever happens to the
        process in between, the work would be done twice.
        """
        environment, wanted = self._environment, case.procedure.checks.account
        holder = f"{self.trier.run_id}/{case.procedure.id}"
        while True:
            # the account first: a slot is not held by who waits for an account
            async with environment.lease(wanted, holder, case.region) as lease, self.gate:
                case.started = self.trier.clock.monotonic()
                case.rounds.clear()
                try:
                    chosen = await self._decide(case, lease)
                    await self._see_none(chosen.drawn)
                    return self._finish(case, chosen)
                except AttemptError as exc:
                    if environment.pool.row(lease.account).quarantined_at is None:
                        raise
                    _log.warning("other_account", instead_of=lease.account.name, reason=str(exc))

    async def _see_none(self, drawn: Drawn) -> None:
        """Raise what a verdict may be due to that says nothing, or something against the text."""
        obstacles = self._environment.obstacles
        match drawn.verdict:
            case Verdict.BLOCKED:
                await obstacles.see_none()
            case Verdict.BROKEN | Verdict.UNDECIDED:
                if down := await obstacles.console():
                    raise HinderedError(down)

    async def _decide(self, case: Case, lease: Lease) -> Round:
        started = ProcedureStarted(
            run_id=self.trier.run_id, procedure_id=case.procedure.id, title=case.procedure.title
        )
        self._events.emit(started)
        return await self.cascade.decide(case, lease)

    @property
    def _environment(self) -> Environment:
        return self.trier.environment

    @property
    def _events(self) -> Events:
        return self.trier.events


def _blocked(why: str) -> Round:
    """Nothing was tried that counts."""
    return Round(policy="", tried=(), drawn=Drawn(Verdict.BLOCKED, why))

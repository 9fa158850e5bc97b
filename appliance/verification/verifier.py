"""Verifies one procedure against a console: attempts, outcome, verdict, findings."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import structlog

from appliance.browser import BrowserPool
from appliance.config import Settings
from appliance.consoles.base import Console
from appliance.core.clock import Clock
from appliance.core.errors import AttemptError, OutcomeError
from appliance.core.events import (
    AttemptStarted,
    Events,
    ProcedureFinished,
    ProcedureStarted,
)
from appliance.core.procedure import Document, Procedure
from appliance.core.result import ChannelResult, Cost, Finding, Goal, ProcedureResult
from appliance.core.verdict import GoalChannel, Verdict
from appliance.environment.accounts import Lease
from appliance.environment.lifecycle import Environment, Ready
from appliance.outcome import apply_rules
from appliance.policy import Task
from appliance.policy.literal import LiteralPolicy
from appliance.verification.attempt import attempt
from appliance.verification.findings import confirmed_findings
from appliance.verification.kit import Kit
from appliance.verification.limits import Limits
from appliance.verification.recorder import Recorder
from appliance.verification.steps import step_results
from appliance.verification.trajectory import StopReason, Trajectory
from appliance.verification.ui_evidence import ui_evidence
from appliance.verification.verdict import Drawn, draw_verdict, goal_of, path_of

_AUDIT_POLL_S = 0.5
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class _Tried:
    """One attempt with what the channels say about it."""

    trajectory: Trajectory
    channels: tuple[ChannelResult, ...]
    unique: str


@dataclass(slots=True)
class _Case:
    """One procedure under way."""

    document: Document
    procedure: Procedure
    started: float
    """By the monotonic clock, when it had an account last."""
    locale: str = ""
    """Of the console, where it is not left to the settings and the document."""
    region: str = ""
    """Of the account, where it is not left to chance."""
    resource_cost: float = 0.0
    tried: list[_Tried] = field(default_factory=list)
    result: ProcedureResult | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verifier:
    """What all procedures of a run have in common."""

    console: Console
    pool: BrowserPool
    settings: Settings
    events: Events
    kit: Kit
    policy: str
    values: Mapping[str, str]
    environment: Environment
    gate: asyncio.Semaphore
    run_id: str
    sample_file: Path
    clock: Clock

    async def procedure(
        self, document: Document, procedure: Procedure, locale: str = "", region: str = ""
    ) -> ProcedureResult:
        """The verdict on one procedure.

        Args:
            document: Where it stands.
            procedure: What is to be carried out.
            locale: Language of the console; empty: as the settings say, else the document's.
            region: Of the account that does it; empty: any.
        """
        case = _Case(document, procedure, self.clock.monotonic(), locale, region)
        if procedure.checks.skip:
            return self._finish(case, Drawn(Verdict.BLOCKED, f"checks: {procedure.checks.skip}"))
        try:
            return await self._with_account(case)
        except AttemptError as exc:
            if case.result is not None:
                return case.result  # the account was lost after it
            return self._finish(case, Drawn(Verdict.BLOCKED, f"{exc.boundary}: {exc}"))

    def _finish(self, case: _Case, drawn: Drawn) -> ProcedureResult:
        """Tell the verdict."""
        case.result = self._result(case, drawn)
        self.events.emit(ProcedureFinished(run_id=self.run_id, result=case.result))
        return case.result

    async def _with_account(self, case: _Case) -> ProcedureResult:
        """Decide with a free account; with the next one where the first turns out to be no good.

        The verdict is told at once, before anything else is waited for: whatever happens to the
        process in between, the work would be done twice.
        """
        environment, wanted = self.environment, case.procedure.checks.account
        holder = f"{self.run_id}/{case.procedure.id}"
        while True:
            # the account first: a slot is not held by who waits for an account
            async with environment.lease(wanted, holder, case.region) as lease, self.gate:
                case.started = self.clock.monotonic()
                try:
                    return self._finish(case, await self._decide(case, lease))
                except AttemptError as exc:
                    row = environment.pool.row(lease.account)
                    if case.tried or row.quarantined_at is None:
                        raise
                    _log.warning("other_account", instead_of=lease.account.name, reason=str(exc))

    async def _decide(self, case: _Case, lease: Lease) -> Drawn:
        """One attempt; a second in a clean state before anything is said against the document."""
        procedure = case.procedure
        self.events.emit(
            ProcedureStarted(run_id=self.run_id, procedure_id=procedure.id, title=procedure.title)
        )
        for number in (1, 2):
            self.events.emit(
                AttemptStarted(run_id=self.run_id, procedure_id=procedure.id, attempt=number)
            )
            case.tried.append(await self._try(case, lease, number))
            drawn = self._draw(case)
            if drawn.verdict is Verdict.VERIFIED:
                break
        return drawn

    def _draw(self, case: _Case) -> Drawn:
        last = case.tried[-1]
        return draw_verdict(goal_of(last.channels), last.trajectory, self._findings(case))

    def _findings(self, case: _Case) -> tuple[Finding, ...]:
        """Only what both attempts saw."""
        whole = [t for t in case.tried if t.trajectory.stop is not StopReason.ERROR]
        if not whole:
            return ()
        return confirmed_findings(
            case.document,
            case.procedure,
            [t.trajectory for t in whole],
            [t.unique for t in whole],
        )

    async def _try(self, case: _Case, lease: Lease, number: int) -> _Tried:
        """Provision, execute, ask the channels, clean up: in that order, whatever fails."""
        procedure, began = case.procedure, self.clock.monotonic()
        async with self.environment.attempt(lease, procedure, number, self.values) as ready:
            trajectory = await self._execute(case, ready, number)
            channels = await self._ask(procedure, ready, trajectory)
        hours = (self.clock.monotonic() - began) / 3600
        case.resource_cost += hours * ready.cost_per_hour
        return _Tried(trajectory, channels, ready.lifetime.unique)

    async def _execute(self, case: _Case, ready: Ready, number: int) -> Trajectory:
        account, procedure = ready.account, case.procedure
        task = Task(
            procedure=procedure,
            bindings=ready.bindings,
            project=account.settings.project,
            username=account.settings.username,
            unique=ready.lifetime.unique,
            sample_file=str(self.sample_file),
            patience_s=self.settings.verification.settle_resource_s,
        )
        recorder = Recorder(
            self.kit.store.artifacts,
            self.events,
            procedure.id,
            number,
            run_id=self.run_id,
            texts={step.index: step.text for step in procedure.walk()},
        )
        settings = self.settings.consoles[self.console.name]
        locale = case.locale or settings.locale or procedure.language
        async with self.pool.page(self.console.hosts, locale) as page:
            await self.environment.log_in(page, account, locale)
            limits = Limits.start(self.settings.verification, self.clock)
            policy = LiteralPolicy(task)
            return await attempt(policy, page, limits, recorder, self.clock, ready.supply)

    async def _ask(
        self, procedure: Procedure, ready: Ready, trajectory: Trajectory
    ) -> tuple[ChannelResult, ...]:
        """The audit log, which may be late, and the pages."""
        pages = ui_evidence(trajectory)
        checks = procedure.checks
        if not (checks.expect or checks.forbid) or not self.console.has_audit:
            return (pages,)
        deadline = self.clock.monotonic() + self.settings.verification.audit_wait_s
        while True:
            try:
                events = await self.console.audit(ready.account, ready.began)
                audit = apply_rules(checks, events, ready.bindings)
            except OutcomeError as exc:
                return (
                    ChannelResult(channel=GoalChannel.AUDIT, reached=None, reason=str(exc)),
                    pages,
                )
            if audit.reached or self.clock.monotonic() >= deadline:
                return (audit, pages)
            await asyncio.sleep(_AUDIT_POLL_S)

    def _result(self, case: _Case, drawn: Drawn) -> ProcedureResult:
        procedure, tried = case.procedure, case.tried
        last = tried[-1] if tried else None
        trajectory = last.trajectory if last else None
        kept = (
            self.kit.store.artifacts.put(trajectory.as_json_lines().encode(), "application/jsonl")
            if trajectory
            else None
        )
        is_known = drawn.verdict in (Verdict.DRIFTED, Verdict.BROKEN, Verdict.UNDECIDED)
        return ProcedureResult(
            id=procedure.id,
            title=procedure.title,
            title_path=procedure.title_path,
            document=case.document.path,
            line=procedure.span.line,
            end_line=procedure.span.end_line,
            verdict=drawn.verdict,
            goal=goal_of(last.channels) if last else Goal(reached=None),
            path=path_of(trajectory) if trajectory else "",
            decided_by="literal" if tried else "",
            attempts=len(tried),
            cost=Cost(
                wall_s=self.clock.monotonic() - case.started,
                browser_s=sum(t.trajectory.browser_s for t in tried),
                resource_cost=case.resource_cost,
            ),
            steps=step_results(procedure, trajectory),
            findings=self._findings(case) if is_known else (),
            blocked_by=drawn.because,
            prerequisites=tuple(p.text for p in procedure.prerequisites),
            trajectory=kept,
        )

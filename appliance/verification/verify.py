"""Verifies procedures in a run: one by one while it stays open, or a list to its end."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from appliance import __version__
from appliance.browser import BrowserPool
from appliance.config import Settings
from appliance.consoles.base import Console
from appliance.core.build import commit
from appliance.core.causes import Cause, CauseKind
from appliance.core.clock import Clock, SystemClock
from appliance.core.errors import HinderedError
from appliance.core.events import Events, RunFinished, RunStarted
from appliance.core.procedure import Document, Procedure
from appliance.core.result import ProcedureResult, RunResult
from appliance.environment.lifecycle import Environment
from appliance.verification.cascade import Cascade
from appliance.verification.kit import Kit, see_policy
from appliance.verification.recipes import Recipes
from appliance.verification.trying import Trier
from appliance.verification.verifier import Verifier


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRun:
    """A run under way. Every verdict is told as soon as it is known."""

    run: RunResult
    """As known at its start, without procedures."""
    _verifier: Verifier
    _events: Events
    _clock: Clock

    async def procedure(
        self, document: Document, procedure: Procedure, locale: str = "", region: str = ""
    ) -> ProcedureResult:
        """The verdict on one procedure; several may be under way at a time.

        Args:
            document: Where it stands.
            procedure: What is to be carried out.
            locale: Language of the console; empty: as the settings say, else the document's.
            region: Of the account that does it; empty: any.

        Raises:
            HinderedError: None can be had now: the disk is full, or the console is down.
        """
        return await self._verifier.procedure(document, procedure, locale, region)

    def hindered(self, document: Document, procedure: Procedure, cause: Cause) -> ProcedureResult:
        """See `Verifier.hindered`."""
        return self._verifier.hindered(document, procedure, cause)

    def finish(self, results: Sequence[ProcedureResult]) -> RunResult:
        """The run has come to its end with these results."""
        run = replace(self.run, ended_at=self._clock.now(), procedures=tuple(results))
        self._events.emit(RunFinished(result=run))
        return run


@asynccontextmanager
async def open_run(
    documents: Sequence[Document],
    *,
    planned: int,
    console: Console,
    environment: Environment,
    pool: BrowserPool,
    settings: Settings,
    policy: str,
    events: Events,
    kit: Kit,
    values: Mapping[str, str],
    run_id: str,
    config: Mapping[str, Any],  # Any: resolved settings as JSON
    began: datetime | None = None,
) -> AsyncIterator[OpenRun]:
    """A run that takes procedures until the block ends; `finish` says that it is complete.

    Args:
        documents: What is verified in it.
        planned: How many procedures it is to verify.
        console: What they are held against.
        environment: Accounts and resources.
        pool: The browsers.
        settings: All settings.
        policy: What chooses the actions, as it was asked for.
        events: Told of everything.
        kit: The model, people and store that attempts are made with.
        values: For what the texts leave open.
        run_id: Its id.
        config: The settings as they are kept with the results.
        began: When it first began, where it goes on: what it has is kept then.

    Raises:
        ConsoleError: The console does not answer at all.
        SetupError: The policy asks a model, and there is none.
    """
    see_policy(policy, settings.model)
    await console.check()
    clock = SystemClock()
    started = began or clock.now()
    run = RunResult(
        id=run_id,
        appliance_version=__version__,
        commit=commit(),
        console=console.name,
        policy=policy,
        started_at=started,
        ended_at=started,
        procedures=(),
        config=config,
        documents={d.path: d.revision for d in documents},
    )
    goes_on = began is not None
    events.emit(RunStarted(run_id=run_id, procedures=planned, run=run, goes_on=goes_on))
    with tempfile.TemporaryDirectory(prefix="appliance-") as folder:
        sample = Path(folder) / "sample.txt"
        sample.write_text("A small file for uploads.\n")
        trier = Trier(
            console=console,
            pool=pool,
            kit=kit,
            settings=settings,
            events=events,
            values=values,
            environment=environment,
            run_id=run_id,
            sample_file=sample,
            clock=clock,
        )
        recipes = Recipes(table=kit.store.recipes, console=console.name)
        verifier = Verifier(
            trier=trier,
            cascade=Cascade(policy=policy, trier=trier, recipes=recipes),
            gate=asyncio.Semaphore(settings.verification.parallel),
        )
        yield OpenRun(run=run, _verifier=verifier, _events=events, _clock=clock)


async def verify(
    documents: Sequence[Document],
    *,
    procedures: Sequence[Procedure],
    console: Console,
    environment: Environment,
    pool: BrowserPool,
    settings: Settings,
    policy: str,
    events: Events,
    kit: Kit,
    values: Mapping[str, str],
    run_id: str,
    config: Mapping[str, Any],  # Any: resolved settings as JSON
) -> RunResult:
    """Verify the procedures, several at a time, one attempt an account; see `open_run`.

    When the console goes down, what has no verdict is blocked by that: it is not waited for.

    Raises:
        ConsoleError: The console does not answer at all.
        HinderedError: The disk is full. The verdicts until then are kept.
    """
    owner = {p.id: d for d in documents for p in d.procedures}
    async with open_run(
        documents,
        planned=len(procedures),
        console=console,
        environment=environment,
        pool=pool,
        settings=settings,
        policy=policy,
        events=events,
        kit=kit,
        values=values,
        run_id=run_id,
        config=config,
    ) as run:
        results: dict[str, ProcedureResult] = {}

        async def one(procedure: Procedure) -> None:
            results[procedure.id] = await run.procedure(owner[procedure.id], procedure)

        try:
            async with asyncio.TaskGroup() as group:
                for procedure in procedures:
                    group.create_task(one(procedure))
        except* HinderedError as hindered:
            cause = _first(hindered).cause
            if cause.kind is not CauseKind.CONSOLE_DOWN:
                raise
            for left in (p for p in procedures if p.id not in results):
                results[left.id] = run.hindered(owner[left.id], left, cause)
        return run.finish([results[p.id] for p in procedures])


def _first(group: BaseExceptionGroup[HinderedError]) -> HinderedError:
    one = group.exceptions[0]
    return _first(one) if isinstance(one, BaseExceptionGroup) else one

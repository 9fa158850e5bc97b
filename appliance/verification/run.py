"""A run under way: it takes procedures one by one, and every verdict is told at once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from appliance import __version__
from appliance.config import masked
from appliance.core.build import commit
from appliance.core.events import RunFinished, RunStarted
from appliance.core.procedure import Document
from appliance.core.result import ProcedureResult, RunResult
from appliance.verification.context import RunContext, check_policy
from appliance.verification.verifier import Verifier


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRun:
    """A run that is not complete yet."""

    run: RunResult
    """As known at its start, without procedures."""
    verifier: Verifier
    """Several procedures may be under way at a time."""
    context: RunContext

    def finish(self, results: Sequence[ProcedureResult]) -> RunResult:
        """The run has come to its end with these results."""
        ended_at = self.context.clock.now()
        run = replace(self.run, ended_at=ended_at, procedures=tuple(results))
        self.context.events.emit(RunFinished(result=run))
        return run


async def begin_run(
    context: RunContext,
    documents: Sequence[Document],
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
    context.events.emit(
        RunStarted(run_id=context.run_id, procedures=planned, run=run, goes_on=goes_on)
    )
    return OpenRun(run=run, verifier=Verifier.of(context), context=context)

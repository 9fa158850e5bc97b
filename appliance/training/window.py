"""Trainings by the clock: those that were put off go on while nothing else is to be done.

Runs have priority. A training ends with a checkpoint as soon as one begins, gives the GPUs back to
the model that is served, and goes on when all is quiet again.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from appliance.config import Settings
from appliance.core.clock import Clock
from appliance.core.errors import ApplianceError
from appliance.engine.engine import Engine
from appliance.engine.schedules.jobs import JobEnd
from appliance.store.schedules import ScheduleOutcome
from appliance.training.runs import RunStatus, TrainingRun, all_runs

_LOOK_EVERY_S = 1.0
_OWN_GPUS = "CUDA_VISIBLE_DEVICES"

CarryOn = Callable[[TrainingRun], Awaitable[RunStatus]]
"""Trains until the end, or until the run is asked to stop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingWindow:
    """Carries on with what was put off, one training after the other."""

    engine: Engine
    settings: Settings
    clock: Clock
    carry_on: CarryOn

    async def __call__(self, closes: datetime) -> JobEnd:
        """Until then, or until nothing is left to train.

        Raises:
            ApplianceError: One could not begin, or ended otherwise than it should: it is put off no
                longer.
            ModelError: The model that is served does not give its memory up, or take it back.
        """
        sentences = dict[str, str]()
        while run := await asyncio.to_thread(next_put_off, self.settings.data_dir):
            if not await self._is_quiet(closes):
                sentences.setdefault(
                    run.file.id, f"training {run.file.id} waits: runs have priority"
                )
                break
            status = await self._while_quiet(run, closes)
            sentences[run.file.id] = _sentence(run, status)
        if not sentences:
            why = "no training was put off: `appliance train sft --later` does that"
            return JobEnd(ScheduleOutcome.SKIPPED, why)
        return JobEnd(ScheduleOutcome.DONE, "; ".join(sentences.values()))

    async def _is_quiet(self, closes: datetime) -> bool:
        """Wait until no run is under way; whether there is time left then."""
        while self.engine.is_working and self.clock.now() < closes:
            await asyncio.sleep(_LOOK_EVERY_S)
        return self.clock.now() < closes

    async def _while_quiet(self, run: TrainingRun, closes: datetime) -> RunStatus:
        if _OWN_GPUS in self.settings.training.environment:
            return await self._train(run, closes)
        async with self.engine.model.lent():
            return await self._train(run, closes)

    async def _train(self, run: TrainingRun, closes: datetime) -> RunStatus:
        training = asyncio.ensure_future(self.carry_on(run))
        try:
            while not training.done():
                await asyncio.wait([training], timeout=_LOOK_EVERY_S)
                if self.engine.is_working or self.clock.now() >= closes:
                    await asyncio.to_thread(run.ask_to_stop)
            status = training.result()
        except ApplianceError:  # neither is the next time better, nor do others wait for it
            await asyncio.to_thread(run.put_off_no_longer)
            raise
        finally:
            training.cancel()
            await asyncio.gather(training, return_exceptions=True)
        if status.state == "done":
            await asyncio.to_thread(run.put_off_no_longer)
        return status


def next_put_off(data_dir: Path) -> TrainingRun | None:
    """The oldest that was put off and that nobody works on now."""
    put_off_runs = (run for run in reversed(all_runs(data_dir)) if run.is_put_off)
    return next((run for run in put_off_runs if run.status.state != "running"), None)


def _sentence(run: TrainingRun, status: RunStatus) -> str:
    if status.state == "done":
        return f"training {run.file.id} is done, and `appliance train promote` can measure it"
    step = f"at step {status.step} of {status.of}"
    return f"training {run.file.id} is {step}, and goes on the next time"

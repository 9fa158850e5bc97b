"""What a training in the live console needs beside its trainer: a policy server, and attempts."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Protocol

from appliance.benchmark.finding import load_suite
from appliance.benchmark.suite import Suite, Task, drifts_of
from appliance.benchmark.truth import Untruth, truth_of
from appliance.config import ModelSettings, Settings
from appliance.core.blocking import in_thread
from appliance.core.errors import SetupError
from appliance.inference.client import ModelClient
from appliance.inference.server import policy_server
from appliance.training.attempts import OUTCOME_NAME, AttemptMaker, CarryOut
from appliance.training.options import LiveOptions
from appliance.training.outcomes import OutcomeModel
from appliance.training.rollouts import Asked, read_asked, read_rollouts
from appliance.training.runs import TrainingRun

NAME = "trainee"
"""Under which the policy that is trained is served."""
_LOOK_EVERY_S = 0.2


def live_tasks(options: LiveOptions) -> tuple[Task, ...]:
    """What is tried.

    Raises:
        SetupError: The suite has none of these.
    """
    suite = load_suite(options.suite, ())
    tasks = suite.tasks if isinstance(suite, Suite) else ()
    found = [task for task in tasks if _is_wanted(task, options)]
    if not found:
        raise SetupError(
            f"suite {options.suite} has no task of level {options.level} in split {options.split}"
            f" and language {options.language}"
        )
    return tuple(found)


def validation_tasks(options: LiveOptions) -> tuple[Task, ...]:
    """What is tried to see how well a policy does: always the same.

    Raises:
        SetupError: The suite has none of these.
    """
    if not options.validated:
        return ()
    found = live_tasks(options.model_copy(update={"split": "validation"}))
    count = min(options.validated, len(found))
    return tuple(Random(options.seed).sample(found, count))  # noqa: S311 - repeatable, no secret


def _is_wanted(task: Task, options: LiveOptions) -> bool:
    # Of a chain the truth is not known: its lines are not where they stand in the documents.
    is_chain = "+" in task.id.partition("@")[0]
    return (
        task.split == options.split
        and options.level in ("all", task.level)
        and options.language in ("all", task.language)
        and not is_chain
    )


def options_of_run(run: TrainingRun) -> LiveOptions:
    """What it was told."""
    told: Mapping[str, object] = run.file.settings
    return LiveOptions.model_validate({k: v for k, v in told.items() if k != "threads"})


class Pusher(Protocol):
    """What serves the policy."""

    async def load_adapter(self, name: str, folder: Path) -> None:
        """Serve an adapter under a name, in place of what was served under it."""


class Beside:
    """Pushes every policy to the server, and has it act."""

    def __init__(self, folder: Path, server: Pusher, maker: AttemptMaker) -> None:
        """For one training.

        Args:
            folder: Of its run.
            server: What serves the policy.
            maker: Has it act.
        """
        self._folder, self._server, self._maker = folder, server, maker

    async def __call__(self) -> None:
        """Answer whatever the trainer asks for, until it is cancelled."""
        while True:
            asked = await in_thread(read_asked, self._folder)
            if asked is None or read_rollouts(self._folder, asked) is not None:
                await asyncio.sleep(_LOOK_EVERY_S)
            else:
                await self._make(asked)

    async def _make(self, asked: Asked) -> None:
        await self._server.load_adapter(NAME, Path(asked.adapter))
        if self._maker.outcomes is not None:  # again, for the server may have been begun anew
            await self._server.load_adapter(OUTCOME_NAME, self._maker.outcomes.adapter)
        made = await self._maker.make(asked)
        await in_thread(made.write, self._folder)


@asynccontextmanager
async def open_beside(
    run: TrainingRun, settings: Settings, carry_out: CarryOut
) -> AsyncIterator[Beside]:
    """The policy server of a training in the live console, while the block runs.

    Args:
        run: The training.
        settings: How its model is served, on which GPUs for instance.
        carry_out: Has attempts made.

    Raises:
        SetupError: There is no such task, or no program to serve the model with.
        ModelError: It does not come to answer.
    """
    options = options_of_run(run)
    tasks, validation = live_tasks(options), validation_tasks(options)
    outcomes = OutcomeModel.of(Path(options.outcome_model)) if options.outcome_model else None
    served = _served(settings.model, run, options)
    log_dir = run.folder / "logs"
    async with policy_server(served, log_dir=log_dir) as server:
        await server.ready()
        async with ModelClient(server.settings, traces=True) as client:
            maker = AttemptMaker(
                tasks=tasks,
                validation=validation,
                outcomes=outcomes,
                options=options,
                truth=_truth((*tasks, *validation)),
                client=client,
                agent=settings.agent.model_copy(
                    update={
                        "adapter": NAME,
                        "form": options.form,
                        "screenshots": False,  # what is trained on is text
                        "temperature": options.temperature,
                        "answer_tokens": options.answer_tokens,
                    }
                ),
                carry_out=carry_out,
                work=run.folder / "tasks",
            )
            yield Beside(run.folder, server, maker)


def _served(model: ModelSettings, run: TrainingRun, options: LiveOptions) -> ModelSettings:
    server = model.server.model_copy(
        update={
            "max_adapters": max(1 + bool(options.outcome_model), model.server.max_adapters),
            "adapter_rank": max(options.rank, model.server.adapter_rank),
        }
    )
    changed = {"weights": Path(run.file.base), "endpoint": "", "adapters": {}, "server": server}
    return model.model_copy(update=changed)


def _truth(tasks: Sequence[Task]) -> dict[str, tuple[Untruth, ...]]:
    drifts = drifts_of(tasks)
    return {one: truth_of(one, drifts.get(one)) for one in {task.release for task in tasks}}

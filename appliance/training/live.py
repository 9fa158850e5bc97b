"""The services a live training needs beside its trainer: a policy server and rollouts."""

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
from appliance.training.rollouts import RolloutRequest, read_request, read_rollouts
from appliance.training.runs import TrainingRun

NAME = "trainee"
"""The name under which the policy in training is served."""
_LOOK_EVERY_S = 0.2


def live_tasks(options: LiveOptions) -> tuple[Task, ...]:
    """Return the tasks to train on.

    Raises:
        SetupError: The suite has none of these.
    """
    suite = load_suite(options.suite, ())
    tasks = suite.tasks if isinstance(suite, Suite) else ()
    matching = [task for task in tasks if _matches(task, options)]
    if not matching:
        raise SetupError(
            f"suite {options.suite} has no task of level {options.level} in split {options.split}"
            f" and language {options.language}"
        )
    return tuple(matching)


def validation_tasks(options: LiveOptions) -> tuple[Task, ...]:
    """Return the validation tasks, the same for a given seed.

    Raises:
        SetupError: The suite has none of these.
    """
    if not options.validated:
        return ()
    candidates = live_tasks(options.model_copy(update={"split": "validation"}))
    count = min(options.validated, len(candidates))
    return tuple(Random(options.seed).sample(candidates, count))  # noqa: S311 - repeatable, no secret


def _matches(task: Task, options: LiveOptions) -> bool:
    # Of a chain the truth is not known: its lines are not where they stand in the documents.
    is_chain = "+" in task.id.partition("@")[0]
    return (
        task.split == options.split
        and options.level in ("all", task.level)
        and options.language in ("all", task.language)
        and not is_chain
    )


def options_of_run(run: TrainingRun) -> LiveOptions:
    """Return the options that a run was started with."""
    settings: Mapping[str, object] = run.file.settings
    return LiveOptions.model_validate({k: v for k, v in settings.items() if k != "threads"})


class PolicyServer(Protocol):
    """What serves the policy."""

    async def load_adapter(self, name: str, folder: Path) -> None:
        """Serve an adapter under a name, in place of what was served under it."""


class RolloutService:
    """Loads each new adapter into the policy server and makes the rollouts the trainer requests."""

    def __init__(self, folder: Path, server: PolicyServer, maker: AttemptMaker) -> None:
        """For one training.

        Args:
            folder: Of its run.
            server: What serves the policy.
            maker: Has it act.
        """
        self._folder, self._server, self._maker = folder, server, maker

    async def __call__(self) -> None:
        """Serve the trainer's requests until cancelled."""
        while True:
            request = await in_thread(read_request, self._folder)
            if request is None or read_rollouts(self._folder, request) is not None:
                await asyncio.sleep(_LOOK_EVERY_S)
            else:
                await self._make(request)

    async def _make(self, request: RolloutRequest) -> None:
        await self._server.load_adapter(NAME, Path(request.adapter))
        if self._maker.outcomes is not None:  # again, for the server may have been begun anew
            await self._server.load_adapter(OUTCOME_NAME, self._maker.outcomes.adapter)
        rollouts = await self._maker.make(request)
        await in_thread(rollouts.write, self._folder)


@asynccontextmanager
async def open_rollout_service(
    run: TrainingRun, settings: Settings, carry_out: CarryOut
) -> AsyncIterator[RolloutService]:
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
    served = _served_model(settings.model, run, options)
    log_dir = run.folder / "logs"
    async with policy_server(served, log_dir=log_dir) as server:
        await server.ready()
        async with ModelClient(server.settings, traces=True) as client:
            maker = AttemptMaker(
                tasks=tasks,
                validation=validation,
                outcomes=outcomes,
                options=options,
                truth=_truth_by_release((*tasks, *validation)),
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
            yield RolloutService(run.folder, server, maker)


def _served_model(model: ModelSettings, run: TrainingRun, options: LiveOptions) -> ModelSettings:
    server = model.server.model_copy(
        update={
            "max_adapters": max(1 + bool(options.outcome_model), model.server.max_adapters),
            "adapter_rank": max(options.rank, model.server.adapter_rank),
        }
    )
    changes = {"weights": Path(run.file.base), "endpoint": "", "adapters": {}, "server": server}
    return model.model_copy(update=changes)


def _truth_by_release(tasks: Sequence[Task]) -> dict[str, tuple[Untruth, ...]]:
    drifts = drifts_of(tasks)
    return {
        release: truth_of(release, drifts.get(release))
        for release in {task.release for task in tasks}
    }

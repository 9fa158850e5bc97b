"""Reinforcement learning by TRL on attempts that the appliance makes in the live console.

Every turn of an attempt is a row of its own: the policy remembers nothing between two questions.
TRL wants as many rows in every step; what is left over is padded with rows that nobody learns from.
"""

import shutil
from collections.abc import Sequence
from typing import Any

import torch
from datasets import Dataset
from trl import GRPOConfig, GRPOTrainer

from appliance.training.child.beginning import prepare
from appliance.training.child.folder import CURVES, Folder, StoppedError, processes, share_of
from appliance.training.child.grpo import BestKeeper, common_arguments, reinforce
from appliance.training.child.together import by_first, save
from appliance.training.rollouts import Rollouts, request_rollouts, rows_of

_POLICIES = "policies"


def main(path: str) -> None:
    """Train as the folder says."""
    setup = prepare(path)
    folder, settings = setup.folder, setup.folder.settings
    rows, at_once = settings["rows"], settings["rows_at_once"]
    arguments = GRPOConfig(
        **common_arguments(folder),
        per_device_train_batch_size=at_once,
        gradient_accumulation_steps=rows // (at_once * processes()),
        num_generations=rows,
        max_completion_length=settings["answer_tokens"],
    )
    reinforce(
        setup,
        LiveTrainer,
        keeper=Validator(folder, setup.examiner) if settings["validated"] else None,
        args=arguments,
        train_dataset=Dataset.from_list([{"prompt": "attempts"}]),
        reward_funcs=_reported_worth,
        rollout_func=_RolloutFunction(folder, setup.tokenizer.eos_token_id),
    )


class LiveTrainer(GRPOTrainer):  # type: ignore[misc]  # it has no types
    """Takes the advantages as they are, and how likely each token was to the server that said it.

    So a policy that is a little older than the one that learns, or numbers that are rounded another
    way on the server, are corrected for within the clip.
    """

    def _generate_and_score_completions(self, inputs: list[dict[str, Any]]) -> dict[str, Any]:
        batch: dict[str, Any] = super()._generate_and_score_completions(inputs)
        device = batch["advantages"].device
        batch["advantages"] = torch.tensor([row["advantage"] for row in inputs], device=device)
        batch["old_per_token_logps"] = batch.pop("sampling_per_token_logps")
        return batch


def _reported_worth(
    completions: Sequence[Any], worth: Sequence[float | None], **_: Any
) -> list[float | None]:
    """What attempts were worth, for the curves."""
    return list(worth)


class _RolloutFunction:
    """Has attempts made with the policy as it is now, and makes rows of them."""

    def __init__(self, folder: Folder, end_token: int) -> None:
        self._folder, self._end_token = folder, end_token

    def __call__(self, prompts: Sequence[Any], trainer: GRPOTrainer) -> dict[str, list[Any]]:
        """For each of so many prompts a row; what they say is nothing."""
        step = trainer.state.global_step
        rollouts = _request_rollouts(trainer, self._folder, step)
        self._folder.add(CURVES, [{"step": step + 1, **rollouts.figures}])
        rows = rows_of(rollouts, len(prompts) * processes(), self._end_token)
        return {name: [*share_of(column)] for name, column in rows.items()}


class Validator(BestKeeper):
    """Has the policy try tasks that it does not learn from, and keeps the one that does best."""

    decides = "validation_success"

    def validate(self, step: int) -> dict[str, float]:
        """How often it gets there."""
        return dict(_request_rollouts(self.trainer, self.folder, step, validates=True).figures)


def _request_rollouts(
    trainer: GRPOTrainer, folder: Folder, step: int, *, validates: bool = False
) -> Rollouts:
    """Attempts with the policy as it is now."""
    policies = folder.path / _POLICIES
    current_policy = policies / str(step)
    save(trainer, current_policy)
    # the one before stays: the server may have to load it again when it is started anew
    shutil.rmtree(policies / str(step - 2), ignore_errors=True)
    rollouts = by_first(
        lambda: request_rollouts(
            folder.path, step, current_policy, lambda: folder.is_to_stop, validates=validates
        )
    )
    if rollouts is None:
        raise StoppedError
    return rollouts

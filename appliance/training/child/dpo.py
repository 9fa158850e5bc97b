"""Direct preference optimisation by TRL, on pairs of attempts that got there and that did not."""

from pathlib import Path
from typing import Any

from datasets import Dataset
from trl import DPOConfig, DPOTrainer

from appliance.training.child.beginning import prepare
from appliance.training.child.folder import CURVES, Folder
from appliance.training.child.grpo import reinforce, trainer_arguments
from appliance.training.enough import why_not_enough
from appliance.training.pairs import pairs_of
from appliance.training.rollouts import kept_attempts


def main(path: str) -> None:
    """Train as the folder says."""
    setup = prepare(path)
    settings = setup.folder.settings
    weighted = {"sigmoid": 1.0, "sft": settings["sft_weight"]}
    reinforce(
        setup,
        PairTrainer,
        args=DPOConfig(
            **trainer_arguments(setup.folder),
            beta=settings["beta"],
            loss_type=list(weighted),
            loss_weights=list(weighted.values()),
            per_device_train_batch_size=settings["batch"],
            gradient_accumulation_steps=settings["accumulate"],
            num_train_epochs=settings["epochs"],
            max_length=None,
        ),
        train_dataset=_pair_dataset(setup.folder),
    )


class PairTrainer(DPOTrainer):  # type: ignore[misc]  # it has no types
    """Takes tokens as they were sampled: written as text, they might be read as others."""

    def _prepare_dataset(self, dataset: Dataset, *_: Any, **__: Any) -> Dataset:
        return dataset


def _pair_dataset(folder: Folder) -> Dataset:
    attempts = [
        one
        for rollout_folder in folder.settings["rollouts"]
        for one in kept_attempts(Path(rollout_folder))
    ]
    if why := why_not_enough("dpo", attempts):
        raise ValueError(why)
    pairs = pairs_of(attempts)
    if folder.last_checkpoint is None:
        folder.add(CURVES, [{"step": 0, "pairs": len(pairs)}])
    return Dataset.from_list(
        [
            {
                "prompt_ids": [*pair.prompt],
                "chosen_ids": [*pair.chosen],
                "rejected_ids": [*pair.rejected],
            }
            for pair in pairs
        ]
    )

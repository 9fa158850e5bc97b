"""Reinforcement learning on single steps by TRL: groups of answers to a question, each rewarded."""

import json
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

import torch
from datasets import Dataset
from transformers import Trainer, TrainerCallback
from trl import GRPOConfig, GRPOTrainer

from appliance.training.child.answering import Examiner
from appliance.training.child.beginning import TrainingSetup, carry_on, prepare
from appliance.training.child.folder import ANSWERS, CHECKPOINTS, CURVES, Folder
from appliance.training.child.sft import Reporter
from appliance.training.child.together import save
from appliance.training.rewards import advantages, has_spread, reward, split_into_groups


def main(path: str) -> None:
    """Train as the folder says."""
    setup = prepare(path)
    settings = setup.folder.settings
    rows = {
        "per_device_train_batch_size": settings["group"],
        "gradient_accumulation_steps": settings["questions"],
        "num_generations": settings["group"],
        "max_completion_length": settings["answer_tokens"],
        "temperature": 1.0,
    }
    reinforce(
        setup,
        GRPOTrainer,
        args=GRPOConfig(**common_arguments(setup.folder), **rows),
        train_dataset=_question_dataset(setup.train),
        reward_funcs=Rewarder(settings["group"]),
    )


def reinforce(
    setup: TrainingSetup, kind: type[Trainer], keeper: "BestKeeper | None" = None, **more: Any
) -> None:
    """Train, asking held-out questions on the way, and keep the best adapter."""
    keeper = keeper or BestKeeper(setup.folder, setup.examiner)
    trainer = keeper.trainer = kind(
        model=setup.model,
        processing_class=setup.tokenizer,
        callbacks=[Reporter(setup.folder), keeper],
        **({} if setup.adapter is None else {"peft_config": setup.adapter}),
        **more,
    )
    if setup.folder.last_checkpoint is not None:
        keeper.remember()
    if carry_on(trainer, setup.folder, lambda: keeper.examine(0)):
        state = trainer.state
        setup.folder.say("done", step=state.global_step, of=state.max_steps, best=keeper.best)


def _question_dataset(samples: Sequence[Mapping[str, Any]]) -> Dataset:
    return Dataset.from_list(
        [
            {"prompt": json.loads(sample["messages"]), "right": sample["answer"]}
            for sample in samples
            for _ in range(sample["times"])
        ]
    )


class Rewarder:
    """Gives TRL the advantages of answers as their rewards, and tells what they were worth."""

    __name__ = "reward"

    def __init__(self, group: int) -> None:
        self._group = group

    def __call__(
        self, completions: Sequence[Any], right: Sequence[str], log_metric: Any = None, **_: Any
    ) -> list[float]:
        """Of all groups of a batch at once: they are normalised together."""
        answers = [item[0]["content"] for item in completions]
        rewards = [
            reward(item, right_answer) for item, right_answer in zip(answers, right, strict=True)
        ]
        groups = split_into_groups(rewards, self._group)
        if log_metric is not None:
            log_metric("worth", fmean(rewards))
            log_metric("groups_with_spread", fmean(map(has_spread, groups)))
        return [item for group in advantages(groups) for item in group]


def common_arguments(folder: Folder) -> dict[str, Any]:
    """Of both ways to reinforce in groups."""
    settings = folder.settings
    return trainer_arguments(folder) | {
        "beta": settings["kl"],
        "epsilon": settings["clip"],
        "epsilon_high": settings["clip_high"],
        "scale_rewards": "none",  # they are normalised already
    }


def trainer_arguments(folder: Folder) -> dict[str, Any]:
    """Of all that begin with a policy."""
    settings, on_cpu = folder.settings, not torch.cuda.is_available()
    return {
        "output_dir": str(folder.path / CHECKPOINTS),
        "learning_rate": settings["learning_rate"],
        "lr_scheduler_type": "constant",
        "max_steps": settings["max_steps"] or -1,
        "seed": settings["seed"],
        "gradient_checkpointing": not on_cpu,
        "ddp_find_unused_parameters": False,
        "use_cpu": on_cpu,
        "bf16": not on_cpu and settings["dtype"] == "bfloat16",
        "save_strategy": "steps",
        "save_steps": settings["every"],
        "save_total_limit": 3,
        "logging_steps": 1,
        "report_to": [],
        "disable_tqdm": True,
    }


class BestKeeper(TrainerCallback):  # type: ignore[misc]  # it has no types
    """Asks held-out questions now and then, and keeps the best adapter: training oscillates."""

    decides = "exact_action"
    """The figure that says which is the best."""

    def __init__(self, folder: Folder, examiner: Examiner) -> None:
        self.folder, self._examiner = folder, examiner
        self.best = -1.0
        self.trainer: Any = None
        """Whose model is asked."""

    def remember(self) -> None:
        """What was the best before it was stopped."""
        lines = (self.folder.path / CURVES).read_text(encoding="utf-8").splitlines()
        values = [json.loads(line).get(f"eval_{self.decides}", -1.0) for line in lines]
        self.best = max(values, default=-1.0)

    def examine(self, step: int) -> None:
        """Ask, and keep the adapter where it is better than all before it."""
        figures, lines = self._examiner.examine(self.trainer, step)
        figures |= self.validate(step)
        self.folder.add(ANSWERS, lines)
        prefixed = {f"eval_{name}": value for name, value in figures.items()}
        self.folder.add(CURVES, [{"step": step, **prefixed}])
        if figures[self.decides] > self.best:
            self.best = figures[self.decides]
            save(self.trainer, self.folder.adapter)

    def validate(self, step: int) -> dict[str, float]:
        """Further figures."""
        return {}

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """A step more."""
        step, every = state.global_step, self.folder.settings["every"]
        if step % every == 0 or step == state.max_steps:
            self.examine(state.global_step)

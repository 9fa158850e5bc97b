"""Reinforcement learning on single steps by TRL: groups of answers to a question, each rewarded."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import torch
from datasets import Dataset
from peft import PeftModel
from transformers import TrainerCallback
from trl import GRPOConfig, GRPOTrainer

from appliance.training.child.answering import Examiner, questions
from appliance.training.child.folder import ANSWERS, CHECKPOINTS, CURVES, Folder
from appliance.training.child.model import load, lora
from appliance.training.child.sft import Reporter, samples_of
from appliance.training.rewards import advantages, reward, share_with_spread


def main(path: str) -> None:
    """Train as the folder says."""
    folder = Folder(Path(path))
    settings = folder.settings
    torch.manual_seed(settings["seed"])
    if settings["threads"]:
        torch.set_num_threads(settings["threads"])
    model, tokenizer = load(folder.run["base"], settings)
    begun_from = settings["begin_with"]
    if begun_from:
        model = PeftModel.from_pretrained(model, begun_from, is_trainable=True)
    held_out = questions(samples_of(folder, "held_out.parquet"), settings["examined"])
    keeper = BestKeeper(folder, Examiner(tokenizer, held_out, settings["answer_tokens"]))
    trainer = GRPOTrainer(
        model=model,
        reward_funcs=Rewarder(settings["group"]),
        args=_arguments(folder),
        train_dataset=_questions(samples_of(folder, "train.parquet")),
        processing_class=tokenizer,
        peft_config=None if begun_from else lora(model, settings),
        callbacks=[Reporter(folder), keeper],
    )
    last = folder.last_checkpoint
    if last is not None:
        folder.rewind(int(last.name.rpartition("-")[2]))
        keeper.remember()
    else:
        keeper.examine(trainer.model, 0)
    trainer.train(resume_from_checkpoint=str(last) if last else None)
    step, of = trainer.state.global_step, trainer.state.max_steps
    if folder.is_to_stop:
        folder.say("stopped", step=step, of=of)
    else:
        folder.say("done", step=step, of=of, best=keeper.best)


def _questions(samples: Sequence[Mapping[str, Any]]) -> Dataset:
    return Dataset.from_list(
        [
            {"prompt": json.loads(one["messages"]), "right": one["answer"]}
            for one in samples
            for _ in range(one["times"])
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
        said = [one[0]["content"] for one in completions]
        rewards = [reward(one, wanted) for one, wanted in zip(said, right, strict=True)]
        if log_metric is not None:
            log_metric("worth", fmean(rewards))
            log_metric("groups_with_spread", share_with_spread(rewards, self._group))
        return advantages(rewards, self._group)


def _arguments(folder: Folder) -> GRPOConfig:
    settings, on_cpu = folder.settings, not torch.cuda.is_available()
    return GRPOConfig(
        output_dir=str(folder.path / CHECKPOINTS),
        per_device_train_batch_size=settings["group"],
        gradient_accumulation_steps=settings["questions"],
        num_generations=settings["group"],
        max_completion_length=settings["answer_tokens"],
        temperature=1.0,
        beta=settings["kl"],
        epsilon=settings["clip"],
        epsilon_high=settings["clip_high"],
        scale_rewards="none",  # they are normalised already
        learning_rate=settings["learning_rate"],
        lr_scheduler_type="constant",
        max_steps=settings["max_steps"],
        seed=settings["seed"],
        gradient_checkpointing=not on_cpu,
        use_cpu=on_cpu,
        bf16=not on_cpu and settings["dtype"] == "bfloat16",
        save_strategy="steps",
        save_steps=settings["every"],
        save_total_limit=3,
        logging_steps=1,
        report_to=[],
        disable_tqdm=True,
    )


class BestKeeper(TrainerCallback):  # type: ignore[misc]  # it has no types
    """Asks held-out questions now and then, and keeps the best adapter: training oscillates."""

    def __init__(self, folder: Folder, examiner: Examiner) -> None:
        self._folder, self._examiner = folder, examiner
        self.best = -1.0

    def remember(self) -> None:
        """What was the best before it was stopped."""
        lines = (self._folder.path / CURVES).read_text(encoding="utf-8").splitlines()
        exact = [json.loads(line).get("eval_exact_action", -1.0) for line in lines]
        self.best = max(exact, default=-1.0)

    def examine(self, model: Any, step: int) -> None:
        """Ask, and keep the adapter where it is better than all before it."""
        figures, lines = self._examiner.examine(model, step)
        self._folder.add(ANSWERS, lines)
        told = {f"eval_{name}": value for name, value in figures.items()}
        self._folder.add(CURVES, [{"step": step, **told}])
        if figures["exact_action"] > self.best:
            self.best = figures["exact_action"]
            model.save_pretrained(str(self._folder.adapter))

    def on_step_end(self, args: Any, state: Any, control: Any, model: Any = None, **_: Any) -> None:
        """A step more."""
        if state.global_step % self._folder.settings["every"] == 0:
            self.examine(model, state.global_step)

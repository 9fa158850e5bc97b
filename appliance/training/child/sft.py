"""Supervised fine-tuning by TRL: the loss is on the answer only."""

import json
import math
import time
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from datasets import Dataset
from transformers import EarlyStoppingCallback, TrainerCallback
from trl import SFTConfig, SFTTrainer

from appliance.training.child.answering import Examiner, answer_of
from appliance.training.child.beginning import TrainingSetup, carry_on, prepare
from appliance.training.child.folder import ANSWERS, CHECKPOINTS, CURVES, Folder
from appliance.training.child.together import any_says, save
from appliance.training.stages import order_by_stage

_UNTRAINED = -100
"""Label of what the loss is not on."""


def main(path: str) -> None:
    """Train as the folder says."""
    train(prepare(path))


def train(setup: TrainingSetup) -> bool:
    """Train, asking held-out questions on the way; whether it came to its end."""
    folder, settings = setup.folder, setup.folder.settings
    rows = _repeated(setup.train)
    ordered = order_by_stage(rows, settings["stages"], settings["epochs"], settings["seed"])
    trainer = ExaminedTrainer(
        folder=folder,
        examiner=setup.examiner,
        model=setup.model,
        args=_arguments(folder, is_ordered=bool(ordered)),
        train_dataset=_question_dataset(ordered or rows),
        eval_dataset=_question_dataset(setup.held_out),
        processing_class=setup.tokenizer,
        peft_config=setup.adapter,
        callbacks=[Reporter(folder), *([] if ordered else _early_stopping(settings))],
    )

    def at_first() -> None:
        folder.add(CURVES, [_lengths(trainer, setup.tokenizer, ordered or rows)])

    is_done = carry_on(trainer, folder, at_first)
    if is_done:
        if trainer.state.best_metric is None:  # it was too short to be examined on the way
            trainer.state.best_metric = trainer.evaluate()[trainer.args.metric_for_best_model]
        save(trainer, folder.adapter)  # the best one: it was loaded at the end
        state = trainer.state
        folder.say("done", step=state.global_step, of=state.max_steps, best=state.best_metric)
    return is_done


def _lengths(
    trainer: SFTTrainer, tokenizer: Any, samples: Sequence[Mapping[str, Any]]
) -> dict[str, int]:
    """How much of the questions and answers the loss is on: all of the answers, nothing else."""
    labels = trainer.train_dataset["labels"]
    answers = [answer_of(tokenizer, sample) for sample in samples]
    answer_ids = tokenizer(answers, add_special_tokens=False)["input_ids"]
    return {
        "step": 0,
        "all_tokens": sum(map(len, labels)),
        "trained_tokens": sum(label != _UNTRAINED for row in labels for label in row),
        "answer_tokens": sum(map(len, answer_ids)),
    }


def _repeated(samples: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [sample for sample in samples for _ in range(sample["times"])]


def _question_dataset(samples: Sequence[Mapping[str, Any]]) -> Dataset:
    """As TRL wants them: it puts the loss on `completion` alone."""
    return Dataset.from_list(
        [
            {
                "prompt": json.loads(sample["messages"]),
                "completion": [{"role": "assistant", "content": sample["answer"]}],
            }
            for sample in samples
        ]
    )


def _arguments(folder: Folder, *, is_ordered: bool) -> SFTConfig:
    settings, on_cpu = folder.settings, not torch.cuda.is_available()
    return SFTConfig(
        output_dir=str(folder.path / CHECKPOINTS),
        per_device_train_batch_size=settings["batch"],
        per_device_eval_batch_size=settings["batch"],
        gradient_accumulation_steps=settings["accumulate"],
        learning_rate=settings["learning_rate"],
        lr_scheduler_type="cosine_with_min_lr",
        lr_scheduler_kwargs={"min_lr_rate": 0.1},
        warmup_steps=settings["warmup_steps"],
        # stages: they are repeated already, each by itself
        num_train_epochs=1 if is_ordered else settings["epochs"],
        train_sampling_strategy="sequential" if is_ordered else "random",
        max_steps=settings["max_steps"] or -1,
        weight_decay=0.0,
        seed=settings["seed"],
        data_seed=settings["seed"],
        completion_only_loss=True,
        max_length=settings["max_tokens"] or None,
        packing=settings["packs"],
        gradient_checkpointing=not on_cpu,
        ddp_find_unused_parameters=False,
        use_cpu=on_cpu,
        bf16=not on_cpu and settings["dtype"] == "bfloat16",
        eval_strategy="steps",
        eval_steps=settings["every"],
        # not by an evaluation before it: after that, processes would train without each other
        eval_on_start=settings["examines_base"] and folder.last_checkpoint is None,
        save_strategy="steps",
        save_steps=settings["every"],
        save_total_limit=3,
        logging_steps=settings["log_every"],
        load_best_model_at_end=True,
        metric_for_best_model="eval_exact_action",
        greater_is_better=True,
        report_to=[],
        disable_tqdm=True,
        dataloader_num_workers=0,
    )


def _early_stopping(settings: Mapping[str, Any]) -> list[TrainerCallback]:
    patience = settings["patience"]
    return [EarlyStoppingCallback(early_stopping_patience=patience)] if patience else []


class ExaminedTrainer(SFTTrainer):  # type: ignore[misc]  # it has no types
    """Asks held-out questions at every evaluation, beside the loss on them."""

    def __init__(self, *, folder: Folder, examiner: Examiner, **more: Any) -> None:
        super().__init__(**more)
        self._folder, self._examiner = folder, examiner

    def evaluate(self, *given: Any, **more: Any) -> dict[str, float]:
        """Loss and figures: those say which checkpoint is the best."""
        metrics: dict[str, float] = super().evaluate(*given, **more)
        step = self.state.global_step
        figures, lines = self._examiner.examine(self, step)
        self._folder.add(ANSWERS, lines)
        prefixed = {f"eval_{name}": value for name, value in figures.items()}
        self.log(prefixed)
        return metrics | prefixed


class Reporter(TrainerCallback):  # type: ignore[misc]  # it has no types
    """Writes curves and status, and ends the run where it is told to or the loss is none."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._began = time.process_time(), time.monotonic()

    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
        """A figure of the curves."""
        cpu, wall = self._began
        line = {
            "step": state.global_step,
            "cpu_s": round(time.process_time() - cpu, 1),
            "wall_s": round(time.monotonic() - wall, 2),
        }
        self._folder.add(CURVES, [line | {k: v for k, v in (logs or {}).items() if k != "epoch"}])
        if not math.isfinite((logs or {}).get("loss", 0.0)):
            raise FloatingPointError(
                f"the loss is no number at step {state.global_step}: lower the learning rate"
            )

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """A step more."""
        self._folder.say("running", step=state.global_step, of=state.max_steps)
        if any_says(self._folder.is_to_stop):
            control.should_save = control.should_training_stop = True
            control.should_evaluate = False

"""Supervised fine-tuning by TRL: the loss is on the answer only."""

import json
import math
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset, load_dataset
from transformers import EarlyStoppingCallback, TrainerCallback
from trl import SFTConfig, SFTTrainer

from appliance.training.child.answering import Examiner, questions
from appliance.training.child.folder import ANSWERS, CHECKPOINTS, CURVES, Folder
from appliance.training.child.model import load, lora


def main(path: str) -> None:
    """Train as the folder says."""
    folder = Folder(Path(path))
    settings = folder.settings
    torch.manual_seed(settings["seed"])
    if settings["threads"]:
        torch.set_num_threads(settings["threads"])
    model, tokenizer = load(folder.run["base"], settings)
    train = _samples(folder, "train.parquet")
    held_out = questions(_samples(folder, "held_out.parquet"), settings["examined"])
    examiner = Examiner(tokenizer, held_out, settings["answer_tokens"])
    trainer = ExaminedTrainer(
        folder=folder,
        examiner=examiner,
        model=model,
        args=_arguments(folder),
        train_dataset=_questions(_repeated(train)),
        eval_dataset=_questions(held_out),
        processing_class=tokenizer,
        peft_config=lora(model, settings),
        callbacks=[Reporter(folder), *_stoppers(settings)],
    )
    last = folder.last_checkpoint
    if last is not None:
        folder.rewind(int(last.name.rpartition("-")[2]))
    elif settings["examines_base"]:
        trainer.evaluate()
    trainer.train(resume_from_checkpoint=str(last) if last else None)
    if folder.is_to_stop:
        folder.say("stopped", step=trainer.state.global_step, of=trainer.state.max_steps)
        return
    trainer.save_model(str(folder.adapter))  # the best one: it was loaded at the end
    best = trainer.state.best_metric
    folder.say("done", step=trainer.state.global_step, of=trainer.state.max_steps, best=best)


def _samples(folder: Folder, name: str) -> list[dict[str, Any]]:
    file = Path(folder.run["dataset"]) / name
    rows = load_dataset(
        "parquet",
        data_files=str(file),
        split="train",
        cache_dir=str(folder.path / ".cache"),
        keep_in_memory=True,
    )
    form, role = folder.settings["form"], folder.settings["role"]
    return [row for row in rows if row["form"] == form and row["role"] == role]


def _repeated(samples: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [one for one in samples for _ in range(one["times"])]


def _questions(samples: Sequence[Mapping[str, Any]]) -> Dataset:
    """As TRL wants them: it puts the loss on `completion` alone."""
    return Dataset.from_list(
        [
            {
                "prompt": json.loads(one["messages"]),
                "completion": [{"role": "assistant", "content": one["answer"]}],
            }
            for one in samples
        ]
    )


def _arguments(folder: Folder) -> SFTConfig:
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
        num_train_epochs=settings["epochs"],
        max_steps=settings["max_steps"] or -1,
        weight_decay=0.0,
        seed=settings["seed"],
        data_seed=settings["seed"],
        train_sampling_strategy="group_by_length",
        completion_only_loss=True,
        max_length=settings["max_tokens"] or None,
        packing=settings["packs"],
        gradient_checkpointing=not on_cpu,
        use_cpu=on_cpu,
        bf16=not on_cpu and settings["dtype"] == "bfloat16",
        eval_strategy="steps",
        eval_steps=settings["every"],
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


def _stoppers(settings: Mapping[str, Any]) -> list[TrainerCallback]:
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
        figures, lines = self._examiner.examine(self.model, step)
        self._folder.add(ANSWERS, lines)
        told = {f"eval_{name}": value for name, value in figures.items()}
        self.log(told)
        return metrics | told


class Reporter(TrainerCallback):  # type: ignore[misc]  # it has no types
    """Writes curves and status, and ends the run where it is told to or the loss is none."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._began = time.process_time()

    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
        """A figure of the curves."""
        line = {"step": state.global_step, "cpu_s": round(time.process_time() - self._began, 1)}
        self._folder.add(CURVES, [line | {k: v for k, v in (logs or {}).items() if k != "epoch"}])
        if not math.isfinite((logs or {}).get("loss", 0.0)):
            raise FloatingPointError(
                f"the loss is no number at step {state.global_step}: lower the learning rate"
            )

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """A step more."""
        self._folder.say("running", step=state.global_step, of=state.max_steps)
        if self._folder.is_to_stop:
            control.should_save = control.should_training_stop = True
            control.should_evaluate = False

"""How every training begins, and goes on from its last checkpoint."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from datasets import load_dataset
from peft import PeftModel

from appliance.training.child.answering import Examiner, questions
from appliance.training.child.folder import Folder, StoppedError
from appliance.training.child.model import load, lora
from appliance.training.child.together import any_says
from appliance.training.stages import DEFAULT_STAGES, stage_of


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingSetup:
    """What every kind of training starts with."""

    folder: Folder
    model: Any
    tokenizer: Any
    adapter: Any
    """What is to be trained beside the model; None: the model has it already, or is it itself."""
    train: Sequence[Mapping[str, Any]]
    held_out: Sequence[Mapping[str, Any]]
    """Those of the questions that are asked on the way."""
    examiner: Examiner


def prepare(path: str) -> TrainingSetup:
    """Load the model, tokenizer and samples that a run's folder names."""
    folder = Folder(Path(path))
    settings = folder.settings
    torch.manual_seed(settings["seed"])
    if settings["threads"]:
        torch.set_num_threads(settings["threads"])
    model, tokenizer = load(folder.run["base"], settings)
    initial_adapter = settings.get("begin_with")
    if initial_adapter:
        model = PeftModel.from_pretrained(model, initial_adapter, is_trainable=True)
    stages = settings.get("stages", DEFAULT_STAGES)
    held_out = questions(read_samples(folder, "held_out.parquet"), settings["examined"])
    return TrainingSetup(
        folder=folder,
        model=model,
        tokenizer=tokenizer,
        adapter=None if initial_adapter else lora(model, settings),
        train=[
            sample for sample in read_samples(folder, "train.parquet") if stage_of(sample) in stages
        ],
        held_out=held_out,
        examiner=Examiner(tokenizer, held_out, settings["answer_tokens"]),
    )


def carry_on(trainer: Any, folder: Folder, before_first_step: Callable[[], None]) -> bool:
    """Train to the end, or to where it is told to stop; whether it is done.

    Args:
        trainer: Of transformers.
        folder: Of the run.
        before_first_step: Done before the first step, and not again after a stop.
    """
    last = folder.last_checkpoint
    if last is not None:
        folder.rewind(int(last.name.rpartition("-")[2]))
    with suppress(StoppedError):
        if last is None:
            before_first_step()
        trainer.train(resume_from_checkpoint=str(last) if last else None)
    step, max_steps = trainer.state.global_step, trainer.state.max_steps
    is_stopped = any_says(folder.is_to_stop)
    if is_stopped:
        folder.say("stopped", step=step, of=max_steps)
    return not is_stopped


def read_samples(folder: Folder, name: str) -> list[dict[str, Any]]:
    """Those of a file that the run is about."""
    path = Path(folder.run["dataset"]) / name
    rows = load_dataset(
        "parquet",
        data_files=str(path),
        split="train",
        cache_dir=str(folder.path / ".cache"),
        keep_in_memory=True,
    )
    form, role = folder.settings["form"], folder.settings["role"]
    return [row for row in rows if row["form"] == form and row["role"] == role]

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
from appliance.training.stages import DEFAULT, stage_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Beginning:
    """What every training has."""

    folder: Folder
    model: Any
    tokenizer: Any
    adapter: Any
    """What is to be trained beside the model; None: the model has it already, or is it itself."""
    train: Sequence[Mapping[str, Any]]
    held_out: Sequence[Mapping[str, Any]]
    """Those of the questions that are asked on the way."""
    examiner: Examiner


def begin(path: str) -> Beginning:
    """Read all that the folder names."""
    folder = Folder(Path(path))
    settings = folder.settings
    torch.manual_seed(settings["seed"])
    if settings["threads"]:
        torch.set_num_threads(settings["threads"])
    model, tokenizer = load(folder.run["base"], settings)
    begun_from = settings.get("begin_with")
    if begun_from:
        model = PeftModel.from_pretrained(model, begun_from, is_trainable=True)
    stages = settings.get("stages", DEFAULT)
    held_out = questions(samples_of(folder, "held_out.parquet"), settings["examined"])
    return Beginning(
        folder=folder,
        model=model,
        tokenizer=tokenizer,
        adapter=None if begun_from else lora(model, settings),
        train=[one for one in samples_of(folder, "train.parquet") if stage_of(one) in stages],
        held_out=held_out,
        examiner=Examiner(tokenizer, held_out, settings["answer_tokens"]),
    )


def carry_on(trainer: Any, folder: Folder, at_first: Callable[[], None]) -> bool:
    """Train to the end, or to where it is told to stop; whether it is done.

    Args:
        trainer: Of transformers.
        folder: Of the run.
        at_first: Done before the first step, and not again after a stop.
    """
    last = folder.last_checkpoint
    if last is not None:
        folder.rewind(int(last.name.rpartition("-")[2]))
    with suppress(StoppedError):
        if last is None:
            at_first()
        trainer.train(resume_from_checkpoint=str(last) if last else None)
    step, of = trainer.state.global_step, trainer.state.max_steps
    is_stopped = any_says(folder.is_to_stop)
    if is_stopped:
        folder.say("stopped", step=step, of=of)
    return not is_stopped


def samples_of(folder: Folder, name: str) -> list[dict[str, Any]]:
    """Those of a file that the run is about."""
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

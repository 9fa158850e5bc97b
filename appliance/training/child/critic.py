"""A critic: how likely an attempt gets there from a page. It has a head of its own on the base.

It is a classifier of transformers' on the question's last token, trained by cross-entropy on how
attempts ended. That is before the policy is trained, and it is gone then: only one of them is on a
GPU at a time.
"""

from collections.abc import Sequence

import torch
from datasets import Dataset
from peft import get_peft_model
from transformers import (
    AutoModelForSequenceClassification,
    DataCollatorWithPadding,
    Trainer,
    TrainingArguments,
)

from appliance.training.child.folder import CURVES, Folder
from appliance.training.child.model import load, lora
from appliance.training.replay import Turn
from appliance.training.rollouts import is_success


def state_values_of(folder: Folder, turns: Sequence[Turn]) -> list[float]:
    """Train a critic on these turns; what it then thinks of the page of each.

    Both what went well and what did not has to be among them: else it has nothing to tell apart.
    """
    settings = folder.settings
    model, tokenizer = load(
        folder.run["base"], settings, AutoModelForSequenceClassification, num_labels=2
    )
    model.config.pad_token_id = tokenizer.pad_token_id
    # small steps are lost in a head of 16 bits
    model.score = model.score.float()
    model.score.register_forward_pre_hook(lambda _, given: (given[0].float(),))
    adapter = lora(model, settings, "SEQ_CLS")
    rows = Dataset.from_list(
        [{"input_ids": [*t.exchange.prompt], "labels": int(is_success(t.attempt))} for t in turns]
    )
    trainer = Trainer(
        model=get_peft_model(model, adapter),
        args=_arguments(folder),
        train_dataset=rows,
        data_collator=DataCollatorWithPadding(tokenizer),
    )
    outcome = trainer.train()
    probabilities = torch.tensor(trainer.predict(rows).predictions).softmax(-1)[:, 1]
    is_right = (probabilities > 0.5) == torch.tensor(rows["labels"], dtype=torch.bool)
    figures = {"critic_loss": outcome.training_loss, "critic_right": is_right.float().mean().item()}
    folder.add(CURVES, [{"step": 0, **figures}])
    state_values: list[float] = probabilities.tolist()
    return state_values


def _arguments(folder: Folder) -> TrainingArguments:
    settings, on_cpu = folder.settings, not torch.cuda.is_available()
    return TrainingArguments(
        output_dir=str(folder.path / "critic"),
        per_device_train_batch_size=settings["batch"],
        per_device_eval_batch_size=2 * settings["batch"],
        gradient_accumulation_steps=settings["accumulate"],
        learning_rate=settings["critic_learning_rate"],
        lr_scheduler_type="constant",
        num_train_epochs=settings["critic_epochs"],
        seed=settings["seed"],
        gradient_checkpointing=not on_cpu,
        use_cpu=on_cpu,
        bf16=not on_cpu and settings["dtype"] == "bfloat16",
        save_strategy="no",
        logging_strategy="no",
        report_to=[],
        disable_tqdm=True,
    )

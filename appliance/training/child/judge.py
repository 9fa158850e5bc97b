"""A model of outcomes: fine-tuned as `sft` does, then calibrated and measured on held-out attempts.

Half of the held-out documents say how sure it may be, the other half how often it is right then:
what was used for the one proves nothing of the other.
"""

import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from peft import PeftModel

from appliance.training.calibration import calibrated, calibration, figures
from appliance.training.child import sft
from appliance.training.child.answering import prompt_of
from appliance.training.child.beginning import prepare, read_samples
from appliance.training.child.folder import Folder, is_first
from appliance.training.child.likelihood import answer_logprobs, pad_batch
from appliance.training.child.model import load
from appliance.training.scoring import NO, YES

OUTCOMES, JUDGE = "outcomes.jsonl", "judge.json"


def main(path: str) -> None:
    """Train as the folder says, and measure."""
    setup = prepare(path)
    if sft.train(setup) and is_first():
        _measure(setup.folder)


def _measure(folder: Folder) -> None:
    model, tokenizer = load(folder.run["base"], folder.settings)
    if folder.settings["method"] != "full":
        model = PeftModel.from_pretrained(model, str(folder.adapter))
    model.eval()
    held_out = read_samples(folder, "held_out.parquet")
    with torch.no_grad():
        odds = [_log_odds(model, tokenizer, sample) for sample in held_out]
    labels = [sample["answer"] == YES for sample in held_out]
    measures = [bool(zlib.crc32(sample["document"].encode()) % 2) for sample in held_out]
    if not any(measures) or all(measures):  # one document: it cannot be halved
        measures = [True] * len(held_out)
    scale, shift = calibration(
        [(o, y) for o, y, m in zip(odds, labels, measures, strict=True) if not m]
    )
    probabilities = [calibrated(sample_odds, scale, shift) for sample_odds in odds]
    measured = figures(
        [(p, y) for p, y, m in zip(probabilities, labels, measures, strict=True) if m]
    )
    text = json.dumps({"scale": scale, "shift": shift, **measured}, indent=1)
    (folder.path / JUDGE).write_text(text, encoding="utf-8")
    folder.add(OUTCOMES, _lines(held_out, probabilities, labels, measures))


def _log_odds(model: Any, tokenizer: Any, sample: Mapping[str, Any]) -> float:
    """The logarithm of P(yes) / P(no)."""
    prompt = tokenizer(prompt_of(tokenizer, sample), add_special_tokens=False)["input_ids"]
    answers = [tokenizer(word, add_special_tokens=False)["input_ids"] for word in (YES, NO)]
    batch = {
        name: tensor.to(model.device)
        for name, tensor in pad_batch([prompt, prompt], answers).items()
    }
    yes, no = answer_logprobs(model, **batch).sum(dim=1).tolist()
    return float(yes - no)


def _lines(
    samples: Sequence[Mapping[str, Any]],
    probabilities: Sequence[float],
    labels: Sequence[bool],
    measures: Sequence[bool],
) -> list[dict[str, object]]:
    return [
        {
            "procedure": sample["procedure"],
            "run_id": sample["run_id"],
            "document": sample["document"],
            "label": label,
            "yes": p,
            "measures": is_measured,
        }
        for sample, p, label, is_measured in zip(
            samples, probabilities, labels, measures, strict=True
        )
    ]

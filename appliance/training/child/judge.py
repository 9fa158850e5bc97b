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
from appliance.training.child.beginning import begin, samples_of
from appliance.training.child.folder import Folder, is_first
from appliance.training.child.likelihood import answer_logprobs, padded
from appliance.training.child.model import load
from appliance.training.scoring import NO, YES

OUTCOMES, JUDGE = "outcomes.jsonl", "judge.json"


def main(path: str) -> None:
    """Train as the folder says, and measure."""
    of = begin(path)
    if sft.train(of) and is_first():
        _measure(of.folder)


def _measure(folder: Folder) -> None:
    model, tokenizer = load(folder.run["base"], folder.settings)
    if folder.settings["method"] != "full":
        model = PeftModel.from_pretrained(model, str(folder.adapter))
    model.eval()
    held_out = samples_of(folder, "held_out.parquet")
    with torch.no_grad():
        odds = [_odds(model, tokenizer, one) for one in held_out]
    labels = [one["answer"] == YES for one in held_out]
    measures = [bool(zlib.crc32(one["document"].encode()) % 2) for one in held_out]
    if not any(measures) or all(measures):  # one document: it cannot be halved
        measures = [True] * len(held_out)
    scale, shift = calibration(
        [(o, y) for o, y, m in zip(odds, labels, measures, strict=True) if not m]
    )
    sure = [calibrated(one, scale, shift) for one in odds]
    told = figures([(p, y) for p, y, m in zip(sure, labels, measures, strict=True) if m])
    text = json.dumps({"scale": scale, "shift": shift, **told}, indent=1)
    (folder.path / JUDGE).write_text(text, encoding="utf-8")
    folder.add(OUTCOMES, _lines(held_out, sure, labels, measures))


def _odds(model: Any, tokenizer: Any, sample: Mapping[str, Any]) -> float:
    """The logarithm of P(yes) / P(no)."""
    asked = tokenizer(prompt_of(tokenizer, sample), add_special_tokens=False)["input_ids"]
    words = [tokenizer(word, add_special_tokens=False)["input_ids"] for word in (YES, NO)]
    batch = {name: one.to(model.device) for name, one in padded([asked, asked], words).items()}
    yes, no = answer_logprobs(model, **batch).sum(dim=1).tolist()
    return float(yes - no)


def _lines(
    samples: Sequence[Mapping[str, Any]],
    sure: Sequence[float],
    labels: Sequence[bool],
    measures: Sequence[bool],
) -> list[dict[str, object]]:
    return [
        {
            "procedure": one["procedure"],
            "run_id": one["run_id"],
            "document": one["document"],
            "label": label,
            "yes": p,
            "measures": is_measured,
        }
        for one, p, label, is_measured in zip(samples, sure, labels, measures, strict=True)
    ]

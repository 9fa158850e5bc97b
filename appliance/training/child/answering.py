"""Asks the model held-out questions, and counts how many answers are right."""

import json
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch
from trl.models.utils import unwrap_model_for_generation

from appliance.training.at_once import batched
from appliance.training.scoring import is_exact, parse_answer


def questions(samples: Sequence[Mapping[str, Any]], count: int) -> list[Mapping[str, Any]]:
    """So many of them, always the same, spread over all."""
    ordered = sorted(samples, key=lambda sample: sample["id"])
    return ordered[:count]


class Examiner:
    """Asks greedily, in batches of like length."""

    def __init__(
        self, tokenizer: Any, samples: Sequence[Mapping[str, Any]], max_answer_tokens: int
    ) -> None:
        self._tokenizer = tokenizer
        self._max_answer_tokens = max_answer_tokens
        self._batches = [*batched(samples, self._tokens)]

    def examine(self, trainer: Any, step: int) -> tuple[dict[str, float], list[dict[str, object]]]:
        """Figures, and every answer to look at; all processes that train together ask alike."""
        began = time.process_time()
        with unwrap_model_for_generation(trainer.model_wrapped, trainer.accelerator) as model:
            was_training = model.training
            model.eval()
            try:
                with torch.no_grad():
                    lines = [
                        line
                        for batch in self._batches
                        for line in self._answer_batch(model, batch, step)
                    ]
            finally:
                model.train(was_training)
        return _figures(lines) | {"examined_cpu_s": time.process_time() - began}, lines

    def _tokens(self, sample: Mapping[str, Any]) -> int:
        question = self._tokenizer(prompt_of(self._tokenizer, sample), add_special_tokens=False)
        return len(question["input_ids"]) + self._max_answer_tokens

    def _answer_batch(
        self, model: Any, batch: Sequence[Mapping[str, Any]], step: int
    ) -> Iterator[dict[str, object]]:
        tokenizer = self._tokenizer
        texts = [prompt_of(tokenizer, sample) for sample in batch]
        inputs = tokenizer(
            texts, return_tensors="pt", padding=True, padding_side="left", add_special_tokens=False
        ).to(model.device)
        outputs = model.generate(
            **inputs,
            max_new_tokens=self._max_answer_tokens,
            do_sample=False,
            pad_token_id=tokenizer.pad_token_id,
        )
        answers = tokenizer.batch_decode(
            outputs[:, inputs["input_ids"].shape[1] :], skip_special_tokens=True
        )
        for sample, answer in zip(batch, answers, strict=True):
            right = sample["answer"]
            yield {
                "step": step,
                "id": sample["id"],
                "kind": sample["kind"],
                "is_exact": is_exact(answer, right),
                "is_usable": parse_answer(answer) is not None,
                "is_untrue": bool(sample["is_untrue"]),
                "is_noted": bool((found := parse_answer(answer)) and found.untrue),
                "answer": answer.strip(),
                "right": right,
            }


def prompt_of(tokenizer: Any, sample: Mapping[str, Any]) -> str:
    """The question as the model reads it."""
    text: str = tokenizer.apply_chat_template(
        json.loads(sample["messages"]), add_generation_prompt=True, tokenize=False
    )
    return text


def answer_of(tokenizer: Any, sample: Mapping[str, Any]) -> str:
    """The answer as the model is to write it, with what ends it."""
    conversation = [
        *json.loads(sample["messages"]),
        {"role": "assistant", "content": sample["answer"]},
    ]
    text: str = tokenizer.apply_chat_template(conversation, tokenize=False)
    return text[len(prompt_of(tokenizer, sample)) :]


def _figures(lines: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    by_kind = defaultdict(list)
    for line in lines:
        by_kind[line["kind"]].append(line["is_exact"])
    count = max(1, len(lines))
    return {
        "exact_action": sum(line["is_exact"] for line in lines) / count,
        "usable": sum(line["is_usable"] for line in lines) / count,
        "asked": len(lines),
        **{f"exact_{kind}": sum(values) / len(values) for kind, values in sorted(by_kind.items())},
        **{f"asked_{kind}": len(values) for kind, values in sorted(by_kind.items())},
    }

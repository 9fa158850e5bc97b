"""How likely a policy finds answers, token by token."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from trl.trainer.utils import pad, selective_log_softmax

from appliance.training.at_once import batched
from appliance.training.replay import Turn


def pad_batch(prompts: Sequence[Sequence[int]], answers: Sequence[Sequence[int]]) -> dict[str, Any]:
    """Pad a batch: prompts on the left, answers on the right, each to a common length."""
    prompt_tensors = [torch.tensor([*token_ids]) for token_ids in prompts]
    answer_tensors = [torch.tensor([*token_ids]) for token_ids in answers]
    sides = [(prompt_tensors, "left"), (answer_tensors, "right")]
    ids = [pad(side, padding_value=0, padding_side=padding_side) for side, padding_side in sides]
    masks = [
        pad([torch.ones_like(token_ids) for token_ids in s], padding_side=padding_side)
        for s, padding_side in sides
    ]
    return {
        "input_ids": torch.cat(ids, dim=1),
        "attention_mask": torch.cat(masks, dim=1),
        "answer_mask": masks[1],
    }


def answer_logprobs(
    model: Any, *, input_ids: Any, attention_mask: Any, answer_mask: Any
) -> torch.Tensor:
    """Return the log-probability of every answer token; 0 for padding."""
    longest = answer_mask.shape[1]
    logits = model(
        input_ids=input_ids, attention_mask=attention_mask, logits_to_keep=longest + 1
    ).logits[:, :-1]
    logprobs: torch.Tensor = selective_log_softmax(logits.float(), input_ids[:, -longest:])
    return logprobs * answer_mask


def logprobs_of(model: Any, turns: Sequence[Turn]) -> list[list[float]]:
    """Return the log-probabilities of the turns' answers under the current model."""
    batches = batched(range(len(turns)), lambda number: _tokens(turns[number]))
    logprobs: dict[int, list[float]] = {}
    with _on_device(model), torch.no_grad():
        for numbers in batches:
            batch_logprobs = _answer_logprobs_of(model, [turns[number] for number in numbers])
            logprobs |= zip(numbers, batch_logprobs, strict=True)
    return [logprobs[number] for number in range(len(turns))]


def _tokens(turn: Turn) -> int:
    return len(turn.exchange.prompt) + len(turn.exchange.answer)


@contextmanager
def _on_device(model: Any) -> Iterator[None]:
    """On the GPU, where there is one, for this long only: another model comes after it."""
    was_training = model.training
    is_moved = torch.cuda.is_available() and not getattr(model, "is_quantized", False)
    model.eval()
    if is_moved:
        model.to("cuda")
    try:
        yield
    finally:
        model.train(was_training)
        if is_moved:
            model.to("cpu")


def _answer_logprobs_of(model: Any, turns: Sequence[Turn]) -> Iterator[list[float]]:
    exchanges = [turn.exchange for turn in turns]
    batch = pad_batch(
        [exchange.prompt for exchange in exchanges], [exchange.answer for exchange in exchanges]
    )
    logprobs = answer_logprobs(
        model, **{name: tensor.to(model.device) for name, tensor in batch.items()}
    )
    for exchange, row in zip(exchanges, logprobs.tolist(), strict=True):
        yield row[: len(exchange.answer)]

"""The processes of a training that several GPUs share: one for each, all doing the same steps."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import torch
from torch import distributed

from appliance.training.child.folder import is_first

Result = TypeVar("Result")


def any_says(flag: bool) -> bool:
    """Whether the flag is set in any process; a collective call that all must make."""
    if not _are_several():
        return flag
    device = torch.cuda.current_device() if torch.cuda.is_available() else "cpu"
    votes = torch.tensor([int(flag)], device=device)
    distributed.all_reduce(votes, op=distributed.ReduceOp.MAX)
    return bool(votes.item())


def by_first(make: Callable[[], Result]) -> Result:
    """Call `make` in the first process and broadcast its result; a collective call."""
    if not _are_several():
        return make()
    results: list[Any] = [make() if is_first() else None]
    distributed.broadcast_object_list(results)
    first: Result = results[0]
    return first


def save(trainer: Any, folder: Path) -> None:
    """Save what is trained, gathered from all of them; all have to come here."""
    accelerator = trainer.accelerator
    model = accelerator.unwrap_model(trainer.model)
    state = accelerator.get_state_dict(trainer.model_wrapped) if _are_several() else None
    if is_first():
        adapters = {"selected_adapters": ["default"]} if hasattr(model, "peft_config") else {}
        model.save_pretrained(str(folder), state_dict=state, **adapters)
    accelerator.wait_for_everyone()


def _are_several() -> bool:
    return bool(distributed.is_available() and distributed.is_initialized())

"""An update on attempts that were made already, held against the last phase's policy: WebRL's.

Of the objective E[sum of rewards - beta KL(policy || last phase's policy)] the optimum is known:
policy* ~ last exp(A* / beta). So the policy is fitted to it (Qi et al. 2024, arXiv 2411.02337,
section 2.3, equations 4 to 6):

    E[(beta log(policy(a|s) / last(a|s)) - A(s, a))^2]

over the turns of this phase and of the replay buffer (`replay.py`), with the probability of an
action that of its whole answer, and A by `advantage.py` with a critic (`critic.py`).

The released code (THUDM/WebRL) does otherwise: smooth L1 in place of the square; the logarithm is
divided by the number of tokens that are learnt from; beta grows to 5 where the last policy is sure
already; answers whose advantage is not positive are left out; the critic has two heads, of which
the lower counts.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from datasets import Dataset
from transformers import Trainer, TrainingArguments

from appliance.system.files import write_whole
from appliance.training.advantage import turn_advantages
from appliance.training.child.beginning import TrainingSetup, prepare
from appliance.training.child.critic import state_values_of
from appliance.training.child.folder import CURVES, Folder
from appliance.training.child.grpo import reinforce, trainer_arguments
from appliance.training.child.likelihood import answer_logprobs, logprobs_of, pad_batch
from appliance.training.enough import why_not_enough
from appliance.training.replay import Band, Turn, draw_replay, geometric_mean, turns_of
from appliance.training.rollouts import RolledOutAttempt, is_success, kept_attempts

_ROWS_FILE = "learnt.json"
"""What is learnt from, with all that was measured before the first step: a stop changes nothing."""


def main(path: str) -> None:
    """Train as the folder says."""
    setup = prepare(path)
    settings = setup.folder.settings
    reinforce(
        setup,
        TowardsAdvantage,
        weight=settings["kl"],
        args=TrainingArguments(
            **trainer_arguments(setup.folder),
            per_device_train_batch_size=settings["batch"],
            gradient_accumulation_steps=settings["accumulate"],
            num_train_epochs=settings["epochs"],
            remove_unused_columns=False,
        ),
        train_dataset=Dataset.from_list(_read_or_measure_rows(setup)),
        data_collator=_collate,
    )


class TowardsAdvantage(Trainer):  # type: ignore[misc]  # it has no types
    """Fits how much likelier each answer became to its advantage."""

    def __init__(self, *, weight: float, **more: Any) -> None:
        super().__init__(**more)
        self._weight = weight
        self._ratios: list[float] = []
        self.model_accepts_loss_kwargs = False  # the mean is over turns, not over tokens

    def compute_loss(
        self, model: Any, inputs: dict[str, Any], *_: object, **__: object
    ) -> torch.Tensor:
        """Of a batch."""
        last, advantage = inputs.pop("last"), inputs.pop("advantage")
        ratio = answer_logprobs(model, **inputs).sum(dim=1) - last
        self._ratios += ratio.tolist()
        return (self._weight * ratio - advantage).square().mean()

    def log(self, logs: dict[str, float], *more: Any) -> None:
        """With how much likelier answers became since the last phase."""
        if self._ratios:
            logs["log_ratio"] = sum(self._ratios) / len(self._ratios)
            self._ratios = []
        super().log(logs, *more)


def _read_or_measure_rows(setup: TrainingSetup) -> list[dict[str, Any]]:
    file = setup.folder.path / _ROWS_FILE
    if not file.exists():
        write_whole(file, json.dumps(_measure_rows(setup)))
    rows: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
    return rows


def _measure_rows(setup: TrainingSetup) -> list[dict[str, Any]]:
    """The model is the last phase's policy yet: the last checkpoint is read later."""
    settings, folder = setup.folder.settings, setup.folder
    attempts = _attempts(settings["rollouts"])
    if why := why_not_enough("kl", attempts):
        raise ValueError(why)
    current = list(turns_of(attempts))

    def probability(turns: Sequence[Turn]) -> list[float]:
        return [geometric_mean(one) for one in logprobs_of(setup.model, turns)]

    replay_turns = draw_replay(
        _attempts(settings["replay"]),
        probability,
        len(current),
        Band(above=settings["replay_above"], up_to=settings["replay_up_to"]),
        settings["seed"],
    )
    turns = [*current, *replay_turns]
    last_logprobs = [sum(one) for one in logprobs_of(setup.model, turns)]
    folder.add(CURVES, [{"step": 0, "turns": len(current), "replayed": len(replay_turns)}])
    return [
        {
            "prompt": [*turn.exchange.prompt],
            "answer": [*turn.exchange.answer],
            "last": last_logprob,
            "advantage": advantage,
        }
        for turn, last_logprob, advantage in zip(
            turns, last_logprobs, _advantages(folder, turns), strict=True
        )
    ]


def _advantages(folder: Folder, turns: Sequence[Turn]) -> list[float]:
    """The advantage of each; of a replayed turn, its whole attempt is looked at."""
    attempts = list({id(turn.attempt): turn.attempt for turn in turns}.values())
    all_turns = list(turns_of(attempts))
    values_by_turn = dict(
        zip(
            [(id(t.attempt), t.number) for t in all_turns],
            state_values_of(folder, all_turns),
            strict=True,
        )
    )
    advantages = {
        id(attempt): turn_advantages(
            [values_by_turn[id(attempt), n] for n in range(len(attempt.exchanges))],
            float(is_success(attempt)),
            folder.settings["near"],
        )
        for attempt in attempts
    }
    return [advantages[id(turn.attempt)][turn.number] for turn in turns]


def _attempts(folders: Sequence[str]) -> list[RolledOutAttempt]:
    return [attempt for folder in folders for attempt in kept_attempts(Path(folder))]


def _collate(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    batch = pad_batch([row["prompt"] for row in rows], [row["answer"] for row in rows])
    numbers = {name: torch.tensor([row[name] for row in rows]) for name in ("last", "advantage")}
    return batch | numbers

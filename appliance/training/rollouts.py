"""The files by which the trainer requests attempts in the live console and receives them.

The trainer asks by a file and waits for another: so a step that was begun before a crash is not
made twice, and people can read what was tried. Used by the trainer's process, too: nothing is
imported that needs more than the standard library.
"""

import hashlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from appliance.system.files import write_whole

REQUEST, ROLLOUTS = "asked.json", "rollouts"
_WEIGHTS = "adapter_model.safetensors"
_LOOK_EVERY_S = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class RolloutRequest:
    """The trainer's request for the attempts of a step."""

    step: int
    adapter: str
    """Folder of the policy that is to act: what it is after this many steps."""
    digest: str
    """Of its weights: attempts of another are too old to learn from."""
    validates: bool = False
    """Whether it is only to be seen how well it does, at tasks that it does not learn from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenExchange:
    """One question and its answer, as the model has them."""

    prompt: Sequence[int]
    answer: Sequence[int]
    logprobs: Sequence[float]
    """Of the answer's tokens, as they were sampled."""
    said: str
    """The answer, for people."""
    state: str = ""
    """What the page was; the same words for the same page."""
    credit: float = 0.0
    """What this turn is worth beside its attempt's advantage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RolledOutAttempt:
    """One attempt."""

    task: str
    reward: float | None
    """None: it is no part of its group."""
    advantage: float
    why: str
    """What the audit rules say, or why it counts for nothing."""
    exchanges: Sequence[TokenExchange]
    reached: bool | None = None
    """Whether it got there; None: nobody knows."""
    asked: Sequence[str] = ()
    """The questions, for people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rollouts:
    """All attempts of a step."""

    step: int
    digest: str
    attempts: Sequence[RolledOutAttempt]
    figures: Mapping[str, float] = field(default_factory=dict)
    validates: bool = False
    """As it was asked for."""

    def write(self, folder: Path) -> None:
        """Write the file that the trainer waits for, atomically."""
        file = rollouts_file(folder, self)
        file.parent.mkdir(exist_ok=True)
        write_whole(file, json.dumps(asdict(self), ensure_ascii=False))


def rollouts_file(folder: Path, request: RolloutRequest | Rollouts) -> Path:
    """Where the attempts of a step are."""
    return folder / ROLLOUTS / f"{request.step}{'-validation' if request.validates else ''}.json"


def read_rollouts(folder: Path, request: RolloutRequest) -> Rollouts | None:
    """Read the requested attempts; None if they are missing or another policy's."""
    file = rollouts_file(folder, request)
    if not file.exists():
        return None
    rollouts = _read(file)
    return rollouts if rollouts.digest == request.digest else None


def _read(file: Path) -> Rollouts:
    fields: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    attempts = [
        RolledOutAttempt(
            **{
                **attempt,
                "exchanges": [TokenExchange(**exchange) for exchange in attempt["exchanges"]],
            }
        )
        for attempt in fields.pop("attempts")
    ]
    return Rollouts(**fields, attempts=attempts)


def step_files(folder: Path) -> list[Path]:
    """What was learnt from, oldest first; nothing of a validation ever is."""
    files = [one for one in (folder / ROLLOUTS).glob("*.json") if one.stem.isdecimal()]
    return sorted(files, key=lambda file: int(file.stem))


def kept_attempts(folder: Path) -> list[RolledOutAttempt]:
    """All attempts of a training that count, oldest first."""
    steps = [_read(file) for file in step_files(folder)]
    return [
        attempt
        for step in steps
        for attempt in step.attempts
        if attempt.reward is not None and attempt.exchanges
    ]


def is_success(attempt: RolledOutAttempt) -> bool:
    """Whether an attempt is worth more than nothing.

    It got there without a false alarm, or it told exactly what of the document is not true.
    """
    return (attempt.reward or 0.0) > 0


def read_request(folder: Path) -> RolloutRequest | None:
    """Read the trainer's pending request; None if there is none."""
    try:
        return RolloutRequest(**json.loads((folder / REQUEST).read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None


def digest_of(adapter: Path) -> str:
    """Return the SHA-256 of an adapter's weights."""
    return hashlib.sha256((adapter / _WEIGHTS).read_bytes()).hexdigest()


def request_rollouts(
    folder: Path,
    step: int,
    adapter: Path,
    is_over: Callable[[], bool],
    *,
    validates: bool = False,
) -> Rollouts | None:
    """Request a step's attempts and wait for them; None if the training ends before they arrive."""
    digest = digest_of(adapter)
    request = RolloutRequest(step=step, adapter=str(adapter), digest=digest, validates=validates)
    draft = folder / f".{REQUEST}"
    draft.write_text(json.dumps(asdict(request)), encoding="utf-8")
    draft.replace(folder / REQUEST)
    try:
        while (rollouts := read_rollouts(folder, request)) is None:
            if is_over():
                return None
            time.sleep(_LOOK_EVERY_S)
        return rollouts
    finally:
        (folder / REQUEST).unlink(missing_ok=True)


def rows_of(rollouts: Rollouts, count: int, end_token: int) -> dict[str, list[Any]]:
    """So many rows: all turns that teach anything, or as many of them as there is room for.

    Args:
        rollouts: The attempts.
        count: How many rows.
        end_token: The token that ends an answer.
    """
    turns = [
        (turn, attempt)
        for attempt in rollouts.attempts
        for turn in attempt.exchanges
        if attempt.advantage + turn.credit
    ]
    if len(turns) > count:
        turns = Random(rollouts.step).sample(turns, count)  # noqa: S311 - repeatable, no secret
    padding = count - len(turns)
    return {
        "prompt_ids": [[*turn.prompt] for turn, _ in turns] + [[end_token]] * padding,
        "completion_ids": [[*turn.answer] for turn, _ in turns] + [[end_token]] * padding,
        "logprobs": [[*turn.logprobs] for turn, _ in turns] + [[0.0]] * padding,
        "env_mask": [[1] * len(turn.answer) for turn, _ in turns] + [[0]] * padding,
        "advantage": [attempt.advantage + turn.credit for turn, attempt in turns] + [0.0] * padding,
        "worth": [attempt.reward for _, attempt in turns] + [None] * padding,
    }

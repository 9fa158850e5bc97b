"""Selects turns of earlier successes to learn from again: WebRL's replay buffer.

Qi et al. 2024, "WebRL" (arXiv 2411.02337), section 2.4: successes only, each task once, and of
these only what the policy of now finds neither familiar nor foreign, so that what is learnt again
pulls it nowhere. Used by the trainer's process, too: nothing is imported but the standard library.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import exp
from random import Random
from statistics import fmean

from appliance.training.rollouts import RolledOutAttempt, TokenExchange, is_success

MIN_PROBABILITY, MAX_PROBABILITY = 0.5, 0.95
"""Geometric mean of the probabilities of an answer's tokens: a perplexity of 1/0.95 to 1/0.5."""
MAX_SHARE_OF_CURRENT = 2
"""At most this many replayed turns for each turn of the current phase."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of an attempt."""

    attempt: RolledOutAttempt
    number: int
    """From 0."""

    @property
    def exchange(self) -> TokenExchange:
        """What was asked and answered."""
        return self.attempt.exchanges[self.number]

    @property
    def is_last(self) -> bool:
        """Whether the attempt ends with it."""
        return self.number == len(self.attempt.exchanges) - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """How likely an answer may be to the policy of now."""

    above: float = MIN_PROBABILITY
    """This much is too little."""
    up_to: float = MAX_PROBABILITY

    def __contains__(self, probability: float) -> bool:
        """Whether it is neither too little nor too much."""
        return self.above < probability <= self.up_to


def turns_of(attempts: Sequence[RolledOutAttempt]) -> Iterator[Turn]:
    """Yield all turns of the attempts."""
    for attempt in attempts:
        for number in range(len(attempt.exchanges)):
            yield Turn(attempt, number)


def last_success_per_task(attempts: Sequence[RolledOutAttempt]) -> list[RolledOutAttempt]:
    """Return the last success at each task, in the order of first successes."""
    return list({attempt.task: attempt for attempt in attempts if is_success(attempt)}.values())


def draw_replay(
    earlier: Sequence[RolledOutAttempt],
    probability: Callable[[Sequence[Turn]], Sequence[float]],
    current: int,
    band: Band | None = None,
    seed: int = 0,
) -> list[Turn]:
    """Turns to learn from beside those of a phase; nothing of it is kept for the next one.

    Args:
        earlier: Attempts of earlier phases, oldest first.
        probability: How likely the policy of now finds the answers: geometric means over tokens.
        current: Turns of this phase.
        band: Which are taken.
        seed: Where there are more than twice the current ones, so many are drawn with it.
    """
    taken_band = band or Band()
    earlier_turns = list(turns_of(last_success_per_task(earlier)))
    probabilities = probability(earlier_turns) if earlier_turns else ()
    candidates = [
        turn
        for turn, likelihood in zip(earlier_turns, probabilities, strict=True)
        if likelihood in taken_band
    ]
    max_turns = MAX_SHARE_OF_CURRENT * current
    if len(candidates) <= max_turns:
        return candidates
    return Random(seed).sample(candidates, max_turns)  # noqa: S311 - repeatable, no secret


def geometric_mean(logprobs: Sequence[float]) -> float:
    """Return the geometric mean of the token probabilities."""
    return exp(fmean(logprobs))

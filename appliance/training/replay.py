"""Which turns of earlier successes are learnt from again: WebRL's replay buffer.

Qi et al. 2024, "WebRL" (arXiv 2411.02337), section 2.4: successes only, each task once, and of
these only what the policy of now finds neither familiar nor foreign, so that what is learnt again
pulls it nowhere. Used by the trainer's process, too: nothing is imported but the standard library.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import exp
from random import Random
from statistics import fmean

from appliance.training.rollouts import Exchanged, RolledOut, is_success

LOWEST, HIGHEST = 0.5, 0.95
"""Geometric mean of the probabilities of an answer's tokens: a perplexity of 1/0.95 to 1/0.5."""
MOST = 2
"""So many times the turns of this phase."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of an attempt."""

    attempt: RolledOut
    number: int
    """From 0."""

    @property
    def exchange(self) -> Exchanged:
        """What was asked and answered."""
        return self.attempt.exchanges[self.number]

    @property
    def is_last(self) -> bool:
        """Whether the attempt ends with it."""
        return self.number == len(self.attempt.exchanges) - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """How likely an answer may be to the policy of now."""

    above: float = LOWEST
    """This much is too little."""
    up_to: float = HIGHEST

    def __contains__(self, probability: float) -> bool:
        """Whether it is neither too little nor too much."""
        return self.above < probability <= self.up_to


def turns_of(attempts: Sequence[RolledOut]) -> Iterator[Turn]:
    """All their turns."""
    for attempt in attempts:
        for number in range(len(attempt.exchanges)):
            yield Turn(attempt, number)


def one_a_task(attempts: Sequence[RolledOut]) -> list[RolledOut]:
    """The last success at each task; tasks in the order in which they were first reached."""
    return list({one.task: one for one in attempts if is_success(one)}.values())


def replayed(
    earlier: Sequence[RolledOut],
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
    wanted = band or Band()
    known = list(turns_of(one_a_task(earlier)))
    likely = probability(known) if known else ()
    found = [turn for turn, one in zip(known, likely, strict=True) if one in wanted]
    most = MOST * current
    if len(found) <= most:
        return found
    return Random(seed).sample(found, most)  # noqa: S311 - repeatable, no secret


def geometric_mean(logprobs: Sequence[float]) -> float:
    """Of the probabilities of tokens, by their logarithms."""
    return exp(fmean(logprobs))

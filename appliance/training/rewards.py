"""What an answer is worth, and how much better it is than others to the same question.

Used by the trainer's process, too: nothing is imported but the standard library.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

from appliance.training.scoring import parse_answer

_EPSILON = 1e-6
EXACT, UNUSABLE, TRUE_NOTE, FALSE_NOTE, LONG = (
    "exact",
    "unusable",
    "true_note",
    "false_note",
    "long",
)
WEIGHTS: Mapping[str, float] = {
    EXACT: 1.0,  # exactly the right action; of an attempt: the goal is reached
    UNUSABLE: -0.5,  # no answer that the agent can use
    TRUE_NOTE: 0.5,  # all that is untrue there is noted, and nothing else
    FALSE_NOTE: -1.0,  # something is noted as untrue that is true: the worst that can be said
    LONG: -0.1,  # as long again as the right one; of an attempt that got there: all that it may
}
"""In rewards. A false note costs as much as a right action is worth: neither makes up for it."""


def reward_terms(answer: str, right_answer: str) -> dict[str, float]:
    """Return by name how far each reward term applies to an answer."""
    given, expected = parse_answer(answer), parse_answer(right_answer)
    if expected is None:
        raise ValueError(f"no answer is right if {right_answer!r} is")
    excess_length = max(0.0, len(answer.strip()) / max(1, len(right_answer)) - 1)
    if given is None:
        return {UNUSABLE: 1.0, LONG: min(excess_length, 1.0)}
    return {
        EXACT: float(given.action == expected.action),
        TRUE_NOTE: float(bool(expected.untrue) and given.untrue == expected.untrue),
        FALSE_NOTE: float(bool(given.untrue - expected.untrue)),
        LONG: min(excess_length, 1.0),
    }


def reward(answer: str, right_answer: str) -> float:
    """Return the weighted sum of an answer's reward terms."""
    return sum(WEIGHTS[name] * share for name, share in reward_terms(answer, right_answer).items())


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptScore:
    """What counts of an attempt in the console."""

    reached: bool | None
    """Whether it reached the goal by the word of audit rules or judges; None: nobody knows, or the
    environment was in the way: it is no part of its group."""
    is_usable: bool
    """Whether every answer could be used."""
    noted: frozenset[str]
    """Steps that it says are not true."""
    untrue: frozenset[str]
    """Steps that are not."""
    length: float
    """Its actions, as a share of those that it may take."""


def attempt_reward(score: AttemptScore) -> float | None:
    """What an attempt is worth; None: it counts for nothing.

    Getting there is not enough: who goes round an untrue sentence without a word gets less than who
    tells of it, and who calls a true one untrue gets nothing for having got there. How long it took
    counts only of those who got there: else a group that failed would be taught to fail sooner.
    """
    if score.reached is None:
        return None
    shares = {
        EXACT: float(score.reached),
        UNUSABLE: float(not score.is_usable),
        TRUE_NOTE: float(bool(score.untrue) and score.noted == score.untrue),
        FALSE_NOTE: float(bool(score.noted - score.untrue)),
        LONG: min(score.length, 1.0) if score.reached else 0.0,
    }
    return sum(WEIGHTS[name] * share for name, share in shares.items())


def advantages(groups: Sequence[Sequence[float | None]]) -> list[list[float]]:
    """Each reward against those of its group, then against all: what AliyunConsoleAgent does.

    A group whose members are all worth the same teaches nothing: it is 0, and out of the second
    normalisation. So is whoever has no reward.

    Args:
        groups: Rewards of answers to the same question, or of attempts at the same task.
    """
    normalised = [_normalised_in_group(group) for group in groups]
    values = [value for group in normalised for value in group if value is not None]
    if not values:
        return [[0.0] * len(group) for group in groups]
    mean, deviation = fmean(values), max(pstdev(values), _EPSILON)
    return [[0.0 if v is None else (v - mean) / deviation for v in group] for group in normalised]


def _normalised_in_group(group: Sequence[float | None]) -> list[float | None]:
    if not has_spread(group):
        return [None] * len(group)
    rewards = [reward_value for reward_value in group if reward_value is not None]
    mean, deviation = fmean(rewards), pstdev(rewards)
    return [
        None if reward_value is None else (reward_value - mean) / (deviation + _EPSILON)
        for reward_value in group
    ]


def step_credits(
    rewards: Sequence[float | None], states: Sequence[Sequence[str]], discount: float
) -> list[list[float]]:
    """How much better each turn was than the group's other turns in the same state.

    The return of a turn is its attempt's reward, discounted by the turns that were still to come;
    it is held against the mean and the deviation of all returns in that state, of whichever
    attempt. A state that nobody else was in, or in which all came to the same, teaches nothing: 0.
    This is the second term of GiGPO (Feng et al. 2025, arXiv 2505.10978).

    Args:
        rewards: Of attempts at the same task; who has none is left out.
        states: Of each attempt, the state before each of its turns.
        discount: For each turn; 1: none.

    Returns:
        Of each attempt, a number for each of its turns.
    """
    returns = [
        [
            None
            if attempt_reward_value is None
            else attempt_reward_value * discount ** (len(attempt_states) - 1 - turn)
            for turn in range(len(attempt_states))
        ]
        for attempt_reward_value, attempt_states in zip(rewards, states, strict=True)
    ]
    returns_by_state = dict[str, list[float]]()
    for own, values in zip(states, returns, strict=True):
        for state, value in zip(own, values, strict=True):
            if value is not None:
                returns_by_state.setdefault(state, []).append(value)

    def credit(state: str, value: float | None) -> float:
        if value is None or not has_spread(returns_by_state[state]):
            return 0.0
        return (value - fmean(returns_by_state[state])) / (
            pstdev(returns_by_state[state]) + _EPSILON
        )

    return [
        [credit(state, value) for state, value in zip(own, values, strict=True)]
        for own, values in zip(states, returns, strict=True)
    ]


def has_spread(group: Sequence[float | None]) -> bool:
    """Whether a group teaches anything."""
    rewards = [reward_value for reward_value in group if reward_value is not None]
    return len(rewards) > 1 and pstdev(rewards) >= _EPSILON


def split_into_groups(rewards: Sequence[float], size: int) -> list[Sequence[float]]:
    """Split rewards into consecutive groups of the given size."""
    return [rewards[n : n + size] for n in range(0, len(rewards), size)]

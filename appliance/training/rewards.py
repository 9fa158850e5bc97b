"""What an answer is worth, and how much better it is than others to the same question.

Used by the trainer's process, too: nothing is imported but the standard library.
"""

from collections.abc import Mapping, Sequence
from statistics import fmean, pstdev

from appliance.training.scoring import scored

_NEARLY_0 = 1e-6
EXACT, UNUSABLE, TRUE_NOTE, FALSE_NOTE, LONG = (
    "exact",
    "unusable",
    "true_note",
    "false_note",
    "long",
)
WORTH: Mapping[str, float] = {
    EXACT: 1.0,  # exactly the right action
    UNUSABLE: -0.5,  # no answer that the agent can use
    TRUE_NOTE: 0.5,  # all that is untrue there is noted, and nothing else
    FALSE_NOTE: -1.0,  # something is noted as untrue that is true: the worst that can be said
    LONG: -0.1,  # for each time that it is as long again as the right one
}
"""In rewards. A false note costs as much as a right action is worth: neither makes up for it."""


def terms(answer: str, right: str) -> dict[str, float]:
    """How much of each applies to an answer."""
    said, wanted = scored(answer), scored(right)
    if wanted is None:
        raise ValueError(f"no answer is right if {right!r} is")
    over = max(0.0, len(answer.strip()) / max(1, len(right)) - 1)
    if said is None:
        return {UNUSABLE: 1.0, LONG: min(over, 1.0)}
    return {
        EXACT: float(said.action == wanted.action),
        TRUE_NOTE: float(bool(wanted.untrue) and said.untrue == wanted.untrue),
        FALSE_NOTE: float(bool(said.untrue - wanted.untrue)),
        LONG: min(over, 1.0),
    }


def reward(answer: str, right: str) -> float:
    """All together."""
    return sum(WORTH[name] * share for name, share in terms(answer, right).items())


def advantages(rewards: Sequence[float], group: int) -> list[float]:
    """Each reward against those of its group, then against all: what AliyunConsoleAgent does.

    A group whose answers are all worth the same teaches nothing: it is 0, and out of the second
    normalisation.

    Args:
        rewards: Of groups of answers, one after the other.
        group: How many answers a group has.
    """
    within = [_within(rewards[n : n + group]) for n in range(0, len(rewards), group)]
    kept = [value for of in within if of is not None for value in of]
    if not kept:
        return [0.0] * len(rewards)
    mean, deviation = fmean(kept), max(pstdev(kept), _NEARLY_0)
    return [
        0.0 if of is None else (of[n] - mean) / deviation for of in within for n in range(group)
    ]


def _within(rewards: Sequence[float]) -> list[float] | None:
    deviation = pstdev(rewards)
    if deviation < _NEARLY_0:
        return None
    mean = fmean(rewards)
    return [(one - mean) / (deviation + _NEARLY_0) for one in rewards]


def share_with_spread(rewards: Sequence[float], group: int) -> float:
    """Of the groups, how many teach anything."""
    groups = [rewards[n : n + group] for n in range(0, len(rewards), group)]
    return sum(_within(one) is not None for one in groups) / max(1, len(groups))

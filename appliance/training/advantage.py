"""How much better each turn made its attempt, by how it ended and what a critic thought on the way.

Used by the trainer's process, too: nothing is imported but the standard library.
"""

from collections.abc import Sequence


def turn_advantages(thought: Sequence[float], outcome: float, near: float) -> list[float]:
    """Of the turns of one attempt, as WebRL has them (arXiv 2411.02337, section 2.3, equation 8).

    A(t) = near (r(t) + V(t+1) - V(t)) + (1 - near) (r(T) - V(t)): of generalised advantage
    estimation only the nearest and the farthest look ahead. Only the last turn has a reward r, and
    after it nothing is to be expected.

    The released code does otherwise: V(t+1) - V(t) - 0.05 + r + a discounted return, of which it
    takes the sign, as 1 or -0.6, and learns where that is positive.

    Args:
        thought: V of the page before each turn.
        outcome: 1: it got there; 0: it did not.
        near: The paper's lambda, there 0.5.
    """
    after = [*thought[1:], 0.0]
    last = len(thought) - 1
    return [
        near * ((outcome if n == last else 0.0) + after[n] - value) + (1 - near) * (outcome - value)
        for n, value in enumerate(thought)
    ]

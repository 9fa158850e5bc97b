"""How much better each turn made its attempt, by how it ended and what a critic thought on the way.

Used by the trainer's process, too: nothing is imported but the standard library.
"""

from collections.abc import Sequence


def turn_advantages(
    state_values: Sequence[float], outcome: float, lookahead_weight: float
) -> list[float]:
    """Advantages of an attempt's turns as in WebRL (arXiv 2411.02337, section 2.3, equation 8).

    A(t) = near (r(t) + V(t+1) - V(t)) + (1 - near) (r(T) - V(t)): of generalised advantage
    estimation only the shortest and the longest horizon are kept. Only the last turn has a
    reward r, and the value after it is 0.

    The released code differs: it computes V(t+1) - V(t) - 0.05 + r plus a discounted return, maps
    its sign to 1 or -0.6, and trains only where that is positive.

    Args:
        state_values: The critic's value V of the page before each turn.
        outcome: 1 if the attempt reached its goal, else 0.
        lookahead_weight: The paper's lambda (0.5 there).
    """
    next_values = [*state_values[1:], 0.0]
    last_turn = len(state_values) - 1
    return [
        lookahead_weight * ((outcome if turn == last_turn else 0.0) + next_values[turn] - value)
        + (1 - lookahead_weight) * (outcome - value)
        for turn, value in enumerate(state_values)
    ]

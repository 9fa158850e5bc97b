"""Pairs of a better and a worse answer to the same question, out of attempts at the same task.

AutoWebGLM (Lai et al. 2024, arXiv 2404.03648), section 3.4: several attempts at a task, of which
some get there and some do not; each wrong answer once. Used by the trainer's process, too: nothing
is imported but the standard library.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from appliance.training.replay import turns_of
from appliance.training.rollouts import RolledOutAttempt, TokenExchange, is_success


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two answers to a question, as tokens."""

    prompt: Sequence[int]
    chosen: Sequence[int]
    rejected: Sequence[int]


def pairs_of(attempts: Sequence[RolledOutAttempt]) -> list[Pair]:
    """Build all pairs of answers to the same task on the same page.

    An answer that a success gave, too, is not rejected: a failure has many right turns before it
    goes wrong. Turns of which nobody noted the page are in no pair.
    """
    states: dict[tuple[str, str], tuple[dict[str, TokenExchange], dict[str, TokenExchange]]] = {}
    for turn in turns_of(attempts):
        exchange = turn.exchange
        if exchange.state:
            good, bad = states.setdefault((turn.attempt.task, exchange.state), ({}, {}))
            (good if is_success(turn.attempt) else bad).setdefault(exchange.said.strip(), exchange)
    return [pair for good, bad in states.values() for pair in _pairs(good, bad)]


def _pairs(good: dict[str, TokenExchange], bad: dict[str, TokenExchange]) -> Iterator[Pair]:
    preferred = list(good.values())
    for index, worse in enumerate(
        exchange for answer, exchange in bad.items() if answer not in good
    ):
        if preferred:
            chosen = preferred[index % len(preferred)]
            yield Pair(prompt=chosen.prompt, chosen=chosen.answer, rejected=worse.answer)

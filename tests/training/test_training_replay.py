"""What is learnt from again, what is preferred, and what a turn was worth."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.training.advantage import turn_advantages
from appliance.training.pairs import pairs_of
from appliance.training.replay import (
    MAX_PROBABILITY,
    MIN_PROBABILITY,
    Band,
    draw_replay,
    geometric_mean,
    last_success_per_task,
)
from appliance.training.rollouts import RolledOutAttempt, Rollouts, TokenExchange, kept_attempts

PROBABILITY = st.sampled_from([0.0, 0.3, 0.5, 0.500001, 0.7, 0.95, 0.950001, 1.0])


def said(words: str, state: str = "", prompt: tuple[int, ...] = (1,)) -> TokenExchange:
    return TokenExchange(prompt=prompt, answer=(2,), logprobs=(0.0,), said=words, state=state)


def attempt(reward: float | None, *turns: TokenExchange, task: str = "t") -> RolledOutAttempt:
    return RolledOutAttempt(task=task, reward=reward, advantage=0.0, why="", exchanges=turns)


@st.composite
def earlier(draw) -> list[RolledOutAttempt]:
    """Attempts whose answers are called by the probability that the policy finds in them."""
    return [
        attempt(
            draw(st.sampled_from([None, -0.5, 0.0, 1.0])),
            *(said(str(draw(PROBABILITY))) for _ in range(draw(st.integers(1, 4)))),
            task=draw(st.sampled_from("abc")),
        )
        for _ in range(draw(st.integers(0, 8)))
    ]


def likelihood(turns) -> list[float]:
    return [float(turn.exchange.said) for turn in turns]


@given(earlier(), st.integers(0, 6))
def test_only_successes_one_a_task_within_the_band_and_at_most_twice_the_current(attempts, current):
    found = draw_replay(attempts, likelihood, current)
    assert all(turn.attempt.reward == 1.0 for turn in found)
    assert len(found) <= 2 * current
    assert all(
        MIN_PROBABILITY < probability <= MAX_PROBABILITY for probability in likelihood(found)
    )
    assert len({(turn.attempt.task, id(turn.attempt)) for turn in found}) == len(
        {turn.attempt.task for turn in found}
    )
    newest = {one.task: one for one in attempts if one.reward == 1.0}
    fit = [
        turn
        for one in newest.values()
        for turn in one.exchanges
        if MIN_PROBABILITY < float(turn.said) <= MAX_PROBABILITY
    ]
    assert len(found) == min(len(fit), 2 * current)  # nothing else is left out
    assert found == draw_replay(attempts, likelihood, current)


def test_the_band_is_that_of_the_paper_unless_it_is_told_otherwise():
    assert [one in Band() for one in (0.5, 0.51, 0.95, 0.96)] == [False, True, True, False]
    kept = [attempt(1.0, said("0.2"), said("0.99"))]
    assert draw_replay(kept, likelihood, 5) == []
    assert len(draw_replay(kept, likelihood, 5, Band(above=0, up_to=1))) == 2
    assert geometric_mean([-0.2, -0.4]) == pytest.approx(0.7408, abs=1e-4)


def test_the_last_success_at_a_task_stands_for_it():
    first, last, missed = (attempt(reward, said("x")) for reward in (1.0, 1.0, 0.0))
    assert last_success_per_task([first, last, missed]) == [last]
    assert last_success_per_task([first, last, missed])[0] is last


def test_attempts_are_read_in_order_without_validations_and_those_that_do_not_count(tmp_path):
    for step, reward, validates in ((10, 1.0, False), (9, 0.5, False), (11, 1.0, True)):
        made = [attempt(reward, said("a")), attempt(None, said("b")), attempt(1.0)]
        Rollouts(step=step, digest="d", attempts=made, validates=validates).write(tmp_path)
    assert [one.reward for one in kept_attempts(tmp_path)] == [0.5, 1.0]
    assert kept_attempts(tmp_path / "nowhere") == []


def test_a_pair_is_of_one_task_and_one_page_and_what_a_success_said_is_never_rejected():
    went_well = attempt(1.0, said("click Next", "p1", (7,)), said("click Save", "p2", (8,)))
    missed = attempt(0.0, said("click Next", "p1"), said("click Cancel", "p2"))
    again = attempt(0.0, said("click Cancel", "p2"), said("click Cancel", "p3"))
    other = attempt(0.0, said("click Help", "p2"), task="another")
    nowhere = attempt(0.0, said("click Help", ""))
    (pair,) = pairs_of([went_well, missed, again, other, nowhere])
    assert pair.prompt == (8,)
    assert pairs_of([went_well]) == pairs_of([missed]) == []


def test_an_advantage_is_half_of_the_next_page_and_half_of_the_end():
    assert turn_advantages([0.4, 0.6], 1.0, 0.5) == pytest.approx([0.4, 0.4])
    assert turn_advantages([0.4, 0.6], 0.0, 0.5) == pytest.approx([-0.1, -0.6])
    assert turn_advantages([0.4, 0.6], 1.0, 1.0) == pytest.approx([0.2, 0.4])
    assert turn_advantages([0.4, 0.6], 1.0, 0.0) == pytest.approx([0.6, 0.4])

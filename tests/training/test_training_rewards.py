import pytest

from appliance.training.rewards import (
    AttemptScore,
    advantages,
    attempt_reward,
    has_spread,
    reward,
    reward_terms,
    step_credits,
)

RIGHT = "2 click Save #5"
UNTRUE = "untrue 2 renamed_label; 2 click Store #5"


@pytest.mark.parametrize(
    ("answer", "right", "worth"),
    [
        (RIGHT, RIGHT, 1.0),
        ("2 click Save #6", RIGHT, 0.0),
        ("nothing to see", RIGHT, -0.5),
        (UNTRUE, UNTRUE, 1.5),
        ("2 click Store #5", UNTRUE, 1.0),
        ("untrue 3 missing_step; 2 click Store #5", UNTRUE, 0.0),  # right, and a false alarm
    ],
)
def test_what_an_answer_is_worth(answer, right, worth):
    assert reward(answer, right) == pytest.approx(worth, abs=0.06)


def test_a_false_alarm_is_never_worth_it():
    assert reward("untrue 1 renamed_label; 2 click Save #5", RIGHT) < reward(RIGHT, RIGHT) - 0.9
    assert reward_terms("untrue 1 dead_link; 2 click Save #5", RIGHT)["false_note"] == 1


def test_length_costs_what_is_beyond_the_right_one_and_no_more_than_once():
    assert reward(f"{RIGHT}{' ' * 40}", RIGHT) == pytest.approx(1.0)
    assert reward("x" * 10_000, RIGHT) == pytest.approx(-0.6)


def test_rewards_are_held_against_their_group_first_and_then_against_all():
    # The second is worth more and spread wider: within it each is only as good as it is there.
    groups = [[0.0, 1.0, 0.0, 1.0], [10.0, 30.0, 10.0, 30.0]]
    got = advantages(groups)
    assert got == [pytest.approx([-1.0, 1.0] * 2, abs=1e-3)] * 2
    swapped = [(one - 10.25) / 11.6 for group in groups for one in group]  # all against all
    assert [one for group in got for one in group] != pytest.approx(swapped, abs=0.1)


def test_groups_of_unlike_spread_are_normalised_together_in_the_end():
    """Within its group the one winner of four stands out more than each of two: so it stays."""
    one, two = advantages([[1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0]])
    assert one[0] == pytest.approx(3**0.5, abs=1e-3)
    assert two == pytest.approx([1.0, 1.0, -1.0, -1.0], abs=1e-3)
    together = [*one, *two]
    assert sum(together) == pytest.approx(0, abs=1e-6)
    assert sum(x * x for x in together) / 8 == pytest.approx(1, abs=1e-3)


def test_a_group_without_spread_teaches_nothing_and_changes_nothing():
    got = advantages([[5.0, 5.0], [0.0, 1.0]])
    assert got[0] == [0.0, 0.0]
    assert got[1] == pytest.approx([-1.0, 1.0], abs=1e-3)
    assert advantages([[1.0] * 3] * 2) == [[0.0] * 3] * 2
    assert not has_spread([5.0, 5.0])


def test_whoever_has_no_reward_is_no_part_of_the_group():
    got = advantages([[1.0, None, 0.0, None], [1.0, None], [None, None]])
    assert got[0] == pytest.approx([1.0, 0.0, -1.0, 0.0], abs=1e-3)
    assert got[1:] == [[0.0, 0.0], [0.0, 0.0]]
    # Were they counted as failures, the one that failed would not be so far from the mean.
    assert advantages([[1.0, 0.0, 0.0, 0.0]])[0][2] == pytest.approx(-(3**-0.5), abs=1e-3)


def test_of_attempts_that_failed_the_shorter_is_no_better():
    failed = [attempt_reward(score(reached=False, length=n / 8)) for n in range(8)]
    assert advantages([failed]) == [[0.0] * 8]


def score(**more: object) -> AttemptScore:
    usual = {"reached": True, "is_usable": True, "noted": frozenset(), "untrue": frozenset()}
    return AttemptScore(**(usual | {"length": 0.0} | more))


@pytest.mark.parametrize(
    ("more", "worth"),
    [
        ({}, 1.0),
        ({"reached": False}, 0.0),
        ({"reached": None, "is_usable": False, "noted": {"1"}}, None),
        ({"reached": False, "is_usable": False}, -0.5),
        ({"length": 0.5}, 0.95),
        ({"length": 7}, 0.9),
        ({"reached": False, "length": 0.5}, 0.0),
        ({"noted": {"2"}, "untrue": {"2"}}, 1.5),  # there, and it tells what is not so
        ({"untrue": {"2"}}, 1.0),  # there by a way round, without a word
        ({"reached": False, "noted": {"2"}, "untrue": {"2"}}, 0.5),
        ({"noted": {"3"}, "untrue": {"2"}}, 0.0),  # a false alarm
        ({"noted": {"2", "3"}, "untrue": {"2"}}, 0.0),
    ],
)
def test_what_an_attempt_is_worth(more, worth):
    assert attempt_reward(score(**more)) == worth


def test_a_right_answer_that_is_none_is_a_fault_of_ours():
    with pytest.raises(ValueError, match="no answer is right"):
        reward(RIGHT, "Save, I think")


def test_a_turn_is_held_against_others_from_the_same_page():
    """GiGPO: who went on from the shared page to success did better there; what nobody else saw
    teaches nothing."""
    won, lost, unknown = step_credits(
        [1.0, 0.0, None], [["start", "form"], ["start", "elsewhere"], ["start"]], 0.5
    )
    assert won == pytest.approx([1.0, 0.0], abs=1e-3)
    assert lost == pytest.approx([-1.0, 0.0], abs=1e-3)
    assert unknown == [0.0]


def test_of_two_turns_on_the_same_page_the_one_nearer_the_end_is_worth_more():
    ((first, _, back),) = step_credits([1.0], [["list", "form", "list"]], 0.9)
    assert back == pytest.approx(1.0, abs=1e-3)
    assert first == pytest.approx(-1.0, abs=1e-3)
    assert step_credits([1.0], [["list", "form", "list"]], 1.0) == [[0.0, 0.0, 0.0]]

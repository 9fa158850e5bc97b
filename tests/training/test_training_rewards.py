import pytest

from appliance.training.rewards import advantages, reward, share_with_spread, terms

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
        ("untrue 3 missing_step; 2 click S #5", UNTRUE, 0.0),  # right, and a false alarm
    ],
)
def test_what_an_answer_is_worth(answer, right, worth):
    assert reward(answer, right) == pytest.approx(worth, abs=0.06)


def test_a_false_alarm_is_never_worth_it():
    assert reward("untrue 1 renamed_label; 2 click Save #5", RIGHT) < reward(RIGHT, RIGHT) - 0.9
    assert terms("untrue 1 dead_link; 2 click Save #5", RIGHT)["false_note"] == 1


def test_length_costs_what_is_beyond_the_right_one_and_no_more_than_once():
    assert reward(f"{RIGHT}{' ' * 40}", RIGHT) == pytest.approx(1.0)
    assert reward("x" * 10_000, RIGHT) == pytest.approx(-0.6)


def test_rewards_are_held_against_their_group_first_and_then_against_all():
    # The second is worth more and spread wider: within it each is only as good as it is there.
    first, second = [0.0, 1.0, 0.0, 1.0], [10.0, 30.0, 10.0, 30.0]
    got = advantages([*first, *second], 4)
    assert got == pytest.approx([-1.0, 1.0] * 4, abs=1e-3)
    swapped = [(one - 10.25) / 11.6 for one in (*first, *second)]  # all against all
    assert got != pytest.approx(swapped, abs=0.1)


def test_a_group_without_spread_teaches_nothing_and_changes_nothing():
    got = advantages([5.0, 5.0, 0.0, 1.0], 2)
    assert got[:2] == [0.0, 0.0]
    assert got[2:] == pytest.approx([-1.0, 1.0], abs=1e-3)
    assert advantages([1.0] * 6, 3) == [0.0] * 6
    assert share_with_spread([5.0, 5.0, 0.0, 1.0], 2) == 0.5


def test_a_right_answer_that_is_none_is_a_fault_of_ours():
    with pytest.raises(ValueError, match="no answer is right"):
        reward(RIGHT, "Save, I think")

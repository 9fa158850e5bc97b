import pytest

from appliance.core import actions
from appliance.core.page import Performed
from appliance.core.verdict import Verdict
from appliance.training.selection import Dropped, why_not_attempt, why_not_moments
from appliance.verification import StopReason
from tests.policy.policy_model_desk import view
from tests.training.training_attempts import LIST, attempt, judged, turn, turns


@pytest.mark.parametrize(
    ("one", "why"),
    [
        (judged(), None),
        (judged(witnesses=("judges",)), None),
        (judged(Verdict.DRIFTED, findings=1), None),
        (judged(Verdict.DRIFTED, findings=1, rejected=1), Dropped.REJECTED),
        (judged(Verdict.UNDECIDED), Dropped.UNDECIDED),
        (judged(Verdict.BLOCKED), Dropped.BLOCKED),
        (judged(witnesses=("ui",)), Dropped.NO_WITNESS),
        (judged(reached=False), Dropped.NOT_REACHED),
        (judged(reached=None), Dropped.NOT_REACHED),
        (judged(stop=StopReason.LOOP), Dropped.NOT_ENDED),
        (judged(Verdict.BROKEN, reached=False, findings=1), Dropped.UNCONFIRMED),
        (judged(Verdict.BROKEN, reached=False, findings=1, confirmed=1), None),
    ],
)
def test_only_what_somebody_else_bears_out_is_learnt_from(one, why):
    assert why_not_attempt(one) is why


def test_steps_that_led_nowhere_are_left_out():
    page = view(*LIST, title="Here")
    made = [
        turn(page, actions.Click(1), "1", performed=Performed(ok=False, error="covered")),
        turn(page, actions.Wait(1.0), "2"),
        turn(view(*LIST, fingerprint="a"), actions.Click(2), "3", performed=Performed(ok=True)),
        turn(view(*LIST, fingerprint="a"), actions.Click(3), "4"),
        turn(view(*LIST, fingerprint="b"), actions.Complete("there"), "4"),
    ]
    assert why_not_moments(attempt(made).moments) == [
        Dropped.FAILED,
        Dropped.WAITING,
        Dropped.NO_EFFECT,
        None,
        None,
    ]


def test_a_way_and_back_within_one_step_is_left_out_and_one_that_the_text_says_is_kept():
    def walk(*steps):
        pages = "abac"
        return attempt(
            [
                turn(view(*LIST, fingerprint=page), actions.Click(n + 1), step)
                for n, (page, step) in enumerate(zip(pages, steps, strict=True))
            ]
        ).moments

    assert why_not_moments(walk("1", "1", "1", "2")) == [Dropped.LOOP, Dropped.LOOP, None, None]
    assert why_not_moments(walk("1", "2", "3", "4")) == [None] * 4


def test_a_straight_way_is_kept_whole():
    assert why_not_moments(attempt(turns()).moments) == [None] * 6

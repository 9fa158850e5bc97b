"""A night played through ahead: cases that can be counted by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.engine.packing import Farm, Job
from appliance.engine.simulation import MODEL, PLACES, enough, simulate


def seconds(jobs, **farm) -> float:
    return simulate(jobs, Farm(**{"places": 1} | farm)).seconds


def test_one_browser_takes_one_after_the_other():
    night = simulate([Job(10), Job(20), Job(30)], Farm(places=1))
    assert (night.seconds, night.busy, night.bottleneck) == (60, {PLACES: 1.0}, PLACES)
    assert night.waited_s == {}


def test_who_is_free_takes_the_next():
    assert seconds([Job(10), Job(30), Job(10), Job(10)], places=2) == 30
    assert seconds([Job(10), Job(10), Job(10), Job(30)], places=2) == 40  # the long one late


def test_a_scarce_account_holds_up_only_who_asks_for_it():
    jobs = [Job(10, account="admin"), Job(10, account="admin"), Job(10), Job(10)]
    night = simulate(jobs, Farm(places=2, accounts={"admin": 1}))
    assert night.seconds == 20  # another one goes meanwhile
    assert night.busy == {PLACES: 1.0, "accounts admin": 1.0}
    only = simulate([Job(10, account="admin")] * 4, Farm(places=2, accounts={"admin": 1}))
    assert (only.seconds, only.bottleneck) == (40, "accounts admin")
    assert only.waited_s == {"accounts admin": 30}  # one browser, until the last has begun
    assert only.busy[PLACES] == 0.5


def test_a_model_with_one_place_answers_one_at_a_time():
    jobs = [Job(10, model_s=6)] * 3  # 2 s, 6 s of the model, 2 s
    night = simulate(jobs, Farm(places=3, model=1))
    assert night.seconds == 2 + 3 * 6 + 2
    assert night.waited_s == {MODEL: 6 + 12}
    assert night.bottleneck == MODEL
    assert seconds(jobs, places=3, model=3) == 10


def test_nothing_to_do_takes_no_time():
    night = simulate([], Farm(places=3))
    assert (night.seconds, night.busy, night.bottleneck) == (0, {}, "")


def test_how_much_is_enough_for_a_deadline():
    jobs = [Job(60, account="admin" if n % 4 == 0 else "") for n in range(80)]
    farm = Farm(places=2, accounts={"": 2, "admin": 1})
    found = enough(jobs, farm, 600)
    assert found == Farm(places=8, accounts={"": 6, "admin": 2})
    assert simulate(jobs, found).seconds == 600
    assert enough(jobs, farm, 59) is None


@given(
    st.lists(st.floats(1, 100), min_size=1, max_size=30),
    st.integers(1, 5),
    st.integers(1, 5),
)
def test_it_takes_no_less_than_the_work_and_no_more_than_one_after_the_other(took, lanes, accounts):
    jobs = [Job(one) for one in took]
    night = seconds(jobs, places=lanes, accounts={"": accounts})
    at_once = min(lanes, accounts)
    assert max(max(took), sum(took) / at_once) <= night + 1e-6
    assert night <= sum(took) / at_once + max(took) + 1e-6


@pytest.mark.parametrize("deadline_s", [120, 300, 1000])
def test_what_is_enough_is_enough_and_one_browser_less_is_not(deadline_s):
    jobs = [Job(30 + n % 50) for n in range(100)]
    found = enough(jobs, Farm(places=1), deadline_s)
    assert simulate(jobs, found).seconds <= deadline_s
    assert simulate(jobs, Farm(places=found.places - 1)).seconds > deadline_s

"""A night is packed: nothing is lost, nothing comes twice, what is due first comes first."""

import math
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from appliance.engine.packing import Farm, Job, Turns, packed
from appliance.engine.simulation import simulate

jobs = st.lists(
    st.builds(
        Job,
        seconds=st.integers(0, 40).map(float) | st.floats(0, 400),
        account=st.sampled_from(["", "admin", "auditor"]),
        urgency=st.tuples(st.integers(0, 3), st.integers(0, 2)),
        shares=st.sampled_from(["", "network", "network subnet"]),
        product=st.sampled_from("abc"),
    ),
    max_size=40,
)
farms = st.builds(
    Farm,
    places=st.integers(1, 6),
    accounts=st.dictionaries(st.sampled_from(["", "admin", "auditor"]), st.integers(1, 3)),
)


def listed(of: list[Job], farm: Farm) -> list[Job]:
    return [of[place] for place in packed(of, farm)]


@given(jobs, farms)
def test_every_job_is_in_the_list_once_the_most_urgent_first(of, farm):
    order = packed(of, farm)
    assert sorted(order) == list(range(len(of)))
    urgencies = [of[place].urgency for place in order]
    assert urgencies == sorted(urgencies)


@given(jobs, farms, st.floats(0, 2000))
def test_every_job_is_begun_once_or_beyond_the_deadline_which_is_kept(of, farm, deadline_s):
    in_turn = listed(of, farm)
    night = simulate(in_turn, farm, deadline_s)
    begun = [one.place for one in night.begun]
    assert sorted([*begun, *night.beyond]) == list(range(len(of)))
    ends = [at_s + in_turn[place].seconds for place, at_s in night.begun]
    assert all(end <= deadline_s + 1e-6 for end in [night.seconds, *ends])


@given(jobs, farms, st.floats(0, 2000))
def test_nothing_is_pushed_out_by_what_is_less_due(of, farm, deadline_s):
    """Whoever is not reached could not have begun when a less urgent one did."""
    in_turn = listed(of, farm)
    night = simulate(in_turn, farm, deadline_s)
    for place in night.beyond:
        left = in_turn[place]
        for other, at_s in night.begun:
            if in_turn[other].urgency <= left.urgency:
                continue
            fits = left.seconds <= deadline_s - at_s
            under_way = sum(
                begun_s <= at_s < begun_s + in_turn[one].seconds
                for one, begun_s in night.begun
                if in_turn[one].account == left.account and one != other
            )
            assert not fits or under_way >= farm.accounts.get(left.account, math.inf)


@given(jobs, farms)
def test_no_more_are_under_way_than_there_are_places_and_accounts(of, farm):
    in_turn = listed(of, farm)
    night = simulate(in_turn, farm)
    for _, at_s in night.begun:
        busy = [
            in_turn[n] for n, begun in night.begun if begun <= at_s < begun + in_turn[n].seconds
        ]
        assert len(busy) <= farm.places
        for account, number in Counter(job.account for job in busy).items():
            assert number <= farm.accounts.get(account, math.inf)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.floats(0, 9))), st.lists(st.floats(0, 9)))
def test_turns_lose_nothing_and_give_nothing_twice(of, times):
    turns = Turns(range(len(of)), lambda n: of[n][0], lambda n: of[n][1])
    taken = [turns.next(lambda account: account != "b", left) for left in sorted(times)[::-1]]
    taken += [turns.next(lambda _: True, 0.0) for _ in range(len(of) + 1)]
    got = [one for one in taken if one is not None]
    assert sorted([*got, *turns.beyond]) == list(range(len(of)))
    assert not turns


def test_the_longest_come_first_lest_one_be_left_over():
    of = [Job(10), Job(10), Job(10), Job(30)]
    farm = Farm(places=2)
    assert simulate(of, farm).seconds == 40
    assert simulate(listed(of, farm), farm).seconds == 30


def test_what_asks_for_a_scarce_account_comes_first_for_the_night_waits_for_it():
    of = [Job(10), Job(10), Job(10), Job(10, account="admin"), Job(10, account="admin")]
    farm = Farm(places=3, accounts={"admin": 1})
    assert [job.account for job in listed(of, farm)] == ["admin", "admin", "", "", ""]
    assert simulate(listed(of, farm), farm).seconds == 20
    plenty = Farm(places=3, accounts={"admin": 3})
    assert listed(of, plenty) == of


def test_what_shares_a_resource_follows_each_other():
    words = ["", "network", "", "image", "network", ""]
    order = listed([Job(10, shares=word) for word in words], Farm(places=2))
    assert [job.shares for job in order] == ["network", "network", "image", "", "", ""]


def test_products_take_turns_so_that_nodes_do_not_all_work_in_one():
    of = [Job(10 + n % 2, product=product) for product in "abcd" for n in range(4)]
    farm = Farm(places=4)
    in_turn = [job.product for job in listed(of, farm)]
    together = [set(in_turn[n : n + 4]) for n in range(0, 16, 4)]
    assert together == [set("abcd")] * 4

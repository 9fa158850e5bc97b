"""Parts of the provider, without Terraform."""

import pytest

pytest.importorskip("tf", reason="the provider needs the extra `terraform`")

from hypothesis import given
from hypothesis import strategies as st
from practice_provider.checking import problems
from practice_provider.planning import plan
from practice_provider.spec import kinds
from practice_provider.steps import steps, way_to
from practice_provider.values import attributes, is_same
from tf.types import Unknown

KINDS = kinds()


def names(way):
    return None if way is None else [step.action.name for step in way]


@pytest.mark.parametrize(
    ("kind", "state", "different", "emptied", "expected"),
    [
        ("instance", "running", {"name"}, (), ["rename"]),
        ("instance", "running", {"size"}, (), ["stop", "resize", "start"]),
        ("instance", "stopped", {"size"}, (), ["resize"]),
        ("instance", "running", set(), (), []),
        ("disk", "available", {"instance"}, (), ["attach"]),
        ("disk", "in-use", {"instance"}, {"instance"}, ["detach"]),
        ("disk", "in-use", {"instance"}, (), ["detach", "attach"]),
        ("disk", "in-use", {"size"}, (), ["detach", "expand", "attach"]),
        ("maintenance_window", "cancelled", {"date"}, (), None),
    ],
)
def test_the_shortest_way_is_found(kind, state, different, emptied, expected):
    assert names(steps(KINDS[kind], state, different, emptied)) == expected


@given(st.data())
def test_a_way_sets_what_differs_and_is_allowed_step_by_step(data):
    kind = data.draw(st.sampled_from(list(KINDS.values())))
    settable = sorted({name for action in kind.actions for name in action.sets})
    states = sorted({state for action in kind.actions for state in (*action.sources, action.to)})
    state = data.draw(st.sampled_from(states or [""]))
    different = set(data.draw(st.lists(st.sampled_from(settable), unique=True)) if settable else [])
    way = steps(kind, state, different)
    if way is None:
        return
    for action, fields in way:
        assert not action.sources or state in action.sources
        assert fields == action.sets & different
        state = action.to or state
        different = (different - fields) | action.clears
    assert not different


def test_what_is_in_use_is_freed_before_it_is_deleted():
    disk = KINDS["disk"]
    assert names(way_to(disk, "in-use", disk.deleted_from)) == ["detach"]
    assert names(way_to(disk, "available", disk.deleted_from)) == []


NETWORK = {
    "id": "net-1",
    "region": "north",
    "state": "available",
    "name": "office",
    "description": None,
    "cidr": "10.0.0.0/16",
    "dns": True,
    "tags": None,
}
NOTHING = {"name": "office", "description": None, "cidr": None, "dns": None, "tags": None}


def test_a_new_item_has_its_defaults_and_what_is_not_known_yet():
    assert plan(KINDS["network"], None, NOTHING).state == {
        **NETWORK,
        "id": Unknown,
        "region": Unknown,
        "state": Unknown,
    }


@pytest.mark.parametrize(
    "config",
    [NOTHING, {**NOTHING, "description": " \n", "tags": {}}, {**NOTHING, "name": "office "}],
)
def test_what_means_the_same_is_no_change(config):
    assert plan(KINDS["network"], NETWORK, config) == (NETWORK, [])


def test_what_is_left_out_has_its_default_again():
    prior = {**NETWORK, "dns": False, "description": "old"}
    planned = plan(KINDS["network"], prior, NOTHING)
    assert planned == ({**NETWORK, "state": Unknown}, [])


def test_only_what_no_edit_covers_is_replaced():
    assert plan(KINDS["network"], NETWORK, {**NOTHING, "cidr": "10.1.0.0/16"}).replaced == ["cidr"]
    assert plan(KINDS["network"], NETWORK, {**NOTHING, "cidr": Unknown}).replaced == ["cidr"]
    assert plan(KINDS["network"], NETWORK, {**NOTHING, "name": "other"}).replaced == []


def test_a_secret_that_nobody_knows_is_no_reason_for_a_new_item():
    user = KINDS["user"]
    prior = dict.fromkeys([a.name for a in attributes(user)]) | {"name": "ann", "state": "active"}
    config = {"name": "ann", "console_access": True, "password": "Example-Pass-2025"}
    assert "password" not in plan(user, prior, config).replaced
    assert "password" in plan(user, {**prior, "password": "other"}, config).replaced


def test_blanks_count_where_the_cloud_keeps_them():
    bucket = {attribute.name: attribute for attribute in attributes(KINDS["bucket"])}
    assert is_same(bucket["name"], "a ", "a")
    assert not is_same(bucket["policy"], "{} ", "{}")
    assert not is_same(bucket["name"], Unknown, Unknown)


def complaints(kind, **config):
    return {problem.attribute for problem in problems(KINDS[kind], config)}


def test_a_file_is_checked():
    good = {"bucket": "b", "name": "n", "file": "aGVsbG8=", "file_name": "a.txt"}
    assert complaints("object", **good) == set()
    assert complaints("object", **{**good, "file": "hello!"}) == {"file"}
    assert complaints("object", **{**good, "file_name": None}) == {"file_name"}
    assert complaints("object", **{**good, "file": "AAAA" * 400_000}) == {"file"}
    assert complaints("object", **{**good, "file": Unknown}) == set()


def test_a_condition_that_is_not_known_yet_asks_for_nothing():
    rule = {"group": "g", "protocol": Unknown, "ports": None}
    assert complaints("security_rule", **rule) == set()
    assert complaints("security_rule", **{**rule, "protocol": "tcp"}) == {"ports"}
    assert complaints("security_rule", **{**rule, "protocol": "icmp", "ports": "80"}) == {"ports"}


@pytest.mark.parametrize(
    ("kind", "state", "different", "goal", "expected"),
    [
        ("instance", "running", (), "stopped", ["stop"]),
        ("instance", "stopped", {"size"}, "running", ["resize", "start"]),
        ("disk", "available", {"instance"}, "in-use", ["attach"]),
        ("disk", "in-use", {"size"}, "available", None),
        ("elastic_address", "available", (), "in-use", None),
        ("maintenance_window", "cancelled", (), "planned", None),
    ],
)
def test_the_way_ends_in_the_state_that_is_wanted(kind, state, different, goal, expected):
    assert names(steps(KINDS[kind], state, different, (), goal)) == expected


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_every_state_of_a_kind_can_be_asked_for(kind):
    """A new item can be brought there, with what the action that leads there is given."""
    for goal in kind.states:
        sets = {name for action in kind.actions if action.to == goal for name in action.sets}
        ways = [steps(kind, kind.created, given, (), goal) for given in (set(), sets)]
        assert any(way is not None for way in ways), goal

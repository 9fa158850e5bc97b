"""Whatever is sent as values of an item: it is kept as the product data says, or refused."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.practice.accounts import ACCOUNTS, Caller
from appliance.practice.cloud import Cloud
from appliance.practice.refusals import RequestRefused
from appliance.practice.state import dump_state, load_state
from appliance.practice.values import HIDDEN
from appliance.practice.views import item_view

_TEXTS = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        [
            "",
            "rack-1",
            "10.0.0.0/8",
            "10.0.1.0/24",
            "2026-02-28",
            "03:30",
            "red",
            "long",
            "{}",
            "  ",
        ]
    ),
)
_FILES = st.fixed_dictionaries(
    {
        "name": st.sampled_from(["a.txt", "a.exe", " ", "a"]),
        "content": st.sampled_from(["aGk=", "?"]),
    }
)
_ANY = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-5, 50), st.floats(), _TEXTS, _FILES),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(_TEXTS, inner, max_size=2)
    ),
    max_leaves=4,
)


@pytest.fixture(scope="module")
def cloud(lab_catalogue):
    made = Cloud(lab_catalogue, settle_s=0.0)
    yield made
    made.close()


def bodies(fields):
    names = st.sampled_from([*fields, "nothing"])
    return st.builds(lambda more, name: {"name": name} | more, st.dictionaries(names, _ANY), _TEXTS)


@pytest.mark.parametrize("kind", ["rack", "part", "key"])
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_what_is_sent_is_kept_as_a_value_or_refused(cloud, kind, data):
    account, found = ACCOUNTS[0], cloud.located[kind]
    cloud.reset(account)
    cloud.set_quotas(account, {kind: 0})
    caller = Caller(account=account, source="api")
    rack = cloud.create(caller, cloud.located["rack"], {"name": "rack-0"})
    body = data.draw(bodies(found.resource.fields))
    if kind == "part" and data.draw(st.booleans()):
        body["rack"] = rack.id
    before = dump_state(cloud.state(account))
    try:
        item = cloud.create(caller, found, body)
    except RequestRefused as refused:
        assert refused.fields
        assert refused.detail(cloud.catalogue, "zh")
        assert dump_state(cloud.state(account)) == before
    else:
        state = cloud.state(account)
        assert set(item.values) == set(found.resource.fields)
        assert load_state(dump_state(state)) == state
        view = item_view(item, found, state)
        assert "pin" not in view["values"]
        json.dumps(view)
    (*_, event) = cloud.audit.since(None, datetime.now(UTC), account.name)
    assert event.parameters.get("pin", "") in ("", HIDDEN)


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_a_change_that_is_refused_changes_nothing(cloud, data):
    account, found = ACCOUNTS[1], cloud.located["rack"]
    cloud.reset(account)
    caller = Caller(account=account, source="api")
    body = {"name": "rack-0", "locked": True, "pin": "1234", "pin_kind": "long", "hint": "cat"}
    rack = cloud.create(caller, found, body)
    cloud.state(account)
    before = dump_state(cloud.state(account))
    change = data.draw(st.dictionaries(st.sampled_from(["locked", "pin", "hint"]), _ANY))
    try:
        cloud.update(caller, found, rack.id, "lock", change)
    except RequestRefused:
        assert dump_state(cloud.state(account)) == before
    else:
        assert isinstance(rack.values["locked"], bool)
        assert (rack.values["hint"] == "none") == (not rack.values["locked"])

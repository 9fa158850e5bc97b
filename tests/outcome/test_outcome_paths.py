from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.core.checks import AuditEvent
from appliance.core.errors import OutcomeError
from appliance.outcome.bindings import expand
from appliance.outcome.paths import as_text, is_equal, values_at

JSON = {
    "router:external": True,
    "owner_specified.openstack.md5": "x",
    "subnets": [{"cidr": "10.0.0.0/24"}, {"cidr": "10.1.0.0/24"}],
    "gateway": {"network_id": "n1"},
}
EVENT = AuditEvent(
    time=datetime(2026, 1, 2, tzinfo=UTC), service="neutron", name="n", parameters=JSON
)


@pytest.mark.parametrize(
    ("path", "values"),
    [
        ("service", ("neutron",)),
        ("time", (datetime(2026, 1, 2, tzinfo=UTC),)),
        ("parameters.router:external", (True,)),
        ("parameters.owner_specified.openstack.md5", ("x",)),
        ("parameters.subnets.1.cidr", ("10.1.0.0/24",)),
        ("parameters.subnets.*.cidr", ("10.0.0.0/24", "10.1.0.0/24")),
        ("parameters.*.network_id", ("n1",)),
        ("parameters.subnets.2.cidr", ()),
        ("parameters.subnets.x", ()),
        ("parameters.gateway.network_id.deeper", ()),
        ("parameters.nothing", ()),
    ],
)
def test_dotted_paths(path: str, values: tuple[object, ...]) -> None:
    assert values_at(EVENT, path) == values


def test_an_unknown_first_part_proposes_where_to_look() -> None:
    with pytest.raises(OutcomeError, match=r"write parameters.cidr or raw.cidr"):
        values_at(EVENT, "cidr")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=3)
    ),
    max_leaves=8,
)


def _paths(value: Any, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Any]]:
    inner = value.items() if isinstance(value, dict) else []
    inner = enumerate(value) if isinstance(value, list) else inner
    found = [(path, value)]
    for key, entry in inner:
        found += _paths(entry, (*path, str(key)))
    return found


@given(st.dictionaries(st.text("abc:", min_size=1, max_size=3), json_values, max_size=3))
def test_every_value_is_found_at_its_own_path(tree: dict[str, Any]) -> None:
    event = AuditEvent(time=EVENT.time, service="s", name="n", raw=tree)
    for path, value in _paths(tree):
        if not any("." in key or key in ("*", "") for key in path):
            assert values_at(event, ".".join(("raw", *path))) == (value,)


@given(json_values)
def test_a_value_equals_its_own_text(value: Any) -> None:
    assert is_equal(value, as_text(value))


@given(st.text(max_size=30), st.dictionaries(st.text(max_size=5), st.text(max_size=5)))
def test_text_without_placeholders_stays(text: str, bindings: dict[str, str]) -> None:
    if "${" not in text:
        assert expand(text, bindings) == text


@given(st.text("ab $%\\", min_size=1, max_size=6), st.text(max_size=9))
def test_a_placeholder_becomes_its_value_and_is_not_expanded_again(name: str, value: str) -> None:
    assert expand(f"<${{{name}}}>", {name: value}) == f"<{value}>"


def test_names_are_found_without_regard_to_case_and_spacing() -> None:
    assert expand("${network  name}", {"Network Name": "n"}) == "n"


def test_an_escaped_placeholder_stays() -> None:
    assert expand("$${x} ${y}", {"y": "1"}) == "${x} 1"


def test_an_unbound_name_lists_what_is_bound() -> None:
    with pytest.raises(OutcomeError, match=r"\$\{zzz\}; known: a, b"):
        expand("${zzz}", {"b": "1", "a": "2"})
    with pytest.raises(OutcomeError, match="known: none"):
        expand("${zzz}", {})

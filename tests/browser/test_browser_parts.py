"""The parts that need no browser: numbers, hosts, words."""

from itertools import count

from hypothesis import given
from hypothesis import strategies as st

from appliance.browser._hosts import is_allowed
from appliance.browser.observation.identity import Handle, Identity
from appliance.core.page import Element

names = st.sampled_from(["Delete", "Edit", "Save"])
rows = st.sampled_from([None, "db-1", "db-2"])


def element(name, row):
    return Element(id=0, role="button", name=name, row=row)


controls = st.lists(
    st.tuples(st.integers(1, 12), st.sampled_from(["doc-1", "doc-2"]), names, rows),
    unique_by=lambda c: (c[0], c[1]),
    max_size=8,
)


@given(st.lists(controls, max_size=6))
def test_numbers_are_never_shared_and_stay_with_their_node(views):
    identity = Identity(count(1))
    for view in views:
        found = [(Handle("f", doc, local), element(name, row)) for local, doc, name, row in view]
        numbered = identity.number(found)
        assert len({e.id for e in numbered}) == len(numbered)
        assert [e.id for e in identity.number(found)] == [e.id for e in numbered]
        for (handle, _), e in zip(found, numbered, strict=True):
            assert identity.handle(e.id) == handle


def test_a_new_node_takes_over_only_when_the_pair_is_unique():
    identity = Identity(count(1))
    one = identity.number([(Handle("f", "a", 1), element("Delete", "db-1"))])
    again = identity.number([(Handle("f", "b", 1), element("Delete", "db-1"))])
    assert again[0].id == one[0].id
    twins = identity.number([(Handle("f", "c", n), element("Delete", "db-1")) for n in (1, 2)])
    assert one[0].id not in {e.id for e in twins}


def test_a_dialog_in_between_does_not_cost_the_numbers():
    identity = Identity(count(1))
    (before,) = identity.number([(Handle("f", "a", 1), element("Create", None))])
    identity.number([(Handle("f", "a", 2), element("Save", None))])
    (after,) = identity.number([(Handle("f", "b", 1), element("Create", None))])
    assert after.id == before.id


def test_hosts():
    hosts = frozenset({"console.example", "10.0.0.1:8080", "[::1]:80"})
    for url in (
        "http://console.example/x", "https://console.example:9/", "http://10.0.0.1:8080/",
        "ws://[::1]/", "about:blank", "data:text/html,x",
    ):  # fmt: skip
        assert is_allowed(url, hosts), url
    for url in (
        "http://10.0.0.1/", "http://evil.example/", "http://console.example.evil/",
        "http://console.example@evil/", "file:///etc/passwd", "http://a:b:c/", "http://[bad/",
    ):  # fmt: skip
        assert not is_allowed(url, hosts), url


@given(st.text(max_size=40))
def test_hosts_never_raise(text):
    assert is_allowed(text, frozenset()) in (True, False)

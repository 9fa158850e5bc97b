"""Numbers of elements and folds over observations, without a browser."""

from dataclasses import replace
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.browser.observation.finding import NotFoundAgain, find_again, recall
from appliance.browser.observation.identity import FORGET_AFTER, Handle, Identity
from appliance.browser.observation.matching import row_keys, steady
from appliance.core.page import Element, Fold, FoldKind


def handle(local):
    return Handle("frame", "document", local)


def button(name="Delete", **more):
    return Element(id=0, role="button", name=name, tag="button", **more)


def rows(*names, first=1):
    return [
        (handle(first + i), button(row=f"{name} | Active", section="Servers"))
        for i, name in enumerate(names)
    ]


def test_texts_that_tick_are_steady():
    assert steady("Inbox (3)") == steady("Inbox (12)") == "Inbox"
    assert steady("web-1 5 minutes ago 12:01:07") == "web-1"
    assert steady("创建于 3 分钟前") == "创建于"
    assert steady("web-1") != steady("web-2")


@pytest.mark.parametrize(
    ("texts", "keys"),
    [
        (["a | x", "b | x"], [("a",), ("b",)]),
        (["v | a | x", "v | b | x"], [("v", "a"), ("v", "b")]),
        (["a | x", "a | x"], [("a",), ("a",)]),
        (["a | x", "a | x", "a | y"], [("a", "x"), ("a", "x"), ("a", "y")]),
        (["only | one"], [("only",)]),
    ],
)
def test_the_cells_that_tell_rows_apart(texts, keys):
    assert list(row_keys([button(row=text) for text in texts]).values()) == keys


def test_nodes_kept_for_their_place_hand_their_numbers_on():
    identity = Identity(count(1))
    a, b, c = identity.number(rows("a", "b", "c"))
    again = identity.number(rows("c", "a", "b"))
    assert [e.id for e in again] == [c.id, a.id, b.id]
    assert identity.handle(a.id) == handle(2)


def test_a_node_that_takes_another_row_gets_another_number():
    identity = Identity(count(1))
    (a,) = identity.number(rows("a"))
    (z,) = identity.number(rows("z"))
    assert z.id != a.id
    (again,) = identity.number(rows("a", first=5))
    assert again.id == a.id


def test_a_node_that_is_renamed_keeps_its_number():
    identity = Identity(count(1))
    (start,) = identity.number([(handle(1), button("Start"))])
    (stop,) = identity.number([(handle(1), button("Stop"))])
    assert stop.id == start.id
    assert isinstance(found := find_again(recall(identity, stop.id), identity.last, {}), tuple)
    assert found[1].name == "Stop"


def test_memory_is_bounded():
    identity = Identity(count(1))
    (first,) = identity.number(rows("first"))
    for turn in range(2 * FORGET_AFTER + 1):
        identity.number(rows(f"row-{turn}", first=turn + 2))
    assert identity.handle(first.id) is None
    assert recall(identity, first.id) is None


def test_folds_have_numbers_as_stable_as_elements():
    numbers = count(1)
    identity = Identity(numbers)
    (element,) = identity.number([(handle(1), button())])
    table = Fold(id=0, kind=FoldKind.TABLE, name="Queues (1000)", total=1000, columns=("Name",))
    other = replace(table, name="Exchanges")
    one, two = identity.number_folds([(handle(2), table), (handle(3), other)])
    assert len({element.id, one.id, two.id}) == 3
    assert identity.fold(one.id) == one
    fresh = replace(table, name="Queues (1001)", total=1001, first=20)
    again, swapped = identity.number_folds([(handle(8), other), (handle(9), fresh)])
    assert (again.id, swapped.id) == (two.id, one.id)
    assert identity.handle(one.id) == handle(9)


NAMES = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=6, unique=True)


@settings(max_examples=300, deadline=None)
@given(before=NAMES, after=NAMES, kept=st.booleans())
def test_a_number_never_leads_to_another_row(before, after, kept):
    """Rows come, go and move, on new nodes or on the old ones in another order."""
    identity = Identity(count(1))
    seen = identity.number(rows(*before))
    memories = [recall(identity, e.id) for e in seen]
    identity.number(rows(*after, first=1 if kept else 100))
    for element, memory in zip(seen, memories, strict=True):
        found = find_again(memory, identity.last, {})
        name = element.row.split(" | ")[0]
        if name in after:
            assert not isinstance(found, NotFoundAgain)
            assert found[1].row == element.row
            assert found[1].id == element.id
        else:
            assert isinstance(found, NotFoundAgain)
            assert found.why.startswith("is no longer on the page: ")


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.lists(
            st.tuples(st.integers(1, 9), st.sampled_from("abc")),
            max_size=6,
            unique_by=lambda x: x[0],
        ),
        max_size=6,
    )
)
def test_no_two_elements_share_a_number(observations):
    identity = Identity(count(1))
    for observation in observations:
        found = [(handle(local), button(row=name)) for local, name in observation]
        numbered = identity.number(found)
        assert len({e.id for e in numbered}) == len(numbered)
        assert [identity.handle(e.id) for e in numbered] == [h for h, _ in found]

"""Which names a reader takes for the words of the text, and which not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.language.names import (
    How,
    compare,
    is_own_name,
    is_part,
    key,
    plain,
    same,
    singular_words,
    verb_of_task,
)


@pytest.mark.parametrize(
    ("wanted", "shown", "how"),
    [
        ("Create Bucket", "create bucket", How.EXACT),
        ("Name", "Name *", How.EXACT),
        ("Name", "Name:", How.EXACT),
        ("Create Network", "+ Create Network", How.EXACT),
        ("More", "More ▾", How.EXACT),
        ("名称", "名称：", How.EXACT),
        ("IP Address", "IP Address (optional)", How.HINTED),
        ("Binding Host", "Binding: Host", How.PUNCTUATION),
        ("Create Port", "Create", How.SUBSET),
        ("Admin State", "Enable Admin State", How.SUBSET),
        ("Create disk", "New disk", How.SYNONYM),
        ("创建存储桶", "新建存储桶", How.SYNONYM),
        ("Volume", "Volumes", How.NUMBER),
        ("Import Key Pair", "Import Public Key", How.SIMILAR),
        ("Policy", "Policies", How.NUMBER),
        ("Address", "Addres", How.SIMILAR),
        ("Status", "Statu", How.SIMILAR),
        ("Restart", "Start", None),
        ("Attach Volume", "Detach Volume", None),
        ("Create Network", "Create Router", None),
        ("Delete", "Create", None),
        ("Router Name", "IP Address", None),
        ("Networks", "Network Topology", None),
        ("", "Create", None),
    ],
)
def test_names_are_compared(wanted: str, shown: str, how: How | None) -> None:
    assert compare(wanted, shown) is how


@given(st.text(max_size=40))
def test_a_name_is_the_same_as_itself_in_any_case(text: str) -> None:
    if plain(text):
        assert same(text, text)
    assert plain(plain(text)) == plain(text)


@given(st.text(max_size=30), st.text(max_size=30))
def test_strictness_is_symmetric(a: str, b: str) -> None:
    assert same(a, b) == same(b, a)


NAMES = st.text(st.sampled_from("aAbsy 1-:*()（可选）建桶名&"), max_size=12)


@given(NAMES, NAMES)
def test_names_with_one_key_are_the_same_to_a_reader(one: str, other: str) -> None:
    how = compare(one, other)
    is_near = how is not None and how <= How.NUMBER
    assert (key(one) == key(other)) is is_near or not key(one)


@pytest.mark.parametrize("name", ["web-1", "10.0.0.0/16", "t2.micro", "2027-06-30", "42", "a@b1.c"])
def test_names_of_single_things(name: str) -> None:
    assert is_own_name(name)


@pytest.mark.parametrize(
    "name", ["IPv4", "Zone A", "Europe/Berlin", "Pay-as-you-go", "S3", "1 小时"]
)
def test_names_of_kinds(name: str) -> None:
    assert not is_own_name(name)


@pytest.mark.parametrize(
    ("name", "one"),
    [("Currencies", "currency"), ("Addresses", "address"), ("Boxes", "box"), ("Keys", "key"),
     ("Status", "status"), ("Switches", "switch"), ("Caches", "cache"), ("VMs", "vm")],
)  # fmt: skip
def test_the_words_of_one(name: str, one: str) -> None:
    assert singular_words(name) == {one}


@pytest.mark.parametrize(
    ("label", "name", "is_it"),
    [
        ("Locations", "Locations & Shipping", True),
        ("Users", "Users, groups and roles", True),
        ("用户", "用户与角色", True),
        ("Network", "Network topology", False),
        ("Save", "Save and add another", False),
        ("Locations", "Locations", False),
    ],
)
def test_one_of_the_things_of_a_name(label: str, name: str, is_it: bool) -> None:
    assert is_part(label, name) == is_it


@pytest.mark.parametrize(
    "title", ["How to create a user", "Creating users", "How do I create a user?"]
)
def test_a_question_names_the_same_deed(title: str) -> None:
    assert verb_of_task(title) == verb_of_task("Create a user") is not None

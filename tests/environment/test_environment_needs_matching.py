import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz import fuzz

from appliance.environment.modules import Catalogue
from appliance.environment.needs import find_module
from appliance.environment.needs.matching import fold, names_of
from tests.environment.environment_needs_modules import catalogue, module

MODULES = catalogue(
    module("group", words=("user group", "group"), zh=("用户组",)),
    module("access_key", words=("access key", "key")),
    module("host_key", words=("host key", "key")),
    module("address", words=("address",)),
    module("policy", words=("policy",)),
)


@pytest.mark.parametrize(
    ("phrase", "name"),
    [
        ("disk", "disk"),
        ("Cloud disks", "disk"),
        ("the cloud disk", "disk"),
        ("an existing Volume", "disk"),
        ("security-group", "security_group"),
        ("security groups", "security_group"),
        ("seurity group", "security_group"),
        ("user group", "group"),
        ("addresses", "address"),
        ("policies", "policy"),
        ("VPC", "network"),
        ("ＶＰＣ", "network"),
        ("云盘", "disk"),
        ("专有网络", "network"),
        ("用户组", "group"),
        ("access key", "access_key"),
        ("key", None),  # could be either
        ("user", None),  # weak
        ("disc jockey", None),
        ("instances of hope", None),
        ("网络", None),
        ("", None),
        ("the", None),
    ],
)
def test_a_word_finds_its_module(phrase, name):
    found = find_module(phrase, MODULES)
    assert (found.name if found else None) == name


@pytest.mark.parametrize("console", Catalogue.load().consoles)
def test_modules_are_found_by_their_names_and_their_own_words(console):
    modules = Catalogue.load().of(console)
    for one in modules.values():
        assert find_module(one.name, modules) is one
        for word in (w for words in one.words.values() for w in words):
            assert find_module(word, modules) is one, word


WORDS = sorted({word for one in MODULES.values() for word in names_of(one)})
ODD = st.one_of(
    st.text(max_size=12),
    st.builds(lambda word, n, sign: word[:n] + sign + word[n + 1 :],
              st.sampled_from(WORDS), st.integers(0, 12), st.text(max_size=3)),
)  # fmt: skip


@settings(deadline=None)
@given(ODD)
def test_only_what_is_all_but_one_of_its_words_finds_a_module(phrase):
    found = find_module(phrase, MODULES)
    if found is not None:
        assert max(fuzz.ratio(fold(phrase), word) for word in names_of(found)) >= 90


@given(
    st.sampled_from(sorted(MODULES)),
    st.sampled_from(["", "the ", "My  ", "an existing ", "“"]),
    st.sampled_from([str.upper, str.title, lambda word: word.replace("_", "-")]),
    st.sampled_from(["", " ", ".", "s"]),
)
def test_a_name_is_found_however_it_is_dressed(name, before, dressed, after):
    found = find_module(f"{before}{dressed(name)}{after}", MODULES)
    assert found is MODULES[name]

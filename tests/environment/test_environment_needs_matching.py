import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.environment.modules import Catalogue
from appliance.environment.needs import find_module
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
def test_modules_are_found_by_name_and_never_by_another_s_word(console):
    modules = Catalogue.load().of(console)
    for one in modules.values():
        assert find_module(one.name, modules) is one
        for word in (w for words in one.words.values() for w in words):
            assert find_module(word, modules) in (one, None), word


@settings(deadline=None)
@given(st.text(max_size=12))
def test_no_word_is_too_odd(phrase):
    found = find_module(phrase, MODULES)
    assert found is None or found.name in MODULES

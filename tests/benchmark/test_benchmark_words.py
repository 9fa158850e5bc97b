"""The words that drift is drawn from are texts: YAML takes some for truth values."""

from pathlib import Path

from appliance.benchmark.drift import words
from appliance.practice.loading import read_source

DATA = read_source(Path(words.__file__).with_name("words.yaml")).data


def leaves(value):
    if isinstance(value, dict):
        return [leaf for inner in value.values() for leaf in leaves(inner)]
    if isinstance(value, list):
        return [leaf for inner in value for leaf in leaves(inner)]
    return [value]


def test_yaml_takes_no_word_for_a_truth_value():
    told = {key: value for key, value in DATA.items() if key != "fields"}
    assert [leaf for leaf in leaves(told) if not isinstance(leaf, str)] == []

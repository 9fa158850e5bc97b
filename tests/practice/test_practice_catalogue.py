import re

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from appliance.core.errors import SetupError
from appliance.practice.overlay import KINDS
from appliance.practice.releases import catalogue, product_tree
from appliance.practice.rules import problems_of
from appliance.practice.views import localise

_CHINESE = re.compile(r"[\u3001\u3002\u4e00-\u9fff]")
_NAMES = re.compile(r"[\w. /–-]+", re.ASCII)
"""What is written the same in every language: names of images, address ranges, a dash."""


def texts(value, path=()):
    if isinstance(value, dict):
        if value.keys() == {"en", "zh"}:
            yield ".".join(path), value["en"], value["zh"]
            return
        for key, inner in value.items():
            yield from texts(inner, (*path, str(key)))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from texts(inner, (*path, str(number)))


@pytest.mark.parametrize("release", ["2025.1", "2025.2"])
def test_every_text_is_in_both_languages(release):
    found = list(texts(catalogue(release).model_dump(mode="json")))
    assert len(found) > 200
    for path, english, chinese in found:
        assert not _CHINESE.search(english), path
        assert _CHINESE.search(chinese) or (english == chinese and _NAMES.fullmatch(chinese)), path
        places = re.compile(r"\{(\w+)\}")
        assert sorted(places.findall(english)) == sorted(places.findall(chinese)), path


def test_the_schema_of_the_console_has_one_language():
    shown = localise(catalogue("2025.1").model_dump(mode="json"), "zh")
    assert not list(texts(shown))
    assert shown["products"]["storage"]["resources"]["bucket"]["plural"] == "存储桶"


def test_product_data_that_does_not_fit_together_is_told(tmp_path):
    assert problems_of(product_tree()) == []
    broken = yaml.safe_load(yaml.safe_dump(product_tree()))
    bucket = broken["products"]["storage"]["resources"]["bucket"]
    bucket["list"]["row"].append("set-accesses")
    bucket["fields"]["class"]["default"] = "gold"
    assert problems_of(broken) == [
        "storage.resources.bucket.actions: there is no 'set-accesses'; did you mean 'set-access'?",
        "storage.resources.bucket.fields.class: the default 'gold' is none of the options",
    ]
    del bucket["plural"]
    assert problems_of(broken) == ["storage.resources.bucket.plural: field required"]


_PATHS = st.sampled_from(
    [
        "storage",
        "storage.resources.bucket",
        "storage.resources.bucket.fields.class",
        "storage.resources.bucket.actions.delete",
        "storage.resources.bucket.list.columns.state",
        "storage.navigation.data.entries.buckets",
        "console.texts.next",
        "console",
        "",
        ".",
    ]
)
_WORDS = st.one_of(_PATHS, st.text(max_size=8), st.sampled_from(["list.row", "list.more", "name"]))
_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), _WORDS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2),
        st.dictionaries(st.sampled_from(["en", "zh", "value", "label"]), inner, max_size=2),
    ),
    max_leaves=4,
)
_KEYS = ["target", "label", "text", "from", "to", "name", "field", "step", "order", "options"]
_KEYS += ["permission", "title", "notice", "submit", "types_name", "acknowledge", "default"]
_CHANGES = st.builds(
    lambda kind, more: {"kind": kind, **more},
    st.sampled_from(sorted(KINDS)),
    st.dictionaries(st.sampled_from(_KEYS), _VALUES, max_size=4),
)


@settings(max_examples=60, deadline=None)
@given(changes=st.lists(_CHANGES, max_size=2))
def test_whatever_a_drift_file_says_it_is_served_or_refused_with_its_place(
    tmp_path_factory, changes
):
    file = tmp_path_factory.mktemp("drift") / "drift.yaml"
    file.write_text(yaml.safe_dump({"changes": changes}), encoding="utf-8")
    try:
        catalogue("2025.1", file)
    except SetupError as refused:
        assert re.match(rf"{re.escape(str(file))}:\d+: ", str(refused))

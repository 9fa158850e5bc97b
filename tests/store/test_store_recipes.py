from datetime import UTC, datetime

from appliance.store.store import Store

KEY = ("practice", "docs/a/make-one", "ff00", "en")


def test_a_recipe_is_for_one_text_language_and_region(store, tmp_path):
    before = datetime.now(UTC)
    store.recipes.put(*KEY, "", '{"a": "多"}')
    store.close()
    with Store.open(tmp_path) as again:
        kept = again.recipes.get(*KEY)
        assert kept is not None
        assert kept.text == '{"a": "多"}'
        assert before <= kept.made_at <= datetime.now(UTC)
        for n, other in enumerate(("openstack", "docs/b", "ee11", "zh")):
            assert again.recipes.get(*KEY[:n], other, *KEY[n + 1 :]) is None
        assert again.recipes.get(*KEY, "north") is None


def test_another_text_takes_the_place_of_the_one_before(store):
    store.recipes.put(*KEY, "", "first")
    store.recipes.put(*KEY[:2], "ee11", "en", "", "second")
    store.recipes.put(*KEY, "north", "third")
    assert store.recipes.get(*KEY) is None
    assert store.recipes.get(*KEY[:2], "ee11", "en").text == "second"
    store.recipes.forget(*KEY[:2], "en")
    assert store.recipes.get(*KEY[:2], "ee11", "en") is None
    assert store.recipes.get(*KEY, "north").text == "third"

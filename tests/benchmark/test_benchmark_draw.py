"""Random drift: the same from the same seed, of every kind, served, and with a truth that fits."""

from collections import Counter

import pytest
import yaml

from appliance.benchmark.drift.draw import Drawer, write_drawn
from appliance.benchmark.truth import read_truth
from appliance.practice.overlay import KINDS
from appliance.practice.releases import DOCUMENTATION, catalogue, releases

SEEDS = range(1, 6)


@pytest.fixture(scope="module")
def draws(drawer):
    return [drawer.draw(seed, 4) for seed in SEEDS]


def test_the_same_seed_draws_the_same_bytes(drawer, documents, draws, tmp_path):
    again = Drawer(documents).draw(SEEDS[0], 4)
    one, other = (write_drawn(drawn, tmp_path / n) for n, drawn in (("a", draws[0]), ("b", again)))
    assert one.drift.read_bytes() == other.drift.read_bytes()
    assert one.truth.read_bytes() == other.truth.read_bytes()
    assert drawer.draw(99, 4).changes != draws[0].changes


def test_every_drawn_file_is_served(draws, tmp_path):
    for drawn in draws:
        assert catalogue(drawn.release, write_drawn(drawn, tmp_path).drift)


def test_a_file_has_as_many_changes_as_asked_for_each_of_another_kind(draws):
    for drawn in draws:
        kinds = [change["kind"] for change in drawn.changes]
        assert len(set(kinds)) == len(kinds) == 4


def test_every_kind_comes_up_in_one_large_file(drawer):
    drawn = drawer.draw(1, len(KINDS))
    assert {change["kind"] for change in drawn.changes} >= set(KINDS) - {"move_menu_entry"}


def test_some_changes_touch_nothing_that_is_documented(draws):
    hit = Counter(one.change for drawn in draws for one in drawn.untruths)
    touching = sum(
        bool([one for one in drawn.untruths if one.change == number])
        for drawn in draws
        for number in range(1, 5)
    )
    assert hit and 0.3 < touching / (4 * len(draws)) < 0.95


def test_every_untruth_quotes_its_line_and_names_its_change(draws, tmp_path):
    for drawn in draws:
        for one in read_truth(write_drawn(drawn, tmp_path).truth).untruths:
            lines = (DOCUMENTATION / one.document).read_text(encoding="utf-8").splitlines()
            near = " ".join(lines[line - 1] for line in sorted({one.line, *one.instead}))
            assert one.quote.split()[0].strip("*`") in near
            assert one.kind in one.acceptable_kinds
            assert 1 <= one.change <= len(drawn.changes)


def test_a_drawn_file_holds_no_references_of_yaml(draws, tmp_path):
    text = write_drawn(draws[0], tmp_path).drift.read_text(encoding="utf-8")
    assert yaml.safe_load(text)["changes"] == [dict(change) for change in draws[0].changes]
    assert "&id" not in text


def test_drift_over_a_newer_release_counts_what_the_release_made_untrue(documents):
    drawn = Drawer(documents, releases()[-1]).draw(1, 1)
    assert drawn.release == releases()[-1]
    assert {one.change for one in drawn.untruths} <= {0, 1}
    assert [one for one in drawn.untruths if one.change == 0]

"""What makes two trajectories the same, and how sure a share is."""

import json

import pytest

from appliance.benchmark.determinism import fingerprint
from appliance.benchmark.provisioning import Rate


def turn(**changes: object) -> str:
    told = {
        "step": "1",
        "action": "click",
        "on": "button Create",
        "text": None,
        "ok": True,
        "error": None,
        "reports": [],
        "divergences": [],
        "screenshot": "abc",
    }
    return json.dumps(told | changes) + "\n"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (turn(on="cell vol-cda123abc"), turn(on="cell vol-cdafff000")),
        (turn(on="link d-0123456789"), turn(on="link d-aaaaaaaaaa")),
        (turn(text="/tmp/appliance-a1b2/sample.txt"), turn(text="/x/y/appliance-zz/sample.txt")),
        (turn(screenshot="abc"), turn(screenshot="def")),
    ],
)
def test_markers_ids_folders_and_pictures_make_no_difference(one, other):
    assert fingerprint(one) == fingerprint(other)


@pytest.mark.parametrize(
    "other", [turn(on="button Delete"), turn(ok=False), turn(step="2"), turn() + turn()]
)
def test_what_is_done_makes_one(other):
    assert fingerprint(turn()) != fingerprint(other)


def test_waits_count_where_they_are_asked_to():
    waited = turn() + turn(action="wait")
    assert fingerprint(waited) != fingerprint(turn())
    assert fingerprint(waited, with_waits=False) == fingerprint(turn(), with_waits=False)


@pytest.mark.parametrize(
    ("rate", "low", "high"),
    [  # R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3
        (Rate(81, 263), 0.2553, 0.3662),
        (Rate(15, 148), 0.0624, 0.1605),
        (Rate(0, 20), 0.0, 0.1611),
        (Rate(1, 29), 0.0061, 0.1718),
    ],
)
def test_the_interval_is_wilsons(rate, low, high):
    assert rate.interval == pytest.approx((low, high), abs=1e-4)


def test_a_share_of_nothing_may_be_anything():
    assert Rate(0, 0).interval == (0.0, 1.0)

"""What makes two trajectories the same."""

import json

import pytest

from appliance.benchmark.determinism import fingerprint


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

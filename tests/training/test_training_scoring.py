import json

import pytest

from appliance.training.scoring import is_exact, parse_answer


@pytest.mark.parametrize(
    ("said", "right", "is_it"),
    [
        ("2 click Save #5", "1 click Save #5", True),  # which step it serves is no part of it
        ("1 click Save #6", "1 click Save #5", False),
        ("1 type Name = a b", "1 type Name = a b", True),
        ("1 type Name = v1", "1 type Name = v2", False),
        ("1 check All #4", "1 uncheck All #4", False),
        ("done", "done", True),
        ("untrue 2 renamed_label; done", "done", True),
        ("I would click Save", "1 click Save #5", False),
        ("", "done", False),
    ],
)
def test_short_answers_count_by_their_action(said, right, is_it):
    assert is_exact(said, right) is is_it


def whole(action: object, **more: object) -> str:
    return json.dumps({"step": "1", "action": action, "notes": []} | more)


def test_whole_answers_count_by_their_action():
    click = {"kind": "click", "element": 3, "how": ""}
    assert is_exact(whole(click), whole(dict(reversed(click.items())), step="2"))
    assert not is_exact(whole(click | {"element": 4}), whole(click))
    assert is_exact(
        whole({"kind": "complete", "seen": "a"}), whole({"kind": "complete", "seen": "b"})
    )
    assert not is_exact("{", whole(click))
    assert not is_exact('{"action": "click"}', whole(click))


def test_what_is_noted_as_untrue_is_found_in_either_form():
    note = {"step": "2", "matched": "differs", "kind": "renamed_label"}
    fine = {"step": "1", "matched": "as_written", "kind": "none"}
    found = parse_answer(whole({"kind": "go_back"}, notes=[note, fine]))
    assert found is not None
    assert found.untrue == {("2", "renamed_label")}
    short = parse_answer("untrue 2 renamed_label; untrue 3.1 missing_step; 3 click Save #5")
    assert short is not None
    assert short.untrue == {("2", "renamed_label"), ("3.1", "missing_step")}
    assert short.action == ("click", "Save #5")

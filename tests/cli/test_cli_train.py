import json

import duckdb

from tests.training.training_attempts import attempt, keep, turns


def test_train_collect_writes_files_facts_and_a_card(folder, appliance):
    keep(folder / "data", {"a.md": attempt(), "b.md": attempt(turns()[2:])})
    done = appliance("train", "collect", "--out", "made", "--held-out", "b.*", "--json")
    assert done.code == 0, done.err
    facts = json.loads(done.out)
    assert facts == {"folder": "made"} | json.loads((folder / "made/dataset.json").read_text())
    assert (facts["attempts"], facts["kept"]) == (2, 2)
    assert facts["documents"] == {"train": ["docs/a.md"], "held_out": ["docs/b.md"]}
    assert facts["samples"]["held_out.parquet"]["form"] == {"full": 4, "short": 4}
    query = "SELECT document, answer, times FROM read_parquet(?) WHERE form = 'short' ORDER BY turn"
    rows = duckdb.execute(query, [str(folder / "made/train.parquet")]).fetchall()
    assert rows[0] == ("docs/a.md", "1 click Storage #1", 1)
    card = (folder / "made/README.md").read_text()
    assert facts["files"]["train.parquet"] in card
    assert "held out: docs/b.md" in card


def test_what_is_left_out_is_counted_by_why(folder, appliance):
    made = {"a.md": attempt(), "b.md": attempt(turns()[2:]), "c.md": attempt()}
    keep(folder / "data", made, witnesses={"c.md": ("ui",)})
    done = appliance("train", "collect", "--out", "made", "--held-out", "b.*", "--json")
    facts = json.loads(done.out)
    assert (facts["attempts"], facts["kept"]) == (3, 2)
    why = "nobody but the page says that the goal was reached"
    assert facts["left_out"]["attempts"] == {why: 1}
    assert f"left out, 1: {why}" in done.err


def test_planner_and_grounder_are_collected_where_they_are_wanted(folder, appliance):
    keep(folder / "data", {"a.md": attempt(), "b.md": attempt(turns()[2:])})
    appliance("train", "collect", "--out", "made", "--held-out", "b.*", "--roles", "--form", "full")
    facts = json.loads((folder / "made/dataset.json").read_text())
    assert facts["samples"]["train.parquet"]["role"]["planner"] == 6
    assert set(facts["samples"]["train.parquet"]["form"]) == {"full"}


def test_nothing_kept_is_said_in_words(folder, appliance):
    done = appliance("train", "collect", "--out", "made")
    assert done.code == 2
    assert "training.keep_attempts" in done.err
    assert not (folder / "made").exists()


def test_what_is_there_is_never_overwritten(folder, appliance):
    (folder / "made").mkdir()
    done = appliance("train", "collect", "--out", "made")
    assert (done.code, "is there already" in done.err) == (2, True)

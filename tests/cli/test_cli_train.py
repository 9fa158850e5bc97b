import json

import duckdb
import pytest

from tests.training.training_attempts import attempt, keep, trained, turns


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
    assert rows[0] == ("docs/a.md", "1 click Storage", 1)
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


def test_attempts_whose_pages_are_gone_are_counted_and_passed_over(folder, appliance):
    made = {"a.md": attempt(), "b.md": attempt(turns()[2:]), "c.md": attempt(turns()[1:])}
    keep(folder / "data", made)
    text = made["c.md"].to_json()
    kept = (one for one in (folder / "data/artifacts").rglob("*") if one.is_file())
    next(one for one in kept if one.read_text() == text).unlink()
    done = appliance("train", "collect", "--out", "made", "--held-out", "b.*", "--json")
    why = {"what it saw is not kept any more": 1}
    assert json.loads(done.out)["left_out"]["attempts"] == why


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


def test_train_plan_says_whether_it_fits(folder, appliance):
    base = folder / "base"
    base.mkdir()
    shape = {"num_attention_heads": 9, "num_key_value_heads": 3, "head_dim": 64, "vocab_size": 9}
    config = shape | {"hidden_size": 576, "num_hidden_layers": 30, "intermediate_size": 1536}
    (base / "config.json").write_text(json.dumps(config))
    header = json.dumps({"a.q_proj": {"dtype": "BF16", "shape": [8], "data_offsets": [0, 16]}})
    (base / "model.safetensors").write_bytes(
        len(header).to_bytes(8, "little") + header.encode() + bytes(16)
    )
    done = appliance("train", "plan", "--base", "base", "--gpu", "80", "--json")
    assert (done.code, json.loads(done.out)["fits"]) == (0, True)
    done = appliance("train", "plan", "--base", "base", "--gpu", "0.5")
    assert done.code == 2
    assert "too much" in done.out
    assert appliance("train", "plan").code == 2
    told = {}
    for kind in ("kl", "dpo"):  # on one GPU, whatever there is
        words = ("--kind", kind, "--base", "base", "--gpu", "80", "--gpu", "80", "--set", "batch=2")
        done = appliance("train", "plan", *words, "--json")
        assert done.code == 0, done.err
        told[kind] = json.loads(done.out)
        assert (told[kind]["gpus"], told[kind]["fits"]) == (1, True)
    assert told["dpo"]["adapter_bytes"] == 2 * told["kl"]["adapter_bytes"]
    done = appliance("train", "plan", "--kind", "dpo", "--base", "base", "--set", "gpus=2")
    assert (done.code, "gpus" in done.err) == (2, True)


def test_only_what_is_done_is_promoted_and_only_what_is_promoted_rolled_back(folder, appliance):
    assert appliance("train", "promote", "--before", "a", "--after", "b").code == 2
    done = appliance("train", "rollback")
    assert (done.code, "nothing is promoted" in done.err) == (2, True)
    assert json.loads(appliance("train", "promoted", "--json").out)["current"] is None


def test_a_training_is_refused_before_anything_is_written(folder, appliance):
    done = appliance("train", "sft", "--dataset", "none", "--base", "none")
    assert (done.code, "appliance train collect" in done.err) == (2, True)
    assert "no base" in appliance("train", "sft", "--dataset", "none").err
    assert not (folder / "data" / "training").exists()
    assert appliance("train", "status").code == 2
    assert appliance("train", "list", "--json").out.strip() == "[]"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("rows=6", "rows must be so many times rows_at_once"),
        ("method=full", "Input should be 'lora' or 'qlora'"),
        ("suite=grounding", "suite grounding has no task of level all in split train"),
        ("begin_with=nowhere", "begin_with=nowhere: there is no adapter"),
    ],
)
def test_what_cannot_be_tried_in_the_console_is_refused_before_anything_is_written(
    folder, appliance, said, why
):
    done = appliance("train", "live", "--dataset", "made", "--set", said)
    assert done.code == 2
    assert why in done.err
    assert not (folder / "data" / "training").exists()


def test_what_is_put_off_waits_until_it_is_told_otherwise(folder, appliance):
    keep(folder / "data", {"a.md": attempt(), "b.md": attempt(turns()[2:])})
    appliance("train", "collect", "--out", "made", "--held-out", "b.*")
    (folder / "base").mkdir()
    (folder / "base/config.json").write_text("{}")
    has_all = folder / "python"
    has_all.write_text("#!/bin/sh\n")  # what a training needs is not asked for twice
    has_all.chmod(0o755)
    (folder / "appliance.yaml").write_text(f"training: {{python: {has_all}}}\n")
    given = ("--later", "--dataset", "made", "--base", "base")
    done = appliance("--config", "appliance.yaml", "train", "sft", *given)
    assert done.code == 0, done.err
    assert "waits for its time" in done.err
    assert "No schedule has the job `training` yet" in done.err
    (listed,) = json.loads(appliance("train", "list", "--json").out)
    assert listed["status"]["state"] == "waiting"
    assert "waits no longer" in appliance("train", "stop").err
    again = appliance("train", "stop")
    assert (again.code, "does not run: it is died" in again.err) == (2, True)


def test_what_is_built_by_rule_and_what_audit_logs_said_are_collected_where_they_are_wanted(
    folder, appliance
):
    keep(folder / "data", {"a.md": attempt(), "b.md": attempt(turns()[2:])})
    words = ("train", "collect", "--held-out", "b.*", "--form", "short", "--json")
    plain = json.loads(appliance(*words, "--out", "plain").out)["samples"]["train.parquet"]
    assert plain["stage"] == {"task": plain["count"]}
    built = [word for kind in ("recognition", "operation") for word in ("--built", kind)]
    facts = json.loads(appliance(*words, "--out", "built", *built, "--outcomes").out)["samples"]
    train = facts["train.parquet"]
    assert train["stage"]["task"] == plain["count"]
    assert train["stage"]["recognition"] > 0
    assert train["stage"]["operation"] > 0
    assert facts["held_out.parquet"]["stage"] == {"task": facts["held_out.parquet"]["count"]}
    assert "judge" not in train["role"]  # the audit log said nothing of these
    assert "stage: " in (folder / "built/README.md").read_text()


def test_only_a_model_of_outcomes_is_held_against_judges(folder, appliance):
    name = trained(folder / "data")
    done = appliance("train", "compare-judges", name, "--benchmark", "b")
    assert (done.code, "no finished training of kind judge" in done.err) == (2, True)
    said = ("--set", "outcome_model=data", "--set", "form=short")
    done = appliance("train", "live", "--dataset", "d", "--base", "b", *said)
    assert (done.code, "no finished training of kind judge" in done.err) == (2, True)

"""`appliance train phases`: a whole phase that trains nothing, with a scripted model."""

import json

import pytest
import yaml

from appliance.cli._bench_runs import practice_console
from appliance.inference.scripted import serving
from tests.training.phase_operations import shown_series, suite_in


@pytest.fixture
def bases(folder):
    (folder / "base").mkdir()
    (folder / "base" / "config.json").write_text("{}")
    (folder / "dataset").mkdir()
    counts = {"form": {"full": 1}, "role": {"agent": 1}}
    facts = {"files": {}, "samples": {"train.parquet": {"count": 1, **counts}}}
    (folder / "dataset" / "dataset.json").write_text(json.dumps(facts))
    return ("--base", "base", "--dataset", "dataset")


def configured(folder, **phases: object) -> None:
    small = {
        "suite": str(suite_in(folder)), "language": "en", "tasks": 1, "roll_outs": 1, "made": 1,
        "held_out": 1, "drifts": 0, "jobs": 2, "count": 1, "success_band": False,
        "update": "rehearsal",
    }  # fmt: skip
    settings = {
        "agent": {"form": "short"},
        "judges": {"count": 0},
        "verification": {"max_actions": 3},
        "training": {"phases": small | phases},
    }
    (folder / "config.yaml").write_text(yaml.safe_dump(settings))


# In CI the phases themselves are carried through by tests/training/test_training_phases.py.
@pytest.mark.long
@pytest.mark.timeout(500)
def test_a_phase_is_carried_through_and_shown(folder, appliance, bases, monkeypatch):
    configured(folder)
    with serving(lambda _: "done") as model:
        monkeypatch.setenv("APPLIANCE_MODEL__ENDPOINT", model.url)
        done = appliance("train", "phases", "run", *bases, "--json")
        assert done.code == 0, done.err
        asked = len(model.requests)
    told = json.loads(done.out)
    (phase,) = told["phases"]
    assert told["is_over"] is True
    assert phase["stage"] is None
    assert asked >= 3
    # the scripted model reaches nothing, which the audit log says, and a rehearsal changes nothing
    assert phase["estimates"][phase["seeds"][0]] == {"right": 0, "tried": 1, "left_out": 0}
    (made,) = phase["made"]
    assert made["estimate"] == {"right": 0, "tried": 1, "left_out": 0}
    assert (phase["decision"]["pass_after"], phase["decision"]["stops"]) == (0.0, True)
    assert phase["training"].endswith("-rehearsal")
    again = appliance("train", "phases", "resume")
    assert (again.code, "is over: there is nothing to go on with" in again.err) == (2, True)


def test_what_there_is_can_be_listed_and_shown(folder, appliance):
    series = shown_series(folder / "data")
    shown = appliance("train", "phases", "show")
    assert "Phase 1: pass@1 25.0% → 50.0%" in shown.out
    assert "Untruths found: 2 → 2 of 5." in shown.out
    assert "too hard: right in 0% of attempts" in shown.out
    assert "Phase 2: at label" in shown.out
    listed = json.loads(appliance("train", "phases", "list", "--json").out)
    assert [one["id"] for one in listed] == [series.file.id]
    assert series.file.id in appliance("train", "phases", "list").out


def test_wrong_words_are_said_before_anything_is_begun(folder, appliance, bases):
    configured(folder, update="lives")
    done = appliance("train", "phases", "run", *bases)
    assert (done.code, "live" in done.err) == (2, True)
    configured(folder, least_success=0.9)
    done = appliance("train", "phases", "run", *bases)
    assert "least_success is above most_success" in done.err
    configured(folder, options={"max_stepz": 3})
    done = appliance("train", "phases", "run", *bases)
    assert (done.code, "max_stepz" in done.err) == (2, True)
    for kind in ("kl", "dpo"):
        configured(folder, update=kind)
        done = appliance("train", "phases", "run", *bases)
        assert (done.code, f"{kind} holds the new policy against" in done.err) == (2, True)
        (folder / "adapter").mkdir(exist_ok=True)
        (folder / "adapter" / "adapter_config.json").write_text("{}")
        done = appliance("train", "phases", "run", *bases, "--begin-with", "adapter")
        why = "form is full, and agent.form is short: the adapter would be asked in a form that it"
        assert (done.code, why in done.err) == (2, True)
        assert "Say training.phases.options.form: short, or agent.form: full in the" in done.err
    configured(folder)
    done = appliance("train", "phases", "run", *bases, "--begin-with", "nowhere")
    assert "--begin-with nowhere: there is no adapter" in done.err
    assert not (folder / "data" / "training").exists()
    done = appliance("train", "phases", "plan", "--base", "base", "--gpu", "80")
    assert (done.code, "is of phases that train by live, kl or dpo" in done.err) == (2, True)


def test_a_plan_is_of_the_update_that_the_settings_name(folder, appliance, bases):
    heads = {"num_attention_heads": 8, "num_key_value_heads": 2, "head_dim": 64, "vocab_size": 9}
    shape = {"hidden_size": 512, "num_hidden_layers": 30, "intermediate_size": 1536}
    longest = {"max_position_embeddings": 32768}
    (folder / "base" / "config.json").write_text(json.dumps(heads | shape | longest))
    header = json.dumps({"a.q_proj": {"dtype": "BF16", "shape": [8], "data_offsets": [0, 16]}})
    (folder / "base" / "model.safetensors").write_bytes(
        len(header).to_bytes(8, "little") + header.encode() + bytes(16)
    )
    places = {}
    for kind in ("live", "kl", "dpo"):
        configured(folder, update=kind, options={"rank": 8})
        words = ("--base", "base", "--gpu", "80", "--gpu", "80", "--json")
        done = appliance("train", "phases", "plan", *words)
        assert done.code == 0, done.err
        places[kind] = [one["where"] for one in json.loads(done.out)["places"]]
    assert places["live"] == ["all 2 GPUs", "1 GPUs", "1 GPUs"]
    assert places["kl"] == places["dpo"] == ["all 2 GPUs", "1 GPU"]


def test_a_release_with_drift_is_a_practice_cloud_with_its_file(tmp_path):
    file = tmp_path / "drift-1.yaml"
    drifted = practice_console("2025.1+drift-1", {"2025.1+drift-1": file})
    assert (drifted.release, drifted.drift) == ("2025.1", file)
    assert practice_console("2025.2", {}).drift is None

"""The eval log of inspect_ai: of the shape that it asks for, and read back by it.

It does not agree with the versions that tests have: a Python of its own has it (INSPECT_PYTHON).
"""

import json
import os
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from appliance.benchmark.inspect_log import inspect_log
from appliance.benchmark.summary import summarise
from appliance.benchmark.trials import (
    BenchmarkPolicy,
    BenchmarkResult,
    Level,
    Part,
    Setup,
    Split,
    Trial,
)
from appliance.core.result import ArtifactRef
from appliance.core.verdict import Verdict

PYTHON = os.environ.get("INSPECT_PYTHON", "")
READ = """
import json, sys
from inspect_ai.log import read_eval_log
log = read_eval_log(sys.argv[1])
print(json.dumps({
    "status": log.status, "task": log.eval.task, "epochs": log.eval.config.epochs,
    "accuracy": log.results.scores[0].metrics["accuracy"].value,
    "samples": [(one.id, one.epoch, one.scores["audit"].value) for one in log.samples],
    "said": log.samples[0].messages[1].text,
}))
"""
NOW = datetime(2026, 11, 26, tzinfo=UTC)
TURN = {
    "thought": "click “Create”", "action": "click", "on": "button Create", "text": None,
    "title": "Buckets", "error": None, "notices": ["Bucket created"],
}  # fmt: skip


def trial(task, run, success):
    return Trial(
        task=task,
        run=run,
        release="2025.1",
        product="storage",
        language="en",
        level=Level.HARD,
        split=Split.TRAIN,
        success=success,
        verdict=Verdict.VERIFIED,
        reason="because",
        trajectory=ArtifactRef(sha256="0" * 64, media_type="application/jsonl", size=1),
    )


RESULT = BenchmarkResult(
    id="mine-literal-1",
    appliance_version="0.1.0",
    commit="abc",
    setup=Setup(
        suite="mine",
        suite_version="1f",
        policy=BenchmarkPolicy.LITERAL,
        runs=2,
        seed=1,
        tasks=("a", "b"),
    ),
    started_at=NOW,
    ended_at=NOW + timedelta(minutes=1),
    parts=(Part(run=1, release="2025.1", is_over=True), Part(run=2, release="", is_over=True)),
    trials=tuple(trial(task, run, task == "a") for task in ("a", "b") for run in (1, 2)),
)


def as_log():
    return inspect_log(RESULT, summarise(RESULT), lambda _: json.dumps(TURN).encode())


def test_each_trial_is_a_sample_with_its_turns():
    log = as_log()
    assert [(one["id"], one["epoch"]) for one in log["samples"]] == [
        ("a", 1), ("a", 2), ("b", 1), ("b", 2),
    ]  # fmt: skip
    first = log["samples"][0]
    assert first["messages"][1]["content"].splitlines()[1] == "click button Create"
    assert first["messages"][2]["content"] == "Bucket created"


def test_it_is_of_the_shape_that_inspect_ai_asks_for():
    schema = json.loads(Path(__file__).with_name("inspect-log.schema.json").read_bytes())
    check = Draft202012Validator(schema)
    assert [error.message for error in check.iter_errors(as_log())] == []
    assert [*check.iter_errors(as_log() | {"samples": [{"id": "a"}]})]


@pytest.mark.skipif(not PYTHON, reason="INSPECT_PYTHON names no Python that has inspect_ai")
def test_inspect_ai_reads_it(tmp_path):
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(as_log()), encoding="utf-8")
    read = subprocess.run(
        [PYTHON, "-I", "-c", READ, file], capture_output=True, check=True, text=True
    )
    assert json.loads(read.stdout) == {
        "status": "success",
        "task": "mine",
        "epochs": 2,
        "accuracy": 0.5,
        "samples": [["a", 1, "C"], ["a", 2, "C"], ["b", 1, "I"], ["b", 2, "I"]],
        "said": "click “Create”\nclick button Create\n(Buckets)",
    }

"""The eval log of inspect_ai, read back by inspect_ai."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from appliance.benchmark.inspect_log import inspect_log
from appliance.benchmark.suite import Level, Split
from appliance.benchmark.summary import summarise
from appliance.benchmark.trials import BenchmarkPolicy, BenchmarkResult, Part, Setup, Trial
from appliance.core.result import ArtifactRef
from appliance.core.verdict import Verdict

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


def test_inspect_ai_reads_it(tmp_path):
    reader = pytest.importorskip("inspect_ai.log", reason="inspect_ai is not installed")
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(as_log()), encoding="utf-8")
    log = reader.read_eval_log(str(file))
    assert (log.status, log.eval.task, log.eval.config.epochs) == ("success", "mine", 2)
    assert log.results.scores[0].metrics["accuracy"].value == 0.5
    assert [(s.id, s.epoch, s.scores["audit"].value) for s in log.samples] == [
        ("a", 1, "C"), ("a", 2, "C"), ("b", 1, "I"), ("b", 2, "I"),
    ]  # fmt: skip
    assert log.samples[0].messages[1].text.startswith("click “Create”")

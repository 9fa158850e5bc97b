"""`appliance bench list`, `run`, `show`, `compare`, `export`."""

import json
import shutil

import pytest

from appliance.practice.releases import DOCUMENTATION
from appliance.store.store import Store

NAMES = ("创建子网", "创建虚拟网络", "删除虚拟网络", "没有")
SUITE = """
schema_version: 1
kind: documentation
title: Guides of mine
console: mine
documents: [../networks.zh.md]
procedures:
  networks-zh/创建子网:
    acceptable_verdicts: [drifted]
    untruths: [{line: 22, quote: 创建子网, kind: renamed_label, shown: 新建子网}]
  networks-zh/创建虚拟网络: {acceptable_verdicts: [verified]}
  networks-zh/删除虚拟网络: {acceptable_verdicts: [broken]}
  networks-zh/没有: {acceptable_verdicts: [verified]}
"""
TASK = "buckets/create-a-bucket@2025.1"


def test_suites_are_listed(appliance):
    suites = {
        suite["name"]: suite for suite in json.loads(appliance("bench", "list", "--json").out)
    }
    assert set(suites) >= {
        "practice", "prose", "grounding", "judge", "drift", "provisioning", "determinism",
    }  # fmt: skip
    practice = suites["practice"]
    assert TASK in [task["id"] for task in practice["tasks"]]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("run", "--suite", "practise"), "there is no suite 'practise'; did you mean 'practice'?"),
        (("run", "--task", "nothing"), "suite practice has no task 'nothing'"),
        (("run", "--suite", "grounding", "--policy", "replay"), "policy replay needs a console"),
        (("run", "--suite", "horizon"), "suite horizon has no documents of its own"),
        (("run", "--policy", "browser-use"), "policy browser-use needs --agent-python"),
        (("run", "--suite", "judge", "--policy", "random"), "suite judge says itself what acts"),
        (("run", "--suite", "drift", "--split", "train"), "suite drift is drawn, and verified"),
        (("run", "--policy", "model"), "policy `model` needs a model, and none is configured"),
        (("show", "none"), "there is no result 'none'"),
        (("compare", "a", "b"), "there is no result 'a'"),
        (("export", "gone.json"), "cannot read gone.json"),
    ],
)
def test_what_cannot_be_done_is_said(appliance, words, why):
    done = appliance("bench", *words)
    assert done.code == 2
    assert why in done.err


def test_a_suite_is_run_shown_compared_and_exported(appliance, folder):
    done = appliance("bench", "run", "--policy", "oracle", "--task", TASK, "--runs", 1, "--json")
    assert done.code == 0, done.err
    figures = json.loads(done.out)
    assert (figures["tasks"], figures["pass_at_1"]) == (1, 1.0)
    (row,) = json.loads(appliance("bench", "show", "--json").out)
    assert (row["is_over"], row["trials"], row["successes"]) == (True, 1, 1)
    shown = appliance("bench", "show", row["id"], "--html", "page.html")
    assert "practice, oracle: pass@1 100.00 %" in shown.out
    assert "<svg" in (folder / "page.html").read_text(encoding="utf-8")
    compared = appliance("bench", "compare", row["id"], row["id"])
    assert compared.out.splitlines()[-1].startswith("No real difference is shown")
    (line,) = appliance("bench", "export", row["id"]).out.splitlines()
    trial = json.loads(line)
    assert (trial["task"], trial["success"]) == (TASK, True)
    assert trial["turns"][-1]["action"] == "complete"


def test_single_steps_are_run_and_shown_as_tasks_are(appliance):
    words = ("run", "--suite", "grounding", "--task", "disk/list/*", "--runs", 2)
    done = appliance("bench", *words)
    assert done.code == 0, done.err
    assert "| level hard | " in done.out
    (row,) = json.loads(appliance("bench", "show", "--json").out)
    figures = json.loads(appliance("bench", "show", row["id"], "--json").out)
    assert (figures["runs"], figures["tasks"]) == (2, row["trials"] / 2)
    assert 0.5 < figures["pass_at_1"] < 0.9


def test_labelled_attempts_go_as_they_are_to_and_the_rules_are_right_of_them(appliance):
    words = ("--suite", "judge", "--task", "logs-zh/创建日志库+创建日志告警@2025.1 *", "--runs", 1)
    done = appliance("bench", "run", *words)
    assert done.code == 0, done.err
    assert "| audit | 100.00 % |" in done.out
    (row,) = json.loads(appliance("bench", "show", "--json").out)
    trials = [json.loads(line) for line in appliance("bench", "export", row["id"]).out.splitlines()]
    assert {one["way"]: (one["label"], one["said"]["ui"]) for one in trials} == {
        "as written": (True, True),
        "stops short": (False, False),
        "one step more": (False, True),
        "wrong name": (False, True),  # the pages are pleased with it
        "only claims": (False, None),
    }
    log = json.loads(appliance("bench", "export", row["id"], "--format", "inspect").out)
    assert len(log["samples"]) == 5


def test_a_failure_is_one_attempt_and_has_somebody_to_blame(appliance, folder):
    """Outside of benchmarks a text gets a second attempt before anything is said against it."""
    removed = "instances/restart-an-instance@2025.2"
    done = appliance("bench", "run", "--task", removed, "--runs", 1)
    assert done.code == 0, done.err
    assert "failure (document)" in done.err
    assert "| document | did not recover | 1 |" in done.out
    (file,) = (folder / "data" / "benchmarks").glob("*.json")
    (part,) = json.loads(file.read_text(encoding="utf-8"))["parts"]
    with Store.open(folder / "data" / "bench" / "suites" / "data") as store:
        (result,) = store.load_run(part["run_id"]).procedures
    assert (result.attempts, result.decided_by) == (1, "literal")


def test_real_documentation_is_verified_and_held_against_labels(appliance, folder):
    """The console is the user's own: here a practice cloud of the newer release."""
    for name in ("networks.zh.md", "networks.zh.checks.yaml"):
        shutil.copy(DOCUMENTATION / name, folder / name)
    (folder / "config.yaml").write_text(
        "consoles: {mine: {kind: practice, release: '2025.2'}}\n", encoding="utf-8"
    )
    (folder / "suites").mkdir()
    (folder / "suites" / "guides.yaml").write_text(SUITE, encoding="utf-8")
    words = ("bench", "run", "--suites", "suites", "--suite", "guides", "--runs", 1)
    done = appliance(*words)
    assert done.code == 0, done.err
    assert "| untruths | 1 |" in done.out
    (row,) = json.loads(appliance("bench", "show", "--json").out)
    trials = {
        trial["task"]: trial
        for trial in map(json.loads, appliance("bench", "export", row["id"]).out.splitlines())
    }
    drifted, true, wrong, gone = (trials[f"networks-zh/{name}"] for name in NAMES)
    assert (drifted["success"], drifted["verdict"]) == (True, "drifted"), drifted["reason"]
    assert drifted["counts"] == {"untruths": 1, "found": 1, "false findings": 0}
    assert (true["success"], wrong["success"]) == (True, False)
    assert gone["reason"] == "there is no such procedure in the documents"

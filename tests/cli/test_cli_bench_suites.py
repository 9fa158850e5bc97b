"""`appliance bench list`, `run`, `show`, `compare`, `export`."""

import json

import pytest

TASK = "buckets/create-a-bucket@2025.1"


def test_suites_are_listed(appliance):
    suites = {
        suite["name"]: suite for suite in json.loads(appliance("bench", "list", "--json").out)
    }
    practice = suites["practice"]
    assert TASK in [task["id"] for task in practice["tasks"]]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("run", "--suite", "practise"), "there is no suite 'practise'; did you mean 'practice'?"),
        (("run", "--task", "nothing"), "suite practice has no task 'nothing'"),
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

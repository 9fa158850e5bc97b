import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from appliance.benchmark.drift.truth import read_all
from appliance.benchmark.invented.choose import chosen_untruths
from appliance.benchmark.invented.editions import editions_of
from appliance.benchmark.invented.run import Suite
from appliance.benchmark.truth import read_truth
from appliance.cli._bench_invented import shown_green
from appliance.core.claims import Claim, ClaimKind, ClaimStatus
from appliance.core.result import Cost, Goal, ProcedureResult, RunResult, StepResult
from appliance.core.source import overlap
from appliance.core.verdict import StepStatus, Verdict
from appliance.documents import load_documents
from appliance.policy.literal import stated_claims
from appliance.practice.releases import DOCUMENTATION, catalogue, releases


def test_drift_is_drawn_into_a_folder_and_its_truth_can_be_read(appliance, folder):
    done = appliance("practice", "drift", "--seed", 5, "--size", 2, "--out", folder / "d", "--json")
    assert done.code == 0
    said = json.loads(done.out)
    truth = read_truth(folder / "d" / "drift-5.truth.yaml")
    needed = [one for one in truth.untruths if not one.is_optional]
    assert (said["untrue"], len(said["changes"])) == (len(needed), 2)
    assert (folder / "d" / "drift-5.yaml").is_file()


def test_a_pattern_without_documents_is_refused(appliance):
    done = appliance("bench", "drift", "--documents", "nothing*")
    assert done.code == 2
    assert "no bundled document is called 'nothing*'" in done.err


def test_one_file_is_verified_kept_and_taken_as_it_is_the_second_time(appliance, folder):
    words = ("bench", "drift", "--files", 1, "--size", 1, "--documents", "buckets.zh.md")
    words += ("--controls", 1, "--out", folder / "b", "--json")
    first = appliance(*words)
    assert first.code == 0, first.err
    figures = json.loads(first.out)["figures"]["all"]
    assert figures["drawn"] == 1
    assert "# Drift benchmark" in (folder / "b" / "report.md").read_text(encoding="utf-8")
    rows = json.loads(appliance("bench", "show", "--json").out)
    assert [(row["suite"], row["is_over"]) for row in rows] == [("drift", True)]
    second = appliance(*words)
    assert "(kept)" in second.err
    assert json.loads(second.out)["files"] == json.loads(first.out)["files"]


# In CI suites are run and shown by test_cli_bench_suites.py.
@pytest.mark.long
def test_a_drawn_suite_is_run_and_shown_as_others_are(appliance):
    done = appliance("bench", "run", "--suite", "provisioning", "--tasks", 1)
    assert done.code == 0, done.err
    (row,) = json.loads(appliance("bench", "show", "--json").out)
    assert (row["suite"], row["trials"], row["is_over"]) == ("provisioning", 2, True)
    shown = appliance("bench", "show", row["id"]).out
    assert "| way with | 1 |" in shown
    assert "| points | " in shown


def test_copies_that_were_verified_before_are_taken_as_they_are(appliance, folder):
    documents = load_documents([DOCUMENTATION])
    reads = read_all(documents, catalogue(releases()[0]), DOCUMENTATION)
    (edition,) = editions_of(chosen_untruths("held-out", 1, 1, reads), documents)
    Suite(folder, lambda *_: ()).run(edition, lambda *_: empty_run())
    done = appliance(
        "bench", "invented", "--part", "held-out", "--size", 1, "--out", folder, "--json"
    )
    assert done.code == 0, done.err
    assert "(kept)" in done.err
    said = json.loads(done.out)
    assert (said["figures"]["all"]["untruths"], said["figures"]["all"]["no_claim"]) == (1, 1)
    assert "# Invented untruths" in (folder / "report.md").read_text(encoding="utf-8")


def test_a_report_marks_what_was_confirmed_and_nothing_else():
    (document,) = load_documents([DOCUMENTATION / "buckets.md"])
    procedure = document.procedures[0]
    limit = next(one for one in stated_claims(procedure) if one.kind is ClaimKind.LIMIT)
    at = limit.span
    claim = Claim(kind=limit.kind, status=ClaimStatus.CONFIRMED, text=limit.text, line=at.line,
                  column=at.column, end_line=at.end_line, end_column=at.end_column,
                  step=limit.step)  # fmt: skip
    steps = tuple(
        StepResult(index=s.index, line=s.span.line, text=s.text, status=StepStatus.AS_WRITTEN)
        for s in procedure.walk()
    )
    result = ProcedureResult(
        id=procedure.id, title="", title_path=(), document=document.path, line=1, end_line=2,
        verdict=Verdict.VERIFIED, goal=Goal(reached=True), path="", decided_by="literal",
        attempts=1, cost=Cost(), steps=steps, claims=(claim,),
    )  # fmt: skip
    assert any(overlap(at, green) for green in shown_green(document, procedure, result))
    left = replace(result, claims=(replace(claim, status=ClaimStatus.NOT_CHECKED),))
    assert shown_green(document, procedure, left) == ()


def empty_run():
    now = datetime(2026, 1, 1, tzinfo=UTC)
    return RunResult(id="r", appliance_version="0", commit="", console="practice",
                     policy="literal", started_at=now, ended_at=now, procedures=())  # fmt: skip

import json
from pathlib import Path

import pytest

from appliance.core.verdict import Verdict
from appliance.store.store import Store


@pytest.fixture
def two_runs(folder, results):
    first = results.run(results.procedure(Verdict.VERIFIED), id="20261120-090000-0001")
    second = results.run(results.procedure(), results.procedure(Verdict.BLOCKED, id="b"))
    with Store.open(Path("data")) as store:
        store.save_run(first)
        store.save_run(second)
    return first, second


@pytest.mark.parametrize(
    "command", [("run", "list"), ("run", "show"), ("finding", "list"), ("finding", "show", "f")]
)
def test_looking_at_nothing_says_so_and_makes_no_files(appliance, folder, command):
    result = appliance(*command)
    assert result.code == 2
    assert result.err.startswith("Error: there are no runs in data yet: ")
    assert list(folder.iterdir()) == []


def test_runs_are_listed(appliance, two_runs):
    result = appliance("run", "list")
    assert result.code == 0
    assert "20261121-090000-ab12" in result.out
    assert "20261120-090000-0001" in result.out
    rows = json.loads(appliance("run", "list", "--json", "--limit", "1").out)
    assert len(rows) == 1
    assert rows[0]["summary"]["procedures"] in (1, 2)


def test_a_run_is_shown_by_the_beginning_of_its_id(appliance, two_runs):
    result = appliance("run", "show", "20261121")
    assert result.code == 0
    assert "2 procedures: 1 drifted, 1 blocked · 1 finding · 12 s" in result.out
    document = json.loads(appliance("run", "show", "20261120", "--json").out)
    assert document["id"] == two_runs[0].id


@pytest.mark.parametrize(
    ("wanted", "message"),
    [("nope", "there is no run nope"), ("2026", "2026 begins 2 run ids")],
)
def test_a_run_that_is_not_there_or_not_the_only_one(appliance, two_runs, wanted, message):
    result = appliance("run", "show", wanted)
    assert result.code == 2
    assert f"Error: {message}" in result.err


def test_findings_are_listed_and_shown(appliance, two_runs):
    result = appliance("finding", "list", "--run", "20261121")
    assert "f-0001  docs/a.md:7:10 renamed label: “Create disk” → “New disk”" in result.out
    assert "1 finding in run 20261121-090000-ab12." in result.err
    assert "0 findings" in appliance("finding", "list", "--run", "20261120").err
    listed = json.loads(appliance("finding", "list", "--all", "--json").out)
    assert [found["finding"]["id"] for found in listed] == ["f-0001"]


def test_what_is_open_is_listed_whatever_run_was_last(appliance, two_runs, results):
    other = results.procedure(Verdict.VERIFIED, id="docs/z")
    with Store.open(Path("data")) as store:
        store.save_run(results.run(other, id="20261122-090000-0003"))
    listed = appliance("finding", "list")
    assert "docs/a.md:7:1 renamed label: “Create disk” → “New disk”" in listed.out
    assert "1 finding open." in listed.err
    (shown,) = json.loads(appliance("finding", "list", "--json").out)
    assert (shown["state"], shown["places"]) == ("open", 1)
    assert appliance("finding", "confirm", shown["id"]).code == 0
    assert appliance("finding", "list").err.startswith("0 findings open.")
    assert "(confirmed)" in appliance("finding", "list", "--state", "confirmed").out
    assert "(confirmed)" in appliance("finding", "list", "--state", "any").out
    assert appliance("finding", "list", "--state", "any", "--console", "other").out == ""
    assert appliance("finding", "list", "--state", "any", "--document", "docs/b.md").out == ""


def test_a_finding_is_shown_with_its_evidence_and_replay(appliance, two_runs):
    result = appliance("finding", "show", "f-00")
    assert result.code == 0
    assert "docs/a.md:7:10\n" in result.out
    assert "the button <button>" in result.out
    assert "appliance verify docs/a.md --procedure docs/a/create-a-disk" in result.out
    shown = json.loads(appliance("finding", "show", "f-0001", "--json").out)
    assert shown["procedure_id"] == "docs/a/create-a-disk"
    assert appliance("finding", "show", "g").code == 2

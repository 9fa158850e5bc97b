"""`appliance finding calibrate`: learns from triage and benchmarks how sure findings are."""

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from appliance.core.verdict import Basis, DivergenceKind, Verdict
from appliance.store.paging import Paging
from appliance.store.store import Store
from appliance.verification import Calibration, Label, LabelSource, Signs


@pytest.fixture
def looked_at(appliance, folder, results):
    """Five findings on five pages, of which people said something of four."""

    def about(number: int):
        found = results.finding(
            id=f"f-{number:04}",
            fingerprint=f"p{number}",
            document=f"docs/{number}.md",
            basis=Basis.UNSEEN,
            kind=DivergenceKind.WRONG_RESULT,
        )
        return results.procedure(
            id=f"docs/{number}/p", document=f"docs/{number}.md", findings=(found,)
        )

    run = results.run(*map(about, range(5)))
    with Store.open(folder / "data") as store:
        store.start_run(replace(run, procedures=()), 5)
        store.save_run(run)
    for word, number in (("confirm", 0), ("reject", 1), ("reject", 2), ("reject", 3)):
        assert appliance("finding", word, f"f-{number:04}").code == 0
    assert appliance("finding", "confirm", "f-0003").code == 0  # the last word counts
    return appliance


def result_file(folder: Path, *labels: Label) -> Path:
    file = folder / "bench" / "result-1.json"
    file.parent.mkdir(exist_ok=True)
    told = {"seed": 1, "labels": [one.model_dump(mode="json") for one in labels]}
    file.write_text(json.dumps(told))
    return file


SIGNS = Signs(
    basis=Basis.REFUSED,
    kind=DivergenceKind.DEAD_LINK,
    severity="breaks",
    policy="literal",
    goal="not_reached",
    has_picture=True,
    has_suggestion=False,
)
MANY = Label(signs=SIGNS, document="a.md", source=LabelSource.DRIFT, true=70, false=0)


def test_what_people_said_is_learnt(looked_at, folder):
    done = looked_at("finding", "calibrate", "--only", "--json")
    assert done.code == 0, done.err
    told = json.loads(done.out)
    of_benchmarks = {"drift": [0, 0], "invented": [0, 0], "zoo": [0, 0]}
    assert told["by_source"] == {**of_benchmarks, "triage": [2, 2]}
    assert told["by_kind"]["wrong_result"] == {"true": 2, "false": 2}
    assert told["labels"] == 4 and 0 < told["brier"] < 1
    assert not told["threshold"]["is_reached"]
    made = Calibration.read(folder / "data" / "calibration.json")
    assert made == Calibration.of_folder(folder / "data")
    unseen = SIGNS.model_copy(
        update={"basis": Basis.UNSEEN, "kind": DivergenceKind.WRONG_RESULT, "goal": "reached"}
    )
    assert made.confidence(unseen) < Calibration.fitted([]).confidence(unseen)


def test_results_of_benchmarks_are_learnt_and_drawn(appliance, folder):
    result_file(folder, MANY, MANY.model_copy(update={"document": "b.md"}))
    done = appliance(
        "finding", "calibrate", "bench", "--only", "--out", "own.json", "--plot", "plot.svg"
    )
    assert done.code == 0, done.err
    assert "140 labelled findings: Brier score 0.0" in done.out
    assert "Nothing is known of renamed label" in done.out
    assert "a share of 0.993 is true" in done.out
    assert Calibration.read(folder / "own.json").count == 140
    assert not (folder / "data" / "calibration.json").exists()
    svg = ET.fromstring((folder / "plot.svg").read_text())
    assert svg.tag.endswith("svg")
    assert "140 findings" in (folder / "plot.svg").read_text()


def test_it_adds_to_what_comes_with_the_appliance(appliance, folder):
    known = Calibration.bundled().count
    done = appliance("finding", "calibrate", result_file(folder, MANY), "--json")
    assert json.loads(done.out)["labels"] == known + 70


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "has no results of benchmarks"), ('{"seed": 1}', "has no labelled findings")],
)
def test_what_has_no_labels_says_so(appliance, folder, content, message):
    (folder / "bench").mkdir()
    if content:
        (folder / "bench" / "result-1.json").write_text(content)
    done = appliance("finding", "calibrate", "bench")
    assert done.code == 2
    assert message in done.err


def test_what_is_not_sure_is_told_apart(appliance, folder, results):
    sure, unsure = results.finding(), results.finding(id="f-2", fingerprint="q", is_sure=False)
    run = results.run(
        results.procedure(findings=(sure, unsure)),
        results.procedure(Verdict.VERIFIED, id="docs/b/other", findings=(unsure,)),
    )
    assert (run.summary.findings, run.summary.unsure) == (1, 2)
    with Store.open(folder / "data") as store:
        store.start_run(replace(run, procedures=()), 2)
        store.save_run(run)
        (row,) = store.listings.runs(Paging()).items
    assert (row.summary.findings, row.summary.unsure) == (1, 2)
    shown = appliance("finding", "list", "--all")
    assert shown.out.count("not sure enough to count") == 2
    assert "not sure enough to count" in appliance("finding", "show", "f-2").out

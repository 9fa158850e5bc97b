"""Suites of real documentation: what is right of a verdict, and what a broken file is told."""

import textwrap
from dataclasses import replace

import pytest

from appliance.benchmark.documentation import DocumentationWork
from appliance.benchmark.finding import load_suite
from appliance.benchmark.runner import setup_of
from appliance.benchmark.summary import summarise
from appliance.benchmark.trials import BenchmarkPolicy, BenchmarkResult, Part
from appliance.core.clock import SystemClock
from appliance.core.errors import SetupError
from appliance.core.result import Cost, Finding, Goal, ProcedureResult
from appliance.core.verdict import DivergenceKind, Severity, Verdict

FILE = """\
schema_version: 1
kind: documentation
title: Mine
procedures:
  guide/make-one:
    acceptable_verdicts: [drifted]
    untruths:
      - {line: 3, quote: Create, kind: renamed_label, also: [moved_control], shown: New}
      - {line: 9, quote: window, kind: renamed_label, disputable: true}
  guide/delete-one:
    acceptable_verdicts: [verified]
  guide/in-passing:
    untruths:
      - {line: 7, quote: x, kind: dead_link}
"""


@pytest.fixture
def read(tmp_path):
    def load(text=FILE):
        (tmp_path / "mine.yaml").write_text(textwrap.dedent(text), encoding="utf-8")
        return load_suite("mine", [tmp_path])

    return load


def finding(line, kind=DivergenceKind.RENAMED_LABEL):
    return Finding(
        id="f", fingerprint="f", kind=kind, severity=Severity.MISLEADS, confidence=0.9,
        document="docs/guide.md", line=line, column=1, end_line=line, end_column=2, quote="Create",
        shown="New", suggestion=None, step="1",
    )  # fmt: skip


def result(id_, verdict, *findings):
    return ProcedureResult(
        id=id_, title="t", title_path=("t",), document="docs/guide.md", line=1, end_line=2,
        verdict=verdict, goal=Goal(reached=True), path="", decided_by="", attempts=2, cost=Cost(),
        steps=(), findings=findings,
    )  # fmt: skip


def work_of(suite):
    setup = setup_of(suite, suite.tasks, BenchmarkPolicy.LITERAL, runs=1, seed=1)
    return DocumentationWork(suite, suite.tasks, setup)


@pytest.mark.parametrize(
    ("verdict", "findings", "right", "counts"),
    [
        (Verdict.DRIFTED, (finding(3),), True, (1, 0)),
        (Verdict.DRIFTED, (finding(3, DivergenceKind.MOVED_CONTROL),), True, (1, 0)),
        (Verdict.DRIFTED, (finding(3), finding(9)), True, (1, 0)),
        (Verdict.DRIFTED, (finding(9),), False, (0, 0)),
        (Verdict.DRIFTED, (finding(3, DivergenceKind.DEAD_LINK),), False, (0, 1)),
        (Verdict.DRIFTED, (finding(3), finding(5)), False, (1, 1)),
        (Verdict.VERIFIED, (), False, (0, 0)),
        (Verdict.BROKEN, (finding(3),), False, (1, 0)),
    ],
)
def test_a_verdict_is_right_for_the_right_reason(read, verdict, findings, right, counts):
    work = work_of(read())
    trial = work.trial(Part(run=1, release=""), result("docs/guide/make-one", verdict, *findings))
    assert (trial.task, trial.success) == ("guide/make-one", right)
    assert (trial.counts["found"], trial.counts["false findings"]) == counts
    assert trial.counts["untruths"] == 1


def test_what_is_not_sure_is_no_finding(read):
    unsure = replace(finding(5), is_sure=False)
    work = work_of(read())
    told = result("guide/delete-one", Verdict.VERIFIED, unsure)
    assert work.trial(Part(run=1, release=""), told).success


def test_another_procedure_is_left_out_and_a_missing_one_fails(read):
    work, part = work_of(read()), Part(run=1, release="")
    others = [
        result("docs/guide/unmake-one", Verdict.VERIFIED),
        result("x/guide/delete-one", Verdict.VERIFIED),
    ]
    assert work.trial(part, others[0]) is None
    (missing,) = work.missing(part, others)
    assert (missing.task, missing.success) == ("guide/make-one", False)
    assert "no such procedure" in missing.reason


def test_sums_are_figures(read):
    suite = read()
    work, part = work_of(suite), Part(run=1, release="", is_over=True)
    trials = (
        work.trial(part, result("guide/make-one", Verdict.DRIFTED, finding(3), finding(5))),
        work.trial(part, result("guide/delete-one", Verdict.VERIFIED)),
    )
    benchmark = BenchmarkResult(
        id="m", appliance_version="", commit="", setup=work.setup, parts=(part,), trials=trials,
        started_at=SystemClock().now(),
    )  # fmt: skip
    assert summarise(benchmark).counts == {"untruths": 1, "found": 1, "false findings": 1}


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (
            "kind: renamed_label, also",
            "kind: sideways, also",
            "mine.yaml:8: procedures.guide/make-one",
        ),
        ("title: Mine", "title: Mine\ndocuments: [gone]", "mine.yaml:4: there is no 'gone'"),
        ("acceptable_verdicts: [drifted]", "acceptable_verdicts: [good]", "mine.yaml:6: "),
        ("title: Mine\n", "", "title: Field required"),
    ],
)
def test_a_broken_file_is_refused_with_its_line(read, old, new, why):
    with pytest.raises(SetupError) as refused:
        read(FILE.replace(old, new))
    assert why in str(refused.value)


def test_the_documents_are_a_part_of_the_version(read, tmp_path):
    document = tmp_path / "guide.md"
    versions = set()
    for text in ("# A", "# B"):
        document.write_text(text, encoding="utf-8")
        versions.add(read().over([document], ()).version)
    assert len(versions) == 2


def test_horizon_has_the_labelled_procedures():
    suite = load_suite("horizon")
    assert "admin/manage-flavors/create-flavors" in {task.id for task in suite.tasks}
    with pytest.raises(SetupError, match="--documents names them"):
        suite.over((), ())

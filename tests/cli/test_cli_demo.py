from pathlib import Path

import pytest

from appliance.benchmark.truth import compare, truth_of
from appliance.core.verdict import DivergenceKind, Verdict
from appliance.practice.releases import DOCUMENTATION, releases

TRUTH = truth_of(releases()[-1])
NEEDED = [one for one in TRUTH if not one.is_optional]


@pytest.fixture
def run_with(results):
    """A run in which these untruths were found, and these further procedures."""

    def build(found, *more, **changes):
        findings = tuple(
            results.finding(
                document=f"somewhere/{one.document}", line=one.line, quote=one.quote, kind=one.kind
            )
            for one in found
        )
        return results.run(results.procedure(findings=findings, **changes), *more)

    return build


def said(run) -> list[str]:
    return [str(difference) for difference in compare(run, TRUTH)]


def test_the_truth_quotes_what_stands_on_its_lines():
    assert NEEDED
    for one in TRUTH:
        lines = (DOCUMENTATION / one.document).read_text(encoding="utf-8").splitlines()
        assert one.quote in lines[one.line - 1]
        assert one.kind in one.acceptable_kinds


def test_exactly_the_truth_is_no_difference_with_or_without_the_optional(run_with):
    assert said(run_with(NEEDED)) == []
    assert said(run_with(TRUTH)) == []


def test_what_is_missed_is_a_difference(run_with):
    first = NEEDED[0]
    assert said(run_with(NEEDED[1:])) == [f"missed: {first.place} {first.kind} “{first.quote}”"]


def test_a_false_alarm_is_a_difference(run_with, results):
    wrong = results.procedure(findings=(results.finding(document="x/buckets.md", line=3),))
    assert said(run_with(NEEDED, wrong)) == [
        "false alarm: buckets.md:3 renamed_label “Create disk”"
    ]


def test_reporting_it_twice_or_as_something_else_is_a_difference(run_with):
    first = NEEDED[0]
    assert said(run_with([*NEEDED, first])) == [
        f"reported once more: {first.place} {first.kind} “{first.quote}”"
    ]
    other = first.model_copy(update={"kind": DivergenceKind.DEAD_LINK})
    assert said(run_with([other, *NEEDED[1:]])) == [
        f"wrong kind: {first.place} dead_link “{first.quote}”, which is {first.kind}",
        f"missed: {first.place} {first.kind} “{first.quote}”",
    ]


def test_a_procedure_without_a_verdict_is_a_difference(run_with, results):
    blocked = results.procedure(Verdict.BLOCKED, blocked_by="console: down", document="a/b.md")
    assert said(run_with(NEEDED, blocked)) == [
        "blocked, not verified: b.md:3 Create a disk: console: down"
    ]


def test_every_release_but_the_first_has_a_truth():
    for release in releases()[1:]:
        assert truth_of(release)
    assert Path(DOCUMENTATION).is_dir()

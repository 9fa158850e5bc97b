"""Files are verified once, kept, compared with their truth, and added up."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from appliance.benchmark.drift.run import Benchmark
from appliance.benchmark.drift.score import report, score, score_document, summed_up
from appliance.benchmark.truth import read_truth
from appliance.core.result import Cost, Finding, Goal, ProcedureResult, RunResult
from appliance.core.verdict import AfterChange, DivergenceKind, Severity, Verdict


class Reader:
    """Verifies without a console: reports what the truth says, as a test tells it to."""

    def __init__(self, change=lambda findings: findings, verdict=Verdict.VERIFIED):
        self.calls = []
        self._change, self._verdict = change, verdict

    def __call__(self, drift, procedures):
        self.calls.append((drift, [p.id for p in procedures]))
        truth = read_truth(drift.with_suffix("").with_suffix(".truth.yaml")).untruths
        findings = self._change([self._finding(one) for one in truth if not one.is_optional])
        now = datetime(2026, 1, 1, tzinfo=UTC)
        results = tuple(
            self._result(p, tuple(f for owner, f in findings if owner == p.id)) for p in procedures
        )
        return RunResult(id="r", appliance_version="0", commit="", console="practice",
                         policy="literal", started_at=now, ended_at=now,
                         procedures=results)  # fmt: skip

    def _finding(self, one):
        return one.procedure, Finding(
            id=f"{one.place}/{one.quote}", fingerprint="", kind=one.kind,
            severity=Severity.MISLEADS, confidence=1, document=f"docs/{one.document}",
            line=one.line, column=1, end_line=one.line, end_column=2, quote=one.quote,
            shown="something else", suggestion=None, step="1",
        )  # fmt: skip

    def _result(self, p, findings):
        return ProcedureResult(
            id=p.id, title=p.title, title_path=p.title_path, document=p.span.file,
            line=p.span.line, end_line=p.span.end_line,
            verdict=Verdict.DRIFTED if findings else self._verdict, goal=Goal(reached=True),
            path="", decided_by="literal", attempts=1, cost=Cost(), steps=(), findings=findings,
        )  # fmt: skip


@pytest.fixture
def benchmark(drawer, tmp_path):
    return Benchmark(drawer, tmp_path, 4, 3)


SEED = 3


def test_who_reports_the_truth_has_full_marks(benchmark):
    found = score([benchmark.run(SEED, Reader())])
    assert found.total.untrue > 0
    assert (found.total.recall, found.precision, found.total.alarms) == (1, 1, 0)
    assert found.open == 0


def test_what_is_missed_and_what_is_made_up_is_counted_where_it_belongs(benchmark):
    def one_less_and_one_wrong(findings):
        (owner, last), rest = findings[-1], findings[:-1]
        return [*rest, (owner, replace(last, line=1, id="made up"))]

    result = benchmark.run(SEED, Reader(one_less_and_one_wrong))
    found = score([result])
    assert (found.total.missed, found.total.alarms) == (1, 1)
    assert found.total.found == found.total.untrue - 1
    assert found.precision == found.right / (found.right + 1)
    assert sum(row.missed for row in found.by_change) == 1
    assert sum(row.untrue for row in found.by_language) == found.total.untrue
    text = report([result])
    assert f"seed {SEED}" in text and "**missed**" in text and "**false alarm**" in text
    assert "recall" in summed_up(found, 1)


def test_another_kind_is_a_confusion(benchmark):
    def called_otherwise(findings):
        return [(o, replace(f, kind=DivergenceKind.AMBIGUOUS_TEXT)) for o, f in findings]

    found = score([benchmark.run(SEED, Reader(called_otherwise))])
    assert found.total.recall == 0
    assert found.total.wrong == sum(count for *_, count in found.confused) > 0


def test_procedures_without_a_verdict_are_named(benchmark):
    result = benchmark.run(SEED, Reader(verdict=Verdict.BLOCKED))
    assert len(result.open) == score([result]).open > 0
    assert result.open[0] in report([result])


def test_a_kept_result_is_used_again_while_nothing_has_changed(benchmark, drawer, tmp_path):
    assert benchmark.known(SEED) is None
    result = benchmark.run(SEED, Reader())
    assert benchmark.known(SEED) == result
    assert Benchmark(drawer, tmp_path, 4, 5).known(SEED) is None
    (tmp_path / f"result-{SEED}.json").write_text("{", encoding="utf-8")
    assert benchmark.known(SEED) is None


def test_controls_are_verified_beside_what_is_affected(benchmark, drawer, tmp_path):
    reader = Reader()
    result = benchmark.run(SEED, reader)
    hit = {one.procedure for one in drawer.draw(SEED, 4).untruths}
    [(_, verified)] = reader.calls
    assert set(verified) >= hit and len(set(verified) - hit) == 3
    assert result.procedures == tuple(verified)
    everything = Benchmark(drawer, tmp_path / "all", 4, None).run(SEED, Reader())
    assert len(everything.procedures) == len(drawer.reads)


def test_new_names_are_held_against_what_is_suggested(benchmark):
    truth = {one.place: one.becomes for one in benchmark._plan(SEED).drawn.untruths}
    renamed = [name for name in truth.values() if name]
    assert renamed

    def suggest(findings):
        named = []
        for owner, finding in findings:
            place = f"{finding.document.removeprefix('docs/')}:{finding.line}"
            name = truth[place] or None
            named.append(
                (owner, replace(finding, suggestion=name, after_change=AfterChange.VERIFIED))
            )
        return named

    found = score([benchmark.run(SEED, Reader(suggest))]).suggestions
    assert found.renamed == found.named > 0 and found.tried == found.verified > 0
    again = Benchmark(benchmark._drawer, benchmark._folder / "again", 4, 3)
    none = score([again.run(SEED, Reader())]).suggestions
    assert (none.renamed, none.named, none.tried) == (found.renamed, 0, 0)


def test_the_figures_are_json(benchmark):
    found = score_document([benchmark.run(SEED, Reader())])
    assert found["figures"]["all"]["recall"] == 1
    assert found["files"][0]["seed"] == SEED

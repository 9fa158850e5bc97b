"""Untruths stand where they say; rules deny the product data; what is shown is counted."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from appliance.benchmark.invented.assess import Showing
from appliance.benchmark.invented.choose import (
    FILES,
    chosen_untruths,
    written_by_hand,
    written_by_rule,
)
from appliance.benchmark.invented.editions import editions_of, rewritten, write_edition
from appliance.benchmark.invented.run import Suite, true_result
from appliance.benchmark.invented.score import invented_document, invented_score, report
from appliance.benchmark.invented.untruth import InventedUntruth, place_of
from appliance.benchmark.invented.wording import texts_of, wording
from appliance.core.claims import Claim, ClaimKind, ClaimStatus
from appliance.core.errors import SetupError
from appliance.core.result import Cost, Finding, Goal, ProcedureResult, RunResult
from appliance.core.source import Span
from appliance.core.verdict import DivergenceKind, Severity, Verdict
from appliance.documents import load_documents
from appliance.practice.releases import DOCUMENTATION, catalogue, releases


@pytest.fixture(scope="session")
def by_rule(reads):
    return written_by_rule(1, reads)


@pytest.fixture(scope="session")
def everything(reads):
    return chosen_untruths("all", None, 1, reads)


def source_of(one):
    return (DOCUMENTATION / one.document).read_text(encoding="utf-8")


# What there is


def test_there_are_three_hundred_and_a_hundred_and_twenty_by_hand(everything):
    by_hand = [one for one in everything if one.origin == "hand"]
    held_out = [one for one in by_hand if one.part == "held-out"]
    assert len(everything) >= 300
    assert len(by_hand) >= 120
    assert abs(len(by_hand) - 2 * len(held_out)) < len(by_hand) / 10
    assert len({one.id for one in everything}) == len(everything)


def test_every_kind_language_and_format_is_there(everything):
    instruction = {ClaimKind.INSTRUCTION}  # what bears no label can hardly be said falsely
    assert {one.kind for one in everything} == set(ClaimKind) - instruction
    assert {(one.language, one.format) for one in everything} == {
        (language, format) for language in ("en", "zh") for format in ("Markdown", "RST", "HTML")
    }


def test_each_part_by_hand_has_every_kind():
    for part in FILES:
        kinds = {one.kind for one in written_by_hand(part)}
        assert kinds == set(ClaimKind) - {ClaimKind.INSTRUCTION}


def test_each_says_something_new_and_which_words_are_untrue(everything):
    for one in everything:
        assert one.text != source_of(one)[one.start : one.end], one.id
        assert one.words_at >= 0, one.id
        assert one.why, one.id


def test_no_sentence_that_is_held_out_is_in_the_other_file():
    said = [{(o.document, o.start, o.text) for o in written_by_hand(part)} for part in FILES]
    assert not said[0] & said[1]


# Anchors


def test_an_anchor_is_found_over_a_line_break_and_must_be_one():
    text = "# A\n\nClick **Save**\nnow.\n\n# B\n\nClick **Save**\nnow.\n"
    start, end = place_of(text, "**Save** now.", "# B")
    assert text[start:end] == "**Save**\nnow."
    assert text.count("#", 0, start) == 2
    with pytest.raises(SetupError, match="2 places"):
        place_of(text, "**Save** now.", "")
    with pytest.raises(SetupError, match="0 places"):
        place_of(text, "**Send**", "")
    with pytest.raises(SetupError, match="# C"):
        place_of(text, "**Save**", "# C")


def test_words_that_are_not_in_the_sentence_are_refused():
    one = untruth("The list is blue.", words="green")
    with pytest.raises(SetupError, match="'green' is not in"):
        _ = one.words_at


# Rules


def test_the_same_seed_writes_the_same_and_another_others(by_rule, reads):
    assert written_by_rule(1, reads) == by_rule
    assert {o.text for o in written_by_rule(2, reads)} != {o.text for o in by_rule}


def test_no_invented_name_is_said_by_the_console():
    held = catalogue(releases()[0])
    for kind, by_language in wording().names.items():
        for language, names in by_language.items():
            taken = texts_of(held, language)
            assert any(name.casefold() not in taken for name in names), (kind, language)


def test_texts_of_the_console_are_all_found():
    texts = texts_of(catalogue(releases()[0]), "en")
    assert {"create bucket", "bucket name", "for data that is read often.", "north (oslo)"} <= texts


def test_what_rules_write_is_as_often_of_each_kind(by_rule):
    counts = [sum(one.kind is kind for one in by_rule) for kind in ClaimKind]
    assert set(counts) == {0, max(counts)}
    assert counts.count(0) == 1


def test_rules_deny_what_the_product_data_says(by_rule):
    """The figures in `why` are those of the product data; the sentence has others."""
    numbers = [o for o in by_rule if o.kind in (ClaimKind.LIMIT, ClaimKind.VALUE)]
    bounds = [(o, found) for o in numbers if (found := re.search(r"^max\w*: (\d+)$", o.why))]
    assert len(bounds) > 10
    for one, found in bounds:
        says = int(one.words)
        assert says < int(found[1]) if one.kind is ClaimKind.LIMIT else says > int(found[1])


def test_a_pattern_refuses_the_value_that_is_said_to_be_taken(by_rule):
    said = [o for o in by_rule if o.why.startswith("pattern: ")]
    assert said
    for one in said:
        assert re.fullmatch(one.why.removeprefix("pattern: "), one.words) is None, one.id


def test_a_default_is_another_option_of_the_field(by_rule):
    held = texts_of(catalogue(releases()[0]), "en") | texts_of(catalogue(releases()[0]), "zh")
    labels = [
        o for o in by_rule if o.kind is ClaimKind.DEFAULT and o.why.startswith("the default is")
    ]
    assert labels
    for one in labels:
        assert one.words.casefold() in held
        assert one.words != one.why.removeprefix("the default is ")


# Copies


def test_every_untruth_stands_where_it_says(everything, documents, tmp_path):
    seen = set()
    for edition in editions_of(everything, documents):
        placed = write_edition(edition, tmp_path / "documentation")
        for one in placed:
            lines = (tmp_path / "documentation" / one.untruth.document).read_text().split("\n")
            assert cut(lines, one.words) == one.untruth.words, one.untruth.id
            assert cut(lines, one.span) == one.untruth.text.strip(), one.untruth.id
            seen.add(one.untruth.id)
    assert len(seen) == len(everything)


def test_documents_can_be_read_with_untruths_in_them(everything, documents, tmp_path):
    """No procedure is lost, and none changes its name, however many are in a document."""
    left = list(everything)
    while left:
        together = apart(left)
        left = [one for one in left if one not in together]
        for document in documents:
            inside = [one for one in together if one.document == Path(document.path).name]
            if inside:
                text, _ = rewritten(source_of(inside[0]), inside)
                file = tmp_path / "documentation" / inside[0].document
                file.parent.mkdir(exist_ok=True)
                file.write_text(text, encoding="utf-8")
                (read,) = load_documents([file])
                names = [p.id.rpartition("/")[2] for p in read.procedures]
                assert names == [p.id.rpartition("/")[2] for p in document.procedures]


def test_what_a_reader_stops_at_stands_alone_and_the_rest_in_threes(documents):
    in_one = [o for o in written_by_hand("seen") if o.document == "buckets.md" and o.end < 1500]
    kinds = [[o.kind for o in edition.untruths] for edition in editions_of(in_one, documents)]
    assert len(in_one) == sum(map(len, kinds)) > 4
    assert max(map(len, kinds)) == 3


def test_two_changes_of_the_same_words_are_refused():
    one, other = untruth("x", start=2, end=6), untruth("y", start=4, end=8)
    with pytest.raises(SetupError, match="another untruth has changed"):
        rewritten("0123456789", [one, other])


def test_edits_move_what_stands_behind_them():
    one, other = untruth("abc", start=2, end=2), untruth("Z", start=5, end=7)
    assert rewritten("0123456789", [other, one]) == ("01abc234Z789", [8, 2])


def test_a_sample_is_spread_over_the_kinds_and_the_same_every_time(reads):
    sample = chosen_untruths("all", 18, 1, reads)
    assert len({one.kind for one in sample}) == 18
    assert chosen_untruths("all", 18, 1, reads) == sample
    assert {o.part for o in chosen_untruths("held-out", None, 1, reads)} == {"held-out"}


# Counting


class Reader:
    """Verifies without a console: says of each untruth what a test tells it to."""

    def __init__(self, verdict=Verdict.DRIFTED):
        self.claims, self.findings, self.verdict, self.calls = {}, {}, verdict, 0

    def __call__(self, documents, procedures):
        self.calls += 1
        now = datetime(2026, 1, 1, tzinfo=UTC)
        return RunResult(
            id="r", appliance_version="0", commit="", console="practice", policy="literal",
            started_at=now, ended_at=now, procedures=tuple(map(self._result, procedures)),
        )  # fmt: skip

    def _result(self, p):
        return ProcedureResult(
            id=p.id, title=p.title, title_path=p.title_path, document=p.span.file, line=p.span.line,
            end_line=p.span.end_line, verdict=self.verdict, goal=Goal(reached=True), path="",
            decided_by="literal", attempts=1, cost=Cost(), steps=(),
            claims=tuple(self.claims.get(p.id, ())), findings=tuple(self.findings.get(p.id, ())),
        )  # fmt: skip


BUCKET = "documentation/buckets/create-a-bucket"


def limit_of_a_name():
    """An untruth in the field table of `buckets.md`."""
    return next(o for o in written_by_hand("seen") if o.id == "seen-1")


def claim(line, column, end, status):
    return Claim(kind=ClaimKind.LIMIT, status=status, text="", line=line, column=column,
                 end_line=line, end_column=end, step="3")  # fmt: skip


def finding(line, column, end):
    return Finding(
        id=f"f{line}", fingerprint="", kind=DivergenceKind.CHANGED_OPTION,
        severity=Severity.MISLEADS, confidence=1, document="d", line=line, column=column,
        end_line=line, end_column=end, quote="words", shown="others", suggestion=None, step="3",
    )  # fmt: skip


def shown(reader, folder, documents, green=lambda *_: ()):
    suite = Suite(folder, green)
    (edition,) = editions_of([limit_of_a_name()], documents)
    return suite.run(edition, reader)


def test_what_no_claim_has_is_no_claim(documents, tmp_path):
    (one,) = shown(Reader(), tmp_path, documents).untruths
    assert (one.shown, one.line, one.procedure) == (Showing.NO_CLAIM, 27, BUCKET)


def test_a_claim_that_nobody_looked_at_is_not_checked(documents, tmp_path):
    reader = Reader()
    reader.claims[BUCKET] = [claim(27, 24, 60, ClaimStatus.NOT_CHECKED)]
    (one,) = shown(reader, tmp_path, documents).untruths
    assert (one.shown, one.claims) == (Showing.NOT_CHECKED, (ClaimKind.LIMIT,))


def test_a_finding_that_overlaps_contradicts_and_another_is_false(documents, tmp_path):
    reader = Reader(Verdict.VERIFIED)
    reader.findings[BUCKET] = [finding(27, 30, 40), finding(33, 12, 18)]
    result = shown(reader, tmp_path, documents)
    assert result.untruths[0].shown is Showing.CONTRADICTED
    (wrong,) = result.false_findings
    assert (wrong.line, wrong.untruths) == (33, ("seen-1",))
    score = invented_score([result])
    assert (score.verified_although, score.false_findings, score.precision) == (1, 1, 0.5)


def test_what_the_report_marks_green_is_confirmed_whatever_else_is_said(documents, tmp_path):
    reader = Reader()
    reader.findings[BUCKET] = [finding(27, 24, 26)]
    reader.claims[BUCKET] = [claim(27, 24, 60, ClaimStatus.CONFIRMED)]
    result = shown(reader, tmp_path, documents, lambda *_: (Span("", 27, 40, 27, 44),))
    (one,) = result.untruths
    assert (one.shown, one.confirmed) == (Showing.CONFIRMED, (ClaimKind.LIMIT,))
    assert "at most 4 characters" in report([result], [])


def test_green_beside_the_untrue_words_is_no_lie(documents, tmp_path):
    result = shown(Reader(), tmp_path, documents, lambda *_: (Span("", 27, 8, 27, 19),))
    assert result.untruths[0].shown is Showing.NO_CLAIM


def test_a_result_is_kept_for_the_same_untruths_only(documents, tmp_path):
    suite, reader = Suite(tmp_path, lambda *_: ()), Reader()
    (edition,) = editions_of([limit_of_a_name()], documents)
    assert suite.known(edition) is None
    made = suite.run(edition, reader)
    assert suite.known(edition) == made
    (other,) = editions_of([written_by_hand("seen")[1]], documents)
    assert other.name == edition.name
    assert suite.known(other) is None
    suite.run(other, reader)
    assert suite.known(edition) == made


def test_findings_in_true_documentation_are_all_false(documents, tmp_path):
    reader = Reader(Verdict.VERIFIED)
    reader.findings[BUCKET] = [finding(27, 24, 60)]
    procedures = [p for d in documents for p in d.procedures if p.id == BUCKET]
    made = true_result("true-1", reader(documents, procedures))
    assert len(made.false_findings) == 1
    document = invented_document([], [made])
    assert document["true"] == {"procedures": 1, "findings": 1, "verdicts": {"verified": 1}}
    assert document["precision"] is None


def untruth(text, *, words="", start=0, end=0):
    return InventedUntruth(
        id=f"made-{text}", document="a.md", kind=ClaimKind.LIMIT, part="seen", origin="hand",
        start=start, end=end, text=text, words=words or text, why="because",
    )  # fmt: skip


def apart(untruths):
    """Those that can stand in a document together."""
    chosen = []
    for one in sorted(untruths, key=lambda one: (one.document, one.start, one.end)):
        before = chosen[-1] if chosen else None
        if before is None or before.document != one.document or before.end < one.start:
            chosen.append(one)
    return chosen


def cut(lines, span):
    """The characters of a span."""
    inside = lines[span.line - 1 : span.end_line]
    inside[-1] = inside[-1][: span.end_column - 1]
    inside[0] = inside[0][span.column - 1 :]
    return "\n".join(inside)

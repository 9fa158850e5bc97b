"""The marks of sentences, and what changes between two texts."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appliance.core.claims import Coverage
from appliance.core.procedure import Document
from appliance.core.result import ProcedureResult
from appliance.documents import parse_document
from appliance.server.dashboard.work.incident_view import WordChange, word_diff
from appliance.server.dashboard.work.marking import (
    CurrentProcedure,
    Mark,
    MarkedLine,
    coverage,
    is_unchanged,
    marked_lines,
)


@pytest.fixture
def document(night) -> Document:
    return night.documents["buckets.md"]


@pytest.fixture
def created(night) -> ProcedureResult:
    return night.run.procedures[0]


def marks_of(line: MarkedLine) -> list[tuple[str, Mark | None]]:
    return [(piece.text, piece.mark) for piece in line.pieces]


def lines_of(document: Document, result: ProcedureResult | None, **more) -> dict[int, MarkedLine]:
    judged = CurrentProcedure(procedure=document.procedures[0], result=result, **more)
    return {line.number: line for line in marked_lines(document.lines, [judged])}


def test_a_sentence_is_confirmed_where_all_that_it_says_was_seen(document, created):
    lines = lines_of(document, created)
    assert marks_of(lines[3]) == [("## Create a bucket", None)]
    assert marks_of(lines[7])[-1] == ("Go to **Products** > **Buckets**.", Mark.VERIFIED)
    assert [text for text, mark in marks_of(lines[8]) if mark is Mark.DRIFTED]
    assert [piece.text for piece in lines[8].pieces if piece.finding] == ["Create Bucket"]
    assert [finding.fingerprint for finding in lines[8].findings] == ["renamed"]
    assert marks_of(lines[9])[1] == ("In **Name**, type a name.", Mark.VERIFIED)
    assert marks_of(lines[9])[-1] == ("It must be new.", Mark.UNCHECKED), "nobody has tried that"
    assert marks_of(lines[11]) == [("The bucket is in the list.", Mark.UNCHECKED)]
    assert marks_of(lines[13]) == [("## Copy a bucket", None)]  # of another procedure


def test_nothing_is_lost_of_the_text(document, created):
    lines = lines_of(document, created)
    assert ["".join(p.text for p in line.pieces) for line in lines.values()] == list(document.lines)


def test_without_a_verdict_everything_is_unchecked(document):
    lines = lines_of(document, None)
    assert {mark for line in lines.values() for _, mark in marks_of(line)} == {None, Mark.UNCHECKED}


def test_after_a_break_the_rest_is_unchecked(document, night):
    broken = night.run.procedures[3]
    judged = CurrentProcedure(procedure=document.procedures[2], result=broken)
    assert coverage(judged) == Coverage(contradicted=1, not_checked=1)


def test_a_rejected_finding_says_no_more_than_that_nobody_has_seen_it(document, created):
    lines = lines_of(document, created, dismissed={"renamed"})
    assert {mark for _, mark in marks_of(lines[8])} == {None, Mark.UNCHECKED}
    assert not lines[8].findings


def test_a_step_that_was_rewritten_is_unchecked_and_the_others_are_not(document, created):
    text = "\n".join(document.lines).replace("type a name", "enter a name")
    now = parse_document(text, document.path, "markdown")
    lines = lines_of(now, created)
    assert marks_of(lines[9])[1] == ("In **Name**, enter a name.", Mark.UNCHECKED)
    assert marks_of(lines[7])[-1][1] is Mark.VERIFIED
    assert marks_of(lines[11])[0][1] is Mark.UNCHECKED  # the result of other steps
    assert not is_unchanged(CurrentProcedure(procedure=now.procedures[0], result=created))


def test_words_that_moved_are_found_again_in_their_procedure(document, created):
    text = "\n".join(("A line before.", "", *document.lines))
    now = parse_document(text, document.path, "markdown")
    lines = lines_of(now, created)
    assert [f.fingerprint for f in lines[10].findings] == ["renamed"]


def test_a_result_without_claims_confirms_nothing(document, created):
    """Of an appliance that passed every sentence of a step that went as written."""
    lines = lines_of(document, replace(created, claims=()))
    assert {mark for line in lines.values() for _, mark in marks_of(line)} == {
        None,
        Mark.UNCHECKED,
        Mark.DRIFTED,
    }


TEXTS = st.text(st.sampled_from("ab 创建\n*<"), max_size=30)


@given(TEXTS, TEXTS)
def test_a_word_diff_holds_both_texts(old: str, new: str):
    stretches = word_diff(old, new)
    assert "".join(s.text for s in stretches if s.change is not WordChange.NEW) == old
    assert "".join(s.text for s in stretches if s.change is not WordChange.OLD) == new
    assert all(s.text for s in stretches)


def test_a_word_diff_reads_well():
    assert word_diff("Click **Create** now", "Click **Make** now") == (
        (WordChange.SAME, "Click **"),
        (WordChange.OLD, "Create"),
        (WordChange.NEW, "Make"),
        (WordChange.SAME, "** now"),
    )
    assert word_diff("存储桶已创建", "创建请求已提交") == (
        (WordChange.OLD, "存储桶已创建"),
        (WordChange.NEW, "创建请求已提交"),
    )

"""How findings are held against a truth."""

import pytest

from appliance.benchmark.truth import Assessment, Untruth, match, read_truth
from appliance.core.errors import SetupError
from appliance.core.result import Finding
from appliance.core.verdict import DivergenceKind as K
from appliance.core.verdict import Severity


def finding(line, kind=K.RENAMED_LABEL, quote="Save", document="docs/a.md"):
    return Finding(
        id=f"{line}{kind}", fingerprint="", kind=kind, severity=Severity.MISLEADS, confidence=1,
        document=document, line=line, column=1, end_line=line, end_column=2, quote=quote,
        shown="", suggestion=None, step="1",
    )  # fmt: skip


def untruth(line, *kinds, quote="Save", **more):
    kinds = kinds or (K.RENAMED_LABEL,)
    return Untruth(document="a.md", line=line, quote=quote, kind=kinds[0],
                   acceptable_kinds=frozenset(kinds), **more)  # fmt: skip


def assessments(findings, truth):
    return [one.assessment for one in match(findings, truth)]


def test_a_finding_at_the_line_and_of_an_acceptable_kind_is_found():
    truth = [untruth(3, K.MISSING_STEP, K.ERROR_SHOWN)]
    assert assessments([finding(3, K.ERROR_SHOWN)], truth) == [Assessment.FOUND]
    assert assessments([finding(3, K.DEAD_LINK)], truth) == [
        Assessment.WRONG_KIND,
        Assessment.MISSED,
    ]
    assert assessments([finding(4, K.ERROR_SHOWN)], truth) == [
        Assessment.FALSE_ALARM,
        Assessment.MISSED,
    ]
    assert (
        assessments([finding(3, K.ERROR_SHOWN, document="b.md")], truth)[0]
        is Assessment.FALSE_ALARM
    )


def test_what_may_be_said_elsewhere_counts_once():
    truth = [untruth(3, instead=(7,))]
    assert assessments([finding(7)], truth) == [Assessment.FOUND]
    assert assessments([finding(3), finding(7)], truth) == [Assessment.FOUND, Assessment.TWICE]


def test_the_optional_may_be_left_out_and_is_right_where_it_is_reported():
    truth = [untruth(3, instead=(7,)), untruth(7, is_optional=True)]
    assert assessments([finding(3)], truth) == [Assessment.FOUND]
    assert assessments([finding(7)], truth) == [Assessment.FOUND, Assessment.MISSED] or assessments(
        [finding(7)], truth
    ) == [Assessment.FOUND]
    assert assessments([finding(3), finding(7)], truth) == [Assessment.FOUND, Assessment.FOUND]
    assert assessments([], truth) == [Assessment.MISSED]


def test_of_two_untruths_on_a_line_the_one_with_the_same_words_is_meant():
    truth = [untruth(3, quote="Save"), untruth(3, quote="Close")]
    found = match([finding(3, quote="Close")], truth)
    assert [(one.assessment, one.untruth.quote) for one in found] == [
        (Assessment.FOUND, "Close"), (Assessment.MISSED, "Save"),
    ]  # fmt: skip


def test_a_file_that_is_no_truth_is_refused(tmp_path):
    file = tmp_path / "x.truth.yaml"
    file.write_text("schema_version: 1\nrelease: '1'\nuntruth: []\n", encoding="utf-8")
    with pytest.raises(SetupError, match="is no truth file"):
        read_truth(file)

"""What is drawn becomes trials and figures like those of suites."""

from appliance.benchmark.determinism import Repeats
from appliance.benchmark.drift.run import FileResult, MatchRecord
from appliance.benchmark.measured import (
    determinism_figures,
    determinism_trials,
    drift_figures,
    drift_trials,
)
from appliance.benchmark.truth import Assessment
from appliance.core.verdict import DivergenceKind

K = DivergenceKind


def note(said, kind=None, reported=None, **more):
    return MatchRecord(
        said=said, place="disks.md:1", language="en", change="", kind=kind, reported=reported,
        quote="q", **more,
    )  # fmt: skip


FILE = FileResult(
    seed=7,
    release="2025.1",
    changes=(),
    untrue={},
    procedures=(),
    basis="",
    commit="",
    notes=(
        note(Assessment.FOUND, K.RENAMED_LABEL, K.RENAMED_LABEL),
        note(Assessment.MISSED, K.RENAMED_LABEL),
        note(Assessment.WRONG_KIND, K.MISSING_CONTROL, K.RENAMED_LABEL),
        note(Assessment.FALSE_ALARM, reported=K.DEAD_LINK),
        note(Assessment.FOUND, K.MOVED_CONTROL, K.MOVED_CONTROL, is_optional=True),
    ),
    open=(),
    wall_s=1.0,
)


def test_each_sentence_that_must_be_found_is_a_trial():
    trials = list(drift_trials([FILE]))
    assert [(one.way, one.success) for one in trials] == [
        ("renamed_label", True), ("renamed_label", False), ("missing_control", False),
    ]  # fmt: skip
    assert len({one.task for one in trials}) == len(trials)


def test_precision_and_recall_are_of_each_kind_and_of_all():
    figures = drift_figures([FILE])
    assert figures["false alarms"] == 1
    of_labels = [figures[f"renamed_label {name}"] for name in ("precision", "recall", "F1")]
    assert of_labels == [0.5, 0.5, 0.5]
    assert (figures["moved_control precision"], figures["dead_link precision"]) == (1.0, 0.0)
    assert (figures["precision"], figures["recall"]) == (0.5, 1 / 3)


def test_a_task_is_steady_where_all_repeats_go_the_same_way():
    def repeated(name, alike):
        return Repeats(
            procedure=name, times=4, same_way=alike, same_way_but_waits=alike, same_verdict=4,
            verdicts=(("verified", 4),),
        )  # fmt: skip

    both = [repeated("a", 4), repeated("b", 3)]
    assert [(one.task, one.success) for one in determinism_trials(both)] == [
        ("a", True), ("b", False),
    ]  # fmt: skip
    assert determinism_figures(both)["same way"] == 7 / 8

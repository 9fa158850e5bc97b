"""How sure findings are: what labels say of others, and no more than that."""

import math
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from appliance.core.errors import SetupError
from appliance.core.result import Evidence, Finding, Goal
from appliance.core.verdict import (
    Basis,
    DivergenceKind,
    EvidenceKind,
    PolicyName,
    Severity,
    StepStatus,
)
from appliance.store.incident import Confirmation
from appliance.verification import Calibration, Confidence, Label, LabelSource, Signs, fit_of
from appliance.verification.confidence import logistic
from appliance.verification.confidence.calibration import LEAST
from appliance.verification.confidence.labels import encoded, names, priors, rows_of, together
from appliance.verification.confidence.logistic import Prior, Row

KINDS = (DivergenceKind.RENAMED_LABEL, DivergenceKind.MISSING_CONTROL, DivergenceKind.DEAD_LINK)
SIGNS = st.builds(
    Signs,
    basis=st.sampled_from(Basis),
    kind=st.sampled_from(KINDS),
    severity=st.sampled_from(Severity),
    policy=st.sampled_from(PolicyName),
    goal=st.sampled_from(("reached", "not_reached", "unknown")),
    has_picture=st.booleans(),
    has_suggestion=st.booleans(),
    history=st.floats(-5, 5),
    is_adapted=st.booleans(),
    fit=st.floats(-4, 4),
)
LABELS = st.lists(
    st.builds(
        Label,
        signs=SIGNS,
        document=st.sampled_from(("a.md", "b.md", "c.rst")),
        source=st.sampled_from(LabelSource),
        true=st.integers(0, 9),
        false=st.integers(0, 9),
    ).filter(lambda one: one.true + one.false > 0),
    max_size=6,
)
QUICK = settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))


def signs(**changes: object) -> Signs:
    given = {
        "basis": Basis.ALIKE,
        "kind": DivergenceKind.RENAMED_LABEL,
        "severity": Severity.MISLEADS,
        "policy": PolicyName.LITERAL,
        "goal": "reached",
        "has_picture": True,
        "has_suggestion": True,
    }
    return Signs.model_validate(given | changes)


def label(true: int, false: int = 0, document: str = "a.md", **changes: object) -> Label:
    return Label(
        signs=signs(**changes),
        document=document,
        source=LabelSource.DRIFT,
        true=true,
        false=false,
    )


@QUICK
@given(LABELS, SIGNS)
def test_whatever_the_labels_it_is_a_probability(labels: list[Label], asked: Signs) -> None:
    made = Calibration.fitted(labels)
    assert 0 <= made.confidence(asked) <= 1
    assert all(0 <= point.confidence <= 1 for point in made.points)
    assert made.count == sum(one.true + one.false for one in labels)
    assert 0 <= made.brier <= 1 and 0 <= made.calibration_error <= 1


@QUICK
@given(LABELS, st.randoms())
def test_the_same_labels_make_the_same(labels: list[Label], random) -> None:
    shuffled = list(labels)
    random.shuffle(shuffled)
    assert Calibration.fitted(labels) == Calibration.fitted(shuffled)


@QUICK
@given(LABELS, SIGNS)
def test_a_true_one_more_never_makes_its_like_less_sure(labels: list[Label], more: Signs) -> None:
    """Where something is known of the kind: the first one brings a true and a false one with it."""
    known = Label(signs=more, document="z.md", source=LabelSource.TRIAGE, true=1, false=1)
    before = confidence([*labels, known], more)
    assert confidence([*labels, known.model_copy(update={"true": 2})], more) >= before
    assert confidence([*labels, known.model_copy(update={"false": 2})], more) <= before


def confidence(labels: list[Label], of: Signs) -> float:
    """Without what is left out for the figures, which takes most of the time."""
    fit = logistic.fit(rows_of(together(labels)), priors())
    return logistic.probability(fit, encoded(of))


@QUICK
@given(LABELS, st.floats(0.01, 0.98), st.floats(0.001, 0.019))
def test_more_precision_never_lowers_the_threshold(
    labels: list[Label], precision: float, more: float
) -> None:
    made = Calibration.fitted(labels)
    low, high = made.threshold(precision), made.threshold(precision + more)
    assert low.confidence >= LEAST
    if high.is_reached:
        assert low.is_reached and low.confidence <= high.confidence
        assert high.precision >= precision + more


def test_where_all_were_rejected_there_is_a_threshold_yet() -> None:
    threshold = Calibration.fitted([label(0, 9), label(0, 9, "b.md")]).threshold(0.9)
    assert not threshold.is_reached and threshold.precision < 0.1


def test_newton_finds_the_maximum() -> None:
    """Of one weight without a prior to speak of: the logarithm of the odds."""
    fitted = logistic.fit([Row((1.0,), 30, 10)], [Prior(0.0, 100.0)])
    assert fitted.weights[0] == pytest.approx(math.log(3), abs=1e-3)
    assert fitted.covariance[0][0] == pytest.approx(1 / (40 * 0.75 * 0.25), rel=1e-2)


def test_without_labels_the_prior_is_wide() -> None:
    none = Calibration.fitted([])
    assert 0.5 < none.confidence(signs()) < 0.9
    assert not none.threshold(0.98).is_reached
    some = Calibration.fitted([label(60), label(60, document="b.md")])
    other = {"kind": DivergenceKind.DEAD_LINK, "basis": Basis.REFUSED}
    assert some.confidence(signs(**other)) < some.confidence(signs())


def test_only_true_ones_do_not_make_it_certain() -> None:
    few = Calibration.fitted([label(3)]).confidence(signs())
    many = Calibration.fitted([label(300)]).confidence(signs())
    assert few < 0.9 < many < 1


def test_a_kind_that_is_often_wrong_does_not_alarm() -> None:
    labels = [
        one
        for document in ("a.md", "b.md", "c.md")
        for one in (
            label(60, document=document),
            label(4, 4, document=document, basis=Basis.UNSEEN, kind=DivergenceKind.WRONG_RESULT),
        )
    ]
    made = Calibration.fitted(labels)
    threshold = made.threshold(0.98)
    bad = made.confidence(signs(basis=Basis.UNSEEN, kind=DivergenceKind.WRONG_RESULT))
    assert threshold.is_reached
    assert bad < threshold.confidence <= made.confidence(signs())
    assert threshold.alarms == 180


def test_where_the_precision_is_out_of_reach_a_few_on_top_do_not_silence_the_others() -> None:
    """The false ones look like the true ones: no threshold parts them."""
    labels = [
        one
        for document in ("a.md", "b.md", "c.md")
        for one in (label(40, 2, document=document), label(8, document=document, basis=Basis.READ))
    ]
    threshold = Calibration.fitted(labels).threshold(0.98)
    assert not threshold.is_reached
    assert (threshold.confidence, threshold.alarms) == (LEAST, 150)


def test_what_people_said_of_others_of_the_kind_counts() -> None:
    made = Calibration.bundled()
    rejected = Confidence(
        calibration=made,
        threshold=0.5,
        opinions={DivergenceKind.RENAMED_LABEL: Confirmation(0, 9)},
    )
    nobody = Confidence(calibration=made, threshold=0.5)
    finding = Finding(
        id="f", fingerprint="p", kind=DivergenceKind.RENAMED_LABEL, severity=Severity.MISLEADS,
        confidence=0, document="a.md", line=1, column=1, end_line=1, end_column=2, quote="a",
        shown="b", suggestion="b", step="1", basis=Basis.ALIKE,
        evidence=(Evidence(kind=EvidenceKind.BEFORE, caption=""),),
    )  # fmt: skip
    (one,), (other,) = (
        of.judged([finding], PolicyName.LITERAL, Goal(reached=True)) for of in (rejected, nobody)
    )
    assert one.confidence < other.confidence - 0.05


def test_the_calibration_that_comes_with_it_is_whole() -> None:
    made = Calibration.bundled()
    assert made.signs == names() and len(made.weights) == len(priors()) == len(encoded(signs()))
    again = Calibration.fitted(made.labels)
    assert again.model_copy(update={"appliance": made.appliance}) == made
    quoted = {
        made.confidence(
            signs(basis=Basis.QUOTED, kind=kind, severity=Severity.MISLEADS, policy=policy)
        )
        for kind in DivergenceKind
        for policy in PolicyName
    }
    assert max(quoted) < made.threshold(0.98).confidence  # a model's word alone never alarms


def test_a_file_that_cannot_be_used_says_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "calibration.json"
    file.write_text('{"schema_version": 7}')
    with pytest.raises(SetupError, match=r"is no calibration.*finding calibrate"):
        Calibration.of_folder(tmp_path)
    Calibration.bundled().model_copy(update={"signs": ("always",)}).write(file)
    with pytest.raises(SetupError, match="goes by other signs"):
        Calibration.of_folder(tmp_path)
    file.unlink()
    assert Calibration.of_folder(tmp_path) == Calibration.bundled()


def of_stranger(*, as_written: int, against: int, unreached: int = 0) -> float:
    """How sure a missing control is, on a console that no adapter knows."""
    steps = [StepStatus.AS_WRITTEN] * as_written + [StepStatus.DIVERGED] * against
    steps += [StepStatus.UNREACHED] * unreached
    asked = signs(
        basis=Basis.ABSENT,
        kind=DivergenceKind.MISSING_CONTROL,
        goal="unknown",
        has_suggestion=False,
        is_adapted=False,
        fit=fit_of(steps),
    )
    return Calibration.bundled().confidence(asked)


def test_on_a_strange_console_a_text_with_which_nothing_agrees_does_not_alarm() -> None:
    threshold = Calibration.bundled().threshold(0.98).confidence
    assert of_stranger(as_written=0, against=3) < threshold
    assert threshold < of_stranger(as_written=0, against=1) < of_stranger(as_written=5, against=1)


def test_a_model_that_reached_the_goal_is_not_doubted_for_how_much_is_untrue() -> None:
    def sure(fit: float, goal: str) -> float:
        noted = signs(
            basis=Basis.TOLD_SEEN, policy=PolicyName.MODEL, goal=goal, is_adapted=False, fit=fit
        )
        return Calibration.bundled().confidence(noted)

    assert sure(-1.4, "reached") == sure(0, "reached") > sure(0, "unknown") > sure(-1.4, "unknown")


def test_what_was_not_reached_says_nothing_of_a_strange_console() -> None:
    assert of_stranger(as_written=2, against=1, unreached=9) == of_stranger(as_written=2, against=1)

"""The calibration: fitted on labelled findings, kept in a file, asked for every finding."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import sqrt
from pathlib import Path
from typing import Literal, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from appliance import __version__
from appliance.core.errors import SetupError
from appliance.core.result import Finding, Goal
from appliance.core.verdict import DivergenceKind, PolicyName
from appliance.store.incident import Confirmation
from appliance.system.files import write_whole
from appliance.verification.confidence import logistic
from appliance.verification.confidence.labels import (
    Label,
    encoded,
    names,
    priors,
    rows_of,
    together,
)
from appliance.verification.confidence.signs import Signs, history_of

FILE_NAME = "calibration.json"
"""In the data folder: in place of the one that comes with the appliance."""
_BUNDLED = Path(__file__).parent / FILE_NAME
LEAST = 0.5
"""What is more likely false than true never alarms, however precise all others are."""
_BINS = 10
_DIGITS = 6


class Threshold(NamedTuple):
    """From which confidence on findings alarm."""

    confidence: float
    precision: float
    """Of the labelled findings from there on, one true and one false more counted."""
    alarms: int
    """How many labelled findings are from there on."""
    is_reached: bool
    """Whether that is the precision that was asked for; else it is about the best there is."""


class Bin(NamedTuple):
    """Labelled findings of about the same confidence."""

    confidence: float
    """The mean."""
    observed: float
    """The part of them that is true."""
    size: int


class Point(BaseModel):
    """What a calibration without their document says of labelled findings."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    confidence: float
    true: int
    false: int


class Calibration(BaseModel):
    """How likely a finding is to be true, by its signs."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    schema_version: Literal[1] = 1
    appliance: str
    """The version that fitted it."""
    signs: tuple[str, ...]
    """What the weights are of, in their order."""
    weights: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...]
    points: tuple[Point, ...]
    """Each labelled finding held against what is fitted on the other documents."""
    labels: tuple[Label, ...]
    """What it is fitted on."""

    @classmethod
    def fitted(cls, labels: Sequence[Label]) -> Self:
        """The one that these labels make; the same for the same labels, in whatever order."""
        labels = together(labels)
        fit = logistic.fit(rows_of(labels), priors())
        return cls(
            appliance=__version__,
            signs=names(),
            weights=_rounded(fit.weights),
            covariance=tuple(map(_rounded, fit.covariance)),
            points=tuple(_points(labels)),
            labels=labels,
        )

    @classmethod
    def bundled(cls) -> Self:
        """The one that comes with the appliance: fitted on runs of its own benchmarks."""
        return cls.read(_BUNDLED)

    @classmethod
    def of_folder(cls, data_dir: Path) -> Self:
        """That of the data folder, where one was made; else the one that comes with the appliance.

        Raises:
            SetupError: It cannot be used.
        """
        own = data_dir / FILE_NAME
        return cls.read(own) if own.is_file() else cls.bundled()

    @classmethod
    def read(cls, path: Path) -> Self:
        """A file; `SetupError` where it is none, or of an appliance that went by other signs."""
        try:
            read = cls.model_validate_json(path.read_text(encoding="utf-8"))
        except OSError as exc:
            raise SetupError(f"cannot read the calibration {path}: {exc}") from exc
        except ValidationError as exc:
            raise SetupError(
                f"{path} is no calibration ({exc.errors()[0]['msg']}): make it again with"
                " `appliance finding calibrate`, or remove it"
            ) from exc
        if read.signs != names():
            raise SetupError(
                f"the calibration {path} goes by other signs than this appliance: make it again"
                " with `appliance finding calibrate`, or remove it"
            )
        return read

    def write(self, path: Path) -> None:
        """Keep it."""
        write_whole(path, self.model_dump_json(indent=1) + "\n")

    def confidence(self, signs: Signs) -> float:
        """How likely a finding with these signs is true."""
        fit = logistic.Fit(self.weights, self.covariance)
        return round(logistic.probability(fit, encoded(signs)), 4)

    def threshold(self, precision: float) -> Threshold:
        """The lowest from which on the labelled findings are so often true.

        One true and one false more are counted: few labels do not make anything certain. Where
        none reaches it, the lowest that is as good as the best within a standard error of it
        (L. Breiman and others, Classification and Regression Trees, 1984, 3.4.3): a few labels
        more on top do not silence all others.
        """
        steps, left_out = list[Threshold](), 0.0
        for confidence, true, false in self._from_each():
            at = max(LEAST, (left_out + confidence) / 2) if left_out else LEAST
            share = (true + 1) / (true + false + 2)
            steps.append(Threshold(at, share, true + false, share >= precision))
            left_out = confidence
        steps = steps or [Threshold(LEAST, 0.5, 0, False)]
        best = max(steps, key=lambda step: step.precision)
        error = sqrt(best.precision * (1 - best.precision) / (best.alarms + 2))
        enough = precision if best.is_reached else best.precision - error
        return next(step for step in steps if step.precision >= enough)

    def _from_each(self) -> list[tuple[float, int, int]]:
        """Each confidence that occurs, the lowest first, with what is true and false from it on."""
        steps, true, false = dict[float, tuple[float, int, int]](), 0, 0
        for point in sorted(self.points, key=lambda p: -p.confidence):
            true, false = true + point.true, false + point.false
            steps[point.confidence] = (point.confidence, true, false)
        return list(reversed(steps.values()))

    @cached_property
    def bins(self) -> tuple[Bin, ...]:
        """The reliability: what was said, and what was so."""
        points_by_bin: list[list[Point]] = [[] for _ in range(_BINS)]
        for point in self.points:
            points_by_bin[min(int(point.confidence * _BINS), _BINS - 1)].append(point)
        return tuple(_bin(points) for points in points_by_bin if points)

    @property
    def count(self) -> int:
        """Labelled findings."""
        return sum(point.true + point.false for point in self.points)

    @property
    def brier(self) -> float:
        """Mean square of what was said less what was so: 0 is best (G. W. Brier, 1950)."""
        lost = sum(
            p.true * (1 - p.confidence) ** 2 + p.false * p.confidence**2 for p in self.points
        )
        return lost / max(self.count, 1)

    @property
    def brier_of_share(self) -> float:
        """The same for whoever says of every finding how many are true on the whole."""
        share = sum(point.true for point in self.points) / max(self.count, 1)
        return share * (1 - share)

    @property
    def calibration_error(self) -> float:
        """Expected calibration error: how far what was said is off on average (Naeini, 2015)."""
        off = sum(bucket.size * abs(bucket.confidence - bucket.observed) for bucket in self.bins)
        return off / max(self.count, 1)


def _points(labels: Sequence[Label]) -> list[Point]:
    """Leave one document out: what the others say of its findings."""
    points = []
    for document in sorted({label.document for label in labels}):
        fit = logistic.fit(rows_of([o for o in labels if o.document != document]), priors())
        for label in labels:
            if label.document == document:
                probability = logistic.probability(fit, encoded(label.signs))
                points.append(
                    Point(confidence=round(probability, 4), true=label.true, false=label.false)
                )
    return points


def _bin(points: Sequence[Point]) -> Bin:
    count = sum(point.true + point.false for point in points)
    expected = sum(point.confidence * (point.true + point.false) for point in points)
    return Bin(expected / count, sum(point.true for point in points) / count, count)


def _rounded(numbers: Sequence[float]) -> tuple[float, ...]:
    return tuple(round(number, _DIGITS) for number in numbers)


_NOTHING = Confirmation(0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Confidence:
    """Of one run."""

    calibration: Calibration
    threshold: float
    opinions: Mapping[DivergenceKind, Confirmation] = field(default_factory=dict)
    """What people said on this console of earlier findings."""

    @classmethod
    def of(
        cls,
        precision: float,
        data_dir: Path,
        opinions: Mapping[DivergenceKind, Confirmation],
    ) -> Self:
        """As the data folder has it.

        Args:
            precision: As `findings.precision`.
            data_dir: Where a calibration of its own may be.
            opinions: What people said on this console.

        Raises:
            SetupError: That one cannot be used.
        """
        calibration = Calibration.of_folder(data_dir)
        threshold = calibration.threshold(precision).confidence
        return cls(calibration=calibration, threshold=threshold, opinions=opinions)

    def judged(
        self, findings: Iterable[Finding], policy: PolicyName, goal: Goal, fit: float | None = None
    ) -> tuple[Finding, ...]:
        """The findings with how sure they are.

        Args:
            findings: Of one procedure.
            policy: The tier that they are of.
            goal: What its last attempt reached.
            fit: As `Signs` has it; None: an adapter knows the console.
        """
        return tuple(self._judged(finding, policy, goal, fit) for finding in findings)

    def _judged(
        self, finding: Finding, policy: PolicyName, goal: Goal, fit: float | None
    ) -> Finding:
        history = history_of(self.opinions.get(finding.kind, _NOTHING))
        confidence = self.calibration.confidence(Signs.of(finding, policy, goal, history, fit))
        return replace(finding, confidence=confidence, is_sure=confidence >= self.threshold)

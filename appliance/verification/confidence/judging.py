"""How sure each finding of a run is, and whether that is enough to alarm."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

from appliance.core.result import Finding, Goal
from appliance.core.verdict import DivergenceKind, PolicyName
from appliance.store.incident import Confirmation
from appliance.verification.confidence.calibration import Calibration
from appliance.verification.confidence.signs import Signs, history_of

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
        return tuple(self._judged(one, policy, goal, fit) for one in findings)

    def _judged(
        self, finding: Finding, policy: PolicyName, goal: Goal, fit: float | None
    ) -> Finding:
        history = history_of(self.opinions.get(finding.kind, _NOTHING))
        confidence = self.calibration.confidence(Signs.of(finding, policy, goal, history, fit))
        return replace(finding, confidence=confidence, is_sure=confidence >= self.threshold)

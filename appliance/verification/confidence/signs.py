"""What there is to go by when it is asked how likely a finding is to be true."""

from collections import Counter
from collections.abc import Iterable
from math import log
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict

from appliance.core.result import Finding, Goal, ProcedureResult
from appliance.core.verdict import (
    Basis,
    DivergenceKind,
    EvidenceKind,
    PolicyName,
    Severity,
    StepStatus,
)
from appliance.store.incident import Confirmation

GoalSeen = Literal["reached", "not_reached", "unknown"]


class Signs(BaseModel):
    """Of one finding, when it was made: nothing that somebody said of it later."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    basis: Basis
    kind: DivergenceKind
    severity: Severity
    policy: PolicyName
    goal: GoalSeen
    has_picture: bool
    has_suggestion: bool
    history: float = 0.0
    """Logarithm of the odds of what people said of others of its kind on its console, one of each
    added; 0: nothing, or as much for as against."""
    is_adapted: bool = True
    """Whether an adapter knows the console: else the page may be another than the text means."""
    fit: float = 0.0
    """Where none does, as `fit_of` has it: what a text with which little else of the console agrees
    says of a page is likelier to be read wrong than to be untrue."""

    @classmethod
    def of(
        cls,
        finding: Finding,
        policy: PolicyName,
        goal: Goal,
        history: float = 0.0,
        fit: float | None = None,
    ) -> Self:
        """Those of a finding.

        Args:
            finding: The finding.
            policy: The tier that it is of.
            goal: What the last attempt reached.
            history: As the field says.
            fit: As the field says; None: an adapter knows the console.
        """
        reached: dict[bool | None, GoalSeen] = {True: "reached", False: "not_reached"}
        return cls(
            basis=finding.basis,
            kind=finding.kind,
            severity=finding.severity,
            policy=policy,
            goal=reached.get(goal.reached, "unknown"),
            has_picture=any(e.kind is EvidenceKind.BEFORE for e in finding.evidence),
            has_suggestion=finding.suggestion is not None,
            history=history,
            is_adapted=fit is None,
            fit=fit or 0.0,
        )

    @classmethod
    def of_result(
        cls,
        finding: Finding,
        result: ProcedureResult,
        history: float = 0.0,
        *,
        is_adapted: bool = True,
    ) -> Self:
        """Those of a finding of a result; of one that nobody decided, as of a reader of words."""
        fit = None if is_adapted else fit_of(step.status for step in result.steps)
        policy = PolicyName(result.decided_by or "literal")
        return cls.of(finding, policy, result.goal, history, fit)


def history_of(said: Confirmation) -> float:
    """What people said, as a sign."""
    return log((said.confirmed + 1) / (said.rejected + 1))


_AGAINST = (StepStatus.DIVERGED, StepStatus.STUCK)


def fit_of(steps: Iterable[StepStatus]) -> float:
    """How well a text and a console agree, from how the steps of one procedure went.

    The logarithm of the odds that a step went as it is written, one of each added. What was not
    reached, or not to be done, says nothing.
    """
    counts = Counter(steps)
    against = sum(counts[status] for status in _AGAINST)
    return log((counts[StepStatus.AS_WRITTEN] + 1) / (against + 1))

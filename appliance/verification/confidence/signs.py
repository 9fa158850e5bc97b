"""What there is to go by when it is asked how likely a finding is to be true."""

from math import log
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict

from appliance.core.result import Finding, Goal, ProcedureResult
from appliance.core.verdict import Basis, DivergenceKind, EvidenceKind, PolicyName, Severity
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

    @classmethod
    def of(cls, finding: Finding, policy: PolicyName, goal: Goal, history: float = 0.0) -> Self:
        """Those of a finding.

        Args:
            finding: The finding.
            policy: The tier that it is of.
            goal: What the last attempt reached.
            history: As the field says.
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
        )

    @classmethod
    def of_result(cls, finding: Finding, result: ProcedureResult, history: float = 0.0) -> Self:
        """Those of a finding of a result; of one that nobody decided, as of a reader of words."""
        return cls.of(finding, PolicyName(result.decided_by or "literal"), result.goal, history)


def history_of(said: Confirmation) -> float:
    """What people said, as a sign."""
    return log((said.confirmed + 1) / (said.rejected + 1))

"""What was taken for the thing meant: a rename where it proved to be right, else a question."""

from dataclasses import replace

from appliance.core.verdict import DivergenceKind, StepStatus
from appliance.policy.base import Divergence
from appliance.verification.trajectory import Trajectory

_SURE = 0.6
"""Of a question, at most."""
_BAD = frozenset((StepStatus.STUCK, StepStatus.UNREACHED))


def as_told(
    divergence: Divergence, trajectory: Trajectory, turn: int, reached: bool | None
) -> Divergence:
    """As it is said of the document.

    Args:
        divergence: What was noted.
        trajectory: The attempt.
        turn: That noted it.
        reached: Whether the attempt reached its goal; None: nobody can tell.
    """
    if not divergence.is_guess or _is_borne_out(trajectory, turn, reached):
        return divergence
    is_label = divergence.kind is DivergenceKind.RENAMED_LABEL
    nothing = f'nothing is called "{divergence.quote}"' if is_label else divergence.shown
    return replace(
        divergence,
        kind=DivergenceKind.MISSING_CONTROL if is_label else divergence.kind,
        confidence=min(divergence.confidence, _SURE),
        shown=f'{nothing}; did you mean "{divergence.suggestion}"?',
        suggestion=None,  # nothing that was not seen to be right is written into a document
    )


def _is_borne_out(trajectory: Trajectory, turn: int, reached: bool | None) -> bool:
    """The goal was reached by it; where nobody can tell, all that follows went as written."""
    if reached is not None:
        return reached
    after = [r.status for t in trajectory.turns[turn + 1 :] for r in t.decision.reports]
    return StepStatus.AS_WRITTEN in after and not _BAD.intersection(after)

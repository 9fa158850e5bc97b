"""Who is to blame for a trial that failed, and in what way it failed."""

from enum import StrEnum
from typing import NamedTuple

from appliance.core.causes import CauseKind
from appliance.core.result import ProcedureResult
from appliance.core.verdict import StepStatus, Verdict


class Blame(StrEnum):
    """What is at fault."""

    DOCUMENT = "document"  # a sentence of it is known to be untrue on the release
    CONSOLE = "console"  # it was down, or did not answer as it should
    ENVIRONMENT = "environment"  # what was needed could not be made, or not be asked
    AGENT = "agent"  # anything else


class Shape(StrEnum):
    """In what way an agent fails: WebRL's four kinds."""

    STUCK_MIDWAY = "stuck midway"
    NOT_RECOVERED = "did not recover"
    WRONG_PAGE = "wrong page"  # it went to the end, and did something else
    NO_ATTEMPT = "no reasonable attempt"


class Attribution(NamedTuple):
    """Of one trial."""

    blame: Blame
    shape: Shape | None
    """None: nobody acted."""


_CONSOLE_CAUSES = frozenset({CauseKind.CONSOLE, CauseKind.CONSOLE_DOWN})
_AGENT_CAUSES = frozenset({CauseKind.POLICY, CauseKind.MODEL, CauseKind.NOT_TRIED})
_PASSED_STATUSES = frozenset({StepStatus.AS_WRITTEN, StepStatus.DIVERGED})


def attribute(result: ProcedureResult, *, is_untrue: bool) -> Attribution:
    """Say why a trial failed.

    Args:
        result: Of a trial that failed.
        is_untrue: Whether its text is known to be untrue on its release.
    """
    if result.verdict is Verdict.BLOCKED and result.cause not in _AGENT_CAUSES:
        is_console = result.cause in _CONSOLE_CAUSES
        return Attribution(Blame.CONSOLE if is_console else Blame.ENVIRONMENT, None)
    return Attribution(Blame.DOCUMENT if is_untrue else Blame.AGENT, _shape(result))


def _shape(result: ProcedureResult) -> Shape:
    statuses = [step.status for step in result.steps]
    if not _PASSED_STATUSES.intersection(statuses):
        return Shape.NO_ATTEMPT
    if StepStatus.STUCK not in statuses:
        return Shape.STUCK_MIDWAY if StepStatus.UNREACHED in statuses else Shape.WRONG_PAGE
    later_statuses = statuses[statuses.index(StepStatus.STUCK) + 1 :]
    return (
        Shape.NOT_RECOVERED if _PASSED_STATUSES.intersection(later_statuses) else Shape.STUCK_MIDWAY
    )

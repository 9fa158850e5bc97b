"""What happened in an attempt, turn by turn, and how it ended."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from appliance.core.page import Observation, Performed
from appliance.core.result import ArtifactRef
from appliance.core.verdict import StepStatus
from appliance.policy import Decision, Divergence, StepReport


class StopReason(StrEnum):
    """Why an attempt ended. None of them means success: `outcome` says what was reached."""

    ANSWERED = "answered"  # the policy says that it is done
    GAVE_UP = "gave_up"  # the policy says that it cannot be done
    MAX_ACTIONS = "max_actions"
    MAX_SECONDS = "max_seconds"
    LOOP = "loop"  # the same action on the same page again and again
    ERROR = "error"  # a boundary failed


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One look at the page, one decision, and what came of it."""

    view: Observation
    decision: Decision
    performed: Performed | None
    before: ArtifactRef | None
    """Screenshot of the page as it was when the decision was made."""
    dom: ArtifactRef | None = None
    """HTML around the evidence, for turns that noted a divergence."""


@dataclass(slots=True)
class Trajectory:
    """The turns of one attempt."""

    turns: list[Turn] = field(default_factory=list)
    stop: StopReason | None = None
    problem: str = ""
    """`boundary: sentence` when a boundary failed."""
    final: ArtifactRef | None = None
    """Screenshot of the page at the end."""
    browser_s: float = 0.0

    def reports(self) -> Iterator[StepReport]:
        """All step reports, in order."""
        for turn in self.turns:
            yield from turn.decision.reports

    def divergences(self) -> Iterator[tuple[int, Divergence]]:
        """All divergences with the number of the turn that noted them."""
        for n, turn in enumerate(self.turns):
            for divergence in turn.decision.divergences:
                yield n, divergence

    def statuses(self, status: StepStatus) -> list[StepReport]:
        """The reports of one status."""
        return [r for r in self.reports() if r.status is status]

    def screenshot_after(self, turn: int) -> ArtifactRef | None:
        """The picture of the page after a turn."""
        return self.turns[turn + 1].before if turn + 1 < len(self.turns) else self.final

    def as_json_lines(self) -> str:
        """One JSON object a turn: what a person needs to retrace the attempt."""
        return "".join(
            json.dumps(_line(n, t), ensure_ascii=False) + "\n" for n, t in enumerate(self.turns)
        )


def _line(n: int, turn: Turn) -> dict[str, object]:
    action = turn.decision.action
    element = turn.view.element(action.element) if action.element is not None else None
    return {
        "turn": n,
        "url": turn.view.url,
        "title": turn.view.title,
        "dialogs": turn.view.dialogs,
        "step": turn.decision.step,
        "thought": turn.decision.thought,
        "action": action.kind.value,
        "on": f"{element.role} {element.name}" if element else None,
        "text": action.text or None,
        "ok": turn.performed.ok if turn.performed else None,
        "error": turn.performed.error or None if turn.performed else None,
        "events": [f"{e.kind}: {e.text}" for e in turn.view.events],
        "notices": [n.text for n in turn.view.notices()],
        "reports": [f"{r.step} {r.status}: {r.note}" for r in turn.decision.reports],
        "divergences": [f"{d.span} {d.kind}: {d.shown}" for d in turn.decision.divergences],
        "screenshot": turn.before.sha256 if turn.before else None,
    }

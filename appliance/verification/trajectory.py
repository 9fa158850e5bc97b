"""What happened in an attempt, turn by turn, and how it ended."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum

from appliance.core.causes import Cause
from appliance.core.jsonable import to_jsonable
from appliance.core.page import Observation, Performed
from appliance.core.result import ArtifactRef
from appliance.core.secrets import masked
from appliance.core.verdict import StepStatus
from appliance.policy import Decision, Divergence, Policy, Spent, StepReport


class StopReason(StrEnum):
    """Why an attempt ended. None of them means success: `outcome` says what was reached."""

    ANSWERED = "answered"  # the policy says that it is done
    GAVE_UP = "gave_up"  # the policy says that it cannot be done
    MAX_ACTIONS = "max_actions"
    MAX_SECONDS = "max_seconds"
    LOOP = "loop"  # the same action on the same page again and again
    BUDGET = "budget"  # the tokens of one attempt are used up
    FORMAT = "format"  # a model's answers could not be used, twice in a row
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
    exchanges: ArtifactRef | None = None
    """What models were asked for the decision, and answered."""
    refused: str = ""
    """Why an action that could do harm was not carried out."""
    by_person: bool = False
    """Whether a person, or a setting, refused it."""


@dataclass(slots=True)
class Trajectory:
    """The turns of one attempt."""

    policy: str = "literal"
    """Name of what chose the actions."""

    turns: list[Turn] = field(default_factory=list)
    stop: StopReason | None = None
    problem: Cause | None = None
    """What failed, when a boundary did."""
    final: ArtifactRef | None = None
    """Screenshot of the page at the end."""
    browser_s: float = 0.0
    """From the first look to the last, without what models and people took."""
    waited_s: float = 0.0
    """For people."""
    spent: Spent = field(default_factory=Spent)
    """What models took, also for a turn that was never taken."""

    def end(self, policy: Policy, took_s: float, waited_s: float) -> None:
        """Note what it took."""
        self.spent = getattr(policy, "spent", Spent())  # most policies ask no model
        self.waited_s = waited_s
        self.browser_s = max(took_s - waited_s - self.spent.model_s, 0.0)

    def reports(self) -> Iterator[StepReport]:
        """All step reports, in order; a step that took a detour was not done as written."""
        detours = {t.decision.step for t in self.turns if t.decision.is_detour}
        for turn in self.turns:
            for report in turn.decision.reports:
                if report.status is StepStatus.AS_WRITTEN and report.step in detours:
                    yield replace(report, status=StepStatus.DIVERGED, note=_DETOUR)
                else:
                    yield report

    def divergences(self) -> Iterator[tuple[int, Divergence]]:
        """All divergences with the number of the turn that noted them.

        What was noted at a step after something in it was not allowed says nothing of the text;
        and what was not allowed was not tried, so that nothing can be suggested in its place.
        """
        refused = set[str]()
        for n, turn in enumerate(self.turns):
            for divergence in turn.decision.divergences:
                if divergence.step not in refused:
                    yield n, replace(divergence, suggestion=None) if turn.refused else divergence
            if turn.refused:
                refused.add(turn.decision.step)

    def statuses(self, status: StepStatus) -> list[StepReport]:
        """The reports of one status."""
        return [r for r in self.reports() if r.status is status]

    def refused(self, *, by_person: bool) -> str:
        """Why the first action that could do harm was not carried out; empty: nothing was refused.

        Args:
            by_person: Whether those are meant that a person or a setting refused, or the others.
        """
        refused = (t.refused for t in self.turns if t.refused and t.by_person is by_person)
        return next(refused, "")

    def screenshot_after(self, turn: int) -> ArtifactRef | None:
        """The picture of the page after a turn."""
        return self.turns[turn + 1].before if turn + 1 < len(self.turns) else self.final

    def as_json_lines(self) -> str:
        """One JSON object a turn: what a person needs to retrace the attempt."""
        lines = (masked(to_jsonable(_line(n, t))) for n, t in enumerate(self.turns))
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


_DETOUR = "done another way than the text says"


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
        **_of_model(turn),
    }


def _of_model(turn: Turn) -> dict[str, object]:
    """What only a model's turn has."""
    decision = turn.decision
    told = {
        "detour": decision.is_detour,
        "refused": turn.refused,
        "spent": asdict(decision.spent) if decision.spent != Spent() else None,
        "prompts": decision.exchanges[-1].version if decision.exchanges else "",
        "exchanges": turn.exchanges.sha256 if turn.exchanges else "",
    }
    return {name: value for name, value in told.items() if value}

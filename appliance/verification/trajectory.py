"""The turns of an attempt, how it ended, and the evidence that is stored of it."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import NamedTuple, Protocol

from appliance.browser import Page, media_type
from appliance.config import VerificationSettings
from appliance.core import actions
from appliance.core.actions import Action
from appliance.core.blocking import in_thread
from appliance.core.causes import Cause
from appliance.core.clock import Clock
from appliance.core.errors import AttemptError
from appliance.core.events import StepFinished
from appliance.core.jsonable import to_jsonable
from appliance.core.page import Box, Element, Observation, Performed
from appliance.core.procedure import Procedure
from appliance.core.result import ArtifactRef
from appliance.core.secrets import masked
from appliance.core.verdict import PolicyName, StepStatus
from appliance.policy.base import Decision, Divergence, Exchange, Policy, Spent, StepReport
from appliance.policy.replay import RecordedTurn
from appliance.verification.performer import ActionResult
from appliance.verification.searched import searched_box


class StopReason(StrEnum):
    """Why an attempt ended. None of these means success: `outcome` decides that."""

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
    """One observation of the page, one decision, and its outcome."""

    view: Observation
    decision: Decision
    performed: Performed | None
    before: ArtifactRef | None
    """Screenshot of the page as it was when the decision was made."""
    dom: ArtifactRef | None = None
    """HTML around the evidence, for turns that noted a divergence."""
    exchanges: ArtifactRef | None = None
    """The exchanges with models about the decision."""
    refused: str = ""
    """Why an action that could do harm was not carried out."""
    by_person: bool = False
    """Whether a person or a setting refused it."""

    @property
    def element(self) -> Element | None:
        """The action's target element, as the page showed it; None if it has none."""
        number = self.decision.action.element
        return self.view.element(number) if number is not None else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unusable:
    """An observation for which a model gave no usable answer."""

    view: Observation
    exchanges: tuple[Exchange, ...]
    """The exchanges with the model."""


@dataclass(slots=True)
class Trajectory:
    """The turns of one attempt."""

    policy: PolicyName = PolicyName.LITERAL
    """Name of the policy that chose the actions."""

    turns: list[Turn] = field(default_factory=list)
    stop: StopReason | None = None
    problem: Cause | None = None
    """What failed, if a boundary did."""
    unusable: Unusable | None = None
    """The observation at which a model's unusable answers ended it."""
    final: ArtifactRef | None = None
    """Screenshot of the page at the end."""
    browser_s: float = 0.0
    """Seconds from the first observation to the last, without models and people."""
    waited_s: float = 0.0
    """Seconds waited for people."""
    spent: Spent = field(default_factory=Spent)
    """Model usage, including a turn that was never completed."""

    def end(self, policy: Policy, took_s: float, waited_s: float) -> None:
        """Record time and model usage at the end."""
        self.spent = getattr(policy, "spent", Spent())  # most policies ask no model
        self.waited_s = waited_s
        self.browser_s = max(took_s - waited_s - self.spent.model_s, 0.0)

    def reports(self) -> Iterator[StepReport]:
        """All step reports not withdrawn, in order; a detour makes a step `diverged`."""
        detours = {t.decision.step for t in self.turns if t.decision.is_detour}
        for index in range(len(self.turns)):
            for report in self.reports_of(index):
                if report.status is StepStatus.AS_WRITTEN and report.step in detours:
                    yield replace(report, status=StepStatus.DIVERGED, note=_DETOUR)
                else:
                    yield report

    def reports_of(self, turn: int) -> Iterator[StepReport]:
        """The step reports of one turn that were not withdrawn later."""
        reports = self.turns[turn].decision.reports
        return (report for report in reports if not self._is_withdrawn(report, turn))

    def divergences(self) -> Iterator[tuple[int, Divergence]]:
        """All divergences not withdrawn, with the index of the turn that noted them.

        What was noted at a step after something in it was not allowed says nothing of the text;
        and what was not allowed was not tried, so that nothing can be suggested in its place.
        """
        refused = set[str]()
        for index, turn in enumerate(self.turns):
            for divergence in turn.decision.divergences:
                is_allowed = divergence.step not in refused
                if is_allowed and not self._is_withdrawn(divergence, index):
                    yield (
                        index,
                        replace(divergence, suggestion=None) if turn.refused else divergence,
                    )
            if turn.refused:
                refused.add(turn.decision.step)

    def _is_withdrawn(self, entry: StepReport | Divergence, turn: int) -> bool:
        return any(entry in later.decision.withdrawn for later in self.turns[turn + 1 :])

    def statuses(self, status: StepStatus) -> list[StepReport]:
        """The reports with one status."""
        return [r for r in self.reports() if r.status is status]

    def refused(self, *, by_person: bool) -> str:
        """Why the first action that could do harm was not carried out; empty: nothing was refused.

        Args:
            by_person: Whether to look at refusals by a person or a setting, or at the others.
        """
        refusals = (t for t in self.turns if t.refused and not t.decision.is_search)
        return next((t.refused for t in refusals if t.by_person is by_person), "")

    def looked(self) -> list[RecordedTurn]:
        """The turns as a policy knows them."""
        return [RecordedTurn(t.view, t.decision, t.performed) for t in self.turns]

    def screenshot_after(self, turn: int) -> ArtifactRef | None:
        """The screenshot after a turn."""
        return self.turns[turn + 1].before if turn + 1 < len(self.turns) else self.final

    def as_json_lines(self) -> str:
        """One JSON object per turn, for a person who retraces the attempt."""
        lines = (masked(to_jsonable(_line(n, t))) for n, t in enumerate(self.turns))
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


_DETOUR = "done another way than the text says"


def _line(index: int, turn: Turn) -> dict[str, object]:
    action, element = turn.decision.action, turn.element
    return {
        "turn": index,
        "url": turn.view.url,
        "title": turn.view.title,
        "dialogs": turn.view.dialogs,
        "step": turn.decision.step,
        "thought": turn.decision.thought,
        "action": action.kind.value,
        "on": f"{element.role} {element.name}" if element else None,
        "text": action.argument or None,
        "ok": turn.performed.ok if turn.performed else None,
        "error": turn.performed.error or None if turn.performed else None,
        "events": [f"{e.kind}: {e.text}" for e in turn.view.events],
        "notices": [index.text for index in turn.view.notices()],
        "reports": [f"{r.step} {r.status}: {r.note}" for r in turn.decision.reports],
        "divergences": [f"{d.span} {d.kind}: {d.shown}" for d in turn.decision.divergences],
        "screenshot": turn.before.sha256 if turn.before else None,
        **_model_fields(turn),
    }


def _model_fields(turn: Turn) -> dict[str, object]:
    """Fields that only a model's turn has."""
    decision = turn.decision
    values = {
        "detour": decision.is_detour,
        "refused": turn.refused,
        "withdrawn": [r.note for r in decision.withdrawn if isinstance(r, StepReport)],
        "spent": asdict(decision.spent) if decision.spent != Spent() else None,
        "prompts": decision.exchanges[-1].version if decision.exchanges else "",
        "exchanges": turn.exchanges.sha256 if turn.exchanges else "",
    }
    return {name: value for name, value in values.items() if value}


_LOOP_LENGTH = 5
"""This many equal actions in a row on an equal page are a loop, unless they are waits."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one attempt; time spent waiting for people does not count."""

    max_actions: int
    deadline: float
    clock: Clock

    @classmethod
    def start(cls, settings: VerificationSettings, clock: Clock) -> "Limits":
        """Bounds that count from now."""
        return cls(settings.max_actions, clock.monotonic() + settings.max_seconds, clock)

    def reached(self, trajectory: Trajectory) -> StopReason | None:
        """The bound that has been reached, if any."""
        if len(trajectory.turns) >= self.max_actions:
            return StopReason.MAX_ACTIONS
        if self.clock.monotonic() - trajectory.waited_s >= self.deadline:
            return StopReason.MAX_SECONDS
        if _is_loop(trajectory):
            return StopReason.LOOP
        return None


def _is_loop(trajectory: Trajectory) -> bool:
    last_turns = trajectory.turns[-_LOOP_LENGTH:]
    if len(last_turns) < _LOOP_LENGTH or any(
        isinstance(t.decision.action, actions.Wait) for t in last_turns
    ):
        return False
    return len({(t.view.fingerprint, t.decision.action) for t in last_turns}) == 1


class TurnRecord(NamedTuple):
    """The artifacts of one turn."""

    picture: ArtifactRef | None
    dom: ArtifactRef | None
    exchanges: ArtifactRef | None


class Evidence(Protocol):
    """Stores artifacts and publishes steps; implemented by `Desk`."""

    def put(self, data: bytes, media_type: str) -> ArtifactRef:
        """Store an artifact. Blocks."""

    def emit(self, event: StepFinished) -> None:
        """Publish a finished step."""


class Recorder:
    """Stores screenshots and HTML of an attempt and publishes its finished steps."""

    def __init__(
        self,
        evidence: Evidence,
        run_id: str,
        procedure: Procedure,
        number: int,
        *,
        pictures: bool = True,
    ) -> None:
        """Set up the recorder of one attempt.

        Args:
            evidence: Where artifacts are stored and steps published.
            run_id: The id of its run.
            procedure: The procedure with the steps.
            number: The number of the attempt.
            pictures: Whether to store one per turn; else only of divergences and the end.
        """
        self._evidence = evidence
        self._run_id, self._procedure_id, self._number = run_id, procedure.id, number
        self._texts = {step.index: step.text for step in procedure.walk()}
        self._pictures = pictures

    async def look(self, page: Page, view: Observation, decision: Decision) -> TurnRecord:
        """Store what the page looks like at this decision; waiting needs no screenshot."""
        exchanges = await in_thread(self._store_exchanges, decision.exchanges)
        if not self._needs_picture(decision):
            return TurnRecord(None, None, exchanges)
        box = _evidence_box(view, decision)
        picture = await self._store_picture(await page.screenshot(highlight=box))
        dom = None
        if decision.divergences:
            html = await page.dom_excerpt(_element_at(view, box))
            dom = await in_thread(self._evidence.put, html.encode(), "text/html")
        return TurnRecord(picture, dom, exchanges)

    def _needs_picture(self, decision: Decision) -> bool:
        if decision.divergences or isinstance(decision.action, actions.Unachievable):
            return True
        return self._pictures and not isinstance(decision.action, actions.Wait)

    def _store_exchanges(self, exchanges: Sequence[Exchange]) -> ArtifactRef | None:
        """Store the exchanges with models, which are too large for the trajectory itself."""
        if not exchanges:
            return None
        text = json.dumps(masked(to_jsonable(exchanges)), ensure_ascii=False)
        return self._evidence.put(text.encode("utf-8", "replace"), "application/json")

    async def last_look(self, page: Page) -> ArtifactRef | None:
        """Store a final screenshot; None if the page has crashed."""
        try:
            return await self._store_picture(await page.screenshot())
        except AttemptError:
            return None

    async def _store_picture(self, picture: bytes) -> ArtifactRef:
        return await in_thread(self._evidence.put, picture, media_type(picture))

    def add(
        self,
        trajectory: Trajectory,
        view: Observation,
        decision: Decision,
        action_result: ActionResult | None,
        record: TurnRecord,
    ) -> None:
        """Append the turn."""
        trajectory.turns.append(
            Turn(
                view=view,
                decision=decision,
                performed=action_result.performed if action_result else None,
                before=record.picture,
                dom=record.dom,
                exchanges=record.exchanges,
                refused=action_result.refused if action_result else "",
                by_person=action_result is not None and action_result.by_person,
            )
        )
        for report in decision.reports:
            self._evidence.emit(
                StepFinished(
                    run_id=self._run_id,
                    procedure_id=self._procedure_id,
                    attempt=self._number,
                    step=report.step,
                    status=report.status,
                    text=self._texts.get(report.step, ""),
                    picture=record.picture,
                )
            )

    def answer(self, decision: Decision) -> StopReason:
        """The stop reason that the policy's final action means."""
        if isinstance(decision.action, actions.Complete):
            return StopReason.ANSWERED
        return StopReason.BUDGET if decision.is_over_budget else StopReason.GAVE_UP


def _evidence_box(view: Observation, decision: Decision) -> Box | None:
    """The box of the first divergence, else of where it was sought, else of the action."""
    for divergence in decision.divergences:
        if divergence.box is not None:
            return divergence.box
    has_missed = any(one.is_missed for one in decision.divergences)
    search_box = searched_box(view) if has_missed else None
    return search_box or _box_of(view, decision.action)


def _box_of(view: Observation, action: Action) -> Box | None:
    element = view.element(action.element) if action.element is not None else None
    return element.box if element and element.in_viewport else None


def _element_at(view: Observation, box: Box | None) -> int | None:
    return next((e.id for e in view.elements if box is not None and e.box == box), None)

"""Keeps the evidence of an attempt: a picture of every turn, the HTML around a divergence."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from appliance.browser import Page, media_type
from appliance.core.errors import AttemptError
from appliance.core.events import Events, StepFinished
from appliance.core.jsonable import to_jsonable
from appliance.core.page import Action, ActionKind, Box, Observation
from appliance.core.procedure import Procedure
from appliance.core.result import ArtifactRef
from appliance.core.secrets import masked
from appliance.policy import Decision, Exchange
from appliance.store import ArtifactStore
from appliance.verification.hands import Deed
from appliance.verification.trajectory import StopReason, Trajectory, Turn


class Seen(NamedTuple):
    """What was kept of one turn."""

    picture: ArtifactRef | None
    dom: ArtifactRef | None
    exchanges: ArtifactRef | None


class Recorder:
    """Stores pictures and HTML, and tells subscribers of finished steps."""

    def __init__(
        self,
        store: ArtifactStore,
        events: Events,
        run_id: str,
        procedure: Procedure,
        number: int,
        *,
        pictures: bool = True,
    ) -> None:
        """A recorder of one attempt.

        Args:
            store: Where evidence is kept.
            events: Told of finished steps.
            run_id: Of its run.
            procedure: Whose steps.
            number: Of the attempt.
            pictures: Whether every turn has one; else only the last, and where it went wrong.
        """
        self._artifacts, self._events = store, events
        self._run_id, self._procedure_id, self._number = run_id, procedure.id, number
        self._texts = {step.index: step.text for step in procedure.walk()}
        self._pictures = pictures

    async def look(self, page: Page, view: Observation, decision: Decision) -> Seen:
        """Keep what the page looks like at this decision; waiting needs no picture."""
        exchanges = self._kept(decision.exchanges)
        if not self._is_worth_a_picture(decision):
            return Seen(None, None, exchanges)
        box = _evidence_box(view, decision)
        picture = self._put(await page.screenshot(highlight=box))
        dom = None
        if decision.divergences:
            html = await page.dom_excerpt(_element_at(view, box))
            dom = self._artifacts.put(html.encode(), "text/html")
        return Seen(picture, dom, exchanges)

    def _is_worth_a_picture(self, decision: Decision) -> bool:
        if decision.divergences or decision.action.kind is ActionKind.UNACHIEVABLE:
            return True
        return self._pictures and decision.action.kind is not ActionKind.WAIT

    def _kept(self, exchanges: Sequence[Exchange]) -> ArtifactRef | None:
        """What models were asked and answered: too much for the trajectory itself."""
        if not exchanges:
            return None
        text = json.dumps(masked(to_jsonable(exchanges)), ensure_ascii=False)
        return self._artifacts.put(text.encode("utf-8", "replace"), "application/json")

    async def last_look(self, page: Page) -> ArtifactRef | None:
        """The page at the end; a page that has crashed leaves no picture."""
        try:
            return self._put(await page.screenshot())
        except AttemptError:
            return None

    def _put(self, picture: bytes) -> ArtifactRef:
        return self._artifacts.put(picture, media_type(picture))

    def add(
        self,
        trajectory: Trajectory,
        view: Observation,
        decision: Decision,
        deed: Deed | None,
        seen: Seen,
    ) -> None:
        """Append the turn."""
        trajectory.turns.append(
            Turn(
                view=view,
                decision=decision,
                performed=deed.performed if deed else None,
                before=seen.picture,
                dom=seen.dom,
                exchanges=seen.exchanges,
                refused=deed.refused if deed else "",
                by_person=deed is not None and deed.by_person,
            )
        )
        for report in decision.reports:
            self._events.emit(
                StepFinished(
                    run_id=self._run_id,
                    procedure_id=self._procedure_id,
                    attempt=self._number,
                    step=report.step,
                    status=report.status,
                    text=self._texts.get(report.step, ""),
                    picture=seen.picture,
                )
            )

    def answer(self, decision: Decision) -> StopReason:
        """What the policy's last word means for the loop."""
        if decision.action.kind is ActionKind.COMPLETE:
            return StopReason.ANSWERED
        return StopReason.BUDGET if decision.is_over_budget else StopReason.GAVE_UP


def _evidence_box(view: Observation, decision: Decision) -> Box | None:
    """The place of the first divergence, else of the element about to be used."""
    for divergence in decision.divergences:
        if divergence.box is not None:
            return divergence.box
    return _box_of(view, decision.action)


def _box_of(view: Observation, action: Action) -> Box | None:
    element = view.element(action.element) if action.element is not None else None
    return element.box if element and element.in_viewport else None


def _element_at(view: Observation, box: Box | None) -> int | None:
    return next((e.id for e in view.elements if box is not None and e.box == box), None)

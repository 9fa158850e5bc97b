"""Replays a recipe while every page is as it was; gives up at the first difference."""

from dataclasses import replace

from appliance.core import actions
from appliance.core.actions import ActionKind
from appliance.core.page import Element, Observation, Performed
from appliance.core.verdict import PolicyName
from appliance.policy.base import Decision, Task
from appliance.policy.replay.recipe import Move, Recipe, Stage
from appliance.policy.replay.skeleton import Skeleton, describe_line, skeleton
from appliance.policy.replay.target import Target, find
from appliance.policy.replay.wording import Wording

_FIRST_WAIT_S = 0.2
_LONGEST_WAIT_S = 1.0
_QUIET_S = 2.0
"""How long a page may still change into the expected one, if the recorded attempt did not wait."""


class ReplayPolicy:
    """Reports `as_written`, or gives up and says why; findings are left to the next tier."""

    name = PolicyName.REPLAY

    def __init__(self, task: Task, recipe: Recipe) -> None:
        self._recipe = recipe
        self._patience_s = task.patience_s
        self._wording = Wording(task)
        self._stage_index = 0
        """The index of the next stage."""
        self._waited_s = 0.0
        self._since_move = _ShownSinceMove()
        self._known_notices: set[str] = set()

    async def choose(self, view: Observation, last: Performed | None) -> Decision:
        """The next action on the page as it is now; UNACHIEVABLE where it is another page."""
        if self._stage_index == 0 and bindings_of(self._wording) != self._recipe.bindings:
            return self._give_up("other values are bound than when it was verified")
        if last is not None and not last.ok:
            return self._give_up(f"what was done before could not be done again: {last.error}")
        stage = self._recipe.stages[self._stage_index]
        current = skeleton(view, self._wording)
        self._since_move.add(current)
        if view.is_busy:
            why: str | None = "the page does not come to rest"
        else:
            why = self._difference(stage, current)
        move = stage.move
        target, drop_target = self._find_target(move.target, view), self._find_target(move.to, view)
        if why is None and ((move.target and not target) or (move.to and not drop_target)):
            why = "what was used then is not there or not ready, or there are several"
        if why is not None:
            return self._wait(stage, why)
        self._known_notices |= self._since_move.notices
        self._stage_index, self._waited_s, self._since_move = (
            self._stage_index + 1,
            0.0,
            _ShownSinceMove(),
        )
        return self._decide(move, target, drop_target)

    def _difference(self, stage: Stage, current: Skeleton) -> str | None:
        """The first thing that differs from the recipe; None if nothing does."""
        if current.lines != stage.page:
            return _describe_difference(stage.page, current.lines)
        if row := next((row for row in stage.rows if not row.is_in(current.rows)), None):
            missing_part = row.describe_missing(current.rows)
            return f"the row of {' and '.join(row.things)} does not show {missing_part}"
        if missing := set(stage.notices) - self._since_move.notices:
            return f"the message {describe_line(min(missing))} did not come"
        next_notices = (
            self._recipe.stages[self._stage_index + 1].notices if not stage.move.is_last else ()
        )
        if unexpected := current.notices - self._known_notices - {*stage.notices, *next_notices}:
            return f"the message {describe_line(min(unexpected))} came"
        if self._since_move.events != set(stage.events):
            return "what happened to the page is not what happened then"
        if missing := set(stage.seen) - self._since_move.seen:
            return f'"{min(missing)}" was not shown'
        return None

    def _decide(self, move: Move, target: Element | None, drop_target: Element | None) -> Decision:
        fill = self._wording.fill
        return Decision(
            action=actions.build(
                move.kind,
                element=target.id if target else None,
                argument=str(move.checked) if move.kind is ActionKind.CHECK else fill(move.text),
                to=drop_target.id if drop_target else None,
            ),
            step=move.step,
            thought=fill(move.thought),
            reports=tuple(replace(report, note=fill(report.note)) for report in move.reports),
            checks=tuple(replace(check, reason=fill(check.reason)) for check in move.checks),
        )

    def _find_target(self, target: Target | None, view: Observation) -> Element | None:
        if target is None:
            return None
        element = find(target, view, self._wording)
        return None if element is None or "disabled" in element.states else element

    def _wait(self, stage: Stage, why: str) -> Decision:
        """Look again later: the page may still settle, for as long as it took then."""
        limit_s = min(self._patience_s, _QUIET_S + 2 * stage.waited_s)
        if self._waited_s >= limit_s:
            return self._give_up(why)
        seconds = min(_LONGEST_WAIT_S, max(_FIRST_WAIT_S, self._waited_s))
        self._waited_s += seconds
        return Decision(
            action=actions.Wait(seconds),
            step=stage.move.step,
            thought=f"wait for the page as it was: {why}",
        )

    def _give_up(self, why: str) -> Decision:
        stage = self._recipe.stages[min(self._stage_index, len(self._recipe.stages) - 1)]
        return Decision(
            action=actions.Unachievable(why=f"step {stage.move.step}: {why}"),
            step=stage.move.step,
            thought="this is not what was verified: it has to be read anew",
        )


class _ShownSinceMove:
    """Everything shown since the last move."""

    def __init__(self) -> None:
        self.notices: set[str] = set()
        self.events: set[str] = set()
        self.seen: set[str] = set()

    def add(self, current: Skeleton) -> None:
        """Take in one more observation."""
        self.notices |= current.notices
        self.events |= current.events
        self.seen |= current.seen


def bindings_of(wording: Wording) -> tuple[tuple[str, str, str], ...]:
    """The bindings, without what differs from attempt to attempt."""
    return tuple(
        (name, binding.form, binding.same_as) for name, binding in wording.bindings.items()
    )


def _describe_difference(before_lines: tuple[str, ...], current_lines: tuple[str, ...]) -> str:
    removed = [line for line in before_lines if line not in current_lines]
    added = [line for line in current_lines if line not in before_lines]
    if removed and added:
        added_text, removed_text = (
            describe_line(added[0], removed[0]),
            describe_line(removed[0], added[0]),
        )
        return f"the page shows {added_text} where it showed {removed_text}"
    if removed:
        return f"the page does not show {describe_line(removed[0])} any more"
    if added:
        return f"the page shows {describe_line(added[0])} besides"
    return "the page shows the same things in another order"
